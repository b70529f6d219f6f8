"""The judge: games written by hand, and what the rules say about them."""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from patched import MINIMAL, patched

from ludex.authoring.document import load_document
from ludex.engine import Game
from ludex.errors import RecordError
from ludex.judge import Judgement, judge, judgement_json
from ludex.protocol.records import header_of, line_of, parse_record, record_text
from ludex.records import random_record

Json = dict[str, Any]


@cache
def piles() -> Json:
    """Two Piles: two each of blue-one and red-two; nobody takes two of a colour."""
    return load_document(MINIMAL)


@cache
def poodle() -> Json:
    return load_document("poodle-taxi")


def judged(document: Json, lines: list[Json]) -> Judgement:
    return judge(document, parse_record(record_text(lines).encode(), "r.jsonl"))


def take(player: str, card: str, **more: Any) -> Json:
    return {**line_of({"actor": player, "move": "take", "args": {"card": card}}), **more}


def game(*moves: Json) -> Judgement:
    return judged(piles(), [header_of(Game(piles()), []), *moves])


RED, BLUE = "red-two", "blue-one"


# -- whole games -----------------------------------------------------------------------------


def test_a_whole_game_and_who_has_won_it() -> None:
    found = game(take("p1", RED), take("p2", RED), take("p1", BLUE), take("p2", BLUE))
    assert (found.verdict, found.holds, found.played, found.line) == ("over", True, 4, None)
    # each has one red for two points and one blue for one
    assert found.state.outcome() == {"winners": ["p1", "p2"], "returns": {"p1": 3, "p2": 3}}
    assert {(r.what, r.rule) for r in found.rules} == {
        ("end", "3.1"), ("winners", "3.1"), ("returns", "3.1")
    }
    assert found.rules[0].text == "When all are taken, most points win."


def test_a_game_that_is_not_over() -> None:
    found = game(take("p1", RED))
    assert (found.verdict, found.holds, found.played) == ("open", True, 1)
    assert found.state.actors() == ["p2"]
    assert found.rules == ()


def test_the_rules_that_decide_the_end_of_poodle_taxi() -> None:
    lines, _ = random_record(Game(poodle(), 3), 1, 1000)
    found = judged(poodle(), lines)
    # 7.1 ends the game, 7.4 says who wins, 7.2 what a card counts
    assert [(r.what, r.rule) for r in found.rules] == [
        ("end", "7.1"), ("winners", "7.4"), ("returns", "7.2")
    ]
    returns = found.state.outcome()["returns"]
    best = max(returns.values())
    assert found.state.outcome()["winners"] == [p for p, n in returns.items() if n == best]


# -- illegal moves ---------------------------------------------------------------------------


def test_a_broken_requirement_with_the_values_that_matter() -> None:
    found = game(take("p1", RED), take("p2", BLUE), take("p1", RED), take("p2", RED))
    assert (found.verdict, found.holds, found.played) == ("illegal", False, 2)
    assert found.line is not None
    assert found.line.number == 4
    (offence,) = found.offences
    assert (offence.rule, offence.text) == ("2.4", "Nobody takes two of a colour.")
    assert offence.reason == "you have a card of this colour"
    assert offence.clause == "moves.take.requires.0"
    # the element that makes `all` false is the red card that p1 has
    (cause,) = offence.causes
    assert cause.text == "taken[actor].all(c, c.colour != card.colour)"
    assert cause.values == {"c": RED}
    assert found.legal == [{"actor": "p1", "move": "take", "args": {"card": BLUE}}]


def test_what_is_not_there() -> None:
    found = game(take("p1", RED), take("p2", RED), take("p1", RED))
    (offence,) = found.offences
    assert (offence.rule, offence.clause) == ("2.2", "moves.take.params.card")
    assert offence.causes[0].values == {"pile": [BLUE, BLUE]}


def test_another_players_turn() -> None:
    found = game(take("p2", RED))
    (offence,) = found.offences
    assert (offence.rule, offence.clause) == ("2.1", "steps.choose.actors")
    assert offence.causes[0].values == {"[turn]": ["p1"]}
    # the same card is the nearest legal move, even of another player
    assert found.legal[0] == {"actor": "p1", "move": "take", "args": {"card": RED}}
    assert found.legal[1] == {"actor": "p1", "move": "take", "args": {"card": BLUE}}


def test_a_move_after_the_end() -> None:
    whole = [take("p1", RED), take("p2", RED), take("p1", BLUE), take("p2", BLUE)]
    found = game(*whole, take("p1", RED))
    assert (found.verdict, found.played, found.legal) == ("illegal", 4, [])
    assert [(o.rule, o.reason) for o in found.offences] == [("3.1", "the game is over")]
    assert found.state.outcome() is not None
    assert game(*whole, take("p1", RED, refused=True)).verdict == "over"


