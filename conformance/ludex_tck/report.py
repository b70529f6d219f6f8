"""Reports: what a run found, for people and for programs."""

from __future__ import annotations

import itertools
import json
import shlex
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from rich.console import Console
from rich.text import Text

from .campaign import Campaign
from .checks import CHECKS, class_of
from .implementation import HelloError
from .profiles import Profile
from .readings import unsupported_values
from .showing import LABEL, paragraph, print_finding, short
from .tally import Tally
from .trial import Counts

__all__ = ["VERDICT_EXIT", "hello_report", "print_report", "report_json", "verdict_of"]

Json = dict[str, Any]
VERDICT_EXIT = {
    "conforms": 0,
    "known failures": 0,
    "does not conform": 1,
    "known failures have gone": 1,
    "inconclusive": 3,
}
_STYLES = {"pass": "green", "fail": "bold red", "inconclusive": "yellow", "not-supported": "dim",
           "conforms": "bold green", "does not conform": "bold red", "known": "yellow",
           "known failures have gone": "bold red"}


def verdict_of(campaign: Campaign, classes: Sequence[str] | None = None) -> str:
    """Return ``conforms``, ``does not conform`` or ``inconclusive`` for the asked classes.

    With a list of known failures also ``known failures``, if there are no others, and ``known
    failures have gone``, if there are no others but not all of these.

    Without `classes`: for those of the campaign.
    A class that is not supported proves nothing either way, but `core` must pass.
    """
    verdicts = {c: campaign.verdict(c) for c in classes or campaign.classes}
    if "fail" in verdicts.values():
        return "does not conform"
    gone = {class_of(k.check) for k in campaign.known if not k.fails} & verdicts.keys()
    # what a program that draws its own chance did not show may come another time
    unseen = gone - {"robust"} if campaign.support.is_live else set()
    if gone - unseen:
        return "known failures have gone"
    if unseen:
        return "inconclusive"
    if "inconclusive" in verdicts.values() or not {"pass", "known"} & set(verdicts.values()):
        return "inconclusive"
    return "known failures" if "known" in verdicts.values() else "conforms"


def report_json(campaign: Campaign, classes: Sequence[str], command: Sequence[str]) -> Json:
    """Return the whole report as JSON; it says nothing that changes from run to run."""
    document, support = campaign.document, campaign.support
    return {
        "ludex_report": 1,
        "verdict": verdict_of(campaign, classes),
        **_what(document, command),
        "implementation": {
            "name": support.name,
            "version": support.version,
            "language": support.language,
        },
        "adapter_does": list(support.adapter_does),
        "capabilities": sorted(support.capabilities),
        "players": list(support.players),
        "rulings": {k: list(v) for k, v in support.rulings.items()},
        "options": {k: list(v) for k, v in support.options.items()},
        "not_supported": unsupported_values(document, support),
        "profile": campaign.profile.name,
        "seed": campaign.seed,
        "timed_out": campaign.timed_out,
        "classes": {c: campaign.verdict(c) for c in classes},
        "checks": {c: campaign.tally.checks[c] for c in CHECKS if campaign.tally.checks[c]},
        "counts": _counts(campaign.tally),
        "coverage": campaign.coverage.to_json(),
        "known": [k.to_json() for k in campaign.known],
        "start": [{"kind": b.kind, "message": b.message} for b in campaign.start],
        "goodbye": [{"kind": b.kind, "message": b.message} for b in campaign.goodbye],
        "robust": [f.to_json() for f in campaign.robust.faults],
        "findings": [f.to_json() for f in campaign.findings],
    }


