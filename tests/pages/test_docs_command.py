"""``ludex docs build``."""

from __future__ import annotations

import json
import re
from importlib.util import find_spec
from pathlib import Path

import pytest
from click.testing import CliRunner

from ludex.cli.docs import docs
from ludex.errors import UsageError

ROOT = Path(__file__).resolve().parents[2]
MINIMAL = ROOT / "tests" / "specs" / "minimal"


def build(*args: object) -> int:
    found = CliRunner().invoke(docs, ["build", *map(str, args)], standalone_mode=False)
    if found.exception is not None:
        raise found.exception
    assert isinstance(found.return_value, int)
    return found.return_value


def test_pages_of_a_folder_and_a_menu(tmp_path: Path) -> None:
    out = tmp_path / "out"
    assert build(MINIMAL, "--out", out, "--pages-only") == 0
    assert (out / "docs" / "games" / "two-piles" / "rules.md").is_file()
    assert not (out / "docs" / "games" / "poodle-taxi").exists()
    assert "<!-- ludex:" not in (out / "docs" / "language.md").read_text("utf-8")
    config = json.loads((out / "mkdocs.generated.yml").read_text("utf-8"))
    assert config["INHERIT"] == str(ROOT / "mkdocs.yml")
    assert list(config["nav"][1]) == ["Games"]
    named = re.findall(r'"([\w/-]+\.md)"', json.dumps(config["nav"]))
    pages = [str(p.relative_to(out / "docs")) for p in (out / "docs").rglob("*.md")]
    assert sorted(named) == sorted(pages)


def test_the_output_is_replaced_but_nobody_elses_folder(tmp_path: Path) -> None:
    out = tmp_path / "out"
    build(MINIMAL, "--out", out, "--pages-only")
    (out / "docs" / "old.md").write_text("old", encoding="utf-8")
    build(MINIMAL, "--out", out, "--pages-only")
    assert not (out / "docs" / "old.md").exists()
    other = tmp_path / "other"
    (other / "docs").mkdir(parents=True)
    (other / "docs" / "mine.md").write_text("mine", encoding="utf-8")
    with pytest.raises(UsageError, match="was not made by this command"):
        build(MINIMAL, "--out", other, "--pages-only")
    assert (other / "docs" / "mine.md").is_file()


def test_a_file_in_the_way_is_an_error_in_words(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("", encoding="utf-8")
    with pytest.raises(UsageError, match="cannot write"):
        build(MINIMAL, "--out", tmp_path / "file", "--pages-only")


def test_it_needs_a_checkout(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match=r"expected mkdocs\.yml and docs/"):
        build(MINIMAL, "--root", tmp_path, "--out", tmp_path / "out", "--pages-only")


def test_an_example_that_does_not_hold_fails_a_strict_build(tmp_path: Path) -> None:
    game = tmp_path / "game"
    for file in MINIMAL.rglob("*.yaml"):
        copy = game / file.relative_to(MINIMAL)
        copy.parent.mkdir(parents=True, exist_ok=True)
        text = file.read_text("utf-8")
        copy.write_text(text.replace("actors: [p1]\n", "actors: [p2]\n"), encoding="utf-8")
    assert build(game, "--out", tmp_path / "out", "--pages-only") == 1
    assert build(game, "--out", tmp_path / "out", "--pages-only", "--no-strict") == 0


@pytest.mark.slow
@pytest.mark.skipif(find_spec("material") is None, reason="needs the docs extra (mkdocs-material)")
def test_the_strict_build_of_all_games_fetches_nothing(tmp_path: Path) -> None:
    out = tmp_path / "out"
    assert build("--out", out) == 0
    pages = list((out / "site").rglob("*.html"))
    assert len(pages) > 10
    rules = (out / "site" / "games" / "poodle-taxi" / "rules.html").read_text("utf-8")
    assert '<h3 id="rule-4-4">' in rules
    fetched = re.compile(r'<(?:script|img|iframe|link)\b[^>]*(?:src|href)="(?:https?:)?//')
    for page in pages:
        assert not fetched.search(page.read_text("utf-8")), page
    for sheet in (out / "site").rglob("*.css"):
        assert not re.search(r"url\([\"']?(?:https?:)?//|@import", sheet.read_text("utf-8")), sheet


@pytest.mark.slow
@pytest.mark.skipif(find_spec("material") is None, reason="needs the docs extra (mkdocs-material)")
def test_a_broken_anchor_fails_the_build(tmp_path: Path) -> None:
    root = tmp_path / "root"
    (root / "docs" / "assets").mkdir(parents=True)
    for name in ("mkdocs.yml", "docs/assets/ludex.css", *(
        f"docs/{p.name}" for p in (ROOT / "docs").glob("*.md")
    )):
        (root / name).write_text((ROOT / name).read_text("utf-8"), encoding="utf-8")
    index = root / "docs" / "index.md"
    index.write_text(index.read_text("utf-8") + "\n[no](protocol.md#not-there)\n", encoding="utf-8")
    assert build(MINIMAL, "--root", root, "--out", tmp_path / "out") == 1
