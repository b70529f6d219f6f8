"""``ludex perft``: counts against numbers found without the engine."""

from __future__ import annotations

import itertools
import json
from collections import Counter
from functools import cache
from math import comb
from pathlib import Path
from typing import Any

import pytest
from cli.lines import run
from patched import MINIMAL, patched

from ludex import perft as module
from ludex.authoring.document import load_document
from ludex.engine import Game
from ludex.errors import SpecError
from ludex.perft import Depth, TooMany, divided, perft

Capsys = pytest.CaptureFixture[str]
CONNECT_FOUR = Path(__file__).resolve().parents[1] / "games" / "connect-four"


@cache
def piles() -> Game:
    return Game(load_document(MINIMAL))


@cache
def small(**rulings: str) -> Game:
    """Poodle Taxi with three colours, for two."""
    return Game(load_document("poodle-taxi", "small"), 2, rulings)


# -- by hand ---------------------------------------------------------------------------------


def test_two_piles_by_hand() -> None:
    # Two blue and two red cards. Each player takes one of either colour; then each must take the
    # other colour, and it is always there. 2, 2 * 2, then one way each; the fourth move ends it.
    assert list(perft(piles(), 6)) == [
        Depth(0, 1, 0, 1),
        Depth(1, 2, 0, 2),
        Depth(2, 4, 0, 4),
        # p1 then has both colours; p2 has blue or red
        Depth(3, 4, 0, 2),
        Depth(4, 4, 4, 1),
        Depth(5, 0, 0, 0),
    ]


def test_divided_by_hand() -> None:
    move = {"actor": "p1", "move": "take"}
    assert list(divided(piles(), 3)) == [
        ({**move, "args": {"card": "blue-one"}}, 2), ({**move, "args": {"card": "red-two"}}, 2)
    ]


@pytest.mark.slow
@pytest.mark.skipif(not CONNECT_FOUR.is_dir(), reason="that game is not here")
def test_connect_four() -> None:
    game = Game(load_document(CONNECT_FOUR))
    found = list(perft(game, 7))
    # No game ends before the seventh move, and no column is full before it. The seventh move has
    # seven columns, but for the seven ways of filling one column with six.
    assert [d.ways for d in found] == [*(7**n for n in range(7)), 7**7 - 7]
    assert [d.over for d in found[:7]] == [0] * 7
    # The first player's four in a row with the fourth stone, counted below on a bare board.
    assert found[7].over == _wins_with_seven_moves()
    # published counts of positions after n stones (OEIS A212693)
    assert [d.positions for d in found] == [1, 7, 49, 238, 1120, 4263, 16422, 54859]


def _wins_with_seven_moves() -> int:
    """Count sequences of seven stones whose last makes four in a row."""
    wins = 0
    for columns in itertools.product(range(7), repeat=7):
        heights = [0] * 7
        mine: set[tuple[int, int]] = set()
        for number, column in enumerate(columns):
            if number % 2 == 0:
                mine.add((column, heights[column]))
            heights[column] += 1
        if max(heights) > 6 or len(mine) != 4:
            continue
        (x, y), *rest = sorted(mine)
        steps = {(a - x, b - y) for a, b in rest}
        wins += any(steps == {(i * dx, i * dy) for i in (1, 2, 3)}
                    for dx, dy in ((1, 0), (0, 1), (1, 1), (1, -1)))
    return wins


# -- Poodle Taxi, by brute force ---------------------------------------------------------------

COLOURS = ["green", "pink", "red"]
CARDS = [(c, a) for c in COLOURS for a in ("left", "right")]


def _orders(pile: Counter[Any], count: int) -> Any:
    """Yield each order in which so many cards can be drawn, and what is left."""
    if count == 0:
        yield (), pile
        return
    for card in [c for c in pile if pile[c]]:
        rest = pile.copy()
        rest[card] -= 1
        for more, left in _orders(rest, count - 1):
            yield (card, *more), left


