"""Records: their form, their errors with places, and the schema that says the same."""

from __future__ import annotations

import copy
import json
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft202012Validator
from patched import MINIMAL
from referencing import Registry, Resource

from ludex.authoring.document import load_document
from ludex.engine import Game
from ludex.errors import LudexError, RecordError, UsageError
from ludex.judge import judge
from ludex.protocol.places import place_in
from ludex.protocol.records import parse_record, record_text
from ludex.records import document_of, random_record, read_record, write_record

Json = dict[str, Any]
SCHEMAS = Path(__file__).resolve().parents[2] / "spec/schemas/protocol"


@cache
def document() -> Json:
    return load_document("poodle-taxi")


@cache
def lines_of(seed: int = 3, players: int = 2) -> list[Json]:
    lines, over = random_record(Game(document(), players), seed, 1000)
    assert over
    return lines


def replayed(lines: list[Any]) -> Any:
    """Judge lines that may have been changed."""
    text = "".join((x if isinstance(x, str) else json.dumps(x)) + "\n" for x in lines)
    return judge(document(), parse_record(text.encode(), "r.jsonl"))


def fault(change: Callable[[list[Any]], Any]) -> RecordError:
    """Return the error of a record with a change."""
    lines = copy.deepcopy(lines_of())
    change(lines)
    with pytest.raises(RecordError) as found:
        replayed(lines)
    return found.value


def mark(error: LudexError, lines: list[Any]) -> str:
    """Return the text that begins at the place of an error."""
    assert error.place is not None
    line = lines[error.place.line - 1]
    text = line if isinstance(line, str) else json.dumps(line)
    return text[error.place.column - 1 :]


# -- reading and writing ---------------------------------------------------------------------


@pytest.mark.parametrize("players", [2, 3, 4])
def test_a_random_record_is_a_whole_legal_game(players: int, tmp_path: Path) -> None:
    lines = lines_of(9, players)
    # rule 8.7: each player plays twelve cards; rule 2.2: each is dealt three; one pick
    assert len(lines) == 1 + 12 * players
    assert len(lines[0]["chance"]) == 3 * players + 1
    write_record(tmp_path / "r.jsonl", lines)
    record = read_record(tmp_path / "r.jsonl")
    assert [record.head.value, *(m.value for m in record.moves)] == lines
    assert document_of(record) == document()
    found = judge(document(), record)
    assert (found.verdict, found.played) == ("over", 12 * players)


def test_the_same_seed_gives_the_same_record() -> None:
    game = Game(document(), 2)
    assert random_record(game, 5, 1000) == random_record(game, 5, 1000)
    assert random_record(game, 5, 1000) != random_record(game, 6, 1000)
    short, over = random_record(game, 5, 4)
    assert (len(short), over) == (5, False)


def test_lines_are_numbered_as_in_the_file() -> None:
    text = record_text(lines_of()[:3]).replace("\n", "\n\n")
    record = parse_record(text.encode())
    assert [record.head.number, *(m.number for m in record.moves)] == [1, 3, 5]


def test_records_with_windows_line_ends_are_read() -> None:
    data = record_text(lines_of()).replace("\n", "\r\n").encode()
    assert judge(document(), parse_record(data)).verdict == "over"


def test_a_file_that_is_not_there(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="No such file"):
        read_record(tmp_path / "none.jsonl")


# -- what a record must not do -----------------------------------------------------------------


def test_a_record_opens_no_file_that_it_names(tmp_path: Path) -> None:
    record = read_record_of(game=str(MINIMAL))
    with pytest.raises(RecordError) as found:
        document_of(record)
    assert found.value.code == "record.unknown-game"
    there = tmp_path / "secret.yaml"
    there.write_text("password: x\n", encoding="utf-8")
    record = read_record_of(components={"id": str(there), "digest": f"sha256:{'0' * 64}"})
    with pytest.raises(RecordError) as found:
        document_of(record)
    assert found.value.code == "record.other-components"
    assert "password" not in str(found.value)


def read_record_of(**head: Any) -> Any:
    lines = copy.deepcopy(lines_of()[:1])
    lines[0].update(head)
    return parse_record(record_text(lines).encode())


# -- places ----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("path", "key", "place"),
    [
        # counted by hand in the text below
        ((), False, (7, 3)),
        (("a",), True, (7, 4)),
        (("a",), False, (7, 10)),
        (("b", 1), False, (8, 12)),
        (("b", 1, "c"), False, (8, 17)),
        (("b", 7), False, (8, 6)),
        (("none",), False, (7, 3)),
    ],
)
def test_places_in_a_text(path: Any, key: bool, place: tuple[int, int]) -> None:
    text = '  {"a" : "}\\"",\n"b": [[1], {"c":2}]}'
    found = place_in(text, path, "f", 7, key=key)
    assert (found.file, found.line, found.column) == ("f", *place)


