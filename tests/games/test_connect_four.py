"""Connect Four: published counts.

* The games cut off after n moves ("perft"), a common test of programs that play it. Six discs fit
  into a column and a game has at least seven moves, so up to six moves there are 7 ** n; of the
  7 ** 7 the seven with all discs in one column are impossible. Later numbers have no such short
  proof: they are what programs of others find, bitboards in C among them.
* The positions after n moves: John Tromp, OEIS A212693.
"""

from __future__ import annotations

import random
from functools import cache

import pytest
from games.folders import HERE, positions
from games.renamed import difference, image, made, renamings

import ludex
from ludex.engine import Game, State, Tape
from ludex.evaluate import compile_question

NOTHING = Tape([])
GAMES = [1, 7, 49, 343, 2401, 16807, 117649, 823536, 5673234, 39394572]
POSITIONS = [1, 7, 49, 238, 1120, 4263, 16422, 54859, 184275, 558186]


@cache
def game() -> Game:
    return ludex.load(HERE / "connect-four")


def cut_off(state: State, depth: int) -> int:
    """Return how many games there are after so many more moves; the last are only counted."""
    actions = state.legal_actions()
    if depth == 1:
        return len(actions)
    return sum(cut_off(state.child(a, NOTHING), depth - 1) for a in actions)


@pytest.mark.parametrize("depth", range(1, 8))
def test_games(depth: int) -> None:
    assert cut_off(game().initial_state(NOTHING), depth) == GAMES[depth]


def test_the_first_counts_follow() -> None:
    assert GAMES[:7] == [7**n for n in range(7)]
    assert GAMES[7] == 7**7 - 7


def count_by_positions(depth: int) -> None:
    """Check the games and positions up to a depth: equal positions are gone on from only once."""
    start = game().initial_state(NOTHING)
    level = {start.key(): (start, 1)}
    for moves in range(depth):
        assert len(level) == POSITIONS[moves]
        assert sum(ways for _, ways in level.values()) == GAMES[moves]
        if moves == depth - 1:
            break
        after: dict[object, tuple[State, int]] = {}
        for state, ways in level.values():
            for action in state.legal_actions():
                child = state.child(action, NOTHING)
                key = child.key()
                after[key] = (child, (after[key][1] if key in after else 0) + ways)
        level = after
    last = sum(ways * len(state.legal_actions()) for state, ways in level.values())
    assert last == GAMES[depth]


def test_games_and_positions() -> None:
    count_by_positions(8)


@pytest.mark.slow
def test_more_games_and_positions() -> None:
    count_by_positions(9)


def test_lines() -> None:
    # 24 across, 21 up, 12 in each diagonal direction
    lines = compile_question(game(), "lines()", None)(game().initial_state(NOTHING))
    assert len({frozenset(line) for line in lines}) == len(lines) == 24 + 21 + 12 + 12
    columns, rows = "abcdefg", "123456"
    for line in lines:
        x, y = ([where.index(c[i]) for c in line] for i, where in enumerate((columns, rows)))
        steps = {(x[k + 1] - x[k], y[k + 1] - y[k]) for k in range(3)}
        assert len(steps) == 1
        assert steps <= {(1, 0), (0, 1), (1, 1), (-1, 1)}


def sample(count: int) -> list[State]:
    source = random.Random("connect-four")
    return [s for _ in range(count) for s in positions(game(), source.getrandbits(32))]


def test_mirror() -> None:
    by = renamings(game())["mirror"]
    start = game().initial_state(NOTHING)
    assert image(start, by) == start
    over = 0
    for state in sample(30):
        assert difference(state, by) is None
        over += state.is_terminal
    assert over == 30


def test_what_is_no_symmetry_is_noticed() -> None:
    turned = dict(zip("abcdefg", "bcdefga", strict=True))
    # the columns in a circle
    by = made(game(), {"relabel": {"Column": turned}})
    assert any(difference(state, by) for state in sample(10))
