"""Statements about zones and chance: move, draw, shuffle, fill, pick, roll."""

from __future__ import annotations

from typing import Any

from ludex.authoring.clauses import Clauses, Json, Rules, component_of
from ludex.authoring.source import Cursor
from ludex.errors import SpecError, closest
from ludex.language.checker import Scope
from ludex.language.parser import parse
from ludex.language.syntax import Call, ExpressionSyntaxError
from ludex.language.types import BOOL, INT, PLAYER, Type, element, list_of

__all__ = ["Moving"]


class Moving(Clauses):
    """Reads statements that move components or ask chance."""

    def viewer(self, at: Cursor, scope: Scope) -> Any:
        """Read who sees an outcome or an argument: everyone, nobody, or a player."""
        here = at.get("visible_to")
        if here is None or here.value in ("everyone", "nobody"):
            return "everyone" if here is None else here.value
        return self.expression(here, scope, PLAYER)

    def effect_call(self, at: Cursor, scope: Scope) -> Json:
        """Read ``EFFECT(ARGUMENTS)``."""
        try:
            call = parse(at.value)
        except ExpressionSyntaxError as error:
            self.errors.append(
                SpecError(error.message, code="expression.syntax",
                          place=at.at_offset(error.offset), hint=error.hint)
            )
            return {}
        if not isinstance(call, Call) or call.receiver:
            self.errors.append(at.error(f"expected EFFECT(ARGUMENTS), found {at.value!r}", "do"))
            return {}
        params = self.effects.get(call.name)
        if params is None:
            self.errors.append(
                at.error(f"unknown effect {call.name!r}", "unknown-effect",
                         closest(call.name, self.effects))
            )
            return {}
        if len(params) != len(call.args):
            takes = ", ".join(f"{k}: {t}" for k, t in params.items()) or "nothing"
            self.errors.append(
                at.error(f"{call.name} takes ({takes}), found {len(call.args)} argument(s)",
                         "arguments")
            )
            return {}
        self.calls.setdefault(self.where, set()).add(call.name)
        arguments = []
        for arg, wanted in zip(call.args, params.values(), strict=True):
            text = at.value[arg.start : arg.end]
            arguments.append(self.part(at, arg.start, text, scope, wanted))
        return {"effect": call.name, "args": arguments}

    def _move(self, item: Cursor, at: Cursor, scope: Scope, rule: Rules, jumps: bool) -> Json:
        source, from_ = self.zone(at["from"], scope)
        target, to = self.zone(at["to"], scope)
        clause: Json = {"from": source, "to": target}
        kind = component_of(from_)
        if "card" in at:
            clause["card"] = self.expression(at["card"], scope, kind)
            self._allow(at, from_, ("bag", "stack", "slot", "deck"), "one component leaves")
        elif "cards" in at:
            clause["cards"] = self.expression(at["cards"], scope, kind and list_of(kind))
            self._allow(at, from_, ("bag", "stack"), "named components leave")
        elif "range" in at:
            clause["range"] = [self.expression(r, scope, INT) for r in at["range"].elements()]
            self._allow(at, from_, ("stack", "list"), "a range leaves")
        elif "where" in at:
            if "as" not in at:
                self.errors.append(
                    at["where"].error("where needs `as`, the name of the component", "missing-as")
                )
                return clause
            clause["as"] = at.value["as"]
            inner = scope.inner()
            self.define(at["as"], inner, kind, at.value["as"])
            clause["where"] = self.expression(at["where"], inner, BOOL)
            self._allow(at, from_, ("bag", "stack"), "components that pass a test leave")
        else:
            clause["all"] = True
            self._allow(at, from_, ("bag", "stack", "slot", "list"), "everything leaves")
        if kind is not None and to is not None and component_of(to) != kind:
            self.errors.append(
                at["to"].error(f"expected a zone of {kind}, found {to}", "zone-kind")
            )
        self._allow_to(at, to, single="card" in at)
        clause["at"] = self._at(at, to, scope)
        return clause

    def _allow(self, at: Cursor, found: Type | None, heads: tuple[str, ...], what: str) -> None:
        if found is None:
            return
        inside = found.args[0].head if found.head == "list" else "stack"
        if found.head not in heads or inside not in ("stack", "bag"):
            *first, last = ("list of stacks" if h == "list" else h for h in heads)
            words = f"{', '.join(first)} or {last}"
            self.errors.append(
                at["from"].error(f"{what} a {words}, found {found}", "zone",
                                 _name_one(found, at["from"]) or _another_way(found, at["from"]))
            )

    def _allow_to(self, at: Cursor, found: Type | None, *, single: bool) -> None:
        if found is None:
            return
        if found.head == "map":
            self.errors.append(
                at["to"].error(f"expected one zone, found {found}", "zone",
                               _name_one(found, at["to"]))
            )
        elif found.head == "slot" and not single:
            self.errors.append(at["to"].error("a slot takes one card at a time", "zone",
                                              "say which one with `card`"))
        elif found.head == "list" and found.args[0].head != "stack":
            self.errors.append(at["to"].error(f"expected a list of stacks, found {found}", "zone"))

    def _at(self, at: Cursor, to: Type | None, scope: Scope) -> Any:
        here = at.get("at")
        if to is None:
            return None
        if to.head == "list":
            if here is None:
                self.errors.append(
                    at.error(
                        "a new stack in a list needs `at`", "missing-at", "first, last or a number"
                    )
                )
                return None
            if here.value in ("first", "last"):
                return here.value
            return self.expression(here, scope, INT)
        if here is None:
            return "top" if to.head == "stack" else None
        if to.head in ("stack", "deck") and here.value in ("top", "bottom"):
            return here.value
        self.errors.append(
            here.error(
                f"cannot put at {here.value!r} of {to}",
                "at",
                f"a {to.head} has a top and a bottom"
                if to.head in ("stack", "deck")
                else "leave `at` out",
            )
        )
        return None

    def _draw(self, item: Cursor, at: Cursor, scope: Scope, rule: Rules, jumps: bool) -> Json:
        source, from_ = self.zone(at["from"], scope)
        target, to = self.zone(at["to"], scope)
        self._allow(at, from_, ("deck", "bag"), "components are drawn from")
        if to is not None and to.head == "list":
            self.errors.append(
                at["to"].error(f"expected a bag, a stack or a slot, found {to}", "zone",
                               f"name one of its stacks: {at.value['to']}[0]")
            )
            return {}
        self._allow_to(at, to, single=True)
        kind = component_of(from_)
        if kind is not None and to is not None and component_of(to) != kind:
            self.errors.append(
                at["to"].error(f"expected a zone of {kind}, found {to}", "zone-kind")
            )
        clause: Json = {"from": source, "to": target, "at": self._at(at, to, scope)}
        if "count" in at:
            clause["count"] = self.expression(at["count"], scope, INT)
        if "when_empty" in at:
            clause["when_empty"] = self.effect_call(at["when_empty"], scope)
        if "as" in at:
            clause["as"] = at.value["as"]
            self.define(at["as"], scope, Type("optional", (kind or Type("any"),)), at.value["as"])
        return clause

    def _shuffle(self, item: Cursor, at: Cursor, scope: Scope, rule: Rules, jumps: bool) -> Json:
        into, deck = self.zone(at["into"], scope)
        if deck is not None and deck.head != "deck":
            self.errors.append(
                at["into"].error(f"expected a deck, found {deck}", "zone",
                                 "a bag has no order that could be shuffled"
                                 if deck.head == "bag" else None)
            )
        clause: Json = {"into": into}
        if "from" in at:
            source, from_ = self.zone(at["from"], scope)
            clause["from"] = source
            self._allow(at, from_, ("bag", "stack", "deck"), "components are shuffled from")
            if from_ is not None and component_of(from_) != component_of(deck):
                self.errors.append(
                    at["from"].error(f"expected a zone of {component_of(deck)}, found {from_}",
                                     "zone-kind")
                )
        return clause

    def _pick(self, item: Cursor, at: Cursor, scope: Scope, rule: Rules, jumps: bool) -> Json:
        clause = self.expression(at["from"], scope)
        found = self.type_of(clause)
        inner = element(found) if found else None
        if found is not None and inner is None:
            self.errors.append(at["from"].error(f"expected a list, found {found}", "type"))
        self.define(at["as"], scope, inner, at.value["as"])
        return {"from": clause, "as": at.value["as"], "visible_to": self.viewer(at, scope)}

    def _roll(self, item: Cursor, at: Cursor, scope: Scope, rule: Rules, jumps: bool) -> Json:
        clause: Json = {
            "sides": self.expression(at["sides"], scope, INT),
            "as": at.value["as"],
            "visible_to": self.viewer(at, scope),
        }
        if "count" in at:
            clause["count"] = self.expression(at["count"], scope, INT)
        self.define(at["as"], scope, list_of(INT), at.value["as"])
        return clause

    def _fill(self, item: Cursor, at: Cursor, scope: Scope, rule: Rules, jumps: bool) -> Json:
        zone, found = self.zone(at["zone"], scope)
        clause: Json = {"zone": zone}
        if self.where != "setup":
            self.errors.append(
                item.error("only the setup makes components, found fill", "fill",
                           "move them from where they are")
            )
        if found is not None and found.head not in ("deck", "bag"):
            self.errors.append(at["zone"].error(f"expected a deck or a bag, found {found}", "zone"))
        inner = scope.inner()
        if "as" in at:
            self.define(at["as"], inner, component_of(found), at.value["as"])
            clause["as"] = at.value["as"]
        for key, wanted in (("count", INT), ("where", BOOL)):
            if key in at:
                clause[key] = self.expression(at[key], inner, wanted)
        return clause


def _another_way(found: Type, at: Cursor) -> str | None:
    """Return how components do leave a zone that cannot be left like this."""
    if found.head == "list" and found.args[0].head == "stack":
        return f"name one of its stacks: {at.value}[0]"
    return {
        "deck": f"nobody knows its order: draw from it, as often as size({at.value}) for all",
        "stack": f"its order is known, nothing is left to chance: move the card top({at.value})",
        "bag": "a bag has no order: name the components",
    }.get(found.head)


def _name_one(found: Type, at: Cursor) -> str | None:
    """Return how to name one zone of a map of zones."""
    if found.head != "map":
        return None
    key = "p" if found.args[0].head == "player" else str(found.args[0]).lower()
    return f"name one of them: {at.value}[{key}]"
