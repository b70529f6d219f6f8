"""Expressions over facts: components and constants, which no position changes.

What a data check asks is the same in every game that is played with a component set. It is worked
out when the set is read, before anything is played.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Mapping
from typing import Any

from ludex.engine.codec import Codec
from ludex.engine.derived import Table
from ludex.engine.expressions import ExpressionCompiler
from ludex.engine.flow import nodes
from ludex.engine.runtime import NAMES
from ludex.engine.templates import function

__all__ = ["Facts", "called", "columns"]

Json = Mapping[str, Any]


def called(functions: Mapping[str, Json], tree: Any) -> list[str]:
    """Return the functions that a tree calls, through one another, each once."""
    found: list[str] = []
    todo = [tree]
    while todo:
        for node in nodes(todo.pop()):
            if "call" in node and node["call"] not in found:
                found.append(node["call"])
                todo.append(functions[node["call"]]["is"]["tree"])
    return found


def columns(document: Json, codec: Codec) -> dict[str, Any]:
    """Return the columns and constants under the names that generated code has for them."""
    space: dict[str, Any] = {}
    for kind, entry in document["kinds"].items():
        for column, c in entry["columns"].items():
            type_ = codec.type(c["type"])
            space[f"A_{kind}_{column}"] = [codec.encode(v, type_) for v in c["values"]]
    for c in document["constants"]:
        space[f"K_{c['name']}"] = codec.encode(c["value"], codec.type(c["type"]))
    return space


class Facts:
    """Evaluates expressions that read nothing but components and constants.

    Parameters
    ----------
    document : dict
        The game document: kinds, constants and functions are enough.

    Attributes
    ----------
    codec : Codec
        Knows the members.
    """

    def __init__(self, document: Json) -> None:
        self.codec = Codec(document, document["players"][0])
        self._document = document
        self._functions = {f["name"]: f for f in document["functions"]}
        self._columns = columns(document, self.codec)

    def compiled(
        self, clause: Json, *local: str, elements: bool = False
    ) -> Callable[..., Any]:
        """Return an expression as a function of its locals.

        Parameters
        ----------
        clause : dict
            An expression of the document.
        *local : str
            The locals that it reads.
        elements : bool
            Whether its value is only gone through: a map gives its keys then.
        """
        compiler = ExpressionCompiler(self._document, self.codec, {}, {})
        read = compiler.loop if elements else compiler.tree
        used = called(self._functions, clause["tree"])
        body = [
            function(f"f_{name}", ["S", *(f"v_{p['name']}" for p in f["params"])],
                     [ast.Return(compiler.compile(f["is"]))])
            for name, f in self._functions.items() if name in used
        ]
        body.append(function("asked", ["S", *(f"v_{x}" for x in local)],
                             [ast.Return(read(clause["tree"]))]))
        module = ast.Module([*compiler.searches.definitions, *body], [])
        space: dict[str, Any] = {**NAMES, **self._columns}
        exec(compile(ast.fix_missing_locations(module), "<facts>", "exec"), space)
        for name in compiler.tables:
            if name in used:
                single = len(self._functions[name]["params"]) == 1
                space[f"T_{name}"] = Table(space[f"f_{name}"], single=single)
        asked: Callable[..., Any] = space["asked"]
        return lambda *values: asked((), *values)
