"""The one table of operators, functions and macros.

An entry says how its operands are typed and which Python it becomes. The checker reads the
signatures, the engine the templates; a second evaluator (for explaining) compiles the same
templates, so that the two cannot drift apart.

Signatures are type texts with the type variable ``T``. Templates are trusted Python text with the
placeholders ``_a _b _c`` (operands, each once: an operand may be long) and ``_n`` (number of
players); in macros ``_l`` (the list), ``_x`` (the local), ``_p`` (the body).
Names such as ``idiv`` are functions of :mod:`ludex.engine.runtime`.
"""

from __future__ import annotations

from dataclasses import dataclass

from ludex.language.types import (
    ANY,
    NULL,
    PLAYER,
    TEXT,
    Type,
    fits,
    loosened,
    mentions_text,
    parse_type,
)

__all__ = ["MACROS", "OPERATORS", "OVERLOADS", "Macro", "Operator", "substitute", "unify"]

_VARIABLE = Type("kind", name="T")


@dataclass(frozen=True)
class Operator:
    """One typed form of an operator or a function.

    Attributes
    ----------
    id : str
        Unique; what a game document names.
    name : str
        What is written in an expression.
    params : tuple of Type
        Operand types; ``T`` is a variable.
    result : Type
        Its type.
    python : str
        The template.
    """

    id: str
    name: str
    params: tuple[Type, ...]
    result: Type
    python: str


@dataclass(frozen=True)
class Macro:
    """A macro over a list: ``list.name(x, body)``.

    Attributes
    ----------
    name : str
        For example ``exists``.
    body : str
        Type of the body: ``bool``, ``int``, ``list``, ``more`` (a list of such elements) or
        ``any``.
    result : str
        ``bool``, ``int``, ``list`` (of the elements), ``list of body``, ``body``,
        ``optional`` (an element).
    python : str
        The template.
    """

    name: str
    body: str
    result: str
    python: str


def _signature(text: str) -> tuple[tuple[Type, ...], Type]:
    left, right = text.split("->")
    params: list[Type] = []
    depth, word = 0, ""
    for letter in left.strip() + ",":
        depth += {"(": 1, ")": -1}.get(letter, 0)
        if letter == "," and depth == 0:
            if word.strip():
                params.append(parse_type(word.strip(), {"T"}))
            word = ""
        else:
            word += letter
    return tuple(params), parse_type(right.strip(), {"T"})


_TABLE = """
||            ||           bool, bool -> bool              _a or _b
&&            &&           bool, bool -> bool              _a and _b
!             !            bool -> bool                    not _a
negate        -            int -> int                      -_a
==            ==           T, T -> bool                    _a == _b
!=            !=           T, T -> bool                    _a != _b
<             <            int, int -> bool                _a < _b
<=            <=           int, int -> bool                _a <= _b
>             >            int, int -> bool                _a > _b
>=            >=           int, int -> bool                _a >= _b
in            in           T, list(T) -> bool              _a in _b
+             +            int, int -> int                 _a + _b
concat        +            list(T), list(T) -> list(T)     [*_a, *_b]
-             -            int, int -> int                 _a - _b
*             *            int, int -> int                 _a * _b
/             /            int, int -> int                 idiv(_a, _b)
%             %            int, int -> int                 imod(_a, _b)
size.deck     size         deck(T) -> int                  len(_a)
size.slot     size         slot(T) -> int                  (0 if _a is None else 1)
size          size         list(T) -> int                  len(_a)
top           top          list(T) -> T                    _a[-1]
bottom        bottom       list(T) -> T                    _a[0]
copies.deck   copies       deck(T), T -> int               _a.count(_b)
copies        copies       list(T), T -> int               _a.count(_b)
slice         slice        list(T), int, int -> list(T)    slice_(_a, _b, _c)
distinct      distinct     list(T) -> list(T)              distinct(_a)
range         range        int -> list(int)                range(_a)
abs           abs          int -> int                      abs(_a)
min.2         min          int, int -> int                 min(_a, _b)
max.2         max          int, int -> int                 max(_a, _b)
min           min          list(int) -> int                min(_a)
max           max          list(int) -> int                max(_a)
sum           sum          list(int) -> int                sum(_a)
next_player   next_player  player -> player                (_a + 1) % _n
seats_from    seats_from   player -> list(player)          seats_from(_a, _n)
seats_after   seats_after  player -> list(player)          seats_after(_a, _n)
opponents     opponents    player -> list(player)          opponents(_a, _n)
or            or           optional(T), T -> T             or_else(_a, _b)
index         []           list(T), int -> T               at(_a, _b)
"""


