"""``ludex explain CODE``: what an error code means."""

from __future__ import annotations

import click

from ludex.codes import codes
from ludex.errors import UsageError, closest
from ludex.explore.explore import CHECKS

__all__ = ["explain"]


@click.command()
@click.argument("code", metavar="CODE")
def explain(code: str) -> None:
    """Say what an error code means, with an example and the likely fix.

    CODE is the word in brackets behind an error, such as spec.unknown-rule.
    """
    known = codes()
    name = code.strip("[]")
    if name in CHECKS:
        click.echo(f"{name}: found by playing\nIn a sound game: {CHECKS[name]}.")
        return
    if name not in known:
        raise UsageError(f"there is no error code {name!r}", code="usage.unknown-code",
                         hint=closest(name, [*known, *CHECKS])
                         or "the page on error codes lists them all")
    entry = known[name]
    click.echo(f"{entry.code} ({entry.family})\n{entry.means}\nFor example: {entry.example}\n"
               f"What to do: {entry.fix}")
