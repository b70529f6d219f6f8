"""Tic-tac-toe: published counts, by playing every game.

The numbers of games and their results: Henry Bottomley, "How many Tic-Tac-Toe (noughts and crosses)
games are possible?", 2001. The positions, 5,478 with the empty board, are those of the article on
the game in Wikipedia: placements of marks without those that come after a line.
"""

from __future__ import annotations

from collections import Counter
from functools import cache
from math import comb

import pytest
from games.folders import HERE
from games.renamed import difference, image, made, renamings

import ludex
from ludex.engine import Game, State, Tape

NOTHING = Tape([])
#: Games by the number of marks: three in a row needs five.
GAMES_BY_LENGTH = {5: 1440, 6: 5328, 7: 47952, 8: 72576, 9: 127872}
FIRST_WINS, SECOND_WINS, DRAWS = 131184, 77904, 46080
POSITIONS_BY_DEPTH = [1, 9, 72, 252, 756, 1260, 1520, 1140, 390, 78]


@cache
def game() -> Game:
    return ludex.load(HERE / "tic-tac-toe")


@cache
def levels() -> list[dict[object, tuple[State, int]]]:
    """Return, by number of marks, every position with the number of ways that lead to it."""
    start = game().initial_state(NOTHING)
    found = [{start.key(): (start, 1)}]
    while found[-1]:
        after: dict[object, tuple[State, int]] = {}
        for state, ways in found[-1].values():
            for action in state.legal_actions():
                child = state.child(action, NOTHING)
                _, known = after.get(child.key(), (child, 0))
                after[child.key()] = (child, known + ways)
        found.append(after)
    return found[:-1]


def winners(state: State) -> tuple[str, ...]:
    outcome = state.outcome()
    assert outcome is not None
    return tuple(outcome["winners"])


def test_positions() -> None:
    assert [len(level) for level in levels()] == POSITIONS_BY_DEPTH
    assert sum(POSITIONS_BY_DEPTH) == 5478
    # nobody has won before the fifth mark, so up to it every placement is a position
    assert POSITIONS_BY_DEPTH[:6] == [comb(9, n) * comb(n, n // 2) for n in range(6)]


def test_games_counted_by_positions() -> None:
    lengths: Counter[int] = Counter()
    results: Counter[tuple[str, ...]] = Counter()
    for depth, level in enumerate(levels()):
        for state, ways in level.values():
            if state.is_terminal:
                lengths[depth] += ways
                results[winners(state)] += ways
    assert lengths == GAMES_BY_LENGTH
    assert results == {("p1",): FIRST_WINS, ("p2",): SECOND_WINS, (): DRAWS}


def test_every_game_is_played() -> None:
    lengths: Counter[int] = Counter()
    results: Counter[tuple[str, ...]] = Counter()

    def play(state: State, depth: int) -> None:
        for action in state.legal_actions():
            child = state.child(action, NOTHING)
            if child.is_terminal:
                lengths[depth] += 1
                results[winners(child)] += 1
            else:
                play(child, depth + 1)

    play(game().initial_state(NOTHING), 1)
    assert lengths.total() == 255_168
    assert lengths == GAMES_BY_LENGTH
    assert results == {("p1",): FIRST_WINS, ("p2",): SECOND_WINS, (): DRAWS}


def test_best_play_is_a_draw() -> None:
    values: dict[object, int] = {}

    def value(state: State) -> int:
        """Return what the first player gets if both play as well as they can."""
        if state.key() not in values:
            outcome = state.outcome()
            best = max if state.actors() == ["p1"] else min
            values[state.key()] = outcome["returns"]["p1"] if outcome else best(
                value(state.child(a, NOTHING)) for a in state.legal_actions()
            )
        return values[state.key()]

    assert value(game().initial_state(NOTHING)) == 0
    assert len(values) == 5478


@pytest.mark.parametrize("name", renamings(game()))
def test_symmetry(name: str) -> None:
    by = renamings(game())[name]
    start = game().initial_state(NOTHING)
    assert image(start, by) == start
    for level in levels():
        # the image of every position is a position
        assert {image(state, by).key() for state, _ in level.values()} == set(level)
        for state, _ in [*level.values()][::17]:
            assert difference(state, by) is None


def test_the_symmetries_are_those_of_a_square() -> None:
    cells = game().codec.members["Cell"]
    found = {tuple(by.members["Cell"][c] for c in cells) for by in renamings(game()).values()}
    # eight with the one that changes nothing
    assert len(found | {tuple(cells)}) == 8
    turned = renamings(game())["quarter_turn"].members["Cell"]
    for first in (*found, tuple(cells)):
        assert tuple(turned[c] for c in first) in found | {tuple(cells)}


def test_what_is_no_symmetry_is_noticed() -> None:
    by = made(game(), {"relabel": {"Cell": {"a1": "b1", "b1": "a1"}}})
    assert any(
        difference(state, by) for level in levels() for state, _ in [*level.values()][::17]
    )
