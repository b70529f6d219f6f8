"""Statements to Python: variables and control, on top of `asking` and `zones`."""

from __future__ import annotations

import ast
from collections.abc import Mapping, Sequence

from ludex.engine.asking import AskingCompiler
from ludex.engine.budget import MAX_LIST
from ludex.engine.codec import Codec
from ludex.engine.expressions import ExpressionCompiler
from ludex.engine.templates import assign, constant, expression, name, placed, statements
from ludex.engine.zones import Block, Json
from ludex.language.types import Type

__all__ = ["StatementCompiler"]


class StatementCompiler(AskingCompiler):
    """Compiles blocks of one game.

    Parameters
    ----------
    expressions : ExpressionCompiler
        For everything inside.
    codec : Codec
        For literals and zones.
    steps : sequence of str
        Names, by index.
    visibility : mapping
        Variable to who sees it: everyone, owner, nobody.
    traced : bool
        Whether generated code notes the clauses that run.
    """

    def __init__(
        self,
        expressions: ExpressionCompiler,
        codec: Codec,
        steps: Sequence[str],
        visibility: Mapping[str, str],
        traced: bool,
    ) -> None:
        super().__init__(expressions, codec, visibility, traced)
        self.steps = list(steps)
        #: whether goto enters the step at once (in moves), or leaves that to the caller (in steps)
        self.chained = False
        #: whether the block may run more than once in a move: in a loop, or in an effect
        self.again = False

    def block(self, block: Sequence[Json], where: str) -> Block:
        """Compile a list of statements; ``goto`` becomes ``return``."""
        out: Block = []
        for index, statement in enumerate(block):
            here = f"{where}.{index}"
            code = getattr(self, f"_{statement['statement']}")(statement, here)
            if "when" in statement:
                condition = self.expressions.compile(statement["when"])
                code = statements("if _c:\n _b", _c=condition, _b=code)
            out.extend(placed(code, statement["place"]))
        return out

    # -- variables ---------------------------------------------------------------------------

    def _set(self, statement: Json, where: str) -> Block:
        pairs = statement["assign"]
        note = self.note(statement, where, *(p["target"] for p in pairs))
        before: Block = []
        paths = [p["target"] for p in pairs]
        if len(pairs) > 1:
            paths = [{"tree": self.fixed(p["tree"], before)} for p in paths]
        targets = [assign(self.expressions.place(p)) for p in paths]
        values = [self.assigned(p["value"], self.codec.type(p["target"]["tree"]["type"]))
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

    def assigned(self, clause: Json, wanted: Type) -> ast.expr:
        """Compile a value for a variable; in a loop a number may grow, so it is looked at."""
        node = self.value(clause, wanted)
        tree = clause["tree"]
        grows = self.again and tree["type"] == "int" and ("op" in tree or "call" in tree)
        return expression("whole(_v)", _v=node) if grows else node

    def value(self, clause: Json, wanted: Type | None = None) -> ast.expr:
        """Compile a value that is kept: lists are copied, so that none is shared."""
        node = self.expressions.compile(clause)
        type_ = self.codec.type(clause["tree"]["type"])
        if wanted is not None and _may_be_null(type_) and not _may_be_null(wanted):
            return expression("present(_v)", _v=node)
        if not _nested(type_):
            return node
        keys = self.most_keys(type_)
        if keys <= MAX_LIST:
            return expression("copy_value(_v)", _v=node)
        return expression("copy_value(_v, _n)", _v=node, _n=constant(keys))

    def most_keys(self, type_: Type) -> int:
        """Return the size of the largest map in a type: in a position it is a list, too."""
        own = len(self.codec.keys(type_.args[0])) if type_.head == "map" else 0
        return max([own, *map(self.most_keys, type_.args)])

    def _let(self, statement: Json, where: str) -> Block:
        return [
            ast.Assign([ast.Name(f"v_{n['name']}", ast.Store())], self.value(n["value"]))
            for n in statement["names"]
        ]

    def _add(self, statement: Json, where: str) -> Block:
        items = self.expressions.place(statement["to"])
        inner = self.codec.type(statement["to"]["tree"]["type"]).args[0]
        value = self.value(statement["value"], inner)
        note = self.note(statement, where, statement["to"])
        if "at" not in statement:
            return [*note, *statements("append(_l, _v)", _l=items, _v=value)]
        at = self.expressions.compile(statement["at"])
        return [*note, *statements("insert_at(_l, _i, _v)", _l=items, _i=at, _v=value)]

    def _remove(self, statement: Json, where: str) -> Block:
        items = self.expressions.place(statement["from"])
        at = self.expressions.compile(statement["at"])
        return [
            *self.note(statement, where, statement["from"]),
            *statements("del _l[position_in(_l, _i)]", _l=items, _i=at),
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
            _l=self.expressions.due(statement, self.expressions.loop(statement["in"]["tree"])),
            _b=self.looped(statement["do"], f"{where}.do"),
        )

    def looped(self, block: Sequence[Json], where: str) -> Block:
        """Compile a block that runs more than once."""
        before, self.again = self.again, True
        code = self.block(block, where)
        self.again = before
        return code

    def spent(self, statement: Json) -> Block:
        """Return the code that takes a round from the budget, if the statement is counted."""
        return statements("spend()") if id(statement) in self.expressions.counted else []

    def _repeat(self, statement: Json, where: str) -> Block:
        body = self.looped(statement["do"], f"{where}.do")
        if "while" in statement:
            stop = statements(
                "if not _c:\n break", _c=self.expressions.compile(statement["while"])
            )
            body = [*stop, *body]
        body = [*self.spent(statement), *body]
        return statements(
            "for _i in range(_n):\n _b",
            _i=self.fresh("i"),
            _n=self.expressions.compile(statement["times"]),
            _b=body,
        )

    def _do(self, statement: Json, where: str) -> Block:
        args = [self.expressions.compile(a) for a in statement["args"]]
        call = ast.Call(name(f"e_{statement['effect']}"), [name("S"), name("C"), *args], [])
        # a call changes nothing itself, but it may be all that carries out its rule
        return [*self.note(statement, where), *self.spent(statement), ast.Expr(call)]

    def _goto(self, statement: Json, where: str) -> Block:
        index = self.steps.index(statement["step"])
        if self.chained:
            return statements("_f(S, C)\nreturn", _f=name(f"enter_{index}"))
        return statements("S[0] = _i\nreturn", _i=constant(index))

    def _match(self, statement: Json, where: str) -> Block:
        value = self.fresh("k")
        type_ = self.codec.type(statement["match"]["tree"]["type"])
        index = self.codec.index[type_.name]
        code = (
            self.block(statement["else"], f"{where}.else")
            if "else" in statement
            else statements("raise RuleFault('a match without a case')")
        )
        for number, case in reversed(list(enumerate(statement["cases"]))):
            members = constant(tuple(index[m] for m in case["members"]))
            body = self.block(case["do"], f"{where}.cases.{number}.do")
            code = statements("if _v in _m:\n _a\nelse:\n _b", _v=value, _m=members, _a=body,
                              _b=code)
        wanted = self.expressions.compile(statement["match"])
        return [*statements("_v = _w", _v=value, _w=wanted), *code]


def _nested(type_: Type) -> bool:
    return type_.head in ("list", "map", "bag", "stack", "deck", "record")


def _may_be_null(type_: Type) -> bool:
    return type_.head in ("optional", "slot", "null")
