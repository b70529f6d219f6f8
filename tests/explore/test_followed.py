"""How far random games are followed."""

from __future__ import annotations

from pathlib import Path

import pytest
from patched import patched

from ludex.authoring.document import load_document
from ludex.explore.explore import explore

#: Random games of the minimal game have two moves: one card for each player.
MOVES = 2


@pytest.mark.parametrize(("limit", "longest", "ended"), [
    ("1", 1, 0), ("2", MOVES, 6), ("50", MOVES, 6), ("null", MOVES, 6),
    ("size(Card) == 2 ? 1 : null", 1, 0), ("size(Card) == 3 ? 1 : null", MOVES, 6),
])
def test_a_game_is_followed_as_far_as_said(
    limit: str, longest: int, ended: int, tmp_path: Path
) -> None:
    document = load_document(patched(
        tmp_path / "game", ("game.yaml", 'plies: "4"', f'plies: "null"\n  followed: "{limit}"'),
        # one card of each sort, so that nobody is stuck
        ("game.yaml", 'count: "2"', 'count: "1"'),
        ("game.yaml", "taken[actor].all(c, c.colour != card.colour)", "true"),
    ))
    report = explore(document, 6, 1)
    assert {f.check for f in report.findings} <= {"check.rule", "check.step"}
    assert report.lengths == {2: (longest, longest)}
    # a game that is not followed to its end shows nothing about ends
    assert report.counts["check.endless"] == ended
