"""The commands games, test, describe, schema and serve: what they print, and their status."""

from __future__ import annotations

import functools
import json
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from patched import MINIMAL, patched

from ludex import cli
from ludex.authoring import document

LUDEX = [sys.executable, "-c", "from ludex.cli import main; main()"]


class Ran:
    """What a command did."""

    def __init__(self, status: Any, out: str, err: str) -> None:
        self.status, self.out, self.err = status, out, err


@pytest.fixture
def run(monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]) -> Any:
    """Run a command in this process, as the console script would."""

    def run(*args: str) -> Ran:
        monkeypatch.setattr(sys, "argv", ["ludex", *args])
        with pytest.raises(SystemExit) as caught:
            cli.main()
        out, err = capfd.readouterr()
        return Ran(caught.value.code, out, err)

    return run


@pytest.fixture(autouse=True)
def _folders_are_read_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(document, "load_document", _load)


_load = functools.cache(document.load_document)


# -- games -----------------------------------------------------------------------------------------


def test_games(run: Any) -> None:
    ran = run("games")
    assert (ran.status, ran.err) == (0, "")
    assert "poodle-taxi  Poodle Taxi, edition 1, 2-4 players, component sets: small, standard\n" \
        in ran.out


# -- test ------------------------------------------------------------------------------------------


def test_examples_that_hold(run: Any) -> None:
    ran = run("test", str(MINIMAL))
    assert (ran.status, ran.out, ran.err) == (0, "2 of 2 examples hold\n", "")
    ran = run("test", str(MINIMAL), "-v")
    assert ran.out.splitlines() == [
        "ok      a-whole-game: Both take both colours",
        "ok      closed-cards: Only the owner sees what was taken",
        "2 of 2 examples hold",
    ]
    ran = run("test", str(MINIMAL), "--example", "closed-cards")
    assert ran.out == "1 of 1 examples hold\n"


FAILURES = [
    # in examples.yaml: old, new, the line of the step, what is said
    ("      - actors: [p1]\n", "      - actors: [p2]\n", 10, "the actors differ",
     ["p2"], ["p1"]),
    ("pile: [blue-one, blue-one,", "pile: [blue-one,", 11, "pile differs",
     ["blue-one", "red-two", "red-two"], ["blue-one", "blue-one", "red-two", "red-two"]),
    ("p1: [red-two]}}}\n      - play", "p1: [blue-one]}}}\n      - play", 13,
     "p2: taken.p1 differs", ["blue-one"], ["red-two"]),
    ('args: {card: red-two}, rule: "2.2"}', 'args: {card: blue-one}, rule: "2.2"}', 15,
     "a move that must be refused is legal", "2.2", "legal"),
    ('args: {card: red-two}, rule: "2.2"}', 'args: {card: red-two}, rule: "2.1"}', 15,
     "the move is refused by another rule", "2.1", ["2.2"]),
    ("points(players[1]) == 2", "points(players[1]) == 3", 17,
     "points(players[0]) == 3 && points(players[1]) == 3 does not hold", True, False),
    ("points(players[1]) == 2", "points(players[2]) == 2", 17,
     "points(players[0]) == 3 && points(players[2]) == 2 cannot be answered: "
     "position 2 of a list of 2", True, None),
    ("points(players[1]) == 2", "min(range(0)) == 2", 17,
     "points(players[0]) == 3 && min(range(0)) == 2 cannot be answered: "
     "the least or the greatest of what is empty", True, None),
    ("points(players[1]) == 2", "range(1000000000).all(i, i >= 0)", 17,
     "points(players[0]) == 3 && range(1000000000).all(i, i >= 0) cannot be answered: "
     "more than 1000000 rounds of work to explain", True, None),
    ("- outcome: null", "- outcome: {winners: [p1]}", 18, "the outcome differs",
     {"winners": ["p1"]}, None),
    ("winners: [p1, p2]", "winners: [p1]", 20, "outcome.winners differs", ["p1"], ["p1", "p2"]),
    ("returns: {p1: 3, p2: 3}", "returns: {p1: 3, p2: 4}", 20, "outcome.returns.p2 differs", 4, 3),
]


