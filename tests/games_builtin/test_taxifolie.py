"""Taxifolie: the board and the cards, laws that hold in every game, and how long games are."""

from __future__ import annotations

import copy
import random
from collections import Counter
from functools import cache, partial
from pathlib import Path
from typing import Any

import pytest
from games_builtin import playing
from games_builtin.playing import walk

from ludex.authoring.document import load_document
from ludex.authoring.spec_home import spec_home
from ludex.census import census
from ludex.engine import Game, Seeded
from ludex.errors import SpecErrors
from ludex.examples import Games, run_example

Json = dict[str, Any]
SETS = ("standard", "small", "fixture", "fixture-two-ways")
FIXTURE = spec_home() / "games" / "taxifolie" / "components" / "fixture.yaml"
#: Every reading that is not the default.
READINGS: list[dict[str, str]] = [
    {"avoided_icon": "illegal"}, {"wish_open_at_destination": "stop_unpaid"},
    {"forced_stop_on_chance": "no_draw"}, {"go_to": "detour"}, {"end_at_250": "at_once"},
    {"avoided_icon": "illegal", "wish_open_at_destination": "stop_unpaid", "go_to": "detour"},
]
#: The longest of 30,000 random games with the small set had 202 moves, the longest of 1,500 with
#: the fixture 594.
LONGEST = 1000


document = partial(playing.document, "taxifolie")
table = partial(playing.table, "taxifolie")


@cache
def game(components: str, players: int, **rulings: str) -> Game:
    return Game(document(components), players, rulings)


# -- the data --------------------------------------------------------------------------------


def copies(kind: str) -> int:
    return sum(row["copies"] for row in table(kind).values())


def test_the_standard_set_has_the_numbers_of_the_rulebook() -> None:
    assert (copies("Client"), copies("Chance"), copies("Fare")) == (70, 50, 100)
    notes = {row["euros"]: row["copies"] for row in table("Note").values()}
    assert notes == {50: 20, 20: 50, 40: 40, 10: 50, 30: 40}
    assert sum(notes.values()) == 200
    assert sum(euros * count for euros, count in notes.items()) == 5300


def test_the_standard_board_has_what_the_rulebook_names() -> None:
    spaces = table("Space")
    assert len(spaces) >= 120
    assert [s for s, row in spaces.items() if row["start"]] == ["depart"]
    special = {s for s, row in spaces.items() if row["terminal"]}
    assert special == {"orly-airport", "charles-de-gaulle-airport", "heliport", "impound-lot",
                       "disneyland-paris"}
    icons = Counter(i for row in spaces.values() for i in row["icons"])
    assert icons.keys() == {"bakery", "pharmacy", "garage", "cafe", "shopping", "park",
                            "nightclub", "chance", "monument"}
    assert min(icons.values()) >= 5


@pytest.mark.parametrize("components", SETS)
def test_boards_hang_together(components: str) -> None:
    spaces = table("Space", components)
    links = {(a, b) for a, row in spaces.items() for b in row["next"]}
    assert links == {(b, a) for a, b in links}
    reached, todo = set(), [s for s, row in spaces.items() if row["start"]]
    assert len(todo) == 1
    while todo:
        space = todo.pop()
        if space not in reached:
            reached.add(space)
            todo += spaces[space]["next"]
    assert reached == spaces.keys()
    assert all(row["terminal"] for row in spaces.values() if len(row["next"]) == 1)


@pytest.mark.parametrize("components", SETS)
def test_orders_of_every_sort_and_wishes_of_every_sort(components: str) -> None:
    orders = {row["order"] for row in table("Chance", components).values()}
    clients = list(table("Client", components).values())
    wishes = {w for row in clients for w in ("avoid", "pass", "stop", "via", "shuns") if row[w]}
    if components != "small":
        assert orders == {"pay", "receive", "collect", "miss", "again", "end-turn", "go-to",
                          "visit", "avoid", "lose-client"}
        assert wishes == {"avoid", "pass", "stop", "via", "shuns"}
    for row in table("Fare", components).values():
        assert row["colour"] == table("Space", components)[row["to"]]["district"]


