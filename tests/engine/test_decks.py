"""Decks: what is shuffled, what lies where, and what chance has to say about it."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest
from engine.tiny import move, tiny, with_state

from ludex.engine import Game, Recorder, Seeded, State, Tape
from ludex.engine.enumerate import initial_branches, move_branches
from ludex.errors import SpecError, TapeLeftOver, TapeTooShort

CARDS = '{a: {}, b: {}, c: {}, d: {}}'
BODY = """
types: {Card: {}}
state:
  deck: {type: deck(Card), visible_to: nobody, RULE}
  hand: {type: bag(Card), per: player, visible_to: owner, RULE}
  heap: {type: stack(Card), visible_to: everyone, RULE}
  over: {type: bool, visible_to: everyone, RULE}
setup:
  - {fill: {zone: deck}, RULE}
flow:
  start: play
  steps:
    play:
      RULE
      actors: "[players[0]]"
      moves: [draw, draw_some, on_top, under, into, forget, throw, search, gather, peel]
moves:
  draw:
    title: Draw a card
    RULE
    do: [{draw: {from: deck, to: "hand[actor]", when_empty: "recycle()"}}]
  draw_some:
    title: Draw some cards
    RULE
    params: {count: {in: "range(5)", RULE}}
    do: [{draw: {from: deck, to: "hand[actor]", count: "count", when_empty: "recycle()"}}]
  peel:
    title: Draw a card, but only from the deck
    RULE
    do: [{draw: {from: deck, to: "hand[actor]"}}]
  on_top:
    title: Put a card on top
    RULE
    params: {card: {in: "hand[actor]", visible_to: actor, RULE}}
    do: [{move: {card: card, from: "hand[actor]", to: deck, at: top}}]
  under:
    title: Put a card at the bottom
    RULE
    params: {card: {in: "hand[actor]", visible_to: actor, RULE}}
    do: [{move: {card: card, from: "hand[actor]", to: deck, at: bottom}}]
  into:
    title: Shuffle a card in
    RULE
    params: {card: {in: "hand[actor]", RULE}}
    do: [{move: {card: card, from: "hand[actor]", to: deck}}]
  forget:
    title: Shuffle
    RULE
    do: [{shuffle: {into: deck}}]
  throw:
    title: Throw a card away
    RULE
    params: {card: {in: "hand[actor]", RULE}}
    do: [{move: {card: card, from: "hand[actor]", to: heap}}]
  search:
    title: Search the deck
    RULE
    params: {card: {in: Card, RULE}}
    requires: [{that: "copies(deck, card) > 0", otherwise: it is not there, RULE}]
    do: [{move: {card: card, from: deck, to: "hand[actor]"}}]
  gather:
    title: Shuffle the heap in
    RULE
    do: [{do: "recycle()"}]
effects:
  recycle:
    RULE
    do: [{shuffle: {from: heap, into: deck}}]
end:
  - {when: over, winners: players, RULE}
