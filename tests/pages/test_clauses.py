"""Formal clauses in words."""

from __future__ import annotations

from typing import Any

import pytest

from ludex.pages import GameSource
from ludex.pages.clauses import symmetry_lines
from ludex.pages.statements import block_lines, statement_line


def e(text: str) -> dict[str, str]:
    return {"expr": text}


def test_a_rule_finds_the_statement_that_names_it_with_what_it_stands_under(
    poodle: GameSource,
) -> None:
    (clause,) = poodle.clauses_of_rule("5.2")
    assert clause.where == "effect take(p: player, at: int, arrow: Side)"
    assert clause.under == ("unless arrow == 'left'",)
    assert clause.lines == ("move range [at + 1, size(row)) of row to fleas[p]",)


def test_a_rule_finds_requirements(poodle: GameSource) -> None:
    found = [c for c in poodle.clauses_of_rule("4.6") if c.where == "move extend"]
    assert [c.lines for c in found] == [
        ("requires !lies_in_row(card.colour)",
         "otherwise: a card of this colour already lies in the row and must be covered"),
    ]


def test_every_part_of_an_ending_goes_to_its_own_rule(poodle: GameSource) -> None:
    assert [c.where for c in poodle.clauses_of_rule("7.1")] == ["end, when"]
    assert [c.where for c in poodle.clauses_of_rule("7.5")] == ["end, winners"]
    assert [c.lines for c in poodle.clauses_of_rule("7.3")] == [("returns -size(fleas[player])",)]


def test_declarations_without_a_place_are_found_by_their_rule(minimal: GameSource) -> None:
    (clause,) = minimal.clauses_of_rule("1.1")
    assert (clause.where, clause.lines, clause.place) == ("players", ("2 to 2 players",), None)
    (kind,) = minimal.clauses_of_rule("1.2")
    assert kind.lines == ("Card has colour: Colour, points: int",)


def test_an_inherited_rule_is_no_rule_of_its_own(poodle: GameSource) -> None:
    # the loop of the setup has no rule, the draw inside it has 2.2 and 2.1
    (draw,) = [c for c in poodle.clauses_of_rule("2.1") if c.where == "setup"]
    assert draw.under == ("for each p in players",)
    assert draw.lines == ("draw 3 from draw_pile to hand[p]",)


def test_every_rule_with_a_clause_in_the_document_shows_one(sources: list[GameSource]) -> None:
    for source in sources:
        for rule in source.text["clauses"]:
            assert source.clauses_of_rule(rule), (source.document["game"], rule)


@pytest.mark.parametrize(
    ("statement", "line"),
    [
        ({"statement": "set", "assign": [{"target": e("a"), "value": e("1")},
                                         {"target": e("b[p]"), "value": e("2")}]},
         "set a = 1, b[p] = 2"),
        ({"statement": "move", "all": True, "from": e("x"), "to": e("y"), "at": "bottom"},
         "move all of x to y, at the bottom"),
        ({"statement": "move", "as": "c", "where": e("c.n > 1"), "from": e("x"), "to": e("y"),
          "at": None}, "move each c of x where c.n > 1 to y"),
        ({"statement": "draw", "from": e("d"), "to": e("h"), "at": None, "as": "it",
          "when_empty": {"effect": "refill", "args": [e("p")]}},
         "draw 1 from d to h, call it it; when it is empty, first do refill(p)"),
        ({"statement": "shuffle", "from": e("x"), "into": e("d")}, "shuffle x into d"),
        ({"statement": "add", "to": e("l"), "value": e("3")}, "add 3 to l"),
        ({"statement": "remove", "from": e("l"), "at": e("0")}, "remove position 0 of l"),
        ({"statement": "pick", "as": "x", "from": e("xs"), "visible_to": e("actor")},
         "pick x from xs, seen by actor"),
        ({"statement": "sing", "place": "f:1:1", "rule": None, "song": e("la")},
         'sing {"song": "la"}'),
    ],
)
def test_statements(statement: dict[str, Any], line: str) -> None:
    assert statement_line(statement) == line


def test_blocks_show_rules_where_they_differ_from_what_they_stand_in() -> None:
    block = [
        {"statement": "match", "match": e("side"), "rule": "1.1", "cases": [
            {"members": ["left", "up"],
             "do": [{"statement": "goto", "step": "a", "rule": "1.1", "when": e("x")}]},
            {"members": ["right"], "do": [{"statement": "goto", "step": "b", "rule": "1.2"}]},
        ]},
        {"statement": "repeat", "times": e("3"), "while": e("y"), "rule": "1.1",
         "do": [{"statement": "do", "effect": "f", "args": [], "rule": "1.1", "also": ["1.3"]}]},
    ]
    assert block_lines(block, {"rule": "1.1"}) == [
        "if side is left or up:",
        "  when x: go to step a",
        "if side is right:",
        "  go to step b  (1.2)",
        "repeat 3 times while y:",
        "  do f()  (1.1, 1.3)",
    ]


def test_symmetries() -> None:
    assert symmetry_lines({
        "note": "mirror", "relabel": {"Side": {"left": "right", "right": "left"}, "Colour": "any"},
        "reverse": ["row"],
    }) == [
        "mirror",
        "Side: left becomes right, right becomes left",
        "the members of Colour change places in any way",
        "reversed: row",
    ]
