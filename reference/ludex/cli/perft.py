"""``ludex perft GAME``: counts the ways that a game can go."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import click
from rich.console import Console
from rich.table import Table
from rich.text import Text

from ludex.cli.judge import move_words
from ludex.cli.options import game_argument, load_game, setting_options
from ludex.perft import TooMany, divided
from ludex.perft import perft as counted

__all__ = ["perft"]


@click.command()
@game_argument
@click.option("--depth", type=click.IntRange(0, 1000), required=True, metavar="N",
              help="Count up to so many moves.")
@click.option("--divide", is_flag=True,
              help="Count the ways of N moves by their first move.")
@click.option("--seed", type=int, default=None, metavar="S",
              help="Begin from the setup with this seed.  [default: from every setup]")
@click.option("--limit", type=click.IntRange(min=1), default=5_000_000, show_default=True,
              metavar="N", help="Give up after making so many moves.")
@setting_options
@click.option("--format", "form", type=click.Choice(["text", "json"]), default="text")
def perft(
    game: str,
    depth: int,
    divide: bool,
    seed: int | None,
    limit: int,
    players: int | None,
    rulings: tuple[str, ...],
    options: tuple[str, ...],
    components: str,
    form: str,
) -> int:
    """Count the ways that GAME can go, by the number of moves.

    A way is a setup and then moves, each with what chance did in it. A game that is over has no
    longer way. Exit 3 if it is given up.
    """
    found = load_game(game, players, rulings, options, components)
    rows: list[Any] = []
    stopped: TooMany | None = None
    with _progress(form) as progress:
        try:
            if divide and depth:
                rows += divided(found, depth, seed=seed, limit=limit, progress=progress)
            else:
                # one by one: what was counted before the limit is worth having
                for row in counted(found, depth, seed=seed, limit=limit, progress=progress):
                    rows.append(row)
        except TooMany as error:
            stopped = error
    if divide and depth:
        # a part of the moves says nothing about the whole
        rows = [] if stopped else rows
        parts = [{"move": m, "ways": n} for m, n in rows]
        value: dict[str, Any] = {"depth": depth, "divide": parts}
    else:
        value = {"depths": [row.to_json() for row in rows]}
    if form == "json":
        click.echo(json.dumps({"game": found.name, "players": found.players, **value,
                               "complete": stopped is None}, indent=1, ensure_ascii=False))
    elif divide and depth:
        if not stopped:
            _print_parts(rows)
    else:
        _print_depths(rows)
    if stopped is not None:
        click.echo(f"ludex: {stopped}", err=True)
        return 3
    return 0


@contextmanager
def _progress(form: str) -> Iterator[Any]:
    """Show on a terminal how many moves have been made, nothing in a pipe."""
    if form == "json" or not sys.stderr.isatty():
        yield None
        return
    console = Console(stderr=True)
    with console.status("counting") as status:
        yield lambda made: status.update(f"counting: {made} moves made")


def _print_depths(rows: list[Any]) -> None:
    if not rows:
        return
    table = Table(box=None, padding=(0, 2, 0, 0), pad_edge=False)
    for title in ("moves", "ways", "of these over", "positions"):
        table.add_column(title, justify="right", no_wrap=True)
    for row in rows:
        table.add_row(str(row.depth), str(row.ways), str(row.over), str(row.positions))
    Console(highlight=False).print(table)


def _print_parts(rows: list[tuple[dict[str, Any], int]]) -> None:
    console = Console(highlight=False, soft_wrap=True)
    total = sum(n for _, n in rows)
    width = len(str(total))
    for move, ways in rows:
        console.print(Text(f"{ways:>{width}}  {move_words(move)}"))
    console.print(Text(f"{total:>{width}}  together", "bold"))
