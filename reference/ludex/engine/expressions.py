"""Typed trees to Python expressions.

Conventions of generated code: ``S`` is the position (a list: step, outcome, variables), ``v_x`` a
local of the spec, ``A_Kind_column`` a column of components, ``K_x`` a constant of the spec,
``T_f`` a function of the spec that is kept as a table.
"""

from __future__ import annotations

import ast
from collections.abc import Collection, Mapping
from typing import Any

from ludex.engine.codec import Codec
from ludex.engine.derived import tables
from ludex.engine.failing import Functions, may_fail
from ludex.engine.quantifiers import Searches
from ludex.engine.templates import constant, expression, name
from ludex.language.operators import MACROS, OPERATORS

__all__ = ["ExpressionCompiler", "fold", "is_range"]

Json = Mapping[str, Any]
#: What operators on decks become where decks have known places.
_STACKED = {"size.deck": "deck_size(_a)", "copies.deck": "deck_copies(_a, _b)"}
#: `all` and `exists` over more players or members than this become a loop.
MAX_UNROLLED = 8
#: So many tests are written out for one expression, at most.
MAX_TESTS = 64
#: A function of more parts than this, with those that it calls, is never put in its place.
MAX_INLINED = 1000
#: Operators that compare their operands, or hand them on.
_KEEPS_LISTS = frozenset({"==", "!=", "or", "copies", "in"})
_OPPOSITE: dict[type[ast.cmpop], type[ast.cmpop]] = {
    ast.In: ast.NotIn, ast.Eq: ast.NotEq, ast.NotEq: ast.Eq, ast.Is: ast.IsNot, ast.IsNot: ast.Is,
}
#: Macros that may be a search in a list, with the comparison that is searched for.
_SEARCHES: dict[str, tuple[type[ast.cmpop], ...]] = {
    "exists": (ast.Eq, ast.Is), "all": (ast.NotEq, ast.IsNot),
}


