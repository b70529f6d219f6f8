"""``ludex eval``: values, traces, and errors with a mark under the fault."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from cli.lines import Done, run
from patched import MINIMAL

from ludex.authoring.document import load_document
from ludex.engine import Game, Seeded
from ludex.engine.explain import Explainer
from ludex.engine.trace import MAX_TERMS, Term, trace
from ludex.evaluate import compile_question, question_tree
from ludex.protocol.records import header_of, line_of
from ludex.records import write_record

Capsys = pytest.CaptureFixture[str]
Json = dict[str, Any]


def ask(capsys: Capsys, text: str, *args: object) -> Done:
    return run(capsys, "eval", MINIMAL, text, *args)


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("size(pile)", "4"),
        ("pile", '["blue-one","blue-one","red-two","red-two"]'),
        ("turn", '"p1"'),
        ("next_player(turn)", '"p2"'),
        ("taken", '{"p1":[],"p2":[]}'),
        ("Card.filter(c, c.points > 1)", '["red-two"]'),
        ("Card.first(c, c.points > 2)", "null"),
        ("size(pile) == 4 && rulings.taken_cards == 'open'", "true"),
        ("range(3)", "[0,1,2]"),
        ("points(players[0]) - 1", "-1"),
        ("[]", "[]"),
    ],
)
def test_values_at_the_start(capsys: Capsys, text: str, value: str) -> None:
    assert ask(capsys, text) == Done(f"{value}\n", "", 0)


def test_rulings_and_seeds(capsys: Capsys) -> None:
    assert ask(capsys, "rulings.taken_cards", "--ruling", "taken_cards=closed").out == '"closed"\n'
    one, two = (run(capsys, "eval", "poodle-taxi", "hand", "--seed", s).out for s in (1, 2))
    assert one != two
    assert run(capsys, "eval", "poodle-taxi", "hand", "--seed", 1).out == one


# -- positions and records ---------------------------------------------------------------------


def position(**changes: Any) -> Json:
    state = {"pile": ["blue-one"], "taken": {"p1": ["red-two", "blue-one"], "p2": ["red-two"]},
             "turn": "p2"}
    return {"step": "choose", "state": {**state, **changes.pop("state", {})}, "outcome": None,
            **changes}


def given(capsys: Capsys, folder: Path, value: Any, text: str) -> Done:
    (folder / "p.json").write_text(
        value if isinstance(value, str) else json.dumps(value, indent=1), encoding="utf-8"
    )
    return ask(capsys, text, "--position", folder / "p.json")


def test_a_position(capsys: Capsys, tmp_path: Path) -> None:
    # p1 has a red card for 2 and a blue one for 1
    assert given(capsys, tmp_path, position(), "points(players[0])").out == "3\n"


@pytest.mark.parametrize(
    ("value", "place", "message", "hint"),
    [
        # places are counted in the text as it is indented by one
        (position(state={"pile": ["blue-on"]}), "5:4", "pile[0]: there is no Card 'blue-on'",
         "did you mean 'blue-one'?"),
        (position(step="chose"), "2:10", "there is no step 'chose'", "did you mean 'choose'?"),
        (position(step="pass_on"), "2:10", "somebody decides", "automatic"),
        (position(state={"tern": "p1"}), "17:3", "no variable 'tern'", "did you mean 'turn'?"),
        (position(more=1), "19:2", "unknown key 'more'", "the keys are"),
        (position(step=None), "2:10", "the game is not over", ""),
        ([1], "1:1", "expected a position", "judge RECORD --position FILE"),
        ({"step": "choose", "state": {"pile": []}}, "3:11", "no variable 'taken'", "all of them"),
        ('{"step": 1,}', "1:12", "expected JSON", ""),
        (position(step=None, state={"pile": []}, outcome={"winners": []}), "16:13",
         "the file says the outcome is", ""),
    ],
)
def test_faults_of_a_position(
    capsys: Capsys, tmp_path: Path, value: Any, place: str, message: str, hint: str
) -> None:
    done = given(capsys, tmp_path, value, "turn")
    assert (done.out, done.status) == ("", 2)
    assert done.err.startswith(f"ludex: {tmp_path / 'p.json'}:{place}: ")
    assert message in done.err
    assert hint in done.err


def record(folder: Path, *moves: tuple[str, str]) -> Path:
    lines = [header_of(Game(load_document(MINIMAL)), [])]
    lines += [line_of({"actor": p, "move": "take", "args": {"card": c}}) for p, c in moves]
    write_record(folder / "r.jsonl", lines)
    return folder / "r.jsonl"


def test_the_end_of_a_record(capsys: Capsys, tmp_path: Path) -> None:
    file = record(tmp_path, ("p1", "red-two"), ("p2", "blue-one"))
    assert ask(capsys, "players.map(p, points(p))", "--record", file).out == "[2,1]\n"


def test_a_record_that_is_not_by_the_rules(capsys: Capsys, tmp_path: Path) -> None:
    file = record(tmp_path, ("p2", "red-two"))
    done = ask(capsys, "turn", "--record", file)
    assert done.status == 2
    assert done.err == (
        f"ludex: {file}:2:1: the record is not by the rules from here on [record.move]\n"
        f"    ludex judge {file} says why\n"
    )


def test_options_that_exclude_each_other(capsys: Capsys, tmp_path: Path) -> None:
    file = record(tmp_path)
    assert ask(capsys, "1", "--record", file, "--position", file).status == 2
    assert "how many play" in ask(capsys, "1", "--record", file, "--players", 2).err


# -- errors of the expression ------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "error"),
    [
        ("size(pille) > 1",
         "unknown name 'pille' [expression.unknown-name]\n"
         "    size(pille) > 1\n"
         "         ^\n"
         "    did you mean 'pile'?\n"),
        ("size(pile) >",
         "expected a value, found the end [expression.syntax]\n"
         "    size(pile) >\n"
         "                ^\n"),
        ("pile[0].colour\n == 1",
         None),
        ("top(taken[turn])",
         "the expression asks for what is not there: the top or bottom of what is empty "
         "[usage.fault]\n"
         "    --trace shows which part of it\n"),
    ],
)
def test_one_message_with_a_mark(capsys: Capsys, text: str, error: str | None) -> None:
    done = ask(capsys, text)
    assert (done.out, done.status) == ("", 2)
    if error is not None:
        assert done.err == f"ludex: {error}"
    lines = done.err.splitlines()
    assert 2 <= len(lines) <= 4


def test_a_long_expression_is_cut_around_the_fault(capsys: Capsys) -> None:
    text = " && ".join(["size(pile) == 4"] * 20 + ["size(pille) == 4"] + ["size(pile) == 4"] * 20)
    _, shown, mark, _ = ask(capsys, text).err.splitlines()
    assert len(shown) <= 4 + 70 + 6
    assert shown.startswith("    ...")
    assert shown.endswith("...")
    assert shown[mark.index("^") :].startswith("pille")


# -- traces ----------------------------------------------------------------------------------


def test_a_trace_says_each_part(capsys: Capsys) -> None:
    done = ask(capsys, "size(pile) > 3 && points(turn) == 0", "--trace")
    assert done.out.splitlines() == [
        "true",
        "size(pile) > 3 && points(turn) == 0 = true",
        "  size(pile) > 3 = true",
        "    size(pile) = 4",
        '      pile = ["blue-one","blue-one","red-two","red-two"]',
        "  points(turn) == 0 = true",
        "    points(turn) = 0",
        '      turn = "p1"',
        '      points(p = "p1"): taken[p].sum(c, c.points) = 0',
        "        taken[p] = []",
        '          taken = {"p1":[],"p2":[]}',
    ]


def test_parts_that_are_not_looked_at_are_not_there(capsys: Capsys) -> None:
    out = ask(capsys, "size(pile) == 4 || size(taken[turn]) == 0", "--trace").out
    assert "taken" not in out.split("\n", 2)[2]
    out = ask(capsys, "size(pile) == 4 ? n_players : size(taken[turn])", "--trace").out
    assert "taken" not in out.split("\n", 2)[2]
    assert "  n_players = 2\n" in out


def test_elements_of_a_macro(capsys: Capsys) -> None:
    out = ask(capsys, "Card.exists(c, c.points == 2)", "--trace").out
    assert '  c = "blue-one": c.points == 2 = false\n    c.points = 1\n' in out
    assert '  c = "red-two": c.points == 2 = true\n    c.points = 2\n' in out


def test_the_part_that_fails(capsys: Capsys) -> None:
    done = ask(capsys, "size(pile) == 4 && (Card[7].points == 1 || turn == 'p1')", "--trace")
    assert done.status == 2
    assert done.out.splitlines()[-2:] == [
        "        Card[7] = fails: position 7 of a list of 2",
        '          Card = ["blue-one","red-two"]',
    ]
    assert "turn = " not in done.out


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("top(taken[turn]).points", "the top or bottom of what is empty"),
        ("taken[turn].min(c, c.points)", "the least or the greatest of what is empty"),
        ("Card.first(c, c.points > 2).points", "null where a value is needed"),
        ("1 / size(taken[turn])", "division by zero"),
        ("[1, 2][2]", "position 2 of a list of 2"),
        ("slice([1, 2], 1, 3)", "positions 1 to 3 of a list of 2"),
    ],
)
def test_faults_are_told_in_the_words_of_the_language(
    capsys: Capsys, text: str, words: str
) -> None:
    assert f"what is not there: {words} [usage.fault]" in ask(capsys, text).err


def test_json(capsys: Capsys) -> None:
    value = json.loads(ask(capsys, "n_players + 1", "--trace", "--format", "json").out)
    assert value == {
        "expression": "n_players + 1", "type": "int", "value": 3,
        "trace": {"text": "n_players + 1", "type": "int", "value": 3,
                  "parts": [{"text": "n_players", "type": "int", "value": 2}]},
    }


def terms(term: Term) -> int:
    return 1 + sum(map(terms, term.parts))


def test_a_trace_is_bounded() -> None:
    game = Game(load_document(MINIMAL))
    state = game.initial_state(Seeded(0))
    text = "range(50).all(a, range(50).all(b, range(50).all(c, a + b + c > -1)))"
    tree = question_tree(game, text)
    found = trace(Explainer(game.program), tree, text, state.position)
    assert found.value is True
    assert found.value == compile_question(game, text)(state)
    assert 100 < terms(found) <= MAX_TERMS
