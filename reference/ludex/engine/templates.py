"""Python syntax from trusted templates.

Generated code is built as ``ast`` nodes: a template of this package is parsed and its placeholders
(names that begin with ``_``) are replaced by nodes. Text of a spec never becomes Python text; it
only ever enters as constants and as names that the checker has resolved.
"""

from __future__ import annotations

import ast
import copy
from functools import lru_cache

__all__ = ["assign", "constant", "expression", "function", "name", "statements"]


@lru_cache(maxsize=1024)
def _parse_expression(template: str) -> ast.expr:
    return ast.parse(template, mode="eval").body


@lru_cache(maxsize=1024)
def _parse_statements(template: str) -> tuple[ast.stmt, ...]:
    return tuple(ast.parse(template).body)


class _Fill(ast.NodeTransformer):
    def __init__(self, parts: dict[str, ast.expr | list[ast.stmt]]) -> None:
        self.parts = parts

    def visit_Name(self, node: ast.Name) -> ast.expr:
        part = self.parts.get(node.id)
        if part is None:
            return node
        assert isinstance(part, ast.expr)
        if isinstance(node.ctx, ast.Load):
            return copy.deepcopy(part)
        return assign(part)

    def visit_Expr(self, node: ast.Expr) -> ast.AST | list[ast.stmt]:
        if isinstance(node.value, ast.Name):
            part = self.parts.get(node.value.id)
            if isinstance(part, list):
                return copy.deepcopy(part) or [ast.Pass()]
        return self.generic_visit(node)


def expression(template: str, **parts: ast.expr) -> ast.expr:
    """Return the expression of a template with its placeholders replaced.

    Parameters
    ----------
    template : str
        Python, for example ``"_a + _b"``.
    **parts : ast.expr
        By placeholder.
    """
    node = _Fill(dict(parts)).visit(copy.deepcopy(_parse_expression(template)))
    assert isinstance(node, ast.expr)
    return node


def statements(template: str, **parts: ast.expr | list[ast.stmt]) -> list[ast.stmt]:
    """Return the statements of a template; a block placeholder stands alone on its line."""
    filler = _Fill(dict(parts))
    result: list[ast.stmt] = []
    for node in copy.deepcopy(_parse_statements(template)):
        done = filler.visit(node)
        result.extend(done if isinstance(done, list) else [done])
    return result


def constant(value: object) -> ast.Constant:
    """Return a constant."""
    return ast.Constant(value)  # type: ignore[arg-type]


def name(identifier: str) -> ast.Name:
    """Return a name that is read."""
    return ast.Name(identifier, ast.Load())


def assign(target: ast.expr) -> ast.expr:
    """Return a copy of a name, subscript or attribute that is written."""
    target = copy.deepcopy(target)
    assert isinstance(target, ast.Name | ast.Subscript | ast.Attribute)
    target.ctx = ast.Store()
    return target


def function(identifier: str, params: list[str], body: list[ast.stmt]) -> ast.FunctionDef:
    """Return a function definition."""
    arguments = ast.arguments([], [ast.arg(p) for p in params], None, [], [], None, [])
    node = ast.parse("def f(): pass").body[0]
    assert isinstance(node, ast.FunctionDef)
    node.name, node.args, node.body = identifier, arguments, body or [ast.Pass()]
    return node
