"""Games played side by side with OpenSpiel's: whatever both can say must agree.

Random games of tic-tac-toe, Connect Four and Kuhn poker: whether it is over, who acts, the legal
moves, the returns; the outcomes of chance with their probabilities; and what players know: two
histories have equal information states here exactly if OpenSpiel's are equal there, and so have
observations.

Where the two differ, by intention:

* OpenSpiel's actions are numbers, ours are words; `Pair.number` translates. Its "pass" in Kuhn
  poker is our ``check`` or ``fold``, its "bet" our ``bet`` or ``call``.
* OpenSpiel deals in chance nodes, card by card. Here the deal belongs to the setup, so it is
  compared as a whole: every deal with the product of its probabilities. Information states are
  compared from the first decision on.
* OpenSpiel's probabilities are floats, ours fractions.
* OpenSpiel's observation in Kuhn poker leaves out whether somebody has folded, which ends the game.
  So there observations are compared where somebody still decides; information states to the end.
* Winners are not a notion of OpenSpiel: they are compared as those whose return is positive.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable
from fractions import Fraction
from functools import cache
from typing import Any, NamedTuple

import pytest
from games.folders import HERE

import ludex
from ludex.engine import Game, Recorder, Seeded, State
from ludex.engine.enumerate import initial_branches
from ludex.engine.history import History
from ludex.protocol.canonical import canonical_bytes

pyspiel = pytest.importorskip(
    "pyspiel", reason="OpenSpiel is not installed: pip install 'ludex[openspiel]'"
)

CARDS = ("jack", "queen", "king")


class Pair(NamedTuple):
    """A game here and there."""

    ours: str
    theirs: str
    #: move in words to OpenSpiel's number
    number: Callable[[dict[str, Any]], int]
    games: int
    #: games of which the information states are compared
    histories: int


def cell(move: dict[str, Any]) -> int:
    column, row = move["args"]["cell"]
    return 3 * "123".index(row) + "abc".index(column)


PAIRS = [
    Pair("tic-tac-toe", "tic_tac_toe", cell, 4000, 1000),
    Pair("connect-four", "connect_four", lambda m: "abcdefg".index(m["args"]["column"]), 2000, 100),
    Pair("kuhn-poker", "kuhn_poker", lambda m: int(m["move"] in ("bet", "call")), 4000, 1000),
]
each_pair = pytest.mark.parametrize("pair", PAIRS, ids=lambda p: p.ours)


@cache
def game(name: str) -> Game:
    return ludex.load(HERE / name)


def begin(pair: Pair, outcomes: list[dict[str, Any]]) -> Any:
    """Return OpenSpiel's state after these outcomes."""
    state = pyspiel.load_game(pair.theirs).new_initial_state()
    for outcome in outcomes:
        assert state.is_chance_node()
        state.apply_action(CARDS.index(outcome["draw"]))
    assert not state.is_chance_node()
    return state


def numbers(pair: Pair, state: State) -> dict[int, Any]:
    """Return our legal actions by OpenSpiel's numbers."""
    words = game(pair.ours).action_to_json
    found = [(pair.number(words(a)), a) for a in state.legal_actions()]
    assert len(dict(found)) == len(found)
    return dict(found)


def compare(pair: Pair, ours: State, theirs: Any) -> dict[int, Any]:
    """Compare two states; return the legal actions."""
    assert ours.is_terminal == theirs.is_terminal()
    legal = numbers(pair, ours)
    assert sorted(legal) == theirs.legal_actions()
    outcome = ours.outcome()
    if outcome is None:
        assert ours.actors() == [f"p{theirs.current_player() + 1}"]
    else:
        returns = theirs.returns()
        assert list(outcome["returns"].values()) == returns
        assert outcome["winners"] == [f"p{i + 1}" for i, r in enumerate(returns) if r > 0]
    return legal


