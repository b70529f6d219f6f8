"""Views of the record, and information states: who knows what after what has happened."""

from __future__ import annotations

import itertools
import json
import random
from pathlib import Path
from typing import Any

import pytest
from engine.games import poodle
from engine.test_decks import BODY as DECKS
from engine.test_decks import CARDS
from engine.tiny import move, tiny
from hypothesis import given, settings
from hypothesis import strategies as st

from ludex.engine import Game, Seeded, Tape
from ludex.engine.history import Hidden, History

Json = dict[str, Any]

BODY = """
types:
  Card: {}
state:
  deck: {type: deck(Card), visible_to: nobody, RULE}
  hand: {type: bag(Card), per: player, visible_to: owner, RULE}
  market: {type: bag(Card), visible_to: everyone, RULE}
  vault: {type: bag(Card), visible_to: nobody, RULE}
  bid: {type: optional(int), per: player, visible_to: owner, RULE}
  shown: {type: optional(int), per: player, visible_to: everyone, RULE}
  last: {type: int, visible_to: nobody, RULE}
  over: {type: bool, visible_to: everyone, RULE}
setup:
  - {fill: {zone: deck, count: "3"}, RULE}
  - each: p in players
    RULE
    do: [{draw: {from: deck, to: "hand[p]"}}]
flow:
  start: play
  steps:
    play:
      RULE
      actors: "players.filter(p, bid[p] == null)"
      moves: [bid, whisper, mumble, throw, peek, buy, hide, steal, deal]
      none: lift
    lift:
      RULE
      do:
        - each: p in players
          do: [{set: {"shown[p]": "bid[p]", "bid[p]": "null"}}]
        - {goto: play}
moves:
  bid:
    title: Bid in secret
    RULE
    params: {amount: {in: "range(3)", visible_to: actor, RULE}}
    do: [{set: {"bid[actor]": amount}}]
  whisper:
    title: Tell somebody a number
    RULE
    params:
      to: {in: "opponents(actor)", RULE}
      word: {in: "range(3)", visible_to: to, RULE}
    do: [{set: {last: word}}]
  mumble:
    title: Say something that nobody understands
    RULE
    params: {word: {in: "range(3)", visible_to: nobody, RULE}}
    do: [{set: {last: word}}]
  throw:
    title: Throw a die under somebody's cup
    RULE
    params: {to: {in: players, RULE}}
    do:
      - {roll: {sides: "6", as: die, visible_to: to}}
      - {set: {last: "die[0]"}}
  peek:
    title: Let chance name a player, whom nobody learns
    RULE
    do:
      - {pick: {from: players, as: chosen, visible_to: nobody}}
      - {set: {last: "seats_from(chosen).count(p, true)"}}
  deal:
    title: Deal a card to the market
    RULE
    do: [{draw: {from: deck, to: market}}]
  buy:
    title: Take a card of the market by chance
    RULE
    do: [{draw: {from: market, to: "hand[actor]"}}]
  hide:
    title: Put a card aside, unseen
    RULE
    do: [{draw: {from: deck, to: vault}}]
  steal:
    title: Draw a card from a hand
    RULE
    params: {of: {in: "opponents(actor)", RULE}}
    do: [{draw: {from: "hand[of]", to: "hand[actor]"}}]
end:
  - {when: over, winners: players, RULE}
"""
HANDS = [{"draw": c, "from": "deck", "to": f"hand.p{i + 1}"} for i, c in enumerate("abc")]


@pytest.fixture(scope="module")
def game(tmp_path_factory: pytest.TempPathFactory) -> Game:
    folder = tmp_path_factory.mktemp("history") / "game"
    return Game(tiny(folder, BODY, cards=CARDS, players=(3, 3)))


