"""A Pratt parser for the expression language, a subset of CEL.

Differences from CEL on the shared subset: comparisons do not chain (``a == b == c`` is an error),
``&&`` and ``||`` are strict from left to right, there are no floats, bytes or unsigned integers,
and quoted text has no escapes (it only ever names a member of a kind).
"""

from __future__ import annotations

import re
from dataclasses import replace

from ludex.language.syntax import (
    Access,
    Binary,
    Call,
    Conditional,
    ExpressionSyntaxError,
    Index,
    ListLiteral,
    Literal,
    Name,
    Node,
    RecordLiteral,
    Unary,
)

__all__ = ["parse"]

_TOKEN = re.compile(
    r"""\s*(?:(?P<int>\d+)(?![\w.])
      |(?P<text>"[^"\\\n]*"|'[^'\\\n]*')
      |(?P<name>[A-Za-z_]\w*)
      |(?P<mark>&&|\|\||[<>=!]=|[-+*/%<>!?:.,(){}\[\]])
      |(?P<end>$)|(?P<bad>.))""",
    re.VERBOSE | re.DOTALL | re.ASCII,
)
_POWER = {"||": 1, "&&": 2, "+": 4, "-": 4, "*": 5, "/": 5, "%": 5}
_COMPARISONS = ("==", "!=", "<", "<=", ">", ">=", "in")
_POWER.update(dict.fromkeys(_COMPARISONS, 3))
#: The reserved words of CEL.
_RESERVED = frozenset({
    "as", "break", "const", "continue", "else", "for", "function", "if", "import", "let", "loop",
    "namespace", "package", "return", "var", "void", "while",
})
_WORDS = {"and": "&&", "or": "||", "not": "!"}
#: Deeper nesting than any rule needs; keeps the parser within Python's stack.
MAX_DEPTH = 60
#: The likely fix of a deeper one.
DEEP = "name parts of it with let, or make them functions"
MAX_LENGTH = 4000
_INT_LIMIT = 2**53


def parse(text: str) -> Node:
    """Read an expression.

    Parameters
    ----------
    text : str
        For example ``"size(hand[p]) == 0 && n_players > 2"``.

    Raises
    ------
    ExpressionSyntaxError
        With the offset of the first character that does not fit.
    """
    if len(text) > MAX_LENGTH:
        raise ExpressionSyntaxError(
            f"an expression has at most {MAX_LENGTH} characters, found {len(text)}", 0
        )
    return _Parser(text).whole()


