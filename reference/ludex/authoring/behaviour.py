"""Behaviour of a game: functions, effects, steps, moves, endings."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from ludex.authoring.clauses import Json, Rules, named
from ludex.authoring.data_checks import facts_only
from ludex.authoring.declarations import Declarations
from ludex.authoring.source import Cursor
from ludex.errors import closest
from ludex.language.checker import Names, Scope
from ludex.language.types import BOOL, INT, PLAYER, Type, list_of

__all__ = ["Behaviour"]

#: Types that an argument of a move may have.
_ARGUMENTS = ("int", "bool", "player", "kind", "any")
#: Of a bound: null where there is none.
_LIMIT = Type("optional", (INT,))


class Behaviour(Declarations):
    """Reads what a game does."""

    def block(
        self,
        where: str,
        at: Cursor,
        rule: Rules = (),
        local: Mapping[str, Type] | None = None,
        *,
        jumps: bool = False,
    ) -> list[Json]:
        """Read a block of the part of the game that `where` names."""
        self.clauses.where = where
        return self.clauses.block(at, self.clauses.scope(local), rule, jumps=jumps)

    def functions(self, names: Names) -> list[Json]:
        """Read the functions; each sees those above it."""
        result: list[Json] = []
        for name, at in self.section("functions").items():
            params, type_ = names.functions[name]
            # a function sees only those above it, so that none can call itself
            seen = {n: names.functions[n] for n in (r["name"] for r in result)}
            below = [n for n in names.functions if n not in seen]
            inner = replace(names, functions=seen, below=below)
            scope = self.clauses.scope(params)
            scope.names = inner
            result.append(
                {
                    "name": name,
                    "params": [{"name": p, "type": str(t)} for p, t in params.items()],
                    "type": str(type_),
                    "is": self.clauses.expression(at["is"], scope, type_),
                    "place": str(at.place),
                }
            )
        return result

    def effects(self, effects: dict[str, dict[str, Type]]) -> list[Json]:
        """Read the effects."""
        result = []
        for name, at in self.section("effects").items():
            rule = self.clauses.rule(at)
            result.append(
                {
                    "name": name,
                    "params": [{"name": p, "type": str(t)} for p, t in effects[name].items()],
                    **named(rule),
                    "do": self.block(f"effects.{name}", at["do"], rule, effects[name]),
                    "place": str(at.place),
                }
            )
        return result

    def step_name(self, at: Cursor) -> str:
        """Read the name of a step."""
        steps = self.game["flow"]["steps"].value
        if at.value not in steps:
            self.errors.append(
                at.error(f"unknown step {at.value!r}", "unknown-step", closest(at.value, steps))
            )
        return str(at.value)

    def steps(self) -> list[Json]:
        """Read the steps of the flow."""
        result = []
        for name, at in self.game["flow"]["steps"].items():
            rule = self.clauses.rule(at)
            step: Json = {"name": name, **named(rule), "place": str(at.place)}
            if "do" in at:
                step["do"] = self.block(f"steps.{name}", at["do"], rule, jumps=True)
                if not _leaves(step["do"]):
                    self.errors.append(
                        at["do"].error(
                            "an automatic step always ends in goto, found a way that does not",
                            "missing-goto",
                            "add `- goto: STEP` as the last statement",
                            at=at["do"].key_place,
                        )
                    )
            else:
                step["actors"] = self.clauses.expression(
                    at["actors"], self.clauses.scope(), list_of(PLAYER)
                )
                step["moves"] = at.value["moves"]
                for move in at["moves"].elements():
                    if move.value not in self.game["moves"]:
                        self.errors.append(
                            move.error(f"unknown move {move.value!r}", "unknown-move",
                                       closest(move.value, self.game["moves"].value))
                        )
                step["none"] = self.step_name(at["none"]) if "none" in at else None
            result.append(step)
        return result

    def moves(self) -> list[Json]:
        """Read the moves."""
        result = []
        for name, at in self.game["moves"].items():
            rule = self.clauses.rule(at)
            scope = self.clauses.scope({"actor": PLAYER})
            params = []
            for param, p in at["params"].items() if "params" in at else ():
                clause, inner = self._param(p, scope)
                params.append({"name": param, "type": str(inner), **clause,
                               **named(self.clauses.rule(p)), "place": str(p.place)})
                if param in self.clauses.names.words() or param == "actor":
                    self.hides(p, param)
                else:
                    scope.locals[param] = inner
            requires = [
                {
                    **named(self.clauses.rule(r)),
                    "that": self.clauses.expression(r["that"], scope, BOOL),
                    "otherwise": r.value["otherwise"],
                    "place": str(r.place),
                }
                for r in (at["requires"].elements() if "requires" in at else ())
            ]
            result.append(
                {
                    "name": name,
                    "title": at.value["title"],
                    **named(rule),
                    "params": params,
                    "requires": requires,
                    "do": self.block(f"moves.{name}", at["do"], rule, scope.locals, jumps=True),
                    "place": str(at.place),
                }
            )
        return result

    def _param(self, at: Cursor, scope: Scope) -> tuple[Json, Type]:
        """Read what an argument may be."""
        subset = at.get("subset")
        source = at["in"] if subset is None else subset["of"]
        domain = self.clauses.expression(source, scope)
        found = self.clauses.type_of(domain)
        inner = found.args[0] if found is not None and found.args else Type("any")
        if found is not None and found.head not in ("list", "bag", "stack"):
            self.errors.append(source.error(f"expected a list, found {found}", "type"))
        elif inner.head not in _ARGUMENTS:
            self.errors.append(
                source.error(f"an argument is a number, a truth value, a player or a "
                             f"member of a kind, found {inner}", "type")
            )
        clause: Json = {"in": domain}
        if subset is not None:
            clause["subset"] = {
                key: self.clauses.expression(subset[key], scope, INT) if key in subset else None
                for key in ("min", "max")
            }
            inner = list_of(inner)
        if "when" in at:
            clause["when"] = self.clauses.expression(at["when"], scope, BOOL)
            inner = Type("optional", (inner,))
        clause["visible_to"] = self.clauses.viewer(at, scope)
        return clause, inner

    def end(self) -> list[Json]:
        """Read the endings."""
        scope = self.clauses.scope()
        result = []
        for at in self.game["end"].elements():
            clause: Json = {
                "when": self.clauses.expression(at["when"], scope, BOOL),
                "winners": self.clauses.expression(at["winners"], scope, list_of(PLAYER)),
                **named(self.clauses.rule(at)),
                "place": str(at.place),
            }
            for part in ("winners", "returns"):
                own = self.clauses.rule(at, (clause["rule"],), f"{part}_rule")
                clause[f"{part}_rule"] = own[0]
                clause[f"{part}_also"] = list(own[1:])
            if "returns" in at:
                clause["returns"] = self.clauses.expression(
                    at["returns"], scope.inner({"player": PLAYER}), INT
                )
            result.append(clause)
        return result

    def invariants(self) -> list[Json]:
        """Read the invariants."""
        at = self.game.get("invariants")
        return [
            {
                "that": self.clauses.expression(i["that"], self.clauses.scope(), BOOL),
                "note": i.value["note"],
                **named(self.clauses.rule(i)),
                "place": str(i.place),
            }
            for i in (at.elements() if at is not None else ())
        ]

    def bounds(self, functions: Sequence[Json]) -> Json:
        """Read the bounds; how far random games are followed depends on components only."""
        at = self.game.get("bounds")
        result: Json = {}
        for key in ("plies", "followed"):
            if at is not None and key in at:
                result[key] = self.clauses.expression(at[key], self.clauses.scope(), _LIMIT)
        if at is not None and "followed" in at:
            facts_only(at["followed"], result["followed"], functions, self.errors)
        return result


def _leaves(block: list[Json]) -> bool:
    """Return whether a block always ends in goto."""
    last = block[-1]
    if last["statement"] == "if":
        return "when" not in last and all(b and _leaves(b) for b in (last["then"], last["else"]))
    if last["statement"] == "match":
        blocks = [case["do"] for case in last["cases"]]
        if "else" in last:
            blocks.append(last["else"])
        return "when" not in last and all(b and _leaves(b) for b in blocks)
    return last["statement"] == "goto" and "when" not in last
