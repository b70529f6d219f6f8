"""Games, and ways to play them at random, for the tests of the engine."""

from __future__ import annotations

import random
from collections.abc import Iterator
from functools import cache
from typing import Any

import ludex
from ludex.engine import Game, Recorder, Seeded, State

COUNTS = (2, 3, 4)


@cache
def poodle(players: int, **rulings: str) -> Game:
    return Game(document(), players, rulings)


@cache
def document() -> dict[str, Any]:
    found: dict[str, Any] = ludex.load("poodle-taxi").document  # type: ignore[assignment]
    return found


def plays(game: Game, seed: int) -> Iterator[tuple[State, Any, list[dict[str, Any]]]]:
    """Yield each position of a random game, the action before it, and the outcomes it used."""
    chance = Recorder(Seeded(seed))
    choose = random.Random(seed)
    state = game.initial_state(chance)
    yield state, None, list(chance.outcomes)
    while not state.is_terminal:
        chance.outcomes.clear()
        action = choose.choice(state.legal_actions())
        state = state.child(action, chance)
        yield state, action, list(chance.outcomes)


def position(game: Game, seed: int, plies: int) -> State:
    """Return a position of a random game, the last one if the game is shorter."""
    found = None
    for index, (state, _, _) in enumerate(plays(game, seed)):
        found = state
        if index == plies:
            break
    assert found is not None
    return found
