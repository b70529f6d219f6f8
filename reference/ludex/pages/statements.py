"""Statements as readable lines."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any

__all__ = [
    "block_lines",
    "indented",
    "inner_blocks",
    "other_rules",
    "seen_by",
    "statement_line",
    "text_of",
]

Json = Mapping[str, Any]
_INDENT = "  "


def text_of(clause: Any) -> str:
    """Return the text of an expression."""
    return str(clause["expr"]) if isinstance(clause, Mapping) else str(clause)


def seen_by(node: Json) -> str:
    """Return who sees an outcome or an argument, unless everyone does."""
    who = node.get("visible_to")
    return "" if who in (None, "everyone") else f", seen by {text_of(who)}"


def indented(lines: Sequence[str]) -> list[str]:
    """Return lines one level further right."""
    return [_INDENT + line for line in lines]


def other_rules(node: Json, around: Json | None) -> str:
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
        inner = inner_blocks(statement)
        when = f"when {text_of(statement['when'])}: " if "when" in statement else ""
        rules = other_rules(statement, around)
        if not inner:
            lines.append(f"{when}{statement_line(statement)}{rules}")
        for index, (words, part) in enumerate(inner):
            if index and not part:
                continue
            opening = "else" if index and statement["statement"] == "if" else words[-1]
            lines.append(f"{when if index == 0 else ''}{opening}:{rules if index == 0 else ''}")
            lines += indented(block_lines(part, statement))
    return lines


def inner_blocks(statement: Json) -> list[tuple[tuple[str, ...], Sequence[Json]]]:
    """Return the blocks inside a statement, each with the words it stands under."""
    kind = statement["statement"]
    when = (f"when {text_of(statement['when'])}",) if "when" in statement else ()
    if kind == "if":
        test = text_of(statement["if"])
        return [((*when, f"if {test}"), statement["then"]),
                ((*when, f"unless {test}"), statement["else"])]
    if kind == "each":
        words = f"for each {statement['as']} in {text_of(statement['in'])}"
        return [((*when, words), statement["do"])]
    if kind == "repeat":
        test = f" while {text_of(statement['while'])}" if "while" in statement else ""
        return [((*when, f"repeat {text_of(statement['times'])} times{test}"), statement["do"])]
    if kind == "match":
        value = text_of(statement["match"])
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
    pairs = ((text_of(a["target"]), text_of(a["value"])) for a in s["assign"])
    return "set " + ", ".join(f"{target} = {value}" for target, value in pairs)


def _let(s: Json) -> str:
    return "let " + ", ".join(f"{n['name']} = {text_of(n['value'])}" for n in s["names"])


def _move(s: Json) -> str:
    source = text_of(s["from"])
    if "card" in s:
        what = f"{text_of(s['card'])} from {source}"
    elif "cards" in s:
        what = f"all of {text_of(s['cards'])} from {source}"
    elif "range" in s:
        start, end = map(text_of, s["range"])
        what = f"range [{start}, {end}) of {source}"
    elif "where" in s:
        what = f"each {s['as']} of {source} where {text_of(s['where'])}"
    else:
        what = f"all of {source}"
    return f"move {what} to {text_of(s['to'])}{_at(s)}"


def _at(s: Json) -> str:
    at = s.get("at")
    if at is None:
        return ""
    if isinstance(at, Mapping):
        return f", at position {text_of(at)}"
    return {"top": ", on top", "bottom": ", at the bottom"}.get(at, f", as the {at} stack")


def _draw(s: Json) -> str:
    name = f", call it {s['as']}" if "as" in s else ""
    count = text_of(s["count"]) if "count" in s else "1"
    empty = f"; when it is empty, first {_do(s['when_empty'])}" if "when_empty" in s else ""
    return f"draw {count} from {text_of(s['from'])} to {text_of(s['to'])}{_at(s)}{name}{empty}"


def _shuffle(s: Json) -> str:
    return f"shuffle {text_of(s['from'])} into {text_of(s['into'])}" if "from" in s else (
        f"shuffle {text_of(s['into'])}"
    )


def _add(s: Json) -> str:
    at = f" at position {text_of(s['at'])}" if "at" in s else ""
    return f"add {text_of(s['value'])} to {text_of(s['to'])}{at}"


def _remove(s: Json) -> str:
    return f"remove position {text_of(s['at'])} of {text_of(s['from'])}"


def _pick(s: Json) -> str:
    return f"pick {s['as']} from {text_of(s['from'])}{seen_by(s)}"


def _roll(s: Json) -> str:
    count = text_of(s["count"]) if "count" in s else "1"
    return f"roll {s['as']}: {count} dice of {text_of(s['sides'])} sides{seen_by(s)}"


def _fill(s: Json) -> str:
    count = text_of(s["count"]) if "count" in s else "1"
    name = f" {s['as']}" if "as" in s else ""
    where = f" where {text_of(s['where'])}" if "where" in s else ""
    return f"fill {text_of(s['zone'])} with {count} of each component{name}{where}"


def _do(s: Json) -> str:
    return f"do {s['effect']}({', '.join(map(text_of, s['args']))})"


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
