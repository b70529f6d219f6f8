"""``ludex games``: what there is."""

from __future__ import annotations

import click

from ludex.authoring.document import load_document
from ludex.authoring.folder import builtin_games, component_sets, find_game

__all__ = ["games"]


@click.command()
def games() -> None:
    """List the games that come with Ludex."""
    for name in builtin_games():
        document = load_document(name)
        players = document["players"]
        sets = ", ".join(component_sets(find_game(name)))
        click.echo(
            f"{name}  {document['title']}, edition {document['edition']}, "
            f"{players[0]}-{players[-1]} players, component sets: {sets}"
        )
