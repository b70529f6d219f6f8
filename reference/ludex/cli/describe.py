"""``ludex describe GAME`` and ``ludex schema GAME``: what an implementation must spell."""

from __future__ import annotations

import json
from typing import Any

import click

from ludex.cli.options import game_argument, load_game, setting_options
from ludex.engine.settings import spelled
from ludex.protocol.describe import describe as describe_game
from ludex.protocol.game_schemas import game_schemas

__all__ = ["describe", "schema"]

#: Of a long game so many exchanges are shown: the start and three moves; the last move and the end.
FIRST, LAST = 4, 2


@click.command()
@game_argument
@setting_options
@click.option("--format", "form", type=click.Choice(["text", "json"]), default="text")
@click.option("--no-sample", is_flag=True, help="Leave the sample game out.")
@click.option("--whole", is_flag=True, help="Show every move of the sample game.")
def describe(
    game: str,
    players: int | None,
    rulings: tuple[str, ...],
    options: tuple[str, ...],
    components: str,
    form: str,
    no_sample: bool,
    whole: bool,
) -> None:
    """Print everything that an implementation of GAME must spell.

    At the end stands one game, as request (>) and response (<) lines. Of a long one only the first
    moves and the last are shown.
    """
    found = load_game(game, players, rulings, options, components)
    value = describe_game(found, sample=not no_sample)
    sample = value.get("sample_game", [])
    left_out = 0 if whole else max(0, len(sample) - FIRST - LAST)
    if left_out:
        value["sample_game"] = [*sample[:FIRST], *sample[-LAST:]]
        value["sample_left_out"] = left_out
    if form == "json":
        click.echo(json.dumps(value, indent=1, ensure_ascii=False))
        return
    sample = value.pop("sample_game", [])
    for line in _lines(value):
        click.echo(line)
    if sample:
        click.echo("\nA complete game (> to the program, < its answer)")
    for index, exchange in enumerate(sample):
        if left_out and index == FIRST:
            click.echo(f"  {left_out} moves are left out here; --whole shows them")
        click.echo("> " + json.dumps(exchange["request"], ensure_ascii=False))
        click.echo("< " + json.dumps(exchange["response"], ensure_ascii=False))


@click.command()
@game_argument
@setting_options
def schema(
    game: str,
    players: int | None,
    rulings: tuple[str, ...],
    options: tuple[str, ...],
    components: str,
) -> None:
    """Print the JSON Schemas of the moves, state and observations of GAME."""
    found = load_game(game, players, rulings, options, components)
    click.echo(json.dumps(game_schemas(found), indent=2, ensure_ascii=False))


def _lines(value: dict[str, Any]) -> list[str]:
    """Return the description in words; short tables stay on one line."""
    out = [f"{value['title']} ({value['game']}, edition {value['edition']})", ""]
    components = value["components"]
    out += [
        f"rules       {value['rules_digest']}",
        f"components  {components['id']} {components['digest']}",
        (
            f"players     {', '.join(value['players']['here'])} in turn order "
            f"(allowed: {', '.join(map(str, value['players']['allowed']))})"
        ),
    ]
    if value["plies"] is not None:
        out.append(f"length      at most {value['plies']} moves, in the setting that was asked for")
    for name in ("options", "rulings"):
        out += ["", name.capitalize() + (" (always sent in full)" if value[name] else ": none")]
        for key, entry in value[name].items():
            values = " | ".join(map(spelled, entry["values"]))
            about = entry.get("question", entry.get("title", ""))
            default = spelled(entry["default"])
            out.append(f"  {key} = {values}  [default {default}]  {about}".rstrip())
    out += ["", "Ids"]
    for kind, entry in value["kinds"].items():
        out.append(f"  {kind}: {', '.join(entry['ids'])}")
        for column, cells in entry.get("columns", {}).items():
            out.append(f"    .{column}: " + ", ".join(f"{k}: {v}" for k, v in cells.items()))
    out += ["", "Components in the game"]
    for kind, counts in components["counts"].items():
        out.append(f"  {kind}: " + ", ".join(f"{n} x {k}" for k, n in counts.items()))
    out += ["", "State"]
    for name, entry in value["state"].items():
        out.append(f"  {name}: {entry['form']}")
        out.append(f"    contents seen by {entry['visible_to']}; "
                   f"count seen by {entry['count_visible_to']}")
    out += ["", "Moves"]
    for name, entry in value["moves"].items():
        args = ", ".join(f"{k}: {v}" for k, v in entry["args"].items())
        out.append(f"  {name} {{{args}}}  {entry['title']}")
        out += [f"    chance {c}" for c in entry["chance"]]
    out += ["", "Chance of the setup", *(f"  {c}" for c in value["setup_chance"])]
    out += ["", "Outcome", f"  winners: {value['outcome']['winners']}",
            f"  returns: {value['outcome']['returns'] or 'not defined; leave them out'}"]
    return out
