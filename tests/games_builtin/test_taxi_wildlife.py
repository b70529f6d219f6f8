"""Taxi Wildlife: laws that hold in every game, the example data, and how long games are."""

from __future__ import annotations

import copy
import random
from collections import Counter
from functools import cache, partial
from itertools import pairwise, permutations
from typing import Any

import pytest
from games_builtin import playing
from games_builtin.playing import walk

from ludex.engine import Game, Seeded, Tape
from ludex.examples import Games, run_example, state_of

Json = dict[str, Any]
VARIANT = {"two_player_variant": True}
#: Players, options and readings.
SETTINGS: list[tuple[int, Json, Json]] = [
    (2, {}, {}), (3, {}, {}), (4, {}, {}), (2, VARIANT, {}),
    (3, {}, {"misfit": "second_try"}), (2, {}, {"start_way": "either_way"}),
    (2, VARIANT, {"no_card_fits": "new_cards"}), (2, VARIANT, {"seven_cards": "first_to_seven"}),
    (4, {}, {"pile_end": "face_down_part"}),
]
#: The longest of 2,000 random games of the variant, which has no limit, had 624 moves.
LONGEST = 1500


document = partial(playing.document, "taxi-wildlife")
table = partial(playing.table, "taxi-wildlife")


@cache
def game(players: int, variant: bool = False, **rulings: str) -> Game:
    return Game(document(), players, rulings, VARIANT if variant else {})


def setting(number: int) -> Game:
    players, options, rulings = SETTINGS[number]
    return game(players, bool(options), **rulings)


def length(found: Json, player: str) -> int:
    return sum(map(len, found["arm"][player].values()))


# -- the data --------------------------------------------------------------------------------


def test_the_standard_cards() -> None:
    cards = table("Route")
    assert len(cards) == 48
    assert Counter(c["pile"] for c in cards.values()) == {"one": 16, "two": 16, "three": 16}
    assert set(Counter(c["stop"] for c in cards.values()).values()) == {8}
    assert {c["left"] for c in cards.values()} == {c["right"] for c in cards.values()} == {1, 2}
    # both ways of printing, so that no program can take one for granted
    assert {(c["left"], c["right"]) for c in cards.values()} == {(1, 1), (1, 2), (2, 1), (2, 2)}
    assert len(table("Animal")) == 6
    assert all((c["left"], c["right"]) == (1, 2) for c in table("Start").values())
    duels = {(c["challenger"], c["opponent"]) for c in table("Duel").values()}
    assert duels == set(permutations(table("Start"), 2))


def test_the_cards_of_the_rulebooks_example() -> None:
    cards = table("Route", "fixture")
    penguin, kangaroo, snake = (cards[c] for c in (
        "one-penguin-12", "two-kangaroo-22", "three-snake-22"))
    assert (penguin["left"], penguin["right"], penguin["print"]) == (1, 2, "outline")
    assert (kangaroo["left"], kangaroo["right"], kangaroo["print"]) == (2, 2, "outline")
    assert (snake["left"], snake["right"], snake["print"]) == (2, 2, "animal")


# -- laws ------------------------------------------------------------------------------------


def lay_out(found: Json, player: str, *, either_way: bool) -> None:
    """Lay a route out by hand, and check that no path is cut off and that it ends as it says.

    From the start card outward, a card lies so that its inner edge continues the path before it.
    """
    cards = table("Route")
    ways = []
    for base in ((1, 2), (2, 1)) if either_way else ((1, 2),):
        line = [base]
        for side in ("right", "left"):
            end = base[1] if side == "right" else base[0]
            for member in reversed(found["arm"][player][side]):
                edges = cards[member]["left"], cards[member]["right"]
                inner, outer = edges if edges[0] == end else edges[::-1]
                if inner != end:
                    break
                line.insert(*((len(line), (inner, outer)) if side == "right"
                              else (0, (outer, inner))))
                end = outer
        if len(line) == length(found, player) + 1:
            ways.append(line)
    ends = found["ends"][player]
    assert (ends["left"], ends["right"]) in [(way[0][0], way[-1][1]) for way in ways]


@pytest.mark.parametrize("number", range(len(SETTINGS)))
def test_routes_are_whole_and_their_ends_obey_the_parity_law(number: int) -> None:
    """The ends differ exactly when the route has an even number of cards with unequal edges."""
    cards = table("Route")
    seen: Counter[tuple[bool, bool]] = Counter()
    for seed in range(8):
        for state, _ in walk(setting(number), seed):
            found = state.table()
            for player in state.game.player_ids:
                lay_out(found, player, either_way="start_way" in SETTINGS[number][2])
                route = [c for arm in found["arm"][player].values() for c in arm]
                mixed = sum(cards[c]["left"] != cards[c]["right"] for c in route)
                left, right = found["ends"][player].values()
                assert (left != right) == (mixed % 2 == 0)
                seen[left != right, bool(mixed)] += 1
    # the law was tested with routes of all sorts
    assert seen[True, True]
    assert seen[False, True]
    assert not seen[False, False]


