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

__all__ = [
    "Clause",
    "block_lines",
    "clauses_of",
    "move_lines",
    "option_line",
    "signature",
    "statement_line",
    "step_lines",
    "symmetry_lines",
    "visibility",
]

Json = Mapping[str, Any]
_INDENT = "  "


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
                    yield self.clause(rules, f"end, {part}", (), [f"{part} {_e(ending[part])}"])
        for invariant in document["invariants"]:
            lines = [f"always {_e(invariant['that'])}", f"that is: {invariant['note']}"]
            yield self.clause(invariant, "invariant", (), lines)
        for symmetry in document.get("symmetries", ()):
            yield self.clause(symmetry, f"symmetry {symmetry['id']}", (),
                              symmetry_lines(symmetry))

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
            for words, inner in _inner_blocks(statement):
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


def _e(expression: Any) -> str:
    """Return the text of an expression."""
    return str(expression["expr"]) if isinstance(expression, Mapping) else str(expression)


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
    lines = [f"who acts: {_e(step['actors'])}", f"moves: {', '.join(step['moves'])}"]
    if step.get("none"):
        lines.append(f"if nobody may act: go to step {step['none']}")
    return lines


def param_line(param: Json) -> str:
    """Return a parameter with its domain."""
    when = f", when {_e(param['when'])}" if "when" in param else ""
    subset = param.get("subset")
    if subset is None:
        return f"{param['name']}: one of {_e(param['in'])}{when}{_seen(param)}"
    low = _e(subset["min"]) if subset.get("min") else "0"
    high = f" to {_e(subset['max'])}" if subset.get("max") else " or more"
    return f"{param['name']}: {low}{high} of {_e(param['in'])}{when}{_seen(param)}"


def _seen(node: Json) -> str:
    """Return who sees an outcome or an argument, unless everyone does."""
    who = node.get("visible_to")
    return "" if who in (None, "everyone") else f", seen by {_e(who)}"


def requirement_lines(requirement: Json) -> list[str]:
    """Return a requirement and what is said when it fails."""
    return [f"requires {_e(requirement['that'])}", f"otherwise: {requirement['otherwise']}"]


def move_lines(move: Json) -> list[str]:
    """Return a whole move."""
    lines = [move["title"]]
    lines += [f"{param_line(p)}{_rules(p, move)}" for p in move["params"]]
    for requirement in move["requires"]:
        first, *rest = requirement_lines(requirement)
        lines += [first + _rules(requirement, move), *indented(rest)]
    return [*lines, "then:", *indented(block_lines(move["do"], move))]


# -- statements ------------------------------------------------------------------------------


def indented(lines: Sequence[str]) -> list[str]:
    """Return lines one level further right."""
    return [_INDENT + line for line in lines]


def _rules(node: Json, around: Json | None) -> str:
    """Return ``  (5.2, 5.4)`` where a clause has other rules than what it stands in."""
    rules = [r for r in (node.get("rule"), *node.get("also", ())) if r]
    outer = [r for r in (around.get("rule"), *around.get("also", ())) if r] if around else rules
    return f"  ({', '.join(rules)})" if rules and rules != outer else ""


def block_lines(block: Sequence[Json], around: Json | None = None) -> list[str]:
    """Return statements as lines; blocks inside them stand further right.

    Parameters
    ----------
    block : sequence of dict
        Statements.
    around : dict, optional
        What they stand in; rules that differ from its rules are written behind a line.
    """
    lines: list[str] = []
    for statement in block:
        inner = _inner_blocks(statement)
        when = f"when {_e(statement['when'])}: " if "when" in statement else ""
        rules = _rules(statement, around)
        if not inner:
            lines.append(f"{when}{statement_line(statement)}{rules}")
        for index, (words, part) in enumerate(inner):
            if index and not part:
                continue
            opening = "else" if index and statement["statement"] == "if" else words[-1]
            lines.append(f"{when if index == 0 else ''}{opening}:{rules if index == 0 else ''}")
            lines += indented(block_lines(part, statement))
    return lines


