"""Findings for people: the rule in words, the shortest game, what was expected and what came.

Everything is wrapped to the width of the console, with the label of a paragraph in a column of its
own; only what is to be copied (a command line) is never broken.
"""

from __future__ import annotations

import json
import textwrap
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from rich.console import Console
from rich.text import Text

from .findings import Finding
from .wire import printable

__all__ = ["LABEL", "move_words", "paragraph", "print_finding", "short"]

#: Width of the column of labels.
LABEL = 12
#: Values longer than this are cut.
LONGEST = 600


def print_finding(console: Console, finding: Finding, adapter_does: Sequence[str]) -> None:
    """Print a finding.

    Parameters
    ----------
    console : Console
        Where.
    finding : Finding
        What was found.
    adapter_does : sequence of str
        What the adapter adds to the program, so that it may be at fault.
    """
    for label, text, style in _finding(finding, adapter_does):
        console.print(paragraph(label, text, console.width, style), soft_wrap=True)


def paragraph(label: str, text: str, width: int, style: str = "") -> Text:
    """Return a label and a text, wrapped with a hanging indent.

    Parameters
    ----------
    label : str
        For the first line; may be empty.
    text : str
        White space is one blank.
    width : int
        In columns.
    style : str, optional
        Of the text.
    """
    indent = " " * LABEL
    # what a program says must not steer the terminal
    text = printable(text.encode("utf-8", "replace"))
    lines = textwrap.wrap(text, max(width - LABEL, 30), break_on_hyphens=False,
                          break_long_words=False) or [""]
    head = f"{label} " if len(label) >= LABEL else f"{label:{LABEL}}"
    return Text.assemble(head, (f"\n{indent}".join(lines), style))


def _finding(finding: Finding, adapter_does: Sequence[str]) -> Iterator[tuple[str, str, str]]:
    difference = finding.difference
    rule = finding.script.game.document["text"]["rules"][finding.rule]
    loud = "bold red" if finding.reproduced else "bold yellow"
    label = "FAIL" if finding.reproduced else "NOT ALONE" if finding.needs else "FLAKY"
    yield (label, f"{difference.check}: {difference.message}",
           loud)
    if finding.needs:
        games = "another game" if finding.needs == 1 else f"{finding.needs} other games"
        yield ("", f"This game alone, in a new process, does not show it; after {games} in the "
               "same process it does. So the program keeps something from game to game: see "
               "robust.repeats.", "yellow")
    elif not finding.reproduced:
        yield ("", "This game alone, in a new process, did not show it again. It may depend on the "
               "games before it, on time, or on random numbers.", "yellow")
    yield f"  rule {finding.rule}", rule["text"], ""
    if len(finding.checks) > 1:
        yield "  also", ", ".join(finding.checks[1:]), "dim"
    if adapter_does:
        yield "  note", f"the adapter does {', '.join(adapter_does)}: the fault may be its own", (
            "yellow")
    yield from _game(finding)
    yield from _difference(finding)
    yield from _last_words(finding)


def _game(finding: Finding) -> Iterator[tuple[str, str, str]]:
    script = finding.script
    chosen = {**script.game.rulings, **script.game.options}
    settings = ", ".join(f"{k}={short(v)}" for k, v in chosen.items())
    yield "  game", f"{script.game.players} players; {settings or 'no rulings'}", ""
    yield from _tape("    setup", script.chance)
    for index, step in enumerate(script.steps):
        here = index == finding.at
        label = f" {'=>' if here else '  '} {index + 1}."
        if here and not _about_after(finding):
            yield from _table(finding, finding.at)
        note = "   (illegal: to be refused)" if step.refused else ""
        yield label, f"{move_words(step.move)}{note}", "bold" if here else ""
        if not step.refused:
            yield from _tape("", step.chance)
    if finding.at == -1:
        yield " => setup", "the position after it differs", "bold"
    if _about_after(finding):
        yield from _table(finding, finding.at + 1)


def _about_after(finding: Finding) -> bool:
    """Return whether the difference is seen in the right table that the step leads to."""
    return finding.difference.check in ("core.legal-set", "core.actors", "core.outcome",
                                        "privacy.observation")