def hello_report(
    document: Mapping[str, Any],
    error: HelloError,
    profile: Profile,
    seed: int,
    classes: Sequence[str],
    command: Sequence[str],
) -> Json:
    """Return the report on a program that cannot be tested: nothing was played.

    Parameters
    ----------
    document : dict
        The game document.
    error : HelloError
        Why not.
    profile : Profile
        What was to be done.
    seed : int
        Of the random games.
    classes : sequence of str
        The classes asked for.
    command : sequence of str
        The implementation's command.
    """
    # to play another game, or to have no chance that can be told, breaks no promise
    unable = error.code in ("hello.game", "hello.chance")
    other = "not-supported" if unable else "inconclusive"
    hello: Json = {"code": error.code, "message": error.message, "hint": error.hint or ""}
    if error.breach is not None:
        hello["breach"] = {"kind": error.breach.kind, "stderr": error.breach.stderr[-4000:]}
    counts = Counts(document)
    counts.tally.planned = profile.cases
    return {
        "ludex_report": 1,
        "verdict": "does not conform",
        **_what(document, command),
        "implementation": None,
        "hello": hello,
        "adapter_does": [],
        "capabilities": [],
        "players": [],
        "rulings": {},
        "options": {},
        "not_supported": {"players": [], "rulings": {}, "options": {}},
        "profile": profile.name,
        "seed": seed,
        "timed_out": False,
        "classes": {c: "fail" if c == "core" and not unable else other for c in classes},
        "checks": {},
        "counts": _counts(counts.tally),
        "coverage": counts.coverage.to_json(),
        **{key: [] for key in ("known", "start", "goodbye", "robust", "findings")},
    }


def _what(document: Mapping[str, Any], command: Sequence[str]) -> Json:
    return {
        "game": document["game"],
        "edition": document["edition"],
        "rules_digest": document["rules_digest"],
        "components": dict(document["components"]),
        "command": list(command),
    }


def _counts(tally: Tally) -> Json:
    return {
        "examples": tally.examples,
        "cases": tally.cases,
        "planned": tally.planned,
        "moves": tally.moves,
        "attempts": tally.attempts,
        "unchecked": tally.pending,
        "cut": tally.cut,
        "twins": tally.twins,
        "known": tally.known,
        "legal_moves": tally.listed,
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
    for line in _narrowed(campaign):
        console.print(Text(line, style="yellow"), soft_wrap=True)
    if support.adapter_does:
        console.print(Text(f"  the adapter does: {', '.join(support.adapter_does)}",
                           style="yellow"))
    _print_skips(console, campaign)
    _print_known(console, campaign)
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
    never = campaign.coverage.never()
    if never:
        console.print(Text(f"rules that no game touched: {', '.join(never)}", style="yellow"))
    verdict = verdict_of(campaign, classes)
    console.print(Text(verdict.upper(), style=_STYLES.get(verdict, "yellow")))


def _narrowed(campaign: Campaign) -> Iterator[str]:
    """Say what the game allows and the program does not support: that was not tested."""
    missing = unsupported_values(campaign.document, campaign.support)
    if missing["players"]:
        yield f"  not supported: {', '.join(map(str, missing['players']))} players"
    for part in ("rulings", "options"):
        for name, values in missing[part].items():
            yield (f"  not supported: {part[:-1]} {name} = "
                   f"{', '.join(v if isinstance(v, str) else json.dumps(v) for v in values)}")


def _print_skips(console: Console, campaign: Campaign) -> None:
    """Print what was not compared, before anything else."""
    tally = campaign.tally
    lines = []
    if tally.pending:
        lines.append(f"{tally.pending} positions inside turns were not compared")
    if "legal" not in campaign.support.capabilities:
        lines.append(f"the program lists no legal moves: {tally.moves} of {tally.listed} "
                     "legal moves were sampled")
    for number, what in ((tally.cut, "the first difference"), (tally.known, "a known failure")):
        if number:
            games = "1 game was" if number == 1 else f"{number} games were"
            lines.append(f"{games} compared only up to {what}")
    if campaign.timed_out:
        lines.append(f"stopped at the time cap of {campaign.profile.seconds:g} s")
    if "robust" in campaign.classes and not campaign.robust.finished:
        lines.append("not everything of the class robust was tried")
    lines += campaign.shelf.lines() if campaign.shelf else []
    for line in lines:
        console.print(Text(line, style="yellow"))


def _print_known(console: Console, campaign: Campaign) -> None:
    for known in campaign.known:
        entry = known.to_json()
        rule = f", rule {entry['rule']}" if "rule" in entry else ""
        label, words, style = "KNOWN", entry["reason"], "yellow"
        if not known.fails and campaign.support.is_live and class_of(known.check) != "robust":
            label, words = "NOT SEEN", ("it did not come in this run; the program draws its own "
                                        "chance, so more games may show it")
        elif not known.fails:
            label, words, style = "GONE", "it does not fail any more: remove it", "bold red"
        console.print(paragraph(label, f"{known.check}{rule}: {words}", console.width, style),
                      soft_wrap=True)


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
