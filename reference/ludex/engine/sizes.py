"""What is known of a value before it is there: how large a number, how long a list may be."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import comb, inf
from typing import Any

from ludex.engine.budget import MAX_SUBSETS

__all__ = ["UNKNOWN", "Local", "Size", "join", "of_data", "product", "subsets_of", "times"]


@dataclass(frozen=True)
class Size:
    """What is known of a value: bounds of a number, or of a list and of what it holds."""

    low: float = -inf
    high: float = inf
    length: float = 0
    item: Size | None = None


UNKNOWN = Size()
Local = Mapping[str, Size]


def times(a: float, b: float) -> float:
    """Multiply, so that nothing times infinity is nothing."""
    return 0 if a == 0 or b == 0 else a * b


def join(sizes: Sequence[Size]) -> Size:
    """Return what is known of a value that is one of several."""
    if not sizes:
        return Size(0, 0)
    items = [s.item for s in sizes if s.item is not None]
    return Size(min(s.low for s in sizes), max(s.high for s in sizes),
                max(s.length for s in sizes), join(items) if items else None)


def product(a: Size, b: Size) -> Size:
    """Return the bounds of a product."""
    corners = [times(x, y) for x in (a.low, a.high) for y in (b.low, b.high)]
    return Size(min(corners), max(corners))


def of_data(value: Any) -> Size:
    """Return the size of a value that is written out."""
    if isinstance(value, bool) or value is None or isinstance(value, str):
        return Size(0, 0)
    if isinstance(value, int):
        return Size(value, value)
    items = list(value.values() if isinstance(value, Mapping) else value)
    return Size(length=len(items), item=join([of_data(v) for v in items]))


def subsets_of(size: float, most: float) -> float:
    """Return how many subsets of at most so many elements there are."""
    found = 0
    for k in range(int(min(size, most, 20)) + 1):
        found += comb(int(min(size, MAX_SUBSETS)), k)
        if found > MAX_SUBSETS:
            break
    return min(found, MAX_SUBSETS)
