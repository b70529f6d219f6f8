"""``ludex judge`` and ``ludex record``: what is printed, and the exit status."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from cli.lines import Done, run
from patched import MINIMAL

from ludex.authoring.document import load_document
from ludex.engine import Game
from ludex.protocol.records import header_of, line_of
from ludex.records import write_record

Capsys = pytest.CaptureFixture[str]
RED, BLUE = "red-two", "blue-one"


@pytest.fixture(autouse=True)
def _eighty_columns(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "80")


def judged(capsys: Capsys, folder: Path, *moves: tuple[str, str], args: Any = ()) -> Done:
    """Judge a game of Two Piles."""
    lines = [header_of(Game(load_document(MINIMAL)), [])]
    lines += [line_of({"actor": p, "move": "take", "args": {"card": c}}) for p, c in moves]
    write_record(folder / "r.jsonl", lines)
    return run(capsys, "judge", folder / "r.jsonl", "--game", MINIMAL, *args)


def test_a_game_that_is_over(capsys: Capsys, tmp_path: Path) -> None:
    done = judged(capsys, tmp_path, ("p1", RED), ("p2", BLUE), ("p1", BLUE), ("p2", RED))
    assert done.status == 0
    assert "legal       4 moves\n" in done.out
    assert "over        p1 and p2 win (p1 3, p2 3)\n" in done.out
    # one rule says all three, so it is printed once
    assert done.out.count("rule 3.1") == 1


def test_a_game_that_is_not_over(capsys: Capsys, tmp_path: Path) -> None:
    done = judged(capsys, tmp_path, ("p1", RED))
    assert (done.status, done.err) == (0, "")
    assert "open        the game is not over; p2 to act\n" in done.out
    assert "legal       1 move\n" in done.out


def test_an_illegal_move(capsys: Capsys, tmp_path: Path) -> None:
    done = judged(capsys, tmp_path, ("p1", RED), ("p2", BLUE), ("p1", RED))
    assert done.status == 1
    head, *rest = done.out.splitlines()
    assert head.startswith("record      ")
    text = "\n".join(rest)
    assert "ILLEGAL     line 4: p1 take card=red-two" in text
    assert "  because   you have a card of this colour" in text
    assert "c = red-two" in text
    assert "  rule 2.4  Nobody takes two of a colour." in text
    assert "  instead   p1 take card=blue-one" in text
    assert max(map(len, rest)) <= 80


def test_a_trace_says_what_each_move_used(capsys: Capsys, tmp_path: Path) -> None:
    done = judged(capsys, tmp_path, ("p1", RED), ("p2", BLUE), ("p2", RED), args=("--trace",))
    assert done.status == 1
    lines = done.out.splitlines()
    second = lines.index("line 3      p2 take card=blue-one")
    assert lines.index("line 2      p1 take card=red-two") < second
    used = [line for line in lines[second:] if line.startswith("  rule ")]
    assert [line.split()[1] for line in used[:7]] == [
        "2.1", "2.2", "2.2", "2.4", "2.2", "2.3", "2.1"]
    assert "            turn: p2 -> p1" in lines[second:]
    # the move that is refused was not carried out
    assert not any(line.startswith("line 4") for line in lines)
    assert "ILLEGAL     line 4: p2 take card=red-two" in lines
    found = json.loads(judged(capsys, tmp_path, ("p1", RED),
                              args=("--trace", "--format", "json")).out)
    assert [t["line"] for t in found["trace"]] == [2]
    assert found["trace"][0]["used"][-1]["changes"] == {"turn": {"before": "p1", "after": "p2"}}


def test_json(capsys: Capsys, tmp_path: Path) -> None:
    done = judged(capsys, tmp_path, ("p2", RED), args=("--format", "json"))
    value = json.loads(done.out)
    assert (done.status, value["verdict"], value["broken"][0]["rule"]) == (1, "illegal", "2.1")
    assert len(value["legal"]) == 2


def test_a_game_that_does_not_come_with_ludex(capsys: Capsys, tmp_path: Path) -> None:
    judged(capsys, tmp_path, ("p1", RED))
    done = run(capsys, "judge", tmp_path / "r.jsonl")
    assert (done.status, done.out) == (2, "")
    assert done.err == (
        f"ludex: {tmp_path / 'r.jsonl'}:1:22: no game 'two-piles' comes with Ludex "
        "[record.unknown-game]\n    name its folder: --game FOLDER\n"
    )


def test_other_rules(capsys: Capsys, tmp_path: Path) -> None:
    judged(capsys, tmp_path, ("p1", RED))
    done = run(capsys, "judge", tmp_path / "r.jsonl", "--game", "poodle-taxi")
    assert done.status == 2
    assert "the record is of game 'two-piles', here it is 'poodle-taxi'" in done.err


def test_what_a_record_says_does_not_steer_the_terminal(capsys: Capsys, tmp_path: Path) -> None:
    file = tmp_path / "r.jsonl"
    judged(capsys, tmp_path, ("p1", RED))
    text = file.read_text("utf-8").replace('"p1", "move"', '"p2", "move"')
    file.write_text(text, "utf-8")
    clean = run(capsys, "judge", file, "--game", MINIMAL)
    assert "\x1b" not in clean.out
    assert clean.status == 1


def test_a_record_to_judge_and_a_position_to_ask(capsys: Capsys, tmp_path: Path) -> None:
    record, position = tmp_path / "r.jsonl", tmp_path / "p.json"
    done = run(capsys, "record", "poodle-taxi", "--players", 3, "--seed", 4, "--out", record,
               "--ruling", "starter=first_seat")
    assert (done.status, done.out, done.err) == (0, "", "")
    done = run(capsys, "judge", record, "--position", position)
    # rule 8.7: twelve cards each
    assert "legal       36 moves" in done.out
    again = run(capsys, "record", "poodle-taxi", "--players", 3, "--seed", 4,
                "--ruling", "starter=first_seat")
    assert again.out == record.read_text("utf-8")
    asked = run(capsys, "eval", "poodle-taxi", "--players", 3, "--position", position,
                "players.map(p, size(hand[p])) + [size(draw_pile)]")
    assert asked.out == "[0,0,0,0]\n"


def test_a_record_can_be_cut_short(capsys: Capsys) -> None:
    done = run(capsys, "record", "poodle-taxi", "--most", 3)
    assert (done.status, done.err, len(done.out.splitlines())) == (0, "", 4)


def test_a_file_that_is_not_there(capsys: Capsys, tmp_path: Path) -> None:
    done = run(capsys, "judge", tmp_path / "none")
    assert done.status == 2
    assert "cannot read" in done.err
