"""What the tests of the built-in games share: documents, tables of components, random games."""

from __future__ import annotations

import random
from collections.abc import Iterator
from functools import cache
from typing import Any

from ludex.authoring.document import load_document
from ludex.engine import Game, Seeded, State

Json = dict[str, Any]


@cache
def document(name: str, components: str = "standard") -> Json:
    found: Json = load_document(name, components)
    return found


@cache
def table(name: str, kind: str, components: str = "standard") -> dict[str, Json]:
    """Return the members of a kind with their columns."""
    found = document(name, components)["kinds"][kind]
    return {member: {column: c["values"][i] for column, c in found["columns"].items()}
            for i, member in enumerate(found["members"])}


def walk(
    played: Game, seed: int, most: int | None = None
) -> Iterator[tuple[State, Json | None]]:
    """Play a random game; give every position with the move that is made there."""
    chance, source = Seeded(seed), random.Random(seed)
    state = played.initial_state(chance)
    moves = 0
    while not state.is_terminal and moves != most:
        action = source.choice(state.legal_actions())
        yield state.clone(), played.action_to_json(action)
        state.apply_action(action, chance)
        moves += 1
    yield state, None