"""


@pytest.fixture(scope="module")
def game(tmp_path_factory: pytest.TempPathFactory) -> Game:
    return Game(tiny(tmp_path_factory.mktemp("decks") / "game", BODY, cards=CARDS))


def deck(state: State) -> dict[str, list[str]]:
    found: dict[str, list[str]] = state.to_json()["state"]["deck"]
    return found


def hand(state: State) -> list[str]:
    found: list[str] = state.to_json()["state"]["hand"]["p1"]
    return found


def play(state: State, *names: str, tape: str = "") -> list[str]:
    """Make moves such as ``under b`` and return what was drawn by chance; `tape` says what is."""
    chance = Recorder(Tape([drawn(card) for card in tape.split()]))
    for name in names:
        word, _, card = name.partition(" ")
        args: dict[str, Any] = {}
        if card:
            args = {"count": int(card)} if card.isdigit() else {"card": card}
        action = state.game.action_from_json(move("p1", word, **args))
        assert state.broken(action) == []
        state.apply_action(action, chance)
    return [o["draw"] for o in chance.outcomes]


def drawn(card: str) -> dict[str, str]:
    return {"draw": card, "from": "deck", "to": "hand.p1"}


def known(game: Game, top: str = "", shuffled: str = "", bottom: str = "", hand: str = "",
          heap: str = "") -> State:
    """Return a position; the deck is given from its top down."""
    return with_state(
        game, deck={"top": top.split(), "shuffled": shuffled.split(), "bottom": bottom.split()},
        hand={"p1": hand.split(), "p2": []}, heap=heap.split(),
    )


def test_a_deck_begins_shuffled(game: Game) -> None:
    state = game.initial_state(Tape([]))
    assert deck(state) == {"top": [], "shuffled": ["a", "b", "c", "d"], "bottom": []}


def test_the_last_card_put_on_top_comes_first(game: Game) -> None:
    state = known(game, shuffled="c d", hand="a b")
    play(state, "on_top a", "on_top b")
    assert deck(state) == {"top": ["b", "a"], "shuffled": ["c", "d"], "bottom": []}
    # nothing is left to chance
    assert play(state, "draw") == []
    assert hand(state) == ["b"]
    assert play(state, "draw") == []
    assert hand(state) == ["a", "b"]
    assert play(state, "draw", tape="d") == ["d"]


def test_cards_at_the_bottom_come_last_and_in_order(game: Game) -> None:
    state = known(game, shuffled="c d", hand="a b")
    play(state, "under b", "under a")
    assert deck(state) == {"top": [], "shuffled": ["c", "d"], "bottom": ["b", "a"]}
    assert play(state, "draw", "draw", tape="d c") == ["d", "c"]
    assert play(state, "draw") == []
    assert hand(state) == ["b", "c", "d"]
    assert play(state, "draw") == []
    assert hand(state) == ["a", "b", "c", "d"]


def test_a_whole_deck_of_known_cards(game: Game) -> None:
    state = known(game, top="d c", shuffled="", bottom="b a")
    assert play(state, "draw_some 4") == []
    assert hand(state) == ["a", "b", "c", "d"]
    assert deck(state) == {"top": [], "shuffled": [], "bottom": []}


def test_shuffling_forgets(game: Game) -> None:
    state = known(game, top="d", shuffled="c", bottom="b a")
    play(state, "forget")
    assert deck(state) == {"top": [], "shuffled": ["a", "b", "c", "d"], "bottom": []}
    assert play(state, "draw", tape="b") == ["b"]


def test_a_card_shuffled_in_may_come_at_any_time(game: Game) -> None:
    state = known(game, top="b", shuffled="c", bottom="d", hand="a")
    play(state, "into a")
    # what is known stays known: the card went into the shuffled part
    assert deck(state) == {"top": ["b"], "shuffled": ["a", "c"], "bottom": ["d"]}
    assert play(state, "draw_some 3", tape="a c") == ["a", "c"]


def test_a_heap_shuffled_in_mixes_with_everything(game: Game) -> None:
    state = known(game, top="b", shuffled="c", heap="d a")
    play(state, "gather")
    assert deck(state) == {"top": [], "shuffled": ["a", "b", "c", "d"], "bottom": []}
    assert state.to_json()["state"]["heap"] == []


def test_a_search_takes_a_shuffled_card_before_a_known_one(game: Game) -> None:
    state = with_state(game, deck={"top": ["a"], "shuffled": ["a"], "bottom": ["a", "b"]})
    play(state, "search a")
    assert deck(state) == {"top": ["a"], "shuffled": [], "bottom": ["a", "b"]}
    play(state, "search a")
    assert deck(state) == {"top": [], "shuffled": [], "bottom": ["a", "b"]}
    play(state, "search b", "search a")
    assert deck(state) == {"top": [], "shuffled": [], "bottom": []}
    action = game.action_from_json(move("p1", "search", card="a"))
    assert [b.reason for b in state.broken(action)] == ["it is not there"]


def test_an_empty_deck_is_made_anew(game: Game) -> None:
    state = known(game, heap="d c b", hand="a")
    assert play(state, "draw", tape="c") == ["c"]
    assert deck(state) == {"top": [], "shuffled": ["b", "d"], "bottom": []}
    assert hand(state) == ["a", "c"]


def test_a_deck_with_known_cards_is_not_empty(game: Game) -> None:
    state = known(game, bottom="a", heap="d c b")
    assert play(state, "draw") == []
    assert state.to_json()["state"]["heap"] == ["d", "c", "b"]
    assert hand(state) == ["a"]


def test_a_deck_is_made_anew_in_the_middle_of_drawing(game: Game) -> None:
    state = known(game, top="a", shuffled="b", heap="d c")
    assert play(state, "draw_some 3", tape="b d") == ["b", "d"]
    assert hand(state) == ["a", "b", "d"]
    assert deck(state)["shuffled"] == ["c"]


def test_drawing_stops_where_nothing_can_be_made_anew(game: Game) -> None:
    state = known(game, heap="a", hand="b c d")
    assert play(state, "draw_some 4", tape="a") == ["a"]
    assert play(state, "draw", "draw_some 2") == []
    assert hand(state) == ["a", "b", "c", "d"]


def test_without_a_way_to_make_it_anew_an_empty_deck_gives_nothing(game: Game) -> None:
    state = known(game, heap="a b c d")
    assert play(state, "peel") == []
    assert hand(state) == []


def test_a_known_card_is_not_on_the_tape(game: Game) -> None:
    state = known(game, top="a", shuffled="b c d")
    draw = game.action_from_json(move("p1", "draw"))
    state.clone().apply_action(draw, Tape([]))
    with pytest.raises(TapeLeftOver):
        state.clone().apply_action(draw, Tape([drawn("a")]))
    play(state, "draw")
    with pytest.raises(TapeTooShort):
        state.clone().apply_action(draw, Tape([]))


def test_positions_keep_what_is_known(game: Game) -> None:
    one = known(game, top="d c", shuffled="a", bottom="b")
    two = known(game, top="c d", shuffled="a", bottom="b")
    three = known(game, shuffled="a b c d")
    for state in (one, two, three):
        again = game.state_from_json(state.to_json())
        assert again == state
        assert again.to_json() == state.to_json()
        assert state.clone() == state
        # on the table a deck is what it holds, whatever is known of its order
        assert state.table()["deck"] == ["a", "b", "c", "d"]
        assert state.observation("p1")["deck"] == {"count": 4}
    assert len({one.key(), two.key(), three.key()}) == 3
    # a plain list is a shuffled deck, in any order
    assert with_state(game, deck=["d", "a", "c", "b"]) == three


def test_a_copy_shares_nothing(game: Game) -> None:
    state = known(game, top="d", shuffled="a b", bottom="c")
    twin = state.clone()
    play(twin, "draw_some 4", tape="b a")
    assert deck(state) == {"top": ["d"], "shuffled": ["a", "b"], "bottom": ["c"]}


@pytest.mark.parametrize("value", [{"tops": []}, {"top": "a"}, "a", {"top": ["e"]}, None])
def test_values_that_are_no_deck(game: Game, value: Any) -> None:
    with pytest.raises(SpecError) as caught:
        with_state(game, deck=value)
    assert caught.value.code in ("value.type", "value.unknown")


def chances(state: State, name: str, **args: Any) -> dict[tuple[str, ...], Fraction]:
    """Return what can be drawn by chance, each with its probability."""
    action = state.game.action_from_json(move("p1", name, **args))
    found: dict[tuple[str, ...], Fraction] = {}
    for branch in move_branches(state, action):
        drawn_cards = tuple(o["draw"] for o in branch.outcomes)
        assert drawn_cards not in found
        found[drawn_cards] = branch.probability
        # the tape leads where the branch says
        assert state.child(action, Tape(branch.outcomes)) == branch.state
    assert sum(found.values()) == 1
    return found


def test_probabilities_of_one_card(game: Game) -> None:
    state = with_state(game, deck=["a", "a", "a", "b", "c"])
    assert chances(state, "draw") == {
        ("a",): Fraction(3, 5), ("b",): Fraction(1, 5), ("c",): Fraction(1, 5)
    }


def test_probabilities_of_two_cards(game: Game) -> None:
    state = with_state(game, deck=["a", "a", "b"])
    third = Fraction(1, 3)
    # 2/3 * 1/2, 2/3 * 1/2, 1/3 * 1
    assert chances(state, "draw_some", count=2) == {
        ("a", "a"): third, ("a", "b"): third, ("b", "a"): third
    }


def test_probabilities_where_some_is_known(game: Game) -> None:
    state = with_state(game, deck={"top": ["b"], "shuffled": ["a", "a", "b"], "bottom": ["c"]})
    assert chances(state, "draw") == {(): 1}
    assert chances(state, "draw_some", count=2) == {("a",): Fraction(2, 3), ("b",): Fraction(1, 3)}
    assert chances(state, "draw_some", count=0) == {(): 1}


def test_probabilities_across_a_new_deck(game: Game) -> None:
    state = known(game, shuffled="a", heap="b c d")
    found = chances(state, "draw_some", count=3)
    assert found == {
        ("a", x, y): Fraction(1, 6) for x in "bcd" for y in "bcd" if x != y
    }


def test_where_chance_has_no_choice_there_is_one_branch(game: Game) -> None:
    assert [b.outcomes for b in initial_branches(game)] == [[]]
    state = known(game, shuffled="a")
    assert chances(state, "draw") == {("a",): 1}


def test_seeded_draws_are_those_of_the_branches(game: Game) -> None:
    state = known(game, top="a", shuffled="b c", bottom="d")
    action = game.action_from_json(move("p1", "draw_some", count=3))
    ends = {b.state.key() for b in move_branches(state, action)}
    assert {state.child(action, Seeded(seed)).key() for seed in range(30)} == ends
    assert len(ends) == 1


def test_a_game_that_knows_no_places_has_simple_decks(tmp_path: Path) -> None:
    body = BODY.replace(", at: top", "").replace(", at: bottom", "")
    plain = Game(tiny(tmp_path / "game", body, cards=CARDS))
    state = plain.initial_state(Tape([]))
    assert state.to_json()["state"]["deck"] == ["a", "b", "c", "d"]
    play(state, "draw", "under b", tape="b")
    assert state.to_json()["state"]["deck"] == ["a", "b", "c", "d"]