def test_it_stops_at_the_first_illegal_move() -> None:
    found = game(take("p2", RED), take("p1", "red-two"), take("p2", RED))
    assert found.line is not None
    assert (found.line.number, found.played) == (2, 0)


def test_the_nearest_legal_moves_of_poodle_taxi() -> None:
    """The row is [blue]; p1 holds green-left, pink-left, red-right and tries to start again."""
    hands = {"p1": ["green-left", "pink-left", "red-right"],
             "p2": ["blue-left", "pink-left", "red-left"]}
    setup: list[Json] = [{"draw": c, "from": "draw_pile", "to": f"hand.{p}"}
                         for p, cards in hands.items() for c in cards]
    setup.append({"pick": "p2", "of": "first_player"})
    lines = [
        header_of(Game(poodle(), 2), setup),
        line_of({"actor": "p2", "move": "start", "args": {"card": "blue-left"}},
                [{"draw": "green-right", "from": "draw_pile", "to": "hand.p2"}]),
        line_of({"actor": "p1", "move": "start", "args": {"card": "pink-left"}}, refused=True),
        line_of({"actor": "p1", "move": "cover", "args": {"card": "pink-left"}}),
    ]
    found = judged(poodle(), lines)
    assert (found.verdict, found.played, found.refused) == ("illegal", 1, 1)
    # 4.4: a colour that does not lie in the row goes to an end
    assert found.offences[0].rule == "4.4"
    # no card can cover: the same card at either end comes first, then the other two cards
    assert len(found.legal) == 6
    assert [m["args"] for m in found.legal[:2]] == [
        {"card": "pink-left", "end": "left"}, {"card": "pink-left", "end": "right"}
    ]
    # where the name fits as well, it comes before the arguments
    lines[-1] = line_of({"actor": "p1", "move": "extend",
                         "args": {"card": "blue-left", "end": "right"}})
    found = judged(poodle(), lines)
    assert {m["args"]["end"] for m in found.legal[:3]} == {"right"}
    assert found.offences[0].rule == "4.1"  # the blue card is not p1's


def test_a_later_requirement_that_cannot_be_evaluated(tmp_path: Path) -> None:
    """The first requirement is false, the second divides by zero: the first is told."""
    folder = patched(
        tmp_path / "game",
        ("game.yaml", '        rule: "2.4"\n    do:', '''        rule: "2.4"
      - that: "1 / size(taken[actor]) == 1"
        otherwise: never said
        rule: "2.4"
    do:'''),
        ("game.yaml", '''      - that: "taken[actor].all(c, c.colour != card.colour)"''',
         '''      - that: "size(taken[actor]) > 0"'''),
    )
    document = load_document(folder)
    found = judged(document, [header_of(Game(document), []), take("p1", RED)])
    assert [o.reason for o in found.offences] == ["you have a card of this colour"]
    assert found.offences[0].causes[0].values == {"size(taken[actor])": 0}


# -- refusals --------------------------------------------------------------------------------


def test_refusals_are_checked_and_change_nothing() -> None:
    found = game(take("p1", RED), take("p1", BLUE, refused=True), take("p2", BLUE))
    assert (found.verdict, found.played, found.refused) == ("open", 2, 1)
    found = game(take("p1", RED), take("p2", BLUE, refused=True))
    assert (found.verdict, found.holds, found.played) == ("legal", False, 1)
    assert found.line is not None
    assert found.line.number == 3


def test_a_refusal_of_no_move_at_all_is_an_error() -> None:
    with pytest.raises(RecordError, match="no Card 'green'"):
        game(take("p1", "green", refused=True))


# -- out -------------------------------------------------------------------------------------


def test_a_judgement_is_json() -> None:
    value = judgement_json(game(take("p1", RED), take("p2", BLUE), take("p1", RED)), "r.jsonl")
    assert json.loads(json.dumps(value)) == value
    assert value["verdict"] == "illegal"
    assert (value["line"], value["moves"]) == (4, 2)
    assert value["move"] == {"actor": "p1", "move": "take", "args": {"card": RED}}
    assert value["broken"] == [{
        "rule": "2.4", "text": "Nobody takes two of a colour.",
        "reason": "you have a card of this colour", "clause": "moves.take.requires.0", "also": [],
        "causes": [{"text": "taken[actor].all(c, c.colour != card.colour)", "values": {"c": RED}}],
    }]
    assert value["actors"] == ["p1"]
    assert value["outcome"] is None
