"""Reports: what a run found, for people and for programs."""

from __future__ import annotations

import json
import shlex
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from rich.console import Console
from rich.text import Text

from .campaign import Campaign
from .checks import CHECKS, CLASSES
from .findings import Finding

__all__ = ["VERDICT_EXIT", "print_report", "report_json", "verdict_of"]

Json = dict[str, Any]
VERDICT_EXIT = {"conforms": 0, "does not conform": 1, "inconclusive": 3}
_STYLES = {"pass": "green", "fail": "bold red", "inconclusive": "yellow", "not-supported": "dim",
           "conforms": "bold green", "does not conform": "bold red"}


def verdict_of(campaign: Campaign, classes: Sequence[str] = CLASSES) -> str:
    """Return ``conforms``, ``does not conform`` or ``inconclusive`` for the asked classes.

    A class that is not supported proves nothing either way, but `core` must pass.
    """
    verdicts = {c: campaign.verdict(c) for c in classes}
    if "fail" in verdicts.values():
        return "does not conform"
    if "inconclusive" in verdicts.values() or "pass" not in verdicts.values():
        return "inconclusive"
    return "conforms"


def report_json(campaign: Campaign, classes: Sequence[str], command: Sequence[str]) -> Json:
    """Return the whole report as JSON; it says nothing that changes from run to run."""
    document, support, tally = campaign.document, campaign.support, campaign.tally
    return {
        "ludex_report": 1,
        "verdict": verdict_of(campaign, classes),
        "game": document["game"],
        "edition": document["edition"],
        "rules_digest": document["rules_digest"],
        "components": dict(document["components"]),
        "command": list(command),
        "implementation": {
            "name": support.name,
            "version": support.version,
            "language": support.language,
        },
        "adapter_does": list(support.adapter_does),
        "capabilities": sorted(support.capabilities),
        "players": list(support.players),
        "rulings": {k: list(v) for k, v in support.rulings.items()},
        "profile": campaign.profile.name,
        "seed": campaign.seed,
        "timed_out": campaign.timed_out,
        "classes": {c: campaign.verdict(c) for c in classes},
        "checks": {c: campaign.tally.checks[c] for c in CHECKS if campaign.tally.checks[c]},
        "counts": {
            "examples": tally.examples,
            "cases": tally.cases,
            "planned": tally.planned,
            "moves": tally.moves,
            "attempts": tally.attempts,
            "unchecked": tally.pending,
            "cut": tally.cut,
            "twins": tally.twins,
            "legal_moves": tally.listed,
        },
        "coverage": campaign.coverage.to_json(),
        "findings": [f.to_json() for f in campaign.findings],
    }


def print_report(
    console: Console,
    campaign: Campaign,
    classes: Sequence[str],
    command: Sequence[str],
    records: Mapping[int, str],
) -> None:
    """Print the report for people.

    Parameters
    ----------
    console : Console
        Where.
    campaign : Campaign
        The run.
    classes : sequence of str
        The classes asked for.
    command : sequence of str
        The implementation's command.
    records : mapping
        Index of a finding to the file of its record.
    """
    document, support = campaign.document, campaign.support
    console.print(
        Text(f"{document['title']}, edition {document['edition']}, "
             f"component set {document['components']['set']}", style="bold")
    )
    console.print(Text(f"{support.name} {support.version} ({support.language}), players "
                       f"{', '.join(map(str, support.players))}"))
    for name, values in support.rulings.items():
        everything = document["rulings"][name]["values"]
        if len(values) < len(everything):
            console.print(Text(f"  ruling {name}: only {', '.join(values)}", style="yellow"))
    if support.adapter_does:
        console.print(Text(f"  the adapter does: {', '.join(support.adapter_does)}",
                           style="yellow"))
    for index, finding in enumerate(campaign.findings):
        console.print()
        for line in _finding(finding, support.adapter_does):
            console.print(line)
        if index in records:
            replay = shlex.join(["ludex", "replay", records[index], "--", *command])
            console.print(Text(f"  replay    {replay}"))
    console.print()
    for name in classes:
        _print_class(console, campaign, name)
    tally = campaign.tally
    console.print(
        Text(f"{tally.examples} worked examples and {tally.cases} of {tally.planned} random games, "
             f"{tally.moves} moves, {tally.attempts} illegal moves tried, seed {campaign.seed}",
             style="dim")
    )
    if tally.pending:
        console.print(Text(f"{tally.pending} positions inside turns were not compared",
                           style="yellow"))
    if "legal" not in support.capabilities:
        console.print(Text(f"the program lists no legal moves: {tally.moves} of {tally.listed} "
                           "legal moves were sampled", style="yellow"))
    if tally.cut:
        console.print(Text(f"{tally.cut} games were compared only up to their first difference",
                           style="yellow"))
    if campaign.timed_out:
        console.print(Text(f"stopped at the time cap of {campaign.profile.seconds:g} s",
                           style="yellow"))
    never = campaign.coverage.never()
    if never:
        console.print(Text(f"rules that no game touched: {', '.join(never)}", style="yellow"))
    verdict = verdict_of(campaign, classes)
    console.print(Text(verdict.upper(), style=_STYLES.get(verdict, "yellow")))


