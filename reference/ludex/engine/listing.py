"""Listing legal actions, and saying what an action breaks."""

from __future__ import annotations

import ast
from collections.abc import Mapping, Sequence
from typing import Any

from ludex.engine.expressions import ExpressionCompiler, is_range
from ludex.engine.failing import may_fail
from ludex.engine.hoist import Hoist
from ludex.engine.templates import (
    constant,
    expression,
    name,
    placed,
    placed_expression,
    statements,
)

__all__ = ["Listing"]

Json = Mapping[str, Any]
#: Domains up to this size are written out as a tuple, which Python goes through faster.
MAX_TUPLE = 16


class Listing:
    """Compiles the parts of a program that go through possible actions."""

    document: Json
    moves: Sequence[str]
    steps: Sequence[str]
    _expressions: ExpressionCompiler

    def _function(
        self, identifier: str, params: list[str], body: list[ast.stmt], place: str
    ) -> None:
        raise NotImplementedError

    def _root(self, identifier: str, params: list[str], body: list[ast.stmt], place: str) -> None:
        raise NotImplementedError

    def _decision(self, index: int, step: Json) -> None:
        actors = self._expressions.compile(step["actors"])
        self._root(f"actors_{index}", ["S"],
                   [ast.Return(expression("list(dict.fromkeys(_l))", _l=actors))],
                   step["actors"]["place"])
        if step["none"] is not None:
            self._function(
                f"auto_{index}",
                ["S", "C"],
                statements("if _a:\n return True\nS[0] = _i", _a=actors,
                           _i=constant(self.steps.index(step["none"]))),
                step["place"],
            )
        moves = [self.document["moves"][self.moves.index(m)] for m in step["moves"]]
        shared: dict[str, ast.Name] = {}
        body: list[ast.stmt] = []
        for move in moves:
            # several moves often choose from the same zone: list what is there once
            if move["params"]:
                domain = self._domain(move["params"][0])
                text = ast.dump(domain)
                if text not in shared:
                    shared[text] = name(f"d_{len(shared)}")
                    body += placed(statements("_d = _l", _d=shared[text], _l=domain),
                                   move["params"][0]["place"])
        hoist = Hoist()
        for move in moves:
            body += self._enumerate(move, shared, hoist)
        body = [*hoist.start(), *body]
        each = actors if _single(actors) else expression("dict.fromkeys(_l)", _l=actors)
        loop = statements("for v_actor in _l:\n _b", _l=each, _b=body)
        self._root(f"legal_{index}", ["S"],
                   [*statements("out = []"), *loop, *statements("return out")], step["place"])

    def _domain(self, param: Json) -> ast.expr:
        """Compile what a parameter may be, each value once."""
        domain = self._present(param)
        if "when" not in param:
            return domain
        condition = self._expressions.compile(param["when"])
        return expression("_d if _c else (None,)", _d=domain, _c=condition)

    def _present(self, param: Json) -> ast.expr:
        node = self._expressions.loop(param["in"]["tree"])
        if "subset" in param:
            low, high = self._bounds(param)
            return expression("subsets(_l, _a, _b)", _l=node, _a=low, _b=high)
        if not is_range(node):
            return expression("dict.fromkeys(_l)", _l=node)
        size = node.args[0] if isinstance(node, ast.Call) else None
        if isinstance(size, ast.Constant) and int(str(size.value)) <= MAX_TUPLE:
            return constant(tuple(range(int(str(size.value)))))
        return node

    def _bounds(self, param: Json) -> tuple[ast.expr, ast.expr]:
        low, high = param["subset"]["min"], param["subset"]["max"]
        return (
            self._expressions.compile(low) if low else constant(0),
            self._expressions.compile(high) if high else constant(None),
        )

    def _possible(self, param: Json) -> ast.expr:
        """Compile the test whether a value is one that the parameter may be."""
        value = name(f"v_{param['name']}")
        node = self._expressions.loop(param["in"]["tree"])
        if "subset" in param:
            low, high = self._bounds(param)
            test = expression("is_subset(_x, _l, _a, _b)", _x=value, _l=node, _a=low, _b=high)
        else:
            test = expression("_x in _l", _x=value, _l=node)
        if "when" not in param:
            return test
        condition = self._expressions.compile(param["when"])
        return expression("(_x is not None and _t) if _c else _x is None", _x=value, _t=test,
                          _c=condition)

    def _enumerate(
        self, move: Json, shared: Mapping[str, ast.Name], hoist: Hoist
    ) -> list[ast.stmt]:
        """Compile the loops over the parameters; each requirement is tested as early as it can."""
        params = move["params"]
        names = [f"v_{p['name']}" for p in params]
        tests: list[tuple[int, ast.expr]] = []
        for requirement in move["requires"]:
            test = self._expressions.compile(requirement["that"])
            used = {n.id for n in ast.walk(test) if isinstance(n, ast.Name)}
            depth = max((i + 1 for i, n in enumerate(names) if n in used), default=0)
            if tests and may_fail(requirement["that"]["tree"], self._expressions.functions):
                # it may only make sense where those before it hold
                depth = max(depth, *(d for d, _ in tests))
            test = hoist.lift(test, names) if depth else test
            tests.append((depth, placed_expression(test, requirement["that"]["place"])))
        index = constant(self.moves.index(move["name"]))
        counted = id(params) in self._expressions.counted

        def level(depth: int) -> list[ast.stmt]:
            if depth == len(params):
                action = ast.Tuple([name("v_actor"), index, *map(name, names)], ast.Load())
                body = statements("out.append(_t)", _t=action)
            else:
                domain = self._domain(params[depth])
                known = shared.get(ast.dump(domain)) if depth == 0 else None
                values = known or domain
                if counted:
                    values = expression("due(_l)", _l=values)
                body = placed(statements("for _x in _d:\n _b", _x=name(names[depth]),
                                         _d=values, _b=level(depth + 1)),
                              params[depth]["place"])
            here = [t for d, t in tests if d == depth]
            if not here:
                return body
            test = here[0] if len(here) == 1 else ast.BoolOp(ast.And(), here)
            return statements("if _c:\n _b", _c=test, _b=body)

        return level(0)

    def _broken(self, move: Json) -> list[ast.stmt]:
        body: list[ast.stmt] = []
        for index, param in enumerate(move["params"]):
            body += placed(statements(
                "if not _t:\n return [_i]", _t=self._possible(param), _i=constant(-1 - index),
            ), param["place"])
        body += statements("bad = []")
        for index, requirement in enumerate(move["requires"]):
            # one requirement may only make sense where those before it hold
            body += placed(statements(
                "try:\n if not _c:\n  bad.append(_i)\n"
                "except FAULTS:\n if not bad:\n  raise",
                _c=self._expressions.compile(requirement["that"]),
                _i=constant(index),
            ), requirement["that"]["place"])
        return [*body, *statements("return bad")]


def _single(node: ast.expr) -> bool:
    return is_range(node) or (isinstance(node, ast.List) and len(node.elts) == 1)