def told(game: Game, *moves: tuple[Json, list[Json]], hands: list[Json] = HANDS) -> History:
    """Return what happened: each move with its tape."""
    tape = [*hands, *(outcome for _, outcomes in moves for outcome in outcomes)]
    # what comes first must be asked for first: the record is in order
    history = History(game, InOrder(tape))
    for words, _ in moves:
        action = game.action_from_json(words)
        assert history.state.broken(action) == []
        history.apply_action(action)
    return history


class InOrder:
    """A tape of a whole game, one outcome after the other."""

    def __init__(self, tape: list[Json]) -> None:
        self.tape = list(tape)

    def answer(self, kind: str, site: Any, keys: tuple[int, ...]) -> Any:
        outcome = self.tape.pop(0)
        assert {k: v for k, v in outcome.items() if k != kind} == site.about(keys)
        return site.encode(outcome[kind])

    def draw(self, items: Any, site: Any, keys: tuple[int, ...]) -> Any:
        return self.answer("draw", site, keys)

    def pick(self, items: Any, site: Any, keys: tuple[int, ...]) -> Any:
        return self.answer("pick", site, keys)

    def roll(self, count: int, sides: int, site: Any, keys: tuple[int, ...]) -> Any:
        return self.answer("roll", site, keys)


def seen(history: History, what: str) -> list[Any]:
    """Return how each player saw the first outcome of the last move."""
    return [history.view(p)[-1]["chance"][0][what] for p in history.game.player_ids]


def heard(history: History, arg: str) -> list[Any]:
    """Return how each player heard an argument of the last move."""
    return [history.view(p)[-1]["args"][arg] for p in history.game.player_ids]


def test_the_deal_is_seen_by_those_who_get_the_cards(game: Game) -> None:
    history = told(game)
    assert history.setup == HANDS
    for index, player in enumerate(game.player_ids):
        (entry,) = history.view(player)
        assert entry["chance"] == [
            o if i == index else {**o, "draw": Hidden} for i, o in enumerate(HANDS)
        ]
        assert entry["actors"] == ["p1", "p2", "p3"]


def draw(card: str, source: str, to: str) -> Json:
    return {"draw": card, "from": source, "to": to}


@pytest.mark.parametrize(
    ("before", "words", "outcome", "eyes"),
    [
        # to where all see it
        ([], move("p2", "deal"), draw("a", "deck", "market"), ["a", "a", "a"]),
        # from where all see it
        ([(move("p2", "deal"), [draw("a", "deck", "market")])],
         move("p1", "buy"), draw("a", "market", "hand.p1"), ["a", "a", "a"]),
        # from where nobody sees it to where nobody sees it
        ([], move("p3", "hide"), draw("a", "deck", "vault"), [Hidden, Hidden, Hidden]),
        # from one hand to another
        ([], move("p1", "steal", of="p3"), draw("c", "hand.p3", "hand.p1"), ["c", Hidden, "c"]),
    ],
)
def test_a_draw_is_seen_where_it_comes_from_and_where_it_goes(
    game: Game, before: Any, words: Json, outcome: Json, eyes: list[Any]
) -> None:
    history = told(game, *before, (words, [outcome]))
    assert seen(history, "draw") == eyes
    assert history.moves[-1] == {**words, "chance": [outcome]}


def test_dice_under_a_cup(game: Game) -> None:
    history = told(game, (move("p1", "throw", to="p3"), [{"roll": [4]}]))
    assert seen(history, "roll") == [Hidden, Hidden, [4]]
    # the actor has thrown, but not looked
    assert heard(history, "to") == ["p3", "p3", "p3"]


def test_a_pick_that_nobody_learns(game: Game) -> None:
    history = told(game, (move("p1", "peek"), [{"pick": "p2", "of": "chosen"}]))
    assert seen(history, "pick") == [Hidden] * 3
    assert [history.view(p)[-1]["chance"][0]["of"] for p in game.player_ids] == ["chosen"] * 3


