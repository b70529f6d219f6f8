"""Whether what a program draws is spread as the rules say: a test that may look at any time.

The test is a bet against the program. For each outcome the kit names a distribution, guessed from
the outcomes before it, and the stake is multiplied by how much more likely that guess made what
came than the rules do. If the program draws as the rules say, the expected stake stays at 1 for
ever, so it reaches 1/alpha with a probability of at most alpha, however long one plays and
whenever one looks (Ville's inequality). There is nothing to correct for the number of games.
"""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Hashable, Mapping, Sequence

__all__ = ["ALPHA", "Fairness"]

ALPHA = 1e-9
"""The probability, at most, with which a run says of a fair program that it is not."""


class Fairness:
    """Bets in several ways at once; the stake is their mean.

    Parameters
    ----------
    ways : int
        How many sorts of context each outcome comes with. Each sort makes its own guesses: one
        notices dice that are loaded, another that every game begins with the same cards.
    """

    def __init__(self, ways: int) -> None:
        self._logs = [0.0] * ways
        self._seen: list[dict[Hashable, Counter[str]]] = [defaultdict(Counter) for _ in range(ways)]
        self._due: list[dict[Hashable, dict[str, float]]] = [
            defaultdict(lambda: defaultdict(float)) for _ in range(ways)
        ]
        self.outcomes = 0
        """How many outcomes could have been different."""

    def add(self, contexts: Sequence[Hashable], chances: Mapping[str, float], value: str) -> None:
        """Take an outcome into account.

        Parameters
        ----------
        contexts : sequence
            Where it came, once for each way.
        chances : mapping
            Possible value to its probability.
        value : str
            What came; one of them.
        """
        if len(chances) < 2:
            return
        self.outcomes += 1
        for way, context in enumerate(contexts):
            seen, due = self._seen[way][context], self._due[way][context]
            tilt = {v: (seen[v] + 1) / (due[v] + 1) for v in chances}
            whole = sum(p * tilt[v] for v, p in chances.items())
            self._logs[way] += math.log(tilt[value] / whole)
            seen[value] += 1
            for v, p in chances.items():
                due[v] += p

    @property
    def log_stake(self) -> float:
        """Natural logarithm of the stake."""
        top = max(self._logs)
        return top + math.log(sum(math.exp(x - top) for x in self._logs) / len(self._logs))

    @property
    def unfair(self) -> bool:
        """Whether a fair program would come so far with a probability of at most `ALPHA`."""
        return self.log_stake >= -math.log(ALPHA)

    def oddest(self) -> tuple[str, int, float]:
        """Return the value that is farthest from what was due, how often it came, and was due."""
        way = max(range(len(self._logs)), key=self._logs.__getitem__)
        found = [
            (abs(self._seen[way][c][v] - due) / math.sqrt(due + 1), v, self._seen[way][c][v], due)
            for c, dues in self._due[way].items()
            for v, due in dues.items()
        ]
        _, value, count, due = max(found)
        return value, count, due
