"""Whether an expression can ask for what is not there.

An expression that cannot fail may be evaluated earlier, or not at all, and nobody notices; one
that can fail must be evaluated exactly where the spec has it. The answer is on the safe side: what
only might fail counts as failing.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from ludex.engine.flow import nodes

__all__ = ["Functions", "may_fail"]

Json = Mapping[str, Any]
#: Operators that fail on some values of their types.
_PARTIAL = frozenset({"index", "top", "bottom", "slice", "/", "%", "min", "max"})
#: Operators that take null like any other value.
_TAKES_NULL = frozenset({"==", "!=", "or", "in", "copies", "copies.deck", "size.slot"})


class Functions(dict[str, Json]):
    """The functions of a game by name, in their order; what was found out of one is kept.

    Functions may call one another many times over, so going through all calls would take too long.

    Parameters
    ----------
    functions : sequence of dict
        From the game document.
    """

    def __init__(self, functions: Sequence[Json]) -> None:
        super().__init__({f["name"]: f for f in functions})
        self._failing: dict[str, bool] = {}
        #: how many parts each has when those that it calls are put in their places
        self.sizes: dict[str, int] = {}
        for function in functions:
            # a function calls only those above it
            self.sizes[function["name"]] = sum(
                1 + self.sizes.get(node.get("call", ""), 0)
                for node in nodes(function["is"]["tree"])
            )

    def failing(self, name: str) -> bool:
        """Return whether the body of a function can fail."""
        if name not in self._failing:
            self._failing[name] = may_fail(self[name]["is"]["tree"], self)
        return self._failing[name]


def may_fail(tree: Json, functions: Functions) -> bool:
    """Return whether a typed tree can fail.

    Parameters
    ----------
    tree : dict
        From the game document.
    functions : Functions
        The functions of the game.
    """

    def parts(*trees: Json) -> bool:
        return any(may_fail(t, functions) for t in trees)

    if "attr" in tree or "field" in tree:
        return _may_be_null(tree["of"]) or parts(tree["of"])
    if "key" in tree:
        return _may_be_null(tree["key"]) or parts(tree["of"], tree["key"])
    if "op" in tree:
        args = tree["args"]
        if tree["op"] in _PARTIAL and not _divides_by_number(tree):
            return True
        if tree["op"] not in _TAKES_NULL and any(map(_may_be_null, args)):
            return True
        return parts(*args)
    if "macro" in tree:
        # the least of nothing
        if tree["macro"] in ("min", "max") or _may_be_null(tree["over"]):
            return True
        return parts(tree["over"], tree["body"])
    if "call" in tree:
        function = functions[tree["call"]]
        null = any(
            _may_be_null(a) and not _may_be_null(p)
            for a, p in zip(tree["args"], function["params"], strict=True)
        )
        # what says that it gives a member may give null all the same, which fails where it is used
        gives_null = _may_be_null(function["is"]["tree"]) and not _may_be_null(function)
        return (null or gives_null or parts(*tree["args"])
                or functions.failing(tree["call"]))
    if "if" in tree:
        return parts(*tree["if"])
    if "list" in tree:
        return parts(*tree["list"])
    if "record" in tree:
        return parts(*tree["fields"].values())
    return False


def _may_be_null(typed: Json) -> bool:
    return str(typed["type"]).startswith(("optional(", "slot(", "null"))


def _divides_by_number(tree: Json) -> bool:
    return tree["op"] in ("/", "%") and bool(tree["args"][1].get("lit"))
