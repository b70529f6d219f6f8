"""Formal clauses as readable lines.

A *clause* here is a part of the game document that can name rules: a declaration, a parameter, a
requirement, a statement, an ending. Each becomes a few lines of plain text, with the words that
say where it stands (``move extend``) and the conditions it stands under.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from ludex.pages.statements import (
    block_lines,
    indented,
    inner_blocks,
    other_rules,
    seen_by,
    text_of,
)

__all__ = [
    "Clause",
    "clauses_of",
    "move_lines",
    "option_line",
    "signature",
    "step_lines",
    "symmetry_lines",
    "visibility",
]

Json = Mapping[str, Any]


@dataclass(frozen=True)
class Clause:
    """A clause in words.

    Attributes
    ----------
    where : str
        What it belongs to, for example ``move extend``.
    under : tuple of str
        The conditions and loops around it, outermost first.
    lines : tuple of str
        What it says.
    names : tuple of str
        The rules that it names itself; inherited ones are not among them.
    place : str or None
        ``file:line:column``.
    """

    where: str
    under: tuple[str, ...]
    lines: tuple[str, ...]
    names: tuple[str, ...]
    place: str | None


def clauses_of(document: Json) -> Iterator[Clause]:
    """Yield every clause of a game document that names a rule."""
    walk = _Walk(document)
    for clause in walk.all():
        if clause.names:
            yield clause


class _Walk:
    def __init__(self, document: Json) -> None:
        self.document = document
        self.placed = _by_place(document)

    def all(self) -> Iterator[Clause]:
        document = self.document
        yield self.declared(document["players_rule"], "players", [_players(document)])
        for kind, entry in document["kinds"].items():
            yield self.declared(entry, f"kind {kind}", [kind_line(kind, entry)])
        for name, option in document["options"].items():
            yield self.declared(option, f"option {name}", [option_line(name, option)])
        for variable in document["state"]:
            yield self.clause(variable, f"state {variable['name']}", (), variable_lines(variable))
        yield from self.block("setup", document["setup"], ())
        for step in document["steps"]:
            where = f"step {step['name']}"
            yield self.clause(step, where, (), step_lines(step))
            yield from self.block(where, step.get("do", ()), ())
        for move in document["moves"]:
            yield from self.move(move)
        for effect in document["effects"]:
            where = f"effect {signature(effect)}"
            yield self.clause(effect, where, (), block_lines(effect["do"], effect))
            yield from self.block(where, effect["do"], ())
        for ending in document["end"]:
            for part, key in (("when", "rule"), ("winners", "winners_rule"),
                              ("returns", "returns_rule")):
                if part in ending:
                    also = ending.get("also" if part == "when" else f"{part}_also", ())
                    rules = {"rule": ending.get(key), "also": also, "place": ending["place"]}
                    line = f"{part} {text_of(ending[part])}"
                    yield self.clause(rules, f"end, {part}", (), [line])
        for invariant in document["invariants"]:
            lines = [f"always {text_of(invariant['that'])}", f"that is: {invariant['note']}"]
            yield self.clause(invariant, "invariant", (), lines)
        for symmetry in document.get("symmetries", ()):
            yield self.clause(symmetry, f"symmetry {symmetry['id']}", (),
                              symmetry_lines(symmetry))
        for check in document.get("data_checks", ()):
            lines = [f"of the components: {text_of(check['that'])}", f"else: {check['otherwise']}"]
            under = ((f"for each {check['each']['as']} in {text_of(check['each']['in'])}",)
                     if "each" in check else ())
            yield self.clause(check, "data check", under, lines)

    def move(self, move: Json) -> Iterator[Clause]:
        where = f"move {move['name']}"
        yield self.clause(move, where, (), move_lines(move))
        for param in move["params"]:
            yield self.clause(param, where, (), [param_line(param)])
        for requirement in move["requires"]:
            yield self.clause(requirement, where, (), requirement_lines(requirement))
        yield from self.block(where, move["do"], ())

    def block(self, where: str, block: Sequence[Json], under: tuple[str, ...]) -> Iterator[Clause]:
        for statement in block:
            yield self.clause(statement, where, under, block_lines([statement]))
            for words, inner in inner_blocks(statement):
                yield from self.block(where, inner, (*under, *words))

    def clause(
        self, node: Json, where: str, under: tuple[str, ...], lines: Sequence[str]
    ) -> Clause:
        own = self.placed.get(node["place"], ())
        rules = (node.get("rule"), *node.get("also", ()))
        names = tuple(r for r in rules if r is not None and r in own)
        return Clause(where, under, tuple(lines), names, node["place"])

    def declared(self, node: Any, where: str, lines: Sequence[str]) -> Clause:
        """Return a clause of a declaration that the document keeps without its place."""
        entry = node if isinstance(node, Mapping) else {"rule": node}
        rules = tuple(r for r in (entry.get("rule"), *entry.get("also", ())) if r is not None)
        return Clause(where, (), tuple(lines), rules, None)


def _by_place(document: Json) -> dict[str, set[str]]:
    placed: dict[str, set[str]] = {}
    for rule, places in document["text"].get("clauses", {}).items():
        for place in places:
            placed.setdefault(place, set()).add(rule)
    return placed


# -- declarations ----------------------------------------------------------------------------


def _players(document: Json) -> str:
    return f"{document['players'][0]} to {document['players'][-1]} players"


def signature(entry: Json) -> str:
    """Return ``take(p: player, at: int)`` for a function or an effect."""
    params = ", ".join(f"{p['name']}: {p['type']}" for p in entry["params"])
    return f"{entry['name']}({params})"


def kind_line(kind: str, entry: Json) -> str:
    """Return a kind with its columns, or its members if it has none."""
    columns = ", ".join(f"{c}: {v['type']}" for c, v in entry["columns"].items())
    return f"{kind} has {columns}" if columns else f"{kind} is one of {', '.join(entry['members'])}"


def option_line(name: str, option: Json) -> str:
    """Return an option with its values."""
    values = ", ".join(json.dumps(v) for v in option["values"])
    return f"{option.get('title', name)}: {values}; {json.dumps(option['default'])} if not chosen"


def symmetry_lines(symmetry: Json) -> list[str]:
    """Return a change under which the game stays the same."""
    lines = [symmetry["note"]]
    for kind, how in symmetry.get("relabel", {}).items():
        if isinstance(how, Mapping):
            pairs = ", ".join(f"{old} becomes {new}" for old, new in how.items())
            lines.append(f"{kind}: {pairs}")
        else:
            lines.append(f"the members of {kind} change places in any way")
    if symmetry.get("rotate"):
        lines.append("the players change seats; the order round the table stays")
    if symmetry.get("reverse"):
        lines.append(f"reversed: {', '.join(symmetry['reverse'])}")
    return lines


def visibility(value: Any) -> str:
    """Return who sees a variable, in words."""
    if isinstance(value, Mapping):
        cases = ", ".join(f"{case}: {who}" for case, who in value["cases"].items())
        return f"by the ruling {value['ruling']} ({cases})"
    return str(value)


def variable_lines(variable: Json) -> list[str]:
    """Return a variable with its type and who sees it."""
    lines = [f"{variable['name']}: {variable['type']}"]
    if variable.get("note"):
        lines.append(f"that is: {variable['note']}")
    lines.append(f"seen by {visibility(variable['visible_to'])}")
    if variable["count_visible_to"] != variable["visible_to"]:
        lines.append(f"its count is seen by {visibility(variable['count_visible_to'])}")
    return lines


def step_lines(step: Json) -> list[str]:
    """Return a step: who acts and how, or what happens by itself."""
    if "actors" not in step:
        return ["by itself:", *indented(block_lines(step["do"], step))]
    lines = [f"who acts: {text_of(step['actors'])}", f"moves: {', '.join(step['moves'])}"]
    if step.get("none"):
        lines.append(f"if nobody may act: go to step {step['none']}")
    return lines


def param_line(param: Json) -> str:
    """Return a parameter with its domain."""
    when = f", when {text_of(param['when'])}" if "when" in param else ""
    subset = param.get("subset")
    if subset is None:
        return f"{param['name']}: one of {text_of(param['in'])}{when}{seen_by(param)}"
    low = text_of(subset["min"]) if subset.get("min") else "0"
    high = f" to {text_of(subset['max'])}" if subset.get("max") else " or more"
    return f"{param['name']}: {low}{high} of {text_of(param['in'])}{when}{seen_by(param)}"


def requirement_lines(requirement: Json) -> list[str]:
    """Return a requirement and what is said when it fails."""
    return [f"requires {text_of(requirement['that'])}", f"otherwise: {requirement['otherwise']}"]


def move_lines(move: Json) -> list[str]:
    """Return a whole move."""
    lines = [move["title"]]
    lines += [f"{param_line(p)}{other_rules(p, move)}" for p in move["params"]]
    for requirement in move["requires"]:
        first, *rest = requirement_lines(requirement)
        lines += [first + other_rules(requirement, move), *indented(rest)]
    return [*lines, "then:", *indented(block_lines(move["do"], move))]
