"""Sources of chance: seeds, tapes, recorders."""

from __future__ import annotations

import hashlib
import math
import os
import random
import subprocess
import sys
from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from engine.games import COUNTS, plays, poodle
from hypothesis import given
from hypothesis import strategies as st

from ludex.engine import Recorder, Seeded, Tape
from ludex.engine.chance import Site
from ludex.errors import (
    TapeError,
    TapeImpossible,
    TapeLeftOver,
    TapeTooShort,
    TapeWrongKind,
)
from ludex.protocol.canonical import canonical_bytes

ROOT = Path(__file__).resolve().parents[2]
CARDS = ["ant", "bee", "cat"]
INDEX = {c: i for i, c in enumerate(CARDS)}


def site(kind: str, about: Callable[[tuple[int, ...]], dict[str, Any]]) -> Site:
    return Site(kind, about, INDEX.__getitem__, CARDS.__getitem__, lambda player, keys: True)


DRAW = site("draw", lambda keys: {"from": "pile", "to": f"hand.p{keys[0] + 1}"})
PICK = site("pick", lambda keys: {"of": "first"})
ROLL = replace(site("roll", lambda keys: {}), decode=lambda dice: dice)


@cache
def digest_of_games() -> str:
    """Everything that is random in a few games, as one number."""
    whole = hashlib.sha256()
    for players in COUNTS:
        for state, action, tape in plays(poodle(players), 11):
            whole.update(canonical_bytes([state.to_json(), list(action or ()), tape]))
            whole.update(canonical_bytes(state.legal_json()))
    return whole.hexdigest()


@pytest.mark.parametrize("seed", ["0", "4242"])
def test_a_seed_gives_the_same_game_whatever_the_hash_seed(seed: str) -> None:
    code = "from engine.test_chance import digest_of_games; print(digest_of_games())"
    run = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True, timeout=60,
        env={**os.environ, "PYTHONHASHSEED": seed, "PYTHONPATH": str(ROOT / "tests")},
    )
    assert run.stdout.strip() == digest_of_games()


def test_other_seeds_give_other_games() -> None:
    starts = {canonical_bytes(poodle(2).initial_state(Seeded(s)).to_json()) for s in range(20)}
    assert len(starts) == 20


def test_seeds_are_numbers_or_texts() -> None:
    assert Seeded("a").roll(9, 6, ROLL, ()) == Seeded("a").roll(9, 6, ROLL, ())
    assert Seeded("1").roll(9, 6, ROLL, ()) != Seeded(1).roll(9, 6, ROLL, ())


class Fixed(Seeded):
    """A source whose next random number is known."""

    def __init__(self, number: float) -> None:
        super().__init__(0)
        self._random = lambda: number  # type: ignore[method-assign, assignment]


@given(st.lists(st.integers(0, 2), min_size=1, max_size=30).map(sorted))
def test_equal_parts_of_the_unit_give_each_component_once(items: list[int]) -> None:
    # the random number cut into as many equal parts as there are components
    count = len(items)
    found = [Fixed((k + 0.5) / count).draw(items, DRAW, (0,)) for k in range(count)]
    assert Counter(found) == Counter(items)
    assert Counter(Fixed((k + 0.5) / count).pick(items, PICK, ()) for k in range(count)) == Counter(
        items
    )


@given(st.integers(1, 60))
def test_the_smallest_and_the_largest_random_number(count: int) -> None:
    last = math.nextafter(1, 0)
    items = list(range(count))
    assert Fixed(0.0).pick(items, PICK, ()) == 0
    assert Fixed(last).pick(items, PICK, ()) == count - 1
    assert Fixed(last).draw(items, DRAW, (0,)) == count - 1
    assert Fixed(0.0).roll(2, count, ROLL, ()) == [1, 1]
    assert Fixed(last).roll(2, count, ROLL, ()) == [count, count]


