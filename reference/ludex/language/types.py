"""Type terms: what a variable, a parameter or an expression may hold."""

from __future__ import annotations

import re
from collections.abc import Collection
from dataclasses import dataclass

__all__ = [
    "ANY",
    "BOOL",
    "INT",
    "NULL",
    "PLAYER",
    "TEXT",
    "ZONES",
    "Type",
    "TypeSyntaxError",
    "element",
    "fits",
    "holds_components",
    "list_of",
    "loosened",
    "mentions_text",
    "parse_type",
]


@dataclass(frozen=True)
class Type:
    """A type term.

    Attributes
    ----------
    head : str
        ``int bool player null text any kind record optional list map deck bag stack slot``.
    args : tuple of Type
        Element types; a map has key and value.
    name : str
        Of a kind or a record.
    """

    head: str
    args: tuple[Type, ...] = ()
    name: str = ""

    def __str__(self) -> str:
        if self.args:
            return f"{self.head}({', '.join(map(str, self.args))})"
        return self.name or self.head


INT = Type("int")
BOOL = Type("bool")
PLAYER = Type("player")
NULL = Type("null")
#: A string literal whose kind is not yet known.
TEXT = Type("text")
#: The element of an empty list literal.
ANY = Type("any")

#: Zones hold components; only ``move``, ``draw``, ``fill`` and ``shuffle`` change them.
ZONES = frozenset({"deck", "bag", "stack", "slot"})
_ARITY = {"optional": 1, "list": 1, "map": 2, "deck": 1, "bag": 1, "stack": 1, "slot": 1}
_SCALARS = {"int": INT, "bool": BOOL, "player": PLAYER}


class TypeSyntaxError(Exception):
    """A type text that cannot be read: message, offset, and the names that would be right."""

    def __init__(self, message: str, offset: int, known: Collection[str] = ()) -> None:
        super().__init__(message)
        self.message = message
        self.offset = offset
        self.known = known


def parse_type(
    text: str,
    kinds: Collection[str],
    records: Collection[str] = (),
    *,
    inner: bool = False,
) -> Type:
    """Read a type text.

    Parameters
    ----------
    text : str
        For example ``"map(Side, stack(Card))"``.
    kinds, records : collection of str
        The declared names.
    inner : bool
        Whether ``null`` and ``any`` are types too, as in a typed tree.

    Raises
    ------
    TypeSyntaxError
        If it is not a type.
    """
    tokens = [(m.group(), m.start()) for m in re.finditer(r"[A-Za-z_][\w.]*|\S", text)]
    tokens.append(("", len(text)))
    position = 0

    def term() -> Type:
        nonlocal position
        word, offset = tokens[position]
        position += 1
        if word in _SCALARS:
            return _SCALARS[word]
        if word in kinds:
            return Type("kind", name=word)
        if word in records:
            return Type("record", name=word)
        if inner and word in ("null", "any"):
            return Type(word)
        if word not in _ARITY:
            found = repr(word) if word else "the end"
            known = [*_SCALARS, *_ARITY, *kinds, *records]
            raise TypeSyntaxError(f"expected a type, found {found}", offset, known)
        arguments: list[Type] = []
        expect("(")
        while True:
            arguments.append(term())
            if tokens[position][0] != ",":
                break
            position += 1
        expect(")")
        if len(arguments) != _ARITY[word]:
            raise TypeSyntaxError(
                f"{word} takes {_ARITY[word]} type(s), found {len(arguments)}", offset
            )
        if word in ZONES and arguments[0].head != "kind":
            raise TypeSyntaxError(
                f"{word} holds components of a kind, found {arguments[0]}", offset
            )
        if word == "optional" and holds_components(arguments[0]):
            raise TypeSyntaxError(
                f"optional holds a value, not components, found {arguments[0]}", offset, ("slot",)
            )
        if word == "map" and arguments[0].head not in ("kind", "player"):
            raise TypeSyntaxError(
                f"the key of a map is a kind or player, found {arguments[0]}", offset
            )
        return Type(word, tuple(arguments))

    def expect(mark: str) -> None:
        nonlocal position
        word, offset = tokens[position]
        if word != mark:
            raise TypeSyntaxError(
                f"expected {mark!r} in a type, found {repr(word) if word else 'the end'}", offset
            )
        position += 1

    result = term()
    if tokens[position][0]:
        word, offset = tokens[position]
        raise TypeSyntaxError(f"expected the end of the type, found {word!r}", offset)
    return result


def list_of(item: Type) -> Type:
    """Return ``list(item)``."""
    return Type("list", (item,))


def element(type_: Type) -> Type | None:
    """Return what iterating over a value of this type gives, or None.

    A map is iterated over its keys.
    """
    if type_.head in ("list", "bag", "stack", "map"):
        return type_.args[0]
    return None


def fits(found: Type, wanted: Type) -> bool:
    """Return whether a value of type `found` may stand where `wanted` is expected.

    A slot or an optional value may stand for its element: that it is not empty is checked when
    the expression runs. A bag or a stack may be read as a list.
    """
    if found == wanted or ANY in (found, wanted):
        return True
    if wanted.head in ("optional", "slot"):
        return found == NULL or fits(found, wanted.args[0])
    if found.head in ("optional", "slot"):
        return fits(found.args[0], wanted)
    if wanted.head == "list" and found.head in ("list", "bag", "stack"):
        return fits(found.args[0], wanted.args[0])
    return False


def mentions_text(type_: Type) -> bool:
    """Return whether a quoted name whose kind is not yet known is in values of this type."""
    return type_ == TEXT or any(map(mentions_text, type_.args))


def loosened(type_: Type) -> Type:
    """Return the type with anything in the place of quoted names."""
    if type_ == TEXT:
        return ANY
    return Type(type_.head, tuple(map(loosened, type_.args)), type_.name)


def holds_components(type_: Type) -> bool:
    """Return whether values of this type contain components, which must be conserved."""
    if type_.head in ZONES:
        return True
    return type_.head in ("list", "map") and holds_components(type_.args[-1])
