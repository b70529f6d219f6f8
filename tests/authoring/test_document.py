"""What a game document means: its digest, and what its clauses carry."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import pytest
from patched import MINIMAL, patched

from ludex.authoring.document import load_document
from ludex.errors import LudexError, SpecErrors
from ludex.explore.coverage import RuleCoverage

Patch = tuple[str, str, str]
G = "game.yaml"
CARD = (G, "columns: {colour: Colour, points: int}")


def digest(folder: Path, *patches: Patch) -> str:
    found: str = load_document(patched(folder, *patches))["rules_digest"]
    return found


def constant(body: str) -> Patch:
    return (G, "\nsetup:\n", f"\nconstants:\n{body}\nsetup:\n")


#: Names that are also the names of prose: what is changed, and the same with another value.
NAMED: dict[str, tuple[list[Patch], list[Patch]]] = {
    word: (
        [(*CARD, f"columns: {{colour: Colour, points: int, {word}: int}}"),
         ("components/standard.yaml", "points: 1", f"points: 1, {word}: 1"),
         ("components/standard.yaml", "points: 2", f"points: 2, {word}: 2")],
        [(*CARD, f"columns: {{colour: Colour, points: int, {word}: int}}"),
         ("components/standard.yaml", "points: 1", f"points: 1, {word}: 1"),
         ("components/standard.yaml", "points: 2", f"points: 2, {word}: 3")],
    )
    for word in ("note", "title", "place", "expr", "span", "otherwise")
}


@pytest.mark.parametrize("word", NAMED)
def test_a_column_may_be_called_like_prose(word: str, tmp_path: Path) -> None:
    plain = digest(tmp_path / "plain")
    with_column, other_value = NAMED[word]
    one = digest(tmp_path / "one", *with_column)
    two = digest(tmp_path / "two", *other_value)
    assert len({plain, one, two}) == 3


def test_members_in_data_may_be_called_like_prose(tmp_path: Path) -> None:
    colours = (G, "  Colour: [blue, red]\n", "  Colour: [blue, red]\n  Word: [note, title]\n")
    found = {
        digest(tmp_path / f"{note}{title}", colours,
               constant(f'  worth: {{type: "map(Word, int)", value: {{note: {note}, '
                        f"title: {title}}}}}\n"))
        for note, title in ((1, 1), (1, 2), (2, 1))
    }
    assert len(found) == 3
    found = {
        digest(tmp_path / f"state{note}", colours,
               (G, "\nsetup:\n", '\n  worth: {type: "map(Word, int)", init: {note: '
                                 f'{note}, title: 0}}, visible_to: everyone, rule: "1.3"}}\n'
                                 "\nsetup:\n"))
        for note in (1, 2)
    }
    assert len(found) == 2


def test_fields_of_records_may_be_called_like_prose(tmp_path: Path) -> None:
    found = set()
    for value in ("1", "2"):
        record = (G, "\nsetup:\n",
                  '\n  bid: {type: optional(Bid), visible_to: everyone, rule: "1.3"}\n'
                  f'\nrecords:\n  Bid: {{note: int}}\n\nsetup:\n'
                  f'  - set: {{bid: "Bid{{note: {value}}}"}}\n    rule: "1.3"\n')
        found.add(digest(tmp_path / value, record))
    assert len(found) == 2


def test_words_and_places_change_no_digest_of_the_rules(tmp_path: Path) -> None:
    same = {
        digest(tmp_path / "plain"),
        digest(tmp_path / "title", (G, "title: Two Piles", "title: Zwei Haufen")),
        digest(tmp_path / "line", (G, "game: two-piles", "# a line more\ngame: two-piles")),
        digest(tmp_path / "words", (G, "you have a card of this colour", "no second one")),
        digest(tmp_path / "blanks", (G, '"size(pile) == 0"', '"size(pile)  ==  0"')),
        digest(tmp_path / "note", (G, "nobody has more than two cards", "two cards, no more")),
    }
    assert len(same) == 1


def test_a_constant_carries_its_rule(tmp_path: Path) -> None:
    body = '  worth: {type: "map(Colour, int)", value: {blue: 1, red: 2}, rule: ["1.3", "2.2"]}\n'
    document = load_document(patched(tmp_path / "game", constant(body)))
    (found,) = document["constants"]
    assert found["rule"] == "1.3"
    assert found["also"] == ["2.2"]
    assert found["place"].startswith("game.yaml:")
    assert found["place"] in document["text"]["clauses"]["1.3"]
    # what never changes holds in every position
    assert {"1.3", "2.2"} <= RuleCoverage(document).held()


def test_a_constant_names_a_rule_that_there_is(tmp_path: Path) -> None:
    body = '  worth: {type: int, value: 1, rule: "9.9"}\n'
    with pytest.raises(SpecErrors) as caught:
        load_document(patched(tmp_path / "game", constant(body)))
    assert [e.code for e in caught.value.errors] == ["spec.unknown-rule"]


def test_too_little_stack_is_no_traceback() -> None:
    depth, frame = 0, sys._getframe()
    while frame.f_back is not None:
        depth, frame = depth + 1, frame.f_back
    limit = sys.getrecursionlimit()

    def load(room: int) -> Any:
        sys.setrecursionlimit(depth + room)
        try:
            return load_document(MINIMAL)
        finally:
            sys.setrecursionlimit(limit)

    refused = 0
    for room in range(40, 200, 10):
        try:
            load(room)
        except LudexError as error:
            refused += 1
            assert error.code in ("engine.depth", "schema.depth")  # noqa: PT017
            assert error.place is not None  # noqa: PT017
    assert refused
