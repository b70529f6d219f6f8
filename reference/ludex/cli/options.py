"""Arguments and options that several subcommands share."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any, TypeVar

import click

import ludex
from ludex.errors import UsageError

__all__ = ["game_argument", "load_game", "setting_options"]

F = TypeVar("F", bound=Callable[..., Any])


def game_argument(function: F) -> F:
    """Add the argument GAME: a built-in game, or a folder."""
    return click.argument("game", metavar="GAME")(function)


def setting_options(function: F) -> F:
    """Add --players, --ruling, --option and --components."""
    for decorate in (
        click.option("--components", default="standard", metavar="SET",
                     help="Component set of the game, or a file.  [default: standard]"),
        click.option("--option", "options", multiple=True, metavar="NAME=VALUE",
                     help="A variant of the game; may be repeated."),
        click.option("--ruling", "rulings", multiple=True, metavar="NAME=VALUE",
                     help="Another reading of an open point; may be repeated."),
        click.option("--players", type=int, default=None, metavar="N",
                     help="How many play.  [default: the fewest]"),
    ):
        function = decorate(function)
    return function


def load_game(
    game: str,
    players: int | None,
    rulings: tuple[str, ...],
    options: tuple[str, ...],
    components: str,
) -> ludex.Game:
    """Load a game with what `setting_options` read.

    Raises
    ------
    UsageError
        ``usage.setting``, if a setting is not ``NAME=VALUE``, and what `ludex.load` raises.
    """
    variants = {name: _value(value) for name, value in _pairs(options).items()}
    return ludex.load(game, players, _pairs(rulings), variants, components)


def _pairs(pairs: tuple[str, ...]) -> dict[str, str]:
    result = {}
    for pair in pairs:
        name, equals, value = pair.partition("=")
        if not equals:
            raise UsageError(f"expected NAME=VALUE, found {pair!r}", code="usage.setting")
        result[name] = value
    return result


def _value(text: str) -> int | bool | str:
    """Read the value of an option: true, false, or a whole number."""
    if text in ("true", "false"):
        return text == "true"
    return int(text) if re.fullmatch(r"-?[0-9]{1,9}", text) else text