@pytest.mark.parametrize(("old", "new", "line", "message", "expected", "found"), FAILURES)
def test_an_example_that_fails(
    run: Any, tmp_path: Path, old: str, new: str, line: int, message: str, expected: Any, found: Any
) -> None:
    folder = patched(tmp_path / "two-piles", ("examples.yaml", old, new))
    ran = run("test", str(folder))
    assert ran.status == 1
    lines = ran.out.splitlines()
    assert lines[0] == "FAILED  a-whole-game: Both take both colours"
    assert re.fullmatch(
        re.escape(f"    {folder}/examples.yaml:{line}:") + r"\d+: " + re.escape(message), lines[1]
    ), lines[1]
    assert lines[2] == f"        expected {json.dumps(expected)}"
    assert lines[3] == f"        found    {json.dumps(found)}"
    assert lines[-1] == "1 of 2 examples hold"
    report = json.loads(run("test", str(folder), "--format", "json").out)
    assert report["failed"] == 1
    assert report["examples"][1] == {"example": "closed-cards", "failures": []}
    assert report["examples"][0]["failures"][0] == {
        "example": "a-whole-game", "step": line - 10, "message": message,
        "expected": expected, "found": found,
    }


WORDS = [
    # examples that cannot even be asked: old, new, what is said
    ("of: p2, state: {taken: {p1: [red-two]}}", "of: p3, state: {taken: {}}",
     "there is no player 'p3'"),
    ("actor: p1, move: take, args: {card: red-two}}\n      - view",
     "actor: p9, move: take, args: {card: red-two}}\n      - view", "there is no player 'p9'"),
    ("actor: p1, move: take, args: {card: red-two}}\n      - view",
     "actor: p1, move: tale, args: {card: red-two}}\n      - view", "there is no move 'tale'"),
    ("actor: p1, move: take, args: {card: red-two}}\n      - view",
     "actor: p1, move: take, args: {card: red-three}}\n      - view",
     "card: there is no Card 'red-three'"),
    ("    setup: []\n", "    setup: [{roll: [3]}]\n", "1 outcome(s) left over: {'roll': [3]}"),
    ("points(players[1]) == 2", "pionts(players[1]) == 2", "unknown function 'pionts'"),
    ("      state: {turn: p1, taken: {p1: [red-two]}}",
     "      state: {turn: p1, taken: {p3: [red-two]}}", "taken has no key 'p3'"),
    ("      state: {turn: p1, taken: {p1: [red-two]}}",
     "      state: {trun: p1, taken: {p1: [red-two]}}", "there is no variable 'trun'"),
    ("      state: {turn: p1, taken: {p1: [red-two]}}",
     "      state: {turn: p1, taken: {p1: [red-two, red-two, red-two]}}",
     "the example has 3 of red-two, the game only 2"),
    ("      rest: pile\n", "", "3 components are nowhere"),
    ("      rest: pile\n", "      rest: heap\n", "rest: 'heap' is no zone"),
    ("      step: choose\n", "      step: chose\n", "there is no step 'chose'"),
    ("      step: choose\n", "      step: pass_on\n", "expected a step where somebody decides"),
    ("rulings: {taken_cards: closed}", "rulings: {taken_cards: shut}",
     "ruling taken_cards has no value 'shut'"),
    ("    title: Only the owner sees what was taken\n",
     "    title: Only the owner sees what was taken\n    components: small\n",
     "no component set 'small'"),
]


@pytest.mark.parametrize(("old", "new", "message"), WORDS)
def test_an_example_that_cannot_be_asked(
    run: Any, tmp_path: Path, old: str, new: str, message: str
) -> None:
    ran = run("test", str(patched(tmp_path / "two-piles", ("examples.yaml", old, new))))
    assert (ran.status, ran.err) == (1, "")
    assert message in ran.out
    assert ran.out.splitlines()[-1] in ("1 of 2 examples hold", "0 of 2 examples hold")


def test_only_the_number_of_players_makes_a_game_that_cannot_start(
    run: Any, tmp_path: Path
) -> None:
    example = """
  - {id: alone, title: Nobody plays alone, pins: ["1.1"], players: %d,
     cannot_start: "1.1", steps: []%s}
"""
    end = '      - refuse: {actor: p1, move: take, args: {card: red-two}, rule: "2.4"}\n'
    for players, more, status in ((1, "", 0), (2, "", 1), (2, ", rulings: {x: y}", 1)):
        folder = patched(tmp_path / f"{players}{len(more)}",
                         ("examples.yaml", end, end + example % (players, more)))
        assert run("test", str(folder), "--example", "alone").status == status


# -- describe -------------------------------------------------------------------------------------


