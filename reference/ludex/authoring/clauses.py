"""Clauses: expressions and statements of a spec, resolved and typed.

Each method reads one clause at its place and returns the clause as the game document holds it
(JSON). An error is added to the list and the clause left out, so that one run finds them all; a
document with errors is never returned.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping
from typing import Any

from ludex.authoring.source import Cursor
from ludex.errors import SpecError, closest
from ludex.language.checker import ExpressionError, Names, Scope, check_expression, plain
from ludex.language.parser import parse
from ludex.language.syntax import Call, ExpressionSyntaxError
from ludex.language.types import (
    BOOL,
    INT,
    Type,
    element,
    holds_components,
    list_of,
    parse_type,
)

__all__ = ["Clauses", "Json", "Rules", "named"]

Json = dict[str, Any]
#: The rules of a clause; the first is the one that findings name.
Rules = tuple[str, ...]
_STATEMENTS = ("set", "let", "move", "draw", "pick", "roll", "if", "each", "repeat", "do", "goto",
               "fill")
#: Statements that change the position and so must name their rule.
_CHANGING = frozenset({"fill", "set", "move", "draw", "pick", "roll"})
_EACH = re.compile(r"\s*(\w+)\s+in\s+(.*)", re.DOTALL)
_ENDS = {"stack": ("top", "bottom"), "rows": ("first", "last")}


class Clauses:
    """Reads the clauses of one game.

    Parameters
    ----------
    names : Names
        What the game declares.
    effects : mapping
        Effect to its parameters.
    steps : collection of str
        The steps of the flow.
    rules : collection of str
        Ids of the rulebook rules.
    errors : list of SpecError
        Errors are added.
    """

    def __init__(
        self,
        names: Names,
        effects: Mapping[str, Mapping[str, Type]],
        steps: Collection[str],
        rules: Collection[str],
        errors: list[SpecError],
    ) -> None:
        self.names = names
        self.effects = effects
        self.steps = steps
        self.rules = rules
        self.errors = errors
        #: rule to the places of the clauses that name it
        self.named: dict[str, list[str]] = {}
        self.calls: dict[str, set[str]] = {}
        self.where = ""

    def scope(self, local: Mapping[str, Type] | None = None) -> Scope:
        """Return a scope with these locals."""
        return Scope(self.names, dict(local or {}))

    # -- small things ------------------------------------------------------------------------

    def rule(
        self, at: Cursor, inherited: Rules = (), key: str = "rule"
    ) -> Rules:
        """Return the rules of a clause: its own, else what it inherits; the first one counts."""
        own = at.get(key)
        if own is None:
            return inherited
        several = list(own.elements()) if isinstance(own.value, list) else [own]
        for one in several:
            if one.value not in self.rules:
                self.errors.append(
                    one.error(
                        f"there is no rule {one.value!r}",
                        "unknown-rule",
                        closest(one.value, self.rules),
                    )
                )
            places = self.named.setdefault(one.value, [])
            if str(at.place) not in places:
                places.append(str(at.place))
        return tuple(str(one.value) for one in several)

    def expression(self, at: Cursor, scope: Scope, wanted: Type | None = None) -> Json:
        """Read an expression; `wanted` is the type that its place expects."""
        text = str(at.value).lower() if isinstance(at.value, bool) else str(at.value)
        try:
            tree = check_expression(text, scope, wanted)
        except ExpressionError as error:
            self.errors.append(
                SpecError(
                    error.message,
                    code=error.code,
                    place=at.at_offset(error.offset),
                    hint=error.hint,
                )
            )
            return {}
        result: Json = plain({"expr": text, "tree": tree, "place": str(at.place)})
        return result

    def type_of(self, clause: Json) -> Type | None:
        """Return the type of an expression that was read, or None if it was faulty."""
        if not clause:
            return None
        kinds = [*self.names.kinds, *(f"rulings.{r}" for r in self.names.rulings)]
        return parse_type(clause["tree"]["type"], kinds, self.names.records, inner=True)

    def path(self, at: Cursor, scope: Scope, text: str | None = None) -> tuple[Json, Type | None]:
        """Read a place that can be changed: a variable, or a part of one.

        Its text is the value at `at`, or its key, given as `text`.
        """
        where = at.at_offset if text is None else at.key_at_offset
        text = str(at.value) if text is None else text
        try:
            tree = check_expression(text, scope)
        except ExpressionError as error:
            self.errors.append(
                SpecError(error.message, code=error.code, place=where(error.offset),
                          hint=error.hint)
            )
            return {}, None
        root: Any = tree
        while isinstance(root, dict) and "get" not in root:
            if "key" in root:
                root = root["of"]
            else:
                # a column of a component is a fact, no place
                root = root["args"][0] if root.get("op") == "index" else None
        if not isinstance(root, dict) or root["get"] != "state":
            hint = None
            if "attr" in tree:
                hint = "the columns of a component never change"
            elif isinstance(root, dict) and root["get"] == "local":
                hint = "a let or a parameter names a value; change the variable itself"
            self.errors.append(
                at.error(f"expected a variable or a part of one, found {text!r}", "path", hint,
                         at=where(0))
            )
            return {}, None
        found = tree["type"]
        assert isinstance(found, Type)
        return plain({"expr": text, "tree": tree, "place": str(at.place)}), found

    def zone(self, at: Cursor, scope: Scope) -> tuple[Json, Type | None]:
        """Read a path that must be a zone, or a list of stacks."""
        clause, found = self.path(at, scope)
        if found is not None and not holds_components(found):
            self.errors.append(at.error(f"expected a zone, found {found}", "zone"))
            return {}, None
        return clause, found

    # -- statements --------------------------------------------------------------------------

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

    def _define(self, at: Cursor, scope: Scope, type_: Type | None, name: str) -> None:
        if name in scope.locals or name in self.names.words():
            self.errors.append(
                at.error(f"{name!r} hides another name", "hides", "choose another name")
            )
        scope.locals[name] = type_ or Type("any")

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
            self._define(value, scope, self.type_of(clause), name)
            named.append({"name": name, "value": clause})
        return {"names": named}

    def _move(self, item: Cursor, at: Cursor, scope: Scope, rule: Rules, jumps: bool) -> Json:
        source, from_ = self.zone(at["from"], scope)
        target, to = self.zone(at["to"], scope)
        clause: Json = {"from": source, "to": target}
        kind = _component(from_)
        rows = from_ is not None and from_.head == "list"
        if "card" in at:
            clause["card"] = self.expression(at["card"], scope, kind)
            self._allow(at, from_, ("bag", "stack", "slot"), "one component leaves")
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
            self._define(at["as"], inner, kind, at.value["as"])
            clause["where"] = self.expression(at["where"], inner, BOOL)
            self._allow(at, from_, ("bag", "stack"), "components that pass a test leave")
        else:
            clause["all"] = True
            self._allow(at, from_, ("bag", "stack", "slot", "list"), "everything leaves")
        if kind is not None and to is not None and _component(to) != kind:
            self.errors.append(
                at["to"].error(f"expected a zone of {kind}, found {to}", "zone-kind")
            )
        self._allow_to(at, to, single="card" in at)
        clause["at"] = self._at(at, to, scope)
        if rows and "card" in at:
            self.errors.append(
                at["from"].error("a card leaves a stack of the list", "zone", "name it: row[i]")
            )
        return clause

    def _allow(self, at: Cursor, found: Type | None, heads: tuple[str, ...], what: str) -> None:
        if found is None:
            return
        inside = found.args[0].head if found.head == "list" else "stack"
        if found.head not in heads or inside not in ("stack", "bag"):
            words = " or ".join("list of stacks" if h == "list" else h for h in heads)
            self.errors.append(
                at["from"].error(f"{what} a {words}, found {found}", "zone",
                                 _name_one(found, at["from"]))
            )

    def _allow_to(self, at: Cursor, found: Type | None, *, single: bool) -> None:
        if found is None:
            return
        if found.head == "deck":
            self.errors.append(at["to"].error("nothing can be moved into a deck", "zone"))
        elif found.head == "map":
            self.errors.append(
                at["to"].error(f"expected one zone, found {found}", "zone",
                               _name_one(found, at["to"]))
            )
        elif found.head == "slot" and not single:
            self.errors.append(at["to"].error("a slot takes one card at a time", "zone"))
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
            if here.value in _ENDS["rows"]:
                return here.value
            return self.expression(here, scope, INT)
        if here is None:
            return "top" if to.head == "stack" else None
        if to.head == "stack" and here.value in _ENDS["stack"]:
            return here.value
        self.errors.append(
            here.error(
                f"cannot put at {here.value!r} of {to}",
                "at",
                "a stack has a top and a bottom" if to.head == "stack" else "leave `at` out",
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
        kind = _component(from_)
        if kind is not None and to is not None and _component(to) != kind:
            self.errors.append(
                at["to"].error(f"expected a zone of {kind}, found {to}", "zone-kind")
            )
        clause: Json = {"from": source, "to": target, "at": self._at(at, to, scope)}
        if "count" in at:
            clause["count"] = self.expression(at["count"], scope, INT)
        if "as" in at:
            clause["as"] = at.value["as"]
            self._define(at["as"], scope, Type("optional", (kind or Type("any"),)), at.value["as"])
        return clause

    def _pick(self, item: Cursor, at: Cursor, scope: Scope, rule: Rules, jumps: bool) -> Json:
        clause = self.expression(at["from"], scope)
        found = self.type_of(clause)
        inner = element(found) if found else None
        if found is not None and inner is None:
            self.errors.append(at["from"].error(f"expected a list, found {found}", "type"))
        self._define(at["as"], scope, inner, at.value["as"])
        return {"from": clause, "as": at.value["as"]}

    def _roll(self, item: Cursor, at: Cursor, scope: Scope, rule: Rules, jumps: bool) -> Json:
        clause: Json = {"sides": self.expression(at["sides"], scope, INT), "as": at.value["as"]}
        if "count" in at:
            clause["count"] = self.expression(at["count"], scope, INT)
        self._define(at["as"], scope, list_of(INT), at.value["as"])
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
            self._define(at["as"], inner, _component(found), at.value["as"])
            clause["as"] = at.value["as"]
        for key, wanted in (("count", INT), ("where", BOOL)):
            if key in at:
                clause[key] = self.expression(at[key], inner, wanted)
        return clause

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
        shifted = Cursor(at.document, at.path, right)
        try:
            tree = check_expression(right, scope)
        except ExpressionError as error:
            self.errors.append(
                SpecError(error.message, code=error.code,
                          place=at.at_offset(offset + error.offset), hint=error.hint)
            )
            return {}
        clause = plain({"expr": right, "tree": tree, "place": str(shifted.place)})
        inner = element(tree["type"])
        if inner is None:
            self.errors.append(at.error(f"cannot go through {tree['type']}", "type"))
        below = scope.inner()
        self._define(at, below, inner, name)
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
            try:
                tree = check_expression(text, scope, wanted)
            except ExpressionError as error:
                self.errors.append(
                    SpecError(error.message, code=error.code,
                              place=at.at_offset(arg.start + error.offset), hint=error.hint)
                )
                continue
            arguments.append(plain({"expr": text, "tree": tree, "place": str(at.place)}))
        return {"effect": call.name, "args": arguments}

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


def named(rules: Rules) -> Json:
    """Return ``rule``, and ``also`` with the others if there are several."""
    result: Json = {"rule": rules[0] if rules else None}
    if len(rules) > 1:
        result["also"] = list(rules[1:])
    return result


def _name_one(found: Type, at: Cursor) -> str | None:
    """Return how to name one zone of a map of zones."""
    if found.head != "map":
        return None
    key = "p" if found.args[0].head == "player" else str(found.args[0]).lower()
    return f"name one of them: {at.value}[{key}]"


def _component(found: Type | None) -> Type | None:
    """Return the kind of component that a zone holds."""
    while found is not None and found.head in ("list", "map", "deck", "bag", "stack", "slot"):
        found = found.args[-1]
    return found

