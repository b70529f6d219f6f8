"""A spec that was accepted stays bounded: no move takes for ever, or all the memory there is."""

from __future__ import annotations

import copy
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from engine.tiny import tiny

from ludex.authoring.document import load_document
from ludex.engine import Game, Seeded
from ludex.engine.budget import BUDGET
from ludex.engine.cost import Costs
from ludex.engine.enumerate import move_branches
from ludex.engine.explain import Explainer
from ludex.errors import LudexError, SpecError, SpecErrors

ROOT = Path(__file__).resolve().parents[2]
#: Of wall time; a busy machine is slow, but what is not bounded takes for ever.
SECONDS = 60.0

BODY = """
types:
  Side: [a, b, c, d, e, f, g, h]
  Card: {columns: {}, RULE}
state:
  over: {type: bool, visible_to: everyone, RULE}
  n: {type: int, init: 1000000000, visible_to: everyone, RULE}
  x: {type: int, init: 3, visible_to: everyone, RULE}
  l: {type: list(int), init: [1, 2], visible_to: everyone, RULE}
  zone: {type: bag(Card), visible_to: everyone, RULE}
  other: {type: bag(Card), visible_to: everyone, RULE}
  row: {type: list(stack(Card)), visible_to: everyone, RULE}
STATE
setup:
  - fill: {zone: zone, count: "FILL"}
    RULE
functions:
  one: {type: int, is: "1"}
FUNCTIONS
effects:
  back:
    RULE
    do:
      - move: {all: true, from: other, to: zone}
EFFECTS
flow:
  start: choose
  steps:
    choose: {RULE, actors: "[players[0]]", moves: [go, idle]}
    round_about:
      RULE
      do:
        - set: {x: "x + 1"}
        - add: {to: l, value: "1"}
        - goto: round_again
    round_again:
      RULE
      do:
        - goto: round_about
moves:
  go:
    title: Go
    RULE
    params: {PARAMS}
    requires: [REQUIRES]
    do:
      - set: {over: "true"}
DO
  idle:
    title: Do everything else
    RULE
    do:
      - do: "back()"
      LAST
      - goto: round_about
end:
  - {when: "over", winners: "[]", RULE}
"""


def bomb(
    folder: Path,
    do: str = "",
    *,
    state: str = "",
    functions: str = "",
    effects: str = "",
    params: str = "",
    requires: str = "",
    fill: str = "2",
) -> dict[str, Any]:
    """Return the document of a game with something large in it."""
    lines = "\n".join(f"      {line}" for line in do.splitlines())
    body = BODY.replace("DO", lines).replace("STATE", state).replace("FUNCTIONS", functions)
    body = body.replace("EFFECTS", effects).replace("PARAMS", params).replace("FILL", fill)
    body = body.replace("REQUIRES", requires).replace("LAST", '- do: "e60()"' if effects else "")
    cards = "{" + ", ".join(f"c{i}: {{}}" for i in range(60)) + "}"
    return tiny(folder / "game", body, cards=cards)


def doubling(kind: str) -> str:
    """Return 60 functions or effects, each of which calls the one before it twice."""
    if kind == "function":
        first = '  f0: {params: {q: int}, type: int, is: "q + x"}\n'
        each = '  f%d: {params: {q: int}, type: int, is: "f%d(q) + f%d(q)"}\n'
    else:
        first = '  e0: {RULE, do: [{set: {x: "1"}}]}\n'
        each = '  e%d: {RULE, do: [{do: "e%d()"}, {do: "e%d()"}]}\n'
    return first + "".join(each % (i, i - 1, i - 1) for i in range(1, 61))