def _operators() -> dict[str, Operator]:
    table: dict[str, Operator] = {}
    for line in _TABLE.strip().splitlines():
        identifier, name, rest = line.split(None, 2)
        signature, python = (part.strip() for part in rest.split("  ", 1))
        params, result = _signature(signature)
        table[identifier] = Operator(identifier, name, params, result, python)
    return table


#: By id.
OPERATORS: dict[str, Operator] = _operators()

#: The typed forms of a written name, in the order in which they are tried.
OVERLOADS: dict[str, list[Operator]] = {}
for _operator in OPERATORS.values():
    OVERLOADS.setdefault(_operator.name, []).append(_operator)

#: By name.
MACROS: dict[str, Macro] = {
    m.name: m
    for m in (
        Macro("exists", "bool", "bool", "any([_p for _x in _l])"),
        Macro("all", "bool", "bool", "all([_p for _x in _l])"),
        Macro("exists_one", "bool", "bool", "[_p for _x in _l].count(True) == 1"),
        Macro("count", "bool", "int", "[_p for _x in _l].count(True)"),
        Macro("filter", "bool", "list", "[_x for _x in _l if _p]"),
        Macro("map", "any", "list of body", "[_p for _x in _l]"),
        Macro("flat_map", "list", "body", "[y_ for _x in _l for y_ in _p]"),
        Macro("sum", "int", "int", "sum([_p for _x in _l])"),
        Macro("min", "int", "int", "min([_p for _x in _l])"),
        Macro("max", "int", "int", "max([_p for _x in _l])"),
        Macro("first", "bool", "optional", "next((_x for _x in _l if _p), None)"),
        # the list grows while it is gone through
        Macro("closure", "more", "list",
              "[_x for g_ in (growing(_l),) for _x in g_ if g_.more(_p)]"),
    )
}


def unify(pattern: Type, found: Type, bound: dict[str, Type]) -> bool:
    """Match a type against a signature's, binding the variable.

    Parameters
    ----------
    pattern : Type
        From a signature.
    found : Type
        Of an operand.
    bound : dict
        What ``T`` stands for so far; changed.
    """
    if pattern == _VARIABLE:
        known = bound.get("T")
        if known == NULL and found not in (NULL, ANY):
            bound["T"] = found
            return found.head in ("optional", "slot")
        if known is None or known in (NULL, TEXT, ANY):
            bound["T"] = found
            return True
        if found in (TEXT, ANY, NULL):
            return found != NULL or known.head in ("optional", "slot")
        if mentions_text(found):
            return fits(loosened(found), known)
        if fits(found, known):
            return True
        if fits(known, found):
            bound["T"] = found
            return True
        return False
    if pattern.head == "list" and found.head in ("list", "bag", "stack"):
        return unify(pattern.args[0], found.args[0], bound)
    if pattern.head == "optional" and found.head in ("optional", "slot"):
        return unify(pattern.args[0], found.args[0], bound)
    if pattern.head == found.head and pattern.args:
        return all(unify(p, f, bound) for p, f in zip(pattern.args, found.args, strict=True))
    if found.head in ("optional", "slot") and pattern.head not in ("optional", "slot"):
        return unify(pattern, found.args[0], bound)
    if found == TEXT:
        # of the types that signatures name, only this one has quoted values
        return pattern == PLAYER
    return not pattern.args and fits(found, pattern)


def substitute(pattern: Type, bound: dict[str, Type]) -> Type | None:
    """Return the signature's type with ``T`` replaced, or None while it is not known."""
    if pattern == _VARIABLE:
        known = bound.get("T")
        return None if known in (None, NULL, TEXT, ANY) else known
    if not pattern.args:
        return pattern
    inner = [substitute(p, bound) for p in pattern.args]
    if any(i is None for i in inner):
        return None
    return Type(pattern.head, tuple(i for i in inner if i is not None), pattern.name)
