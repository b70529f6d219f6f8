"""How much work a move can be at most, as far as the spec alone says.

Work is counted in *rounds*: a turn of a loop, an element of a list that is made, a call. Kinds,
constants, options and the components of the setup have known sizes; a number that is a variable
has none. What surely stays small is compiled without counting. A loop that may be long, or that no
size is known of, is *counted*: it takes its rounds from the budget as it runs, and so do all loops
inside it (see :mod:`ludex.engine.budget`).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from ludex.engine.budget import SURE
from ludex.engine.codec import Codec
from ludex.engine.sizes import UNKNOWN, Local, Size, subsets_of, times
from ludex.engine.tree_cost import TreeCosts

__all__ = ["MAX_AUTOMATIC", "Costs"]

Json = Mapping[str, Any]
#: Automatic steps in a row before the engine gives up.
MAX_AUTOMATIC = 10_000


class Costs(TreeCosts):
    """Bounds of one game."""

    def __init__(self, document: Json, codec: Codec, options: Mapping[str, Any]) -> None:
        super().__init__(document, codec, options)
        self._blocks: dict[str, float] = {}
        #: kind to how many components the setup makes, while that is being found out
        self._made: dict[str, float] | None = dict.fromkeys(document["kinds"], 0)
        self.block(document["setup"], {})
        self.components, self._made = self._made, None
        self._limit = SURE
        while True:
            self._calls.clear()
            self._blocks.clear()
            if self.most() <= SURE:
                break
            self._limit /= 10

    # -- roots -------------------------------------------------------------------------------

    def most(self) -> float:
        """Return the most rounds that are not counted, of a move, a listing, the setup."""
        document = self.document
        found = [self.block(document["setup"], {}), self.automatic(),
                 *(self.move(m) for m in document["moves"])]
        found += [self.clause(i["that"], {})[1] for i in document["invariants"]]
        for step in document["steps"]:
            if "do" not in step:
                names = step["moves"]
                found.append(sum(self.listing(m) for m in document["moves"] if m["name"] in names)
                             * len(self.codec.players) + self.clause(step["actors"], {})[1])
        return max(found)

    def move(self, move: Json) -> float:
        """Return the most rounds of carrying out a move."""
        local = {p["name"]: self.clause(p["in"], {})[0].item or UNKNOWN
                 for p in move["params"] if "subset" not in p}
        return self.block(move["do"], local)

    def automatic(self) -> float:
        """Return the most rounds of automatic steps in a row."""
        blocks = [s["do"] if "do" in s else s["actors"] for s in self.document["steps"]]
        steps = [self.block(s["do"], {}) if "do" in s else self.clause(s["actors"], {})[1]
                 for s in self.document["steps"]]
        one = max(steps) + self.ends()
        return self.loop(self.document["steps"], MAX_AUTOMATIC, one,
                         [*blocks, self.document["end"]])

    def ends(self) -> float:
        """Return the most rounds of testing whether the game is over."""
        return sum(
            self.clause(e["when"], {})[1] + self.clause(e["winners"], {})[1]
            + (times(len(self.codec.players), self.clause(e["returns"], {})[1])
               if "returns" in e else 0)
            for e in self.document["end"]
        )

    def listing(self, move: Json) -> float:
        """Return the most rounds of going through all arguments of a move."""
        count: float = 1
        work: float = 0
        local: dict[str, Size] = {}
        for param in move["params"]:
            domain, cost = self.clause(param["in"], local)
            cost += sum(self.clause(param[k], local)[1] for k in ("when",) if k in param)
            work += times(count, cost)
            values = domain.length
            element = self.codec.type(param["in"]["tree"]["type"]).args
            if element and element[0].head in ("kind", "player"):
                values = min(values, len(self.codec.keys(element[0])))
            local[param["name"]] = domain.item or UNKNOWN
            if "subset" in param:
                most = param["subset"]["max"]
                high = domain.length if most is None else self.clause(most, local)[0].high
                local[param["name"]] = Size(length=min(high, domain.length), item=domain.item)
                values = subsets_of(domain.length, high)
            count = times(count, values)
        tests = sum(self.clause(r["that"], local)[1] for r in move["requires"])
        inside = [move["params"], [r["that"] for r in move["requires"]]]
        return self.loop(move["params"], 1, work + times(count, 1 + tests), inside)

    # -- statements --------------------------------------------------------------------------

    def block(self, block: Sequence[Json], local: Local, rounds: float = 1) -> float:
        """Return the most rounds of a block; `rounds` says how often it runs (in the setup)."""
        names = dict(local)
        return sum(self.statement(s, names, rounds) for s in block)

    def statement(self, statement: Json, names: dict[str, Size], rounds: float) -> float:
        """Return the most rounds of a statement, and add the names that it defines."""
        kind = statement["statement"]
        work: float = 1 + (self.clause(statement["when"], names)[1] if "when" in statement else 0)
        if kind == "each":
            over, cost = self.clause(statement["in"], names)
            inner = {**names, statement["as"]: over.item or UNKNOWN}
            body = self.block(statement["do"], inner, times(rounds, over.length))
            return work + cost + self.loop(statement, over.length, 1 + body, statement["do"])
        if kind == "repeat":
            count, cost = self.clause(statement["times"], names)
            n = max(0, count.high)
            test = self.clause(statement["while"], names)[1] if "while" in statement else 0
            body = self.block(statement["do"], names, times(rounds, n))
            inside = [statement["do"], statement.get("while")]
            return work + cost + self.loop(statement, n, 1 + test + body, inside)
        if kind == "do":
            args = sum(self.clause(a, names)[1] for a in statement["args"])
            each = self.effect(statement["effect"])
            inside = self.effects[statement["effect"]]["do"]
            return work + args + self.loop(statement, 1, each, inside)
        for key in ("then", "else"):
            if key in statement:
                work += self.block(statement[key], names, rounds)
        for case in statement.get("cases", ()):
            work += self.block(case["do"], names, rounds)
        return work + self.plain(statement, names, rounds)

    def plain(self, statement: Json, names: dict[str, Size], rounds: float) -> float:
        """Return the most rounds of a statement that has no block."""
        kind = statement["statement"]
        if kind == "fill":
            return self.fill(statement, names, rounds)
        if kind == "draw":
            count = self.clause(statement["count"], names)[0].high if "count" in statement else 1
            inside: Any = []
            refill: float = 0
            if "when_empty" in statement:
                refill = self.effect(statement["when_empty"]["effect"])
                inside = statement["when_empty"]
                self._costs[id(inside)] = refill
            elif _root(statement["from"]) != _root(statement["to"]):
                count = min(count, self.clause(statement["from"], names)[0].length)
            return self.loop(statement, max(0, count), 1 + refill, inside)
        if kind == "move" and "where" in statement:
            zone, _ = self.clause(statement["from"], names)
            test = self.clause(statement["where"], {**names, statement["as"]: UNKNOWN})[1]
            return self.loop(statement, zone.length, 1 + test, statement["where"])
        work: float = 0
        for clause in _clauses(statement):
            work += self.clause(clause, names)[1]
        if kind == "let":
            for one in statement["names"]:
                names[one["name"]] = self.clause(one["value"], names)[0]
        elif kind == "pick":
            names[statement["as"]] = self.clause(statement["from"], names)[0].item or UNKNOWN
        elif kind == "roll":
            count = self.clause(statement["count"], names)[0].high if "count" in statement else 1
            sides = self.clause(statement["sides"], names)[0].high
            names[statement["as"]] = Size(length=max(0, count), item=Size(1, sides))
            work += self.loop(statement, max(0, count), 1, [])
        return work

    def effect(self, name: str) -> float:
        """Return the most rounds of an effect, whatever its arguments are."""
        if name not in self._blocks:
            self._blocks[name] = 1 + self.block(self.effects[name]["do"], {})
        return self._blocks[name]

    def fill(self, statement: Json, names: dict[str, Size], rounds: float) -> float:
        """Return the most rounds of a fill, and count what it makes."""
        kind = self.codec.type(statement["zone"]["tree"]["type"]).args[0].name
        inner = {**names, statement["as"]: UNKNOWN} if "as" in statement else names
        count, each = self.clause(statement["count"], inner) if "count" in statement \
            else (Size(1, 1), 0)
        test = self.clause(statement["where"], inner)[1] if "where" in statement else 0
        members = len(self.codec.members[kind])
        made = times(members, max(0, count.high))
        if self._made is not None:
            self._made[kind] += times(rounds, made)
        return self.loop(statement, 1, made + times(members, 1 + each + test), [])


def _clauses(statement: Json) -> list[Json]:
    """Return the expressions that stand in a statement itself."""
    found: list[Json] = []
    todo: list[Any] = [v for k, v in statement.items()
                       if k not in ("when", "then", "else", "cases", "do")]
    while todo:
        item = todo.pop()
        if isinstance(item, Mapping):
            if "tree" in item:
                found.append(item)
            else:
                todo.extend(item.values())
        elif isinstance(item, list):
            todo.extend(item)
    return found


def _root(clause: Json) -> str:
    """Return the variable that a path is rooted at."""
    tree = clause["tree"]
    while "get" not in tree:
        tree = tree["of"] if "of" in tree else tree["args"][0]
    return str(tree["name"])
