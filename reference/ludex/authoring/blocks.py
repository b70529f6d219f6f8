"""Blocks: lists of statements, with the names that they define and the rules that they inherit."""

from __future__ import annotations

import re

from ludex.authoring.clauses import Json, Rules, named
from ludex.authoring.moving import Moving
from ludex.authoring.source import Cursor
from ludex.errors import closest
from ludex.language.checker import Scope
from ludex.language.types import BOOL, INT, Type, element, holds_components

__all__ = ["Blocks"]

_STATEMENTS = ("set", "let", "move", "draw", "shuffle", "pick", "roll", "add", "remove", "match",
               "if", "each", "repeat", "do", "goto", "fill")
#: Statements that change the position and so must name their rule.
_CHANGING = frozenset(
    {"fill", "set", "move", "draw", "shuffle", "pick", "roll", "add", "remove"}
)
_EACH = re.compile(r"\s*(\w+)\s+in\s+(.*)", re.DOTALL)


class Blocks(Moving):
    """Reads blocks."""

    def block(self, at: Cursor, scope: Scope, rule: Rules, *, jumps: bool) -> list[Json]:
        """Read a list of statements.

        Parameters
        ----------
        at : Cursor
            The list.
        scope : Scope
            Names at its start; what it defines ends with it.
        rule : str or None
            The rule of what it stands in.
        jumps : bool
            Whether ``goto`` is allowed.
        """
        scope = scope.inner()
        result = []
        for item in at.elements():
            kind = next(k for k in _STATEMENTS if k in item)
            own = self.rule(item, rule)
            if not own and kind in _CHANGING:
                self.errors.append(
                    item.error(
                        f"{kind} changes the position, so it names its rule, found none",
                        "missing-rule",
                        "add rule: here, or at the block, move, step or effect around it",
                    )
                )
            clause: Json = {"statement": kind, "place": str(item.place), **named(own)}
            names = kind in ("let", "pick", "roll") or (kind == "draw" and "as" in item["draw"])
            if "when" in item and names:
                self.errors.append(
                    item["when"].error(
                        f"{kind} names a value, so it cannot depend on a condition",
                        "when",
                        "put it into an if, together with what uses the name",
                        at=item["when"].key_place,
                    )
                )
            if "when" in item:
                clause["when"] = self.expression(item["when"], scope, BOOL)
            read = getattr(self, f"_{kind}")
            clause.update(read(item, item[kind], scope, own, jumps))
            result.append(clause)
        return result

    def _set(self, item: Cursor, at: Cursor, scope: Scope, rule: Rules, jumps: bool) -> Json:
        pairs = []
        for text, value in at.items():
            target, wanted = self.path(value, scope, text)
            if wanted is not None and holds_components(wanted):
                self.errors.append(
                    value.error(
                        f"{text} holds components, which set cannot change",
                        "set-zone",
                        "use move",
                        at=value.key_place,
                    )
                )
                continue
            pairs.append({"target": target, "value": self.expression(value, scope, wanted)})
        return {"assign": pairs}

    def _let(self, item: Cursor, at: Cursor, scope: Scope, rule: Rules, jumps: bool) -> Json:
        named = []
        for name, value in at.items():
            clause = self.expression(value, scope)
            self.define(value, scope, self.type_of(clause), name)
            named.append({"name": name, "value": clause})
        return {"names": named}

    def _if(self, item: Cursor, at: Cursor, scope: Scope, rule: Rules, jumps: bool) -> Json:
        clause: Json = {
            "if": self.expression(at, scope, BOOL),
            "then": self.block(item["then"], scope, rule, jumps=jumps),
        }
        clause["else"] = (
            self.block(item["else"], scope, rule, jumps=jumps) if "else" in item else []
        )
        return clause

    def _each(self, item: Cursor, at: Cursor, scope: Scope, rule: Rules, jumps: bool) -> Json:
        match = _EACH.match(at.value)
        assert match is not None  # the schema has seen to that
        name, right, offset = match.group(1), match.group(2), match.start(2)
        clause = self.part(at, offset, right, scope, None)
        found = self.type_of(clause)
        if found is None:
            return {}
        inner = element(found)
        if inner is None:
            self.errors.append(at.error(f"cannot go through {found}", "type"))
        below = scope.inner()
        self.define(at, below, inner, name)
        return {
            "in": clause,
            "as": name,
            "do": self.block(item["do"], below, rule, jumps=jumps),
        }

    def _repeat(
        self, item: Cursor, at: Cursor, scope: Scope, rule: Rules, jumps: bool
    ) -> Json:
        clause: Json = {"times": self.expression(at, scope, INT)}
        if "while" in item:
            clause["while"] = self.expression(item["while"], scope, BOOL)
        clause["do"] = self.block(item["do"], scope, rule, jumps=jumps)
        return clause

    def _do(self, item: Cursor, at: Cursor, scope: Scope, rule: Rules, jumps: bool) -> Json:
        return self.effect_call(at, scope)

    def _goto(self, item: Cursor, at: Cursor, scope: Scope, rule: Rules, jumps: bool) -> Json:
        if not jumps:
            what, hint = "an effect", "put goto into the move"
            if self.where == "setup":
                what, hint = "the setup", "flow.start says at which step the game begins"
            self.errors.append(at.error(f"{what} never jumps, found goto", "goto", hint))
        if at.value not in self.steps:
            self.errors.append(
                at.error(f"unknown step {at.value!r}", "unknown-step",
                         closest(at.value, self.steps))
            )
        return {"step": at.value}

    def _add(self, item: Cursor, at: Cursor, scope: Scope, rule: Rules, jumps: bool) -> Json:
        target, inner = self._list(at["to"], scope)
        if inner is None:
            return {}
        clause: Json = {"to": target, "value": self.expression(at["value"], scope, inner)}
        if "at" in at:
            clause["at"] = self.expression(at["at"], scope, INT)
        return clause

    def _remove(self, item: Cursor, at: Cursor, scope: Scope, rule: Rules, jumps: bool) -> Json:
        target, _ = self._list(at["from"], scope)
        return {"from": target, "at": self.expression(at["at"], scope, INT)}

    def _list(self, at: Cursor, scope: Scope) -> tuple[Json, Type | None]:
        """Read a path that must be a list without components, and return its element type."""
        target, found = self.path(at, scope)
        if found is None:
            return target, None
        if found.head != "list" or holds_components(found):
            self.errors.append(
                at.error(f"expected a list, found {found}", "list",
                         "use move" if holds_components(found) else None)
            )
            return target, None
        return target, found.args[0]

    def _match(self, item: Cursor, at: Cursor, scope: Scope, rule: Rules, jumps: bool) -> Json:
        value = self.expression(at, scope)
        found = self.type_of(value)
        cases: list[Json] = []
        covered: set[str] = set()
        members: list[str] = []
        if found is not None and found.head != "kind":
            self.errors.append(at.error(f"expected a member of a kind, found {found}", "match"))
        elif found is not None:
            members = list(self.names.members(found))
        for key, body in item["cases"].items():
            words = [w.strip() for w in key.split("|")]
            for word in words:
                if members and word not in members:
                    self.errors.append(
                        body.error(f"{found} has no member {word!r}", "match-member",
                                   closest(word, members), at=body.key_place)
                    )
                if word in covered:
                    self.errors.append(
                        body.error(f"{word!r} has two cases", "match-twice", at=body.key_place)
                    )
                covered.add(word)
            cases.append({"members": words, "do": self.block(body, scope, rule, jumps=jumps)})
        clause: Json = {"match": value, "cases": cases}
        missing = [m for m in members if m not in covered]
        if "else" in item:
            clause["else"] = self.block(item["else"], scope, rule, jumps=jumps)
        elif missing:
            self.errors.append(
                item.error(f"no case for {', '.join(missing)}", "match-missing",
                           "add the case, or an else")
            )
        return clause
