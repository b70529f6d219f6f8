"""The compiled and the explaining evaluator agree, and the causes named are the causes."""

from __future__ import annotations

import random
from pathlib import Path
from typing import Any

import pytest
from engine.clauses import FAULT, answer, clauses, compiled, value_of
from engine.test_arguments import BODY as ARGUMENTS
from engine.test_decks import BODY as DECKS
from engine.test_decks import CARDS
from engine.test_history import BODY as HISTORY
from engine.tiny import tiny, with_state
from games.folders import ALL, positions, settings

from ludex.engine import Game, Seeded, State
from ludex.engine.explain import Cause, Explainer
from ludex.evaluate import names_of
from ludex.language.checker import Scope, check_expression, plain
from ludex.language.types import Type, parse_type

TINY = {"arguments": ARGUMENTS, "decks": DECKS, "history": HISTORY}


def check_agreement(game: Game, states: list[State], source: random.Random) -> int:
    """Compare the two on every expression of a game; return how often."""
    explainer = Explainer(game.program)
    compared = 0
    for place in clauses(game):
        fast = compiled(game, place)
        boolean = place.clause["tree"]["type"] == "bool"
        for state in states:
            local = {name: value_of(type_, game, source) for name, type_ in place.local}
            wanted = answer(lambda f=fast, s=state, v=local: f(s.position, *v.values()))
            found = answer(lambda p=place, s=state, v=local: explainer.value(
                p.clause["tree"], s.position, v
            ))
            assert found == wanted, (place.text, local, state.to_json())
            # not only equal: true is not 1
            assert type(found) is type(wanted), place.text
            compared += 1
            if boolean and wanted != FAULT:
                causes = explainer.why_not(place.clause, state.position, local)
                assert (causes == []) == bool(wanted), (place.text, local)
                for cause in causes:
                    check_cause(place.text, cause)
    return compared


def check_cause(text: str, cause: Cause) -> None:
    """A cause and the sub-terms it names stand in the text of their expression."""
    assert cause.text in text
    for part in cause.values:
        assert part in text


