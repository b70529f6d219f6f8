"""Planned games for tests, from a seed."""

import random
from functools import cache

from kit.conftest import load
from ludex.engine import Game
from ludex_tck.planning import plan


def chooser(seed):
    draw = random.Random(str(seed)).random
    return lambda n: int(draw() * n)


@cache
def game(players=2, components="standard", **rulings):
    return Game(load(components), players, rulings)


def planned(seed, players=2, plies=60, **rulings):
    return plan(game(players, **rulings), chooser(seed), plies=plies)
