"""Planned games for tests, from a seed."""

import json
import random
from functools import cache

from kit.conftest import load

from ludex.engine import Game
from ludex.protocol.records import parse_record
from ludex_tck.planning import plan
from ludex_tck.scripts import from_record


def chooser(seed):
    draw = random.Random(str(seed)).random
    return lambda n: int(draw() * n)


@cache
def game(players=2, components="standard", **rulings):
    return Game(load(components), players, rulings)


def planned(seed, players=2, plies=60, **rulings):
    return plan(game(players, **rulings), chooser(seed), plies=plies)


def read_lines(document, lines, file="<record>"):
    """Build a script from the lines of a record, by way of their text."""
    text = "".join(json.dumps(line) + "\n" for line in lines)
    return from_record(document, parse_record(text.encode(), file))
