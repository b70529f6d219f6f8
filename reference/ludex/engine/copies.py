"""Copies and keys of positions: what generated code does for each type."""

from __future__ import annotations

import ast

from ludex.engine.templates import expression, name
from ludex.language.types import Type

__all__ = ["copied", "frozen"]


def _flat(type_: Type) -> bool:
    if type_.head in ("optional", "slot"):
        return _flat(type_.args[0])
    return type_.head in ("int", "bool", "player", "kind")


def copied(type_: Type, node: ast.expr, stacked: bool) -> ast.expr:
    """Compile a copy of a value that shares nothing with it."""
    if _flat(type_):
        return node
    if type_.head == "record":
        return expression("_x[:]", _x=node)
    if type_.head == "deck" and stacked:
        return expression("[y[:] for y in _x]", _x=node)
    if type_.head in ("bag", "stack", "deck") or _flat(type_.args[-1]):
        return expression("_x[:]", _x=node)
    if type_.head == "optional":
        inner = copied(type_.args[0], node, stacked)
        return expression("None if _x is None else _e", _x=node, _e=inner)
    inner = copied(type_.args[-1], name("y"), stacked)
    return expression("[_e for y in _x]", _x=node, _e=inner)


def frozen(type_: Type, node: ast.expr, stacked: bool) -> ast.expr:
    """Compile a hashable value that is equal for equal values."""
    if _flat(type_):
        return node
    if type_.head == "record":
        return expression("tuple(_x)", _x=node)
    if type_.head == "deck" and stacked:
        return expression("tuple([tuple(y) for y in _x])", _x=node)
    if type_.head in ("bag", "stack", "deck") or _flat(type_.args[-1]):
        return expression("tuple(_x)", _x=node)
    if type_.head == "optional":
        inner = frozen(type_.args[0], node, stacked)
        return expression("None if _x is None else _e", _x=node, _e=inner)
    inner = frozen(type_.args[-1], name("y"), stacked)
    return expression("tuple([_e for y in _x])", _x=node, _e=inner)
