"""Longer texts of ``ludex play``: help, the rules in words, the result."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from typing import Any

from rich.console import Group, RenderableType
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from ludex.cli.typed import Json, usage
from ludex.engine import Game
from ludex.errors import closest
from ludex.render.faces import clean

__all__ = ["help_text", "outcome_text", "rule_lines", "rules_text"]


def help_text(game: Game, example: Json) -> Group:
    """Return what can be typed.

    Parameters
    ----------
    game : Game
        The game.
    example : dict
        A move that is legal now.
    """
    table = Table.grid(padding=(0, 2))
    table.add_column(no_wrap=True, style="bold")
    table.add_column()
    for typed, meaning in (
        ("3", "the third move of the list"),
        ("table", "draw the table again"),
        ("moves", "list all your moves"),
        ("rules", "the sections; rules 4 or rules 4.1 shows a section or a rule"),
        ("w", "wait, where others may act as well"),
        ("q", "leave"),
    ):
        table.add_row(typed, meaning)
    args = " ".join(f"{k}={_short(v)}" for k, v in example["args"].items())
    text = {k: v for k, v in example.items() if k != "actor"}
    moves = Table.grid(padding=(0, 2))
    moves.add_column()
    moves.add_column(style="dim")
    titles = {m["name"]: m["title"] for m in game.document["moves"]}
    for name, title in titles.items():
        moves.add_row(Text(usage(game, name)), Text(clean(title)))
    return Group(
        table,
        Text("A move can be typed in full, legal or not; you are told which rule forbids it:"),
        Padding(moves, (0, 0, 0, 2)),
        Text("for example, in two ways:"),
        Text(f"  {example['move']} {args}".rstrip()),
        Text(f"  {json.dumps(text, ensure_ascii=False)}"),
    )


def rule_lines(document: Mapping[str, Any], rule: str) -> Table:
    """Return a rule with its number."""
    text = document.get("text", {}).get("rules", {}).get(rule, {}).get("text")
    table = Table.grid(padding=(0, 2))
    table.add_column(no_wrap=True, style="bold")
    table.add_column()
    words = clean(" ".join(text.split())) if text else "(there are no words for this rule)"
    table.add_row(Text(f"  {rule}"), Text(words))
    return table


def rules_text(document: Mapping[str, Any], wanted: str) -> Group:
    """Return a rule, a section, or the list of sections if nothing is wanted."""
    text = document.get("text", {})
    sections = {s["id"]: s for s in text.get("sections", ())}
    rules = text.get("rules", {})
    if not wanted:
        lines = [
            Text(clean(f"  {s['id']}  {s['title']}: {s['rules'][0]} to {s['rules'][-1]}"))
            for s in sections.values()
            if s["rules"]
        ]
        return Group(*lines, Text("Type rules and a number to read one."))
    if wanted in rules:
        return Group(rule_lines(document, wanted))
    if wanted in sections:
        section = sections[wanted]
        return Group(Text(clean(section["title"]), "bold"),
                     *(rule_lines(document, r) for r in section["rules"]))
    hint = closest(wanted, [*rules, *sections]) or f"the sections are {', '.join(sections)}"
    return Group(Text(clean(f"There is no rule {wanted!r}."), "red"), Text(f"  {hint}"))


def outcome_text(
    document: Mapping[str, Any], outcome: Json, ending: Json, name: Callable[[str], str]
) -> Group:
    """Return who has won, what each returns, and the rules that say so.

    Parameters
    ----------
    document : mapping
        The game document.
    outcome, ending : dict
        Of the state.
    name : callable
        From a player to what he or she is called.
    """
    end = ending["rule"]
    winning = ending.get("winners_rule") or end
    counting = ending.get("returns_rule") or end
    winners = [name(p) for p in outcome["winners"]]
    if not winners:
        result = "Nobody wins"
    elif len(winners) == 1:
        result = f"The winner is {winners[0]}"
    else:
        result = f"The winners are {', '.join(winners[:-1])} and {winners[-1]}"
    parts: list[RenderableType] = [rule_lines(document, end)]
    if "returns" in outcome:
        table = Table.grid(padding=(0, 2))
        table.add_column()
        table.add_column(justify="right")
        for player, value in outcome["returns"].items():
            table.add_row(Text(name(player)), Text(str(value)))
        parts += [Text("Returns", "bold"), Padding(table, (0, 0, 0, 2))]
        if counting != end:
            parts.append(rule_lines(document, counting))
    parts.append(Text(f"{result}.", "bold"))
    if winning not in (end, counting):
        parts.append(rule_lines(document, winning))
    return Group(*parts)


def _short(value: Any) -> str:
    """Return a value as the short form spells it."""
    if value is None:
        return "none"
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, list) and all(isinstance(v, (str, int)) for v in value):
        return ",".join(_short(v) for v in value)
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False,
                                                           separators=(",", ":"))
