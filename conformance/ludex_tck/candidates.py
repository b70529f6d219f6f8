"""Candidates: values for the arguments of a move, legal or not, from which near misses are picked.

Of kinds and players they are all there are. Of numbers they are those that the parameter allows:
one that it never allows is a fault in the move's own form. Of parts of a zone they are a few of
each sort: possible ones, too small, too large, with something that is not there.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from ludex.engine import State
from ludex.engine.runtime import FAULTS
from ludex.language.types import Type

from .requirements import Domain, domains

__all__ = ["candidates"]

#: Values of one argument at most.
_MOST = 60
#: Members of a part that are exchanged, one at a time.
_FEW = 8


def candidates(state: State, move: int) -> list[Sequence[Any]] | None:
    """Return values for each argument of a move; None if there are none for one of them.

    Parameters
    ----------
    state : State
        The position.
    move : int
        Index of the move.
    """
    game = state.game
    result: list[Sequence[Any]] = []
    params = game.document["moves"][move]["params"]
    for param, domain in zip(params, domains(game, move), strict=True):
        type_ = game.codec.type(param["type"])
        if type_.head == "optional":
            type_ = type_.args[0]
        found = _values(state, type_, domain, len(params))
        if not found:
            return None
        result.append([*found, None] if domain.when is not None else found)
    return result


def _values(state: State, type_: Type, domain: Domain, params: int) -> Sequence[Any]:
    everything = _everything(state, type_)
    if everything is not None:
        return everything
    if domain.counted:
        return ()
    found: dict[Any, None] = {}
    for actor in range(state.game.players):
        # what depends on other arguments cannot be said for all of them at once
        about = (state.position, actor, *[None] * params)
        try:
            members = list(domain.members(*about))
            if type_.head == "int":
                found.update(dict.fromkeys(members))
            elif type_.head == "list" and domain.size is not None:
                low, high = (bound(*about) for bound in domain.size)
                others = _everything(state, type_.args[0]) or ()
                found.update(dict.fromkeys(_parts(members, others, low, high)))
        except (*FAULTS, TypeError):
            continue
    values = sorted(found)
    step = -(-len(values) // _MOST) or 1
    return values[::step]


def _everything(state: State, type_: Type) -> Sequence[Any] | None:
    """Return all values of a type; None if it is no type of things."""
    if type_.head == "kind":
        return range(len(state.game.codec.members[type_.name]))
    if type_.head == "player":
        return range(state.game.players)
    if type_.head == "bool":
        return (False, True)
    return None


def _parts(
    members: Sequence[int], others: Sequence[int], low: int, high: int | None
) -> Iterator[tuple[int, ...]]:
    """Yield parts of a zone of each sort, in the order in which a bag is written."""
    members = sorted(members)
    most = len(members) if high is None else min(high, len(members))
    for size in range(min(low, most), most + 1):
        yield tuple(members[:size])
        yield tuple(members[len(members) - size :])
    for one in dict.fromkeys(members):
        yield (one,)
    if low > 0:
        yield tuple(members[: low - 1])
    if high is not None and len(members) > high:
        yield tuple(members[: high + 1])
    size = max(low, 1)
    foreign = [v for v in others if v not in members]
    for one in foreign[:: -(-len(foreign) // _FEW) or 1]:
        yield tuple(sorted((*members[: size - 1], one)))
    for one in list(dict.fromkeys(members))[:_FEW]:
        yield (one,) * (members.count(one) + 1)