def test_arguments_are_heard_by_those_they_are_for(game: Game) -> None:
    history = told(game, (move("p2", "whisper", to="p1", word=2), []))
    assert heard(history, "word") == [2, 2, Hidden]
    assert heard(history, "to") == ["p1", "p1", "p1"]
    history = told(game, (move("p2", "mumble", word=2), []))
    # whoever says it knows it
    assert heard(history, "word") == [Hidden, 2, Hidden]


def known(history: History, player: str) -> str:
    return json.dumps(history.information_state(player), sort_keys=True)


def test_secret_bids_until_the_cups_are_lifted(game: Game) -> None:
    """Three players bid 0, 1 or 2 each; every way is compared with every other."""
    ways = list(itertools.product(range(3), repeat=3))
    bids = {
        way: [(move(f"p{i + 1}", "bid", amount=amount), []) for i, amount in enumerate(way)]
        for way in ways
    }
    for done in range(4):
        histories = {way: told(game, *moves[:done]) for way, moves in bids.items()}
        for one, two in itertools.combinations(ways, 2):
            for seat, player in enumerate(game.player_ids):
                same = known(histories[one], player) == known(histories[two], player)
                if done == 3:
                    # they are open now, to everybody
                    assert not same
                else:
                    # only the own bid is known, once it is made
                    assert same == (seat >= done or one[seat] == two[seat])
    open_ = told(game, *bids[(0, 1, 2)])
    assert open_.view("p1")[-1]["args"] == {"amount": Hidden}
    assert open_.view("p1")[-1]["seen"] == {
        "bid": {"p1": None, "p2": {"hidden": True}, "p3": {"hidden": True}},
        "shown": {"p1": 0, "p2": 1, "p3": 2},
    }


def test_who_may_act_is_known(game: Game) -> None:
    history = told(game, (move("p2", "bid", amount=0), []))
    assert [e["actors"] for e in history.view("p3")] == [["p1", "p2", "p3"], ["p1", "p3"]]
    # nobody else learns more from it
    assert history.view("p1")[-1]["seen"] == {}


def test_hidden_things_make_no_difference(game: Game) -> None:
    """Two histories that differ only in what a player cannot see are one to that player."""
    pairs: list[tuple[list[tuple[Json, list[Json]]], list[tuple[Json, list[Json]]], set[str]]] = [
        ([(move("p3", "hide"), [draw("a", "deck", "vault")])],
         [(move("p3", "hide"), [draw("b", "deck", "vault")])], set()),
        ([(move("p1", "throw", to="p3"), [{"roll": [4]}])],
         [(move("p1", "throw", to="p3"), [{"roll": [5]}])], {"p3"}),
        ([(move("p1", "throw", to="p3"), [{"roll": [4]}])],
         [(move("p1", "throw", to="p2"), [{"roll": [4]}])], {"p1", "p2", "p3"}),
        ([(move("p2", "whisper", to="p1", word=0), [])],
         [(move("p2", "whisper", to="p1", word=1), [])], {"p1", "p2"}),
        ([(move("p2", "mumble", word=0), [])], [(move("p2", "mumble", word=1), [])], {"p2"}),
        ([(move("p2", "deal"), [draw("a", "deck", "market")])],
         [(move("p2", "deal"), [draw("b", "deck", "market")])], {"p1", "p2", "p3"}),
    ]
    for one, two, who in pairs:
        first, second = told(game, *one), told(game, *two)
        for player in game.player_ids:
            differs = known(first, player) != known(second, player)
            assert differs == (player in who), (one, two, player)


def test_the_order_of_the_record_is_known(game: Game) -> None:
    one = told(game, (move("p1", "bid", amount=0), []), (move("p2", "bid", amount=0), []))
    two = told(game, (move("p2", "bid", amount=0), []), (move("p1", "bid", amount=0), []))
    # the same position, but it came about in another way
    assert one.state == two.state
    assert all(known(one, p) != known(two, p) for p in game.player_ids)