def exchanges(out: str) -> list[str]:
    """Return the methods of the requests that are shown, and a number for those left out."""
    found = []
    for line in out.splitlines():
        if line.startswith("> "):
            found.append(json.loads(line[2:])["method"])
        elif line.startswith("  ") and "left out" in line:
            found.append(line.split()[0])
    return found


def test_of_a_long_game_the_first_moves_and_the_last_are_described(run: Any) -> None:
    """Two players: 24 moves, of which the first three and the last are shown."""
    short = run("describe", "poodle-taxi", "--players", "2").out
    assert exchanges(short) == ["new_game", *["apply"] * 3, "20", "apply", "end_game"]
    whole = run("describe", "poodle-taxi", "--players", "2", "--whole").out
    assert exchanges(whole) == ["new_game", *["apply"] * 24, "end_game"]
    assert set(short.splitlines()) - set(whole.splitlines()) == {
        "  20 moves are left out here; --whole shows them"
    }
    assert exchanges(run("describe", "poodle-taxi", "--no-sample").out) == []
    found = json.loads(run("describe", "poodle-taxi", "--players", "2", "--format", "json").out)
    assert [e["request"]["id"] for e in found["sample_game"]] == [1, 2, 3, 4, 25, 26]
    assert found["sample_left_out"] == 20


def test_a_short_game_is_described_whole(run: Any) -> None:
    """Four cards, one a turn: the start, four moves and the end are one more than is cut short."""
    out = run("describe", str(MINIMAL)).out
    assert exchanges(out) == ["new_game", *["apply"] * 4, "end_game"]


# -- wrong input -----------------------------------------------------------------------------------

WRONG: list[tuple[list[str], str]] = [
    (["test", "poodle-tax"], "ludex: no game 'poodle-tax' [usage.unknown-game]\n"
                             "    did you mean 'poodle-taxi'?\n"),
    (["test", ""], "[usage.unknown-game]"),
    (["test", "x" * 5000], "[usage.unknown-game]"),
    (["test", "a/b/c"], "[usage.unknown-game]"),
    (["test", "/"], "ludex: the folder '/' has no game.yaml [usage.unknown-game]"),
    (["test", __file__], "[usage.unknown-game]"),
    (["test", "poodle-taxi", "--example", "start-for-tow"],
     "ludex: there is no example 'start-for-tow' [usage.unknown-example]\n"
     "    did you mean 'start-for-two'?\n"),
    (["describe", "poodle-taxi", "--players", "7"],
     "ludex: Poodle Taxi is for 2, 3, 4 players (rule 1.1), found 7 [usage.players]\n"),
    (["describe", "poodle-taxi", "--players", "two"], "'two' is not a valid integer"),
    (["describe", "poodle-taxi", "--ruling", "starter"],
     "ludex: expected NAME=VALUE, found 'starter' [usage.setting]"),
    (["describe", "poodle-taxi", "--ruling", "stater=table"],
     "ludex: there is no ruling 'stater' [usage.unknown-ruling]\n    did you mean 'starter'?\n"),
    (["describe", "poodle-taxi", "--ruling", "starter=anybody"],
     "ludex: ruling starter has no value 'anybody' [usage.ruling-value]\n"
     "    the values are table, first_seat\n"),
    (["describe", "poodle-taxi", "--components", "smal"],
     "ludex: no component set 'smal' [usage.unknown-components]\n    did you mean 'small'?\n"),
    (["describe", "poodle-taxi", "--components", "/"], "[usage.unknown-components]"),
    (["describe", "poodle-taxi", "--components", "y" * 5000], "[usage.unknown-components]"),
    (["describe", "poodle-taxi", "--components", __file__], "test_commands.py:"),
    (["describe", "poodle-taxi", "--format", "yaml"], "'yaml' is not one of"),
    (["schema", "poodle-taxi", "--players", "1"], "[usage.players]"),
    (["serve", "nothing"], "[usage.unknown-game]"),
    (["serve", "poodle-taxi", "--seed", "x"], "'x' is not a valid integer"),
    (["games", "more"], "unexpected extra argument"),
    (["tset"], "No such command 'tset'"),
    (["describe"], "Missing argument 'GAME'"),
    (["--nothing"], "No such option"),
]


@pytest.mark.parametrize(("args", "message"), WRONG, ids=[" ".join(a)[:40] for a, _ in WRONG])
def test_wrong_input_gives_one_clear_error(run: Any, args: list[str], message: str) -> None:
    ran = run(*args)
    assert ran.status == 2
    assert ran.out == ""
    assert message in ran.err
    assert "Traceback" not in ran.err


