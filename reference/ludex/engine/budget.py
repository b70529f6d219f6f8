"""Bounds on what a spec may make an engine do.

A spec may come from anybody. So one move (or the setup, or listing the legal moves of a position)
takes a bounded number of *rounds*: turns of loops, elements of lists, calls. There is no clock in
it: the same move is refused on every machine, or on none.

Most loops are surely short: together they have at most `SURE` rounds, as
:mod:`ludex.engine.cost` knows from the spec alone. Only the others count as they run, and stop when
they have used up `BUDGET` rounds.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NoReturn

__all__ = [
    "BUDGET", "MAX_CELLS", "MAX_COMPONENTS", "MAX_LIST", "MAX_NUMBER", "MAX_ROW",
    "MAX_SUBSETS", "SURE", "RuleFault", "WorkFault", "meter",
]

#: Rounds that the loops of one move (or of the setup, or of listing moves) may count.
BUDGET = 1_000_000
#: Rounds that need no counting: no more can come together, whatever the position is.
SURE = 10_000_000
#: Values of a list that is a variable.
MAX_LIST = 1_000
#: Stacks of a list of stacks.
MAX_ROW = 200
#: Components of a zone when the game begins.
MAX_COMPONENTS = 10_000
#: Choices of several components.
MAX_SUBSETS = 100_000
#: Values of all variables together, before the setup.
MAX_CELLS = 100_000
#: Greatest number in between; what is kept in a position has fewer digits, or cannot be written.
MAX_NUMBER = 10**1000


class RuleFault(Exception):
    """A clause asked for what is not there: the top of an empty stack, a bad position."""


class WorkFault(RuleFault):
    """A clause asked for more than a spec may."""

    def __str__(self) -> str:
        # behind the words there may be the number of the step
        return str(self.args[0])


def meter() -> dict[str, Callable[..., Any]]:
    """Return the functions that count the rounds of one program, as generated code names them.

    ``reset()`` begins a move; ``spend()`` takes a round; ``due(list)`` takes one for each element
    that is gone through and one more, and returns the list; ``span(n)`` takes one for each number
    of a range, and returns the range; ``many(n)`` takes that many, and returns the number.
    """
    left = BUDGET

    def reset() -> None:
        nonlocal left
        left = BUDGET

    def over() -> NoReturn:
        raise WorkFault(f"more than {BUDGET} rounds of work")

    def spend() -> None:
        nonlocal left
        left -= 1
        if left < 0:
            over()

    def due(items: Any) -> Any:
        nonlocal left
        left -= len(items) + 1
        if left < 0:
            over()
        return items

    def many(count: int) -> int:
        nonlocal left
        if count > 0:
            left -= count
            if left < 0:
                over()
        return count

    def span(size: int) -> range:
        return range(many(size))

    return {"reset": reset, "spend": spend, "due": due, "span": span, "many": many}
