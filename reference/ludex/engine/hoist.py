"""Taking work out of the loops that list legal actions.

A requirement such as "no stack of this colour lies in the row" makes a list of the row's colours
for every card of the hand. The list does not depend on the card: it is made once, when it is first
needed, and kept; so is what a search finds. Expressions have no effects, so neither values nor
faults change.
"""

from __future__ import annotations

import ast
from collections.abc import Collection

from ludex.engine.quantifiers import PREFIX
from ludex.engine.templates import expression, name, statements

__all__ = ["Hoist"]


class Hoist:
    """The lists that the moves of one step share."""

    def __init__(self) -> None:
        self._names: dict[str, str] = {}

    def lift(self, test: ast.expr, varying: Collection[str]) -> ast.expr:
        """Return a test in which lists that do not vary are made once.

        Parameters
        ----------
        test : ast.expr
            A requirement.
        varying : collection of str
            The names that the loops around it change.
        """
        return _Lift(self, frozenset(varying)).visit(test)  # type: ignore[no-any-return]

    def start(self) -> list[ast.stmt]:
        """Return the statements that forget the lists, for the next actor."""
        return [s for n in self._names.values() for s in statements("_h = None", _h=name(n))]

    def name(self, node: ast.expr) -> str:
        """Return the name under which a value is kept; equal expressions share one."""
        return self._names.setdefault(ast.dump(node), f"h_{len(self._names)}")


class _Lift(ast.NodeTransformer):
    """Builds new nodes: parts of trees are shared and never changed."""

    def __init__(self, hoist: Hoist, varying: frozenset[str]) -> None:
        self.hoist = hoist
        self.varying = varying

    def generic_visit(self, node: ast.AST) -> ast.AST:
        if isinstance(node, ast.GeneratorExp | ast.Lambda):
            return node
        fields = {}
        for field, value in ast.iter_fields(node):
            if isinstance(value, list):
                value = [self.visit(v) if isinstance(v, ast.AST) else v for v in value]
            elif isinstance(value, ast.AST):
                value = self.visit(value)
            fields[field] = value
        return type(node)(**fields)

    def visit_Call(self, node: ast.Call) -> ast.AST:
        if isinstance(node.func, ast.Name) and node.func.id.startswith(PREFIX):
            return self.kept(node)
        return self.generic_visit(node)

    def visit_ListComp(self, node: ast.ListComp) -> ast.AST:
        return self.kept(node)

    def kept(self, node: ast.expr) -> ast.expr:
        used = {n.id for n in ast.walk(node) if isinstance(n, ast.Name)}
        if used & self.varying:
            # a list inside it would be made in another scope: leave it alone
            return node
        kept = name(self.hoist.name(node))
        return expression("_h if _h is not None else (_t := _l)", _h=kept, _t=kept, _l=node)