@each_pair
def test_random_games(pair: Pair) -> None:
    choose = random.Random(pair.ours)
    ends: Counter[tuple[str, ...]] = Counter()
    for seed in range(pair.games):
        chance = Recorder(Seeded(seed))
        ours = game(pair.ours).initial_state(chance)
        theirs = begin(pair, chance.outcomes)
        while legal := compare(pair, ours, theirs):
            number = choose.choice(list(legal))
            ours.apply_action(legal[number], chance)
            theirs.apply_action(number)
        outcome = ours.outcome()
        assert outcome is not None
        ends[tuple(outcome["winners"])] += 1
    # the games end in more than one way
    assert ends["p1",] > pair.games // 5
    assert ends["p2",] > pair.games // 5


def test_deals() -> None:
    theirs: dict[tuple[str, ...], Fraction] = {}

    def deal(state: Any, cards: tuple[str, ...], probability: Fraction) -> None:
        if not state.is_chance_node():
            theirs[cards] = probability
            return
        for number, share in state.chance_outcomes():
            exact = Fraction(share).limit_denominator(100)
            assert abs(float(exact) - share) < 1e-12
            deal(state.child(number), (*cards, CARDS[number]), probability * exact)

    deal(pyspiel.load_game("kuhn_poker").new_initial_state(), (), Fraction(1))
    assert theirs == {
        tuple(o["draw"] for o in branch.outcomes): branch.probability
        for branch in initial_branches(game("kuhn-poker"))
    }


class Same:
    """Whether two ways to name what players know tell the same things apart."""

    def __init__(self) -> None:
        self.known: tuple[dict[Any, Any], dict[Any, Any]] = ({}, {})

    def add(self, ours: Any, theirs: Any) -> None:
        there, here = self.known
        assert there.setdefault(ours, theirs) == theirs, "theirs tell apart what ours do not"
        assert here.setdefault(theirs, ours) == ours, "ours tell apart what theirs do not"


@each_pair
def test_information_states_and_observations(pair: Pair) -> None:
    choose = random.Random(f"{pair.ours} histories")
    knowing, seeing = Same(), Same()
    met = 0
    for seed in range(pair.histories):
        history = History(game(pair.ours), Seeded(seed))
        theirs = begin(pair, history.setup)
        # a digest of the record so far in place of the record: it only ever grows
        known = [hash(canonical_bytes(history.information_state(p)["first"])) for p in ("p1", "p2")]
        while True:
            for seat, player in enumerate(("p1", "p2")):
                known[seat] = hash((known[seat], canonical_bytes(history.view(player)[-1])))
                knowing.add((player, known[seat]),
                            (player, theirs.information_state_string(seat)))
                if not (pair.ours == "kuhn-poker" and theirs.is_terminal()):
                    seen = canonical_bytes(history.state.observation(player))
                    seeing.add((player, seen), (player, theirs.observation_string(seat)))
                met += 1
            legal = numbers(pair, history.state)
            if not legal:
                break
            number = choose.choice(list(legal))
            history.apply_action(legal[number])
            theirs.apply_action(number)
    # many histories share what is known, and many do not
    assert 1 < len(seeing.known[0]) <= len(knowing.known[0]) < met


def test_all_of_kuhn_poker() -> None:
    """Every history of the whole tree, with the information states as they are."""
    pair = PAIRS[2]
    knowing = Same()
    decisions: set[Any] = set()

    def grow(history: History, theirs: Any) -> int:
        for seat, player in enumerate(("p1", "p2")):
            knowing.add((player, canonical_bytes(history.information_state(player))),
                        (player, theirs.information_state_string(seat)))
        legal = compare(pair, history.state, theirs)
        if legal:
            decisions.add(theirs.information_state_string(theirs.current_player()))
        return int(not legal) + sum(
            grow(history.child(action, Seeded(0)), theirs.child(number))
            for number, action in legal.items()
        )

    leaves = 0
    for branch in initial_branches(game(pair.ours)):
        history = History(game(pair.ours), ludex.Tape(branch.outcomes))
        leaves += grow(history, begin(pair, branch.outcomes))
    assert (leaves, len(decisions)) == (30, 12)
