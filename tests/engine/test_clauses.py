"""What statements do, on small games made for the purpose."""

from __future__ import annotations

import contextlib
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from patched import patched

from ludex.authoring.document import load_document
from ludex.engine import Game, Recorder, Seeded, State, Tape
from ludex.errors import LudexError, SpecError
from ludex.evaluate import compile_question

Make = Callable[..., Game]


@pytest.fixture
def make(tmp_path: Path) -> Make:
    """Make the minimal game with more variables (name to the rest of a line) and statements."""

    def make(state: dict[str, str], *setup: str, more: tuple[tuple[str, str, str], ...] = ()
             ) -> Game:
        variables = "".join(
            f'  {name}: {{{rest}, visible_to: everyone, rule: "1.3"}}\n'
            for name, rest in state.items()
        )
        statements = "".join(f'  - {s}\n    rule: "1.3"\n' for s in setup)
        folder = patched(
            tmp_path / "game",
            ("game.yaml", "\nsetup:\n", f"\n{variables}setup:\n"),
            ("game.yaml", "\nfunctions:\n", f"\n{statements}functions:\n"),
            *more,
        )
        return Game(load_document(folder))

    return make


def value(game: Game, name: str, chance: Any = None) -> Any:
    return game.initial_state(chance or Seeded(0)).to_json()["state"][name]


def check_copies(state: State) -> None:
    """A state that is copied, written and read back is the same state, and shares nothing."""
    twin = state.clone()
    assert twin == state
    assert twin.key() == state.key()
    assert hash(twin) == hash(state)
    assert state.game.state_from_json(state.to_json()) == state
    for one, two in zip(twin.position, state.position, strict=True):
        assert one is not two or not isinstance(one, list)


TYPES = [
    ("type: int", 0, "3", 3),
    ("type: bool", False, "true", True),
    ("type: player", "p1", "'p2'", "p2"),
    ("type: Colour", "blue", "'red'", "red"),
    ("type: int, init: 4", 4, "3", 3),
    ("type: optional(int)", None, "3", 3),
    ("type: optional(int), init: 5", 5, "null", None),
    ("type: optional(Card)", None, "'red-two'", "red-two"),
    ("type: optional(list(int))", None, "[1, 2]", [1, 2]),
    ("type: list(int)", [], "[3, 1]", [3, 1]),
    ("type: list(optional(int))", [], "[null, 3]", [None, 3]),
    ("type: list(list(int))", [], "[[1], []]", [[1], []]),
    ("type: list(Card)", [], "Card", ["blue-one", "red-two"]),
    ("type: list(player)", [], "players", ["p1", "p2"]),
    ("type: list(int), init: [7]", [7], "range(3)", [0, 1, 2]),
]


@pytest.mark.parametrize(("type_", "before", "text", "after"), TYPES)
def test_every_type_of_variable(
    make: Make, type_: str, before: Any, text: str, after: Any
) -> None:
    game = make({"x": type_, "y": type_}, f'set: {{y: "{text}"}}')
    assert value(game, "x") == before
    assert value(game, "y") == after
    check_copies(game.initial_state(Seeded(0)))


def test_variables_of_many_keys(make: Make) -> None:
    game = make(
        {
            "va": "type: int, per: Colour, init: 7",
            "vb": "type: 'map(Colour, int)', init: {red: 2, blue: 1}",
            "vc": "type: optional(Card), per: player",
            "vd": "type: list(int), per: player",
            "total": "type: int",
            "names": "type: list(Colour)",
        },
        'set: {"va[\'red\']": "3", "vc[players[1]]": "\'red-two\'", "vd[players[0]]": "[1]"}',
        # going through a map is going through its keys
        'set: {total: "va.sum(k, va[k]) + vb.sum(k, 10 * vb[k])"}',
        'set: {names: "vb.filter(k, vb[k] > 1)"}',
        'each: k in vb\n    do: [{set: {"vb[k]": "vb[k] + 1"}}]',
    )
    state = game.initial_state(Seeded(0))
    assert state.to_json()["state"] | {"pile": None, "taken": None} == {
        "pile": None, "taken": None, "turn": "p1",
        "va": {"blue": 7, "red": 3},
        "vb": {"blue": 2, "red": 3},
        "vc": {"p1": None, "p2": "red-two"},
        "vd": {"p1": [1], "p2": []},
        "total": 7 + 3 + 10 * (1 + 2),
        "names": ["red"],
    }
    check_copies(state)


