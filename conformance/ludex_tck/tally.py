"""The tally: what a run did, in numbers."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field, fields

__all__ = ["Tally"]


@dataclass
class Tally:
    """What a run did.

    Attributes
    ----------
    cases : int
        Random games, of ``planned``.
    examples : int
        Worked examples.
    moves, attempts : int
        Legal moves, and illegal moves tried.
    pending : int
        Positions not compared.
    cut : int
        Games whose rest was not compared, because they differ at an earlier step.
    listed : int
        Legal moves there were where one was played.
    twins : int
        Pairs of games that one player cannot tell apart.
    known : int
        Games whose rest was not compared, because a known failure shows in them.
    checks : Counter
        Check to how often it was made.
    """

    cases: int = 0
    planned: int = 0
    examples: int = 0
    moves: int = 0
    attempts: int = 0
    pending: int = 0
    cut: int = 0
    listed: int = 0
    twins: int = 0
    known: int = 0
    checks: Counter[str] = field(default_factory=Counter)

    def add(self, other: Tally) -> None:
        """Add the numbers of another part of a run."""
        for one in fields(self):
            setattr(self, one.name, getattr(self, one.name) + getattr(other, one.name))
