"""``ludex serve GAME``: the reference as a program that speaks the move protocol."""

from __future__ import annotations

import os

import click

from ludex import __version__
from ludex.authoring.document import load_document
from ludex.cli.options import game_argument
from ludex.protocol.server import Server

__all__ = ["serve"]

_CHUNK = 1 << 16
#: A longer line is answered with an error and thrown away.
_MAX_LINE = 1 << 20


@click.command()
@game_argument
@click.option("--components", default="standard", metavar="SET", help="Component set, or a file.")
@click.option("--seed", type=int, default=0, help="For requests that leave chance to the program.")
def serve(game: str, components: str, seed: int) -> None:
    """Answer requests on standard input, one JSON object a line."""
    server = Server(load_document(game, components), __version__, seed)
    rest = b""
    skipping = False
    while not server.finished and (chunk := os.read(0, _CHUNK)):
        # what came in one read is answered with one write: a kit sends many lines at once
        *lines, rest = (rest + chunk).split(b"\n")
        if skipping and lines:
            lines[0], skipping = b"", False
        answers = []
        for line in lines:
            if line.strip() and not server.finished:
                answers.append(server.answer(line if len(line) <= _MAX_LINE else b"\xff"))
        if len(rest) > _MAX_LINE:
            if not skipping:
                answers.append(server.answer(b"\xff"))
            rest, skipping = b"", True
        data = b"".join(a + b"\n" for a in answers)
        while data:
            data = data[os.write(1, data) :]