NOTHING = "no way leads here from the space where taxis begin"
#: What is changed in the fixture, and what is said of which rows.
FAULTS = [
    ("a: {district: north, icons: [bakery], next: [depart, b]",
     "a: {district: north, icons: [bakery, bakery], next: [depart, b, e]", {
         "a: every way leads back as well: each neighbour has to name this space, too",
         "a: an icon stands on a space only once"}),
    ("next: [c], terminal: true", "next: [c]",
     {"orly: only the five named places may be dead ends"}),
    ("next: [b, e, orly]", "next: [b, e, orly, e]",
     {"c: a space is not next to itself, and next to another only once"}),
    ("x: 300, y: 0}",
     "x: 300, y: 0}\n"
     "      mars: {district: south, next: [moon], terminal: true, x: 300, y: 0}\n"
     "      moon: {district: south, next: [mars], terminal: true, x: 300, y: 0}",
     {f"mars: {NOTHING}", f"moon: {NOTHING}"}),
    ("to-c: {to: c, colour: north}", "to-c: {to: c, colour: south}",
     {"to-c: the colour of a fare is the district of its destination"}),
    ("euros: 20}\n      to-f", "euros: 25}\n      to-f",
     {"to-e-cheap: sums are multiples of 10"}),
    ("no-bakery: {avoid: [bakery]}", "no-bakery: {avoid: [bakery], stop: [bakery]}",
     {"no-bakery: nobody can pass an icon that is to be avoided, or that is not on the board"}),
    ("cafe: {pass: [cafe]}", "cafe: {pass: [garage]}",
     {"cafe: nobody can pass an icon that is to be avoided, or that is not on the board"}),
    ("by-f: {via: f}", "by-f: {via: f, shuns: [south]}",
     {"by-f: nobody can pass through a place that is to be avoided"}),
    ("default: {euros: 40, copies: 2}", "default: {euros: 40, copies: 0}",
     {"six players need six clients and six fares"}),
    ("fine: {order: pay, euros: 20}", "fine: {order: pay}",
     {"fine: an order about money names a sum, a multiple of 10, and no other does"}),
    ("flat-tyre: {order: miss, turns: 1}", "flat-tyre: {order: miss}",
     {"flat-tyre: an order to miss turns says how many, and no other does"}),
    ("letter: {order: visit, place: f}", "letter: {order: visit, place: f, icon: cafe}",
     {"letter: go-to needs a place, avoid an icon, visit one of both, and no other order has "
      "any"}),
    ("bread: {order: visit, icon: bakery}", "bread: {order: visit, icon: garage}",
     {"bread: this icon is not on the board"}),
    ("fifty: {euros: 50, copies: 20}", "fifty: {euros: 50, copies: 21}",
     {"there are 200 notes of 5,300 euros together"}),
]
NO_START = [
    ("start: true", "start: false",
     {"taxis begin on exactly one space", *(f"{s}: {NOTHING}" for s in (
         "depart", "a", "b", "c", "e", "f", "orly"))}),
]


@pytest.mark.parametrize("faults", [FAULTS, NO_START], ids=["many", "no-start"])
def test_an_unsound_set_is_refused_at_its_rows(
    faults: list[tuple[str, str, set[str]]], tmp_path: Path
) -> None:
    text = FIXTURE.read_text("utf-8").replace("set: fixture", "set: mine")
    for old, new, _ in faults:
        assert text.count(old) == 1, old
        text = text.replace(old, new)
    file = tmp_path / "mine.yaml"
    file.write_text(text, "utf-8")
    with pytest.raises(SpecErrors) as caught:
        load_document("taxifolie", file)
    assert {e.message for e in caught.value.errors} == set().union(*(f[2] for f in faults))
    for error in caught.value.errors:
        assert error.code == "spec.data-check"
        place = error.place
        assert place is not None
        # what is wrong with one row is said at that row, all else at the kind
        row, colon, _ = error.message.partition(": ")
        line = text.splitlines()[place.line - 1].strip()
        assert line.startswith(f"{row}:" if colon else ("Space:", "Client:", "Note:", "Fare:"))


