"""Perft: how many ways a game can go, by the number of moves.

A *way* is a setup, then moves, each with what chance did in it; two tapes that differ anywhere are
two ways. The counts say at once whether two programs list the same moves: one move too many early
changes all numbers behind it.

Ways that lead to equal positions are followed once, with their number. At each step the exact
probabilities of chance are added up; they must come to 1.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from ludex.engine import Game, Seeded, State
from ludex.engine.enumerate import Branch, initial_branches, move_branches
from ludex.errors import LudexError, SpecError

__all__ = ["Depth", "TooMany", "divided", "perft"]


@dataclass(frozen=True)
class Depth:
    """The ways of one length.

    Attributes
    ----------
    depth : int
        Number of moves; 0 is after the setup.
    ways : int
        How many there are. A game that ended earlier has no way of this length.
    over : int
        How many of them end the game with their last move.
    positions : int
        How many different positions they lead to.
    """

    depth: int
    ways: int
    over: int
    positions: int

    def to_json(self) -> dict[str, int]:
        """Return the counts as JSON."""
        return dict(vars(self))


class TooMany(LudexError):
    """Counting was given up: it would have made more moves than allowed."""

    code = "perft.limit"


#: Equal positions, with how many ways lead there.
_Layer = dict[Any, tuple[State, int]]
_Progress = Callable[[int], None]


class _Budget:
    """Counts the moves that are made, and stops when they are too many."""

    def __init__(self, limit: int, progress: _Progress | None) -> None:
        self.limit, self.made, self.progress = limit, 0, progress

    def spend(self) -> None:
        self.made += 1
        if self.made > self.limit:
            raise TooMany(f"counting takes more than {self.limit} moves",
                          hint="--limit N allows more; --seed N begins from one setup only")
        if self.progress is not None and self.made % 1000 == 0:
            self.progress(self.made)


def perft(
    game: Game,
    depth: int,
    *,
    seed: int | None = None,
    limit: int = 5_000_000,
    progress: Callable[[int], None] | None = None,
) -> Iterator[Depth]:
    """Yield the counts for 0, 1, ... moves.

    Parameters
    ----------
    game : Game
        With its players and rulings.
    depth : int
        The most moves.
    seed : int, optional
        Begin from the setup with this seed; from every setup if None.
    limit : int
        Stop when so many moves, setups included, have been made: each outcome of chance counts,
        equal positions count once.
    progress : callable, optional
        Told now and then how many moves have been made.

    Raises
    ------
    TooMany
        Before the depth that would go beyond the limit is yielded.
    SpecError
        ``engine.chance``, if probabilities do not come to 1.
    """
    budget = _Budget(limit, progress)
    layer = _start(game, seed, budget)
    yield _counted(0, layer)
    for number in range(1, depth + 1):
        layer = _next(layer, budget)
        yield _counted(number, layer)
        if not layer:
            return


def divided(
    game: Game,
    depth: int,
    *,
    seed: int | None = None,
    limit: int = 5_000_000,
    progress: Callable[[int], None] | None = None,
) -> Iterator[tuple[dict[str, Any], int]]:
    """Yield each first move, and how many ways of `depth` moves begin with it.

    Parameters
    ----------
    game, seed, limit, progress
        As for `perft`.
    depth : int
        At least 1. Ways that end earlier are counted where they end.

    Yields
    ------
    move : dict
        ``actor``, ``move``, ``args``; sorted by its words.
    ways : int
        Its number.

    Raises
    ------
    TooMany, SpecError
        As `perft`.
    """
    budget = _Budget(limit, progress)
    by_move: dict[str, _Layer] = {}
    for state, ways in _start(game, seed, budget).values():
        for action in state.legal_actions():
            word = json.dumps(game.action_to_json(action), sort_keys=True)
            _add(by_move.setdefault(word, {}), _branches(state, action, budget), ways)
    for word in sorted(by_move):
        layer = by_move[word]
        for _ in range(depth - 1):
            layer = _next(layer, budget)
        yield json.loads(word), sum(n for _, n in layer.values())


def _start(game: Game, seed: int | None, budget: _Budget) -> _Layer:
    layer: _Layer = {}
    if seed is not None:
        state = game.initial_state(Seeded(seed))
        return {state.key(): (state, 1)}
    _add(layer, _whole(initial_branches(game), budget, "the setup"), 1)
    return layer


def _next(layer: _Layer, budget: _Budget) -> _Layer:
    """Return the positions one move further."""
    below: _Layer = {}
    for state, ways in layer.values():
        for action in state.legal_actions():
            _add(below, _branches(state, action, budget), ways)
    return below


def _branches(state: State, action: Any, budget: _Budget) -> Iterator[State]:
    move = state.game.document["moves"][action[1]]["name"]
    return _whole(move_branches(state, action), budget, f"the move {move}")


def _whole(branches: Iterable[Branch], budget: _Budget, what: str) -> Iterator[State]:
    """Yield the states of all branches, and check that there is no other."""
    total = Fraction(0)
    for branch in branches:
        budget.spend()
        total += branch.probability
        yield branch.state
    if total != 1:
        raise SpecError(f"the probabilities of {what} come to {total}, not to 1",
                        code="engine.chance", hint="this is a fault of the engine")


def _add(layer: _Layer, states: Iterable[State], ways: int) -> None:
    for state in states:
        key = state.key()
        known = layer.get(key)
        layer[key] = (state, ways) if known is None else (known[0], known[1] + ways)


def _counted(depth: int, layer: _Layer) -> Depth:
    return Depth(
        depth,
        sum(n for _, n in layer.values()),
        sum(n for state, n in layer.values() if state.is_terminal),
        len(layer),
    )