@pytest.mark.parametrize("number", range(len(SETTINGS)))
def test_nothing_is_lost(number: int) -> None:
    """Four figures of each kind, every card once, and three cards face up in every duel."""
    cards = table("Route")
    for seed in range(3):
        for state, _ in walk(setting(number), seed):
            found = state.table()
            figures: Counter[str] = Counter()
            for zone in (found["pouch"], found["kept"]):
                for held in zone.values():
                    figures.update(held)
            figures.update(a for a in found["held"].values() if a)
            assert figures == dict.fromkeys(table("Animal"), 4)
            lying = [c for c in found["shown"].values() if c]
            routes = [c for p in found["arm"].values() for arm in p.values() for c in arm]
            hidden = [c for pile in found["pile"].values() for c in pile]
            assert Counter([*lying, *routes, *hidden]) == dict.fromkeys(cards, 1)
            if state.step in ("choose", "race", "second_try", "attach"):
                assert len(lying) == 3
            for player, kept in found["kept"].items():
                # a figure stands on each card that shows its animal, and on no other
                assert kept == sorted(
                    cards[c]["stop"] for arm in found["arm"][player].values() for c in arm
                    if cards[c]["print"] == "animal")


@pytest.mark.parametrize("number", range(len(SETTINGS)))
def test_a_duel_moves_what_a_duel_may_move(number: int) -> None:
    """Between two duels at most one card changes hands, and only duelists act."""
    for seed in range(3):
        before: Json | None = None
        for state, move in walk(setting(number), seed):
            found = state.table()
            if state.step == "choose" or state.is_terminal:
                # pouches are back, except for figures that stand on a card
                assert not any(found["held"].values())
                assert not any(found["has"].values())
                if before is not None:
                    gains = [length(found, p) - length(before, p) for p in state.game.player_ids]
                    assert sorted(gains)[:-1] == [0] * (len(gains) - 1)
                    assert max(gains) in (0, 1)
                before = found
            elif move is not None:
                duelists = [p for p, pouch in found["has"].items() if pouch]
                assert len(duelists) == 2
                assert move["actor"] in duelists


@pytest.mark.parametrize("players", [2, 3, 4])
def test_every_duel_card_is_fought_over_once_a_round(players: int) -> None:
    duels: list[str] = []
    last = None
    for state, move in walk(game(players), 11):
        last = state.table()
        if move is not None and move["move"] == "choose_pouch":
            duels.append(last["duel"])
            assert last["round"] == (len(duels) - 1) // (players * (players - 1)) + 1
    assert last is not None
    taken = set(last["start"].values())
    wanted = sorted(f"{a}-{b}" for a, b in permutations(taken, 2))
    size = len(wanted)
    rounds = [sorted(duels[i:i + size]) for i in range(0, len(duels), size)]
    # nobody empties a pile of sixteen at random, so there are all four rounds
    assert rounds == [wanted] * 4
    assert len(duels) == {2: 8, 3: 24, 4: 48}[players]


def test_the_challenge_passes_on_in_the_variant() -> None:
    challengers = [m["actor"] for _, m in walk(game(2, True), 5)
                   if m is not None and m["move"] == "choose_pouch"]
    assert len(challengers) > 10
    assert all(a != b for a, b in pairwise(challengers))


@pytest.mark.parametrize("number", range(len(SETTINGS)))
def test_the_outcome_is_an_independent_count(number: int) -> None:
    for seed in range(6):
        *_, (last, _) = walk(setting(number), seed)
        found, ending = last.table(), last.ending()
        assert ending is not None
        points = {p: length(found, p) + len(found["kept"][p]) for p in last.game.player_ids}
        winners = [p for p in points if points[p] == max(points.values())]
        if ending["rule"] == "9.4" and SETTINGS[number][2].get("seven_cards") == "first_to_seven":
            winners = [p for p in points if length(found, p) == 7]
            assert len(winners) == 1
        assert last.outcome() == {"winners": winners, "returns": points}
        assert max(length(found, p) for p in points) <= (7 if number in (3, 6, 7) else 48)


# -- examples --------------------------------------------------------------------------------


def test_the_rest_goes_where_its_column_says() -> None:
    """Of a zone for each pile, every card of the rest lies in its own."""
    example = next(e for e in document()["text"]["examples"] if e["id"] == "points-and-ties")
    found = state_of(game(3), example["given"]).table()
    for pile, cards in found["pile"].items():
        assert cards
        assert all(table("Route")[c]["pile"] == pile for c in cards)


def test_examples_can_fail() -> None:
    """Every state and outcome that an example expects is compared with something."""
    games = Games(document)
    changed = 0
    for example in document()["text"]["examples"]:
        if len(example["steps"]) > 40:
            continue  # it would be played again for each step
        for index, step in enumerate(example["steps"]):
            wrong: Json = copy.deepcopy(example)
            if "actors" in step:
                wrong["steps"][index]["actors"] = [] if step["actors"] else ["p1"]
            elif step.get("outcome"):
                wrong["steps"][index]["outcome"]["returns"]["p1"] += 1
            elif "refuse" in step:
                wrong["steps"][index]["refuse"]["rule"] = "1.1"
            elif "legal" in step:
                wrong["steps"][index]["legal"].pop()
            else:
                continue
            changed += 1
            assert run_example(wrong, games), f"{example['id']}, step {index}"
    assert changed >= 90


