"""Moves that may do the same are no twins where the game says so."""

from __future__ import annotations

from pathlib import Path

import pytest
from patched import patched

from ludex.authoring.document import load_document
from ludex.errors import SpecErrors
from ludex.explore.explore import explore

# an argument that makes no difference
TWINS = ("game.yaml", '      card: {in: "pile", rule: "2.2"}',
         '      card: {in: "pile", rule: "2.2"}\n      n: {in: "range(2)", rule: "2.2"}')


def declared(*moves: str) -> tuple[str, str, str]:
    return ("game.yaml", "\nbounds:\n", f"\ncoincidences:\n  - moves: [{', '.join(moves)}]\n"
                                        "    note: told apart by the players\n\nbounds:\n")


def test_a_declared_coincidence_is_no_fault(tmp_path: Path) -> None:
    found = explore(load_document(patched(tmp_path / "twins", TWINS)), 10, 1).findings
    assert [f.check for f in found] == ["check.twins"]
    document = load_document(patched(tmp_path / "told", TWINS, declared("take", "take")))
    assert explore(document, 10, 1).findings == []
    assert document["coincidences"][0]["moves"] == ["take", "take"]


def test_without_any_the_document_has_no_such_member(tmp_path: Path) -> None:
    assert "coincidences" not in load_document(patched(tmp_path / "game"))


def test_a_coincidence_names_moves_of_the_game(tmp_path: Path) -> None:
    with pytest.raises(SpecErrors) as caught:
        load_document(patched(tmp_path / "game", declared("take", "tak")))
    (error,) = caught.value.errors
    assert error.code == "spec.unknown-move"
    assert "'tak'" in error.message
    assert "take" in str(error.hint)