def _table(finding: Finding, steps: int) -> Iterator[tuple[str, str, str]]:
    """Say how the table lies after so many steps; after the setup if there are none."""
    script = finding.script
    positions = [s.expected for s in script.steps[:steps] if s.expected is not None]
    table = (positions[-1] if positions else script.expected)["state"]
    label = "    table"
    for name, value in table.items():
        if isinstance(value, Mapping):
            text = "; ".join(f"{name}.{k}: {_zone(v)}" for k, v in value.items())
        else:
            text = f"{name}: {_zone(value)}"
        yield label, text, "dim"
        label = ""


def _zone(value: Any) -> str:
    """Return a zone in few words."""
    if isinstance(value, Mapping):
        return ", ".join(f"{k} {_zone(v)}" for k, v in value.items())
    if isinstance(value, list):
        if len(value) > 12 and all(isinstance(v, str) for v in value):
            return f"{len(value)} components"
        items = " ".join(f"[{_zone(v)}]" if isinstance(v, list) else str(v) for v in value)
        return items or "empty"
    return "empty" if value is None else str(value)


def move_words(move: Mapping[str, Any]) -> str:
    """Return a move in one line."""
    args = " ".join(f"{k}={short(v)}" for k, v in move["args"].items())
    return f"{move['actor']} {move['move']} {args}".rstrip()


def _tape(label: str, outcomes: Sequence[Mapping[str, Any]]) -> Iterator[tuple[str, str, str]]:
    """Yield outcomes in words; draws from one zone to another stand together."""
    words: list[str] = []
    last = None
    for outcome in outcomes:
        route = f"{outcome['to']} draws" if "draw" in outcome else None
        if route is not None and route == last:
            words[-1] += f" {outcome['draw']}"
        elif route is not None:
            words.append(f"{route} {outcome['draw']}")
        else:
            words.append(_outcome(outcome))
        last = route
    for index, text in enumerate(words):
        yield label if index == 0 else "", text, "dim"


def _outcome(outcome: Mapping[str, Any]) -> str:
    if "pick" in outcome:
        return f"{outcome['of']} is {short(outcome['pick'])}"
    if "roll" in outcome:
        return f"dice {' '.join(map(str, outcome['roll']))}"
    return ", ".join(f"{k} {short(v)}" for k, v in outcome.items())


def _difference(finding: Finding) -> Iterator[tuple[str, str, str]]:
    difference = finding.difference
    expected, actual = difference.expected, difference.actual
    if isinstance(expected, dict) and expected.keys() == {"missing"}:
        for label, moves, style in (("  too many", actual["extra"], "red"),
                                    ("  missing", expected["missing"], "green")):
            for move in moves[:5]:
                yield label, _listed(move), style
            if len(moves) > 5:
                yield "", f"and {len(moves) - 5} more", style
        return
    if finding.twin is not None:
        yield "  told here", short(expected, LONGEST), "green"
        yield "  told there", short(actual, LONGEST), "red"
        return
    yield "  expected", short(expected, LONGEST), "green"
    yield "  found", short(actual, LONGEST), "red"
    if _are_lists(expected, actual):
        missing, extra = Counter(expected) - Counter(actual), Counter(actual) - Counter(expected)
        for word, items in (("missing", missing), ("too many", extra)):
            if items:
                yield "", f"{word}: {' '.join(items.elements())}", ""
        if not missing and not extra:
            yield "", "the same things in another order", ""


def _are_lists(expected: Any, actual: Any) -> bool:
    return all(
        isinstance(v, list) and all(isinstance(item, str) for item in v)
        for v in (expected, actual)
    )


def _listed(move: Any) -> str:
    if isinstance(move, dict) and isinstance(move.get("args"), dict) and {"actor", "move"} <= (
        move.keys()
    ):
        return move_words(move)
    return short(move)


def _last_words(finding: Finding) -> Iterator[tuple[str, str, str]]:
    breach = finding.observed.breach
    if breach is None:
        return
    for index, line in enumerate(breach.wire[-2:]):
        yield "  wire" if index == 0 else "", short(line, 300), "dim"
    for index, line in enumerate(breach.stderr.strip().splitlines()[-8:]):
        yield "  stderr" if index == 0 else "", line, "dim"


def short(value: Any, limit: int = 160) -> str:
    """Return a value in one line of limited length."""
    text = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
    return text if len(text) <= limit else f"{text[:limit]} ... ({len(text)} characters)"
