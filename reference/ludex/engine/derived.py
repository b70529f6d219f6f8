"""Functions of a spec that are tables: what they give depends on nothing but their arguments.

"The lines through this cell" never changes. Such a function is worked out once for each argument,
when it is first asked for, and looked up from then on. So a spec may say what a line is, in place
of listing all lines, and pays for it once.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from typing import Any

from ludex.engine.codec import Codec
from ludex.engine.flow import nodes, reads
from ludex.language.types import Type

__all__ = ["Table", "tables"]

Json = Mapping[str, Any]
#: A function with more possible arguments is no table: it would only fill memory.
MAX_ENTRIES = 4096


class Table(dict[Any, Any]):
    """The values of a function by argument (a tuple, if it has none or several).

    Parameters
    ----------
    function : callable
        Compiled: takes a position, which it does not read, and the arguments.
    single : bool
        Whether it takes one argument.
    """

    def __init__(self, function: Callable[..., Any], *, single: bool) -> None:
        super().__init__()
        self._function = function
        self._single = single

    def __missing__(self, key: Any) -> Any:
        value = self._function((), key) if self._single else self._function((), *key)
        self[key] = value
        return value


def tables(document: Json, codec: Codec) -> set[str]:
    """Return the names of the functions that are kept as tables.

    Parameters
    ----------
    document : dict
        The game document.
    codec : Codec
        Knows how many members a kind has.
    """
    functions = {f["name"]: f for f in document["functions"]}
    found = set()
    looping: set[str] = set()
    for name, function in functions.items():
        if _loops(function, looping):
            looping.add(name)
        entries = 1
        for param in function["params"]:
            entries *= _size(codec.type(param["type"]), codec) or MAX_ENTRIES + 1
        if (
            entries <= MAX_ENTRIES
            and not reads(document, [function["is"]])
            and name in looping
        ):
            found.add(name)
    return found


def _size(type_: Type, codec: Codec) -> int | None:
    """Return how many values a type has, or None if they are not a few names."""
    if type_.head == "optional":
        inner = _size(type_.args[0], codec)
        return None if inner is None else inner + 1
    if type_.head == "bool":
        return 2
    return len(codec.keys(type_)) if type_.head in ("player", "kind") else None


def _loops(function: Json, looping: Collection[str]) -> bool:
    """Return whether there is a macro in a function, or in one above it that it calls."""
    return any(
        "macro" in node or node.get("call") in looping for node in nodes(function["is"]["tree"])
    )
