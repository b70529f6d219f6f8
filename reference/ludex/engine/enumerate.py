"""Every way that chance can go, with exact probabilities.

A move may ask for many outcomes, and what is asked may depend on earlier answers. So a branch is
found by playing: an answered prefix, then the first possible answer for the rest; the next branch
changes the last answer that can still change.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from itertools import product
from typing import TYPE_CHECKING, NamedTuple

from ludex.engine.budget import MAX_SUBSETS, WorkFault
from ludex.engine.chance import Outcome, Site

if TYPE_CHECKING:
    from ludex.engine.game import Game, State
    from ludex.engine.program import Action

__all__ = ["Branch", "initial_branches", "move_branches"]


class Branch(NamedTuple):
    """One way that chance can go.

    Attributes
    ----------
    probability : Fraction
        Exact; the branches of one move sum to 1.
    outcomes : list of dict
        The tape of this branch.
    state : State
        What follows.
    """

    probability: Fraction
    outcomes: list[Outcome]
    state: State


class _Chosen:
    """Answers by a path of indexes, then always the first possibility; notes how many there are."""

    def __init__(self, path: list[int]) -> None:
        self.path = path
        self.counts: list[int] = []
        self.probability = Fraction(1)
        self.outcomes: list[Outcome] = []

    def choose(self, weights: Sequence[int]) -> int:
        number = len(self.counts)
        if number == len(self.path):
            self.path.append(0)
        self.counts.append(len(weights))
        index = self.path[number]
        self.probability *= Fraction(weights[index], sum(weights))
        return index

    def draw(self, items: Sequence[int], site: Site, keys: tuple[int, ...]) -> int:
        members = list(dict.fromkeys(items))
        value = members[self.choose([items.count(m) for m in members])]
        self.outcomes.append(site.outcome(value, keys))
        return value

    def pick(self, items: Sequence[int], site: Site, keys: tuple[int, ...]) -> int:
        value = items[self.choose([1] * len(items))]
        self.outcomes.append(site.outcome(value, keys))
        return value

    def roll(self, count: int, sides: int, site: Site, keys: tuple[int, ...]) -> list[int]:
        # dice are alike to nobody who has to remember which is which: every order is an outcome
        if count * sides > MAX_SUBSETS or sides**count > MAX_SUBSETS:
            raise WorkFault(f"more than {MAX_SUBSETS} ways that {count} dice can fall")
        rolls = list(product(range(1, sides + 1), repeat=count))
        value = list(rolls[self.choose([1] * len(rolls))])
        self.outcomes.append(site.outcome(value, keys))
        return value

    def next_path(self) -> list[int] | None:
        """Return the path of the next branch, or None after the last."""
        path = self.path[: len(self.counts)]
        while path:
            path[-1] += 1
            if path[-1] < self.counts[len(path) - 1]:
                return path
            path.pop()
        return None


def initial_branches(game: Game) -> Iterator[Branch]:
    """Yield every state that the setup can lead to.

    Parameters
    ----------
    game : Game
        The game.
    """
    path: list[int] | None = []
    while path is not None:
        chance = _Chosen(path)
        state = game.initial_state(chance)
        yield Branch(chance.probability, chance.outcomes, state)
        path = chance.next_path()


def move_branches(state: State, action: Action) -> Iterator[Branch]:
    """Yield every state that a legal action can lead to.

    Parameters
    ----------
    state : State
        Stays as it is.
    action : Action
        Legal.
    """
    path: list[int] | None = []
    while path is not None:
        chance = _Chosen(path)
        child = state.child(action, chance)
        yield Branch(chance.probability, chance.outcomes, child)
        path = chance.next_path()