#: What a move does, and where the engine stops it (a piece of the clause).
MOVES = {
    "a long repeat": '- repeat: "1000000000"\n  do: [{set: {x: "1"}}]',
    "a long repeat of a variable": '- repeat: "n"\n  do: [{set: {x: "1"}}]',
    "loops in loops": "".join(
        "  " * i + f'- each: v{i} in range(1000)\n' + "  " * i + "  do:\n" for i in range(4)
    ) + '          - set: {x: "v3"}',
    "macros in macros":
        '- set: {x: "range(1000).sum(a, range(1000).sum(b, range(1000).sum(c, a + b + c)))"}',
    "a search in a search":
        '- set: {over: "range(9000).exists(a, range(9000).exists(b, b == a * x + 9000))"}',
    "members in members": '- set: {over: "'
        + "".join(f"Card.all(v{i}, " for i in range(9)) + "v0 != v8 || x > 0" + ")" * 9 + '"}',
    "few members in few members, deep": '- set: {over: "'
        + "".join(f"Side.all(v{i}, " for i in range(14)) + "v0 != v13 || x > 0" + ")" * 14 + '"}',
    "a long range": '- set: {x: "range(n).sum(i, i)"}',
    "a long list": '- set: {x: "size(range(n).map(i, i) + l)"}',
    "the sum of a long range": '- set: {x: "sum(range(n))"}',
    "many dice": '- roll: {count: "n", sides: "6", as: dice}',
    "many draws": '- draw: {from: zone, to: zone, count: "n"}',
    "draws that never run out":
        '- draw: {from: zone, to: other, count: "1000000000", when_empty: "back()"}',
    "a list that doubles": '- repeat: "60"\n  do: [{set: {l: "l + l"}}]',
    "a list that grows": '- repeat: "100000"\n  do: [{add: {to: l, value: "1"}}]',
    "names that double": '- let: {v0: "l + l"}\n'
        + "".join(f'- let: {{v{i}: "v{i - 1} + v{i - 1}"}}\n' for i in range(1, 60)),
    "a number squared": '- repeat: "60"\n  do: [{set: {x: "x * x"}}]',
    "a number doubled": '- repeat: "1000000"\n  do: [{set: {x: "x + x"}}]',
    "automatic steps in a circle": "- set: {over: 'false'}\n- goto: round_about",
    "functions": '- set: {x: "f60(1)"}',
    "effects": '- do: "e60()"',
}


def run(document: dict[str, Any]) -> None:
    """Play a move of a game in every way that there is."""
    game = Game(document)
    state = game.initial_state(Seeded(1))
    action = state.legal_actions()[0]
    assert state.broken(action) == []
    state.child(action, Seeded(1))


def stopped(ask: Callable[[], Any]) -> LudexError:
    """Return the error that stops something, which must come in good time."""
    begin = time.monotonic()
    with pytest.raises(LudexError) as caught:
        ask()
    assert time.monotonic() - begin < SECONDS
    return caught.value


@pytest.mark.parametrize("what", MOVES)
def test_a_move_is_bounded(what: str, tmp_path: Path) -> None:
    document = bomb(tmp_path, MOVES[what],
                    functions=doubling("function") if what == "functions" else "",
                    effects=doubling("effect") if what == "effects" else "")
    error = stopped(lambda: run(document))
    assert error.code == "engine.work"
    assert error.place is not None
    # the place is that of the clause, or of what it calls
    lines = (tmp_path / "game/game.yaml").read_text("utf-8").splitlines()
    line = lines[error.place.line - 1]
    assert any(sign in line for sign in ("v0", "repeat", "each", "set", "do:", "roll", "draw",
                                         "let", "add", " is:", "{all"))


def test_setup_is_bounded(tmp_path: Path) -> None:
    for number, fill in enumerate(("1000000000", "n", "200")):
        document = bomb(tmp_path / str(number), fill=fill)
        if fill == "200":
            # 12000 components: 10000 is the most that a zone may begin with
            assert "10000 components" in stopped(lambda d=document: run(d)).message
        else:
            error = stopped(lambda d=document: run(d))
            assert error.code == "engine.work"
            assert error.place is not None


def test_listing_is_bounded(tmp_path: Path) -> None:
    several = ", ".join(f'a{i}: {{in: "range(1000)", RULE}}' for i in range(4))
    for number, params in enumerate((
        several, 'a: {in: "range(n)", RULE}', 'a: {subset: {of: "Card"}, RULE}',
    )):
        game = Game(bomb(tmp_path / str(number), params=params))
        state = game.initial_state(Seeded(1))
        error = stopped(state.legal_actions)
        assert error.code == "engine.work"
        assert error.place is not None