def _inner_blocks(statement: Json) -> list[tuple[tuple[str, ...], Sequence[Json]]]:
    """Return the blocks inside a statement, each with the words it stands under."""
    kind = statement["statement"]
    when = (f"when {_e(statement['when'])}",) if "when" in statement else ()
    if kind == "if":
        test = _e(statement["if"])
        return [((*when, f"if {test}"), statement["then"]),
                ((*when, f"unless {test}"), statement["else"])]
    if kind == "each":
        return [((*when, f"for each {statement['as']} in {_e(statement['in'])}"), statement["do"])]
    if kind == "repeat":
        test = f" while {_e(statement['while'])}" if "while" in statement else ""
        return [((*when, f"repeat {_e(statement['times'])} times{test}"), statement["do"])]
    if kind == "match":
        value = _e(statement["match"])
        blocks: list[tuple[tuple[str, ...], Sequence[Json]]] = [
            ((*when, f"if {value} is {' or '.join(case['members'])}"), case["do"])
            for case in statement["cases"]
        ]
        if "else" in statement:
            blocks.append(((*when, f"if {value} is anything else"), statement["else"]))
        return blocks
    return []


def statement_line(statement: Json) -> str:
    """Return a statement without inner blocks in words."""
    write = _WORDS.get(statement["statement"])
    return write(statement) if write else _unknown(statement)


def _set(s: Json) -> str:
    return "set " + ", ".join(f"{_e(a['target'])} = {_e(a['value'])}" for a in s["assign"])


def _let(s: Json) -> str:
    return "let " + ", ".join(f"{n['name']} = {_e(n['value'])}" for n in s["names"])


def _move(s: Json) -> str:
    source = _e(s["from"])
    if "card" in s:
        what = f"{_e(s['card'])} from {source}"
    elif "cards" in s:
        what = f"all of {_e(s['cards'])} from {source}"
    elif "range" in s:
        start, end = map(_e, s["range"])
        what = f"range [{start}, {end}) of {source}"
    elif "where" in s:
        what = f"each {s['as']} of {source} where {_e(s['where'])}"
    else:
        what = f"all of {source}"
    return f"move {what} to {_e(s['to'])}{_at(s)}"


def _at(s: Json) -> str:
    at = s.get("at")
    if at is None:
        return ""
    if isinstance(at, Mapping):
        return f", at position {_e(at)}"
    return {"top": ", on top", "bottom": ", at the bottom"}.get(at, f", as the {at} stack")


def _draw(s: Json) -> str:
    name = f", call it {s['as']}" if "as" in s else ""
    count = _e(s["count"]) if "count" in s else "1"
    empty = f"; when it is empty, first {_do(s['when_empty'])}" if "when_empty" in s else ""
    return f"draw {count} from {_e(s['from'])} to {_e(s['to'])}{_at(s)}{name}{empty}"


def _shuffle(s: Json) -> str:
    return f"shuffle {_e(s['from'])} into {_e(s['into'])}" if "from" in s else (
        f"shuffle {_e(s['into'])}"
    )


def _add(s: Json) -> str:
    at = f" at position {_e(s['at'])}" if "at" in s else ""
    return f"add {_e(s['value'])} to {_e(s['to'])}{at}"


def _remove(s: Json) -> str:
    return f"remove position {_e(s['at'])} of {_e(s['from'])}"


def _pick(s: Json) -> str:
    return f"pick {s['as']} from {_e(s['from'])}{_seen(s)}"


def _roll(s: Json) -> str:
    count = _e(s["count"]) if "count" in s else "1"
    return f"roll {s['as']}: {count} dice of {_e(s['sides'])} sides{_seen(s)}"


def _fill(s: Json) -> str:
    count = _e(s["count"]) if "count" in s else "1"
    name = f" {s['as']}" if "as" in s else ""
    where = f" where {_e(s['where'])}" if "where" in s else ""
    return f"fill {_e(s['zone'])} with {count} of each component{name}{where}"


def _do(s: Json) -> str:
    return f"do {s['effect']}({', '.join(map(_e, s['args']))})"


def _goto(s: Json) -> str:
    return f"go to step {s['step']}"


_WORDS = {"set": _set, "let": _let, "move": _move, "draw": _draw, "pick": _pick, "roll": _roll,
          "fill": _fill, "do": _do, "goto": _goto, "shuffle": _shuffle, "add": _add,
          "remove": _remove}


def _unknown(statement: Json) -> str:
    """Return a statement that this module has no words for, as its data."""

    def plain(value: Any) -> Any:
        if isinstance(value, Mapping):
            return value["expr"] if "expr" in value else {k: plain(v) for k, v in value.items()}
        return [plain(v) for v in value] if isinstance(value, list) else value

    hidden = ("statement", "place", "rule", "also", "when")
    data = {k: plain(v) for k, v in statement.items() if k not in hidden}
    return f"{statement['statement']} {json.dumps(data, ensure_ascii=False)}"
