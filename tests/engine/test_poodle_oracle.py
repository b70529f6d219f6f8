"""The engine and an independent implementation of Poodle Taxi, move by move."""

from __future__ import annotations

from typing import Any

import pytest
from engine.games import COUNTS, plays, poodle
from engine.poodle_oracle import Table

from ludex.protocol.canonical import canonical_bytes

GAMES = 70


def as_set(moves: list[dict[str, Any]]) -> set[bytes]:
    found = {canonical_bytes(m) for m in moves}
    assert len(found) == len(moves)
    return found


@pytest.mark.parametrize("flea_count", ["seen", "hidden"])
@pytest.mark.parametrize("players", COUNTS)
def test_in_lock_step(players: int, flea_count: str) -> None:
    game = poodle(players, flea_count=flea_count)
    for seed in range(GAMES):
        table: Table | None = None
        for state, action, tape in plays(game, seed):
            if table is None:
                table = Table(players, tape)
            else:
                table.play(game.action_to_json(action), tape)
            assert as_set(state.legal_json()) == as_set(table.legal())
            assert state.table() == table.state()
            assert state.actors() == table.actors()
            assert state.outcome() == table.outcome()
            player = f"p{seed % players + 1}"
            assert state.observation(player) == table.view(player, flea_count)
        assert table is not None
        assert table.over()


def test_the_first_seat_begins_under_that_ruling() -> None:
    game = poodle(3, starter="first_seat")
    for seed in range(20):
        state, _, tape = next(plays(game, seed))
        assert state.actors() == ["p1"] == Table(3, tape).actors()
        assert not any("pick" in outcome for outcome in tape)
