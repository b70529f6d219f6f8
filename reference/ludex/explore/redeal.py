"""Dealing again whatever a player does not see.

What a player may do, and who is asked, must depend on nothing but what the player sees. So the
components that are hidden from a player are gathered and laid out anew, every zone as large as it
was; nothing that the player is told may change.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from functools import partial
from typing import Any

from ludex.engine import State
from ludex.engine.flow import resolved
from ludex.language.types import Type, holds_components

__all__ = ["redeal"]

Put = Callable[[Any], None]


def redeal(state: State, player: int, source: random.Random) -> State | None:
    """Return the state with everything hidden from a player dealt again.

    Parameters
    ----------
    state : State
        Stays as it is.
    player : int
        Index of the player.
    source : random.Random
        Shuffles.

    Returns
    -------
    State or None
        None if nothing is hidden from the player.
    """
    new = state.clone()
    game, program = state.game, state.game.program
    zones: dict[str, list[tuple[list[int], Put]]] = {}
    for variable in game.document["state"]:
        type_ = program.types[variable["name"]]
        if not holds_components(type_):
            continue
        slot = program.slots[variable["name"]]
        hidden = partial(_hidden, resolved(variable["visible_to"], game.rulings), player)
        _gather(new.position[slot], type_, _setter(new.position, slot), hidden, None, zones,
                game.codec.stacked)
    changed = False
    for found in zones.values():
        pool = [card for cards, _ in found for card in cards]
        changed = changed or len(set(pool)) > 1
        source.shuffle(pool)
        for cards, put in found:
            put([pool.pop() for _ in cards])
    return new if changed else None


def _hidden(visible: str, player: int, owner: int | None) -> bool:
    return visible == "nobody" or (visible == "owner" and owner != player)


def _setter(holder: Any, key: Any) -> Put:
    def put(value: Any) -> None:
        holder[key] = value

    return put


def _gather(
    value: Any,
    type_: Type,
    put: Put,
    hidden: Callable[[int | None], bool],
    owner: int | None,
    zones: dict[str, list[tuple[list[int], Put]]],
    stacked: bool,
) -> None:
    """Collect the hidden zones inside a value, each with what puts a new content there."""
    head = type_.head
    if head == "map":
        for key, item in enumerate(value):
            below = key if type_.args[0].head == "player" and owner is None else owner
            _gather(item, type_.args[1], _setter(value, key), hidden, below, zones, stacked)
    elif head == "list":
        for key, item in enumerate(value):
            _gather(item, type_.args[0], _setter(value, key), hidden, owner, zones, stacked)
    elif hidden(owner):
        kind = type_.args[0].name
        if head == "slot":
            if value is not None:
                zones.setdefault(kind, []).append(([value], lambda cards: put(cards[0])))
        elif head == "deck" and stacked:
            # cards whose place is known may be known to the player: they stay
            zones.setdefault(kind, []).append((value[0], _sorted(_setter(value, 0))))
        elif head in ("deck", "bag"):
            zones.setdefault(kind, []).append((value, _sorted(put)))
        else:
            zones.setdefault(kind, []).append((value, put))


def _sorted(put: Put) -> Put:
    return lambda cards: put(sorted(cards))