class ExpressionCompiler:
    """Compiles expressions of one game for one number of players, rulings and options.

    Parameters
    ----------
    document : dict
        The game document.
    codec : Codec
        For literals.
    slots : mapping
        Variable to its index in the position.
    settings : mapping
        ``ruling`` and ``option`` to the chosen values (encoded).
    counted : collection of int
        The ``id`` of each tree that counts its rounds.
    """

    def __init__(
        self,
        document: Json,
        codec: Codec,
        slots: Mapping[str, int],
        settings: Mapping[str, Mapping[str, Any]],
        counted: Collection[int] = (),
    ) -> None:
        self.codec = codec
        self.slots = slots
        self.settings = settings
        self.counted = counted
        self._tests = 1
        self.functions = Functions(document["functions"])
        self.tables = tables(document, codec)
        self.searches = Searches()

    def compile(self, clause: Json) -> ast.expr:
        """Compile an expression clause."""
        return self.tree(clause["tree"])

    def place(self, clause: Json) -> ast.expr:
        """Compile a path as a place that can be read and written."""
        tree = clause["tree"]
        if tree.get("op") == "index":
            items, index = (self.tree(a) for a in tree["args"])
            return expression("_l[position_in(_l, _i)]", _l=items, _i=index)
        return self.tree(tree)

    def tree(self, tree: Json, local: Mapping[str, ast.expr] | None = None) -> ast.expr:
        """Compile a typed tree; `local` says what inlined parameters stand for."""
        node = self.bare(tree, local or {})
        # in Python a range is never equal to a list
        return expression("[*_r]", _r=node) if is_range(node) or _is_span(node) else node

    def due(self, tree: Any, node: ast.expr) -> ast.expr:
        """Return a list that takes its rounds from the budget, if its tree is counted."""
        return expression("due(_l)", _l=node) if id(tree) in self.counted else node

    def loop(self, tree: Json, local: Mapping[str, ast.expr] | None = None) -> ast.expr:
        """Compile what is gone through: of a map the keys, of numbers and members a range."""
        type_ = self.codec.type(tree["type"])
        if type_.head == "map":
            return expression("range(_n)", _n=constant(len(self.codec.keys(type_.args[0]))))
        return self.bare(tree, local or {})

    def bare(self, tree: Json, local: Mapping[str, ast.expr]) -> ast.expr:
        """Compile a typed tree; a list may become a range."""
        if "lit" in tree:
            return constant(self.codec.encode(tree["lit"], self.codec.type(tree["type"])))
        if "get" in tree:
            return self.get(tree, local)
        if "all" in tree:
            return expression("range(_n)", _n=constant(len(self.codec.members[tree["all"]])))
        if "attr" in tree:
            type_ = self.codec.type(tree["of"]["type"])
            while type_.head in ("optional", "slot"):
                type_ = type_.args[0]
            table = name(f"A_{type_.name}_{tree['attr']}")
            return expression("_t[_x]", _t=table, _x=self.tree(tree["of"], local))
        if "key" in tree:
            return expression(
                "_m[_k]", _m=self.tree(tree["of"], local), _k=self.tree(tree["key"], local)
            )
        if "op" in tree:
            return self.operator(tree, local)
        if "macro" in tree:
            return self.macro(tree, local)
        if "call" in tree:
            return self.call(tree, local)
        if "if" in tree:
            condition, then, other = (self.tree(t, local) for t in tree["if"])
            if isinstance(condition, ast.Constant):
                return then if condition.value else other
            return ast.IfExp(condition, then, other)
        if "field" in tree:
            record = self.codec.type(tree["of"]["type"])
            while record.head in ("optional", "slot"):
                record = record.args[0]
            names = [n for n, _ in self.codec.fields(record.name)]
            index = constant(names.index(tree["field"]))
            return expression("_r[_i]", _r=self.tree(tree["of"], local), _i=index)
        if "record" in tree:
            names = [n for n, _ in self.codec.fields(tree["record"])]
            return ast.List([self.tree(tree["fields"][n], local) for n in names], ast.Load())
        if "list" in tree:
            return ast.List([self.tree(t, local) for t in tree["list"]], ast.Load())
        raise AssertionError(tree)

    def get(self, tree: Json, local: Mapping[str, ast.expr]) -> ast.expr:
        """Compile a name."""
        form, word = tree["get"], tree.get("name", "")
        if form == "state":
            return expression("S[_i]", _i=constant(self.slots[word]))
        if form == "local":
            return local.get(word) or name(f"v_{word}")
        if form == "constant":
            return name(f"K_{word}")
        if form == "players":
            return expression("range(_n)", _n=constant(len(self.codec.players)))
        if form == "n_players":
            return constant(len(self.codec.players))
        return constant(self.settings[form][word])

    def operator(self, tree: Json, local: Mapping[str, ast.expr]) -> ast.expr:
        """Compile an entry of the operator table."""
        operator = OPERATORS[tree["op"]]
        compile_ = self.tree if operator.id in _KEEPS_LISTS else self.bare
        args = [compile_(a, local) for a in tree["args"]]
        nothing = _compares_with_zero(tree)
        if nothing is not None and nothing["op"] in (
            ("size",) if self.codec.stacked else ("size", "size.deck")
        ):
            zone = self.bare(nothing["args"][0], local)
            return expression("not _z", _z=zone)
        if operator.id == "index" and _is_seat(*args):
            return args[1]
        parts = dict(zip(("_a", "_b", "_c"), args, strict=False))
        if operator.id == "range" and id(tree) in self.counted:
            return expression("span(_a)", **parts)
        node = expression(self.template(operator.id), **parts, _n=constant(len(self.codec.players)))
        if operator.id == "*":
            # of all operators only this one makes long numbers out of short ones in a few turns
            return expression("whole(_v)", _v=node)
        return self.due(tree, node) if operator.result.head == "list" else fold(node)

    def template(self, operator: str) -> str:
        """Return the Python template of an operator."""
        python = _STACKED.get(operator) if self.codec.stacked else None
        return python or OPERATORS[operator].python

    def macro(self, tree: Json, local: Mapping[str, ast.expr]) -> ast.expr:
        """Compile an entry of the macro table."""
        inner = {k: v for k, v in local.items() if k != tree["as"]}
        unrolled = self.unrolled(tree, local, inner)
        if unrolled is not None:
            return unrolled
        over, body = self.loop(tree["over"], local), self.tree(tree["body"], inner)
        variable = name(f"v_{tree['as']}")
        if tree["macro"] in ("flat_map", "closure"):
            body = self.due(tree, body)
        stops = tree["macro"] == "first" or not may_fail(tree["body"], self.functions)
        if tree["macro"] in _SEARCHES:
            found = _membership(body, variable.id, _SEARCHES[tree["macro"]])
            if found is not None and not self.key_may_fail(tree["body"], found[2]):
                # exists(x, f(x) == k) with k free of x is a search in a list
                side, key, _ = found
                items = _whole(side, over, variable.id)
                over = self.due(tree, over)
                if items is not None or not (stops and isinstance(key, ast.Constant)):
                    # the list is worth making for the sake of other keys: it may be kept
                    items = items or expression("[_p for _x in _l]", _p=side, _x=variable, _l=over)
                    word = "_k in _l" if tree["macro"] == "exists" else "_k not in _l"
                    return expression(word, _k=key, _l=items)
        # macros look at every element, but for `first`; a loop stops, so only where nobody notices
        over = over if _is_due(over) else self.due(tree, over)
        loop = self.searches.call(tree["macro"], over, variable, body) if stops else None
        if loop is not None:
            return loop
        return expression(MACROS[tree["macro"]].python, _l=over, _x=variable, _p=body)

    def key_may_fail(self, body: Json, side: int) -> bool:
        """Return whether one side of a comparison must not be asked for where a list is empty."""
        plain = body.get("op") in ("==", "!=")
        return may_fail(body["args"][side] if plain else body, self.functions)

    def unrolled(
        self, tree: Json, local: Mapping[str, ast.expr], inner: Mapping[str, ast.expr]
    ) -> ast.expr | None:
        """Compile `all` or `exists` over few players or members as a chain of tests."""
        # macros look at every element; a chain of tests stops, so only where nobody notices
        if tree["macro"] not in ("all", "exists") or may_fail(tree["body"], self.functions):
            return None
        over = self.loop(tree["over"], local)
        if not is_range(over) or not isinstance(over, ast.Call):
            return None
        size = over.args[0]
        if not isinstance(size, ast.Constant) or not 2 <= int(str(size.value)) <= MAX_UNROLLED:
            return None
        count = int(str(size.value))
        if id(tree) in self.counted or self._tests * count > MAX_TESTS:
            return None
        self._tests *= count
        tests = [
            self.tree(tree["body"], {**inner, tree["as"]: constant(i)}) for i in range(count)
        ]
        self._tests //= count
        return ast.BoolOp(ast.And() if tree["macro"] == "all" else ast.Or(), tests)

    def call(self, tree: Json, local: Mapping[str, ast.expr]) -> ast.expr:
        """Compile a call of a function of the game; a short one is put in its place."""
        function = self.functions[tree["call"]]
        args = [self.tree(a, local) for a in tree["args"]]
        if tree["call"] in self.tables:
            key = args[0] if len(args) == 1 else ast.Tuple(args, ast.Load())
            return ast.Subscript(name(f"T_{tree['call']}"), key, ast.Load())
        call = ast.Call(name(f"f_{tree['call']}"), [name("S"), *args], [])
        if id(tree) in self.counted:
            return expression("spend() or _f", _f=call)
        names = [p["name"] for p in function["params"]]
        short = self.functions.sizes[tree["call"]] <= MAX_INLINED
        safe = short and not any(may_fail(a, self.functions) for a in tree["args"])
        if safe and all(map(_cheap, args)) and not _binds(function["is"]["tree"], args):
            return self.tree(function["is"]["tree"], dict(zip(names, args, strict=True)))
        return call