@pytest.mark.parametrize("name", ALL)
def test_both_evaluators_agree_on_every_clause(name: str) -> None:
    source = random.Random(name)
    compared = 0
    for game in settings(name):
        states = positions(game, source.getrandbits(32))
        # a board with many cells takes long to go through, and one position shows much of it
        many = max(map(len, game.codec.members.values()), default=0)
        count = min(len(states), max(1, 8 - many // 6))
        compared += check_agreement(game, source.sample(states, count), source)
    assert compared > 20


@pytest.mark.parametrize("name", TINY)
def test_both_agree_on_tiny_games(tmp_path: Path, name: str) -> None:
    players = (3, 3) if name == "history" else (2, 2)
    game = Game(tiny(tmp_path / "game", TINY[name], cards=CARDS, players=players))
    source = random.Random(name)
    # values that no game leads to, too: faults are the same then
    states = [game.initial_state(Seeded(5))]
    for _ in range(20):
        state = states[0].clone()
        for variable, type_ in game.program.types.items():
            if not any(zone in str(type_) for zone in ("deck(", "bag(", "stack(", "slot(")):
                state.position[game.program.slots[variable]] = value_of(type_, game, source)
        states.append(state)
    assert check_agreement(game, states, source) > 100


QUESTIONS = """
types:
  Card: {columns: {value: int, twin: optional(Card)}}
  Side: [left, right]
records:
  Note: {count: int, side: Side}
options:
  big: {title: Big, values: [true, false], default: true, RULE}
constants:
  table: {type: "list(list(int))", value: [[1, 2], [], [3]]}
  worth: {type: "map(Side, int)", value: {left: 1, right: 2}}
state:
  bag: {type: bag(Card), per: player, visible_to: everyone, RULE}
  row: {type: list(stack(Card)), visible_to: everyone, RULE}
  place: {type: slot(Card), per: Side, visible_to: everyone, RULE}
  numbers: {type: list(int), visible_to: everyone, RULE}
  maybe: {type: optional(int), visible_to: everyone, RULE}
  who: {type: optional(player), visible_to: everyone, RULE}
  several: {type: optional(list(int)), visible_to: everyone, RULE}
  note: {type: optional(Note), visible_to: everyone, RULE}
  notes: {type: list(Note), visible_to: everyone, RULE}
  over: {type: bool, visible_to: everyone, RULE}
functions:
  third: {params: {xs: list(int)}, type: int, is: "xs[2]"}
  second: {params: {xs: list(int)}, type: int, is: "size(xs) > 1 ? xs[1] : 0"}
  value: {params: {card: Card}, type: int, is: "card.value"}
  first_of: {params: {i: int, j: int}, type: int, is: "i"}
setup:
  - {set: {over: "false"}, RULE}
flow:
  start: play
  steps:
    play: {RULE, actors: "[players[0]]", moves: [wait]}
moves:
  wait: {title: Wait, RULE, do: [{set: {over: "true"}}]}
end:
  - {when: over, winners: players, RULE}
"""

#: Expressions in which something can be missing, or that the compiler treats in a special way.
HARD = [
    "numbers[0] > 0", "numbers[maybe] == 1", "maybe + 1 == 2", "maybe > 0 || maybe == null",
    "maybe == null || maybe > 0", "top(numbers) == bottom(numbers)", "size(several) == 0",
    "size(several) == size(numbers)", "size(place['left']) == 0", "place['left'].value > 1",
    "place['left'] == null || place['left'].value > 1",
    "place['left'].twin == place['right']", "place['left'].twin.value == 1",
    "Side.exists(s, place[s].value == 2)", "Side.all(s, place[s].value == 2)",
    "Side.exists(s, worth[s] == maybe)", "Side.all(s, place[s] != null)",
    "players.exists(p, p == who)", "players.all(p, p != who)", "who == next_player(who)",
    "players.exists(p, top(bag[p]).value == 1)", "players.all(p, top(bag[p]).value == 1)",
    "players.exists(p, numbers[size(bag[p])] == 1)", "numbers.exists(n, n == maybe)",
    "numbers.exists(n, n == numbers[2])", "numbers.all(n, n != numbers[2])",
    "[].exists(n, n == numbers[2])", "numbers.exists(n, third(numbers) == n)",
    "numbers.exists(n, 6 / n == 3)", "numbers.all(n, 6 % n == 0)", "numbers.first(n, 6 / n == 3)",
    "numbers.first(n, n > 1)", "numbers.first(n, n > 1) + 1", "numbers.first(n, n > 9).or(7)",
    "row.exists(s, top(s).value == 1)", "row.all(s, bottom(s).value < 3)", "row[0] == row[1]",
    "row.map(s, size(s))", "row.flat_map(s, s).map(c, c.value)", "row.exists_one(s, size(s) == 1)",
    "size(row) == 0", "size(row) != 0 && size(row[0]) == 0", "row.count(s, top(s).value > 1)",
    "min(numbers)", "max(numbers.map(n, n * n))", "numbers.min(n, n)", "numbers.sum(n, n)",
    "sum(numbers)", "players.max(p, size(bag[p]))", "players.map(p, bag[p])", "bag[players[1]]",
    "bag[who]", "size(bag[who]) == 0", "note.count == 1", "note == null || note.side == 'left'",
    "notes[0].count", "notes.filter(n, n.side == 'left')", "notes.map(n, n.side)",
    "note in notes", "Note{count: maybe, side: 'left'} == note", "third(numbers)",
    "second(numbers)", "value(place['left'])", "first_of(1, numbers[7])", "second(several)",
    "first_of(maybe, 2) == 1", "slice(numbers, 1, 3)", "slice(numbers, 0, maybe)",
    "range(maybe)", "range(3) == numbers", "range(size(numbers)).all(i, numbers[i] >= i)",
    "numbers + [1]", "numbers + several", "[maybe, 1]", "distinct(numbers)", "copies(numbers, 1)",
    "copies(numbers, maybe)", "maybe in numbers", "table[1] == []", "table[maybe][0]",
    "table.exists(r, r == numbers)", "table.map(r, size(r))", "options.big && maybe == 1",
    "!options.big || numbers[3] == 1", "options.big ? numbers : table[7]",
    "over ? numbers[0] : 5", "abs(maybe)", "-maybe", "7 / 2 - maybe", "maybe / 0", "maybe % 3",
    "Card.map(c, c.twin)", "Card.exists(c, c.twin.value == 1)", "Card.all(c, c.value > 0)",
    "Card.filter(c, c.twin != null)", "seats_from(who)", "seats_after(who).first(p, p == who)",
    "opponents(who)", "numbers.all(n, n > 0) == numbers.exists(m, m > 0)", "bag == bag",
    "worth['left'] < worth['right']", "worth.sum(s, worth[s])", "null == maybe",
    "maybe.or(3) + who.or(players[0] == who ? who : players[1]) == maybe ? 1 : 2",
]
# the last one does not type; it stands for what the checker keeps out
HARD.pop()


@pytest.fixture(scope="module")
def game(tmp_path_factory: pytest.TempPathFactory) -> Game:
    folder = tmp_path_factory.mktemp("explain") / "game"
    cards = "{a: {value: 1, twin: b}, b: {value: 2, twin: null}, c: {value: 3, twin: c}}"
    return Game(tiny(folder, QUESTIONS, cards=cards))


def clause(game: Game, text: str, local: dict[str, Type] | None = None) -> dict[str, Any]:
    scope = Scope(names_of(game.document), local or {})
    return {"expr": text, "tree": plain(check_expression(text, scope))}


def random_state(game: Game, source: random.Random) -> State:
    state = game.initial_state(None)  # type: ignore[arg-type]
    for variable, type_ in game.program.types.items():
        state.position[game.program.slots[variable]] = value_of(type_, game, source)
    return state


@pytest.mark.parametrize("text", HARD)
def test_both_agree_where_something_may_be_missing(game: Game, text: str) -> None:
    from engine.clauses import Place

    source = random.Random(text)
    explainer = Explainer(game.program)
    place = Place(clause(game, text), ())
    fast = compiled(game, place)
    boolean = place.clause["tree"]["type"] == "bool"
    for _ in range(150):
        state = random_state(game, source)
        wanted = answer(lambda s=state: fast(s.position))
        found = answer(lambda s=state: explainer.value(place.clause["tree"], s.position, {}))
        assert (found, type(found)) == (wanted, type(wanted)), state.to_json()
        if boolean and wanted != FAULT:
            causes = explainer.why_not(place.clause, state.position, {})
            assert (causes == []) == wanted


# -- causes, by hand -----------------------------------------------------------------------------

CAUSES: list[tuple[str, list[tuple[str, dict[str, Any]]]]] = [
    # numbers is [1, 4], maybe is null, p1 holds a and b, p2 nothing
    ("size(numbers) == 2", []),
    ("size(numbers) == 3", [("size(numbers) == 3", {"size(numbers)": 2})]),
    ("numbers[0] > numbers[1]",
     [("numbers[0] > numbers[1]", {"numbers[0]": 1, "numbers[1]": 4})]),
    # of && the first part that fails, for the rest is not looked at
    ("numbers[0] == 2 && numbers[7] == 1", [("numbers[0] == 2", {"numbers[0]": 1})]),
    ("numbers[0] == 1 && numbers[1] == 1", [("numbers[1] == 1", {"numbers[1]": 4})]),
    # of || both
    ("numbers[0] == 2 || numbers[1] == 2",
     [("numbers[0] == 2", {"numbers[0]": 1}), ("numbers[1] == 2", {"numbers[1]": 4})]),
    # ! turns it round
    ("!(numbers[0] == 1)", [("(numbers[0] == 1)", {"numbers[0]": 1})]),
    ("!(numbers[0] == 1 && numbers[1] == 4)",
     [("numbers[0] == 1", {"numbers[0]": 1}), ("numbers[1] == 4", {"numbers[1]": 4})]),
    ("!(numbers[0] == 9 || numbers[1] == 4)", [("numbers[1] == 4", {"numbers[1]": 4})]),
    ("!!over", [("over", {"over": False})]),
    ("over", [("over", {"over": False})]),
    ("maybe != null", [("maybe != null", {"maybe": None})]),
    # of all the element for which it does not hold, of exists what was gone through
    ("numbers.all(n, n < 3)", [("numbers.all(n, n < 3)", {"n": 4})]),
    ("players.all(p, size(bag[p]) > 0)", [("players.all(p, size(bag[p]) > 0)", {"p": "p2"})]),
    ("numbers.exists(n, n == 7)", [("numbers.exists(n, n == 7)", {"numbers": [1, 4]})]),
    ("!numbers.exists(n, n == 4)", [("numbers.exists(n, n == 4)", {"n": 4})]),
    ("!numbers.all(n, n > 0)", [("numbers.all(n, n > 0)", {"numbers": [1, 4]})]),
    ("3 in numbers", [("3 in numbers", {"numbers": [1, 4]})]),
    ("'c' in bag[players[0]]", [("'c' in bag[players[0]]", {"bag[players[0]]": ["a", "b"]})]),
    ("bag[players[1]] == bag[players[0]]",
     [("bag[players[1]] == bag[players[0]]",
       {"bag[players[1]]": [], "bag[players[0]]": ["a", "b"]})]),
    ("worth['left'] > worth['right']",
     [("worth['left'] > worth['right']", {"worth['left']": 1, "worth['right']": 2})]),
]


@pytest.mark.parametrize(("text", "causes"), CAUSES)
def test_causes(game: Game, text: str, causes: list[tuple[str, dict[str, Any]]]) -> None:
    state = with_state(game, numbers=[1, 4], maybe=None, bag={"p1": ["a", "b"], "p2": []})
    found = Explainer(game.program).why_not(clause(game, text), state.position, {})
    assert [(c.text, c.values) for c in found] == causes


def test_causes_with_locals(game: Game) -> None:
    state = with_state(game, numbers=[1, 4], bag={"p1": ["a", "b"], "p2": []})
    card = parse_type("Card", {"Card"})
    asked = clause(game, "card in bag[actor] && card.value > 1",
                   {"card": card, "actor": parse_type("player", ())})
    why = Explainer(game.program).why_not
    (cause,) = why(asked, state.position, {"card": 0, "actor": 0})
    assert (cause.text, cause.values) == ("card.value > 1", {"card.value": 1})
    assert str(cause) == "card.value > 1: card.value is 1"
    (cause,) = why(asked, state.position, {"card": 2, "actor": 1})
    assert cause.values == {"card": "c", "bag[actor]": []}
    assert str(cause) == "card in bag[actor]: card is c, bag[actor] is []"
    assert why(asked, state.position, {"card": 1, "actor": 0}) == []
