"""Laws of Poodle Taxi that hold in every game, whoever plays it."""

from __future__ import annotations

import itertools
from collections import Counter
from collections.abc import Callable
from typing import Any

import pytest
from engine.games import COUNTS, plays, poodle, position
from hypothesis import given
from hypothesis import strategies as st

from ludex.engine import State, Tape
from ludex.errors import IllegalMove
from ludex.examples import broken_invariants
from ludex.protocol.canonical import canonical_bytes

COLOURS = ["green", "pink", "red", "blue", "colour-5", "colour-6"]
CARDS = [f"{c}-{a}" for c in COLOURS for a in ("left", "right")]

seeds = st.integers(0, 10**6)
counts = st.sampled_from(COUNTS)


def flat(row: list[list[str]]) -> list[str]:
    return [card for stack in row for card in stack]


def census(state: State) -> Counter[str]:
    table = state.table()
    zones = [table["draw_pile"], flat(table["row"]), *table["hand"].values(),
             *table["fleas"].values()]
    return Counter(card for zone in zones for card in zone)


@given(counts, seeds)
def test_no_card_is_lost_or_made(players: int, seed: int) -> None:
    box = Counter(dict.fromkeys(CARDS, players))
    for state, _, _ in plays(poodle(players), seed):
        assert census(state) == box


@given(counts, seeds)
def test_the_course_of_a_game(players: int, seed: int) -> None:
    steps = list(plays(poodle(players), seed))
    assert len(steps) - 1 == 12 * players == poodle(players).plies
    order = [game.actors()[0] for game, _, _ in steps[:-1]]
    first = int(order[0][1:]) - 1
    # clockwise, nobody is ever skipped
    assert order == [f"p{(first + i) % players + 1}" for i in range(12 * players)]
    for ply, (state, _, tape) in enumerate(steps):
        table, round_ = state.table(), ply // players
        assert broken_invariants(state) == []
        if ply:
            # one card is drawn until the pile has run out, at the end of the ninth round
            assert len(tape) == (1 if ply <= 9 * players else 0)
            assert len(table["draw_pile"]) == max(0, 9 * players - ply)
            assert table["row"]
        if ply < 12 * players:
            # hands are full in ten rounds, then two cards, then one
            actor = order[ply]
            assert len(table["hand"][actor]) == min(3, 12 - round_)
        assert state.is_terminal == (ply == 12 * players)


@given(counts, seeds)
def test_the_row_and_the_fleas(players: int, seed: int) -> None:
    before: dict[str, Any] | None = None
    for state, action, _ in plays(poodle(players), seed):
        table = state.table()
        colours = [{card.rpartition("-")[0] for card in stack} for stack in table["row"]]
        assert all(len(c) == 1 for c in colours)
        assert len(set(map(frozenset, colours))) == len(colours) <= 6
        for left, right in itertools.combinations(table["row"], 2):
            # of two arrows that point at each other, the later one would have taken the other
            assert not (any(c.endswith("right") for c in left)
                        and any(c.endswith("left") for c in right))
        if before is not None:
            move = state.game.action_to_json(action)
            actor, card = move["actor"], move["args"]["card"]
            for player in state.game.player_ids:
                gain = Counter(table["fleas"][player])
                gain.subtract(before["fleas"][player])
                assert min(gain.values(), default=0) >= 0
                assert player == actor or not any(gain.values())
                assert gain.total() <= len(flat(before["row"]))
            # the played card is the end of the row on the side it points to, and on top
            end = table["row"][0 if card.endswith("left") else -1]
            assert end[0] == card
            if move["move"] == "cover":
                assert end[1:] in before["row"]
        before = table


@given(counts, seeds)
def test_the_outcome_is_an_independent_count(players: int, seed: int) -> None:
    taken: Counter[str] = Counter({f"p{i + 1}": 0 for i in range(players)})
    lying = 0
    last = None
    for state, action, _ in plays(poodle(players), seed):
        if action is not None:
            # what is gone from the row was taken by whoever played
            now = len(flat(state.table()["row"]))
            taken[state.game.action_to_json(action)["actor"]] += lying + 1 - now
            lying = now
        assert (state.outcome() is None) == (not state.is_terminal)
        last = state
    assert last is not None
    assert last.outcome() == {
        "winners": [p for p in sorted(taken) if taken[p] == min(taken.values())],
        "returns": {p: -n for p, n in taken.items()},
    }
    assert taken.total() + lying == 12 * players
    assert lying >= 1


def candidates(players: int) -> list[dict[str, Any]]:
    """Return everything that anybody could say."""
    moves: list[tuple[str, dict[str, str]]] = []
    for card in CARDS:
        moves += [("start", {"card": card}), ("cover", {"card": card})]
        moves += [("extend", {"card": card, "end": end}) for end in ("left", "right")]
    return [
        {"actor": f"p{i + 1}", "move": name, "args": args}
        for i in range(players)
        for name, args in moves
    ]