def test_rules_name_no_place_and_no_card(tmp_path: Path) -> None:
    """With other names for spaces and cards the same games are played."""
    text = FIXTURE.read_text("utf-8").replace("set: fixture", "set: renamed")
    for old, new in (("depart", "home"), ("orly", "edge"), ("no-bakery:", "hermit:"),
                     ("lost-bag:", "first:"), ("to-e-cheap", "cheap")):
        assert old in text
        text = text.replace(old, new)
    file = tmp_path / "renamed.yaml"
    file.write_text(text, "utf-8")
    other = load_document("taxifolie", file)
    games = game("fixture", 3), Game(other, 3)
    for seed in range(3):
        one, two = (
            [[m and m["move"], s.table()["money"], s.outcome()] for s, m in walk(g, seed)]
            for g in games
        )
        assert one == two


# -- laws ------------------------------------------------------------------------------------


@pytest.mark.parametrize(("components", "players"), [
    ("small", 2), ("small", 6), ("fixture", 3), ("fixture-two-ways", 2),
])
def test_taxis_drive_what_was_rolled_and_never_turn_back(components: str, players: int) -> None:
    spaces = table("Space", components)
    played = game(components, players)
    turned = arrived = 0
    for seed in range(6):
        left, goal = 0, ""
        before: Json = {}
        for state, move in walk(played, seed):
            found = state.to_json()["state"]
            if before and before["pips"] == 1 and state.step != "drive":
                left = 0
            if left and state.step != "drive":
                # it stopped early, and that was its destination
                assert before["pips"] > 1
                assert goal
                left = 0
                arrived += 1
            before = {}
            if move is None:
                continue
            actor = move["actor"]
            if move["move"] == "drive":
                at, came = found["at"][actor], found["came"][actor]
                ways = [s for s in spaces[at]["next"] if s != came]
                if not ways:
                    assert spaces[at]["terminal"]
                    ways = spaces[at]["next"]
                    turned += 1
                assert sorted(ways) == sorted(m["args"]["to"] for m in state.legal_json())
                left = found["pips"]
                goal = move["args"]["to"] if move["args"]["to"] == found["fare"][actor] or (
                    table("Fare", components)[found["fare"][actor]]["to"] == move["args"]["to"]
                ) else ""
                before = found
    assert turned or components == "fixture-two-ways"
    assert arrived


@pytest.mark.parametrize(("components", "players"), [
    ("small", 2), ("small", 6), ("fixture", 2), ("standard", 6),
])
def test_nothing_is_lost_and_all_is_in_tens(components: str, players: int) -> None:
    total = None
    for state, _ in walk(game(components, players), players, 400):
        found = census(state)
        total = total or found
        assert found == total
        money = state.table()["money"]
        assert all(m >= 0 and m % 10 == 0 for m in money.values())
    for kind in ("Client", "Fare", "Chance"):
        assert total is not None
        assert sum(total[kind].values()) == sum(
            r["copies"] for r in table(kind, components).values())


def test_money_comes_from_fares_and_cards_only() -> None:
    """What a move changes in all the money is a fare, with or without 20 euros, or a card."""
    fares = {row["euros"] for row in table("Fare", "fixture").values()}
    given = {0, *fares, *(f + 20 for f in fares)}
    cards = {0, 30, *(-n for n in (10, 20))}
    legal = {f + c for f in given for c in cards} | {a + b for a in given for b in given}
    seen: Counter[int] = Counter()
    for seed in range(6):
        last: int | None = None
        for state, move in walk(game("fixture", 2), seed):
            money = sum(state.table()["money"].values())
            if last is not None:
                assert money - last in legal
                seen[money - last] += 1
            last = money if move is not None else None
    assert {0, 40, 60, 30, -20} <= seen.keys()


