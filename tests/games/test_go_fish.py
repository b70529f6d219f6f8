"""Go Fish: in lock-step with OpenSpiel, with exact probabilities, and no card lost."""

from __future__ import annotations

import random
from collections import Counter
from fractions import Fraction
from typing import Any

import pytest
from games.folders import document
from hypothesis import given, settings
from hypothesis import strategies as st

from ludex.engine import Game, Recorder, Seeded, State
from ludex.engine.enumerate import move_branches
from ludex.engine.history import History

Json = dict[str, Any]
COUNTS = (2, 3, 4)


def game(players: int, components: str = "standard") -> Game:
    return Game(document("go-fish", components), players)


def ranks(game: Game) -> list[str]:
    found: list[str] = game.document["kinds"]["Card"]["members"]
    return found


def number(game: Game, action: Any) -> int:
    """Return the number that OpenSpiel gives to an ask."""
    args = game.action_to_json(action)["args"]
    asked = int(args["whom"][1:]) - 1
    return asked * len(ranks(game)) + ranks(game).index(args["card"])


def shown(game: Game, cards: list[str]) -> str:
    """Write cards as OpenSpiel does: a letter for the rank, then how many."""
    found = Counter(cards)
    return "".join(f"{chr(97 + i)}{found[r]}" for i, r in enumerate(ranks(game)) if found[r])


def table(state: State) -> list[str]:
    zones = state.table()
    return [
        *(f"{shown(state.game, zones['hand'][p])}:{len(zones['books'][p]) // 4}"
          for p in state.game.player_ids),
        shown(state.game, zones["draw_pile"]),
    ]


@pytest.mark.parametrize("players", COUNTS)
@pytest.mark.parametrize(("components", "games"), [("standard", 100), ("small", 300)])
def test_lock_step_with_openspiel(players: int, components: str, games: int) -> None:
    from games.spiel import advance, load

    ours = game(players, components)
    names = ranks(ours)
    theirs = load("go_fish", players=players, ranks=len(names))
    source = random.Random(f"{players} {components}")
    played = 0
    for seed in range(games):
        dealt = deal(ours, theirs, seed)
        if dealt is None:
            continue
        state, node, chance = dealt
        played += 1
        while True:
            for outcome in chance.outcomes:
                advance(node, names.index(outcome["draw"]))
            chance.clear()
            assert str(node).split("\n")[2:] == table(state)
            assert node.is_terminal() == state.is_terminal
            if state.is_terminal:
                break
            assert state.actors() == [f"p{node.current_player() + 1}"]
            actions = state.legal_actions()
            assert sorted(number(ours, a) for a in actions) == node.legal_actions()
            action = source.choice(actions)
            state.apply_action(action, chance)
            node.apply_action(number(ours, action))
        outcome = state.outcome()
        assert outcome is not None
        best = max(node.returns())
        assert outcome["winners"] == [
            f"p{i + 1}" for i, value in enumerate(node.returns()) if value == best
        ]
    assert played > 0.95 * games


@pytest.mark.parametrize("players", COUNTS)
def test_what_a_player_sees_is_what_openspiel_shows(players: int) -> None:
    from games.spiel import advance, load

    ours = game(players, "small")
    theirs = load("go_fish", players=players, ranks=6)
    for seed in range(40):
        dealt = deal(ours, theirs, seed)
        if dealt is None:
            continue
        state, node, chance = dealt
        source = random.Random(seed)
        while not state.is_terminal:
            for outcome in chance.outcomes:
                advance(node, ranks(ours).index(outcome["draw"]))
            chance.clear()
            for index, player in enumerate(ours.player_ids):
                seen = state.observation(player)
                lines = node.observation_string(index).split("\n")
                mine = lines[2].removeprefix("Your cards: ").replace(" ", "")
                assert mine == shown(ours, seen["hand"][player])
                for other, line in zip(ours.player_ids, lines[3:], strict=False):
                    hand = seen["hand"][other]
                    size = len(hand) if other == player else hand["count"]
                    books = len(seen["books"][other]) // 4
                    assert line == f"player {int(other[1:]) - 1} cards {size} books {books}"
            action = source.choice(state.legal_actions())
            state.apply_action(action, chance)
            node.apply_action(number(ours, action))


