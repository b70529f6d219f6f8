"""The games of the tests, and every setting in which they are played."""

from __future__ import annotations

import random
from functools import cache
from itertools import product
from pathlib import Path
from typing import Any

from ludex.authoring.document import load_document
from ludex.engine import Game, Seeded, State

HERE = Path(__file__).resolve().parent
#: Names of the game folders here.
NAMES = sorted(p.parent.name for p in HERE.glob("*/game.yaml"))
#: All games that tests go through: those here, and the built-in one that they were made for.
ALL = [*NAMES, "poodle-taxi"]


@cache
def document(name: str, components: str = "standard") -> dict[str, Any]:
    found: dict[str, Any] = load_document(HERE / name if name in NAMES else name, components)
    return found


@cache
def settings(name: str) -> list[Game]:
    """Return a game for each number of players, each reading and each option, one at a time."""
    doc = document(name)
    made = [Game(doc, n) for n in doc["players"]]
    for what in ("rulings", "options"):
        for key, declared in doc[what].items():
            made += [
                Game(doc, n, **{what: {key: value}})
                for n, value in product(doc["players"], declared["values"])
                if value != declared["default"]
            ]
    return made


def positions(game: Game, seed: int, plies: int = 60) -> list[State]:
    """Return the positions of a random game, up to a number of moves, or where it gets stuck."""
    chance, choose = Seeded(seed), random.Random(seed)
    found = [game.initial_state(chance)]
    while len(found) <= plies:
        actions = found[-1].legal_actions()
        if not actions:
            break
        found.append(found[-1].child(choose.choice(actions), chance))
    return found


def sample(name: str, seed: int, count: int) -> list[State]:
    """Return positions of random games in all settings."""
    source = random.Random(f"{name} {seed}")
    every: list[State] = []
    games = settings(name)
    while len(every) < 4 * count:
        for game in games:
            every += positions(game, source.getrandbits(32))
    return source.sample(every, count)
