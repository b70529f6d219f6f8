"""Arguments that are parts of a bag, or absent; and match, lists, records, options."""

from __future__ import annotations

import itertools
from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from engine.tiny import move, tiny, with_state
from hypothesis import given, settings
from hypothesis import strategies as st

from ludex.engine import Game, Seeded, State, Tape
from ludex.errors import IllegalMove, InvalidMove, LudexError, SpecErrors, UsageError
from ludex.evaluate import compile_question

BODY = """
types:
  Card: {}
  Side: [left, middle, right]
records:
  Note: {who: player, card: optional(Card), side: Side, count: int}
options:
  limit: {title: How many cards, values: [2, 3], default: 3, RULE}
  quick: {title: Whether it is quick, values: [true, false], default: false, RULE}
state:
  hand: {type: bag(Card), per: player, visible_to: owner, RULE}
  heap: {type: stack(Card), visible_to: everyone, RULE}
  numbers: {type: list(int), visible_to: everyone, RULE}
  notes: {type: list(Note), visible_to: everyone, RULE}
  last: {type: optional(Note), visible_to: everyone, RULE}
  best: {type: Note, visible_to: everyone, RULE}
  per_side: {type: Note, per: Side, visible_to: everyone, RULE}
  seen: {type: int, visible_to: everyone, RULE}
  over: {type: bool, visible_to: everyone, RULE}
setup:
  - {fill: {zone: "hand[players[1]]", count: "3"}, RULE}
flow:
  start: play
  steps:
    play:
      RULE
      actors: "[players[0]]"
      moves: [some, any_part, place, turn, put, cut, write]
moves:
  some:
    title: Throw one card up to the limit
    RULE
    params: {cards: {subset: {of: "hand[actor]", min: "1", max: "options.limit"}, RULE}}
    do: [{move: {cards: cards, from: "hand[actor]", to: heap}}]
  any_part:
    title: Throw what you like
    RULE
    params: {cards: {subset: {of: "hand[actor]"}, RULE}}
    requires: [{that: "size(cards) != 2", otherwise: not two, RULE}]
    do: [{move: {cards: cards, from: "hand[actor]", to: heap}}]
  place:
    title: Put a card down, at a side if there are some already
    RULE
    params:
      card: {in: "hand[actor]", RULE}
      side: {in: Side, when: "size(heap) > 0", RULE}
    do:
      - {move: {card: card, from: "hand[actor]", to: heap}}
      - {set: {seen: "side == null ? 0 : side == 'left' ? 1 : 2"}}
  turn:
    title: Look to a side
    RULE
    params: {side: {in: Side, RULE}}
    do:
      - match: side
        cases:
          left | right: [{set: {seen: "10"}}]
        else: [{set: {seen: "20"}}]
      - match: side
        cases:
          middle: [{set: {seen: "seen + 1"}}]
          left: [{set: {seen: "seen + 2"}}]
          right: [{set: {seen: "seen + 3"}}]
  put:
    title: Add a number
    RULE
    params: {at: {in: "range(4)", RULE}, value: {in: "[7, 8]", RULE}}
    do: [{add: {to: numbers, value: value, at: at}}]
  cut:
    title: Remove a number
    RULE
    params: {at: {in: "range(4)", RULE}}
    do: [{remove: {from: numbers, at: at}}]
  write:
    title: Write a note
    RULE
    params: {side: {in: Side, RULE}}
    do:
      - {let: {note: "Note{who: actor, card: null, side: side, count: size(notes)}"}}
      - {add: {to: notes, value: note}}
      - {set: {last: note, "per_side[side]": note}}
      - {set: {best: note}, when: "note.count > best.count"}
end:
  - {when: over, winners: players, RULE}
"""