@pytest.mark.parametrize(
    ("text", "after"),
    [
        # all right sides come first, and a place is settled before anything is assigned
        ('{i: "j", j: "i"}', {"i": 1, "j": 0, "xs": [5, 6, 7]}),
        ('{i: "2", "xs[i]": "9"}', {"i": 2, "j": 1, "xs": [9, 6, 7]}),
        ('{"xs[i]": "9", i: "2"}', {"i": 2, "j": 1, "xs": [9, 6, 7]}),
        ('{"xs[i]": "xs[j]", "xs[j]": "xs[i]"}', {"i": 0, "j": 1, "xs": [6, 5, 7]}),
        ('{"xs[j + 1]": "size(xs)"}', {"i": 0, "j": 1, "xs": [5, 6, 3]}),
    ],
)
def test_assigning_together(make: Make, text: str, after: dict[str, Any]) -> None:
    game = make({"i": "type: int", "j": "type: int, init: 1", "xs": "type: list(int)"},
                'set: {xs: "[5, 6, 7]"}', f"set: {text}")
    state = game.initial_state(Seeded(0)).to_json()["state"]
    assert {name: state[name] for name in after} == after


def test_lists_are_copied_when_they_are_kept(make: Make) -> None:
    game = make({"xs": "type: list(int)", "ys": "type: list(int)"},
                'set: {xs: "[1]"}', 'let: {old: "xs"}', 'set: {ys: "xs"}',
                'set: {"xs[0]": "2"}', 'set: {"ys[0]": "ys[0] + old[0] + 10"}')
    assert value(game, "xs") == [2]
    assert value(game, "ys") == [12]


FAILING = [
    ('set: {"xs[0]": "1"}', "position 0 of a list of 0"),
    ('set: {"xs[-1]": "1"}', "position -1 of a list of 0"),
    ('set: {i: "xs[0]"}', "position 0 of a list of 0"),
    ('set: {i: "1 / i"}', "division by zero"),
    ('set: {i: "m"}', "null where a value is needed"),
    ('set: {i: "players.first(p, false).or(players[0]) == players[0] ? m : m"}',
     "null where a value is needed"),
    ('set: {i: "m + 1"}', None),
    ('set: {i: "max(xs)"}', None),
    ("move: {card: \"'red-two'\", from: \"taken[players[0]]\", to: pile}",
     "a component that is not in its zone"),
    ("move: {card: \"'red-two'\", from: place, to: pile}", "a component that is not in its zone"),
    ('move: {range: ["0", "1"], from: row, to: pile}', None),
    ("move: {card: \"'red-two'\", from: pile, to: row, at: \"3\"}", "position 3 of a list of 0"),
    ("move: {card: \"'red-two'\", from: pile, to: \"row[0]\"}", "position 0 of a list of 0"),
    ("pick: {from: xs, as: x}", None),
]


@pytest.mark.parametrize(("statement", "words"), FAILING)
def test_a_clause_that_fails_says_so(make: Make, statement: str, words: str | None) -> None:
    game = make(
        {"xs": "type: list(int)", "i": "type: int", "m": "type: optional(int)",
         "row": "type: list(stack(Card))", "place": "type: slot(Card)"},
        statement,
    )
    with pytest.raises(SpecError) as caught:
        game.initial_state(Seeded(0))
    assert caught.value.code == "engine.fault"
    assert caught.value.message.startswith("a clause of two-piles fails: ")
    if words is not None:
        assert caught.value.message.endswith(words)


def zones(game: Game, tape: list[dict[str, Any]] | None = None) -> dict[str, Any]:
    state = game.initial_state(Tape(tape or []))
    check_copies(state)
    found: dict[str, Any] = state.to_json()["state"]
    return found


