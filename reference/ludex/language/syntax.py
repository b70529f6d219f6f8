"""The syntax tree of an expression, as the parser writes it.

Every node knows where its text begins and ends (offsets in characters, end exclusive).
"""

from __future__ import annotations

from dataclasses import dataclass

__all__ = [
    "Access",
    "Binary",
    "Call",
    "Conditional",
    "ExpressionSyntaxError",
    "Index",
    "ListLiteral",
    "Literal",
    "Name",
    "Node",
    "RecordLiteral",
    "Unary",
]


class ExpressionSyntaxError(Exception):
    """The text is no expression.

    Attributes
    ----------
    message : str
        What was expected and what was found.
    offset : int
        Where, in characters from the start of the text.
    hint : str or None
        The likely fix.
    """

    def __init__(self, message: str, offset: int, hint: str | None = None) -> None:
        super().__init__(message)
        self.message = message
        self.offset = offset
        self.hint = hint


@dataclass(frozen=True)
class Node:
    """What all nodes share: the span of their text."""

    start: int
    end: int


@dataclass(frozen=True)
class Literal(Node):
    """An integer, a boolean, a quoted text, or null (None)."""

    value: int | bool | str | None


@dataclass(frozen=True)
class Name(Node):
    """A name: variable, local, kind, constant."""

    name: str


@dataclass(frozen=True)
class Access(Node):
    """``of.field``."""

    of: Node
    field: str


@dataclass(frozen=True)
class Index(Node):
    """``of[index]``."""

    of: Node
    index: Node


@dataclass(frozen=True)
class Call(Node):
    """``name(args)``, or ``args[0].name(args[1:])`` when `receiver` is true."""

    name: str
    args: tuple[Node, ...]
    receiver: bool


@dataclass(frozen=True)
class Unary(Node):
    """``!operand`` or ``-operand``."""

    operator: str
    operand: Node


@dataclass(frozen=True)
class Binary(Node):
    """``left operator right``."""

    operator: str
    left: Node
    right: Node


@dataclass(frozen=True)
class Conditional(Node):
    """``condition ? then : otherwise``."""

    condition: Node
    then: Node
    otherwise: Node


@dataclass(frozen=True)
class ListLiteral(Node):
    """``[items]``."""

    items: tuple[Node, ...]


@dataclass(frozen=True)
class RecordLiteral(Node):
    """``Name{field: value}``."""

    name: str
    fields: tuple[tuple[str, Node], ...]
