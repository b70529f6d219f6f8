"""The setting of a game: the values of its options and rulings."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from ludex.errors import UsageError, closest

__all__ = ["chosen", "spelled"]


def spelled(value: Any) -> str:
    """Return a value of a setting as it is typed."""
    return str(value).lower() if isinstance(value, bool) else str(value)


def chosen(what: str, declared: Mapping[str, Any], given: Mapping[str, Any]) -> dict[str, Any]:
    """Return the value of every option, or of every ruling.

    Parameters
    ----------
    what : str
        ``option`` or ``ruling``.
    declared : mapping
        Name to ``values`` and ``default``, as in the game document.
    given : mapping
        The values that differ from the defaults.

    Raises
    ------
    UsageError
        ``usage.unknown-option``, ``usage.option-value``, and likewise for rulings.
    """
    for name, value in given.items():
        if name not in declared:
            raise UsageError(f"there is no {what} {name!r}", code=f"usage.unknown-{what}",
                             hint=closest(name, declared))
        values: Sequence[Any] = declared[name]["values"]
        if not any(value == v and type(value) is type(v) for v in values):
            raise UsageError(f"{what} {name} has no value {value!r}", code=f"usage.{what}-value",
                             hint=f"the values are {', '.join(map(spelled, values))}")
    return {name: given.get(name, d["default"]) for name, d in declared.items()}
