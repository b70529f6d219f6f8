"""Poo, played at random: what the rulebook promises in every position, and how long games are."""

from __future__ import annotations

import os
import random
from collections import Counter
from collections.abc import Iterator
from functools import partial
from itertools import chain
from typing import Any

import pytest
from games_builtin import playing

from ludex.engine import Game, Seeded, State

Json = dict[str, Any]
COUNTS = range(2, 9)
#: Games of each number of players; 1,000 of each were played before the release.
GAMES = int(os.environ.get("LUDEX_GAMES", "200"))
#: The longest of 7,000 random games had 1007 moves; twice that is a game that hangs.
LONGEST = 2000
#: Steps in which a fling is answered.
ANSWERS = ("mishaps", "defences", "reactions")
READINGS = [
    {},
    {"reaction_order": "any_order"},
    {"redirect_target": "defender"},
    {"slip_targets": "hit"},
    {"redirected_defence": "none", "banana_order": "highest_total"},
]


document = partial(playing.document, "poo")
table = partial(playing.table, "poo", "Card")
DECK = {card: row["copies"] for card, row in table().items()}


def walk(
    players: int, seed: int, rulings: Json | None = None
) -> Iterator[tuple[State, Json | None]]:
    """Play a random game; give every position with the move that is made there."""
    return playing.walk(Game(document(), players, rulings), seed)


def cards(table_state: Json) -> Counter[str]:
    everywhere = [table_state["deck"], table_state["discard"], table_state["removed"],
                  *table_state["hand"].values()]
    air = [table_state["air"]] if table_state["air"] else []
    return Counter(card for zone in [*everywhere, air] for card in zone)


def living(table_state: Json) -> list[str]:
    return [p for p, alive in table_state["alive"].items() if alive]


# -- the deck --------------------------------------------------------------------------------


def test_the_standard_deck() -> None:
    assert sum(DECK.values()) == 110
    # what the rulebook says of cards that it names
    assert table()["devil-poo"]["poo"] == table()["snake"]["poo"] == 3
    assert table()["devil-poo"]["aim"] == "others"
    assert table()["shimmy-shimmy-shake"]["gives"] == 1
    assert table()["block"]["redirect"] == "no-one"
    assert "no-one" not in (table()["dodge"]["redirect"], table()["buddys-face"]["redirect"])
    assert table()["slip"]["mishap"] == "turn-back"
    assert not any("banana" in card for card in DECK)


@pytest.mark.parametrize("players", COUNTS)
def test_the_start(players: int) -> None:
    state, _ = next(walk(players, 1))
    table_state = state.table()
    assert table_state["bananas"] == (2 if players >= 5 else 1)
    assert len(table_state["deck"]) == 110 - 5 * players
    assert all(len(hand) == 5 for hand in table_state["hand"].values())
    assert cards(table_state) == DECK


# -- random games ----------------------------------------------------------------------------


@pytest.mark.parametrize("players", COUNTS)
@pytest.mark.parametrize("seed", range(3))
def test_in_every_position(players: int, seed: int) -> None:
    plies = 0
    bananas = 2 if players >= 5 else 1
    removed: Counter[str] = Counter()
    for state, move in walk(players, seed):
        now = state.table()
        assert cards(now) == DECK
        # there are always enough cards for full hands: 40 of 110, and 13 can leave the game
        assert all(len(now["hand"][p]) == 5 for p in living(now))
        asked = state.step == "farewells"
        assert asked or all(not now["hand"][p] for p in now["hand"] if p not in living(now))
        assert all((now["poo"][p] < 15) == now["alive"][p] for p in now["alive"])
        assert 0 <= now["bananas"] <= bananas
        bananas = now["bananas"]
        gone: Counter[str] = Counter(now["removed"])
        assert gone >= removed
        assert all(table()[card]["type"] == "clean" for card in gone)
        removed = gone
        if move is None:
            winners = state.outcome()["winners"]  # type: ignore[index]
            assert winners == living(now)
            assert len(winners) < 2
        plies += 1
    assert plies < LONGEST


@pytest.mark.parametrize("rulings", READINGS, ids=lambda r: "-".join(r.values()) or "default")
@pytest.mark.parametrize("players", [2, 3, 5, 8])
def test_where_flung_poo_goes(players: int, rulings: Json) -> None:
    """Count each fling by hand: shares less those averted, and nothing for the flinger."""
    fling: Json = {}
    before: Json = {}
    averted, mishap, flings = 0, False, 0
    games = (walk(players, seed, rulings) for seed in range(3))
    for state, move in chain.from_iterable(games):
        now = state.table()
        if fling and state.step not in ANSWERS:
            flinger, card = fling["actor"], table()[fling["args"]["card"]]
            others = len(living(before)) - 1
            shares = {"one": 1, "neighbours": min(2, others), "others": others}[card["aim"]]
            gained = {p: now["poo"][p] - before["poo"][p] for p in before["poo"]}
            if not mishap and now["bananas"] == before["bananas"]:
                # a Golden Banana hides how much it was
                assert sum(gained.values()) == card["poo"] * (shares - averted) + card["cost"]
                assert gained[flinger] == card["cost"]
                flings += 1
            fling = {}
        if state.step in ANSWERS and len(living(now)) == 2:
            assert not [m for m in state.legal_json() if m["move"] == "redirect"]
        if move is None:
            continue
        if move["move"] == "fling":
            fling, before, averted, mishap = move, now, 0, False
        averted += move["move"] == "block"
        mishap = mishap or move["move"] == "mishap"
    assert flings > 10


def test_one_mishap_at_most_for_each_fling() -> None:
    count, most = 0, 0
    for seed in range(5):
        for _, move in walk(6, seed):
            if move is not None and move["move"] in ("fling", "mishap"):
                count = count + 1 if move["move"] == "mishap" else 0
                most = max(most, count)
    assert most == 1


@pytest.mark.slow
@pytest.mark.parametrize("players", COUNTS)
def test_games_end(players: int) -> None:
    game = Game(document(), players)
    for seed in range(GAMES):
        source, chance = random.Random(f"{players} {seed}"), Seeded(seed)
        state = game.initial_state(chance)
        for _ in range(LONGEST):
            if state.is_terminal:
                break
            state.apply_action(source.choice(state.legal_actions()), chance)
        assert state.is_terminal, seed