def test_moving_between_zones_of_every_form(make: Make) -> None:
    game = make(
        {"row": "type: list(stack(Card))", "heap": "type: stack(Card)",
         "place": "type: slot(Card), per: Colour"},
        # the pile holds two of each
        "move: {card: \"'red-two'\", from: pile, to: row, at: first}",
        "move: {card: \"'blue-one'\", from: pile, to: row, at: last}",
        "move: {card: \"'red-two'\", from: pile, to: \"row[1]\"}",
        "move: {card: \"'blue-one'\", from: pile, to: \"row[1]\", at: bottom}",
    )
    # stacks are shown with their tops first
    assert zones(game)["row"] == [["red-two"], ["red-two", "blue-one", "blue-one"]]
    assert zones(game)["pile"] == []


def test_moving_several(make: Make) -> None:
    game = make(
        {"row": "type: list(stack(Card))", "heap": "type: stack(Card)"},
        "move: {cards: \"['red-two', 'blue-one']\", from: pile, to: heap}",
        'move: {where: "c.colour == \'red\'", as: c, from: pile, to: heap, at: bottom}',
        'move: {all: true, from: pile, to: "taken[players[1]]"}',
        'move: {range: ["1", "3"], from: heap, to: row, at: first}',
    )
    found = zones(game)
    # the heap was red (below), red, blue; its positions count from the bottom
    assert found["heap"] == ["red-two"]
    assert found["row"] == [["blue-one", "red-two"]]
    assert found["taken"] == {"p1": [], "p2": ["blue-one"]}


def test_slots(make: Make) -> None:
    game = make(
        {"place": "type: slot(Card), per: Colour", "n": "type: int"},
        "move: {card: \"'red-two'\", from: pile, to: \"place['red']\"}",
        "set: {n: \"size(place['red']) + 10 * size(place['blue'])\"}",
        "move: {card: \"'red-two'\", from: \"place['red']\", to: \"place['blue']\"}",
        "move: {all: true, from: \"place['red']\", to: pile}",
    )
    found = zones(game)
    assert found["place"] == {"blue": "red-two", "red": None}
    assert found["n"] == 1
    assert found["pile"] == ["blue-one", "blue-one", "red-two"]


def test_a_slot_takes_no_second_component(make: Make) -> None:
    game = make({"place": "type: slot(Card)"},
                "move: {card: \"'red-two'\", from: pile, to: place}",
                "move: {card: \"'blue-one'\", from: pile, to: place}")
    with pytest.raises(SpecError, match="a slot that is not empty"):
        game.initial_state(Seeded(0))


def test_bags_stay_sorted_however_they_are_filled(make: Make) -> None:
    game = make({"deck": "type: deck(Card)"},
                'fill: {zone: pile, as: c, count: "c.points"}',
                "fill: {zone: pile, as: c, where: \"c.colour == 'blue'\"}",
                "fill: {zone: deck, count: \"2\"}", "fill: {zone: deck}")
    found = zones(game)
    # two of each at first, then one blue and two red ones, then another blue one
    assert found["pile"] == ["blue-one"] * 4 + ["red-two"] * 4
    assert found["deck"] == ["blue-one"] * 3 + ["red-two"] * 3


def draw(card: str, zone: str = "pile", to: str = "taken.p1") -> dict[str, Any]:
    return {"draw": card, "from": zone, "to": to}


@pytest.mark.parametrize("zone", ["pile", "deck"])
def test_drawing(make: Make, zone: str) -> None:
    game = make(
        {"deck": "type: deck(Card)", "heap": "type: stack(Card), per: Colour",
         "got": "type: optional(Card)", "none": "type: optional(Card)"},
        'fill: {zone: deck, count: "2"}',
        f'draw: {{from: {zone}, to: "taken[players[0]]", count: "3"}}',
        f"draw: {{from: {zone}, to: \"heap['red']\", as: last}}",
        # drawing stops where nothing is left, and then there is nothing to name
        f"draw: {{from: {zone}, to: \"heap['red']\", count: \"4\", as: more}}",
        'set: {got: "last", none: "more"}',
    )
    tape = [draw("red-two", zone), draw("blue-one", zone), draw("red-two", zone),
            draw("blue-one", zone, "heap.red")]
    found = zones(game, tape)
    assert found["taken"]["p1"] == ["blue-one", "red-two", "red-two"]
    assert found["heap"] == {"blue": [], "red": ["blue-one"]}
    assert (found["got"], found["none"]) == ("blue-one", None)
    assert found[zone] == []
    recorder = Recorder(Seeded(3))
    game.initial_state(recorder)
    assert len(recorder.outcomes) == 4


