"""Statements about zones to Python: fill, move, shuffle.

Every statement that changes the position is a *clause*: it has a number, a rule and the variables
it writes. A traced program notes the numbers as they run; a fast program does not contain the
notes at all.
"""

from __future__ import annotations

import ast
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from ludex.engine.chance import Site
from ludex.engine.codec import Codec
from ludex.engine.expressions import ExpressionCompiler
from ludex.engine.templates import constant, expression, name, statements
from ludex.language.types import Type

__all__ = ["Block", "Clause", "Json", "ZoneCompiler", "root_of"]

Json = Mapping[str, Any]
Block = list[ast.stmt]


@dataclass(frozen=True)
class Clause:
    """A statement that changes the position.

    Attributes
    ----------
    rule : str
        The rule it formalises.
    where : str
        Its place in the game document, for example ``moves.extend.do.0``.
    writes : tuple of str
        Variables that it may change.
    also : tuple of str
        Further rules that it formalises.
    """

    rule: str
    where: str
    writes: tuple[str, ...]
    also: tuple[str, ...] = ()


class ZoneCompiler:
    """Compiles statements that move components.

    Parameters
    ----------
    expressions : ExpressionCompiler
        For everything inside.
    codec : Codec
        For the types of zones.
    visibility : mapping
        Variable to who sees it: everyone, owner, nobody.
    traced : bool
        Whether generated code notes the clauses that run.
    """

    def __init__(
        self,
        expressions: ExpressionCompiler,
        codec: Codec,
        visibility: Mapping[str, str],
        traced: bool,
    ) -> None:
        self.expressions = expressions
        self.codec = codec
        self.visibility = visibility
        self.traced = traced
        self.clauses: list[Clause] = []
        self.sites: list[Site] = []
        self._fresh = 0

    def fresh(self, stem: str) -> ast.Name:
        """Return a new name; blocks may nest, so temporaries must not collide."""
        self._fresh += 1
        return name(f"{stem}_{self._fresh}")

    def note(self, statement: Json, where: str, *writes: Json) -> Block:
        """Give a clause a number, and return the code that notes it (none in a fast program)."""
        self.clauses.append(
            Clause(
                statement["rule"],
                where,
                tuple(root_of(w["tree"]) for w in writes),
                tuple(statement.get("also", ())),
            )
        )
        if not self.traced:
            return []
        return statements("note(_i, S)", _i=constant(len(self.clauses) - 1))

    # -- zones -------------------------------------------------------------------------------

    def zone(self, clause: Json) -> tuple[ast.expr, Type]:
        """Compile a zone and return it with its type."""
        return self.expressions.place(clause), self.codec.type(clause["tree"]["type"])

    def _fill(self, statement: Json, where: str) -> Block:
        zone, type_ = self.zone(statement["zone"])
        if type_.head == "deck" and self.codec.stacked:
            zone = expression("_z[0]", _z=zone)
        variable = statement.get("as")
        member = name(f"v_{variable}") if variable else self.fresh("c")
        count = (
            self.expressions.compile(statement["count"]) if "count" in statement else constant(1)
        )
        if id(statement) in self.expressions.counted:
            count = expression("many(_n)", _n=count)
        code = statements("fill(_z, _x, _n)", _z=zone, _x=member, _n=count)
        if "where" in statement:
            test = self.expressions.compile(statement["where"])
            code = statements("if _c:\n _b", _c=test, _b=code)
        size = len(self.codec.members[type_.args[0].name])
        loop = statements(
            "for _x in range(_n):\n _b\n_z.sort()",
            _x=member, _n=constant(size), _b=code, _z=zone,
        )
        return [*self.note(statement, where, statement["zone"]), *loop]

    def put(self, statement: Json, card: ast.expr) -> Block:
        """Put one component into the target zone."""
        zone, type_ = self.zone(statement["to"])
        at = statement.get("at")
        if type_.head == "list":
            index = self.row_index(at, zone)
            return statements("insert_stack(_z, _i, [_c])", _z=zone, _i=index, _c=card)
        template = {
            "bag": "insort(_z, _c)",
            "stack": "_z.insert(0, _c)" if at == "bottom" else "_z.append(_c)",
            "slot": "if _z is not None:\n full()\n_t = _c",
            "deck": "deck_put(_z, _c, _at)" if self.codec.stacked else "insort(_z, _c)",
        }[type_.head]
        return statements(template, _z=zone, _c=card, _t=zone, _at=constant(at))

    def put_many(self, statement: Json, cards: ast.expr) -> Block:
        """Put several components into the target zone."""
        zone, type_ = self.zone(statement["to"])
        at = statement.get("at")
        if type_.head == "list":
            index = self.row_index(at, zone)
            return statements("if _c:\n insert_stack(_z, _i, _c)", _z=zone, _i=index, _c=cards)
        template = {
            "bag": "merge(_z, _c)",
            "stack": "_z[0:0] = _c" if at == "bottom" else "_z.extend(_c)",
            "deck": (
                "for c in _c:\n deck_put(_z, c, _at)" if self.codec.stacked else "merge(_z, _c)"
            ),
        }[type_.head]
        return statements(template, _z=zone, _c=cards, _at=constant(at))

    def row_index(self, at: Any, zone: ast.expr) -> ast.expr:
        """Compile where a new stack goes in a list of stacks."""
        if at == "first":
            return constant(0)
        if at == "last":
            return expression("len(_z)", _z=zone)
        return self.expressions.compile(at)

    def _move(self, statement: Json, where: str) -> Block:
        zone, type_ = self.zone(statement["from"])
        note = self.note(statement, where, statement["from"], statement["to"])
        if "card" in statement:
            card = self.fresh("c")
            wanted = self.expressions.compile(statement["card"])
            if type_.head == "slot":
                code = statements("_c = _w\nif _c is None or _z != _c:\n missing()\n_t = None",
                                  _c=card, _w=wanted, _z=zone, _t=zone)
            else:
                deck = type_.head == "deck" and self.codec.stacked
                how = "_c = deck_take(_z, _w)" if deck else "_c = take(_z, _w)"
                code = statements(how, _c=card, _w=wanted, _z=zone)
            return [*note, *code, *self.put(statement, card)]
        if type_.head == "slot":
            card = self.fresh("c")
            body = statements("_c = _z\n_t = None", _c=card, _z=zone, _t=zone)
            body = [*body, *self.put(statement, card)]
            return [*note, *statements("if _z is not None:\n _b", _z=zone, _b=body)]
        many = self.fresh("m")
        target = self.codec.type(statement["to"]["tree"]["type"])
        if "range" in statement and type_.head == "list" and target.head == "bag":
            return [*note, *self._stacks_to_bag(statement, zone, many)]
        if "cards" in statement:
            take = expression("take_many(_z, _w)", _z=zone,
                              _w=self.expressions.compile(statement["cards"]))
        elif "range" in statement:
            start, end = (self.expressions.compile(r) for r in statement["range"])
            take = expression("take_range(_z, _s, _e)", _z=zone, _s=start, _e=end)
        elif "where" in statement:
            member = name(f"v_{statement['as']}")
            test = self.expressions.compile(statement["where"])
            take = expression("take_many(_z, [_x for _x in _l if _p])",
                              _z=zone, _l=self.expressions.due(statement, zone), _x=member,
                              _p=test)
        else:
            take = expression("take_range(_z, 0, len(_z))", _z=zone)
        if type_.head == "list":
            take = expression("flatten(_m)", _m=take)
        code = statements("_m = _t", _m=many, _t=take)
        return [*note, *code, *self.put_many(statement, many)]

    def _stacks_to_bag(self, statement: Json, zone: ast.expr, stack: ast.Name) -> Block:
        """Move a range of stacks into a bag, without a list in between."""
        start, end = (self.expressions.compile(r) for r in statement["range"])
        return statements(
            "_l = _s\n_h = _e\n"
            "if not 0 <= _l <= _h <= len(_z):\n bad_range(_l, _h, len(_z))\n"
            "if _l < _h:\n"
            " for _m in _z[_l:_h]:\n  _t.extend(_m)\n"
            " _t.sort()\n del _z[_l:_h]",
            _l=self.fresh("l"),
            _h=self.fresh("h"),
            _s=start,
            _e=end,
            _z=zone,
            _t=self.expressions.compile(statement["to"]),
            _m=stack,
        )

    def _shuffle(self, statement: Json, where: str) -> Block:
        deck, _ = self.zone(statement["into"])
        changed = [statement["into"]]
        code: Block = []
        if "from" in statement:
            zone, type_ = self.zone(statement["from"])
            changed.insert(0, statement["from"])
            if type_.head == "deck" and self.codec.stacked:
                code += statements("deck_shuffle(_z)", _z=zone)
                zone = expression("_z[0]", _z=zone)
            part = expression("_d[0]", _d=deck) if self.codec.stacked else deck
            code += statements("_d.extend(_z)\n_z.clear()\n_d.sort()", _d=part, _z=zone)
        if self.codec.stacked:
            code += statements("deck_shuffle(_d)", _d=deck)
        return [*self.note(statement, where, *changed), *code]


def root_of(tree: Json) -> str:
    """Return the variable that a path is rooted at."""
    while "get" not in tree:
        tree = tree["of"] if "of" in tree else tree["args"][0]
    return str(tree["name"])
