"""A game seen in another way, by a declared symmetry, is a game; what breaks the symmetry shows."""

from __future__ import annotations

import copy
import random
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from engine.tiny import tiny
from games.folders import ALL, document, settings

from ludex.engine import Game, Recorder, Seeded, State, Tape
from ludex.engine.symmetry import Renaming, renaming
from ludex.errors import LudexError, SpecError
from ludex.evaluate import names_of
from ludex.explore.explore import explore
from ludex.language.checker import Scope, check_expression, plain
from ludex.language.types import PLAYER, Type
from ludex.protocol.canonical import canonical_bytes

Json = dict[str, Any]
DECLARED = [(name, s["id"]) for name in ALL for s in document(name)["symmetries"]]


def declared(game: Game, name: str) -> Json:
    (found,) = [s for s in game.document["symmetries"] if s["id"] == name]
    return found


def image(how: Renaming, state: State) -> State:
    found = state.to_json()
    return state.game.state_from_json({"step": found["step"], "state": how.state(found["state"])})


def renamed_move(how: Renaming, move: Json, game: Game) -> Json:
    (clause,) = [m for m in game.document["moves"] if m["name"] == move["move"]]
    return how.move(move, {p["name"]: game.codec.type(p["type"]) for p in clause["params"]})


def as_set(moves: list[Json]) -> list[bytes]:
    return sorted(map(canonical_bytes, moves))


def in_order(outcome: Json | None) -> Json | None:
    return outcome and {**outcome, "winners": sorted(outcome["winners"])}


def check_game(game: Game, symmetry: Json, seed: int, plies: int = 60) -> int:
    """Play a random game and its image beside it; return how many positions were compared."""
    source = random.Random(seed)
    how = renaming(game.document, game.codec, symmetry, source.randrange)
    chance = Recorder(Seeded(seed))
    state = game.initial_state(chance)
    other = image(how, state)
    if "rotate" not in symmetry:
        # the first seat is a place of its own, but nothing else is
        assert game.initial_state(Tape([how.outcome(o) for o in chance.outcomes])) == other
    for ply in range(plies):
        assert other.actors() == [how.players[p] for p in state.actors()]
        # the order in which moves are listed is no part of the game
        assert as_set(other.legal_json()) == as_set(
            [renamed_move(how, m, game) for m in state.legal_json()]
        )
        assert in_order(other.outcome()) == how.ending(state.outcome())
        if state.is_terminal:
            return ply + 1
        chance.clear()
        action = source.choice(state.legal_actions())
        state = state.child(action, chance)
        other.play(renamed_move(how, game.action_to_json(action), game),
                   [how.outcome(o) for o in chance.outcomes])
        # a position that is over stands at no step, and its outcome is compared above
        assert other.to_json()["state"] == how.state(state.to_json()["state"])
    return plies


@pytest.mark.parametrize(("name", "symmetry"), DECLARED)
def test_declared_symmetries_hold(name: str, symmetry: str) -> None:
    compared = 0
    for game in settings(name):
        for seed in range(3):
            compared += check_game(game, declared(game, symmetry), seed)
    assert compared > 10


def test_the_games_declare_symmetries() -> None:
    assert {"poodle-taxi", "go-fish"} <= {name for name, _ in DECLARED}
    assert {s for n, s in DECLARED if n == "poodle-taxi"} == {"colours", "seats", "mirror"}


@pytest.mark.parametrize("players", [2, 3, 4])
def test_where_chance_picks_the_starter_seats_are_alike_from_the_start(players: int) -> None:
    game = Game(document("poodle-taxi"), players)
    for seats in range(players):
        how = renaming(game.document, game.codec, declared(game, "seats"), lambda n, s=seats: s)
        chance = Recorder(Seeded(seats))
        state = game.initial_state(chance)
        other = game.initial_state(Tape([how.outcome(o) for o in chance.outcomes]))
        assert other == image(how, state)
        assert other.actors() == [f"p{(int(state.actors()[0][1:]) - 1 + seats) % players + 1}"]


# -- planted changes -----------------------------------------------------------------------------


def expression(doc: Json, text: str, wanted: Type | None = None, **local: Type) -> Json:
    tree = plain(check_expression(text, Scope(names_of(doc), local), wanted))
    return {"expr": text, "tree": tree, "place": ""}


