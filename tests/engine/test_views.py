"""What each player sees, and what nobody does."""

from __future__ import annotations

from typing import Any

import pytest
from engine.games import COUNTS, poodle, position
from engine.tiny import tiny
from hypothesis import given
from hypothesis import strategies as st

from ludex.engine import Game, State, Tape
from ludex.errors import UsageError

GIVEN: dict[str, Any] = {
    "step": "turn",
    "state": {
        "draw_pile": ["red-left", "blue-left", "blue-left"],
        "hand": {"p1": ["red-left"], "p2": ["green-left", "blue-right"]},
        "row": [["pink-left", "pink-right"], ["green-right"]],
        "fleas": {"p1": ["red-right", "red-right"], "p2": []},
        "turn": "p2",
    },
}


def view(player: str, **rulings: str) -> dict[str, Any]:
    found: dict[str, Any] = poodle(2, **rulings).state_from_json(GIVEN).observation(player)
    return found


def test_the_whole_table() -> None:
    table = poodle(2).state_from_json(GIVEN).table()
    # bookkeeping is not on the table; bags and decks are sorted by id, stacks have their top first
    assert table == {
        "draw_pile": ["blue-left", "blue-left", "red-left"],
        "hand": {"p1": ["red-left"], "p2": ["blue-right", "green-left"]},
        "row": [["pink-left", "pink-right"], ["green-right"]],
        "fleas": {"p1": ["red-right", "red-right"], "p2": []},
    }


def test_views_where_the_fleas_are_counted_by_all() -> None:
    assert view("p1") == {
        "draw_pile": {"count": 3},
        "hand": {"p1": ["red-left"], "p2": {"count": 2}},
        "row": [["pink-left", "pink-right"], ["green-right"]],
        "fleas": {"p1": {"count": 2}, "p2": {"count": 0}},
    }
    assert view("p2") == {
        "draw_pile": {"count": 3},
        "hand": {"p1": {"count": 1}, "p2": ["blue-right", "green-left"]},
        "row": [["pink-left", "pink-right"], ["green-right"]],
        "fleas": {"p1": {"count": 2}, "p2": {"count": 0}},
    }


def test_views_where_the_fleas_are_counted_by_their_owner() -> None:
    assert view("p1", flea_count="hidden")["fleas"] == {"p1": {"count": 2}, "p2": {"count": None}}
    assert view("p2", flea_count="hidden")["fleas"] == {"p1": {"count": None}, "p2": {"count": 0}}
    for player in ("p1", "p2"):
        seen, hidden = view(player), view(player, flea_count="hidden")
        del seen["fleas"], hidden["fleas"]
        assert seen == hidden


@pytest.mark.parametrize("player", ["p3", "", "P1"])
def test_players_that_there_are_not(player: str) -> None:
    with pytest.raises(UsageError) as caught:
        view(player)
    assert caught.value.code == "usage.unknown-player"


def redealt(state: State, player: str, how: int) -> State:
    """Mix what the player does not see: hands of others, pile and fleas, sizes as they were."""
    value = state.to_json()
    zones = value["state"]
    others = [p for p in state.game.player_ids if p != player]
    hidden = [zones["draw_pile"], *(zones["hand"][p] for p in others), *zones["fleas"].values()]
    cards = sorted(c for zone in hidden for c in zone)
    cards = cards[how % len(cards) :] + cards[: how % len(cards)] if cards else []
    for zone in hidden:
        count = len(zone)
        zone[:], cards = cards[:count], cards[count:]
    return state.game.state_from_json(value)


@given(st.sampled_from(COUNTS), st.integers(0, 10**6), st.integers(0, 46), st.integers(0, 60),
       st.sampled_from(["seen", "hidden"]))
def test_a_view_does_not_depend_on_what_is_hidden(
    players: int, seed: int, plies: int, how: int, flea_count: str
) -> None:
    state = position(poodle(players, flea_count=flea_count), seed, plies)
    for player in state.game.player_ids:
        other = redealt(state, player, how)
        assert other.observation(player) == state.observation(player)
        if state.actors() == [player]:
            # nor do the own moves
            assert other.legal_json() == state.legal_json()


@given(st.sampled_from(COUNTS), st.integers(0, 10**6), st.integers(0, 46))
def test_a_view_has_the_shape_of_the_table(players: int, seed: int, plies: int) -> None:
    state = position(poodle(players), seed, plies)
    table = state.table()
    assert list(table) == ["draw_pile", "hand", "row", "fleas"]
    for player in state.game.player_ids:
        seen = state.observation(player)
        assert list(seen) == list(table)
        assert seen["row"] == table["row"]
        assert seen["hand"][player] == table["hand"][player]
        assert seen["draw_pile"] == {"count": len(table["draw_pile"])}
        for name in ("hand", "fleas"):
            assert list(seen[name]) == state.game.player_ids


TURNED = """
types:
  Side: [west, east]
  Card: {columns: {}, RULE}
state:
  over: {type: bool, visible_to: everyone, RULE}
  bid: {type: "map(Side, int)", init: {west: 1, east: 2}, visible_to: nobody, RULE}
  deep: {type: "map(Side, map(player, bool))", visible_to: nobody, RULE}
  own: {type: "map(Side, int)", per: player, visible_to: owner, RULE}
  named: {type: list(Card), visible_to: everyone, RULE}
  pile: {type: bag(Card), visible_to: everyone, RULE}
  heap: {type: stack(Card), visible_to: everyone, RULE}
setup:
  - fill: {zone: pile}
    RULE
  - move: {card: "'a'", from: pile, to: heap}
    RULE
  - move: {card: "'b'", from: pile, to: heap}
    RULE
  - move: {card: "'c'", from: pile, to: heap}
    RULE
  - set: {named: "[heap[0], bottom(heap), top(heap)]"}
    RULE
flow:
  start: choose
  steps:
    choose: {RULE, actors: players, moves: [stop]}
moves:
  stop:
    title: Stop
    RULE
    do: [{set: {over: "true"}}]
end:
  - {when: over, winners: "[]", RULE}
"""


@pytest.fixture(scope="module")
def turned(tmp_path_factory: pytest.TempPathFactory) -> State:
    folder = tmp_path_factory.mktemp("views") / "game"
    return Game(tiny(folder, TURNED, cards="{a: {}, b: {}, c: {}}")).initial_state(Tape([]))


def test_a_hidden_map_keeps_its_keys(turned: State) -> None:
    """As the canonical form says: the values are replaced, one by one."""
    hidden = {"hidden": True}
    seen = turned.observation("p2")
    assert seen["bid"] == {"west": hidden, "east": hidden}
    assert seen["deep"] == {side: {"p1": hidden, "p2": hidden} for side in ("west", "east")}
    assert seen["own"] == {"p1": {"west": hidden, "east": hidden}, "p2": {"west": 0, "east": 0}}


def test_positions_of_a_stack_count_from_the_bottom_and_arrays_from_the_top(turned: State) -> None:
    table = turned.table()
    assert table["heap"] == ["c", "b", "a"]
    assert table["named"] == ["a", "a", "c"]
