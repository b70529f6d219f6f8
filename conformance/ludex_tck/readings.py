"""Readings: which choices of rulings and options are tried together, and with how many players."""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from .implementation import Support

__all__ = ["Reading", "Setting", "readings_of", "settings_of", "unsupported_values"]


class Reading(NamedTuple):
    """A value for every choice.

    Attributes
    ----------
    rulings : dict
        Ruling to value.
    options : dict
        Option to value.
    """

    rulings: Mapping[str, str]
    options: Mapping[str, Any]


class Setting(NamedTuple):
    """How a random game begins.

    Attributes
    ----------
    players : int
        How many play.
    reading : Reading
        By which reading.
    """

    players: int
    reading: Reading


def readings_of(support: Support) -> list[Reading]:
    """Return the readings to test: the defaults, each choice varied alone, and pairs."""
    choices = [(0, name, values) for name, values in support.rulings.items()]
    choices += [(1, name, values) for name, values in support.options.items()]
    default = Reading({n: v[0] for p, n, v in choices if p == 0},
                      {n: v[0] for p, n, v in choices if p == 1})
    singles = [(part, name, value) for part, name, values in choices for value in values[1:]]
    result = [default, *(_varied(default, one) for one in singles)]
    for i, a in enumerate(singles):
        result += [_varied(default, a, b) for b in singles[i + 1 :] if a[:2] != b[:2]]
    return result


def _varied(reading: Reading, *changes: tuple[int, str, Any]) -> Reading:
    parts = ({**reading.rulings}, {**reading.options})
    for part, name, value in changes:
        parts[part][name] = value
    return Reading(*parts)


def settings_of(support: Support, room: int, seed: int) -> list[Setting]:
    """Return the settings of a run, the simplest first.

    Each one costs the time to compile a game. So where there are more than there is room for, the
    seed picks: half are of the defaults, the others vary one choice before two, and the numbers of
    players take turns.

    Parameters
    ----------
    support : Support
        What the program can play.
    room : int
        How many, at most; at least 1.
    seed : int
        Of the run.
    """
    default, *others = readings_of(support)
    every = [Setting(p, r) for r in (default, *others) for p in support.players]
    if len(every) <= room:
        return every
    draw = random.Random(f"settings {seed}")
    singles = sum(
        len(v) - 1 for v in (*support.rulings.values(), *support.options.values())
    )
    variants = [*draw.sample(others[:singles], singles),
                *draw.sample(others[singles:], len(others) - singles)]
    first, *more = support.players
    players = [*draw.sample(more, len(more)), first]
    found = [Setting(first, default)]
    for number in range(len(every)):
        if len(found) == room:
            break
        plain = number % 2 == 0 and number // 2 < len(more)
        if not plain and not variants:
            continue
        reading = default if plain else variants.pop(0)
        found.append(Setting(players[number // 2 % len(players)], reading))
    return found


def unsupported_values(document: Mapping[str, Any], support: Support) -> dict[str, Any]:
    """Return what the game allows and the program does not support, as a report has it."""

    def missing(all_values: Sequence[Any], values: Sequence[Any]) -> list[Any]:
        known = {(type(v), v) for v in values}  # unlike in Python, 1 is not true
        return [v for v in all_values if (type(v), v) not in known]

    found: dict[str, Any] = {"players": missing(document["players"], support.players)}
    for part, known in (("rulings", support.rulings), ("options", support.options)):
        found[part] = {
            name: rest for name, d in document[part].items()
            if (rest := missing(d["values"], known[name]))
        }
    return found
