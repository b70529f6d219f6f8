"""What each player sees, and what nobody does."""

from __future__ import annotations

from typing import Any

import pytest
from engine.games import COUNTS, poodle, position
from hypothesis import given
from hypothesis import strategies as st

from ludex.engine import State
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
