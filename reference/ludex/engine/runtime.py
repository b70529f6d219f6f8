"""Functions that generated code calls.

Zones in a position: a deck and a bag are sorted lists of members, a stack
a list with its top last, a slot a member or None; members are integers. In a game that puts cards
on top of decks or under them a deck is three lists: shuffled (sorted), top and bottom (next first).
"""

from __future__ import annotations

from bisect import insort
from collections.abc import Callable, Iterable, Sequence
from functools import lru_cache
from typing import Any, NoReturn

from ludex.engine.budget import (
    MAX_COMPONENTS,
    MAX_LIST,
    MAX_NUMBER,
    MAX_ROW,
    MAX_SUBSETS,
    RuleFault,
    WorkFault,
)

__all__ = ["FAULTS", "NAMES", "RuleFault", "WorkFault", "fault_words"]

#: What generated code raises when a clause asks for what is not there.
FAULTS = (RuleFault, IndexError, TypeError, ValueError, KeyError, OverflowError)


def fault_words(fault: BaseException) -> str:
    """Return in the words of the rule language what a clause asked for that is not there."""
    if isinstance(fault, RuleFault):
        return str(fault)
    if isinstance(fault, IndexError):
        return "the top or bottom of what is empty"
    if isinstance(fault, TypeError):
        return "null where a value is needed"
    if isinstance(fault, ValueError):
        return "the least or the greatest of what is empty"
    return str(fault) or type(fault).__name__


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


class _Growing(list[Any]):
    """A list to which new elements are added while it is gone through."""

    def __init__(self, items: Iterable[Any]) -> None:
        super().__init__(dict.fromkeys(items))
        self._known = set(self)

    def more(self, items: Iterable[Any]) -> bool:
        """Add the elements that are not there yet; always true."""
        for item in items:
            if item not in self._known:
                self._known.add(item)
                self.append(item)
        return True


def growing(items: Iterable[Any]) -> list[Any]:
    """Return the elements without repetitions, as a list that can grow."""
    return _Growing(items)


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


def deck_size(deck: list[list[int]]) -> int:
    """Count a deck with known places."""
    return len(deck[0]) + len(deck[1]) + len(deck[2])


def deck_copies(deck: list[list[int]], item: int) -> int:
    """Count a member in a deck with known places."""
    return sum(part.count(item) for part in deck)


def deck_take(deck: list[list[int]], item: int | None) -> int:
    """Search a deck with known places for a member and remove it; shuffled ones go first."""
    for part in deck:
        if item in part:
            return take(part, item)
    return missing()


def deck_put(deck: list[list[int]], item: int, place: str | None) -> None:
    """Put a member on top of a deck, under it, or into its shuffled part."""
    if place == "top":
        deck[1].insert(0, item)
    elif place == "bottom":
        deck[2].append(item)
    else:
        insort(deck[0], item)


def deck_known(deck: list[list[int]]) -> int | None:
    """Remove and return the next card, if its place is known; chance decides else (None)."""
    if deck[1]:
        return deck[1].pop(0)
    if not deck[0] and deck[2]:
        return deck[2].pop(0)
    return None


def deck_shuffle(deck: list[list[int]]) -> None:
    """Forget which cards lie where."""
    deck[0].extend(deck[1])
    deck[0].extend(deck[2])
    deck[0].sort()
    deck[1].clear()
    deck[2].clear()


@lru_cache(maxsize=100_000)
def _submultisets(items: tuple[int, ...], low: int, high: int) -> list[tuple[int, ...]]:
    high = min(high, len(items))
    counts = [(v, items.count(v)) for v in sorted(set(items))]
    # by size, in how many ways it can be reached
    ways = [1] + [0] * max(0, high)
    for _, count in counts:
        ways = [sum(ways[max(0, k - count) : k + 1]) for k in range(len(ways))]
    if sum(ways[max(0, low) :]) > MAX_SUBSETS:
        raise WorkFault(f"more than {MAX_SUBSETS} choices of {low} to {high} out of {len(items)}")
    return [part for size in range(max(0, low), high + 1) for part in _parts(counts, size)]


