"""Lengths: how many random games of this game a profile is.

A few games are played by the reference alone, always the same ones. So the answer depends on the
game and on what the program supports, and not on a machine or a clock.
"""

from __future__ import annotations

import random
from dataclasses import replace

from ludex.engine import Game
from ludex.engine.chance import Seeded

from .games import Games
from .implementation import Support
from .profiles import Profile
from .readings import readings_of

__all__ = ["LEAST", "fitted", "mean_length"]

#: Games that are played in any case.
LEAST = 6
#: Games that are measured for each of a few player counts.
_GAMES = 3


def fitted(profile: Profile, games: Games, support: Support) -> Profile:
    """Return the profile with as many games as its moves allow.

    Parameters
    ----------
    profile : Profile
        How much to do at most.
    games : Games
        Of the document.
    support : Support
        What the program can play.
    """
    length = mean_length(games, support, profile.longest)
    cases = max(int(profile.moves / length), LEAST)
    return replace(profile, cases=min(cases, profile.cases))


def mean_length(games: Games, support: Support, longest: int) -> float:
    """Return about how many moves a random game has, at least 1.

    Parameters
    ----------
    games : Games
        Of the document.
    support : Support
        What the program can play.
    longest : int
        A game is cut after so many moves.
    """
    players = support.players
    few = dict.fromkeys((players[0], players[len(players) // 2], players[-1]))
    lengths = []
    for count in few:
        game = games.get(count, *readings_of(support)[0])
        lengths += [_length(game, seed, longest) for seed in range(_GAMES)]
    return max(sum(lengths) / len(lengths), 1.0)


def _length(game: Game, seed: int, longest: int) -> int:
    draw = random.Random(f"length {seed}")
    chance = Seeded(seed)
    state = game.initial_state(chance)
    made = 0
    while made < longest and not state.is_terminal:
        actions = state.legal_actions()
        state.apply_action(actions[int(draw.random() * len(actions))], chance)
        made += 1
    return made
