"""Games and states: what is refused, what is left as it was, what goes out and comes back."""

from __future__ import annotations

import copy
from typing import Any

import pytest
from engine.games import COUNTS, document, plays, poodle, position
from hypothesis import given
from hypothesis import strategies as st

import ludex
from ludex.engine import Game, Seeded, State, Tape
from ludex.errors import (
    GameOver,
    IllegalMove,
    InvalidMove,
    LudexError,
    SpecError,
    TapeImpossible,
    TapeLeftOver,
    TapeTooShort,
    TapeWrongKind,
    UsageError,
)

SETUP = [
    {"draw": card, "from": "draw_pile", "to": f"hand.{player}"}
    for player, cards in {
        "p1": ["green-left", "pink-left", "red-right"],
        "p2": ["blue-left", "pink-left", "red-left"],
    }.items()
    for card in cards
]


@pytest.fixture
def state() -> State:
    """Two players, p1 on turn, green, pink and red in the hand, nothing in the row."""
    return poodle(2).initial_state(Tape([*SETUP, {"pick": "p1", "of": "first_player"}]))


def move(name: str, actor: str = "p1", **args: Any) -> dict[str, Any]:
    return {"actor": actor, "move": name, "args": args}


def drawn(card: str, player: str = "p1") -> list[dict[str, Any]]:
    return [{"draw": card, "from": "draw_pile", "to": f"hand.{player}"}]


# -- making a game -------------------------------------------------------------------------------


def test_what_a_game_says_of_itself() -> None:
    game = poodle(3)
    assert game.name == "poodle-taxi"
    assert game.player_ids == ["p1", "p2", "p3"]
    assert game.plies == 36
    assert game.rulings == {"starter": "table", "flea_count": "seen"}
    assert game.options == {}
    assert ludex.load("poodle-taxi").players == 2


@pytest.mark.parametrize(
    ("players", "rulings", "options", "code"),
    [
        (1, {}, {}, "usage.players"),
        (5, {}, {}, "usage.players"),
        (0, {}, {}, "usage.players"),
        (True, {}, {}, "usage.players"),
        ("2", {}, {}, "usage.players"),
        (2, {"stater": "table"}, {}, "usage.unknown-ruling"),
        (2, {"starter": "anybody"}, {}, "usage.ruling-value"),
        (2, {"starter": None}, {}, "usage.ruling-value"),
        (2, {"starter": ["table"]}, {}, "usage.ruling-value"),
        (2, {}, {"fast": True}, "usage.unknown-option"),
    ],
)
def test_games_that_there_are_not(players: Any, rulings: Any, options: Any, code: str) -> None:
    with pytest.raises(UsageError) as caught:
        Game(document(), players, rulings, options)
    assert caught.value.code == code


def test_the_fault_names_the_rule_and_the_fix() -> None:
    with pytest.raises(UsageError) as caught:
        Game(document(), 5)
    assert caught.value.message == "Poodle Taxi is for 2, 3, 4 players (rule 1.1), found 5"
    with pytest.raises(UsageError) as caught:
        Game(document(), 2, {"stater": "table"})
    assert caught.value.hint == "did you mean 'starter'?"


# -- moves that are refused ------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("tried", "rules"),
    [
        (move("start", "p2", card="blue-left"), ["2.7"]),
        (move("start", card="green-right"), ["4.1"]),
        (move("extend", card="green-left", end="left"), ["4.3"]),
        (move("cover", card="green-left"), ["4.3", "4.4"]),
    ],
)
def test_illegal_moves_name_the_rules_they_break(
    state: State, tried: dict[str, Any], rules: list[str]
) -> None:
    before = state.to_json()
    with pytest.raises(IllegalMove) as caught:
        state.play(tried, drawn("green-right", tried["actor"]))
    assert [b.rule for b in caught.value.broken] == rules
    assert all(b.reason for b in caught.value.broken)
    assert state.to_json() == before


