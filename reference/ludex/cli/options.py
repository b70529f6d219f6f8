"""Arguments and options that several subcommands share."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

import click

from ludex.errors import UsageError

__all__ = ["game_argument", "parse_settings", "setting_options"]

F = TypeVar("F", bound=Callable[..., Any])


def game_argument(function: F) -> F:
    """Add the argument GAME: a built-in game, or a folder."""
    return click.argument("game", metavar="GAME")(function)


def setting_options(function: F) -> F:
    """Add --players, --ruling and --components."""
    for decorate in (
        click.option("--components", default="standard", metavar="SET",
                     help="Component set of the game, or a file.  [default: standard]"),
        click.option("--ruling", "rulings", multiple=True, metavar="NAME=VALUE",
                     help="Another reading of an open point; may be repeated."),
        click.option("--players", type=int, default=None, metavar="N",
                     help="How many play.  [default: the fewest]"),
    ):
        function = decorate(function)
    return function


def parse_settings(pairs: tuple[str, ...]) -> dict[str, str]:
    """Read ``NAME=VALUE`` pairs.

    Raises
    ------
    UsageError
        ``usage.setting``, if one has no ``=``.
    """
    result = {}
    for pair in pairs:
        name, equals, value = pair.partition("=")
        if not equals:
            raise UsageError(f"expected NAME=VALUE, found {pair!r}", code="usage.setting")
        result[name] = value
    return result
