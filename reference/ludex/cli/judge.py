"""``ludex judge RECORD`` and ``ludex record GAME``: games that were played, by the rules."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import click
from rich.console import Console

from ludex.cli.options import game_argument, load_game, setting_options
from ludex.cli.paragraphs import say
from ludex.engine.course import Used
from ludex.engine.explain import Cause
from ludex.files import write_whole
from ludex.judge import Judgement, judge, judgement_json
from ludex.protocol.records import record_text
from ludex.records import document_of, random_record, read_record

__all__ = ["judge_command", "record", "record_options"]

#: So many legal moves are listed.
_LISTED = 5
#: So many moves of a game without a bound are played.
_MOST = 2000


def record_options(function: Any) -> Any:
    """Add --game and --components, for a game that the record does not lead to."""
    for decorate in (
        click.option("--components", default=None, metavar="SET",
                     help="Component set of the game, or a file.  [default: that of the record]"),
        click.option("--game", default=None, metavar="GAME",
                     help="Folder of the game, if it is not built in."),
    ):
        function = decorate(function)
    return function


@click.command("judge")
@click.argument("record", type=click.Path(path_type=Path))
@record_options
@click.option("--position", type=click.Path(path_type=Path), default=None, metavar="FILE",
              help="Write the last position as JSON, for `ludex eval --position`.")
@click.option("--trace", "traced", is_flag=True,
              help="Print the clauses that each move uses, with what they change.")
@click.option("--format", "form", type=click.Choice(["text", "json"]), default="text")
def judge_command(
    record: Path,
    game: str | None,
    components: str | None,
    position: Path | None,
    traced: bool,
    form: str,
) -> int:
    """Judge the game of RECORD: each move, and the end.

    RECORD is JSON Lines, as `ludex record` and `ludex certify` write it. Exit codes: 0 all is by
    the rules, 1 a move is not, 2 the record is damaged or of another game.
    """
    found = read_record(record)
    document = document_of(found, game, components)
    judgement = judge(document, found, traced=traced)
    if position is not None:
        write_whole(position, json.dumps(judgement.state.to_json(), indent=1) + "\n")
    if form == "json":
        click.echo(json.dumps(judgement_json(judgement, str(record)), indent=1,
                              ensure_ascii=False))
    else:
        _print(Console(highlight=False), judgement, str(record))
    return 0 if judgement.holds else 1


@click.command()
@game_argument
@setting_options
@click.option("--seed", type=int, default=0, show_default=True, metavar="N",
              help="Of chance and of the moves.")
@click.option("--most", type=click.IntRange(min=0), default=None, metavar="N",
              help="Stop after N moves.  [default: at the end of the game]")
@click.option("--out", type=click.Path(path_type=Path), default=None, metavar="FILE",
              help="Write it there.  [default: standard output]")
def record(
    game: str,
    players: int | None,
    rulings: tuple[str, ...],
    options: tuple[str, ...],
    components: str,
    seed: int,
    most: int | None,
    out: Path | None,
) -> None:
    """Write the record of a random game of GAME, to try `ludex judge` with."""
    found = load_game(game, players, rulings, options, components)
    limit = most if most is not None else found.plies or _MOST
    lines, over = random_record(found, seed, limit)
    text = record_text(lines)
    if out is None:
        click.echo(text, nl=False)
    else:
        write_whole(out, text)
    if not over and most is None:
        click.echo(f"ludex: the game is not over after {limit} moves; --most N sets the limit",
                   err=True)


# -- in words ------------------------------------------------------------------------------------


def move_words(move: Any) -> str:
    """Return a move in one line: ``p1 extend card=red end=left``."""
    args = " ".join(f"{k}={_short(v)}" for k, v in move["args"].items())
    return f"{move['actor']} {move['move']} {args}".rstrip()


def _short(value: Any) -> str:
    if isinstance(value, list):
        return ",".join(_short(v) for v in value) or "[]"
    return value if isinstance(value, str) else json.dumps(value)


def _print(console: Console, found: Judgement, file: str) -> None:
    game = found.state.game
    say(console, "record", f"{file}: {game.document['title']}, edition "
        f"{game.document['edition']}, {game.players} players")
    for line, used in found.traces:
        say(console, f"line {line.number}", move_words(line.value), "bold")
        for clause in used:
            _print_used(console, clause)
    counted = f"{found.played} move{'s' if found.played != 1 else ''}"
    if found.refused:
        counted += f", {found.refused} refused rightly"
    if found.line is None:
        say(console, "legal", counted, "green")
        _print_end(console, found, set())
        return
    say(console, "legal", f"{counted} before line {found.line.number}")
    if found.verdict == "legal":
        say(console, "WRONG", f"line {found.line.number} says refused, but the move is legal: "
            f"{move_words(found.line.value)}", "bold red")
        return
    say(console, "ILLEGAL", f"line {found.line.number}: {move_words(found.line.value)}",
        "bold red")
    said: set[str] = set()
    for offence in found.offences:
        say(console, "  because", offence.reason)
        for cause in offence.causes:
            say(console, "  values", _cause_words(cause))
        if offence.rule not in said:
            said.add(offence.rule)
            say(console, f"  rule {offence.rule}", offence.text)
        if offence.also:
            say(console, "  see also", f"rule {', '.join(offence.also)}")
    for index, move in enumerate(found.legal[:_LISTED]):
        say(console, "  instead" if index == 0 else "", move_words(move), "green")
    if len(found.legal) > _LISTED:
        say(console, "", f"... {len(found.legal)} moves are legal here", "dim")
    if found.state.is_terminal:
        _print_end(console, found, said)


def _print_used(console: Console, used: Used) -> None:
    """Print a clause that a move used: its rule, where it stands, and what it changed."""
    say(console, f"  rule {used.rule}", f"{used.text}  ({used.place})")
    for name, (before, after) in used.changes.items():
        say(console, "", f"{name}: {_value(before)} -> {_value(after)}", "dim", most=400)


def _cause_words(cause: Cause) -> str:
    """Return a cause without saying a text twice."""
    values = dict(cause.values)
    if set(values) == {cause.text}:
        return f"{cause.text} is {_value(values[cause.text])}"
    known = ", ".join(f"{k} = {_value(v)}" for k, v in values.items())
    return f"{cause.text}: {known}" if known else cause.text


def _value(value: Any) -> str:
    if isinstance(value, str):
        return value
    if isinstance(value, list) and all(isinstance(v, str) for v in value):
        return f"[{', '.join(value)}]"
    return json.dumps(value, ensure_ascii=False)


def _print_end(console: Console, found: Judgement, said: set[str]) -> None:
    state = found.state
    outcome = state.outcome()
    if outcome is None:
        actors = " or ".join(state.actors())
        say(console, "open", f"the game is not over; {actors} to act" if actors
            else "the game is not over, and nobody can act")
        return
    winners = outcome["winners"]
    words = "nobody wins" if not winners else (
        f"{' and '.join(winners)} win{'s' if len(winners) == 1 else ''}")
    if "returns" in outcome:
        words += " (" + ", ".join(f"{p} {n}" for p, n in outcome["returns"].items()) + ")"
    say(console, "over", words, "bold")
    for ruled in found.rules:
        if ruled.rule not in said:
            said.add(ruled.rule)
            say(console, f"  rule {ruled.rule}", ruled.text)