@pytest.mark.parametrize(
    ("tried", "code"),
    [
        (move("start", "p3", card="green-left"), "move.unknown-player"),
        (move("start", None, card="green-left"), "move.unknown-player"),  # type: ignore[arg-type]
        (move("start", ["p1"], card="green-left"), "move.unknown-player"),  # type: ignore[arg-type]
        (move("pass"), "move.unknown-move"),
        ({"actor": "p1", "args": {}}, "move.unknown-move"),
        ({"actor": "p1", "move": ["start"]}, "move.unknown-move"),
        ({"actor": "p1", "move": {}}, "move.unknown-move"),
        (move("start"), "move.missing-argument"),
        ({"actor": "p1", "move": "start"}, "move.missing-argument"),
        ({"actor": "p1", "move": "start", "args": ["green-left"]}, "move.args"),
        ({"actor": "p1", "move": "start", "args": None}, "move.args"),
        (move("start", card="green-left", end="left"), "move.unknown-argument"),
        (move("start", card="purple-left"), "move.argument-value"),
        (move("start", card=None), "move.argument-value"),
        (move("start", card=["green-left"]), "move.argument-value"),
        (move("start", card=0), "move.argument-value"),
        (move("extend", card="green-left", end="up"), "move.argument-value"),
        ({}, "move.unknown-player"),
    ],
)
def test_what_is_no_move_at_all(state: State, tried: dict[str, Any], code: str) -> None:
    before = state.key()
    with pytest.raises(InvalidMove) as caught:
        state.play(tried, [])
    assert caught.value.code == code
    assert state.key() == before


def test_invalid_moves_are_told_what_would_be_right(state: State) -> None:
    for tried, hint in [
        (move("start", "p9", card="green-left"), "the players are p1, p2"),
        (move("strat", card="green-left"), "did you mean 'start'?"),
        (move("xyz"), "the moves are start, extend, cover"),
        (move("start", crad="green-left"), "did you mean 'card'?"),
    ]:
        with pytest.raises(InvalidMove) as caught:
            state.play(tried, [])
        assert caught.value.hint == hint


@pytest.mark.parametrize(
    ("tape", "error"),
    [
        ([], TapeTooShort),
        (drawn("green-left", "p2"), TapeWrongKind),
        # both green-left cards of a two-player game cannot be in the pile: one is being played
        (drawn("green-left") + drawn("green-left"), TapeLeftOver),
        (drawn("violet-left"), TapeImpossible),
        (drawn("pink-left"), TapeImpossible),
    ],
)
def test_a_tape_that_does_not_fit_changes_nothing(
    state: State, tape: list[dict[str, Any]], error: type[LudexError]
) -> None:
    before, key = state.to_json(), state.key()
    with pytest.raises(error):
        state.play(move("start", card="green-left"), tape)
    assert (state.to_json(), state.key()) == (before, key)
    state.play(move("start", card="green-left"), drawn("green-left"))
    assert state.table()["row"] == [["green-left"]]


@pytest.mark.parametrize("players", COUNTS)
def test_a_setup_tape_must_fit(players: int) -> None:
    game = poodle(players)
    state, _, tape = next(plays(game, 1))
    assert game.initial_state(Tape(tape)) == state
    for wrong, error in [
        (tape[:-1], TapeTooShort),
        (tape[1:], TapeWrongKind),
        ([*tape, tape[0]], TapeLeftOver),
        ([*tape[:-1], {"pick": f"p{players + 1}", "of": "first_player"}], TapeImpossible),
        # one card more than there is of a kind
        ([*[{**o, "draw": "green-left"} for o in tape[: players + 1]], *tape[players + 1 :]],
         TapeImpossible),
    ]:
        with pytest.raises(error):
            game.initial_state(Tape(wrong))


@pytest.mark.parametrize("players", COUNTS)
def test_after_the_end(players: int) -> None:
    game = poodle(players)
    *_, (last, action, _) = plays(game, 3)
    assert last.is_terminal
    assert last.step is None
    assert last.actors() == []
    assert last.legal_actions() == []
    assert [b.rule for b in last.broken(action)] == ["7.1"]
    before = last.to_json()
    with pytest.raises(GameOver):
        last.play(game.action_to_json(action), [])
    # the end comes before all that is wrong with the move itself
    with pytest.raises(GameOver):
        last.play({}, [])
    assert last.to_json() == before


# -- what changes and what does not ----------------------------------------------------------------


