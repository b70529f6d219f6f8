"""Reports: what a run found, for people and for programs."""

from __future__ import annotations

import itertools
import shlex
from collections.abc import Mapping, Sequence
from typing import Any

from rich.console import Console
from rich.text import Text

from .campaign import Campaign
from .checks import CHECKS
from .showing import LABEL, paragraph, print_finding, short

__all__ = ["VERDICT_EXIT", "print_report", "report_json", "verdict_of"]

Json = dict[str, Any]
VERDICT_EXIT = {"conforms": 0, "does not conform": 1, "inconclusive": 3}
_STYLES = {"pass": "green", "fail": "bold red", "inconclusive": "yellow", "not-supported": "dim",
           "conforms": "bold green", "does not conform": "bold red"}


def verdict_of(campaign: Campaign, classes: Sequence[str] | None = None) -> str:
    """Return ``conforms``, ``does not conform`` or ``inconclusive`` for the asked classes.

    Without `classes`: for those of the campaign.
    A class that is not supported proves nothing either way, but `core` must pass.
    """
    verdicts = {c: campaign.verdict(c) for c in classes or campaign.classes}
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
        "start": [{"kind": b.kind, "message": b.message} for b in campaign.start],
        "goodbye": [{"kind": b.kind, "message": b.message} for b in campaign.goodbye],
        "robust": [f.to_json() for f in campaign.robust.faults],
        "findings": [f.to_json() for f in campaign.findings],
    }


def print_report(
    console: Console,
    campaign: Campaign,
    classes: Sequence[str],
    command: Sequence[str],
    records: Mapping[int, str],
    where: Sequence[str] = (),
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
    where : sequence of str
        Options that ``ludex replay`` needs to find the game and its components.
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
        print_finding(console, finding, support.adapter_does)
        if index in records:
            replay = shlex.join(["ludex", "replay", *where, records[index], "--", *command])
            console.print(Text(f"{'  replay':{LABEL}}{replay}"), soft_wrap=True)
    _print_goodbye(console, campaign)
    _print_faults(console, campaign, command, where)
    console.print()
    for name in classes:
        _print_class(console, campaign, name)
    tally = campaign.tally
    console.print(
        Text(f"{tally.examples} worked examples, {tally.cases} of {tally.planned} random games "
             f"(seed {campaign.seed}), {tally.moves} moves, {tally.attempts} illegal moves",
             style="dim")
    )
    if tally.pending:
        console.print(Text(f"{tally.pending} positions inside turns were not compared",
                           style="yellow"))
    if "legal" not in support.capabilities:
        console.print(Text(f"the program lists no legal moves: {tally.moves} of {tally.listed} "
                           "legal moves were sampled", style="yellow"))
    if tally.cut:
        games = "1 game was" if tally.cut == 1 else f"{tally.cut} games were"
        console.print(Text(f"{games} compared only up to the first difference", style="yellow"))
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
    line = paragraph(name, f"{verdict:14}{', '.join(counts)}".rstrip(), console.width, "dim")
    line.stylize(_STYLES[verdict], LABEL, LABEL + len(verdict))
    console.print(line, soft_wrap=True)


def _print_goodbye(console: Console, campaign: Campaign) -> None:
    for breach in campaign.start:
        console.print()
        console.print(paragraph("FLAKY", f"core.answers: hello: {breach.message}", console.width,
                                "bold yellow"), soft_wrap=True)
    if not campaign.goodbye:
        return
    again = len(campaign.goodbye) > 1
    breach = campaign.goodbye[0]
    console.print()
    console.print(paragraph("FAIL" if again else "FLAKY", f"core.answers: bye: {breach.message}",
                            console.width, "bold red" if again else "bold yellow"), soft_wrap=True)
    for line in breach.stderr.strip().splitlines()[-8:]:
        console.print(paragraph("  stderr", line, console.width, "dim"), soft_wrap=True)


def _print_faults(
    console: Console, campaign: Campaign, command: Sequence[str], where: Sequence[str]
) -> None:
    """Print what the class `robust` has found, and how to see it again."""
    for fault in campaign.robust.faults:
        loud = "bold red" if fault.reproduced else "bold yellow"
        lines = [("FAIL" if fault.reproduced else "FLAKY", f"{fault.check}: {fault.message}", loud)]
        if fault.sent:
            lines.append(("  sent", fault.sent, "dim"))
        lines += [("  expected", short(fault.expected), "green"),
                  ("  found", short(fault.actual), "red")]
        if fault.breach is not None:
            lines += [("  stderr", line, "dim")
                      for line in fault.breach.stderr.strip().splitlines()[-8:]]
        console.print()
        for label, text, style in lines:
            console.print(paragraph(label, text, console.width, style), soft_wrap=True)
    if campaign.robust.faults:
        place = dict(zip(where[::2], where[1::2], strict=True))
        game = place.pop("--game", campaign.document["game"])
        words = ["ludex", "certify", game, *itertools.chain(*place.items()), "--class", "robust",
                 "--seed", str(campaign.seed), "--", *command]
        console.print(Text(f"{'  again':{LABEL}}{shlex.join(words)}"), soft_wrap=True)
