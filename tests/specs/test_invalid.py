"""Faulty specs, and word for word what is said of them.

``invalid/TOPIC/FAULT/`` holds a change of the minimal game (``patch.txt``, its form is told in
``tests/patched.py``) and all that must be said of it (``expected.txt``).
"""

from __future__ import annotations

import difflib
import re
from pathlib import Path

import pytest
from patched import MINIMAL, apply_patch_file

from ludex.authoring.document import load_document
from ludex.errors import SpecError

FOLDER = Path(__file__).parent / "invalid"
FAULTS = sorted(p.parent.relative_to(FOLDER).as_posix() for p in FOLDER.glob("*/*/patch.txt"))

#: What is wrong shows at a line that the change has not touched: the line says why.
ELSEWHERE = {
    "files/missing-display": "there is no such line",
    "files/missing-rules": "there is no such line",
    "flow/automatic-step-without-goto": "at the block that lacks something",
    "flow/goto-under-condition": "at the block that lacks something",
    "flow/no-way-to-a-step": "at the step, not where the way to it was",
    "prose/formal-rule-without-example": "at the rule, not where its example was",
    "prose/ruling-twice": "at the second of the two",
    "prose/statement-not-covered": "at the statement, not where it was covered",
    "schema/choice-without-values": "at the entry that lacks something",
    "schema/example-begins-twice": "at the entry that has too much",
    "schema/example-step-with-two-keys": "at the entry that has too much",
    "schema/missing-key": "at the mapping that lacks something",
    "schema/no-visibility": "at the mapping that lacks something",
    "schema/reference-without-source": "at the mapping that lacks something",
    "schema/settled-without-answer": "at the entry that lacks something",
    "schema/step-does-nothing": "at the mapping that lacks something",
    "statements/effect-cycle": "at the effect with which the circle begins",
    "statements/missing-rule": "at the statement that lacks something",
    "yaml/no-colon": "at the line after it, where a reader first knows",
    "yaml/open-quote": "where the text goes on behind the next quote",
}


def changed(folder: Path, file: str) -> set[int]:
    """Return the lines of a file that the minimal game has not."""
    old = (MINIMAL / file).read_text("utf-8").splitlines()
    new = (folder / file).read_text("utf-8").splitlines()
    blocks = difflib.SequenceMatcher(None, old, new, autojunk=False).get_opcodes()
    return {n + 1 for tag, _, _, begin, end in blocks if tag != "equal" for n in range(begin, end)}


@pytest.mark.parametrize("fault", FAULTS)
def test_what_is_said_of_a_fault(
    fault: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = apply_patch_file(tmp_path / "game", FOLDER / fault / "patch.txt")
    monkeypatch.chdir(folder)
    with pytest.raises(SpecError) as caught:
        load_document(".")
    assert f"{caught.value}\n" == (FOLDER / fault / "expected.txt").read_text("utf-8")
    place = caught.value.place
    assert place is not None
    near = (folder / place.file).exists() and place.line in changed(folder, place.file)
    assert near != (fault in ELSEWHERE), f"{fault}: line {place.line} of {place.file}"


def test_the_corpus_is_whole() -> None:
    assert set(ELSEWHERE) <= set(FAULTS)
    assert len(FAULTS) >= 200
    folders = [p for p in FOLDER.glob("*/*") if p.is_dir()]
    assert sorted(p.relative_to(FOLDER).as_posix() for p in folders) == FAULTS
    for folder in folders:
        assert sorted(p.name for p in folder.iterdir()) == ["expected.txt", "patch.txt"]
        # a message is one sentence without a full stop; its hint is indented
        for line in (folder / "expected.txt").read_text("utf-8").splitlines():
            assert re.fullmatch(r"    \S.*[^.]|[\w./-]+:\d+:\d+: .*[^.] \[[a-z.-]+\]", line), line


def test_no_two_faults_are_the_same_change() -> None:
    texts = [(FOLDER / fault / "patch.txt").read_text("utf-8") for fault in FAULTS]
    assert len(set(texts)) == len(texts)
