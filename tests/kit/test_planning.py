"""Planned games are possible games, and near misses break one thing and nothing else."""

import itertools
from collections import Counter
from pathlib import Path

import pytest
from kit.games import chooser, game, planned

from ludex.authoring.document import load_document
from ludex.engine import Game, Seeded, Tape
from ludex_tck import planning
from ludex_tck.planning import near_misses, plan
from ludex_tck.requirements import broken_parts

GAMES = Path(__file__).resolve().parents[1] / "games"


def broken_by_hand(state, move):
    """Return everything that a move breaks, from the rulebook and the table alone."""
    table = state.table()
    actor, card = move["actor"], move["args"]["card"]
    colours = [stack[0].rpartition("-")[0] for stack in table["row"]]
    found = set()
    if [actor] != state.actors():
        found.add("turn")
    if card not in table["hand"][actor]:
        found.add("hand")
    lies = card.rpartition("-")[0] in colours
    if move["move"] == "start" and colours:
        found.add("started")
    if move["move"] != "start" and not colours:
        found.add("empty")
    if move["move"] == "extend" and lies:
        found.add("lies")
    # in an empty row too: nothing of this colour lies there
    if move["move"] == "cover" and not lies:
        found.add("absent")
    return found


def states(seed, players=2, plies=60):
    """Yield the positions of a planned game in which somebody is to move."""
    script = planned(seed, players, plies)
    state = script.game.initial_state(Tape(script.chance))
    for step in script.steps:
        if not step.refused:
            yield state
            state.play(step.move, step.chance)


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("players", [2, 4])
def test_near_misses_break_exactly_one_thing(seed, players):
    for state in states(f"near {seed}", players):
        for clause, actions in near_misses(state).items():
            for action in actions:
                move = state.game.action_to_json(action)
                assert len(broken_by_hand(state, move)) == 1, (clause, move)


@pytest.mark.parametrize("seed", range(3))
def test_everything_that_breaks_one_thing_is_found(seed):
    # one after the other: it is the same state, in which the game goes on
    for state in itertools.islice(states(f"all {seed}"), 0, None, 4):
        found = {
            tuple(action) for actions in near_misses(state).values() for action in actions
        }
        g = state.game
        wanted = set()
        for index, move in enumerate(g.document["moves"]):
            for actor in range(g.players):
                for card in range(12):
                    for end in ((0,), (1,)) if move["name"] == "extend" else ((),):
                        action = (actor, index, card, *end)
                        if len(broken_by_hand(state, g.action_to_json(action))) == 1:
                            wanted.add(action)
        assert found == wanted


def test_candidates_reach_every_parameter_and_requirement():
    seen = Counter()
    for seed in range(6):
        for state in states(f"reach {seed}"):
            seen.update(near_misses(state).keys())
    document = game().document
    wanted = {"steps.turn.actors"}
    for move in document["moves"]:
        where = f"moves.{move['name']}"
        # every side is a possible end: nothing of the right type breaks that parameter
        wanted |= {f"{where}.params.{p['name']}" for p in move["params"] if p["name"] != "end"}
        wanted |= {f"{where}.requires.{i}" for i in range(len(move["requires"]))}
    # in an empty row nothing lies: to cover there breaks two things at once
    wanted -= {f"moves.cover.requires.{i}" for i, r in enumerate(
        next(m for m in document["moves"] if m["name"] == "cover")["requires"]
    ) if r["rule"] == "4.3"}
    assert seen.keys() == wanted


def test_parts_are_looked_at_one_by_one():
    state = next(states("parts"))
    hand = state.table()["hand"][state.actors()[0]]
    foreign = next(c for c in state.game.codec.members["Card"] if c not in hand)
    move = {"actor": state.actors()[0], "move": "extend", "args": {"card": foreign, "end": "left"}}
    action = state.game.action_from_json(move)
    # the engine stops at the card; the row is empty, too
    assert [b.clause for b in state.broken(action)] == ["moves.extend.params.card"]
    assert broken_parts(state, action) == ["moves.extend.params.card", "moves.extend.requires.0"]


@pytest.mark.parametrize("seed", range(8))
def test_plans_are_possible_games(seed):
    script = planned(f"plan {seed}", 3)
    state = script.game.initial_state(Tape(script.chance))
    for step in script.steps:
        action = state.game.action_from_json(step.move)
        assert bool(state.broken(action)) == step.refused
        if step.refused:
            assert list(step.broken) == state.broken(action)
        else:
            state.play(step.move, step.chance)
            assert step.expected["state"] == state.table()
    assert state.is_terminal


@pytest.mark.parametrize("plies", [0, 1, 5])
def test_plans_end_when_they_are_told_to(plies):
    script = plan(game(), chooser("short"), plies=plies)
    assert sum(not s.refused for s in script.steps) == plies
    assert not plan(game(), lambda n: 0, plies=plies).steps[plies:]


def test_the_simplest_choices_make_no_attempts():
    script = plan(game(), lambda n: 0, plies=60)
    assert not any(s.refused for s in script.steps)
    assert len(script.steps) == 24


def test_without_attempts_there_are_none():
    for seed in range(5):
        script = plan(game(), chooser(seed), plies=60, attempts=False)
        assert not any(s.refused for s in script.steps)


