"""``ludex new`` and ``ludex explain``: a game to begin with, and what a code means."""

from __future__ import annotations

import os
import stat
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from ludex.authoring.document import load_document
from ludex.authoring.schema_check import schema_names
from ludex.authoring.spec_home import spec_home
from ludex.cli.check import check
from ludex.cli.explain import explain
from ludex.cli.new import files_of, new
from ludex.codes import codes
from ludex.errors import LudexError, UsageError
from ludex.examples import Games, run_example
from ludex.explore.explore import explore

TEMPLATE = Path(str(spec_home())) / "template"
FILES = {"game.yaml", "rules.yaml", "rulings.yaml", "examples.yaml", "display.yaml",
         "components/standard.yaml"}


def call(*args: str) -> Result:
    found = CliRunner().invoke(new, args, standalone_mode=False)
    if found.exception is not None and not isinstance(found.exception, LudexError):
        raise found.exception
    return found


@pytest.fixture(autouse=True)
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


def files_in(folder: Path) -> set[str]:
    return {p.relative_to(folder).as_posix() for p in folder.rglob("*") if p.is_file()}


def refused(*args: str) -> UsageError:
    error = call(*args).exception
    assert isinstance(error, UsageError)
    return error


def test_the_template_is_a_sound_game_itself() -> None:
    document = load_document(TEMPLATE)
    games = Games(lambda name: load_document(TEMPLATE, name))
    examples = document["text"]["examples"]
    assert [f for e in examples for f in run_example(e, games)] == []
    report = explore(document, 40, 1)
    assert report.findings == []
    assert report.coverage.never() == []


def test_a_new_game_is_whole_and_sound(here: Path) -> None:
    found = call("lucky-dip")
    assert found.exception is None
    folder = here / "lucky-dip"
    assert files_in(folder) == FILES
    assert list(here.iterdir()) == [folder]
    document = load_document(folder)
    assert (document["game"], document["title"]) == ("lucky-dip", "Lucky Dip")
    assert document["text"]["sources"]["rulebook"]["title"].startswith("Lucky Dip")
    done = CliRunner().invoke(check, ["lucky-dip", "--games", "20"], standalone_mode=False)
    assert (done.return_value, done.output.splitlines()[-1]) == (0, "SOUND")
    for command in ("check", "test", "play"):
        assert f"ludex {command} lucky-dip" in found.output


def test_nothing_of_the_template_is_left_over(here: Path) -> None:
    call("lucky-dip")
    for name in FILES:
        text = (here / "lucky-dip" / name).read_text("utf-8")
        assert "my-game" not in text
        assert "My Game" not in text


def test_files_are_ordinary_files(here: Path) -> None:
    before = os.umask(0o022)
    try:
        call("lucky-dip")
    finally:
        os.umask(before)
    folder = here / "lucky-dip"
    assert stat.S_IMODE(folder.stat().st_mode) == 0o755
    assert stat.S_IMODE((folder / "game.yaml").stat().st_mode) == 0o644


# -- the line for editors ----------------------------------------------------------------------


def schema_of(file: Path) -> str:
    first = file.read_text("utf-8").splitlines()[0]
    mark = "# yaml-language-server: $schema="
    assert first.startswith(mark)
    return first.removeprefix(mark)


def test_outside_a_checkout_the_installed_schemas_are_named(here: Path) -> None:
    found = call("lucky-dip")
    for name in FILES:
        schema = Path(schema_of(here / "lucky-dip" / name))
        assert schema.is_absolute()
        assert schema.is_file()
        assert schema.name.removesuffix(".schema.json") in schema_names()
    assert "tells your editor where the schemas of this Ludex are" in found.output


def test_in_a_checkout_schemas_are_named_from_the_file(here: Path) -> None:
    checkout = here / "checkout"
    schemas = checkout / "spec" / "schemas"
    schemas.mkdir(parents=True)
    for name in ("game", "rules", "rulings", "examples", "display", "components"):
        (schemas / f"{name}.schema.json").write_text("{}", encoding="utf-8")
    (checkout / "spec" / "games").mkdir()
    found = call("checkout/spec/games/lucky-dip")
    folder = checkout / "spec" / "games" / "lucky-dip"
    assert schema_of(folder / "game.yaml") == "../../schemas/game.schema.json"
    assert schema_of(folder / "components/standard.yaml") == (
        "../../../schemas/components.schema.json")
    for name in FILES:
        assert ((folder / name).parent / schema_of(folder / name)).resolve().is_file()
    assert "editor" not in found.output