def test_a_recorder_writes_what_the_protocol_writes() -> None:
    recorder = Recorder(Fixed(0.5))
    assert recorder.draw([0, 1, 2], DRAW, (1,)) == 1
    assert recorder.pick([2], PICK, ()) == 2
    assert recorder.roll(2, 6, ROLL, ()) == [4, 4]
    assert recorder.outcomes == [
        {"draw": "bee", "from": "pile", "to": "hand.p2"},
        {"pick": "cat", "of": "first"},
        {"roll": [4, 4]},
    ]


def draw(card: Any, player: int = 1, zone: str = "pile") -> dict[str, Any]:
    return {"draw": card, "from": zone, "to": f"hand.p{player}"}


def test_draws_for_different_zones_may_stand_in_any_order() -> None:
    tape = Tape([draw("ant", 2), draw("bee", 1), draw("cat", 2)])
    everything = [0, 1, 2]
    assert tape.draw(everything, DRAW, (0,)) == 1
    assert tape.draw(everything, DRAW, (1,)) == 0
    assert tape.draw(everything, DRAW, (1,)) == 2
    tape.done()


FAULTS: list[tuple[type[TapeError], int, list[dict[str, Any]]]] = [
    (TapeTooShort, -32010, []),
    (TapeWrongKind, -32011, [draw("ant", 2)]),
    (TapeWrongKind, -32011, [draw("ant", 1, "box")]),
    (TapeWrongKind, -32011, [{"draw": "ant"}]),
    (TapeWrongKind, -32011, [{"pick": "ant", "of": "first"}, {"roll": [1]}]),
    (TapeImpossible, -32012, [draw("cat")]),
    (TapeImpossible, -32012, [draw("dog")]),
    (TapeImpossible, -32012, [draw(None)]),
    (TapeImpossible, -32012, [draw(["ant"])]),
    (TapeImpossible, -32012, [draw(0)]),
    (TapeLeftOver, -32013, [draw("ant"), draw("ant")]),
]


@pytest.mark.parametrize(("error", "number", "outcomes"), FAULTS)
def test_a_tape_that_does_not_fit_a_draw(
    error: type[TapeError], number: int, outcomes: list[dict[str, Any]]
) -> None:
    tape = Tape(outcomes)

    def use() -> None:
        tape.draw([0, 0, 1], DRAW, (0,))
        tape.done()

    with pytest.raises(error) as caught:
        use()
    assert type(caught.value) is error
    assert caught.value.number == number


@pytest.mark.parametrize(
    "dice", [[1], [1, 2, 3], [0, 1], [1, 7], [True, 1], [1.0, 1], "11", 3, None, {"1": 1}]
)
def test_impossible_dice(dice: Any) -> None:
    with pytest.raises(TapeImpossible):
        Tape([{"roll": dice}]).roll(2, 6, ROLL, ())


@pytest.mark.parametrize("value", ["cat", "dog", 1, None, []])
def test_impossible_picks(value: Any) -> None:
    with pytest.raises(TapeImpossible):
        Tape([{"pick": value, "of": "first"}]).pick([0, 1], PICK, ())
    with pytest.raises(TapeWrongKind):
        Tape([{"pick": "ant", "of": "second"}]).pick([0, 1], PICK, ())


def test_possible_dice_and_picks() -> None:
    tape = Tape([{"roll": [6, 1]}, {"pick": "bee", "of": "first"}])
    assert tape.pick([0, 1], PICK, ()) == 1
    assert tape.roll(2, 6, ROLL, ()) == [6, 1]
    tape.done()


@pytest.mark.parametrize("players", COUNTS)
@given(seed=st.integers(0, 10**6), shuffle=st.integers(0, 10**6))
def test_what_was_recorded_gives_the_same_game(players: int, seed: int, shuffle: int) -> None:
    game = poodle(players)
    steps = plays(game, seed)
    state, _, tape = next(steps)
    mixed = list(tape)
    random.Random(shuffle).shuffle(mixed)
    assert game.initial_state(Tape(tape)) == state
    # draws of one hand may change places, hands are bags; so any order gives the same position
    assert game.initial_state(Tape(mixed)) == state
    for _ in range(12):
        before = state
        state, action, tape = next(steps)
        assert before.child(action, Tape(tape)) == state