def test_picks_and_dice(make: Make) -> None:
    game = make({"i": "type: int", "who": "type: player", "xs": "type: list(int)"},
                'pick: {from: "[3, 5]", as: number}', "pick: {from: players, as: starter}",
                'roll: {sides: "6", count: "2", as: dice}',
                'set: {i: "number", who: "starter", xs: "dice"}')
    tape = [{"roll": [6, 1]}, {"pick": "p2", "of": "starter"}, {"pick": 5, "of": "number"}]
    found = zones(game, tape)
    assert (found["i"], found["who"], found["xs"]) == (5, "p2", [6, 1])
    for wrong in ({"pick": 4, "of": "number"}, {"pick": "5", "of": "number"}):
        with pytest.raises(LudexError) as caught:
            game.initial_state(Tape([*tape[:2], wrong]))
        assert caught.value.code == "tape.impossible"


def test_loops(make: Make) -> None:
    game = make({"i": "type: int", "xs": "type: list(int)", "n": "type: int"},
                'set: {xs: "[1, 2, 3]"}',
                # the list is taken before the first run
                'each: "x\\tin  xs"\n    do: [{set: {xs: "xs + [x * 10]"}}]',
                'repeat: "9"\n    while: "i < 4"\n    do: [{set: {i: "i + 3"}}]',
                'if: "i == 6"\n    then: [{set: {n: "1"}}]\n    else: [{set: {n: "2"}}]',
                'set: {n: "n + 10"}\n    when: "i > 100"')
    found = zones(game)
    assert found["xs"] == [1, 2, 3, 10, 20, 30]
    assert found["i"] == 6
    assert found["n"] == 1


QUESTIONS = [
    # lists are equal when their elements are, however they came about
    ("range(3) == [0, 1, 2]", True),
    ("players == seats_from(players[0])", True),
    ("[range(2)] == [[0, 1]]", True),
    ("range(2) in [[0, 1]]", True),
    ("Colour == ['blue', 'red']", True),
    ("Colour.map(c, range(1)) == [[0], [0]]", True),
    ("(size(pile) > 0 ? players : []) == players", True),
    ("range(2) != [0, 1]", False),
    ("players.exists(p, [p] == [players[1]])", True),
    ("taken == taken", True),
    # an empty list asks nothing of its elements
    ("[].exists(x, x == 1 / 0)", False),
    ("taken[turn].exists(c, c.points == 1 / (size(pile) - 4))", False),
    ("taken[turn].all(c, c.points == [1][7])", True),
    ("players.flat_map(p, taken[p])", []),
    ("seats_after('p1') + opponents('p1')", ["p2", "p2"]),
    ("next_player(next_player(turn))", "p1"),
    ("-7 / 2", -3),
    ("-7 % 2", -1),
    ("7 / -2", -3),
    ("Card.map(c, c.points)", [1, 2]),
    ("Card.first(c, c.points > 5).or('blue-one')", "blue-one"),
    ("Card.first(c, c.points > 5) == null", True),
    ("distinct([[1], [2], [1]])", [[1], [2]]),
    ("copies(pile, 'red-two')", 2),
    ("rulings.taken_cards == 'open' ? n_players : 0", 2),
    ("points('p1')", 0),
    ("players.map(p, points(p))", [0, 0]),
    ("(1 + 2) * 3", 9),
]


@pytest.mark.parametrize(("text", "answer"), QUESTIONS)
def test_questions(make: Make, text: str, answer: Any) -> None:
    game = make({})
    assert compile_question(game, text, None)(game.initial_state(Seeded(0))) == answer


def test_players_of_a_question_are_those_of_the_game(make: Make) -> None:
    with pytest.raises(SpecError) as caught:
        compile_question(make({}), "turn == 'p3'")
    assert caught.value.code == "expression.member"
    assert caught.value.message == "\"turn == 'p3'\", character 9: expected a player, found 'p3'"