def is_range(node: ast.expr) -> bool:
    """Return whether generated code gives a range."""
    return isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and (
        node.func.id == "range"
    )


def _is_span(node: ast.expr) -> bool:
    return isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "span"


def _is_due(node: ast.expr) -> bool:
    return isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "due"


def fold(node: ast.expr) -> ast.expr:
    """Replace a comparison or connective of constants by its value.

    Rulings and options are constants, so clauses of the readings not chosen disappear.
    """
    if isinstance(node, ast.Compare) and all(
        isinstance(x, ast.Constant) for x in (node.left, node.comparators[0])
    ):
        left, right = node.left.value, node.comparators[0].value  # type: ignore[attr-defined]
        if isinstance(node.ops[0], ast.Eq):
            return constant(left == right)
        if isinstance(node.ops[0], ast.NotEq):
            return constant(left != right)
    if isinstance(node, ast.Compare):
        return _compared_with_null(node)
    if isinstance(node, ast.BoolOp) and isinstance(node.values[0], ast.Constant):
        first = bool(node.values[0].value)
        if first == isinstance(node.op, ast.And):
            return node.values[1]
        return constant(first)
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not):
        inner = node.operand
        if isinstance(inner, ast.Constant):
            return constant(not inner.value)
        if isinstance(inner, ast.Compare) and type(inner.ops[0]) in _OPPOSITE:
            return ast.Compare(
                inner.left, [_OPPOSITE[type(inner.ops[0])]()], inner.comparators
            )
    return node


