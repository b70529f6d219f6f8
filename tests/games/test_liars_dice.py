"""Liar's Dice: in lock-step with OpenSpiel, and its information states counted."""

from __future__ import annotations

import json
import random
from collections.abc import Iterator
from typing import Any

import pytest
from games.folders import document

from ludex.engine import Game, Seeded, Tape
from ludex.engine.enumerate import initial_branches
from ludex.engine.history import History

Json = dict[str, Any]
FACES = range(1, 7)


def game(dice: int = 1) -> Game:
    return Game(document("liars-dice"), 2, options={"dice": dice})


def as_text(value: Any) -> str:
    return json.dumps(value, sort_keys=True)


def number(move: Json, dice: int) -> int:
    """Return the number that OpenSpiel gives to a move: bids from the lowest, then the call."""
    if move["move"] == "liar":
        return 12 * dice
    bid: int = (move["args"]["quantity"] - 1) * 6 + move["args"]["face"] - 1
    return bid


@pytest.mark.parametrize("dice", [1, 2])
def test_lock_step_with_openspiel(dice: int) -> None:
    from games.spiel import advance, pyspiel, returns

    ours, theirs = game(dice), pyspiel.load_game(f"liars_dice(numdice={dice})")
    source = random.Random(dice)
    for seed in range(1000):
        history = History(ours, Seeded(seed))
        node = theirs.new_initial_state()
        for outcome in history.setup:
            for die in outcome["roll"]:
                advance(node, die - 1)
        while not history.state.is_terminal:
            state = history.state
            assert state.actors() == [f"p{node.current_player() + 1}"]
            actions = state.legal_actions()
            numbers = [number(ours.action_to_json(a), dice) for a in actions]
            assert sorted(numbers) == node.legal_actions()
            chosen = source.randrange(len(actions))
            # a call is one of many moves: call more often than by chance, for long and short games
            if source.random() < 0.2 and 12 * dice in numbers:
                chosen = numbers.index(12 * dice)
            history.apply_action(actions[chosen])
            node.apply_action(numbers[chosen])
        assert node.is_terminal()
        outcome = history.state.outcome()
        assert outcome is not None
        assert returns(outcome) == node.returns()
        assert outcome["winners"] == [
            f"p{i + 1}" for i, value in enumerate(node.returns()) if value > 0
        ]


def sorted_rolls(information: Json) -> Json:
    """Forget the order of the dice under a cup, as OpenSpiel does."""
    rolls = [
        {"roll": sorted(o["roll"]) if isinstance(o["roll"], list) else o["roll"]}
        for o in information["view"][0]["chance"]
    ]
    cups = {p: sorted(d) if isinstance(d, list) else d
            for p, d in information["first"]["cup"].items()}
    return {
        "first": {**information["first"], "cup": cups},
        "view": [{**information["view"][0], "chance": rolls}, *information["view"][1:]],
    }


@pytest.mark.parametrize("dice", [1, 2])
def test_the_same_histories_are_told_apart_as_in_openspiel(dice: int) -> None:
    from games.spiel import advance, pyspiel

    ours, theirs = game(dice), pyspiel.load_game(f"liars_dice(numdice={dice})")
    source = random.Random(dice)
    ours_to_theirs: dict[str, tuple[int, str]] = {}
    theirs_to_ours: dict[tuple[int, str], str] = {}
    met = 0
    for seed in range(600):
        history, node = History(ours, Seeded(seed)), theirs.new_initial_state()
        for outcome in history.setup:
            for die in outcome["roll"]:
                advance(node, die - 1)
        while True:
            for index, player in enumerate(ours.player_ids):
                met += 1
                known = history.information_state(player)
                mine = as_text([player, sorted_rolls(known) if dice > 1 else known])
                other = (index, node.information_state_string(index))
                assert ours_to_theirs.setdefault(mine, other) == other
                assert theirs_to_ours.setdefault(other, mine) == mine
            if history.state.is_terminal:
                break
            actions = history.state.legal_actions()
            # low bids, so that games begin alike and many histories are compared
            action = actions[min(source.randrange(len(actions)), source.randrange(4))]
            history.apply_action(action)
            node.apply_action(number(ours.action_to_json(action), dice))
    # many were met more than once
    assert len(ours_to_theirs) < met - 500


def bids(history: History) -> Iterator[History]:
    """Yield a history and all that follow from it by bids, after which somebody decides."""
    yield history
    for action in history.state.legal_actions():
        # what follows the call is the end
        if history.game.action_to_json(action)["move"] == "bid":
            yield from bids(history.child(action, Tape([])))


def test_every_information_state_is_there_once() -> None:
    """Count them.

    A player who decides knows the own die (6 faces) and the bids so far: any of the 2^12 sets of
    the 12 bids, said in rising order. The first player decides after an even number of bids, the
    second after an odd one: half of the sets each. So there are 6 * 2^11 for each player, and
    24 576 altogether.
    """
    ours = game()
    found: dict[str, set[str]] = {"p1": set(), "p2": set()}
    nodes = 0
    for face in FACES:
        # what a player knows does not depend on the other die (see below), so one will do
        for history in bids(History(ours, Tape([{"roll": [face]}, {"roll": [face]}]))):
            (player,) = history.state.actors()
            found[player].add(as_text(history.information_state(player)))
            nodes += 1
    assert {p: len(s) for p, s in found.items()} == {"p1": 6 * 2**11, "p2": 6 * 2**11}
    assert nodes == 24_576


def test_the_other_die_is_not_known() -> None:
    ours = game()
    source = random.Random(3)
    for _ in range(200):
        mine = source.choice(FACES)
        histories = [History(ours, Tape([{"roll": [mine]}, {"roll": [d]}])) for d in FACES]
        while not histories[0].state.is_terminal:
            known = [as_text(h.information_state("p1")) for h in histories]
            assert len(set(known)) == 1
            # but p2, who threw it, knows it
            assert len({as_text(h.information_state("p2")) for h in histories}) == 6
            legal = [h.state.legal_actions() for h in histories]
            assert all(actions == legal[0] for actions in legal)
            action = source.choice(legal[0])
            for history in histories:
                history.apply_action(action)


def test_dice_are_fair() -> None:
    branches = list(initial_branches(game()))
    assert len(branches) == 36
    assert {b.probability for b in branches} == {branches[0].probability}
    assert sum(b.probability for b in branches) == 1
    assert {tuple(o["roll"][0] for o in b.outcomes) for b in branches} == {
        (a, b) for a in FACES for b in FACES
    }
