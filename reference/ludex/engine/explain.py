"""Explaining: the same expressions evaluated a second way, with every value kept.

A program compiles an expression to Python and runs it. The `Explainer` walks the typed tree, and
uses for each operator and macro the same template of the operator table; so both say the same,
and the explainer can also say which part of a requirement failed, and with what values.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from ludex.engine.budget import WorkFault
from ludex.engine.program import Position, Program
from ludex.engine.templates import expression, name
from ludex.language.operators import MACROS, OPERATORS

__all__ = ["Cause", "Explainer"]

Json = Mapping[str, Any]
#: Turns of loops, elements of lists and calls in one explanation.
ROUNDS = 1_000_000


@dataclass(frozen=True)
class Cause:
    """A part of an expression that makes it false.

    Attributes
    ----------
    text : str
        The part, as the spec has it.
    values : dict
        Sub-term to its canonical value.
    """

    text: str
    values: dict[str, Any] = field(default_factory=dict)

    def __str__(self) -> str:
        known = ", ".join(f"{k} is {_shown(v)}" for k, v in self.values.items())
        return f"{self.text}: {known}" if known else self.text


class Explainer:
    """Evaluates typed trees over positions of one program.

    Parameters
    ----------
    program : Program
        The compiled game.
    """

    def __init__(self, program: Program) -> None:
        self.program = program
        self.codec = program.codec
        self._space = program.namespace()
        self._functions = {f["name"]: f for f in program.document["functions"]}
        self._operators: dict[str, Callable[..., Any]] = {}
        self._left = ROUNDS
        #: type text to the name of the kind or record that it is about
        self._names: dict[str, str] = {}

    # -- values ------------------------------------------------------------------------------

    def begin(self) -> None:
        """Begin an explanation: what it may cost is bounded."""
        self._left = ROUNDS

    def _spend(self, rounds: int) -> None:
        self._left -= rounds
        if self._left < 0:
            raise WorkFault(f"more than {ROUNDS} rounds of work to explain")

    def value(self, tree: Json, position: Position, local: Mapping[str, Any]) -> Any:
        """Return the value of a typed tree, as `part` does, as an explanation of its own."""
        self.begin()
        return self.part(tree, position, local)

    def part(self, tree: Json, position: Position, local: Mapping[str, Any]) -> Any:
        """Return the value of a typed tree within an explanation that has begun.

        Parameters
        ----------
        tree : dict
            From the game document.
        position : Position
            Where it is evaluated.
        local : mapping
            Values of locals, as the engine has them.
        """
        if "lit" in tree:
            return self.codec.encode(tree["lit"], self.codec.type(tree["type"]))
        if "get" in tree:
            return self._get(tree, position, local)
        if "all" in tree:
            return list(range(len(self.codec.members[tree["all"]])))
        if "attr" in tree:
            kind = self._inner(tree["of"]["type"])
            return self._space[f"A_{kind}_{tree['attr']}"][self.part(tree["of"], position, local)]
        if "field" in tree:
            names = [n for n, _ in self.codec.fields(self._inner(tree["of"]["type"]))]
            return self.part(tree["of"], position, local)[names.index(tree["field"])]
        if "key" in tree:
            of = self.part(tree["of"], position, local)
            return of[self.part(tree["key"], position, local)]
        if "op" in tree:
            return self._operator(tree, position, local)
        if "macro" in tree:
            return self._macro(tree, position, local)
        if "call" in tree:
            self._spend(1)
            function = self._functions[tree["call"]]
            args = [self.part(a, position, local) for a in tree["args"]]
            names = [p["name"] for p in function["params"]]
            return self.part(function["is"]["tree"], position,
                              dict(zip(names, args, strict=True)))
        if "if" in tree:
            condition, then, other = tree["if"]
            chosen = then if self.part(condition, position, local) else other
            return self.part(chosen, position, local)
        if "list" in tree:
            return [self.part(t, position, local) for t in tree["list"]]
        names = [n for n, _ in self.codec.fields(tree["record"])]
        return [self.part(tree["fields"][n], position, local) for n in names]

    def _inner(self, text: str) -> str:
        if text not in self._names:
            type_ = self.codec.type(text)
            while type_.head in ("optional", "slot"):
                type_ = type_.args[0]
            self._names[text] = type_.name
        return self._names[text]

    def _get(self, tree: Json, position: Position, local: Mapping[str, Any]) -> Any:
        form, word = tree["get"], tree.get("name", "")
        if form == "state":
            return position[self.program.slots[word]]
        if form == "local":
            return local[word]
        if form == "constant":
            return self._space[f"K_{word}"]
        if form == "players":
            return list(range(len(self.codec.players)))
        if form == "n_players":
            return len(self.codec.players)
        return self.program.settings[form][word]

    def _operator(self, tree: Json, position: Position, local: Mapping[str, Any]) -> Any:
        left, *rest = tree["args"]
        first = self.part(left, position, local)
        # the two connectives are strict from left to right, but stop when the answer is known
        if tree["op"] == "&&" and not first:
            return False
        if tree["op"] == "||" and first:
            return True
        others = [self.part(a, position, local) for a in rest]
        if tree["op"] == "concat":
            self._spend(len(first) + len(others[0]))
        elif tree["op"] == "range":
            self._spend(max(0, first))
        return self._compiled(tree["op"])(first, *others)

    def _compiled(self, operator: str) -> Callable[..., Any]:
        if operator not in self._operators:
            python = self.program.template(operator)
            params = ["_a", "_b", "_c"][: len(OPERATORS[operator].params)]
            body = expression(python, _n=ast.Constant(len(self.codec.players)))
            self._operators[operator] = self._lambda(params, body)
        return self._operators[operator]

    def _macro(self, tree: Json, position: Position, local: Mapping[str, Any]) -> Any:
        items = self.items(tree, position, local)
        key = f"macro {tree['macro']}"
        if key not in self._operators:
            call = ast.Call(name("f"), [name("x")], [])
            body = expression(MACROS[tree["macro"]].python, _x=name("x"), _p=call)
            self._operators[key] = self._lambda(["_l", "f"], body)

        def each(item: Any) -> Any:
            return self.part(tree["body"], position, {**local, tree["as"]: item})

        return self._operators[key](items, each)

    def _lambda(self, params: list[str], body: ast.expr) -> Callable[..., Any]:
        arguments = ast.arguments([], [ast.arg(p) for p in params], None, [], [], None, [])
        node = ast.fix_missing_locations(ast.Expression(ast.Lambda(arguments, body)))
        made: Callable[..., Any] = eval(compile(node, "<operator>", "eval"), self._space)
        return made

    def items(self, tree: Json, position: Position, local: Mapping[str, Any]) -> list[Any]:
        """Return what a macro goes through: of a map the keys."""
        type_ = self.codec.type(tree["over"]["type"])
        if type_.head == "map":
            return list(range(len(self.codec.keys(type_.args[0]))))
        over = self.part(tree["over"], position, local)
        self._spend(len(over))
        return list(over)

    # -- causes ------------------------------------------------------------------------------

    def why_not(
        self, clause: Json, position: Position, local: Mapping[str, Any]
    ) -> list[Cause]:
        """Return the parts that make a condition false; none if it is true.

        Parameters
        ----------
        clause : dict
            An expression of the document, with ``expr`` and ``tree``.
        position : Position
            Where.
        local : mapping
            Values of locals, as the engine has them.
        """
        self.begin()
        return self._causes(clause["tree"], clause["expr"], position, local, True)

    def _causes(
        self,
        tree: Json,
        text: str,
        position: Position,
        local: Mapping[str, Any],
        wanted: bool,
    ) -> list[Cause]:
        if bool(self.part(tree, position, local)) == wanted:
            return []
        operator = tree.get("op")
        if operator == "!":
            return self._causes(tree["args"][0], text, position, local, not wanted)
        if operator in ("&&", "||"):
            found = []
            for arg in tree["args"]:
                causes = self._causes(arg, text, position, local, wanted)
                found += causes
                if causes and operator == ("&&" if wanted else "||"):
                    # the rest was not looked at
                    break
            return found
        if tree.get("macro") in ("all", "exists"):
            return [self._element(tree, text, position, local, wanted)]
        return [Cause(self._text(tree, text), self._values(tree, text, position, local))]

    def _element(
        self, tree: Json, text: str, position: Position, local: Mapping[str, Any], wanted: bool
    ) -> Cause:
        """Return the cause of a failed `all` or `exists`: the element, or that there is none."""
        values = {}
        if (tree["macro"] == "all") == wanted:
            for item in self.items(tree, position, local):
                inner = {**local, tree["as"]: item}
                if bool(self.part(tree["body"], position, inner)) != wanted:
                    type_ = self.codec.type(tree["over"]["type"])
                    values[tree["as"]] = self._decoded(item, str(type_.args[0]))
                    break
        else:
            values[self._text(tree["over"], text)] = self._decoded(
                self.part(tree["over"], position, local), tree["over"]["type"]
            )
        return Cause(self._text(tree, text), values)

    def _values(
        self, tree: Json, text: str, position: Position, local: Mapping[str, Any]
    ) -> dict[str, Any]:
        parts = tree.get("args", [tree] if "get" in tree or "key" in tree else [])
        values = {}
        for part in parts:
            if "lit" in part:
                continue
            value = self.part(part, position, local)
            values[self._text(part, text)] = self._decoded(value, part["type"])
        return values

    def _decoded(self, value: Any, type_text: str) -> Any:
        if isinstance(value, range):
            value = list(value)
        return self.codec.decode(value, self.codec.type(type_text))

    def _text(self, tree: Json, text: str) -> str:
        start, end = tree["span"]
        return text[start:end]


def _shown(value: Any) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, list):
        return "[" + ", ".join(map(_shown, value)) + "]"
    return "null" if value is None else str(value)
