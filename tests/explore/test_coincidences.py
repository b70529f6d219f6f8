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


SECRET = ("game.yaml", '      card: {in: "pile", rule: "2.2"}',
          '      card: {in: "pile", rule: "2.2"}\n'
          '      n: {in: "range(2)", visible_to: nobody, rule: "2.2"}')


def test_twins_are_named_with_their_arguments(tmp_path: Path) -> None:
    for number, patch in enumerate((TWINS, SECRET)):
        found = explore(load_document(patched(tmp_path / str(number), patch)), 10, 1).findings
        (finding,) = [f for f in found if f.check == "check.twins"]
        one, two = finding.game.split("; ")[1].split(", or ")
        player, take, card, n = one.split()
        assert (player[0], take, card[:5]) == ("p", "take", "card=")
        assert sorted((one, two)) == [f"{player} take {card} n=0", f"{player} take {card} n=1"]
        assert n in ("n=0", "n=1")


def test_moves_that_tell_something_are_no_twins() -> None:
    """Who asks in Go Fish shows that the own hand holds the rank, though both asked draw a card."""
    document = load_document(Path(__file__).parents[1] / "games/go-fish")
    for seed in (1, 2):
        assert not [f for f in explore(document, 12, seed).findings if f.check == "check.twins"]


def test_moves_that_differ_only_by_chance_are_no_twins(tmp_path: Path) -> None:
    """With one way that chance can go they may look alike."""
    patch = ("game.yaml", '      card: {in: "pile", rule: "2.2"}',
             '      card: {in: "pile", rule: "2.2"}\n      n: {in: "range(2)", rule: "2.2"}')
    roll = ("game.yaml", '      - do: "keep(actor, card)"\n',
            '      - roll: {count: "1", sides: "6", as: dice}\n        rule: "2.2"\n'
            '      - if: "dice[0] + n > 5"\n        then: [{goto: choose}]\n'
            '      - do: "keep(actor, card)"\n')
    document = load_document(patched(tmp_path / "game", patch, roll))
    found = {f.check for f in explore(document, 10, 1).findings}
    # with a six both stay, with a five only one does, with less both go on
    assert "check.twins" not in found