def test_what_was_seen_once_is_not_forgotten(game: Game) -> None:
    deal = [(move("p1", "deal"), [draw(c, "deck", "market")]) for c in "ad"]
    buy = [(move("p2", "buy"), [draw(c, "market", "hand.p2")]) for c in "ad"]
    one = told(game, deal[0], buy[0], deal[1], buy[1])
    two = told(game, deal[1], buy[1], deal[0], buy[0])
    assert one.state == two.state
    assert one.state.observation("p3") == two.state.observation("p3")
    assert known(one, "p3") != known(two, "p3")


def test_a_card_of_a_known_place_is_seen_when_it_is_drawn(tmp_path: Path) -> None:
    """Nothing is on the tape then; whoever draws it sees it all the same."""
    body = DECKS.replace('actors: "[players[0]]"', "actors: players")
    decks = Game(tiny(tmp_path / "game", body, cards=CARDS))

    def history(card: str) -> History:
        found = History(decks, Tape([]))
        for words, tape in (
            (move("p1", "search", card="a"), []),
            (move("p1", "search", card="b"), []),
            (move("p1", "on_top", card=card), []),
            (move("p2", "draw"), []),
        ):
            found._chance.source = Tape(tape)
            found.apply_action(decks.action_from_json(words))
        return found

    one, two = history("a"), history("b")
    assert one.moves[-1]["chance"] == []
    assert one.view("p2")[-2]["args"] == {"card": Hidden}
    assert one.view("p2")[-1]["seen"]["hand"] == {"p1": {"count": 1}, "p2": ["a"]}
    assert known(one, "p1") != known(two, "p1")
    assert known(one, "p2") != known(two, "p2")
    # before the draw p2 did not know which it was
    for player, differs in (("p1", True), ("p2", False)):
        before = [json.dumps(h.view(player)[:-1]) for h in (one, two)]
        assert (before[0] != before[1]) == differs


def test_a_child_is_the_history_that_goes_on(game: Game) -> None:
    source = random.Random(2)
    for seed in range(20):
        history = History(game, Seeded(seed))
        for _ in range(6):
            before = [known(history, p) for p in game.player_ids]
            action = source.choice(history.state.legal_actions())
            child = history.child(action, Seeded(seed))
            assert [known(history, p) for p in game.player_ids] == before
            assert len(child.moves) == len(history.moves) + 1
            # the record alone gives the same history again
            again = History(game, InOrder([
                *child.setup, *(o for m in child.moves for o in m["chance"])
            ]))
            for words in child.moves:
                again.apply_action(game.action_from_json(words))
            assert [known(again, p) for p in game.player_ids] == [
                known(child, p) for p in game.player_ids
            ]
            assert again.state == child.state
            history = child


@given(st.sampled_from([2, 3, 4]), st.integers(0, 10**6), st.sampled_from(["seen", "hidden"]))
@settings(deadline=None)
def test_a_view_of_poodle_taxi(players: int, seed: int, flea_count: str) -> None:
    taxi = poodle(players, flea_count=flea_count)
    source = random.Random(seed)
    history = History(taxi, Seeded(seed))
    observed = {p: [history.state.observation(p)] for p in taxi.player_ids}
    for _ in range(6):
        history.apply_action(source.choice(history.state.legal_actions()))
        for player in taxi.player_ids:
            observed[player].append(history.state.observation(player))
    for player in taxi.player_ids:
        view = history.view(player)
        # the observations follow from the first one and the view
        now = dict(history.information_state(player)["first"])
        for entry, wanted in zip(view[1:], observed[player][1:], strict=True):
            now |= entry["seen"]
            assert now == wanted
        for entry, words in zip(view[1:], history.moves, strict=True):
            assert entry["args"] == words["args"]
            own = words["actor"] == player
            assert [o["draw"] for o in entry["chance"]] == [
                o["draw"] if own else Hidden for o in words["chance"]
            ]
        # who begins is no secret
        assert view[0]["chance"][-1] == history.setup[-1]