def test_the_winner_has_reached_the_goal_with_the_most_fares() -> None:
    ties = 0
    for seed in range(60):
        *_, (state, _) = walk(game("small", 4), seed)
        found = state.to_json()["state"]
        (winner,) = state.outcome()["winners"]  # type: ignore[index]
        assert winner in found["reached"]
        most = max(found["completed"][p] for p in found["reached"])
        assert found["completed"][winner] == most
        equal = [p for p in found["reached"] if found["completed"][p] == most]
        assert winner == equal[0]
        ties += len(found["reached"]) > 1
    assert ties > 5


def test_all_have_had_as_many_turns() -> None:
    """A turn begins with a roll that follows no roll of the same turn, or is missed."""
    for seed in range(40):
        turns: Counter[str] = Counter()
        missed: Counter[str] = Counter()
        last: Json = {}
        for state, move in walk(game("small", 3), seed):
            found = state.to_json()["state"]
            for player, count in found["misses"].items():
                missed[player] += max(0, last.get("misses", {}).get(player, 0) - count)
            if move is not None and move["move"] == "roll" and (
                not last or (last["turn"], last["to_play"]) != (found["turn"], found["to_play"])
            ):
                turns[found["turn"]] += 1
            if move is None or move["move"] == "roll":
                last = found
            elif last:
                last = {**last, "misses": found["misses"]}
        if not any(missed.values()):
            assert len(set(turns.values())) == 1


# -- examples --------------------------------------------------------------------------------


def test_examples_can_fail() -> None:
    """Everything that an example lists or refuses is compared with something."""
    games = Games(document)
    changed = 0
    for example in document()["text"]["examples"]:
        for index, step in enumerate(example["steps"]):
            wrong: Json = copy.deepcopy(example)
            if "lines" in step:
                wrong["steps"][index]["lines"]["all"].pop()
            elif "refuse" in step:
                wrong["steps"][index]["refuse"]["rule"] = "1.1"
            elif step.get("legal"):
                wrong["steps"][index]["legal"].pop()
            elif step.get("outcome"):
                wrong["steps"][index]["outcome"]["winners"] = []
            else:
                continue
            changed += 1
            assert run_example(wrong, games), f"{example['id']}, step {index}"
    assert changed >= 45


def test_a_line_too_many_is_found() -> None:
    example = next(e for e in document()["text"]["examples"] if e["id"] == "ways-from-the-start")
    wrong: Json = copy.deepcopy(example)
    index = next(i for i, s in enumerate(wrong["steps"]) if "lines" in s)
    # back to the start
    wrong["steps"][index]["lines"]["all"].append(["a", "b", "a"])
    (failure,) = run_example(wrong, Games(document))
    assert (failure.step, failure.expected, failure.found) == (index, [["a", "b", "a"]], [])


# -- many games ------------------------------------------------------------------------------


@pytest.mark.parametrize("players", [2, 3, 4, 5, 6])
def test_hundreds_of_games_end(players: int) -> None:
    """Random games with the small set end by themselves.

    Lengths of 6,000 each, in moves (shortest, average, longest): two players (9, 43, 132), three
    (14, 54, 147), four (15, 64, 178), five (21, 74, 176), six (24, 78, 202). With the standard
    set, of 25 each: two (1343, 4674, 9816), four (1771, 6574, 12110), six (3270, 7700, 11855).
    """
    played = game("small", players)
    for seed in range(250):
        chance, source = Seeded(seed), random.Random(seed)
        state, moves = played.initial_state(chance), 0
        while not state.is_terminal:
            state.apply_action(source.choice(state.legal_actions()), chance)
            moves += 1
            assert moves <= LONGEST // 2
        assert state.ending()["rule"] == "8.2"  # type: ignore[index]


@pytest.mark.parametrize(("components", "rulings"), [
    *(("small", r) for r in READINGS), ("fixture", READINGS[0]), ("fixture", READINGS[-1]),
])
def test_games_end_under_every_reading(components: str, rulings: dict[str, str]) -> None:
    played = game(components, 4, **rulings)
    for seed in range(30):
        for moves, _ in enumerate(walk(played, seed)):
            assert moves <= LONGEST