@pytest.mark.slow
def test_poodle_taxi_by_brute_force() -> None:
    """Two moves from every setup, played on lists of (colour, arrow) without the engine."""
    # Words of six letters out of six letters with two of each: choose d letters that come twice,
    # 6 - 2d that come once; 6! / 2^d orders.
    words = sum(comb(6, d) * comb(6 - d, 6 - 2 * d) * 720 // 2**d for d in range(4))
    one = two = 0
    seen: dict[Any, tuple[int, int]] = {}
    for dealt, pile in _orders(Counter(dict.fromkeys(CARDS, 2)), 6):
        # what can be played does not depend on the order of a hand
        key = (tuple(sorted(dealt[:3])), tuple(sorted(dealt[3:])))
        if key not in seen:
            seen[key] = _two_moves(key[0], key[1], pile)
        one += seen[key][0]
        two += seen[key][1]
    assert [d.ways for d in perft(small(starter="first_seat"), 2)] == [words, one, two]


def _two_moves(first: Any, second: Any, pile: Counter[Any]) -> tuple[int, int]:
    one = two = 0
    for start in set(first):
        for drawn in [c for c in pile if pile[c]]:
            one += 1
            rest = pile.copy()
            rest[drawn] -= 1
            for card in set(second):
                # the same colour is covered; another goes to either end
                places = 1 if card[0] == start[0] else 2
                two += places * sum(1 for c in rest if rest[c])
    return one, two


def test_divide_adds_up() -> None:
    game = small(starter="first_seat")
    *_, last = perft(game, 2, seed=3)
    parts = list(divided(game, 2, seed=3))
    assert sum(n for _, n in parts) == last.ways
    assert all(m["actor"] == "p1" and m["move"] == "start" for m, _ in parts)
    assert len({json.dumps(m) for m, _ in parts}) == len(parts)


# -- bounds and checks -------------------------------------------------------------------------


def test_it_stops_at_the_limit() -> None:
    game = small()
    # A hand has two or three different cards, the pile six cards of three to six kinds: at most
    # 18 ways of one move. A second move follows each in at least 2 * 3 ways: at least 36 more.
    ways = perft(game, 2, seed=1, limit=20)
    assert [next(ways).depth, next(ways).depth] == [0, 1]
    with pytest.raises(TooMany, match="more than 20 moves"):
        next(ways)


def test_it_tells_how_far_it_is() -> None:
    told: list[int] = []
    list(perft(small(), 2, seed=1, progress=told.append))
    list(perft(small(), 3, seed=1, progress=told.append))
    assert told
    assert told == [1000 * (i + 1) for i in range(len(told))]


def test_probabilities_must_come_to_one(monkeypatch: pytest.MonkeyPatch) -> None:
    whole = module.move_branches

    def lossy(state: Any, action: Any) -> Any:
        yield from list(whole(state, action))[1:]

    monkeypatch.setattr(module, "move_branches", lossy)
    with pytest.raises(SpecError, match=r"come to .*, not to 1") as error:
        list(perft(small(), 1, seed=1))
    assert error.value.code == "engine.chance"


# -- the command -----------------------------------------------------------------------------


def test_a_table(capsys: Capsys) -> None:
    done = run(capsys, "perft", MINIMAL, "--depth", 4)
    assert (done.status, done.err) == (0, "")
    assert [line.split() for line in done.out.splitlines()] == [
        ["moves", "ways", "of", "these", "over", "positions"],
        ["0", "1", "0", "1"], ["1", "2", "0", "2"], ["2", "4", "0", "4"], ["3", "4", "0", "2"],
        ["4", "4", "4", "1"],
    ]


def test_divide(capsys: Capsys) -> None:
    done = run(capsys, "perft", MINIMAL, "--depth", 2, "--divide")
    assert done.out == "2  p1 take card=blue-one\n2  p1 take card=red-two\n4  together\n"
    done = run(capsys, "perft", MINIMAL, "--depth", 2, "--divide", "--format", "json")
    value = json.loads(done.out)
    assert [p["ways"] for p in value["divide"]] == [2, 2]
    assert value["complete"] is True


def test_giving_up(capsys: Capsys) -> None:
    done = run(capsys, "perft", "poodle-taxi", "--depth", 3, "--seed", 1, "--limit", 100)
    assert done.status == 3
    assert [line.split()[0] for line in done.out.splitlines()] == ["moves", "0", "1"]
    assert done.err == (
        "ludex: counting takes more than 100 moves [perft.limit]\n"
        "    --limit N allows more; --seed N begins from one setup only\n"
    )
    done = run(capsys, "perft", "poodle-taxi", "--depth", 3, "--limit", 100, "--format", "json")
    assert json.loads(done.out)["complete"] is False


def test_players(capsys: Capsys, tmp_path: Path) -> None:
    folder = patched(tmp_path / "g", ("game.yaml", "{min: 2, max: 2,", "{min: 2, max: 3,"))
    text = (folder / "game.yaml").read_text("utf-8")
    (folder / "game.yaml").write_text(text.replace('plies: "4"', 'plies: "9"'), "utf-8")
    done = run(capsys, "perft", folder, "--depth", 3, "--players", 3, "--format", "json")
    # Three players take one of two colours, but there are only two cards of each: 8 - 2.
    assert [d["ways"] for d in json.loads(done.out)["depths"]] == [1, 2, 4, 6]
