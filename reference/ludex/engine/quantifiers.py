"""Searches that stop: `all`, `exists` and `first` as functions with a loop.

A list that is made to be asked ``any`` or ``all`` is made in full. A loop returns at the first
element that settles the answer. Python has no loop in an expression, so each search becomes a
function of its own, which is handed the locals that it reads.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable
from typing import NamedTuple

from ludex.engine.templates import constant, function, name, statements

__all__ = ["PREFIX", "Searches"]

#: What the names of these functions begin with.
PREFIX = "q_"
_LOOPS = {
    "exists": "for _x in _l:\n if _p:\n  return True",
    "all": "for _x in _l:\n if not _p:\n  return False",
    "first": "for _x in _l:\n if _p:\n  return _x",
}
#: A search inside a search becomes a loop inside a loop: by the two macros.
_NESTED = {
    ("exists", "exists"): "for _x in _l:\n for _y in _m:\n  if _p:\n   return True",
    ("all", "all"): "for _x in _l:\n for _y in _m:\n  if not _p:\n   return False",
    ("exists", "all"):
        "for _x in _l:\n for _y in _m:\n  if not _p:\n   break\n else:\n  return True",
    ("all", "exists"):
        "for _x in _l:\n for _y in _m:\n  if _p:\n   break\n else:\n  return False",
    ("first", "all"):
        "for _x in _l:\n for _y in _m:\n  if not _p:\n   break\n else:\n  return _x",
}
_ELSE = {"exists": "return False", "all": "return True", "first": "return None"}


class _Search(NamedTuple):
    macro: str
    over: ast.expr
    variable: ast.Name
    body: ast.expr


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
        self._searches: dict[str, _Search] = {}

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
        search = _Search(macro, over, variable, body)
        free = {*_free([over]), *_free([body]) - {variable.id}}
        loop = [*self._loop(search, free), *statements(_ELSE[macro])]
        text = repr([ast.dump(s) for s in loop])
        identifier = self._known.setdefault(text, f"{PREFIX}{len(self._known)}")
        if identifier not in self._searches:
            self._searches[identifier] = search
            self.definitions.append(function(identifier, ["S", *sorted(free)], _kept(loop)))
        return ast.Call(name(identifier), [name("S"), *map(name, sorted(free))], [])

    def _loop(self, search: _Search, free: set[str]) -> list[ast.stmt]:
        inner = self._inside(search.body)
        # one loop inside another has one set of locals: none may be used twice
        if inner is not None and inner.variable.id not in {search.variable.id, *free}:
            template = _NESTED.get((search.macro, inner.macro))
            if template is not None:
                return statements(template, _x=search.variable, _l=search.over,
                                  _y=inner.variable, _m=inner.over, _p=inner.body)
        return statements(_LOOPS[search.macro], _x=search.variable, _l=search.over,
                          _p=search.body)

    def _inside(self, body: ast.expr) -> _Search | None:
        """Return the search that a condition is; its arguments are the locals of their names."""
        if isinstance(body, ast.Call) and isinstance(body.func, ast.Name):
            return self._searches.get(body.func.id)
        return None


def _kept(loop: list[ast.stmt]) -> list[ast.stmt]:
    """Return a loop that takes each variable out of the position once, before it begins."""
    keep = _Keep()
    body = [keep.visit(s) for s in loop]
    first = [s for k in sorted(keep.slots) for s in
             statements("_v = S[_i]", _v=name(f"s_{k}"), _i=constant(k))]
    return [*first, *body]


class _Keep(ast.NodeTransformer):
    """Builds new nodes: parts of trees are shared and never changed."""

    def __init__(self) -> None:
        self.slots: set[int] = set()

    def generic_visit(self, node: ast.AST) -> ast.AST:
        fields = {}
        for field, value in ast.iter_fields(node):
            if isinstance(value, list):
                value = [self.visit(v) if isinstance(v, ast.AST) else v for v in value]
            elif isinstance(value, ast.AST):
                value = self.visit(value)
            fields[field] = value
        return type(node)(**fields)

    def visit_Subscript(self, node: ast.Subscript) -> ast.AST:
        if (
            isinstance(node.value, ast.Name)
            and node.value.id == "S"
            and isinstance(node.slice, ast.Constant)
        ):
            slot = int(str(node.slice.value))
            self.slots.add(slot)
            return name(f"s_{slot}")
        return self.generic_visit(node)


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
