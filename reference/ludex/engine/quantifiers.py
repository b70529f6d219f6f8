"""Searches that stop: `all`, `exists` and `first` as functions with a loop.

A list that is made to be asked ``any`` or ``all`` is made in full. A loop returns at the first
element that settles the answer. Python has no loop in an expression, so each search becomes a
function of its own, which is handed the locals that it reads.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable

from ludex.engine.templates import function, name, statements

__all__ = ["PREFIX", "Searches"]

#: What the names of these functions begin with.
PREFIX = "q_"
_LOOPS = {
    "exists": "for _x in _l:\n if _p:\n  return True\nreturn False",
    "all": "for _x in _l:\n if not _p:\n  return False\nreturn True",
    "first": "for _x in _l:\n if _p:\n  return _x\nreturn None",
}


class Searches:
    """The search functions of one program.

    Attributes
    ----------
    definitions : list of ast.FunctionDef
        So far.
    closed : bool
        Whether the program is compiled: expressions that come later have nowhere to put a
        function.
    """

    def __init__(self) -> None:
        self.definitions: list[ast.FunctionDef] = []
        self.closed = False
        self._known: dict[str, str] = {}

    def call(
        self, macro: str, over: ast.expr, variable: ast.Name, body: ast.expr
    ) -> ast.expr | None:
        """Return a call of the function that goes through a list, or None if there can be none.

        Parameters
        ----------
        macro : str
            ``exists``, ``all`` or ``first``.
        over : ast.expr
            What is gone through.
        variable : ast.Name
            The local.
        body : ast.expr
            The condition; it cannot fail, or the macro stops anyway.
        """
        if self.closed or macro not in _LOOPS:
            return None
        free = sorted({*_free([over]), *_free([body]) - {variable.id}})
        loop = statements(_LOOPS[macro], _x=variable, _l=over, _p=body)
        text = repr([ast.dump(s) for s in loop])
        identifier = self._known.setdefault(text, f"{PREFIX}{len(self._known)}")
        if len(self._known) > len(self.definitions):
            self.definitions.append(function(identifier, ["S", *free], loop))
        return ast.Call(name(identifier), [name("S"), *map(name, free)], [])


def _free(found: Iterable[ast.AST], bound: frozenset[str] = frozenset()) -> set[str]:
    """Return the locals of the spec that are read and not bound inside."""
    result: set[str] = set()
    for node in found:
        if isinstance(node, ast.Name):
            if node.id.startswith("v_") and node.id not in bound:
                result.add(node.id)
        elif isinstance(node, ast.ListComp | ast.GeneratorExp):
            inner = bound
            for part in node.generators:
                result |= _free([part.iter], inner)
                assert isinstance(part.target, ast.Name)
                inner |= {part.target.id}
                result |= _free(part.ifs, inner)
            result |= _free([node.elt], inner)
        else:
            result |= _free(ast.iter_child_nodes(node), bound)
    return result
