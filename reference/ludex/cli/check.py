"""``ludex check GAME``: the static checks, then exploration."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import click
from rich.console import Console
from rich.text import Text

from ludex.authoring.document import load_document
from ludex.authoring.folder import find_game, read_folder
from ludex.cli.options import game_argument
from ludex.errors import SpecErrors
from ludex.examples import Games, run_example
from ludex.explore.coverage import RuleCoverage
from ludex.explore.explore import CHECKS, Finding, Report, explore

__all__ = ["check"]


@click.command()
@game_argument
@click.option("--games", "number", type=click.IntRange(min=1), default=200, show_default=True,
              help="Random games to play.")
@click.option("--seed", type=click.IntRange(min=0), default=0, show_default=True)
@click.option("--components", default="standard", metavar="SET",
              help="Component set of the game, or a file.  [default: standard]")
@click.option("--format", "form", type=click.Choice(["text", "json"]), default="text")
def check(game: str, number: int, seed: int, components: str, form: str) -> int:
    """Check the spec of GAME: statically, by its examples, and by playing it.

    Exit codes: 0 sound, 1 something is wrong.
    """
    console = Console(highlight=False, soft_wrap=True)
    path = find_game(game)
    try:
        document = load_document(path, components)
    except SpecErrors as errors:
        if form == "json":
            click.echo(json.dumps({"game": game, "sound": False, "errors": [
                {"code": e.code, "message": e.message, "place": str(e.place or ""),
                 "hint": e.hint} for e in errors.errors
            ]}, indent=2))
        else:
            console.print(Text(str(errors)))
            console.print(Text(f"{_several(len(errors.errors), 'error')}; nothing was played",
                               style="bold red"))
        return 1
    coverage = RuleCoverage(document)
    failed = _examples(path, coverage)
    report = explore(document, number, seed, coverage=coverage)
    # the places of a document are relative to the game folder
    report.findings = [replace(f, place=str(path / f.place)) if f.place else f
                       for f in report.findings]
    if form == "json":
        click.echo(json.dumps(_json(game, report, failed), indent=2))
    else:
        _print(console, report, failed)
    return 1 if failed or report.findings else 0


def _examples(path: Path, coverage: RuleCoverage) -> list[Finding]:
    """Run the worked examples; return those that fail as findings."""
    games = Games(lambda name: load_document(path, name), traced=True)
    found = []
    for at in read_folder(path).files["examples.yaml"]["examples"].elements():
        real = "unreachable" not in at.value
        found += [
            Finding("check.example", f"{f.example}: {f.message}", str(at.place))
            for f in run_example(at.value, games, coverage.example if real else None)[:1]
        ]
    return found


def _print(console: Console, report: Report, failed: list[Finding]) -> None:
    for finding in [*failed, *report.findings]:
        where = f"{finding.place}: " if finding.place else ""
        console.print(Text(f"{where}{finding.message} [{finding.check}]", style="red"))
        if finding.game:
            console.print(Text(f"    seen with {finding.game}"))
        elif finding not in failed:
            console.print(Text(f"    in none of {report.games} games; --games N plays more"))
    console.print(Text(f"{report.games} games, {report.positions} positions"))
    for players, (low, high) in sorted(report.lengths.items()):
        console.print(Text(f"  {players} players: {low} to {high} moves", style="dim"))
    for name, words in CHECKS.items():
        count = report.counts[name]
        bad = any(f.check == name for f in report.findings)
        state = ("wrong", "bold red") if bad else ("ok", "green") if count else ("-", "dim")
        if not count and not bad:
            words += " (nothing of that sort here)"
        console.print(Text.assemble(f"  {name:20}", (f"{state[0]:6}", state[1]),
                                    f"{count:8}  ", (words, "dim")))
    wrong = len(failed) + len(report.findings)
    console.print(Text("SOUND" if not wrong else _several(wrong, "FAULT", "S"),
                       style="bold green" if not wrong else "bold red"))


def _several(count: int, what: str, ending: str = "s") -> str:
    return f"{count} {what}{'' if count == 1 else ending}"


def _json(game: str, report: Report, failed: list[Finding]) -> dict[str, object]:
    return {
        "game": game,
        "sound": not failed and not report.findings,
        "findings": [vars(f) for f in [*failed, *report.findings]],
        "games": report.games,
        "positions": report.positions,
        "lengths": {str(k): list(v) for k, v in sorted(report.lengths.items())},
        "counts": {k: report.counts[k] for k in CHECKS},
        "coverage": report.coverage.to_json(),
    }
