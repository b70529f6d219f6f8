"""Paths that grow from a middle: two stacks, each with its outermost component on top."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ludex.language.types import Type

__all__ = ["two_arms"]


def two_arms(
    value: Any, type_: Type, middle: tuple[Any, Type] | None, owner: str | None
) -> list[tuple[str, Type]] | None:
    """Return the components of a path from one end to the other.

    Parameters
    ----------
    value : object
        The arms in canonical form, by key.
    type_ : Type
        Of `value`.
    middle : tuple of object and Type, optional
        A variable that holds what lies between the arms, and its type.
    owner : str, optional
        The player whose path it is, if `middle` has a value for each.

    Returns
    -------
    list of (str, Type) or None
        Each component with its kind; None if this is not a map of two stacks that are seen.
    """
    if type_.head != "map" or type_.args[1].head != "stack" or not isinstance(value, Mapping):
        return None
    arms = list(value.values())
    if len(arms) != 2 or not all(isinstance(arm, list) for arm in arms):
        return None
    kind = type_.args[1].args[0]
    first, second = ([(member, kind) for member in arm] for arm in arms)
    return [*first, *_between(middle, owner), *second[::-1]]


def _between(middle: tuple[Any, Type] | None, owner: str | None) -> list[tuple[str, Type]]:
    if middle is None:
        return []
    value, type_ = middle
    if type_.head == "map" and isinstance(value, Mapping):
        value, type_ = value.get(owner), type_.args[1]
    if type_.head in ("slot", "optional"):
        type_ = type_.args[0]
    return [(value, type_)] if isinstance(value, str) and type_.head == "kind" else []
