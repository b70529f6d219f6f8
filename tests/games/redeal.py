"""Everything hidden from a player, dealt again, from the document's types and visibility alone.

Components that a player does not see change places with each other, also between zones; each zone
keeps its size where the player is told it. Other hidden values are taken from another position of
the same game. It reads nothing but the game document and canonical JSON, so that it shares no code
with what it tests.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from ludex.engine import State

Json = dict[str, Any]
ZONES = ("deck", "bag", "stack", "slot")


@dataclass
class Cell:
    """A hidden place: who holds it, under which key, its type, and whether its size is told."""

    holder: Any
    key: Any
    type: str
    counted: bool

    @property
    def value(self) -> Any:
        return self.holder[self.key]


def split(type_: str) -> tuple[str, list[str]]:
    """Return the head and the arguments of a type text."""
    head, _, rest = type_.partition("(")
    parts, depth, word = [], 0, ""
    for letter in rest[:-1] + ("," if rest else ""):
        depth += {"(": 1, ")": -1}.get(letter, 0)
        if letter == "," and depth == 0:
            parts.append(word.strip())
            word = ""
        else:
            word += letter
    return head, parts


def kind_of(type_: str) -> str | None:
    """Return the kind of components that a type holds, if it holds any."""
    head, parts = split(type_)
    if head in ZONES:
        return parts[0]
    return kind_of(parts[-1]) if head in ("list", "map") else None


def sees(visibility: Any, rulings: Mapping[str, str], own: bool) -> bool:
    word = visibility
    if isinstance(visibility, dict):
        word = visibility["cases"][rulings[visibility["ruling"]]]
    return word == "everyone" or (word == "owner" and own)


def hidden_cells(state: State, values: Json, player: str) -> list[Cell]:
    """Return every place whose contents a player does not see, down to single zones."""
    found: list[Cell] = []
    for variable in state.game.document["state"]:
        name, type_ = variable["name"], variable["type"]
        head, parts = split(type_)
        owned = head == "map" and parts[0] == "player"
        places = [(values[name], p, parts[1]) for p in values[name]] if owned else [
            (values, name, type_)
        ]
        for holder, key, inner in places:
            own = owned and key == player
            if not sees(variable["visible_to"], state.game.rulings, own):
                counted = sees(variable["count_visible_to"], state.game.rulings, own)
                found += inside(Cell(holder, key, inner, counted))
    return found


def inside(cell: Cell) -> list[Cell]:
    """Return the zones inside a place; what holds no components is one place."""
    head, parts = split(cell.type)
    if kind_of(cell.type) is None or head in ("bag", "stack", "slot"):
        return [cell]
    if head == "deck":
        if isinstance(cell.value, list):
            return [cell]
        return [Cell(cell.value, part, f"stack({parts[0]})", True) for part in cell.value]
    keys = cell.value if head == "map" else range(len(cell.value))
    # only the sum is told of a list of stacks; its parts keep their sizes
    return [c for k in keys for c in inside(Cell(cell.value, k, parts[-1], cell.counted))]


def cards(cell: Cell) -> list[str]:
    if cell.type.startswith("slot("):
        return [] if cell.value is None else [cell.value]
    return list(cell.value)


def put(cell: Cell, new: list[str]) -> None:
    if cell.type.startswith("slot("):
        cell.holder[cell.key] = new[0] if new else None
    else:
        cell.holder[cell.key] = new


def redealt(
    state: State, player: str, source: random.Random, donor: State | None = None
) -> State:
    """Return a state that differs from this one only where a player does not see it.

    Parameters
    ----------
    state : State
        Stays as it is.
    player : str
        For example ``p1``.
    source : random.Random
        Deals.
    donor : State, optional
        A position of the same game and setting; hidden values that are no components are its.
    """
    record = state.to_json()
    values = record["state"]
    zones: dict[str, list[Cell]] = {}
    others = {} if donor is None else {
        where(c): c.value for c in hidden_cells(donor, donor.to_json()["state"], player)
    }
    for cell in hidden_cells(state, values, player):
        kind = kind_of(cell.type)
        if kind is not None:
            zones.setdefault(kind, []).append(cell)
        elif where(cell) in others:
            cell.holder[cell.key] = others[where(cell)]
    for cells in zones.values():
        pool = sorted(card for cell in cells for card in cards(cell))
        source.shuffle(pool)
        loose = [c for c in cells if not c.counted and not c.type.startswith("slot(")]
        free = sum(len(cards(c)) for c in loose)
        for cell in cells:
            size = len(cards(cell))
            if cell in loose:
                # nobody told the player how they are spread
                size = free if cell is loose[-1] else source.randint(0, free)
                free -= size
            put(cell, [pool.pop() for _ in range(size)])
    return state.game.state_from_json(record)


def where(cell: Cell) -> tuple[str, str]:
    """Name a place by its key and type: enough to find it in another position."""
    return str(cell.key), cell.type


def check_no_leak(
    state: State, source: random.Random, donor: State | None = None,
    note: Callable[[str], None] = lambda word: None,
) -> None:
    """Check that nothing that a player is told depends on what is hidden from that player."""
    for player in state.game.player_ids:
        other = redealt(state, player, source, donor)
        if other == state:
            continue
        note(player)
        assert other.observation(player) == state.observation(player)
        assert other.actors() == state.actors()
        mine = [m for m in state.legal_json() if m["actor"] == player]
        assert [m for m in other.legal_json() if m["actor"] == player] == mine