@pytest.mark.parametrize("command", ["test", "describe", "schema", "serve"])
def test_a_faulty_spec(run: Any, tmp_path: Path, command: str) -> None:
    folder = patched(tmp_path / "two-piles", ("game.yaml", "size(pile) == 0", "size(pole) == 0"),
                     ("game.yaml", "points(player)", "pionts(player)"))
    ran = run(command, str(folder))
    assert ran.status == 2
    assert ran.out == ""
    # every fault, each with its place
    assert ran.err == (
        f"ludex: {folder}/game.yaml:77:17: unknown name 'pole' [expression.unknown-name]\n"
        "    did you mean 'pile'?\n"
        f"{folder}/game.yaml:79:15: unknown function 'pionts' [expression.unknown-function]\n"
        "    did you mean 'points'?\n"
    )


def test_a_faulty_component_file(run: Any, tmp_path: Path) -> None:
    file = tmp_path / "mine.yaml"
    file.write_text("set: mine\n", encoding="utf-8")
    ran = run("describe", str(MINIMAL), "--components", str(file))
    assert ran.status == 2
    assert f"ludex: {file}:1:1: missing key 'title'" in ran.err


# -- describe, schema ----------------------------------------------------------------------------


def test_describe_in_words(run: Any) -> None:
    ran = run("describe", "poodle-taxi", "--players", "3", "--whole")
    assert (ran.status, ran.err) == (0, "")
    lines = ran.out.splitlines()
    assert lines[0] == "Poodle Taxi (poodle-taxi, edition 1)"
    assert "players     p1, p2, p3 in turn order (allowed: 2, 3, 4)" in lines
    assert "length      at most 36 moves, in the setting that was asked for" in lines
    assert "  Side: left, right" in lines
    assert any(line.startswith("  extend {card: Card, end: Side}") for line in lines)
    sent = [json.loads(line[2:]) for line in lines if line.startswith("> ")]
    answered = [json.loads(line[2:]) for line in lines if line.startswith("< ")]
    assert len(sent) == len(answered) == 1 + 36 + 1
    assert answered[36]["result"]["outcome"] is not None
    short = run("describe", "poodle-taxi", "--players", "3", "--no-sample").out
    assert ran.out.startswith(short)
    assert "\n> " not in short


def test_describe_as_json(run: Any) -> None:
    ran = run("describe", str(MINIMAL), "--format", "json", "--ruling", "taken_cards=closed")
    value = json.loads(ran.out)
    assert value["game"] == "two-piles"
    assert value["sample_game"][0]["request"]["params"]["rulings"] == {"taken_cards": "closed"}
    assert "sample_game" not in json.loads(
        run("describe", str(MINIMAL), "--format", "json", "--no-sample").out
    )


def test_a_component_set_of_ones_own(run: Any, tmp_path: Path) -> None:
    file = tmp_path / "mine.yaml"
    text = (MINIMAL / "components" / "standard.yaml").read_text(encoding="utf-8")
    file.write_text(text.replace("set: standard", "set: mine").replace("red-two", "red-nine"),
                    encoding="utf-8")
    value = json.loads(run("describe", str(MINIMAL), "--format", "json", "--components",
                           str(file)).out)
    assert value["components"]["id"] == "mine"
    assert value["kinds"]["Card"]["ids"] == ["blue-one", "red-nine"]


def test_schema(run: Any) -> None:
    ran = run("schema", "poodle-taxi", "--players", "4")
    value = json.loads(ran.out)
    assert value["$defs"]["player"] == {"enum": ["p1", "p2", "p3", "p4"]}
    assert [m["properties"]["move"]["const"] for m in value["$defs"]["move"]["oneOf"]] == [
        "start", "extend", "cover"
    ]


def test_options_are_described_as_messages_spell_them(run: Any) -> None:
    said = run("describe", "taxi-wildlife", "--option", "two_player_variant=true").out
    assert "\n  two_player_variant = false | true  [default false]  The variant for two" in said
    # the variant has no bound
    assert "\nlength " not in said


def test_help_and_version(run: Any) -> None:
    ran = run("--version")
    assert ran.status == 0
    assert re.fullmatch(r"ludex \d+\.\d+\.\d+\n", ran.out)
    for command in ("games", "test", "describe", "schema", "serve"):
        ran = run(command, "--help")
        assert ran.status == 0
        assert ran.out.startswith(f"Usage: ludex {command} ")