def _print_class(console: Console, campaign: Campaign, name: str) -> None:
    verdict = campaign.verdict(name)
    counts = [
        f"{check} {campaign.tally.checks[check]}"
        for check in CHECKS
        if check.startswith(f"{name}.") and campaign.tally.checks[check]
    ]
    line = Text.assemble(f"{name:9}", (f"{verdict:14}", _STYLES[verdict]), (", ".join(counts),
                                                                           "dim"))
    console.print(line)


def _finding(finding: Finding, adapter_does: Sequence[str]) -> Iterator[Text]:
    difference = finding.difference
    rules = finding.script.game.document["text"]["rules"]
    title = "FAIL" if finding.reproduced else "FLAKY"
    yield Text(f"{title}  {difference.check}: {difference.message}",
               style="bold red" if finding.reproduced else "bold yellow")
    if not finding.reproduced:
        yield Text("  a fresh process did not show it again", style="yellow")
    yield Text(f"  rule {finding.rule}  {' '.join(rules[finding.rule]['text'].split())}")
    if len(finding.checks) > 1:
        yield Text(f"  also      {', '.join(finding.checks[1:])}", style="dim")
    if adapter_does:
        yield Text("  the fault may be the adapter's: it does "
                   f"{', '.join(adapter_does)}", style="yellow")
    yield from _game(finding)
    yield from _difference(finding)
    breach = finding.observed.breach
    if breach is not None and breach.stderr.strip():
        yield Text("  its last words on standard error:")
        for line in breach.stderr.strip().splitlines()[-8:]:
            yield Text(f"    {line}", style="dim")


def _game(finding: Finding) -> Iterator[Text]:
    script = finding.script
    settings = ", ".join(f"{k}={v}" for k, v in script.game.rulings.items())
    moves = sum(not s.refused for s in script.steps)
    yield Text(f"  shortest game found: {script.game.players} players, {settings}; "
               f"{moves} move{'' if moves == 1 else 's'}")
    yield Text(f"    setup  {_tape(script.chance)}", style="dim")
    for index, step in enumerate(script.steps):
        mark = "=>" if index == finding.at else "  "
        note = "  (illegal)" if step.refused else ""
        line = Text(f" {mark} {index + 1:4}. {_move(step.move)}{note}",
                    style="bold" if index == finding.at else "")
        if step.chance and not step.refused:
            line.append(f"   {_tape(step.chance)}", style="dim")
        yield line
    if finding.at == -1:
        yield Text(" =>   after the setup", style="bold")


def _move(move: Mapping[str, Any]) -> str:
    args = " ".join(f"{k}={_short(v)}" for k, v in move["args"].items())
    return f"{move['actor']} {move['move']} {args}".rstrip()


def _tape(outcomes: Sequence[Mapping[str, Any]]) -> str:
    """Return outcomes in words; draws from one zone to another stand together."""
    words: list[str] = []
    last = None
    for outcome in outcomes:
        if "draw" in outcome:
            route = f"{outcome['to']} from {outcome['from']}"
            if route == last:
                words[-1] += f" {outcome['draw']}"
            else:
                words.append(f"{route}: {outcome['draw']}")
            last = route
        else:
            last = None
            words.append(", ".join(f"{k} {_short(v)}" for k, v in outcome.items()))
    return "; ".join(words)


def _difference(finding: Finding) -> Iterator[Text]:
    difference = finding.difference
    if difference.check == "core.legal-set" and isinstance(difference.expected, dict):
        for word, moves in (("listed, but illegal", difference.actual["extra"]),
                            ("legal, not listed", difference.expected["missing"])):
            for move in moves[:5]:
                yield Text(f"  {word}:  {_listed(move)}")
            if len(moves) > 5:
                yield Text(f"    and {len(moves) - 5} more")
        return
    yield Text.assemble("  expected  ", (_short(difference.expected, 600), "green"))
    yield Text.assemble("  actual    ", (_short(difference.actual, 600), "red"))


def _listed(move: Any) -> str:
    if isinstance(move, dict) and isinstance(move.get("args"), dict) and {"actor", "move"} <= (
        move.keys()
    ):
        return _move(move)
    return _short(move)


def _short(value: Any, limit: int = 160) -> str:
    text = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
    return text if len(text) <= limit else f"{text[:limit]} ... ({len(text)} characters)"
