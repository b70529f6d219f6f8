"""What a move used: the clauses that allow it, and those that ran, with what they changed."""

from __future__ import annotations

import random
from pathlib import Path

import pytest
from engine.tiny import tiny
from games.folders import ALL, positions, settings
from patched import MINIMAL

from ludex.authoring.document import load_document
from ludex.engine import Game, Recorder, Seeded, Tape
from ludex.engine.course import MAX_USED, course


def test_a_move_of_two_piles() -> None:
    state = Game(load_document(MINIMAL)).initial_state(Tape([]))
    action = state.game.action_from_json(
        {"actor": "p1", "move": "take", "args": {"card": "red-two"}})
    before = state.to_json()
    after, used = course(state, action, Tape([]))
    assert state.to_json() == before
    assert after == state.child(action, Tape([]))
    assert [(u.rule, u.clause, u.text) for u in used] == [
        ("2.1", "steps.choose.actors", "[turn]"),
        ("2.2", "moves.take", "Take a card"),
        ("2.2", "moves.take.params.card", "card in pile"),
        ("2.4", "moves.take.requires.0", "taken[actor].all(c, c.colour != card.colour)"),
        ("2.2", "moves.take.do.0", "do"),
        ("2.3", "effects.keep.do.0", "move"),
        ("2.1", "steps.pass_on.do.0", "set"),
    ]
    call, move, turn = used[-3:]
    assert call.changes == {}
    both, one = ["blue-one", "blue-one", "red-two", "red-two"], ["blue-one", "blue-one", "red-two"]
    assert move.changes == {
        "pile": (both, one),
        "taken": ({"p1": [], "p2": []}, {"p1": ["red-two"], "p2": []}),
    }
    assert turn.changes == {"turn": ("p1", "p2")}
    lines = (MINIMAL / "game.yaml").read_text("utf-8").splitlines()
    assert "move:" in lines[int(move.place.split(":")[1]) - 1]
    assert move.to_json()["changes"]["pile"] == {"before": both, "after": one}


def test_the_ending_is_used() -> None:
    state = Game(load_document(MINIMAL)).initial_state(Tape([]))
    for player, card in (("p1", "red-two"), ("p2", "red-two"), ("p1", "blue-one")):
        state.play({"actor": player, "move": "take", "args": {"card": card}}, [])
    after, used = course(state, state.legal_actions()[0], Tape([]))
    assert after.is_terminal
    assert (used[-1].rule, used[-1].clause, used[-1].text) == ("3.1", "end.0", "size(pile) == 0")


@pytest.mark.parametrize("name", ALL)
def test_the_changes_are_the_difference_between_the_positions(name: str) -> None:
    source = random.Random(name)
    game = settings(name)[0]
    states = [s for s in positions(game, source.getrandbits(32)) if s.legal_actions()]
    for state in source.sample(states, min(3, len(states))):
        for action in state.legal_actions()[:4]:
            recorded = Recorder(Seeded(source.getrandbits(32)))
            wanted = state.child(action, recorded)
            after, used = course(state, action, Tape(recorded.outcomes))
            assert after == wanted
            value = state.to_json()["state"]
            for clause in used:
                for variable, (before, then) in clause.changes.items():
                    # decks with known places are shown as a bag
                    if "deck" not in str(game.program.types[variable]):
                        assert value[variable] == before
                        value[variable] = then
            end = wanted.to_json()["state"]
            assert {k: v for k, v in value.items() if "deck" not in str(game.program.types[k])} == {
                k: v for k, v in end.items() if "deck" not in str(game.program.types[k])}


LOOP = """
types: {}
state:
  over: {type: bool, visible_to: everyone, RULE}
  n: {type: int, visible_to: everyone, RULE}
setup:
  - {set: {n: "0"}, RULE}
flow:
  start: choose
  steps:
    choose: {RULE, actors: "[players[0]]", moves: [go]}
moves:
  go:
    title: Go
    RULE
    do:
      - repeat: "20000"
        do: [{set: {n: "n + 1"}}]
      - {set: {over: "true"}}
end:
  - {when: over, winners: "[]", RULE}
"""


def test_a_long_course_is_cut(tmp_path: Path) -> None:
    state = Game(tiny(tmp_path / "game", LOOP)).initial_state(Tape([]))
    after, used = course(state, state.legal_actions()[0], Tape([]))
    assert after.to_json()["state"] == {"n": 20000, "over": True}
    assert len(used) == 2 + MAX_USED + 1  # step and move, what ran, the ending
    assert used[2].changes == {"n": (0, 1)}
    assert used[1 + MAX_USED].changes == {"n": (MAX_USED - 1, MAX_USED)}
