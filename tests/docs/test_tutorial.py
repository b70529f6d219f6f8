"""Pages that are told as a session: their files are made, their commands run and compared."""

from __future__ import annotations

from pathlib import Path

import pytest
from shown import apply, blocks, commands, fits, run


def test_what_fits() -> None:
    assert fits("a\n...\nd", "a\nb\nc\nd  \n")
    assert fits("a\n...", "a\n")
    assert fits("a ... c", "a b c")
    assert not fits("a\n...\nd", "a\nb\n")
    assert not fits("a...", "a\nb")
    assert not fits("a.c", "abc")


def test_a_change_must_fit() -> None:
    assert apply(" a\n-b\n+c\n d\n", "x\na\nb\nd\n") == "x\na\nc\nd\n"
    with pytest.raises(AssertionError, match="is there 0 times"):
        apply(" a\n-b\n+c\n", "a\nx\nb\n")


@pytest.mark.parametrize(("page", "least"), [("tutorial.md", 12), ("transcribing.md", 4)])
def test_a_page_shows_what_is_so(page: str, least: int, tmp_path: Path) -> None:
    ran = 0
    for language, title, text in blocks(page):
        if language == "console":
            for command, shown in commands(text):
                printed = run(command, tmp_path)
                if not fits(shown, printed):
                    pytest.fail(f"$ {command}\nthe page shows\n{shown}\nit prints\n{printed}")
                ran += 1
        elif language == "diff":
            file = tmp_path / title
            file.write_text(apply(text, file.read_text("utf-8")), encoding="utf-8")
        elif title:
            (tmp_path / title).write_text(text, encoding="utf-8")
        else:
            assert language == "text", f"a block of {language} without a title"
            quoted = "".join(f.read_text("utf-8") for f in tmp_path.rglob("*.yaml"))
            assert text in quoted, f"no file says\n{text}"
    assert ran >= least


def test_the_program_of_the_tutorial_is_short() -> None:
    (program,) = (text for _, title, text in blocks("tutorial.md") if title == "dip.py"
                  and text.startswith("from ludex_adapter"))
    assert len([line for line in program.splitlines() if line.strip()]) <= 30
