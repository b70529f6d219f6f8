"""An expression with the value of each part: for people who want to see why it is what it is.

The explaining evaluator gives the values; this room says which parts there are. Parts that were
not looked at (behind an ``&&`` that is decided, the branch not taken) have no term.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from ludex.engine.explain import Explainer
from ludex.engine.program import Position
from ludex.engine.runtime import FAULTS, fault_words
from ludex.protocol.canonical import canonical_bytes

__all__ = ["MAX_TERMS", "Term", "trace"]

Json = Mapping[str, Any]

MAX_TERMS = 400
"""So many terms are made at most; what goes beyond is left out."""

#: A macro shows its body for so many elements.
_ELEMENTS = 12


@dataclass(frozen=True)
class Term:
    """A part of an expression.

    Attributes
    ----------
    text : str
        As it is written.
    type : str
        Its type.
    value : object
        Its canonical value; None if it has none.
    fault : str or None
        Why it has no value: it asks for what is not there.
    parts : tuple of Term
        What it is made of.
    where : str
        For which element of a list, or in which call of a function, with the values of the
        locals; empty for all other terms.
    """

    text: str
    type: str
    value: Any
    fault: str | None
    parts: tuple[Term, ...] = ()
    where: str = ""

    def to_json(self) -> dict[str, Any]:
        """Return the term as JSON."""
        found: dict[str, Any] = {"text": self.text, "type": self.type}
        if self.where:
            found["where"] = self.where
        if self.fault is None:
            found["value"] = self.value
        else:
            found["fault"] = self.fault
        if self.parts:
            found["parts"] = [p.to_json() for p in self.parts]
        return found


def trace(explainer: Explainer, tree: Json, text: str, position: Position) -> Term:
    """Evaluate an expression and keep the value of each part.

    Parameters
    ----------
    explainer : Explainer
        Of the game.
    tree : dict
        The typed tree.
    text : str
        What it was read from.
    position : Position
        Where it is evaluated.
    """
    explainer.begin()
    return _Tracer(explainer, position).term(tree, text, {})


#: A part to be looked at: tree, its text, the locals, and what to say of it.
_Part = tuple[Json, str, Mapping[str, Any], str]


class _Tracer:
    def __init__(self, explainer: Explainer, position: Position) -> None:
        self.explainer = explainer
        self.codec = explainer.codec
        self.position = position
        self.left = MAX_TERMS
        self.functions = {f["name"]: f for f in explainer.program.document["functions"]}

    def term(self, tree: Json, text: str, local: Mapping[str, Any], where: str = "") -> Term:
        self.left -= 1
        value, fault = None, None
        try:
            value = self.shown(self.explainer.part(tree, self.position, local), tree["type"])
        except FAULTS as error:
            fault = fault_words(error)
        parts: list[Term] = []
        try:
            for part in self.parts(tree, text, local):
                if self.left <= 0:
                    break
                parts.append(self.term(*part))
        except FAULTS:
            # the part that fails has said so
            pass
        start, end = tree["span"]
        return Term(text[start:end], tree["type"], value, fault, tuple(parts), where)

    def shown(self, value: Any, type_text: str) -> Any:
        found = list(value) if isinstance(value, range) else value
        return self.codec.decode(found, self.codec.type(type_text))

    def said(self, name: str, value: Any, type_text: str) -> str:
        return f"{name} = {canonical_bytes(self.shown(value, type_text)).decode('utf-8')}"

    def parts(self, tree: Json, text: str, local: Mapping[str, Any]) -> Iterator[_Part]:
        """Yield the parts that were looked at; literals and locals are said where they stand."""
        for part in self._parts(tree, text, local):
            if "lit" not in part[0] and part[0].get("get") != "local":
                yield part

    def _parts(self, tree: Json, text: str, local: Mapping[str, Any]) -> Iterator[_Part]:
        if "of" in tree:
            yield tree["of"], text, local, ""
        if "key" in tree:
            yield tree["key"], text, local, ""
        if "op" in tree:
            yield from self._operands(tree, text, local)
        elif "macro" in tree:
            yield tree["over"], text, local, ""
            items = self.explainer.items(tree, self.position, local)
            type_ = self.codec.type(tree["over"]["type"])
            for item in items[:_ELEMENTS]:
                where = self.said(tree["as"], item, str(type_.args[0]))
                yield tree["body"], text, {**local, tree["as"]: item}, where
        elif "call" in tree:
            for arg in tree["args"]:
                yield arg, text, local, ""
            function = self.functions[tree["call"]]
            inner = {
                p["name"]: self.explainer.part(a, self.position, local)
                for p, a in zip(function["params"], tree["args"], strict=True)
            }
            said = ", ".join(self.said(p["name"], inner[p["name"]], p["type"])
                             for p in function["params"])
            yield (function["is"]["tree"], function["is"]["expr"], inner,
                   f"{tree['call']}({said})")
        elif "if" in tree:
            condition, then, other = tree["if"]
            yield condition, text, local, ""
            chosen = then if self.explainer.part(condition, self.position, local) else other
            yield chosen, text, local, ""
        for item in tree.get("list", ()):
            yield item, text, local, ""
        for item in tree.get("fields", {}).values():
            yield item, text, local, ""

    def _operands(self, tree: Json, text: str, local: Mapping[str, Any]) -> Iterator[_Part]:
        for arg in tree["args"]:
            yield arg, text, local, ""
            # the two connectives stop when the answer is known
            if tree["op"] in ("&&", "||"):
                found = bool(self.explainer.part(arg, self.position, local))
                if found == (tree["op"] == "||"):
                    return