def at(table_row, hand):
    """Return a position with this row where p1 is to move and holds this hand."""
    g = game()
    rest = g.initial_state(Seeded(1)).to_json()
    rest["state"] |= {"row": table_row, "turn": "p1"}
    rest["state"]["hand"]["p1"] = hand
    return g.state_from_json({"step": "turn", "state": rest["state"]})


@pytest.mark.parametrize(
    ("row", "move", "tape_for", "same"),
    [
        # an end of the empty row: the card starts the row, as `start` does
        ([], {"move": "extend", "args": {"card": "red-left", "end": "left"}}, "p1", True),
        # a row started again puts the card at the right end; a right arrow takes nothing there
        ([["blue-left"]], {"move": "start", "args": {"card": "red-right"}}, "p1", True),
        # ... and a left arrow would have to take the row
        ([["blue-left"]], {"move": "start", "args": {"card": "red-left"}}, "p1", False),
        # a known colour at an end makes two stacks of it, which no legal move does
        ([["red-right"]], {"move": "extend", "args": {"card": "red-left", "end": "left"}}, "p1",
         False),
    ],
)
def test_what_a_legal_move_does_as_well_is_no_fault(row, move, tape_for, same):
    state = at(row, ["green-left", "red-left", "red-right"])
    action = state.game.action_from_json({"actor": "p1", **move})
    assert state.broken(action)
    tape, waived = planning._waived(state, action, lambda n: 0)
    assert waived is not None
    assert [o["to"] for o in tape] == [f"hand.{tape_for}"]
    assert planning._same_as_legal(state, tape, waived) is same


def test_a_move_that_cannot_be_made_at_all_comes_without_a_tape():
    # nothing of this colour lies there, so there is no stack to cover
    state = at([["blue-left"]], ["green-left", "red-left", "red-right"])
    action = state.game.action_from_json(
        {"actor": "p1", "move": "cover", "args": {"card": "red-left"}}
    )
    assert planning._waived(state, action, lambda n: 0) == ([], None)


def test_too_many_candidates_are_sampled_evenly(monkeypatch):
    monkeypatch.setattr(planning, "MAX_CANDIDATES", 60)  # 20 for each move
    values = [range(4), range(12), range(2)]
    found = list(planning._sampled(values, 20, None))
    assert len(set(found)) == 20
    for index, options in enumerate(values):
        assert {f[index] for f in found} == set(options)
    other = list(planning._sampled(values, 20, lambda n: n // 2))
    assert set(other) != set(found)
    # every move has its share, the last one too
    clauses = set()
    for state in states("many", 4):
        clauses |= near_misses(state, chooser("many")).keys()
    assert {c.split(".")[1] for c in clauses} == {"turn", "start", "extend", "cover"}


# ---- numbers, parts of a hand, arguments that are not always there ------------------------------


def moves_that_miss(state):
    return {
        clause: [state.game.action_to_json(a) for a in actions]
        for clause, actions in near_misses(state).items()
    }


def test_numbers_are_tried_as_far_as_the_parameter_allows_them():
    dice = Game(load_document(str(GAMES / "liars-dice"), "standard"), 2)
    state = dice.initial_state(Seeded(3))
    first, second = state.actors()[0], ({"p1", "p2"} - set(state.actors())).pop()
    state.play({"actor": first, "move": "bid", "args": {"quantity": 1, "face": 4}}, [])
    # rules 2.2 and 2.3: one of two dice, six faces; a bid has to be higher than the last
    missed = moves_that_miss(state)["moves.bid.requires.0"]
    assert {m["actor"] for m in missed} == {second}
    assert {(m["args"]["quantity"], m["args"]["face"]) for m in missed} == {
        (1, face) for face in (1, 2, 3, 4)}


@pytest.fixture(scope="module")
def poo():
    return Game(load_document("poo", "standard"), 3, {"zero_discard": "at_least_one"})


def test_parts_of_a_hand_are_tried_too_small_and_with_what_is_not_there(poo):
    state = poo.initial_state(Seeded(1))
    [actor] = state.actors()
    hand = Counter(state.table()["hand"][actor])
    missed = [m["args"]["cards"] for m in moves_that_miss(state)["moves.discard.params.cards"]
              if m["actor"] == actor]
    assert [] in missed  # the ruling asks for one card at least
    assert any(Counter(cards) - hand for cards in missed)
    assert any(len(cards) > 1 and set(cards) <= hand.keys() for cards in missed)
    for cards in missed:
        assert not cards or Counter(cards) - hand, cards
        assert cards == sorted(cards)


def test_an_argument_that_is_missing_or_too_many_is_no_near_miss(poo):
    kind = poo.document["kinds"]["Card"]
    aims = dict(zip(kind["members"], kind["columns"]["aim"]["values"], strict=True))
    seen = set()
    for seed in range(3):
        state = poo.initial_state(Seeded(seed))
        for moves in moves_that_miss(state).values():
            for move in moves:
                if move["move"] == "fling":
                    targeted = "target" in move["args"]
                    assert targeted == (aims[move["args"]["card"]] == "one")
                    seen.add(targeted)
    assert seen == {True, False}