# -- names and titles --------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "hint"),
    [("Lucky Dip", "lucky-dip"), ("lucky_dip", "lucky-dip"), ("7-up", "up"), ("-x", "x"),
     ("a--b", "a-b"), ("ä", "lucky-dip"), ("x" * 61, "x" * 60), ("game.yaml", "game-yaml")],
)
def test_names_that_are_none(here: Path, name: str, hint: str) -> None:
    error = refused("--", name)
    assert error.code == "usage.game-name"
    assert error.hint == f"for example {hint}"
    assert list(here.iterdir()) == []


def test_the_name_of_a_built_in_game(here: Path) -> None:
    assert refused("poodle-taxi").code == "usage.game-name"
    assert list(here.iterdir()) == []


@pytest.mark.parametrize("title", ["Dip", 'The "Dip"', "Dip: a \\ game # 1", "Грабли", "1", "no"])
def test_titles_are_kept(here: Path, title: str) -> None:
    assert call("dip", "--title", title).exception is None
    assert load_document(here / "dip")["title"] == title


@pytest.mark.parametrize("title", ["", "  ", "a\nb", "a\x1b[1m"])
def test_titles_that_are_none(here: Path, title: str) -> None:
    assert refused("dip", "--title", title).code == "usage.title"
    assert list(here.iterdir()) == []


# -- nothing is overwritten, nothing is half written -------------------------------------------


@pytest.mark.parametrize("there", ["folder", "empty folder", "file", "broken link"])
def test_what_is_there_stays(here: Path, there: str) -> None:
    target = here / "dip"
    if "folder" in there:
        target.mkdir()
        if there == "folder":
            (target / "game.yaml").write_text("mine", encoding="utf-8")
    elif there == "file":
        target.write_text("mine", encoding="utf-8")
    else:
        target.symlink_to(here / "nowhere")
    assert refused("dip").code == "usage.exists"
    assert [p.name for p in here.iterdir()] == ["dip"]
    if there == "folder":
        assert (target / "game.yaml").read_text("utf-8") == "mine"


def test_a_parent_that_is_not_there(here: Path) -> None:
    error = refused("games/dip")
    assert (error.code, str(error.message)) == ("usage.write", "there is no folder 'games'")
    assert list(here.iterdir()) == []


def test_a_failure_leaves_nothing(here: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    written = Path.write_text

    def full(self: Path, *args: object, **more: object) -> int:
        if self.name == "rules.yaml":
            raise OSError(28, "No space left on device")
        return written(self, *args, **more)  # type: ignore[arg-type]

    monkeypatch.setattr(Path, "write_text", full)
    error = refused("dip")
    assert error.code == "usage.write"
    assert "No space left on device" in error.message
    assert list(here.iterdir()) == []


def test_the_files_of_a_game_without_writing_them() -> None:
    files = files_of("dip", "Dip", Path("../../schemas"), inside=True)
    assert files.keys() == FILES
    assert files["game.yaml"].splitlines()[0] == (
        "# yaml-language-server: $schema=../../schemas/game.schema.json")


# -- explain -----------------------------------------------------------------------------------


def test_explain_a_code() -> None:
    shown = CliRunner().invoke(explain, ["[spec.set-zone]"], standalone_mode=False).output
    entry = codes()["spec.set-zone"]
    assert shown.splitlines() == [
        "spec.set-zone (spec: the files of a game do not fit together)",
        entry.means, f"For example: {entry.example}", f"What to do: {entry.fix}",
    ]


def test_explain_what_exploring_finds() -> None:
    shown = CliRunner().invoke(explain, ["check.bound"], standalone_mode=False).output
    assert "no game is longer than the declared bound" in shown


def test_explain_what_there_is_not() -> None:
    error = CliRunner().invoke(explain, ["spec.set-zon"], standalone_mode=False).exception
    assert isinstance(error, UsageError)
    assert (error.code, error.hint) == ("usage.unknown-code", "did you mean 'spec.set-zone'?")
