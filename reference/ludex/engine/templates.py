"""Python syntax from trusted templates.

Generated code is built as ``ast`` nodes: a template of this package is parsed and its placeholders
(names that begin with ``_``) are replaced by nodes. Text of a spec never becomes Python text; it
only ever enters as constants and as names that the checker has resolved.
"""

from __future__ import annotations

import ast
from collections.abc import Mapping
from functools import lru_cache
from typing import Any

__all__ = ["assign", "constant", "expression", "function", "lined", "name", "placed",
           "placed_expression", "statements"]


@lru_cache(maxsize=1024)
def _parse_expression(template: str) -> ast.expr:
    return ast.parse(template, mode="eval").body


@lru_cache(maxsize=1024)
def _parse_statements(template: str) -> tuple[ast.stmt, ...]:
    return tuple(ast.parse(template).body)


Parts = Mapping[str, ast.expr | list[ast.stmt]]


def _filled(node: ast.AST, parts: Parts) -> Any:
    """Return a copy of a template with its placeholders replaced.

    Parts are not copied: nobody changes a node once it is made, so trees may share them.
    """
    if isinstance(node, ast.Name):
        part = parts.get(node.id)
        if part is None:
            return node
        assert isinstance(part, ast.expr)
        return part if isinstance(node.ctx, ast.Load) else assign(part)
    return type(node)(
        **{field: _filled_field(value, parts) for field, value in ast.iter_fields(node)}
    )


def _filled_field(value: Any, parts: Parts) -> Any:
    if isinstance(value, list):
        result: list[Any] = []
        for item in value:
            if isinstance(item, ast.Expr) and isinstance(item.value, ast.Name):
                block = parts.get(item.value.id)
                if isinstance(block, list):
                    result.extend(block or [ast.Pass()])
                    continue
            result.append(_filled(item, parts) if isinstance(item, ast.AST) else item)
        return result
    return _filled(value, parts) if isinstance(value, ast.AST) else value


def expression(template: str, **parts: ast.expr) -> ast.expr:
    """Return the expression of a template with its placeholders replaced.

    Parameters
    ----------
    template : str
        Python, for example ``"_a + _b"``.
    **parts : ast.expr
        By placeholder.
    """
    node = _filled(_parse_expression(template), parts)
    assert isinstance(node, ast.expr)
    return node


def statements(template: str, **parts: ast.expr | list[ast.stmt]) -> list[ast.stmt]:
    """Return the statements of a template; a block placeholder stands alone on its line."""
    result: list[ast.stmt] = _filled_field(list(_parse_statements(template)), parts)
    return result


def placed(code: list[ast.stmt], place: str) -> list[ast.stmt]:
    """Say where in a spec code comes from; what has a place keeps it."""
    for statement in code:
        vars(statement).setdefault("place", place)
    return code


def placed_expression(node: ast.expr, place: str) -> ast.expr:
    """Say where in a spec an expression comes from."""
    vars(node).setdefault("place", place)
    return node


def lined(module: ast.Module) -> list[str]:
    """Give all nodes line numbers that stand for places of the spec; return the places.

    A traceback then names the clause that failed: line n is place n - 1 of the list.
    """
    lines = {"": 1}
    todo: list[tuple[ast.AST, int]] = [(module, 1)]
    while todo:
        node, line = todo.pop()
        place = vars(node).get("place")
        if place is not None:
            line = lines.setdefault(place, len(lines) + 1)
        if "lineno" in node._attributes:
            vars(node).update(lineno=line, end_lineno=line, col_offset=0, end_col_offset=0)
        todo.extend((child, line) for child in ast.iter_child_nodes(node))
    return list(lines)


def constant(value: object) -> ast.Constant:
    """Return a constant."""
    return ast.Constant(value)  # type: ignore[arg-type]


def name(identifier: str) -> ast.Name:
    """Return a name that is read."""
    return ast.Name(identifier, ast.Load())


def assign(target: ast.expr) -> ast.expr:
    """Return a name or a subscript as a place that is written."""
    if isinstance(target, ast.Name):
        return ast.Name(target.id, ast.Store())
    assert isinstance(target, ast.Subscript)
    return ast.Subscript(target.value, target.slice, ast.Store())


def function(identifier: str, params: list[str], body: list[ast.stmt]) -> ast.FunctionDef:
    """Return a function definition."""
    arguments = ast.arguments([], [ast.arg(p) for p in params], None, [], [], None, [])
    node = ast.parse("def f(): pass").body[0]
    assert isinstance(node, ast.FunctionDef)
    node.name, node.args, node.body = identifier, arguments, body or [ast.Pass()]
    return node