def test_refusing_is_bounded(tmp_path: Path) -> None:
    requires = '{that: "range(n).all(i, i >= 0)", otherwise: not so, RULE}'
    game = Game(bomb(tmp_path, requires=requires))
    state = game.initial_state(Seeded(1))
    assert stopped(state.legal_actions).code == "engine.work"
    assert stopped(lambda: state.broken((0, 0))).code == "engine.work"


def test_ways_that_dice_fall_are_bounded(tmp_path: Path) -> None:
    game = Game(bomb(tmp_path, '- roll: {count: "100", sides: "6", as: dice}'))
    state = game.initial_state(Seeded(1))
    action = state.legal_actions()[0]
    state.child(action, Seeded(1))
    assert stopped(lambda: list(move_branches(state, action))).code == "engine.work"


def test_explaining_is_bounded(tmp_path: Path) -> None:
    requires = '{that: "range(n).all(i, i >= 0)", otherwise: not so, RULE}'
    game = Game(bomb(tmp_path, requires=requires))
    position = game.initial_state(Seeded(1)).position
    that = game.document["moves"][0]["requires"][0]["that"]
    begin = time.monotonic()
    with pytest.raises(Exception, match="rounds of work to explain"):
        Explainer(game.program).why_not(that, position, {"actor": 0})
    assert time.monotonic() - begin < SECONDS


def test_what_is_long_but_within_the_budget_is_played(tmp_path: Path) -> None:
    do = ('- set: {x: "0"}\n- repeat: "100000"\n  do: [{set: {x: "x + 1"}}]\n'
          '- set: {x: "x + range(1000).sum(a, range(100).sum(b, 1))"}')
    state = Game(bomb(tmp_path, do)).initial_state(Seeded(1))
    state.apply_action(state.legal_actions()[0], Seeded(1))
    assert state.to_json()["state"]["x"] == 100_000 + 1000 * 100


def test_each_move_has_a_budget_of_its_own(tmp_path: Path) -> None:
    do = '- set: {over: "false"}\n- repeat: "n / 2500"\n  do: [{set: {x: "0"}}]'
    state = Game(bomb(tmp_path, do)).initial_state(Seeded(1))
    for _ in range(5):
        state.apply_action(state.legal_actions()[0], Seeded(1))
    assert BUDGET < 5 * 400_000


@pytest.mark.parametrize("game", ["poodle-taxi", ROOT / "tests/games/go-fish",
                                  ROOT / "tests/games/connect-four"])
def test_games_that_are_surely_small_do_not_count(game: str | Path) -> None:
    document = load_document(game)
    for players in document["players"]:
        made = Game(document, players)
        assert Costs(document, made.codec, made.options).counted == set()


def test_state_is_bounded(tmp_path: Path) -> None:
    deep = "int"
    for _ in range(8):
        deep = f"map(Side, {deep})"
    with pytest.raises(SpecErrors) as caught:
        bomb(tmp_path, state=f"  deep: {{type: '{deep}', visible_to: everyone, RULE}}")
    error = caught.value.errors[0]
    assert error.code == "spec.too-large"
    assert error.place is not None
    assert error.place.file.endswith("game.yaml")


def test_a_fault_says_where(tmp_path: Path) -> None:
    state = Game(bomb(tmp_path, '- set: {x: "l[n]"}')).initial_state(Seeded(1))
    error = stopped(lambda: state.child(state.legal_actions()[0], Seeded(1)))
    assert error.code == "engine.fault"
    assert error.place is not None
    line = (tmp_path / "game/game.yaml").read_text("utf-8").splitlines()[error.place.line - 1]
    assert "l[n]" in line


def test_fewer_than_no_components_cannot_be_made() -> None:
    document = copy.deepcopy(load_document("poo"))
    document["kinds"]["Card"]["columns"]["copies"]["values"][0] = -1
    with pytest.raises(SpecError, match="-1 components to make"):
        Game(document, 2).initial_state(Seeded(1))
