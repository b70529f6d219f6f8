"""Counting the components of a position, wherever they lie."""

from __future__ import annotations

from ludex.engine import State
from ludex.language.types import Type, holds_components

__all__ = ["census"]


def census(state: State) -> dict[str, dict[str, int]]:
    """Return how many components of each kind there are.

    Parameters
    ----------
    state : State
        Stays as it is.

    Returns
    -------
    dict
        Kind to member to number; members that are nowhere count 0.
    """
    result: dict[str, dict[str, int]] = {}
    game = state.game
    values = state.to_json()["state"]
    for name, type_ in game.program.types.items():
        if not holds_components(type_):
            continue
        kind: Type = type_
        while kind.args:
            kind = kind.args[-1]
        table = result.setdefault(kind.name, dict.fromkeys(game.codec.members[kind.name], 0))
        todo = [values[name]]
        while todo:
            item = todo.pop()
            if isinstance(item, dict):
                todo.extend(item.values())
            elif isinstance(item, list):
                todo.extend(item)
            elif item is not None:
                table[item] += 1
    return result