def _set(line: int, *path: Any, to: Any) -> Callable[[list[Any]], None]:
    def change(lines: list[Any]) -> None:
        item = lines[line]
        for part in path[:-1]:
            item = item[part]
        item[path[-1]] = to

    return change


def _drop(line: int, *path: Any) -> Callable[[list[Any]], None]:
    def change(lines: list[Any]) -> None:
        item = lines[line]
        for part in path[:-1]:
            item = item[part]
        del item[path[-1]]

    return change


FAULTS = [
    # the change; code; what begins at the place; words of the message; words of the hint
    (_set(0, "edition", to="2"), "record.other-rules", '"2"', "edition '2', here it is '1'", ""),
    (_set(0, "game", to="other"), "record.other-rules", '"other"', "game 'other'", ""),
    (_set(0, "rules_digest", to=f"sha256:{'0' * 64}"), "record.other-rules", '"sha256:000',
     "another meaning", "--game"),
    (_set(0, "components", "digest", to=f"sha256:{'0' * 64}"), "record.other-components",
     '"sha256:000', "another content of the component set 'standard'", "--components FILE"),
    (_set(0, "components", "id", to="small"), "record.other-components", '"small"',
     "component set 'small', here it is 'standard'", "--components small"),
    (_set(0, "players", to=5), "record.header", "5,", "is for 2, 3, 4 players (rule 1.1)", ""),
    (_set(0, "rulings", "starter", to="tabel"), "record.header", '"tabel"',
     "ruling starter has no value 'tabel'", "table, first_seat"),
    (_drop(0, "rulings", "starter"), "record.header", '{"', "rulings has no 'starter'",
     'default is "table"'),
    (_set(0, "options", "speed", to=1), "record.header", "1}", "no option 'speed'", ""),
    (_drop(0, "players"), "record.header", '{"ludex"', "no key 'players'", '"players": 2'),
    (_set(0, "plyers", to=2), "record.header", '"plyers"', 'unknown key "plyers"', "the keys are"),
    (_set(0, "ludex", to=2), "record.header", "2,", "ludex: expected 1", "reads no other"),
    (_set(0, "chance", -1, "pick", to="p7"), "tape.impossible", '{"pick": "p7"',
     "'p7' is no outcome of a pick", "p1"),
    (_drop(0, "chance", -1), "tape.too-short", "[{", "the setup needs: pick of first_player",
     '{"pick": "p1", "of": "first_player"}'),
    (_set(3, "actor", to="p3"), "move.unknown-player", '"p3"', "no player 'p3'", "p1, p2"),
    (_set(3, "move", to="extnd"), "move.unknown-move", '"extnd"', "no move 'extnd'", "'extend'"),
    (_set(3, "args", "card", to="rde-left"), "move.argument-value", '"rde-left"',
     "no Card 'rde-left'", "'red-left'"),
    (_set(3, "args", "crad", to="red-left"), "move.unknown-argument", '"crad"',
     "no argument 'crad'", "'card'"),
    (_drop(3, "args", "card"), "move.missing-argument", '{"end"', "needs the argument card", ""),
    (_set(3, "args", "card", to=None), "record.line", "null", "args.card: expected an id",
     "absent"),
    (_set(3, "chanse", to=[]), "record.line", '"chanse"', 'unknown key "chanse"', "the keys are"),
    (_drop(3, "chance"), "tape.too-short", "{", "the move needs: draw from draw_pile to hand.p1",
     '"from": "draw_pile", "to": "hand.p1"'),
    (_set(3, "chance", 0, "draw", to="gren-left"), "tape.impossible", '{"draw": "gren-left"',
     "'gren-left' is no outcome", "'green-left'"),
    (_set(3, "chance", 0, "to", to="hand.p2"), "tape.wrong-kind", '{"draw"',
     "expected an outcome draw from draw_pile to hand.p1", '"to": "hand.p1"'),
    (_set(3, "chance", to=[{"roll": [7]}]), "tape.wrong-kind", '{"roll"', "found {\"roll\": [7]}",
     ""),
    (lambda x: x[3]["chance"].append({"roll": [7]}), "tape.left-over", '{"roll"',
     'does not need this outcome: {"roll": [7]}', "another move"),
    (_set(3, "chance", 0, "form", to="x"), "record.line", '"form"', 'unknown key "form"', ""),
    (lambda x: x.append(x[0]), "record.line", '"ludex"', "another header", "one game"),
    (lambda x: x.append("[1]"), "record.line", "[1]", "expected an object", ""),
    (lambda x: x.append('{"actor": "p1",'), "record.json", "", "expected JSON", "cut off"),
    (lambda x: x.append("{'actor': 1}"), "record.json", "'actor", "double quotes", "double quotes"),
    (lambda x: x.pop(0), "record.header", "{", "header", "begins with"),
    (lambda x: x.clear(), "record.empty", None, "empty", "begins with"),
    (_drop(0, "ludex"), "record.header", "{", "header", 'add "ludex": 1'),
]