def always_left(doc: Json) -> None:
    """Every arrow takes what lies to the left."""
    (take,) = [e for e in doc["effects"] if e["name"] == "take"]
    take["do"][0]["if"] = expression(doc, "true")


def green_is_better(doc: Json) -> None:
    """A green card must not cover."""
    forbid(doc, "cover", "card.colour != 'green'", card=Type("kind", name="Card"))


def first_seat_wins(doc: Json) -> None:
    doc["end"][0]["winners"] = expression(doc, "[players[0]]")


def no_aces(doc: Json) -> None:
    forbid(doc, "ask", "card != 'ace'", card=Type("kind", name="Card"))


def never_the_first_seat(doc: Json) -> None:
    forbid(doc, "ask", "whom != players[0]", whom=PLAYER)


def forbid(doc: Json, move: str, text: str, **local: Type) -> None:
    (clause,) = [m for m in doc["moves"] if m["name"] == move]
    clause["requires"].append({"rule": "1.1", "otherwise": "no", "place": "",
                               "that": expression(doc, text, actor=PLAYER, **local)})


@pytest.mark.parametrize(
    ("name", "symmetry", "plant"),
    [
        ("poodle-taxi", "mirror", always_left),
        ("poodle-taxi", "colours", green_is_better),
        ("poodle-taxi", "seats", first_seat_wins),
        ("go-fish", "ranks", no_aces),
        ("go-fish", "seats", never_the_first_seat),
    ],
)
def test_a_planted_change_is_caught(
    name: str, symmetry: str, plant: Callable[[Json], None]
) -> None:
    doc = copy.deepcopy(document(name))
    plant(doc)
    game = Game(doc)
    with pytest.raises((AssertionError, LudexError)):
        play_many(game, declared(game, symmetry))


def play_many(game: Game, symmetry: Json) -> None:
    for seed in range(60):
        check_game(game, symmetry, seed)


def test_the_planted_change_breaks_nothing_else() -> None:
    doc = copy.deepcopy(document("poodle-taxi"))
    always_left(doc)
    game = Game(doc)
    for symmetry in ("colours", "seats"):
        assert check_game(game, declared(game, symmetry), 1) > 10


# -- renaming everything that values can hold ----------------------------------------------------

BODY = """
types:
  Card: {columns: {side: Side, number: int}}
  Side: [left, right]
records:
  Note: {who: player, side: Side, card: optional(Card), count: int}
state:
  deck: {type: deck(Card), visible_to: nobody, RULE}
  rows: {type: list(stack(Card)), visible_to: everyone, RULE}
  place: {type: slot(Card), per: Side, visible_to: everyone, RULE}
  hand: {type: bag(Card), per: player, visible_to: owner, RULE}
  note: {type: Note, visible_to: everyone, RULE}
  who: {type: list(player), visible_to: everyone, RULE}
  table: {type: "map(Side, list(int))", visible_to: everyone, RULE}
  over: {type: bool, visible_to: everyone, RULE}
setup:
  - {fill: {zone: deck}, RULE}
  - {pick: {from: Side, as: chosen}, RULE}
  - {pick: {from: "[3, 4]", as: number}, RULE}
  - {pick: {from: players, as: starter}, RULE}
flow:
  start: play
  steps:
    play: {RULE, actors: players, moves: [under]}
moves:
  under:
    title: Put a card under the deck
    RULE
    params: {card: {in: "hand[actor]", RULE}}
    do: [{move: {card: card, from: "hand[actor]", to: deck, at: bottom}}]
end:
  - {when: over, winners: players, RULE}
symmetries:
  - {id: turned, note: turned round, relabel: {Side: {left: right, right: left}}, rotate: players,
     reverse: [rows], RULE}
"""
TABLE = """{left-1: {side: left, number: 1}, right-1: {side: right, number: 1},
  left-2: {side: left, number: 2}, right-2: {side: right, number: 2}}"""


@pytest.fixture(scope="module")
def turned(tmp_path_factory: pytest.TempPathFactory) -> Renaming:
    doc = tiny(tmp_path_factory.mktemp("symmetry") / "game", BODY, cards=TABLE, players=(3, 3))
    game = Game(doc)
    return renaming(doc, game.codec, doc["symmetries"][0], lambda n: 1)


