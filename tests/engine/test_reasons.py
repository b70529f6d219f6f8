"""A move is legal exactly if no reason is given against it: for every game and every move.

All that can be spelled is tried: each player, each move, and each combination of values of the
types of its arguments, whether or not they are possible. Where that is too much, a sample.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from functools import cache
from itertools import combinations, islice, product
from typing import Any

import pytest
from games.folders import ALL, positions
from games.folders import document as document_of

from ludex.authoring.folder import builtin_games
from ludex.engine import Game, State
from ludex.engine.program import Action
from ludex.judge import nearest, offences
from ludex.language.types import Type

GAMES = sorted({*ALL, *builtin_games()})
#: So many actions of one move are tried in a position.
MOST = 300


@cache
def game_of(name: str, players: int) -> Game:
    return Game(document_of(name), players)


def values(game: Game, type_: Type) -> list[Any]:
    """Return every value of an argument's type; of numbers those around what games use."""
    if type_.head == "optional":
        return [None, *values(game, type_.args[0])]
    if type_.head == "int":
        return list(range(-1, 8))
    if type_.head == "bool":
        return [False, True]
    if type_.head == "list":
        inner = values(game, type_.args[0])
        return [tuple(c) for size in range(3) for c in islice(combinations(inner, size), 60)]
    return list(range(len(game.codec.keys(type_))))


def spelled(game: Game, source: random.Random) -> Iterator[Action]:
    """Yield actions of every player and every move."""
    for index, move in enumerate(game.document["moves"]):
        types = [game.codec.type(p["type"]) for p in move["params"]]
        every = [list(range(game.players)), *(values(game, t) for t in types)]
        count = 1
        for domain in every:
            count *= len(domain)
        if count <= MOST:
            chosen: Any = product(*every)
        else:
            chosen = ([source.choice(d) for d in every] for _ in range(MOST))
        for actor, *args in chosen:
            yield (actor, index, *args)


def check(state: State, source: random.Random, seen: dict[str, int]) -> None:
    legal = set(state.legal_actions())
    rules = state.game.document["text"]["rules"]
    tried = {*spelled(state.game, source), *legal}
    for action in tried:
        broken = state.broken(action)
        assert (broken == []) == (action in legal), (state.game.action_to_json(action), broken)
        seen["legal" if not broken else "refused"] += 1
        for one in broken:
            assert one.rule in rules
            assert one.reason
    # the reasons in full, for some
    for action in source.sample(sorted(tried, key=repr), min(len(tried), 5)):
        found = offences(state, action)
        assert [o.rule for o in found] == [b.rule for b in state.broken(action)]
        assert all(o.text for o in found)
    if legal:
        action = min(legal)
        assert nearest(state, state.game.action_to_json(action))[0] == (
            state.game.action_to_json(action))


@pytest.mark.parametrize("name", GAMES)
def test_legal_exactly_if_there_is_no_reason(name: str) -> None:
    source = random.Random(name)
    seen = {"legal": 0, "refused": 0}
    document = document_of(name)
    for players in sorted({document["players"][0], document["players"][-1]}):
        states = positions(game_of(name, players), source.getrandbits(32), 80)
        for state in source.sample(states, min(len(states), 4)):
            check(state, source, seen)
    assert seen["legal"] > 2
    assert seen["refused"] > 5


def test_after_the_end_everything_is_refused() -> None:
    for name in ("tic-tac-toe", "kuhn-poker"):
        state = positions(game_of(name, 2), 3)[-1]
        assert state.is_terminal
        source = random.Random(name)
        assert state.legal_actions() == []
        assert all(state.broken(a)[0].clause == "end" for a in spelled(state.game, source))
