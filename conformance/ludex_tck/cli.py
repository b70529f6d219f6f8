"""``ludex certify``, ``ludex try``, ``ludex replay``, ``ludex verify``."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

import click
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn
from rich.text import Text

from ludex.authoring.document import load_document
from ludex.authoring.folder import builtin_games
from ludex.cli.options import game_argument
from ludex.errors import UsageError
from ludex.records import document_of, read_record

from .campaign import Campaign
from .certificate import certificate, differences, read_certificate
from .checks import CLASSES
from .files import write_json
from .findings import Finding
from .games import Games
from .implementation import HelloError, Implementation, Support
from .known import read_known, try_known
from .lengths import fitted
from .limit_options import limit_options
from .live import LiveCampaign
from .profiles import PROFILES
from .program_command import ProgramCommand, command_argument
from .report import VERDICT_EXIT, hello_report, print_report, report_json, verdict_of
from .saved import Saved, read_saved, run_saved, save, shelf_of, try_saved, unsupported
from .showing import print_finding
from .try_out import print_try
from .wire import Breach, Limits

__all__ = ["certify", "replay", "try_", "verify"]

#: With a program that draws its own chance: games that are tried, and how many that come as
#: recorded are enough.
_TRIES, _ENOUGH = 100, 3
components_option = click.option("--components", default="standard", metavar="SET",
                                 help="Component set of the game, or a file.  [default: standard]")


def origin_options(what: str) -> Callable[[Callable[..., int]], Callable[..., int]]:
    """Give a command the options that say where the game of a file is, if the file cannot.

    Parameters
    ----------
    what : str
        The file, in a word.
    """
    game = click.option("--game", default=None, metavar="GAME",
                        help="Folder of the game, if it is not built in.")
    components = click.option("--components", default=None, metavar="SET",
                              help=f"Component set of the game, or a file.  [default: that of the "
                                   f"{what}]")
    return lambda command: game(components(command))


@click.command(cls=ProgramCommand)
@game_argument
@command_argument
@click.option("--profile", type=click.Choice(list(PROFILES)), default="standard",
              show_default=True, help="How much to do.")
@click.option("--seed", type=click.IntRange(min=0), default=0, show_default=True,
              help="Of the random games.")
@click.option("--class", "classes", multiple=True, type=click.Choice(CLASSES),
              help="Check only this class; may be repeated.")
@click.option("--cases", type=click.IntRange(min=1),
              help="Random games, in place of the profile's.")
@click.option("--stop-after", type=click.IntRange(min=1), metavar="N",
              help="Stop after N findings, in place of the profile's.")
@click.option("--workers", type=click.IntRange(1, 64), default=1, show_default=True, metavar="N",
              help="Processes that play random games, each with a COMMAND of its own.")
@components_option
@limit_options
@click.option("--report", type=click.Path(path_type=Path), help="Write the report as JSON.")
@click.option("--certificate", "certificate_path", type=click.Path(path_type=Path),
              help="Write the certificate, if the program conforms.")
@click.option("--findings", type=click.Path(path_type=Path), default=Path(".ludex"),
              show_default=True, help="Folder for the records of findings.")
@click.option("--known", type=click.Path(path_type=Path), metavar="FILE",
              help="Known failures, YAML or JSON: these do not fail the run, unless they are gone.")
@click.option("--format", "form", type=click.Choice(["text", "json"]), default="text")
def certify(
    game: str,
    command: tuple[str, ...],
    profile: str,
    seed: int,
    classes: tuple[str, ...],
    cases: int | None,
    stop_after: int | None,
    workers: int,
    components: str,
    limits: Limits,
    report: Path | None,
    certificate_path: Path | None,
    findings: Path,
    known: Path | None,
    form: str,
) -> int:
    """Certify that COMMAND plays GAME by the rules, or show where it does not.

    Exit codes: 0 conforms, 1 does not conform, 2 usage, 3 inconclusive.
    """
    for path in (report, certificate_path):
        if path is not None and path.is_dir():
            # said before the games, not after them
            raise UsageError(f"cannot write {path}: it is a folder", code="usage.write",
                             hint="name a file")
    if findings.is_file():
        raise UsageError(f"cannot write into {findings}: it is a file", code="usage.write",
                         hint="name a folder for --findings")
    document = load_document(game, components)
    listed = [] if known is None else read_known(known, document)
    chosen = PROFILES[profile]
    if stop_after is not None:
        chosen = replace(chosen, findings=stop_after)
    asked = tuple(c for c in CLASSES if c in (classes or CLASSES))
    with Implementation(command, document, limits) as implementation:
        start: tuple[Breach, ...] = ()
        try:
            try:
                support = implementation.hello()
            except HelloError as error:
                if error.breach is None:
                    raise
                # what a second process does not do again is no failure, but no success either
                start = (error.breach,)
                support = implementation.hello()
        except HelloError as error:
            click.echo(f"ludex: {error}", err=True)
            found = hello_report(document, error, chosen, seed, asked, command)
            if form == "json":
                click.echo(json.dumps(found, ensure_ascii=False))
            if report is not None:
                write_json(report, found)
            return 1
        games = Games(document)
        chosen = (fitted(chosen, games, support) if cases is None
                  else replace(chosen, cases=cases))
        with _progress(form) as update:
            kind = LiveCampaign if support.is_live else Campaign
            campaign = kind(implementation, support, document, chosen, seed, update, asked,
                            workers, games)
            campaign.start = start
            try_known(campaign, listed)
            if set(asked) - {"robust"}:
                run_saved(campaign, shelf_of(document, findings, support))
            campaign.run()
        campaign.finish()
    records = save(campaign.findings, findings, document["game"])
    verdict = verdict_of(campaign, asked)
    console = Console(highlight=False, stderr=form == "json")
    # what was found is shown before anything can fail to be written
    if form == "json":
        click.echo(json.dumps(report_json(campaign, asked, command), ensure_ascii=False))
    else:
        print_report(console, campaign, asked, command, records, _where(game, components))
    if report is not None:
        write_json(report, report_json(campaign, asked, command))
    if certificate_path is not None and verdict == "conforms":
        write_json(certificate_path, certificate(campaign, asked, command))
        console.print(Text(f"certificate: {certificate_path}"), soft_wrap=True)
    elif certificate_path is not None:
        console.print(Text("no certificate is written: only a program that conforms gets one",
                           style="yellow"), soft_wrap=True)
    return VERDICT_EXIT[verdict]


@contextmanager
def _progress(form: str) -> Iterator[Any]:
    """Show progress on a terminal, nothing in a pipe."""
    if form == "json" or not sys.stderr.isatty():
        yield None
        return
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(),
               TimeElapsedColumn())
    with Progress(*columns, console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task("games")
        yield lambda done, planned: bar.update(task, completed=done, total=planned)


def _where(game: str, components: str) -> list[str]:
    """Return the options of replay for what no record can name: a folder, a file."""
    options = [] if game in builtin_games() else ["--game", game]
    return options + (["--components", components] if Path(components).is_file() else [])


@click.command(cls=ProgramCommand)
@click.argument("record", type=click.Path(path_type=Path))
@command_argument
@origin_options("record")
@limit_options
def replay(
    record: Path,
    command: tuple[str, ...],
    game: str | None,
    components: str | None,
    limits: Limits,
) -> int:
    """Send the game of RECORD to COMMAND: FIXED, FAILED, or FLAKY.

    Exit codes: 0 FIXED, 1 FAILED, 2 usage, 3 FLAKY, or not seen.
    """
    found_record = read_record(record)
    document = document_of(found_record, game, components)
    saved = read_saved(document, record)
    results: list[Finding | None] = []
    with Implementation(command, document, limits) as implementation:
        try:
            support = implementation.hello()
        except HelloError as error:
            click.echo(f"ludex: {error}", err=True)
            return 1
        what = unsupported(saved.script, support)
        if what is not None:
            raise UsageError(f"the record needs {what}, which the program does not support",
                             code="usage.unsupported")
        if support.is_live:
            return _replay_live(implementation, support, document, saved)
        campaign = Campaign(implementation, support, document, PROFILES["smoke"], 0)
        for _ in range(3):
            results.append(try_saved(campaign, saved))
            implementation.fresh()
    signatures = {f.signature if f is not None else None for f in results}
    console = Console(highlight=False)
    if signatures == {None}:
        console.print(Text("FIXED: three fresh processes play this game by the rules",
                           style="bold green"))
        return 0
    if len(signatures) > 1:
        console.print(Text("FLAKY: three fresh processes did not give the same result",
                           style="bold yellow"))
        return 3
    found = results[0]
    assert found is not None
    print_finding(console, found, support.adapter_does)
    console.print(Text("FAILED", style="bold red"))
    return 1


def _replay_live(
    implementation: Implementation, support: Support, document: dict[str, Any], saved: Saved
) -> int:
    """Play the moves of a record with a program that draws its own chance."""
    campaign = LiveCampaign(implementation, support, document, PROFILES["smoke"], 0)
    found, matches = campaign.follow(saved.script, _TRIES)
    console = Console(highlight=False)
    if found is not None:
        print_finding(console, found, support.adapter_does)
        console.print(Text("FAILED", style="bold red"))
        return 1
    if matches >= _ENOUGH:
        console.print(Text(f"FIXED: {matches} games came as in the record, and were right",
                           style="bold green"))
        return 0
    console.print(Text(
        f"NOT SEEN: the program draws its own chance; in {_TRIES} games with these moves it drew "
        f"what the record says {matches} times, and was right", style="bold yellow"))
    return 3


@click.command("try", cls=ProgramCommand)
@game_argument
@command_argument
@components_option
@click.option("--players", type=int, default=None, metavar="N", help="[default: the fewest]")
@click.option("--seed", type=int, default=1, show_default=True)
@limit_options
def try_(
    game: str,
    command: tuple[str, ...],
    components: str,
    players: int | None,
    seed: int,
    limits: Limits,
) -> int:
    """Play one short game with COMMAND: each request, its answer, the expected one."""
    document = load_document(game, components)
    console = Console(highlight=False, soft_wrap=True)
    with Implementation(command, document, limits) as implementation:
        try:
            return print_try(console, implementation, players, seed)
        except HelloError as error:
            click.echo(f"ludex: {error}", err=True)
            return 1


@click.command(cls=ProgramCommand)
@click.argument("path", metavar="CERTIFICATE", type=click.Path(path_type=Path))
@command_argument
@origin_options("certificate")
@limit_options
def verify(
    path: Path,
    command: tuple[str, ...],
    game: str | None,
    components: str | None,
    limits: Limits,
) -> int:
    """Run the tests of a certificate again, and compare.

    Exit codes: 0 VERIFIED, 1 it differs, 2 usage.
    """
    found = read_certificate(path)
    document = load_document(game or found["game"], components or found["components"]["set"])
    console = Console(highlight=False)
    for key in ("game", "edition", "rules_digest", "components"):
        if document[key] != found[key]:
            console.print(Text(f"the certificate is for {key} {found[key]}, here it is "
                               f"{document[key]}", style="bold red"))
            return 1
    classes = list(found["classes"])
    with Implementation(command, document, limits) as implementation:
        try:
            support = implementation.hello()
        except HelloError as error:
            click.echo(f"ludex: {error}", err=True)
            return 1
        profile = replace(PROFILES[found["profile"]], cases=found["counts"]["planned"])
        kind = LiveCampaign if support.is_live else Campaign
        campaign = kind(implementation, support, document, profile, found["seed"],
                        classes=classes)
        campaign.run()
        campaign.finish()
    print_report(console, campaign, classes, command, {})
    differing = differences(found, certificate(campaign, classes, command))
    if not differing:
        console.print(Text("VERIFIED", style="bold green"))
        return 0
    console.print(Text("THE RUN DIFFERS FROM THE CERTIFICATE in " + ", ".join(differing),
                       style="bold red"))
    return 1
