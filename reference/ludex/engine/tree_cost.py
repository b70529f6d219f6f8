"""How much work an expression is at most, and what is known of its value.

See :mod:`ludex.engine.cost`, which does the same for statements and for whole moves.
"""

from __future__ import annotations

from collections.abc import Mapping
from math import inf
from typing import Any

from ludex.engine.budget import MAX_LIST, MAX_ROW
from ludex.engine.codec import Codec
from ludex.engine.flow import nodes
from ludex.engine.sizes import UNKNOWN, Local, Size, join, of_data, product, times
from ludex.language.types import Type

__all__ = ["TreeCosts"]

Json = Mapping[str, Any]
#: After so many calls were looked at, the rest counts as unbounded.
MAX_CALLS = 5000
#: What takes no more rounds than this is never counted by itself.
SHORT = 64


class TreeCosts:
    """Bounds of the expressions of one game.

    Parameters
    ----------
    document : dict
        The game document.
    codec : Codec
        For types and sizes of kinds.
    options : mapping
        Chosen values.

    Attributes
    ----------
    counted : set of int
        The ``id`` of each loop, list, call and move of the document that counts its rounds.
    components : dict
        Kind to how many components there are at most.
    """

    def __init__(self, document: Json, codec: Codec, options: Mapping[str, Any]) -> None:
        self.document = document
        self.codec = codec
        self.options = options
        self.functions = {f["name"]: f for f in document["functions"]}
        self.effects = {e["name"]: e for e in document["effects"]}
        self.constants = {c["name"]: of_data(c["value"]) for c in document["constants"]}
        self.components: dict[str, float] = {}
        self.counted: set[int] = set()
        self._calls: dict[Any, tuple[Size, float]] = {}
        self._costs: dict[int, float] = {}
        # a loop of more rounds is counted; at first none is
        self._limit: float = inf

    def bound(self, tree: Json) -> float:
        """Return the most rounds of an expression from outside the document."""
        kept = self.counted, self._limit
        self.counted, self._limit = set(), inf
        self._calls.clear()
        try:
            return self.tree(tree, {})[1]
        finally:
            self.counted, self._limit = kept
            self._calls.clear()

    # -- what is counted ---------------------------------------------------------------------

    def loop(self, site: Any, n: float, each: float, inside: Any) -> float:
        """Return the rounds of `n` turns; a loop that may be long is counted, so it has none."""
        if id(site) in self.counted:
            return 0
        cost = times(n, each)
        self._costs[id(site)] = max(cost, self._costs.get(id(site), 0))
        if cost <= self._limit:
            return cost
        self.count(site, inside)
        return 0

    def count(self, site: Any, inside: Any) -> None:
        """Count a loop, and whatever is inside it but for what is short in any case."""
        self.counted.add(id(site))
        todo = [inside]
        while todo:
            for node in nodes(todo.pop()):
                if id(node) in self.counted or self._costs.get(id(node), 0) <= SHORT:
                    continue
                self.counted.add(id(node))
                if "call" in node:
                    todo.append(self.functions[node["call"]]["is"])
                elif "effect" in node:
                    todo.append(self.effects[node["effect"]]["do"])

    # -- expressions -------------------------------------------------------------------------

    def clause(self, clause: Json, local: Local) -> tuple[Size, float]:
        """Return what is known of an expression, and the most rounds of finding it."""
        return self.tree(clause["tree"], local)

    def tree(self, tree: Json, local: Local) -> tuple[Size, float]:
        """Return what is known of a typed tree, and the most rounds of finding it."""
        type_ = self.codec.type(tree["type"])
        if "lit" in tree:
            return of_data(tree["lit"]), 0
        if "get" in tree:
            return self.name(tree, type_, local), 0
        if "all" in tree:
            return Size(length=len(self.codec.members[tree["all"]])), 0
        if "attr" in tree:
            return self.column(tree), self.tree(tree["of"], local)[1]
        if "field" in tree:
            return self.typed(type_), self.tree(tree["of"], local)[1]
        if "key" in tree:
            of, work = self.tree(tree["of"], local)
            return of.item or self.typed(type_), work + self.tree(tree["key"], local)[1]
        if "op" in tree:
            return self.operator(tree, type_, local)
        if "macro" in tree:
            return self.macro(tree, type_, local)
        if "call" in tree:
            args = [self.tree(a, local) for a in tree["args"]]
            found, work = self.call(tree["call"], tuple(a for a, _ in args))
            work = self.loop(tree, 1, work + 1, self.functions[tree["call"]]["is"])
            return found, work + sum(w for _, w in args)
        parts = [self.tree(t, local) for t in
                 (*tree.get("if", ()), *tree.get("list", ()), *tree.get("fields", {}).values())]
        work = sum(w for _, w in parts)
        sizes = [s for s, _ in parts]
        if "if" in tree:
            return join(sizes[1:]), work
        if "list" in tree:
            return Size(length=len(sizes), item=join(sizes)), work
        return UNKNOWN, work

    def name(self, tree: Json, type_: Type, local: Local) -> Size:
        """Return what is known of a name."""
        form, word = tree["get"], tree.get("name", "")
        if form == "local" and word in local:
            return local[word]
        if form == "constant":
            return self.constants[word]
        if form == "players":
            return Size(length=len(self.codec.players))
        if form == "n_players":
            return Size(len(self.codec.players), len(self.codec.players))
        return of_data(self.options[word]) if form == "option" else self.typed(type_)

    def typed(self, type_: Type) -> Size:
        """Return what is known of any value of a type that a variable can hold."""
        if type_.head in ("optional", "slot"):
            return self.typed(type_.args[0])
        if type_.head in ("bag", "stack", "deck"):
            return Size(length=self.components.get(type_.args[0].name, inf))
        if type_.head == "list":
            most = MAX_ROW if type_.args[0].head == "stack" else MAX_LIST
            return Size(length=most, item=self.typed(type_.args[0]))
        if type_.head == "map":
            return Size(length=len(self.codec.keys(type_.args[0])),
                        item=self.typed(type_.args[1]))
        return UNKNOWN

    def column(self, tree: Json) -> Size:
        """Return what is known of a column."""
        kind = self.codec.type(tree["of"]["type"])
        while kind.head in ("optional", "slot"):
            kind = kind.args[0]
        values = self.document["kinds"][kind.name]["columns"][tree["attr"]]["values"]
        return join([of_data(v) for v in values])

    def operator(self, tree: Json, type_: Type, local: Local) -> tuple[Size, float]:
        """Return what is known of an operator's value."""
        parts = [self.tree(a, local) for a in tree["args"]]
        a, *rest = [s for s, _ in parts]
        b = rest[0] if rest else UNKNOWN
        op = tree["op"]
        found = self.typed(type_)
        if op in ("+", "-"):
            found = (Size(a.low + b.low, a.high + b.high) if op == "+"
                     else Size(a.low - b.high, a.high - b.low))
        elif op == "negate":
            found = Size(-a.high, -a.low)
        elif op == "*":
            found = product(a, b)
        elif op in ("/", "%", "abs"):
            most = max(abs(a.low), abs(a.high))
            found = Size(-most, most)
        elif op in ("min.2", "max.2"):
            pick = min if op == "min.2" else max
            found = Size(pick(a.low, b.low), pick(a.high, b.high))
        elif op.startswith(("size", "copies")):
            found = Size(0, 1 if op == "size.slot" else a.length)
        elif op == "sum":
            found = Size(times(a.length, min(0, a.item.low)), times(a.length, max(0, a.item.high))
                         ) if a.item else found
        elif op in ("top", "bottom", "index", "min", "max"):
            found = a.item or found
        elif op in ("slice", "distinct"):
            found = a
        elif op == "concat":
            found = Size(length=a.length + b.length,
                         item=join([s.item for s in (a, b) if s.item is not None]) if a.item
                         or b.item else None)
        elif op == "range":
            found = Size(length=max(0, a.high), item=Size(0, max(0, a.high - 1)))
        elif op == "or":
            found = join([a, b])
        elif op.startswith("seats") or op == "opponents":
            found = Size(length=len(self.codec.players))
        made = found.length if op in ("slice", "distinct", "concat", "range") else 0
        return found, sum(w for _, w in parts) + self.loop(tree, made, 1, [])

    def macro(self, tree: Json, type_: Type, local: Local) -> tuple[Size, float]:
        """Return what is known of a macro's value."""
        over, work = self.tree(tree["over"], local)
        keys = self.codec.type(tree["over"]["type"]).head == "map"
        element = UNKNOWN if keys else over.item or UNKNOWN
        body, each = self.tree(tree["body"], {**local, tree["as"]: element})
        n = over.length
        form = tree["macro"]
        if form == "closure":
            # it goes through every value that there is, at most
            kind = type_.args[0]
            n = len(self.codec.keys(kind)) if kind.head in ("kind", "player") else inf
            over = Size(length=n)
        if form == "flat_map":
            each += body.length
        work += self.loop(tree, n, 1 + each, tree["body"])
        if form == "count":
            return Size(0, n), work
        if form == "filter":
            return over, work
        if form == "map":
            return Size(length=n, item=body), work
        if form == "flat_map":
            return Size(length=times(n, body.length), item=body.item), work
        if form == "sum":
            return Size(times(n, min(0, body.low)), times(n, max(0, body.high))), work
        if form in ("min", "max"):
            return body, work
        return (element if form == "first" else self.typed(type_)), work

    def call(self, name: str, args: tuple[Size, ...]) -> tuple[Size, float]:
        """Return what is known of a call of a function."""
        key = (name, args)
        if key not in self._calls:
            if len(self._calls) > MAX_CALLS:
                return UNKNOWN, inf
            function = self.functions[name]
            local = {p["name"]: s for p, s in zip(function["params"], args, strict=True)}
            self._calls[key] = self.clause(function["is"], local)
        return self._calls[key]