@given(st.sampled_from(COUNTS), st.integers(0, 10**6), st.integers(0, 40))
def test_a_child_leaves_its_parent_alone(players: int, seed: int, plies: int) -> None:
    state = position(poodle(players), seed, plies)
    before = copy.deepcopy(state.position)
    table = state.table()
    for action in state.legal_actions():
        child = state.child(action, Seeded(seed))
        assert state.position == before
        assert child != state
        if not child.is_terminal:
            child.apply_action(child.legal_actions()[0], Seeded(seed))
    assert state.position == before
    assert state.table() == table


def test_a_clone_shares_nothing(state: State) -> None:
    twin = state.clone()
    assert twin == state
    assert hash(twin) == hash(state)
    twin.play(move("start", card="green-left"), drawn("green-left"))
    assert twin != state
    assert state.table()["row"] == []


def test_what_goes_out_is_nobodys(state: State) -> None:
    state.play(move("start", card="green-left"), drawn("green-left"))
    before = state.to_json()
    for shown in (state.table(), state.to_json()["state"], state.observation("p1")):
        shown["row"].append(["red-left"])
        shown["row"][0].clear()
        shown["hand"]["p1"].clear()
    assert state.to_json() == before


@given(st.sampled_from(COUNTS), st.integers(0, 10**6), st.integers(0, 50))
def test_positions_go_out_and_come_back(players: int, seed: int, plies: int) -> None:
    game = poodle(players)
    state = position(game, seed, plies)
    back = game.state_from_json(state.to_json())
    assert back == state
    assert back.key() == state.key()
    assert back.to_json() == state.to_json()
    assert back.legal_actions() == state.legal_actions()
    assert back.outcome() == state.outcome()


def test_equal_positions_have_equal_keys_however_they_came_about(state: State) -> None:
    other = poodle(2).initial_state(
        Tape([{"pick": "p1", "of": "first_player"}, *reversed(SETUP)])
    )
    assert other == state
    assert other.key() == state.key()
    changed = state.to_json()
    changed["state"]["turn"] = "p2"
    assert poodle(2).state_from_json(changed) != state


def test_a_state_is_equal_to_no_other_thing(state: State) -> None:
    assert state != state.to_json()
    assert state != 1


FAULTS: list[tuple[Any, str]] = [
    ({}, "value.type"),
    ({"step": "turn"}, "value.type"),
    ({"step": "turn", "state": []}, "value.type"),
    ({"step": "trun", "state": {}}, "value.unknown"),
    ({"step": ["turn"], "state": {}}, "value.unknown"),
    ({"step": "refill", "state": {}}, "value.step"),
    ({"step": None, "state": {"hand": {"p1": ["red-left"], "p2": []}}}, "value.step"),
    ({"step": "turn", "state": {"rwo": []}}, "value.unknown"),
    ({"step": "turn", "state": {"row": {}}}, "value.type"),
    ({"step": "turn", "state": {"row": ["red-left"]}}, "value.type"),
    ({"step": "turn", "state": {"row": [["rad-left"]]}}, "value.unknown"),
    ({"step": "turn", "state": {"row": [[None]]}}, "value.type"),
    ({"step": "turn", "state": {"hand": []}}, "value.type"),
    ({"step": "turn", "state": {"hand": {"p1": []}}}, "value.keys"),
    ({"step": "turn", "state": {"hand": {"p1": [], "p2": [], "p3": []}}}, "value.keys"),
    ({"step": "turn", "state": {"turn": "p3"}}, "value.unknown"),
    ({"step": "turn", "state": {"turn": 1}}, "value.type"),
]


@pytest.mark.parametrize(("value", "code"), FAULTS)
def test_what_is_no_position(value: Any, code: str) -> None:
    with pytest.raises(SpecError) as caught:
        poodle(2).state_from_json(value)
    assert caught.value.code == code


def test_a_fault_in_a_position_names_its_place() -> None:
    with pytest.raises(SpecError) as caught:
        poodle(2).state_from_json({"step": "turn", "state": {"row": [["red-left"], ["rad-left"]]}})
    assert caught.value.message == "row[1][0]: there is no Card 'rad-left'"


@given(st.sampled_from(COUNTS), st.integers(0, 10**6), st.integers(0, 40))
def test_actions_go_out_and_come_back(players: int, seed: int, plies: int) -> None:
    game = poodle(players)
    for action in position(game, seed, plies).legal_actions():
        assert game.action_from_json(game.action_to_json(action)) == action