class _Parser:
    def __init__(self, text: str) -> None:
        self.tokens: list[tuple[str, str, int, int]] = []
        offset = 0
        while True:
            match = _TOKEN.match(text, offset)
            assert match is not None
            kind = match.lastgroup or "bad"
            word, start, offset = match.group(kind), match.start(kind), match.end()
            if kind == "bad":
                raise ExpressionSyntaxError(
                    f"unexpected character {word!r}", start, _bad_hint(text, start)
                )
            self.tokens.append(("mark" if word == "in" else kind, word, start, offset))
            if kind == "end":
                break
        self.at = 0
        self.depth = 0

    # -- tokens ------------------------------------------------------------------------------

    def fail(self, wanted: str) -> ExpressionSyntaxError:
        kind, word, start, _ = self.tokens[self.at]
        found = "the end" if kind == "end" else repr(word)
        hint = None
        before = self.tokens[self.at - 1][1] if self.at else ""
        if word in _WORDS:
            hint = f"write {_WORDS[word]!r} for {word!r}"
        elif before == "not":
            hint = "write '!' for 'not'"
        elif word in _COMPARISONS and "comparisons" in wanted:
            hint = "join two comparisons with &&"
        return ExpressionSyntaxError(f"expected {wanted}, found {found}", start, hint)

    def sees(self, mark: str) -> bool:
        kind, word, _, _ = self.tokens[self.at]
        return kind == "mark" and word == mark

    def eat(self, mark: str) -> int:
        """Take one mark and return where it ends."""
        if not self.sees(mark):
            raise self.fail(repr(mark))
        self.at += 1
        return self.tokens[self.at - 1][3]

    def name(self, wanted: str) -> str:
        kind, word, _, _ = self.tokens[self.at]
        if kind != "name":
            raise self.fail(wanted)
        self.at += 1
        return word

    # -- grammar -----------------------------------------------------------------------------

    def whole(self) -> Node:
        node = self.expression()
        if self.tokens[self.at][0] != "end":
            raise self.fail("an operator or the end")
        return node

    def expression(self) -> Node:
        self.depth += 1
        if self.depth > MAX_DEPTH:
            raise ExpressionSyntaxError(
                f"an expression nests at most {MAX_DEPTH} deep", self.tokens[self.at][2], DEEP
            )
        condition = self.binary(1)
        if self.sees("?"):
            self.at += 1
            then = self.binary(1)
            self.eat(":")
            otherwise = self.expression()
            condition = Conditional(condition.start, otherwise.end, condition, then, otherwise)
        self.depth -= 1
        return condition

    def binary(self, power: int) -> Node:
        left = self.unary()
        while True:
            kind, word, _, _ = self.tokens[self.at]
            strength = _POWER.get(word, 0) if kind == "mark" else 0
            if not strength or strength < power:
                return left
            self.at += 1
            right = self.binary(strength + 1)
            left = Binary(left.start, right.end, word, left, right)
            if strength == 3 and any(self.sees(c) for c in _COMPARISONS):
                raise self.fail("&& or || (comparisons do not chain)")

    def unary(self) -> Node:
        kind, word, start, _ = self.tokens[self.at]
        if kind != "mark" or word not in ("!", "-"):
            return self.postfix(self.primary())
        self.depth += 1
        if self.depth > MAX_DEPTH:
            raise ExpressionSyntaxError(
                f"an expression nests at most {MAX_DEPTH} deep", start, DEEP
            )
        self.at += 1
        if word == "-" and self.tokens[self.at][0] == "int":
            number = self.primary()
            assert isinstance(number, Literal)
            assert isinstance(number.value, int)
            node: Node = self.postfix(Literal(start, number.end, -number.value))
        else:
            operand = self.unary()
            node = Unary(start, operand.end, word, operand)
        self.depth -= 1
        return node

    def arguments(self, end: str) -> tuple[tuple[Node, ...], int]:
        items: list[Node] = []
        while not self.sees(end):
            items.append(self.expression())
            self.comma(end)
        return tuple(items), self.eat(end)

    def comma(self, end: str) -> None:
        """Take the comma between two items; none is needed before the end."""
        if self.sees(","):
            self.at += 1
        elif not self.sees(end):
            raise self.fail(f"',' or {end!r}")

    def postfix(self, node: Node) -> Node:
        while True:
            if self.sees("."):
                self.at += 1
                end = self.tokens[self.at][3]
                word = self.name("a name after '.'")
                if self.sees("("):
                    self.at += 1
                    items, end = self.arguments(")")
                    node = Call(node.start, end, word, (node, *items), True)
                else:
                    node = Access(node.start, end, node, word)
            elif self.sees("["):
                self.at += 1
                index = self.expression()
                node = Index(node.start, self.eat("]"), node, index)
            elif self.sees("{") and isinstance(node, Name):
                self.at += 1
                fields: list[tuple[str, Node]] = []
                while not self.sees("}"):
                    word = self.name("a field name")
                    self.eat(":")
                    fields.append((word, self.expression()))
                    self.comma("}")
                node = RecordLiteral(node.start, self.eat("}"), node.name, tuple(fields))
            else:
                return node

    def primary(self) -> Node:
        kind, word, start, end = self.tokens[self.at]
        if kind == "int":
            self.at += 1
            if len(word) > 1 and word[0] == "0":
                raise ExpressionSyntaxError(f"a number has no leading zero, found {word}", start)
            if len(word) > 16 or int(word) > _INT_LIMIT:
                raise ExpressionSyntaxError("a number is at most 2^53", start)
            return Literal(start, end, int(word))
        if kind == "text":
            self.at += 1
            return Literal(start, end, word[1:-1])
        if kind == "name":
            if word in ("true", "false"):
                self.at += 1
                return Literal(start, end, word == "true")
            if word == "null":
                self.at += 1
                return Literal(start, end, None)
            if word in _RESERVED:
                raise self.fail("a name (this one is reserved)")
            self.at += 1
            if self.sees("("):
                self.at += 1
                items, end = self.arguments(")")
                return Call(start, end, word, items, False)
            return Name(start, end, word)
        if self.sees("("):
            self.at += 1
            node = self.expression()
            # the span holds the parentheses, so that the text of a span is an expression
            return replace(node, start=start, end=self.eat(")"))
        if self.sees("["):
            self.at += 1
            items, end = self.arguments("]")
            return ListLiteral(start, end, items)
        raise self.fail("a value")


def _bad_hint(text: str, start: int) -> str | None:
    if text[start] == "=":
        return "write '==' to compare"
    if text[start] in "&|":
        return f"write {text[start] * 2!r}"
    if text[start] in "\"'":
        closed = text.find(text[start], start + 1)
        if "\\" in text[start:closed]:
            return "quoted names have no backslash"
        return "close the quote"
    if text[start] in "0123456789":
        return "numbers are whole and decimal"
    return None
