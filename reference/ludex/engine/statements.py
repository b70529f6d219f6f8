"""Statements to Python statements.

Every statement that changes the position is a *clause*: it has a number, a rule and the variables
it writes. A traced program notes the numbers as they run; a fast program does not contain the
notes at all.
"""

from __future__ import annotations

import ast
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from ludex.engine.chance import Outcome, Site
from ludex.engine.codec import Codec
from ludex.engine.expressions import ExpressionCompiler
from ludex.engine.templates import assign, constant, expression, name, statements
from ludex.language.types import Type

__all__ = ["Clause", "StatementCompiler"]

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


class StatementCompiler:
    """Compiles blocks of one game.

    Parameters
    ----------
    expressions : ExpressionCompiler
        For everything inside.
    codec : Codec
        For chance sites.
    steps : sequence of str
        Names, by index.
    traced : bool
        Whether generated code notes the clauses that run.
    """

    def __init__(
        self,
        expressions: ExpressionCompiler,
        codec: Codec,
        steps: Sequence[str],
        traced: bool,
    ) -> None:
        self.expressions = expressions
        self.codec = codec
        self.steps = list(steps)
        self.traced = traced
        #: whether goto enters the step at once (in moves), or leaves that to the caller (in steps)
        self.chained = False
        self.clauses: list[Clause] = []
        self.sites: list[Site] = []
        self._fresh = 0

    def fresh(self, stem: str) -> ast.Name:
        """Return a new name; blocks may nest, so temporaries must not collide."""
        self._fresh += 1
        return name(f"{stem}_{self._fresh}")

    def block(self, block: Sequence[Json], where: str) -> Block:
        """Compile a list of statements; ``goto`` becomes ``return``."""
        out: Block = []
        for index, statement in enumerate(block):
            here = f"{where}.{index}"
            code = getattr(self, f"_{statement['statement']}")(statement, here)
            if "when" in statement:
                condition = self.expressions.compile(statement["when"])
                code = statements("if _c:\n _b", _c=condition, _b=code)
            out.extend(code)
        return out

    def note(self, statement: Json, where: str, *writes: Json) -> Block:
        """Give a clause a number, and return the code that notes it (none in a fast program)."""
        self.clauses.append(
            Clause(
                statement["rule"],
                where,
                tuple(_root(w["tree"]) for w in writes),
                tuple(statement.get("also", ())),
            )
        )
        if not self.traced:
            return []
        return statements("note(_i, S)", _i=constant(len(self.clauses) - 1))

    # -- variables ---------------------------------------------------------------------------

    def _set(self, statement: Json, where: str) -> Block:
        pairs = statement["assign"]
        note = self.note(statement, where, *(p["target"] for p in pairs))
        before: Block = []
        paths = [p["target"] for p in pairs]
        if len(pairs) > 1:
            paths = [{"tree": self.fixed(p["tree"], before)} for p in paths]
        targets = [assign(self.expressions.place(p)) for p in paths]
        values = [self.value(p["value"], self.codec.type(p["target"]["tree"]["type"]))
                  for p in pairs]
        if len(pairs) == 1:
            return [*note, ast.Assign([targets[0]], values[0])]
        return [
            *note,
            *before,
            ast.Assign([ast.Tuple(targets, ast.Store())], ast.Tuple(values, ast.Load())),
        ]

    def fixed(self, tree: Json, before: Block) -> Json:
        """Return a path whose keys are locals: no assignment may change where another goes."""
        if "get" in tree:
            return tree
        key = tree["key"] if "key" in tree else tree["args"][1]
        variable = self.fresh("K")
        before += statements("_v = _k", _v=name(f"v_{variable.id}"),
                             _k=self.expressions.tree(key))
        local = {"get": "local", "name": variable.id, "type": key["type"]}
        if "key" in tree:
            return {**tree, "of": self.fixed(tree["of"], before), "key": local}
        return {**tree, "args": [self.fixed(tree["args"][0], before), local]}

    def value(self, clause: Json, wanted: Type | None = None) -> ast.expr:
        """Compile a value that is kept: lists are copied, so that none is shared."""
        node = self.expressions.compile(clause)
        type_ = self.codec.type(clause["tree"]["type"])
        if wanted is not None and _may_be_null(type_) and not _may_be_null(wanted):
            return expression("present(_v)", _v=node)
        return expression("copy_value(_v)", _v=node) if _nested(type_) else node

    def _let(self, statement: Json, where: str) -> Block:
        return [
            ast.Assign([ast.Name(f"v_{n['name']}", ast.Store())], self.value(n["value"]))
            for n in statement["names"]
        ]

    # -- control -----------------------------------------------------------------------------

    def _if(self, statement: Json, where: str) -> Block:
        condition = self.expressions.compile(statement["if"])
        then = self.block(statement["then"], f"{where}.then")
        other = self.block(statement["else"], f"{where}.else")
        if isinstance(condition, ast.Constant):
            return then if condition.value else other
        if not other:
            return statements("if _c:\n _a", _c=condition, _a=then)
        return statements("if _c:\n _a\nelse:\n _b", _c=condition, _a=then, _b=other)

    def _each(self, statement: Json, where: str) -> Block:
        return statements(
            "for _x in tuple(_l):\n _b",
            _x=name(f"v_{statement['as']}"),
            _l=self.expressions.loop(statement["in"]["tree"]),
            _b=self.block(statement["do"], f"{where}.do"),
        )

    def _repeat(self, statement: Json, where: str) -> Block:
        body = self.block(statement["do"], f"{where}.do")
        if "while" in statement:
            stop = statements(
                "if not _c:\n break", _c=self.expressions.compile(statement["while"])
            )
            body = [*stop, *body]
        return statements(
            "for _i in range(_n):\n _b",
            _i=self.fresh("i"),
            _n=self.expressions.compile(statement["times"]),
            _b=body,
        )

    def _do(self, statement: Json, where: str) -> Block:
        args = [self.expressions.compile(a) for a in statement["args"]]
        call = ast.Call(name(f"e_{statement['effect']}"), [name("S"), name("C"), *args], [])
        return [ast.Expr(call)]

    def _goto(self, statement: Json, where: str) -> Block:
        index = self.steps.index(statement["step"])
        if self.chained:
            return statements("_f(S, C)\nreturn", _f=name(f"enter_{index}"))
        return statements("S[0] = _i\nreturn", _i=constant(index))

    # -- zones -------------------------------------------------------------------------------

    def zone(self, clause: Json) -> tuple[ast.expr, Type]:
        """Compile a zone and return it with its type."""
        return self.expressions.place(clause), self.codec.type(clause["tree"]["type"])

    def _fill(self, statement: Json, where: str) -> Block:
        zone, type_ = self.zone(statement["zone"])
        variable = statement.get("as")
        member = name(f"v_{variable}") if variable else self.fresh("c")
        count = (
            self.expressions.compile(statement["count"]) if "count" in statement else constant(1)
        )
        code = statements("_z.extend([_x] * _n)", _z=zone, _x=member, _n=count)
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
        }[type_.head]
        return statements(template, _z=zone, _c=card, _t=zone)

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
        }[type_.head]
        return statements(template, _z=zone, _c=cards)

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
                code = statements("_c = take(_z, _w)", _c=card, _w=wanted, _z=zone)
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
            take = expression("take_many(_z, [_x for _x in _z if _p])",
                              _z=zone, _x=member, _p=test)
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

    # -- chance ------------------------------------------------------------------------------

    def site(self, kind: str, value_type: Type, paths: Mapping[str, Json], **fixed: str
             ) -> tuple[ast.expr, ast.expr]:
        """Register a chance site; return its name and the tuple of its keys."""
        keys: list[ast.expr] = []
        parts: list[tuple[str, list[Any]]] = []
        for word, clause in paths.items():
            pieces, types = _path(clause["tree"])
            names: list[Any] = [pieces[0]]
            for piece, type_text in zip(pieces[1:], types, strict=True):
                keys.append(self.expressions.tree(piece))
                names.append(self.codec.decoder(self.codec.type(type_text)))
            parts.append((word, names))

        def about(values: tuple[int, ...]) -> Outcome:
            rest = iter(values)
            result: Outcome = dict(fixed)
            for word, names in parts:
                result[word] = ".".join(
                    [names[0], *(str(decode(next(rest))) for decode in names[1:])]
                )
            return result

        codec = self.codec
        if value_type.head in ("player", "kind"):
            table = (
                codec.player_index if value_type.head == "player" else codec.index[value_type.name]
            )
            encode: Any = table.__getitem__
        else:
            encode = lambda value: codec.encode(value, value_type)  # noqa: E731
        self.sites.append(Site(kind, about, encode, codec.decoder(value_type)))
        return name(f"site_{len(self.sites) - 1}"), ast.Tuple(keys, ast.Load())

    def _draw(self, statement: Json, where: str) -> Block:
        zone, type_ = self.zone(statement["from"])
        card = self.fresh("c")
        site, keys = self.site(
            "draw", type_.args[0], {"from": statement["from"], "to": statement["to"]}
        )
        ask = statements(
            "_c = C.draw(_z, _s, _k)\n_z.remove(_c)", _c=card, _z=zone, _s=site, _k=keys
        )
        empty = expression("not _z", _z=zone)
        one = [
            *self.note(statement, where, statement["from"], statement["to"]),
            *ask,
            *self.put(statement, card),
        ]
        if "as" in statement:
            one += statements("_v = _c", _v=name(f"v_{statement['as']}"), _c=card)
        before = (
            statements("_v = None", _v=name(f"v_{statement['as']}")) if "as" in statement else []
        )
        if "count" not in statement:
            return [*before, *statements("if not _e:\n _b", _e=empty, _b=one)]
        loop = statements("if _e:\n break", _e=empty)
        return [
            *before,
            *statements(
                "for _i in range(_n):\n _b",
                _i=self.fresh("i"),
                _n=self.expressions.compile(statement["count"]),
                _b=[*loop, *one],
            ),
        ]

    def _pick(self, statement: Json, where: str) -> Block:
        items = self.expressions.loop(statement["from"]["tree"])
        type_ = self.codec.type(statement["from"]["tree"]["type"]).args[0]
        site, keys = self.site("pick", type_, {}, of=statement["as"])
        return [
            *self.note(statement, where),
            *statements("_v = C.pick(_l, _s, _k)", _v=name(f"v_{statement['as']}"), _l=items,
                        _s=site, _k=keys),
        ]

    def _roll(self, statement: Json, where: str) -> Block:
        count = (
            self.expressions.compile(statement["count"]) if "count" in statement else constant(1)
        )
        site, keys = self.site("roll", Type("list", (Type("int"),)), {})
        return [
            *self.note(statement, where),
            *statements(
                "_v = C.roll(_n, _d, _s, _k)",
                _v=name(f"v_{statement['as']}"),
                _n=count,
                _d=self.expressions.compile(statement["sides"]),
                _s=site,
                _k=keys,
            ),
        ]


def _nested(type_: Type) -> bool:
    return type_.head in ("list", "map", "bag", "stack", "deck", "record")


def _may_be_null(type_: Type) -> bool:
    return type_.head in ("optional", "slot", "null")


def _root(tree: Json) -> str:
    """Return the variable that a path is rooted at."""
    while "get" not in tree:
        tree = tree["of"] if "of" in tree else tree["args"][0]
    return str(tree["name"])


def _path(tree: Json) -> tuple[list[Any], list[str]]:
    """Return a path as the variable followed by key trees, and the types of the keys."""
    pieces: list[Any] = []
    types: list[str] = []
    while "get" not in tree:
        if "key" in tree:
            pieces.append(tree["key"])
            types.append(tree["key"]["type"])
            tree = tree["of"]
        else:
            pieces.append(tree["args"][1])
            types.append("int")
            tree = tree["args"][0]
    return [tree["name"], *reversed(pieces)], list(reversed(types))
