"""``ludex export GAME``: the game document, for engines in other languages."""

from __future__ import annotations

from pathlib import Path

import click

from ludex.authoring.document import load_document
from ludex.cli.options import game_argument
from ludex.export import document_text
from ludex.files import write_whole

__all__ = ["export"]


@click.command()
@game_argument
@click.option("--components", default="standard", metavar="SET",
              help="Component set of the game, or a file.  [default: standard]")
@click.option("--out", type=click.Path(path_type=Path), default=None, metavar="FILE",
              help="Write it there.  [default: standard output]")
def export(game: str, components: str, out: Path | None) -> None:
    """Write the game document of GAME: one JSON value that an engine can play.

    It holds everything resolved: expressions as typed trees, kinds with their members, rules in
    words. Its schema is document.schema.json; the page "Game document" says what it means.
    """
    text = document_text(load_document(game, components))
    if out is None:
        click.echo(text, nl=False)
    else:
        write_whole(out, text)
