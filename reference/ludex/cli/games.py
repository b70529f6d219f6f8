"""``ludex games``: what there is."""

from __future__ import annotations

import click

from ludex.authoring.document import load_document
from ludex.authoring.folder import builtin_games, component_sets, find_game
from ludex.errors import SpecError

__all__ = ["games"]


@click.command()
def games() -> int:
    """List the games that come with Ludex."""
    faulty = 0
    for name in builtin_games():
        try:
            document = load_document(name)
        except SpecError as error:
            # the others can still be played
            faulty += 1
            click.echo(f"{name}  its files have errors, the first is: {error}", err=True)
            continue
        players = document["players"]
        sets = ", ".join(component_sets(find_game(name)))
        click.echo(
            f"{name}  {document['title']}, edition {document['edition']}, "
            f"{players[0]}-{players[-1]} players, component sets: {sets}"
        )
    return 2 if faulty else 0
