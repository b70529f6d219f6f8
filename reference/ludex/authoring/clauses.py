"""Clauses: rules, expressions and paths of a spec, resolved and typed.

Statements are built on this: zones and chance in `moving`, the rest in `blocks`.

Each method reads one clause at its place and returns the clause as the game document holds it
(JSON). An error is added to the list and the clause left out, so that one run finds them all; a
document with errors is never returned.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Any

from ludex.authoring.source import Cursor
from ludex.errors import SpecError, closest
from ludex.language.checker import ExpressionError, Names, Scope, check_expression, plain
from ludex.language.types import Type, holds_components, parse_type

__all__ = ["Clauses", "Json", "Rules", "component_of", "named"]

Json = dict[str, Any]
#: The rules of a clause; the first is the one that findings name.
Rules = tuple[str, ...]


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
            elif "field" in tree:
                hint = "a record is replaced as a whole: write it with all its fields"
            elif isinstance(root, dict) and root["get"] == "local":
                hint = "a let, a loop or a parameter names a value; change the variable itself"
            self.errors.append(
                at.error(f"expected a variable or a part of one, found {text!r}", "path", hint,
                         at=where(0))
            )
            return {}, None
        found = tree["type"]
        assert isinstance(found, Type)
        return plain({"expr": text, "tree": tree, "place": str(at.place)}), found

    def part(self, at: Cursor, start: int, text: str, scope: Scope, wanted: Type | None) -> Json:
        """Read an expression that is only a part of the text at a place, from `start` on."""
        try:
            tree = check_expression(text, scope, wanted)
        except ExpressionError as error:
            self.errors.append(
                SpecError(error.message, code=error.code, place=at.at_offset(start + error.offset),
                          hint=error.hint)
            )
            return {}
        result: Json = plain({"expr": text, "tree": tree, "place": str(at.place)})
        return result

    def zone(self, at: Cursor, scope: Scope) -> tuple[Json, Type | None]:
        """Read a path that must be a zone, or a list of stacks."""
        clause, found = self.path(at, scope)
        if found is not None and not holds_components(found):
            self.errors.append(at.error(f"expected a zone, found {found}", "zone"))
            return {}, None
        return clause, found

    def define(self, at: Cursor, scope: Scope, type_: Type | None, name: str) -> None:
        """Add a local to a scope; it must not hide another name."""
        if name in scope.locals or name in self.names.words():
            self.errors.append(
                at.error(f"{name!r} hides another name", "hides", "choose another name")
            )
            return
        scope.locals[name] = type_ or Type("any")


def named(rules: Rules) -> Json:
    """Return ``rule``, and ``also`` with the others if there are several."""
    result: Json = {"rule": rules[0] if rules else None}
    if len(rules) > 1:
        result["also"] = list(rules[1:])
    return result


def component_of(found: Type | None) -> Type | None:
    """Return the kind of component that a zone holds."""
    while found is not None and found.head in ("list", "map", "deck", "bag", "stack", "slot"):
        found = found.args[-1]
    return found