@given(counts, seeds, st.integers(0, 48))
def test_legal_moves_are_those_that_break_nothing(players: int, seed: int, ply: int) -> None:
    game = poodle(players)
    state = position(game, seed, ply)
    legal = {canonical_bytes(m) for m in state.legal_json()}
    assert len(legal) == len(state.legal_actions())
    assert bool(legal) == (not state.is_terminal)
    key = state.key()
    for move in candidates(players):
        broken = state.broken(game.action_from_json(move))
        assert (broken == []) == (canonical_bytes(move) in legal), move
        if broken and not state.is_terminal:
            with pytest.raises(IllegalMove) as caught:
                state.play(move, [])
            assert caught.value.broken == broken
    assert state.key() == key


# -- laws: a game seen in another way is a game ---------------------------------------------------


class Law:
    """Another way to look at a table: what becomes of cards, of players, of the row's ends."""

    def __init__(
        self,
        card: Callable[[str], str] = str,
        player: Callable[[str], str] = str,
        *,
        mirror: bool = False,
    ) -> None:
        self.card = card
        self.player = player
        self.mirror = mirror

    def state(self, table: dict[str, Any]) -> dict[str, Any]:
        row = [[self.card(c) for c in stack] for stack in table["row"]]
        return {
            "draw_pile": sorted(map(self.card, table["draw_pile"])),
            "row": row[::-1] if self.mirror else row,
            **{
                zone: {self.player(p): sorted(map(self.card, cards))
                       for p, cards in table[zone].items()}
                for zone in ("hand", "fleas")
            },
        }

    def move(self, move: dict[str, Any]) -> dict[str, Any]:
        args = {"card": self.card(move["args"]["card"])}
        if "end" in move["args"]:
            end = move["args"]["end"]
            args["end"] = {"left": "right", "right": "left"}[end] if self.mirror else end
        return {"actor": self.player(move["actor"]), "move": move["move"], "args": args}

    def tape(self, tape: list[dict[str, Any]]) -> list[dict[str, Any]]:
        result = []
        for outcome in tape:
            if "pick" in outcome:
                result.append({**outcome, "pick": self.player(outcome["pick"])})
            else:
                zone, _, player = outcome["to"].partition(".")
                result.append({"draw": self.card(outcome["draw"]), "from": outcome["from"],
                               "to": f"{zone}.{self.player(player)}"})
        return result

    def outcome(self, outcome: dict[str, Any] | None) -> Any:
        if outcome is None:
            return None
        return {self.player(p) for p in outcome["winners"]}, {
            self.player(p): n for p, n in outcome["returns"].items()
        }


def flipped(card: str) -> str:
    colour, _, arrow = card.rpartition("-")
    return f"{colour}-{'left' if arrow == 'right' else 'right'}"


def check_law(law: Law, players: int, seed: int) -> None:
    """Play a game, and the same game seen in another way beside it."""
    game, other = poodle(players), None
    same = Law()
    for state, action, tape in plays(game, seed):
        if other is None:
            other = game.initial_state(Tape(law.tape(tape)))
        else:
            other.play(law.move(game.action_to_json(action)), law.tape(tape))
        assert same.state(other.table()) == law.state(state.table())
        assert other.actors() == [law.player(p) for p in state.actors()]
        assert same.outcome(other.outcome()) == law.outcome(state.outcome())
        # the listing order is no part of the law
        assert {canonical_bytes(m) for m in other.legal_json()} == {
            canonical_bytes(law.move(m)) for m in state.legal_json()
        }


@given(counts, seeds)
def test_mirror_law(players: int, seed: int) -> None:
    check_law(Law(flipped, mirror=True), players, seed)


@given(counts, seeds, st.permutations(COLOURS))
def test_colours_may_change_their_names(players: int, seed: int, names: list[str]) -> None:
    to = dict(zip(COLOURS, names, strict=True))

    def renamed(card: str) -> str:
        colour, _, arrow = card.rpartition("-")
        return f"{to[colour]}-{arrow}"

    check_law(Law(renamed), players, seed)


@given(counts, seeds, st.integers(1, 3))
def test_the_table_may_be_turned(players: int, seed: int, by: int) -> None:
    def moved(player: str) -> str:
        return f"p{(int(player[1:]) - 1 + by) % players + 1}"

    check_law(Law(player=moved), players, seed)


def test_the_laws_can_fail() -> None:
    # flipping the arrows without turning the row round is no law
    with pytest.raises((AssertionError, IllegalMove)):
        check_law(Law(flipped), 2, 1)
    with pytest.raises((AssertionError, IllegalMove)):
        check_law(Law(mirror=True), 2, 1)