@pytest.fixture(scope="module")
def document(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    return tiny(tmp_path_factory.mktemp("arguments") / "game", BODY, cards="{a: {}, b: {}, c: {}}")


@pytest.fixture(scope="module")
def game(document: dict[str, Any]) -> Game:
    return Game(document)


def holding(game: Game, hand: str, **more: Any) -> State:
    return with_state(game, hand={"p1": hand.split(), "p2": []}, **more)


def arguments(state: State, name: str) -> list[dict[str, Any]]:
    return [m["args"] for m in state.legal_json() if m["move"] == name]


# -- parts of a bag ----------------------------------------------------------------------------


def test_every_part_is_listed_once(game: Game) -> None:
    found = [m["cards"] for m in arguments(holding(game, "a a b"), "some")]
    assert found == [["a"], ["b"], ["a", "a"], ["a", "b"], ["a", "a", "b"]]
    assert arguments(holding(game, ""), "some") == []


def test_an_option_is_the_limit(document: dict[str, Any]) -> None:
    two = Game(document, options={"limit": 2})
    assert [m["cards"] for m in arguments(holding(two, "a a b"), "some")] == [
        ["a"], ["b"], ["a", "a"], ["a", "b"]
    ]


@given(st.lists(st.sampled_from("abc"), max_size=6))
@settings(deadline=None)
def test_parts_are_those_that_counting_gives(game: Game, cards: list[str]) -> None:
    state = holding(game, " ".join(cards))
    found = [tuple(m["cards"]) for m in arguments(state, "any_part")]
    parts = {
        tuple(sorted(part))
        for size in range(len(cards) + 1)
        for part in itertools.combinations(cards, size)
        if size != 2
    }
    assert sorted(found) == sorted(parts)
    # one more than there are of each, multiplied, less those of two cards
    whole = 1
    for count in Counter(cards).values():
        whole *= count + 1
    twos = {tuple(sorted(p)) for p in itertools.combinations(cards, 2)}
    assert len(found) == whole - len(twos)


def test_the_order_of_a_part_says_nothing(game: Game) -> None:
    one = game.action_from_json(move("p1", "some", cards=["b", "a", "b"]))
    assert one == game.action_from_json(move("p1", "some", cards=["b", "b", "a"]))
    assert game.action_to_json(one) == move("p1", "some", cards=["a", "b", "b"])
    state = holding(game, "a b b")
    state.play(move("p1", "some", cards=["b", "a"]), [])
    assert state.table()["hand"]["p1"] == ["b"]
    assert sorted(state.table()["heap"]) == ["a", "b"]


@pytest.mark.parametrize("cards", [["b", "b"], ["c"], [], ["a", "a", "a", "b"]])
def test_parts_that_are_not_there(game: Game, cards: list[str]) -> None:
    state = holding(game, "a a a b")
    action = game.action_from_json(move("p1", "some", cards=cards))
    assert action not in state.legal_actions()
    (broken,) = state.broken(action)
    assert broken.clause == "moves.some.params.cards"


def test_a_part_may_break_a_rule(game: Game) -> None:
    state = holding(game, "a b")
    assert [m["cards"] for m in arguments(state, "any_part")] == [[], ["a"], ["b"]]
    with pytest.raises(IllegalMove, match="not two"):
        state.play(move("p1", "any_part", cards=["a", "b"]), [])


@pytest.mark.parametrize("cards", ["a", None, ["d"], [["a"]], {"a": 1}])
def test_values_that_are_no_part(game: Game, cards: Any) -> None:
    with pytest.raises(InvalidMove) as caught:
        game.action_from_json(move("p1", "some", cards=cards))
    assert caught.value.code in ("move.argument-value", "move.missing-argument")


# -- absent arguments --------------------------------------------------------------------------


def test_an_argument_that_is_not_asked_for(game: Game) -> None:
    state = holding(game, "a a")
    assert arguments(state, "place") == [{"card": "a"}]
    assert [b.clause for b in state.broken(
        game.action_from_json(move("p1", "place", card="a", side="left"))
    )] == ["moves.place.params.side"]
    state.play(move("p1", "place", card="a"), [])
    assert state.to_json()["state"]["seen"] == 0
    # now it is asked for
    assert arguments(state, "place") == [
        {"card": "a", "side": side} for side in ("left", "middle", "right")
    ]
    assert [b.clause for b in state.broken(
        game.action_from_json(move("p1", "place", card="a"))
    )] == ["moves.place.params.side"]
    state.play(move("p1", "place", card="a", side="left"), [])
    assert state.to_json()["state"]["seen"] == 1


def test_null_is_no_way_to_leave_an_argument_out(game: Game) -> None:
    state = holding(game, "a")
    action = game.action_from_json(move("p1", "place", card="a"))
    assert game.action_to_json(action) == move("p1", "place", card="a")
    assert state.legal_actions().count(action) == 1
    with pytest.raises(InvalidMove):
        game.action_from_json(move("p1", "place", card="a", side=None))


# -- match -------------------------------------------------------------------------------------


@pytest.mark.parametrize(("side", "seen"), [("left", 12), ("middle", 21), ("right", 13)])
def test_match(game: Game, side: str, seen: int) -> None:
    state = holding(game, "")
    state.play(move("p1", "turn", side=side), [])
    assert state.to_json()["state"]["seen"] == seen


@pytest.mark.parametrize(
    ("old", "new", "code"),
    [
        ("          middle: [", "          center: [", "spec.match-member"),
        ("          middle: [{set: {seen: \"seen + 1\"}}]\n", "", "spec.match-missing"),
        ("          middle: [", "          middle | left: [", "spec.match-twice"),
        ("match: side\n        cases:\n          middle",
         "match: seen\n        cases:\n          middle", "spec.match"),
    ],
)
def test_a_match_that_is_wrong(tmp_path: Path, old: str, new: str, code: str) -> None:
    assert BODY.count(old) == 1
    with pytest.raises(SpecErrors) as caught:
        tiny(tmp_path / "game", BODY.replace(old, new), cards="{a: {}}")
    assert code in [e.code for e in caught.value.errors]


# -- lists -------------------------------------------------------------------------------------


def test_adding_and_removing(game: Game) -> None:
    state = with_state(game, numbers=[1, 2])
    for at, value, after in (
        (0, 7, [7, 1, 2]), (3, 8, [7, 1, 2, 8]), (1, 8, [7, 8, 1, 2, 8]),
    ):
        state.play(move("p1", "put", at=at, value=value), [])
        assert state.to_json()["state"]["numbers"] == after
    state.play(move("p1", "cut", at=1), [])
    state.play(move("p1", "cut", at=3), [])
    assert state.to_json()["state"]["numbers"] == [7, 1, 2]


@pytest.mark.parametrize(("name", "args"), [("cut", {"at": 2}), ("put", {"at": 3, "value": 7})])
def test_positions_that_a_list_has_not(game: Game, name: str, args: dict[str, int]) -> None:
    state = with_state(game, numbers=[1, 2])
    with pytest.raises(LudexError) as caught:
        state.play(move("p1", name, **args), [])
    assert caught.value.code == "engine.fault"
    # nothing has changed
    assert state.to_json()["state"]["numbers"] == [1, 2]


# -- records -----------------------------------------------------------------------------------


def note(side: str = "left", count: int = 0, who: str = "p1") -> dict[str, Any]:
    return {"who": who, "card": None, "side": side, "count": count}


def test_records(game: Game) -> None:
    state = game.initial_state(Seeded(0))
    before = state.to_json()["state"]
    assert (before["best"], before["last"], before["notes"]) == (note(), None, [])
    assert before["per_side"] == {side: note() for side in ("left", "middle", "right")}
    for side in ("right", "middle"):
        state.play(move("p1", "write", side=side), [])
    after = state.to_json()["state"]
    assert after["notes"] == [note("right", 0), note("middle", 1)]
    assert after["last"] == after["best"] == note("middle", 1)
    assert after["per_side"] == {
        "left": note(), "right": note("right"), "middle": note("middle", 1)
    }
    again = game.state_from_json(state.to_json())
    assert again == state
    assert hash(again) == hash(state)
    # copies share nothing
    twin = state.clone()
    for one, two in zip(state.position, twin.position, strict=True):
        assert one is not two or not isinstance(one, list)


def test_questions_about_records(game: Game) -> None:
    state = with_state(game, notes=[note("right", 4), note("left", 5, "p2")], last=note("left", 5))
    for text, answer in (
        ("notes.map(n, n.count)", [4, 5]),
        ("notes[0].side == 'right' && notes[1].who == players[1]", True),
        ("last == Note{count: 5, side: 'left', card: null, who: players[0]}", True),
        ("last in notes", False),
        ("last.side", "left"),
        ("best.card == null && last != null", True),
        ("notes.filter(n, n.who == players[1])", [note("left", 5, "p2")]),
        ("options.quick || options.limit == 3", True),
    ):
        assert compile_question(game, text, None)(state) == answer, text


@pytest.mark.parametrize(
    "value", [{"who": "p1"}, {**note(), "more": 1}, [], "p1", {**note(), "side": "up"},
              {**note(), "count": "1"}],
)
def test_values_that_are_no_record(game: Game, value: Any) -> None:
    with pytest.raises(LudexError) as caught:
        with_state(game, best=value)
    assert caught.value.code in ("value.keys", "value.type", "value.unknown")


# -- options -----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("options", "code"),
    [
        ({"limit": 4}, "usage.option-value"),
        ({"limit": True}, "usage.option-value"),
        ({"quick": 1}, "usage.option-value"),
        ({"size": 3}, "usage.unknown-option"),
    ],
)
def test_options_that_there_are_not(
    document: dict[str, Any], options: dict[str, Any], code: str
) -> None:
    with pytest.raises(UsageError) as caught:
        Game(document, options=options)
    assert caught.value.code == code


def test_options_are_constants(document: dict[str, Any]) -> None:
    quick = Game(document, options={"quick": True})
    assert quick.options == {"limit": 3, "quick": True}
    state = quick.initial_state(Tape([]))
    assert compile_question(quick, "options.quick ? options.limit : 0", None)(state) == 3
    # another option, another game, though the position looks the same
    assert state.to_json() == Game(document).initial_state(Tape([])).to_json()