def _compares_with_zero(tree: Json) -> Json | None:
    """Return the operator node whose value is compared with 0 for equality."""
    if tree["op"] == "==":
        left, right = tree["args"]
        if right.get("lit") == 0 and "op" in left and right.get("type") == "int":
            # the size of null is a fault
            present = not left["args"][0]["type"].startswith("optional(")
            return left if present else None
    return None


def _is_seat(items: ast.expr, index: ast.expr) -> bool:
    """Return whether an indexed range gives the index itself: ``players[0]``."""
    size = items.args[0] if is_range(items) and isinstance(items, ast.Call) else None
    return (
        isinstance(size, ast.Constant)
        and isinstance(index, ast.Constant)
        and 0 <= int(str(index.value)) < int(str(size.value))
    )


def _names(node: ast.AST) -> set[str]:
    return {n.id for n in ast.walk(node) if isinstance(n, ast.Name)}


def _membership(
    body: ast.expr, variable: str, operators: tuple[type[ast.cmpop], ...]
) -> tuple[ast.expr, ast.expr, int] | None:
    """Return what is searched, the key, and which operand that is, if a body is ``f(x) == k``."""
    if isinstance(body, ast.Compare) and isinstance(body.ops[0], operators):
        left, right = body.left, body.comparators[0]
        if variable not in _names(right) and _cheap(right):
            return left, right, 1
        if variable not in _names(left) and _cheap(left):
            return right, left, 0
    return None


def _whole(side: ast.expr, over: ast.expr, variable: str) -> ast.expr | None:
    """Return the map m, if what is searched is ``m[x]`` for every key x."""
    if not (isinstance(side, ast.Subscript) and isinstance(side.slice, ast.Name)):
        return None
    if side.slice.id != variable or not is_range(over) or variable in _names(side.value):
        return None
    table = isinstance(side.value, ast.Name) and side.value.id.startswith("T_")
    return None if table else side.value


def _compared_with_null(node: ast.Compare) -> ast.expr:
    """Return a comparison with null as Python does it fastest."""
    words: dict[type[ast.cmpop], ast.cmpop] = {ast.Eq: ast.Is(), ast.NotEq: ast.IsNot()}
    right = node.comparators[0]
    null = isinstance(right, ast.Constant) and right.value is None
    word = words.get(type(node.ops[0]))
    return ast.Compare(node.left, [word], [right]) if null and word is not None else node


def _cheap(node: ast.expr) -> bool:
    """Return whether evaluating a node twice costs little: a name, a constant, one look-up."""
    if isinstance(node, ast.Name | ast.Constant):
        return True
    return isinstance(node, ast.Subscript) and _cheap(node.value) and _cheap(node.slice)


def _binds(tree: Json, args: list[ast.expr]) -> bool:
    """Return whether a function's own locals would capture a name used in the arguments."""
    used = {n[2:] for a in args for n in _names(a) if n.startswith("v_")}
    found: list[Any] = [tree]
    while found:
        item = found.pop()
        if isinstance(item, dict):
            if item.get("as") in used:
                return True
            found.extend(item.values())
        elif isinstance(item, list):
            found.extend(item)
    return False