def test_a_question_that_nests_too_deep(make: Make) -> None:
    game = make({})
    inner = "true"
    for i in range(50):
        inner = f"[1].exists(x{i}, {inner})"
    with contextlib.suppress(LudexError):  # any other exception is a fault
        assert compile_question(game, inner)(game.initial_state(Seeded(0))) is True


def test_operands_are_not_multiplied(make: Make) -> None:
    game = make({})
    text = "turn"
    for _ in range(25):
        text = f"top(opponents({text}))"
    # with two players each step is the other one
    assert compile_question(game, text, None)(game.initial_state(Seeded(0))) == "p2"


def test_an_argument_may_stand_in_brackets(make: Make) -> None:
    game = make({}, more=(
        ("game.yaml", "keep(actor, card)", "keep((actor), (n_players > 1) ? card : (card))"),
    ))
    state = game.initial_state(Seeded(0))
    state.play({"actor": "p1", "move": "take", "args": {"card": "red-two"}}, [])
    assert state.table()["taken"] == {"p1": ["red-two"], "p2": []}


def test_a_requirement_may_lean_on_those_before_it(make: Make) -> None:
    game = make({}, more=(
        ("game.yaml", "    requires:\n",
         "    requires:\n"
         "      - {that: \"size(taken[actor]) > 0\", otherwise: nothing, rule: \"2.2\"}\n"
         "      - {that: \"top(taken[actor]).points > 0\", otherwise: no top, rule: \"2.3\"}\n"),
    ))
    state = game.initial_state(Seeded(0))
    assert state.legal_actions() == []
    action = game.action_from_json({"actor": "p1", "move": "take", "args": {"card": "red-two"}})
    assert [b.rule for b in state.broken(action)] == ["2.2"]


def test_a_requirement_that_fails_alone_is_a_fault(make: Make) -> None:
    game = make({}, more=(
        ("game.yaml", "    requires:\n",
         "    requires:\n"
         "      - {that: \"top(taken[actor]).points > 0\", otherwise: no top, rule: \"2.3\"}\n"),
    ))
    state = game.initial_state(Seeded(0))
    action = game.action_from_json({"actor": "p1", "move": "take", "args": {"card": "red-two"}})
    for ask in (state.legal_actions, lambda: state.broken(action)):
        with pytest.raises(SpecError) as caught:
            ask()
        assert caught.value.code == "engine.fault"


def test_an_actor_is_asked_once(make: Make) -> None:
    game = make({}, more=(("game.yaml", 'actors: "[turn]"', 'actors: "[turn, turn]"'),))
    state = game.initial_state(Seeded(0))
    assert state.actors() == ["p1"]
    assert len(state.legal_actions()) == 2


def test_actors_that_fail_are_a_fault(make: Make) -> None:
    game = make({}, more=(
        ("game.yaml", 'actors: "[turn]"', 'actors: "[players.first(p, false)]"'),
    ))
    state = game.initial_state(Seeded(0))
    with pytest.raises(SpecError) as caught:
        state.actors()
    assert caught.value.code == "engine.fault"


def test_where_nobody_may_act_the_game_goes_on(make: Make) -> None:
    game = make({}, more=(
        ("game.yaml", 'actors: "[turn]"\n', 'actors: "[turn].filter(p, p != players[0])"\n'
                                            "      none: pass_on\n"),
    ))
    assert game.initial_state(Seeded(0)).actors() == ["p2"]


def test_steps_that_do_not_end(make: Make) -> None:
    game = make({}, more=(
        ("game.yaml", 'actors: "[turn]"\n', 'actors: "[]"\n      none: pass_on\n'),
    ))
    with pytest.raises(SpecError, match="automatic steps do not end"):
        game.initial_state(Seeded(0))


def test_going_through_the_whole_minimal_game(make: Make) -> None:
    state = make({}).initial_state(Seeded(0))
    plies = 0
    while not state.is_terminal:
        check_copies(state)
        state = state.child(state.legal_actions()[0], Tape([]))
        plies += 1
    assert plies == 4
    assert state.outcome() == {"winners": ["p1", "p2"], "returns": {"p1": 3, "p2": 3}}
    back = state.game.state_from_json(state.to_json())
    assert back == state
    assert back.outcome() == state.outcome()
