"""Kuhn poker: the whole tree, its value and its equilibria, all in exact fractions.

H. W. Kuhn, "A simplified two-person poker", Contributions to the Theory of Games I (1950), pages 97
to 103: the game is worth -1/18 to the first player, who has a family of optimal strategies with one
parameter; the second player has a single one.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from fractions import Fraction as F
from functools import cache
from itertools import product
from typing import NamedTuple

import pytest
from games.folders import HERE

import ludex
from ludex.engine import Game, Tape
from ludex.engine.enumerate import initial_branches, move_branches
from ludex.engine.history import History
from ludex.protocol.canonical import canonical_bytes

VALUE = F(-1, 18)
ALPHAS = [F(0), F(1, 7), F(1, 4), F(1, 3)]


class Choice(NamedTuple):
    """A decision: what the player knows, in short and in full, and what is chosen."""

    player: str
    card: str
    step: str
    known: bytes
    move: str


class Leaf(NamedTuple):
    """A complete game: how likely the deal is, what was chosen, what the first player gets."""

    deal: F
    choices: tuple[Choice, ...]
    gain: int


#: Probability of betting or calling, by player, card and step.
Strategy = Mapping[tuple[str, str, str], F]


@cache
def game() -> Game:
    return ludex.load(HERE / "kuhn-poker")


def grow(history: History, deal: F, choices: tuple[Choice, ...]) -> Iterator[Leaf]:
    outcome = history.state.outcome()
    if outcome is not None:
        assert sum(outcome["returns"].values()) == 0
        yield Leaf(deal, choices, outcome["returns"]["p1"])
        return
    (player,) = history.state.actors()
    step = history.state.step
    assert step is not None
    card = history.state.observation(player)["hand"][player]
    known = canonical_bytes(history.information_state(player))
    for action in history.state.legal_actions():
        (branch,) = move_branches(history.state, action)
        assert (branch.probability, branch.outcomes) == (1, [])
        move = game().action_to_json(action)["move"]
        choice = Choice(player, card, step, known, move)
        yield from grow(history.child(action, Tape([])), deal, (*choices, choice))


@cache
def leaves() -> list[Leaf]:
    found: list[Leaf] = []
    for branch in initial_branches(game()):
        history = History(game(), Tape(branch.outcomes))
        assert history.state == branch.state
        found += grow(history, branch.probability, ())
    return found


def value(strategy: Strategy) -> F:
    """Return what the first player gets on average."""
    total = F(0)
    for leaf in leaves():
        chance = leaf.deal
        for c in leaf.choices:
            bold = strategy[c.player, c.card, c.step]
            chance *= bold if c.move in ("bet", "call") else 1 - bold
        total += chance * leaf.gain
    return total


def optimal(alpha: F) -> dict[tuple[str, str, str], F]:
    """Return Kuhn's strategies: one of the first player's family, and the second player's."""
    return {
        ("p1", "jack", "open"): alpha,
        ("p1", "queen", "open"): F(0),
        ("p1", "king", "open"): 3 * alpha,
        ("p1", "jack", "after_bet"): F(0),
        ("p1", "queen", "after_bet"): alpha + F(1, 3),
        ("p1", "king", "after_bet"): F(1),
        ("p2", "jack", "after_check"): F(1, 3),
        ("p2", "queen", "after_check"): F(0),
        ("p2", "king", "after_check"): F(1),
        ("p2", "jack", "after_bet"): F(0),
        ("p2", "queen", "after_bet"): F(1, 3),
        ("p2", "king", "after_bet"): F(1),
    }


def answers(strategy: Strategy, player: str) -> list[F]:
    """Return the value against each pure strategy of a player; a best answer is among them."""
    own = [k for k in strategy if k[0] == player]
    return [
        value({**strategy, **dict(zip(own, map(F, pure), strict=True))})
        for pure in product((0, 1), repeat=len(own))
    ]


def test_deals() -> None:
    branches = list(initial_branches(game()))
    assert [b.probability for b in branches] == [F(1, 6)] * 6
    hands = {tuple(o["draw"] for o in b.outcomes) for b in branches}
    assert hands == {(a, b) for a in ("jack", "queen", "king")
                     for b in ("jack", "queen", "king") if a != b}


def test_complete_games() -> None:
    # six deals; the betting goes check-check, check-bet-fold, check-bet-call, bet-fold or bet-call
    assert len(leaves()) == 6 * 5
    assert {tuple(c.move for c in leaf.choices) for leaf in leaves()} == {
        ("check", "check"), ("check", "bet", "fold"), ("check", "bet", "call"),
        ("bet", "fold"), ("bet", "call"),
    }
    assert sum(leaf.deal for leaf in leaves()) == 5


def test_information_states() -> None:
    short: dict[bytes, set[tuple[str, str, str]]] = {}
    for leaf in leaves():
        for c in leaf.choices:
            short.setdefault(c.known, set()).add((c.player, c.card, c.step))
    # a card and a place in the betting are all that a player knows, and each is known apart
    assert len(short) == 12
    assert all(len(names) == 1 for names in short.values())
    assert set.union(*short.values()) == set(optimal(F(0)))


@pytest.mark.parametrize("alpha", ALPHAS)
def test_value(alpha: F) -> None:
    assert value(optimal(alpha)) == VALUE


@pytest.mark.parametrize("alpha", ALPHAS)
def test_no_deviation_gains(alpha: F) -> None:
    first, second = (answers(optimal(alpha), p) for p in ("p1", "p2"))
    assert len(first) == len(second) == 2**6
    assert max(first) == VALUE
    assert min(second) == VALUE


@pytest.mark.parametrize(
    ("where", "bold"),
    [(("p1", "jack", "open"), F(1, 2)), (("p1", "queen", "after_bet"), F(0)),
     (("p2", "jack", "after_check"), F(1)), (("p2", "queen", "after_bet"), F(0))],
)
def test_other_strategies_can_be_beaten(where: tuple[str, str, str], bold: F) -> None:
    strategy = {**optimal(F(1, 4)), where: bold}
    if where[0] == "p1":
        assert min(answers(strategy, "p2")) < VALUE
    else:
        assert max(answers(strategy, "p1")) > VALUE