def _parts(counts: list[tuple[int, int]], size: int) -> list[tuple[int, ...]]:
    """Return the parts of one size, sorted: of the first member as many as can be, then fewer."""
    if size == 0:
        return [()]
    if size > sum(n for _, n in counts):
        return []
    (value, count), *rest = counts
    return [
        (*[value] * n, *part)
        for n in range(min(count, size), -1, -1)
        for part in _parts(rest, size - n)
    ]


def subsets(items: Iterable[int], low: int, high: int | None) -> list[tuple[int, ...]]:
    """Return every part of a bag with so many members, each once: small ones first."""
    whole = tuple(items)
    return _submultisets(whole, low, len(whole) if high is None else high)


def is_subset(part: Any, items: Iterable[int], low: int, high: int | None) -> bool:
    """Return whether `subsets` has this part, without listing them."""
    whole = list(items)
    if not isinstance(part, tuple) or list(part) != sorted(part):
        return False
    if not low <= len(part) <= (len(whole) if high is None else high):
        return False
    return all(part.count(v) <= whole.count(v) for v in set(part))


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
    if len(rows) >= MAX_ROW:
        raise WorkFault(f"more than {MAX_ROW} stacks in a row")
    if not 0 <= index <= len(rows):
        raise RuleFault(f"position {index} of a list of {len(rows)}")
    rows.insert(index, stack)


def bad_range(start: int, end: int, size: int) -> NoReturn:
    """Refuse positions that there are not."""
    raise RuleFault(f"positions {start} to {end} of a zone of {size}")


def insert_at(items: list[Any], index: int, value: Any) -> None:
    """Put an element into a list, at a position that there is."""
    if len(items) >= MAX_LIST:
        raise WorkFault(f"a list of more than {MAX_LIST}")
    if not 0 <= index <= len(items):
        raise RuleFault(f"position {index} of a list of {len(items)}")
    items.insert(index, value)


def append(items: list[Any], value: Any) -> None:
    """Put an element to the end of a list."""
    if len(items) >= MAX_LIST:
        raise WorkFault(f"a list of more than {MAX_LIST}")
    items.append(value)


def fill(zone: list[int], member: int, count: int) -> None:
    """Make components."""
    if count < 0:
        raise RuleFault(f"{count} components to make")
    if len(zone) + count > MAX_COMPONENTS:
        raise WorkFault(f"a zone of more than {MAX_COMPONENTS} components")
    zone.extend([member] * count)


def whole(number: Any) -> Any:
    """Refuse a number that has grown too long."""
    if number is not None and not -MAX_NUMBER <= number <= MAX_NUMBER:
        raise WorkFault("a number of more than 1000 digits")
    return number


def full() -> NoReturn:
    """Refuse a second component in a slot."""
    raise RuleFault("a slot that is not empty")


def missing() -> NoReturn:
    """Refuse to take what is not there."""
    raise RuleFault("a component that is not in its zone")


def copy_value(value: Any, most: int = MAX_LIST) -> Any:
    """Return a value that shares nothing with the position; no list in it is longer than that."""
    if isinstance(value, list | range | tuple):
        if len(value) > most:
            raise WorkFault(f"a list of more than {most}")
        return [copy_value(v, most) for v in value]
    return value


#: What generated code may name.
NAMES: dict[str, Callable[..., Any]] = {
    "idiv": idiv,
    "imod": imod,
    "at": at,
    "slice_": slice_,
    "distinct": distinct,
    "growing": growing,
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
    "insert_at": insert_at,
    "append": append,
    "fill": fill,
    "whole": whole,
    "subsets": subsets,
    "is_subset": is_subset,
    "deck_size": deck_size,
    "deck_copies": deck_copies,
    "deck_take": deck_take,
    "deck_put": deck_put,
    "deck_known": deck_known,
    "deck_shuffle": deck_shuffle,
    "bad_range": bad_range,
    "full": full,
    "missing": missing,
    "copy_value": copy_value,
    "insort": insort,
}
