"""Expressions that may fail are evaluated where the spec has them, and only there."""

from __future__ import annotations

import pytest
from engine.test_explain import QUESTIONS, clause
from engine.tiny import move, tiny, with_state

from ludex.engine import Game
from ludex.engine.failing import Functions, may_fail

GO = """  go:
    title: Go
    RULE
    params: {n: {in: "range(3)", RULE}}
    requires:
      - {that: "n < size(numbers)", otherwise: too far, RULE}
      - {that: "numbers[0] > 0", otherwise: too low, RULE}
    do: [{set: {over: "true"}, RULE}]
end:
"""


@pytest.fixture(scope="module")
def game(tmp_path_factory: pytest.TempPathFactory) -> Game:
    body = QUESTIONS.replace("end:\n", GO).replace("[wait]", "[wait, go]")
    cards = "{a: {value: 1, twin: b}, b: {value: 2, twin: null}}"
    return Game(tiny(tmp_path_factory.mktemp("failing") / "game", body, cards=cards))


@pytest.mark.parametrize(
    ("text", "fails"),
    [
        ("1 + 2 == n_players", False),
        ("size(numbers) == 0 && size(bag[players[0]]) > 1", True),
        ("players.all(p, size(bag[p]) == 0)", False),
        ("Side.exists(s, worth[s] == maybe)", False),
        ("Side.exists(s, place[s].value == 1)", True),
        ("Card.map(c, c.value)", False),
        ("Card.map(c, c.twin)", False),
        ("Card.map(c, c.twin.value)", True),
        ("maybe == null", False),
        ("maybe.or(2) + 1", False),
        ("maybe + 1", True),
        ("size(place['left'])", False),
        ("size(several)", True),
        ("size(numbers) / 2", False),
        ("2 / size(numbers)", True),
        ("numbers.sum(n, n)", False),
        ("numbers.max(n, n)", True),
        ("min(numbers)", True),
        ("min(1, size(numbers))", False),
        ("top(numbers)", True),
        ("second(numbers)", True),
        ("first_of(1, 2)", False),
        ("first_of(maybe, 2)", True),
        ("bag[who]", True),
        ("note.count", True),
        ("over ? numbers[0] : 1", True),
        ("[1, numbers[2]]", True),
        ("Note{count: numbers[0], side: 'left'}", True),
        ("note == Note{count: 1, side: 'left'}", False),
        ("next_player(who)", True),
        ("numbers.first(n, n > 1)", False),
    ],
)
def test_what_may_fail(game: Game, text: str, fails: bool) -> None:
    functions = Functions(game.document["functions"])
    assert may_fail(clause(game, text)["tree"], functions) == fails


def test_a_requirement_is_not_tested_before_the_one_it_leans_on(game: Game) -> None:
    """The second has no argument in it, but only makes sense where the first holds."""
    for numbers, legal in (([], []), ([0], []), ([1], [0]), ([1, 5], [0, 1])):
        state = with_state(game, numbers=numbers)
        assert [m["args"]["n"] for m in state.legal_json() if m["move"] == "go"] == legal
        for n in range(3):
            broken = state.broken(game.action_from_json(move("p1", "go", n=n)))
            assert (broken == []) == (n in legal)
