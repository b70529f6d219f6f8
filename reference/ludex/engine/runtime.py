"""Functions that generated code calls.

Zones in a position: a deck and a bag are sorted lists of members, a stack
a list with its top last, a slot a member or None; members are integers.
"""

from __future__ import annotations

from bisect import insort
from collections.abc import Callable, Iterable, Sequence
from typing import Any, NoReturn

__all__ = ["FAULTS", "NAMES", "RuleFault"]


class RuleFault(Exception):
    """A clause asked for what is not there: the top of an empty stack, a bad position."""


#: What generated code raises when a clause asks for what is not there.
FAULTS = (RuleFault, IndexError, TypeError, ValueError, KeyError, OverflowError)


def idiv(a: int, b: int) -> int:
    """Divide, rounding toward zero."""
    if b == 0:
        raise RuleFault("division by zero")
    quotient = abs(a) // abs(b)
    return quotient if (a < 0) == (b < 0) else -quotient


def imod(a: int, b: int) -> int:
    """Return the remainder; it has the sign of `a`."""
    return a - b * idiv(a, b)


def at(items: Sequence[Any], index: int) -> Any:
    """Return an element; positions count from 0 and are never negative."""
    if not 0 <= index < len(items):
        raise RuleFault(f"position {index} of a list of {len(items)}")
    return items[index]


def slice_(items: Sequence[Any], start: int, end: int) -> list[Any]:
    """Return the elements from `start` up to `end`."""
    if not 0 <= start <= end <= len(items):
        raise RuleFault(f"positions {start} to {end} of a list of {len(items)}")
    return list(items[start:end])


def distinct(items: Sequence[Any]) -> list[Any]:
    """Return the elements without repetitions, in the order of their first places."""
    try:
        return list(dict.fromkeys(items))
    except TypeError:
        # lists of lists
        return [x for i, x in enumerate(items) if x not in items[:i]]


def seats_from(player: int, players: int) -> list[int]:
    """Return all players, clockwise from this one."""
    return [*range(player, players), *range(player)]


def seats_after(player: int, players: int) -> list[int]:
    """Return the other players, clockwise."""
    return [*range(player + 1, players), *range(player)]


def opponents(player: int, players: int) -> list[int]:
    """Return the other players, by seat."""
    return [*range(player), *range(player + 1, players)]


def position_in(items: Sequence[Any], index: int) -> int:
    """Return a position of a list that is changed there."""
    at(items, index)
    return index


def present(value: Any) -> Any:
    """Refuse null where a value is needed."""
    if value is None:
        raise RuleFault("null where a value is needed")
    return value


def or_else(value: Any, other: Any) -> Any:
    """Return `other` in place of null."""
    return other if value is None else value


def merge(bag: list[int], items: Iterable[int]) -> None:
    """Add members to a bag."""
    bag.extend(items)
    bag.sort()


def take(zone: list[int], item: int | None) -> int:
    """Remove one member."""
    if item is None or item not in zone:
        missing()
    zone.remove(item)
    return item


def take_many(zone: list[int], items: Iterable[int]) -> list[int]:
    """Remove several members."""
    return [take(zone, item) for item in list(items)]


def take_range(zone: list[Any], start: int, end: int) -> list[Any]:
    """Remove and return the elements from `start` up to `end`."""
    if not 0 <= start <= end <= len(zone):
        raise RuleFault(f"positions {start} to {end} of a zone of {len(zone)}")
    taken = zone[start:end]
    del zone[start:end]
    return taken


def flatten(stacks: Iterable[list[int]]) -> list[int]:
    """Return the members of several stacks."""
    return [c for stack in stacks for c in stack]


def insert_stack(rows: list[Any], index: int, stack: list[int]) -> None:
    """Put a new stack into a list of stacks."""
    if not 0 <= index <= len(rows):
        raise RuleFault(f"position {index} of a list of {len(rows)}")
    rows.insert(index, stack)


def bad_range(start: int, end: int, size: int) -> NoReturn:
    """Refuse positions that there are not."""
    raise RuleFault(f"positions {start} to {end} of a zone of {size}")


def full() -> NoReturn:
    """Refuse a second component in a slot."""
    raise RuleFault("a slot that is not empty")


def missing() -> NoReturn:
    """Refuse to take what is not there."""
    raise RuleFault("a component that is not in its zone")


def copy_value(value: Any) -> Any:
    """Return a value that shares nothing with the position."""
    if isinstance(value, list | range | tuple):
        return [copy_value(v) for v in value]
    return value


#: What generated code may name.
NAMES: dict[str, Callable[..., Any]] = {
    "idiv": idiv,
    "imod": imod,
    "at": at,
    "slice_": slice_,
    "distinct": distinct,
    "seats_from": seats_from,
    "seats_after": seats_after,
    "opponents": opponents,
    "position_in": position_in,
    "present": present,
    "or_else": or_else,
    "merge": merge,
    "take": take,
    "take_many": take_many,
    "take_range": take_range,
    "flatten": flatten,
    "insert_stack": insert_stack,
    "bad_range": bad_range,
    "full": full,
    "missing": missing,
    "copy_value": copy_value,
    "insort": insort,
}