def deal(ours: Game, theirs: Any, seed: int) -> tuple[State, Any, Recorder] | None:
    """Deal the same cards in both, or none where the two deal by different rules.

    By rule 2.2 whoever lays down a book in the deal gets more cards. OpenSpiel does the same,
    unless it is the very last card of the deal that makes the book.
    """
    from games.spiel import advance

    chance = Recorder(Seeded(seed))
    state, node = ours.initial_state(chance), theirs.new_initial_state()
    for outcome in chance.outcomes:
        if not node.is_chance_node():
            last = str(node).split("\n")[2:][ours.players - 1]
            assert int(last.partition(":")[2]) > 0
            assert sum(map(int, last.partition(":")[0][1::2])) < (7 if ours.players == 2 else 5)
            return None
        advance(node, ranks(ours).index(outcome["draw"]))
    chance.clear()
    return state, node, chance


def chances(node: Any, names: list[str]) -> Counter[tuple[tuple[str, ...], str]]:
    """Return OpenSpiel's ways from a chance node to the next decision, with probabilities."""
    found: Counter[tuple[tuple[str, ...], str]] = Counter()
    todo = [(node, (), Fraction(1))]
    while todo:
        here, path, probability = todo.pop()
        if not here.is_chance_node():
            found[(path, str(here))] += probability  # type: ignore[assignment]
            continue
        for outcome, share in here.chance_outcomes():
            below = here.clone()
            below.apply_action(outcome)
            exact = Fraction(share).limit_denominator(52)
            todo.append((below, (*path, names[outcome]), probability * exact))
    return found


def test_probabilities_are_those_of_openspiel() -> None:
    from games.spiel import advance, load

    ours = game(2, "small")
    theirs = load("go_fish", players=2, ranks=6)
    looked = 0
    for seed in range(12):
        dealt = deal(ours, theirs, seed)
        if dealt is None:
            continue
        state, node, chance = dealt
        source = random.Random(seed)
        while not state.is_terminal:
            for outcome in chance.outcomes:
                advance(node, ranks(ours).index(outcome["draw"]))
            chance.clear()
            for action in state.legal_actions():
                below = node.clone()
                below.apply_action(number(ours, action))
                wanted = chances(below, ranks(ours))
                branches = list(move_branches(state, action))
                assert {
                    tuple(o["draw"] for o in b.outcomes): b.probability for b in branches
                } == {path: probability for (path, _), probability in wanted.items()}
                assert sum(b.probability for b in branches) == 1
                looked += len(branches) > 1
            action = source.choice(state.legal_actions())
            state.apply_action(action, chance)
            node.apply_action(number(ours, action))
    assert looked > 100


@given(st.sampled_from(COUNTS), st.sampled_from(["standard", "small"]), st.integers(0, 10**6))
@settings(max_examples=40, deadline=None)
def test_no_card_is_lost_or_made(players: int, components: str, seed: int) -> None:
    ours = game(players, components)
    box = Counter(dict.fromkeys(ranks(ours), 4))
    chance, source = Seeded(seed), random.Random(seed)
    state = ours.initial_state(chance)
    while not state.is_terminal:
        zones = state.table()
        everything = [zones["draw_pile"], *zones["hand"].values(), *zones["books"].values()]
        assert Counter(card for zone in everything for card in zone) == box
        state.apply_action(source.choice(state.legal_actions()), chance)
    outcome = state.outcome()
    assert outcome is not None
    # every rank is a book in the end
    assert sum(outcome["returns"].values()) == len(box)


@given(st.sampled_from(COUNTS), st.integers(0, 10**6))
@settings(max_examples=30, deadline=None)
def test_what_the_record_tells_a_player(players: int, seed: int) -> None:
    ours = game(players, "small")
    source = random.Random(seed)
    history = History(ours, Seeded(seed))
    for _ in range(15):
        if history.state.is_terminal:
            break
        history.apply_action(source.choice(history.state.legal_actions()))
    for player in ours.player_ids:
        view = history.view(player)
        tapes = [history.setup, *(m["chance"] for m in history.moves)]
        for entry, tape in zip(view, tapes, strict=True):
            for shown_, real in zip(entry["chance"], tape, strict=True):
                # only one's own cards are seen as they are drawn
                own = real["to"] == f"hand.{player}"
                assert shown_ == (real if own else {**real, "draw": {"hidden": True}})
        for entry, move in zip(view[1:], history.moves, strict=True):
            assert entry["args"] == move["args"]
