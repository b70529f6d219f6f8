"""``ludex rules GAME``: the rulebook at the terminal."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import click
from rich.console import Console
from rich.text import Text

from ludex.authoring.document import load_document
from ludex.cli.options import game_argument
from ludex.cli.paragraphs import say
from ludex.errors import Place
from ludex.render.faces import clean
from ludex.rulebook import Entry, Rulebook

__all__ = ["rules"]

#: So many results of a search are printed.
_LISTED = 15


@click.command()
@game_argument
@click.argument("words", nargs=-1, metavar="[ID or WORDS]...")
@click.option("--all", "everything", is_flag=True, help="Print all that a search finds.")
@click.option("--format", "form", type=click.Choice(["text", "json"]), default="text")
def rules(game: str, words: tuple[str, ...], everything: bool, form: str) -> int:
    """Look up rules, rulings and examples of GAME.

    With no more than GAME, all sections and rules. With the id of a rule ("4.4"), a section, a
    ruling or an example, all about it. With other words, what they are found in. Exit 1 if
    nothing is found.
    """
    book = Rulebook(load_document(game))
    console = Console(highlight=False)
    typed = " ".join(words)
    if not typed.strip():
        found, searched = [e for e in book.entries if e.what in ("rule", "section")], False
    else:
        found, searched = book.look_up(typed)
    if form == "json":
        click.echo(json.dumps({"game": game, "entries": [e.to_json() for e in found]}, indent=1,
                              ensure_ascii=False))
        return 0 if found else 1
    if not typed.strip():
        _contents(console, book)
        return 0
    if not found:
        hint = book.nearest(typed.strip())
        click.echo(f"Nothing is found for {typed.strip()!r}" + (f"; {hint}" if hint else "."))
        return 1
    if not searched:
        for entry in found:
            _show(console, entry, book)
        return 0
    shown = found if everything else found[:_LISTED]
    for entry in shown:
        say(console, *_heading(entry))
    if len(found) > len(shown):
        console.print(Text(f"... and {len(found) - len(shown)} more: --all prints them", "dim"))
    return 0


def _contents(console: Console, book: Rulebook) -> None:
    for section in book.sections:
        console.print(Text(clean(f"{section['id']} {section['title']}"), "bold"),
                      soft_wrap=True)
        for rule in section["rules"]:
            _line(console, book, rule)


def _line(console: Console, book: Rulebook, rule: str) -> None:
    for entry in book.find(rule):
        if entry.what == "rule":
            say(console, f"  {rule}", entry.title)


def _heading(entry: Entry) -> tuple[str, str]:
    """Return a label, and what stands beside it."""
    if entry.what == "rule":
        return f"rule {entry.id}", entry.title
    return entry.what, f"{entry.id}: {entry.title}"


def _show(console: Console, entry: Entry, book: Rulebook) -> None:
    value = entry.value
    if entry.what == "section":
        console.print(Text(clean(f"{entry.id} {entry.title}"), "bold"), soft_wrap=True)
        for rule in value["rules"]:
            _line(console, book, rule)
        return
    say(console, *_heading(entry), "bold")
    facts: list[tuple[str, str]] = []
    if entry.what == "rule":
        facts = _of_rule(value)
    elif entry.what == "ruling":
        facts = _of_ruling(value)
    else:
        facts = _of_example(value)
    for label, text in facts:
        say(console, f"  {label}" if label else "", text)
    names = [("rules", value.get("rules", ()), "rule"),
             ("see", value.get("see", ()), "rule"),
             ("rulings", value["rulings"] if entry.what == "rule"
              else value.get("rulings_pinned", ()), "ruling"),
             ("examples", value.get("examples", ()), "example")]
    for label, ids, kind in names:
        _named(console, book, label, ids, kind)
    if value.get("clauses"):
        say(console, "  clauses", ", ".join(_short(p) for p in value["clauses"]))
    if entry.what == "example":
        for index, step in enumerate(value.get("steps", ())):
            ((kind, what),) = step.items()
            say(console, "  steps" if index == 0 else "",
                f"{kind} {json.dumps(what, ensure_ascii=False)}", "dim")


def _named(
    console: Console, book: Rulebook, label: str, ids: Sequence[str], kind: str
) -> None:
    """Print what is named, one a line, with its words."""
    first = True
    for name in ids:
        for entry in book.find(name):
            if entry.what == kind:
                say(console, f"  {label}" if first else "", f"{entry.id}: {entry.title}")
                first = False


def _of_rule(value: dict[str, Any]) -> list[tuple[str, str]]:
    facts = [("section", f"{value['section']['id']} {value['section']['title']}"),
             ("rulebook", "; ".join(value["place"])),
             ("kind", f"{value['kind']}, {value['status']}")]
    if "why" in value:
        facts.append(("informal", value["why"]))
    return facts


def _of_ruling(value: dict[str, Any]) -> list[tuple[str, str]]:
    facts = [("kind", value["kind"])]
    if "weight" in value:
        facts.append(("weight", value["weight"]))
    facts.append(("rulebook", "; ".join(value.get("place", []))))
    for name, text in value.get("values", {}).items():
        default = " (default)" if name == value.get("default") else ""
        facts.append(("value", f"{name}{default}: {text}"))
    facts += [(key, value[key]) for key in ("answer", "reason") if key in value]
    return facts


def _of_example(value: dict[str, Any]) -> list[tuple[str, str]]:
    facts = [("players", str(value["players"]))]
    if value.get("pins"):
        facts.insert(0, ("pins", f"rule {', '.join(value['pins'])}"))
    if "components" in value:
        facts.append(("components", value["components"]))
    for key in ("rulings", "options"):
        if value.get(key):
            facts.append(("with", ", ".join(f"{k}={v}" for k, v in value[key].items())))
    if "unreachable" in value:
        facts.append(("note", f"no game gets there: {value['unreachable']}"))
    if "cannot_start" in value:
        facts.append(("shows", f"the game cannot start (rule {value['cannot_start']})"))
    return facts


def _short(place: str) -> str:
    found = Place.parse(place)
    return f"{Path(found.file).name}:{found.line}"