@pytest.mark.parametrize(("change", "code", "at", "message", "hint"), FAULTS)
def test_each_fault_is_one_error_with_its_place(
    change: Callable[[list[Any]], Any], code: str, at: str | None, message: str, hint: str
) -> None:
    lines: list[Any] = copy.deepcopy(lines_of())
    # in this game the fourth line is p1's second move, and draws
    assert lines[3]["actor"] == lines[1]["actor"]
    if lines[3]["actor"] != "p1":
        pytest.fail("choose another seed: the places below are those of p1")
    error = fault(change)
    change(lines)
    assert error.code == code
    assert message in error.message
    assert hint in (error.hint or "")
    assert len(str(error).splitlines()) <= 2
    if at is not None:
        assert mark(error, lines).startswith(at)


def test_a_byte_order_mark_and_bad_utf8_are_told() -> None:
    for data in (b"\xef\xbb\xbf{}", b'{"ludex": "\xff"}'):
        with pytest.raises(RecordError) as found:
            parse_record(data)
        assert found.value.code == "record.json"
        assert "UTF-8" in found.value.message


# -- the schema says the same -----------------------------------------------------------------


@cache
def validator() -> Draft202012Validator:
    schemas = {p.name: json.loads(p.read_text("utf-8")) for p in SCHEMAS.glob("*.json")}
    registry: Any = Registry().with_resources(
        (s["$id"], Resource.from_contents(s)) for s in schemas.values()
    )
    return Draft202012Validator(schemas["record.schema.json"], registry=registry)


def read(line: Json) -> bool:
    """Return whether a line is read."""
    head = lines_of()[0]
    try:
        parse_record(record_text([line] if "ludex" in line else [head, line]).encode())
    except RecordError:
        return False
    return True


VALUES = [None, True, False, 0, 1, -1, 2, 99, 100, "", "p1", "p0", "x" * 200, "x" * 201, [], {},
          ["a"], [1], [[]], [None], {"a": 1}, {"p1": "Ann"}, {"a": "b"}, {"a": ["b"]},
          [{"draw": "a", "from": "b", "to": "c"}], [{"draw": "a", "from": "b"}],
          [{"draw": "a", "from": "b", "to": "c", "roll": [1]}], [{"roll": [1]}], [{"roll": []}],
          [{"roll": [True]}], [{"pick": 1, "of": "a"}], [{"pick": True, "of": "a"}],
          [{"shuffle": ["a"], "of": "b"}], [{"flip": "a"}], f"sha256:{'0' * 64}",
          f"sha256:{'G' * 64}", {"id": "a", "digest": f"sha256:{'0' * 64}"},
          {"id": "a"}, {"id": "", "digest": f"sha256:{'0' * 64}"}]
FULL_HEAD = {"seats": {"p1": "Ann"}, "order": {"pile": ["a"]}, "note": "n"}
FULL_MOVE = {"refused": True, "note": "n", "chance": []}


@pytest.mark.parametrize("index", [0, 1])
def test_reader_and_schema_agree(index: int) -> None:
    whole = {**lines_of()[index], **(FULL_MOVE if index else FULL_HEAD)}
    assert read(whole)
    assert validator().is_valid(whole)
    seen = {True: 0, False: 0}
    for key in whole:
        changed = [{k: v for k, v in whole.items() if k != key}]
        changed += [{**whole, key: value} for value in VALUES]
        for line in changed:
            if "ludex" not in line and index == 0:
                continue  # then it is read as a move
            assert read(line) == validator().is_valid(line), (key, line.get(key))
            seen[read(line)] += 1
    assert min(seen.values()) > 20
    assert not read({**whole, "more": 1})
    assert not validator().is_valid({**whole, "more": 1})