# -- serve ---------------------------------------------------------------------------------------


def serve(data: bytes, *args: str) -> tuple[list[dict[str, Any]], int, bytes]:
    """Send everything at once, and return the answers, the status and the log."""
    done = subprocess.run([*LUDEX, "serve", str(MINIMAL), *args], input=data, capture_output=True,
                          timeout=60, check=False)
    lines = done.stdout.split(b"\n")
    assert lines.pop() == b""
    return [json.loads(line) for line in lines], done.returncode, done.stderr


def line(number: int, method: str, **params: Any) -> bytes:
    return json.dumps(
        {"jsonrpc": "2.0", "id": number, "method": method, "params": params}
    ).encode() + b"\n"


NEW = {"game_id": "g", "game": "two-piles", "edition": "1", "players": 2, "chance": []}


def test_serving_a_whole_game() -> None:
    moves = [("p1", "red-two"), ("p2", "red-two"), ("p1", "blue-one"), ("p2", "blue-one")]
    data = line(1, "hello", protocol=1) + line(2, "new_game", **NEW)
    for number, (actor, card) in enumerate(moves, 3):
        data += line(number, "apply", game_id="g",
                     move={"actor": actor, "move": "take", "args": {"card": card}})
    answers, status, log = serve(data + line(7, "bye") + line(8, "hello", protocol=1))
    assert (status, log) == (0, b"")
    # what comes behind bye is not answered
    assert [a["id"] for a in answers] == [1, 2, 3, 4, 5, 6, 7]
    assert answers[5]["result"]["outcome"] == {"winners": ["p1", "p2"],
                                               "returns": {"p1": 3, "p2": 3}}


def test_serving_ends_with_its_input() -> None:
    answers, status, log = serve(line(1, "hello", protocol=1))
    assert (len(answers), status, log) == (1, 0, b"")
    assert serve(b"")[:2] == ([], 0)
    # half a line is no request
    assert serve(b'{"jsonrpc"')[:2] == ([], 0)


def test_serving_through_rubbish() -> None:
    longest = b'{"jsonrpc":"2.0","id":4,"method":"' + b"x" * (1 << 20) + b'"}\n'
    longer = b'"' + b"y" * (3 << 20) + b'"\n'
    deep = b"[" * 100_000 + b"]" * 100_000 + b"\n"
    data = b"\xff\xfe\n" + b"{]\r\n" + longest + longer + deep + line(9, "hello", protocol=1)
    answers, status, log = serve(data)
    assert (status, log) == (0, b"")
    assert [a.get("error", {}).get("code") for a in answers] == [-32700] * 5 + [None]
    assert answers[-1]["id"] == 9


def test_serving_with_a_seed() -> None:
    report = {**NEW, "game": "poodle-taxi", "chance": None}
    tapes = []
    for seed in ("1", "1", "2"):
        done = subprocess.run([*LUDEX, "serve", "poodle-taxi", "--seed", seed],
                              input=line(1, "new_game", **report), capture_output=True,
                              timeout=60, check=True)
        tapes.append(json.loads(done.stdout)["result"]["chance"])
    assert tapes[0] == tapes[1] != tapes[2]


def test_answers_come_before_more_is_asked() -> None:
    with subprocess.Popen([*LUDEX, "serve", str(MINIMAL)], stdin=subprocess.PIPE,
                          stdout=subprocess.PIPE) as child:
        assert child.stdin is not None
        assert child.stdout is not None
        for number in range(1, 4):
            child.stdin.write(line(number, "hello", protocol=1))
            child.stdin.flush()
            assert json.loads(child.stdout.readline())["id"] == number
        child.stdin.write(line(4, "bye"))
        child.stdin.flush()
        assert json.loads(child.stdout.readline()) == {"jsonrpc": "2.0", "id": 4, "result": {}}
        assert child.wait(timeout=10) == 0


def test_a_reader_that_goes_away_is_no_failure() -> None:
    with subprocess.Popen([*LUDEX, "describe", "poodle-taxi", "--format", "json"],
                          stdout=subprocess.PIPE, stderr=subprocess.PIPE) as child:
        assert child.stdout is not None
        assert child.stderr is not None
        child.stdout.read(10)
        child.stdout.close()
        assert child.stderr.read() == b""
        assert child.wait(timeout=30) == 0