def test_every_form_of_value_is_renamed(turned: Renaming) -> None:
    assert turned.state({
        "deck": {"top": ["left-1", "right-2"], "shuffled": ["left-2", "right-1"], "bottom": []},
        "rows": [["left-1", "left-2"], ["right-1"]],
        "place": {"left": "left-1", "right": None},
        "hand": {"p1": ["left-1", "left-2"], "p2": [], "p3": ["right-1", "left-1"]},
        "note": {"who": "p3", "side": "left", "card": "left-2", "count": 7},
        "who": ["p3", "p1"],
        "table": {"left": [1, 2], "right": []},
        "over": False,
    }) == {
        # known places keep their order
        "deck": {"top": ["right-1", "left-2"], "shuffled": ["left-1", "right-2"], "bottom": []},
        "rows": [["left-1"], ["right-1", "right-2"]],
        "place": {"left": None, "right": "right-1"},
        "hand": {"p1": ["left-1", "right-1"], "p2": ["right-1", "right-2"], "p3": []},
        "note": {"who": "p1", "side": "right", "card": "right-2", "count": 7},
        "who": ["p1", "p2"],
        "table": {"left": [], "right": [1, 2]},
        "over": False,
    }


def test_outcomes_are_renamed(turned: Renaming) -> None:
    for outcome, wanted in (
        ({"draw": "left-1", "from": "deck", "to": "hand.p3"},
         {"draw": "right-1", "from": "deck", "to": "hand.p1"}),
        ({"draw": "left-1", "from": "deck", "to": "place.left"},
         {"draw": "right-1", "from": "deck", "to": "place.right"}),
        ({"pick": "left", "of": "chosen"}, {"pick": "right", "of": "chosen"}),
        ({"pick": 3, "of": "number"}, {"pick": 3, "of": "number"}),
        ({"pick": "p2", "of": "starter"}, {"pick": "p3", "of": "starter"}),
        ({"roll": [1, 2]}, {"roll": [1, 2]}),
    ):
        assert turned.outcome(outcome) == wanted
    assert turned.ending({"winners": ["p3", "p2"], "returns": {"p1": 1, "p2": 2, "p3": 3}}) == {
        "winners": ["p1", "p3"], "returns": {"p1": 3, "p2": 1, "p3": 2}
    }
    assert turned.ending({"winners": []}) == {"winners": []}
    assert turned.ending(None) is None


def test_a_component_without_an_image(turned: Renaming) -> None:
    doc = copy.deepcopy(dict(turned.document))
    doc["kinds"]["Card"]["columns"]["number"]["values"] = [1, 2, 3, 4]
    game = Game(doc)
    with pytest.raises(SpecError) as caught:
        renaming(doc, game.codec, doc["symmetries"][0], lambda n: 0)
    assert caught.value.code == "symmetry.columns"


ALIKE = """
types:
  Side: [left, middle, right]
  Card: {columns: {side: Side, number: int}, RULE}
state:
  pile: {type: bag(Card), visible_to: everyone, RULE}
  over: {type: bool, visible_to: everyone, RULE}
setup: [{fill: {zone: pile}, RULE}]
flow:
  start: play
  steps:
    play: {RULE, actors: players, moves: [stop]}
moves:
  stop: {title: Stop, RULE, do: [{set: {over: "true"}}]}
end: [{when: over, winners: players, RULE}]
symmetries: [{id: sides, note: as far as they have the same cards, relabel: {Side: alike}, RULE}]
"""


def test_only_members_with_the_same_components_are_exchanged(tmp_path: Path) -> None:
    # the middle has no second card
    cards = """{l1: {side: left, number: 1}, l2: {side: left, number: 2},
      m1: {side: middle, number: 1}, r1: {side: right, number: 1}, r2: {side: right, number: 2}}"""
    doc = tiny(tmp_path / "game", ALIKE, cards=cards)
    game, symmetry = Game(doc), doc["symmetries"][0]
    found = {
        tuple(renaming(doc, game.codec, symmetry, random.Random(n).randrange).state(
            {"pile": ["l1", "l2", "m1", "r1"]})["pile"])
        for n in range(20)
    }
    assert found == {("l1", "l2", "m1", "r1"), ("l1", "m1", "r1", "r2")}
    assert explore(doc, 10, 1).counts["check.symmetry"]
    assert [f for f in explore(doc, 10, 1).findings if f.check == "check.symmetry"] == []