def test_examples_for_any_program_reach_every_end() -> None:
    """Examples from the setup, with the standard set, end in every way, under each reading."""
    reached = set()
    for example in document()["text"]["examples"]:
        if "setup" not in example or "components" in example:
            continue
        played = game(example["players"], "options" in example, **example.get("rulings", {}))
        state = played.initial_state(Tape(example["setup"]))
        for step in example["steps"]:
            if "play" in step:
                move = {k: step["play"][k] for k in ("actor", "move", "args")}
                state.play(move, step["play"].get("chance", []))
        ending = state.ending()
        if ending is not None:
            reached.add((ending["rule"], *example.get("rulings", {}).values()))
    assert reached == {
        ("8.1",), ("8.2",), ("8.2", "face_down_part"), ("9.4",), ("9.4", "first_to_seven"),
        ("9.5",)}


# -- how long a game can be ------------------------------------------------------------------


def test_a_bound_without_the_variant_only() -> None:
    # four rounds of n (n - 1) duels, seven moves each
    assert [game(players).plies for players in (2, 3)] == [56, 168]
    assert [game(players, True).plies for players in (2, 3)] == [None, 168]


def test_seven_moves_in_a_duel() -> None:
    """The pouch, giving up, a drawn figure, a mistake, another figure, a call, a card."""
    example = next(e for e in document()["text"]["examples"] if e["id"] == "gave-up-but-may-try")
    state = game(2).initial_state(Tape([
        *(step for step in example["setup"] if step["to"] in ("start.p1", "start.p2")),
        {"draw": "one-penguin-12", "from": "pile.one", "to": "shown.one"},
        {"draw": "two-kangaroo-22", "from": "pile.two", "to": "shown.two"},
        {"draw": "three-snake-22", "from": "pile.three", "to": "shown.three"},
        {"draw": "red-blue", "from": "duel_deck", "to": "duel"}]))
    moves = [*(s["play"] for s in example["steps"] if "play" in s),
             {"actor": "p1", "move": "attach", "args": {"side": "left", "way": "turned"}}]
    assert len(moves) == 7
    for move in moves[:-1]:
        state.play(move, [])
    state.play(moves[-1], [
        {"draw": "one-snake-12", "from": "pile.one", "to": "shown.one"},
        {"draw": "blue-red", "from": "duel_deck", "to": "duel"}])
    assert state.step == "choose"


def test_new_cards_only_while_one_could_be_won() -> None:
    """The exchange is not made for ever: without a card to win in the piles the game is over."""
    played = Game(document("fixture"), 2, {"no_card_fits": "new_cards"}, VARIANT)
    stuck = 0
    for seed in range(60):
        *_, (last, _) = walk(played, seed)
        ending = last.ending()
        assert ending is not None
        if ending["rule"] == "9.5":
            stuck += 1
            cards, found = table("Route", "fixture"), last.table()
            figures = {a for held in found["pouch"].values() for a in held}
            for pile in [*found["pile"].values(), [c for c in found["shown"].values() if c]]:
                for card in pile:
                    edges = {cards[card]["left"], cards[card]["right"]}
                    fits = any(edges & set(ends.values()) for ends in found["ends"].values())
                    assert not fits or cards[card]["stop"] not in figures
    assert stuck


# -- many games ------------------------------------------------------------------------------


@pytest.mark.slow
@pytest.mark.parametrize(("players", "variant"), [(2, False), (3, False), (4, False), (2, True)])
def test_thousands_of_games_end(players: int, variant: bool) -> None:
    """Random games are not longer than said, and end as the rules say.

    Lengths of 2,000 random games each, in moves (shortest, average, longest): two players
    (33, 41, 47), three (111, 123, 134), four (230, 246, 261), the variant (21, 232, 624).
    """
    played = game(players, variant)
    lengths, endings = [], Counter[str]()
    for seed in range(1500):
        chance, source = Seeded(seed), random.Random(seed)
        state, moves = played.initial_state(chance), 0
        while not state.is_terminal:
            state.apply_action(source.choice(state.legal_actions()), chance)
            moves += 1
            assert moves <= (LONGEST if variant else 28 * players * (players - 1))
        ending = state.ending()
        assert ending is not None
        endings[ending["rule"]] += 1
        lengths.append(moves)
    if variant:
        # most games come to seven cards; where no card can be won any more, they stop before
        assert set(endings) == {"9.4", "9.5"}
        assert endings["9.5"] > 20
    else:
        assert endings == {"8.1": 1500}
        # a duel has at least three moves: the pouch, and two players who give up
        assert min(lengths) >= 12 * players * (players - 1)
