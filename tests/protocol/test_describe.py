"""What an implementer is told: every name, every outcome of chance, a whole game."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest
from engine.games import COUNTS, document, plays, poodle
from jsonschema import Draft202012Validator
from patched import patched

from ludex.authoring.document import load_document
from ludex.engine import Game, Seeded
from ludex.protocol.describe import describe, sample_game
from ludex.protocol.game_schemas import game_schemas
from ludex.protocol.server import Server

COLOURS = ["green", "pink", "red", "blue", "colour-5", "colour-6"]
CARDS = [f"{c}-{a}" for c in COLOURS for a in ("left", "right")]
DRAW = '{"draw": "<Card>", "from": "draw_pile", "to": "hand.<player>"}'


@pytest.mark.parametrize("players", COUNTS)
def test_poodle_taxi(players: int) -> None:
    said = describe(poodle(players), sample=False)
    assert (said["game"], said["edition"]) == ("poodle-taxi", "1")
    assert said["players"] == {"allowed": [2, 3, 4],
                               "here": [f"p{i + 1}" for i in range(players)]}
    assert said["kinds"]["Card"]["ids"] == CARDS
    assert said["kinds"]["Card"]["columns"]["arrow"] == {
        c: c.rpartition("-")[2] for c in CARDS
    }
    assert said["kinds"]["Side"] == {"ids": ["left", "right"]}
    assert said["components"]["counts"] == {"Card": dict.fromkeys(CARDS, players)}
    assert {name: m["args"] for name, m in said["moves"].items()} == {
        "start": {"card": "Card"}, "extend": {"card": "Card", "end": "Side"},
        "cover": {"card": "Card"},
    }
    assert list(said["state"]) == ["draw_pile", "hand", "row", "fleas"]
    assert said["plies"] == 12 * players
    assert said["rulings"]["starter"]["values"] == ["table", "first_seat"]
    assert said["rulings"]["starter"]["question"] == "Who has the first turn?"
    assert said["options"] == {}
    assert "sample_game" not in said
    for digest in ("rules_digest", "text_digest"):
        assert re.fullmatch("sha256:[0-9a-f]{64}", said[digest])


def forms(outcomes: list[str]) -> set[str]:
    """Leave out what is said behind the outcome itself."""
    return {re.split(r"  +", text)[0] for text in outcomes}


def test_chance_of_poodle_taxi() -> None:
    said = describe(poodle(2), sample=False)
    assert forms(said["setup_chance"]) == {
        DRAW, '{"pick": "<one of players>", "of": "first_player"}'
    }
    assert "rulings.starter" in said["setup_chance"][1]
    for move in said["moves"].values():
        # the draw is in a step behind the move
        assert forms(move["chance"]) == {DRAW}


@pytest.mark.parametrize("players", COUNTS)
def test_every_outcome_of_a_game_was_announced(players: int) -> None:
    game = poodle(players)
    said = describe(game, sample=False)

    def general(outcome: dict[str, Any]) -> str:
        if "pick" in outcome:
            return json.dumps({"pick": "<one of players>", "of": outcome["of"]})
        zone, _, _ = outcome["to"].partition(".")
        return json.dumps({"draw": "<Card>", "from": outcome["from"], "to": f"{zone}.<player>"})

    for _, action, tape in plays(game, 2):
        announced = (
            said["setup_chance"] if action is None
            else said["moves"][game.action_to_json(action)["move"]]["chance"]
        )
        assert {general(o) for o in tape} <= forms(announced)


def variant(tmp_path: Path, *patches: tuple[str, str]) -> dict[str, Any]:
    folder = patched(tmp_path / "two-piles", *(("game.yaml", old, new) for old, new in patches))
    return describe(Game(load_document(folder)), sample=False)


def test_a_game_without_chance(tmp_path: Path) -> None:
    said = variant(tmp_path)
    assert said["setup_chance"] == []
    assert said["moves"]["take"]["chance"] == []
    # the state of bookkeeping is nobody's business
    assert list(said["state"]) == ["pile", "taken"]
    seen = said["state"]["taken"]["visible_to"]
    assert seen == "ruling taken_cards (open: everyone, closed: owner)"


DEALS = '      - draw: {from: pile, to: "taken[players[0]]"}\n        rule: "1.3"\n'


def test_chance_of_the_first_step_belongs_to_the_setup(tmp_path: Path) -> None:
    said = variant(
        tmp_path, ("start: choose\n  steps:\n",
                   'start: deal\n  steps:\n    deal:\n      rule: "1.3"\n      do:\n  '
                   + DEALS.replace("\n", "\n  ") + "      - goto: choose\n"),
    )
    outcome = '{"draw": "<Card>", "from": "pile", "to": "taken.<player>"}'
    assert forms(said["setup_chance"]) == {outcome}
    assert said["moves"]["take"]["chance"] == []


def test_chance_behind_a_step_where_nobody_may_act(tmp_path: Path) -> None:
    said = variant(
        tmp_path,
        ('actors: "[turn]"\n', 'actors: "[turn].filter(p, size(taken[p]) < 2)"\n'
                               "      none: deal\n"),
        ("    pass_on:\n", '    deal:\n      rule: "1.3"\n      do:\n  '
         + DEALS.replace("\n", "\n  ") + "      - goto: choose\n    pass_on:\n"),
    )
    outcome = '{"draw": "<Card>", "from": "pile", "to": "taken.<player>"}'
    assert forms(said["moves"]["take"]["chance"]) == {outcome}
    assert forms(said["setup_chance"]) == {outcome}


def test_chance_in_a_case_of_a_match(tmp_path: Path) -> None:
    said = variant(
        tmp_path,
        ('      - do: "keep(actor, card)"\n',
         '      - do: "keep(actor, card)"\n      - match: card.colour\n        cases:\n'
         '          blue:\n            - roll: {count: "1", sides: "6", as: dice}\n'
         '              rule: "2.2"\n        else: [{goto: pass_on}]\n'),
    )
    assert said["moves"]["take"]["chance"] == ['{"roll": [...]}  1 dice of 6 sides']


def test_chance_behind_an_empty_zone(tmp_path: Path) -> None:
    said = variant(
        tmp_path,
        ('      - do: "keep(actor, card)"\n',
         '      - do: "keep(actor, card)"\n'
         '      - draw: {from: pile, to: "taken[actor]", when_empty: "again()"}\n'
         '        rule: "2.2"\n'),
        ("\nend:\n", '  again:\n    rule: "2.2"\n    do:\n'
                     '      - roll: {count: "1", sides: "6", as: dice}\n\nend:\n'),
    )
    outcome = '{"draw": "<Card>", "from": "pile", "to": "taken.<player>"}'
    assert set(said["moves"]["take"]["chance"]) == {outcome, '{"roll": [...]}  1 dice of 6 sides'}


@pytest.mark.parametrize("players", COUNTS)
def test_the_sample_game_is_what_the_reference_answers(players: int) -> None:
    game = poodle(players)
    lines = describe(game)["sample_game"]
    assert lines == sample_game(game)
    assert [line["request"]["method"] for line in lines] == [
        "new_game", *["apply"] * (12 * players), "end_game"
    ]
    server = Server(document(), "0")
    for line in lines:
        answer = json.loads(server.answer(json.dumps(line["request"]).encode()))
        assert answer == line["response"]


def test_a_sample_may_be_cut_short() -> None:
    lines = sample_game(poodle(2), seed=4, plies=3)
    assert [line["request"]["method"] for line in lines] == ["new_game"] + ["apply"] * 3 + [
        "end_game"
    ]
    assert sample_game(poodle(2), seed=4) != sample_game(poodle(2), seed=5)


def validator(schemas: dict[str, Any], name: str) -> Draft202012Validator:
    return Draft202012Validator({**schemas, "$ref": f"#/$defs/{name}"})


@pytest.mark.parametrize("players", COUNTS)
def test_the_schemas_fit_every_position_of_a_game(players: int) -> None:
    game = poodle(players, flea_count="hidden")
    schemas = game_schemas(game)
    Draft202012Validator.check_schema(schemas)
    state_, seen, move = (validator(schemas, n) for n in ("state", "observation", "move"))
    for state, _, _ in plays(game, 6):
        state_.validate(state.table())
        seen.validate(state.observation("p1"))
        for legal in state.legal_json():
            move.validate(legal)


@pytest.mark.parametrize(
    "wrong",
    [{"actor": "p3", "move": "start", "args": {"card": "green-left"}},
     {"actor": "p1", "move": "stop", "args": {"card": "green-left"}},
     {"actor": "p1", "move": "start", "args": {"card": "grey-left"}},
     {"actor": "p1", "move": "start", "args": {}},
     {"actor": "p1", "move": "start", "args": {"card": "green-left", "end": "left"}},
     {"actor": "p1", "move": "extend", "args": {"card": "green-left", "end": "up"}},
     {"actor": "p1", "move": "start", "args": {"card": "green-left"}, "note": "x"},
     {"actor": "p1", "move": "start"}],
)
def test_the_schemas_refuse_what_is_no_move(wrong: dict[str, Any]) -> None:
    assert not validator(game_schemas(poodle(2)), "move").is_valid(wrong)


def test_the_schemas_refuse_what_is_no_state() -> None:
    table = poodle(2).initial_state(Seeded(1)).table()
    check = validator(game_schemas(poodle(2)), "state")
    assert check.is_valid(table)
    for change in ({"row": ["green-left"]}, {"row": [["x"]]}, {"hand": {"p1": []}},
                   {"draw_pile": {"count": 3}}, {"turn": "p1"}):
        assert not check.is_valid({**table, **change}), change
    assert not check.is_valid({k: v for k, v in table.items() if k != "row"})
