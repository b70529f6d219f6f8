"""``ludex export``, the schema of the game document, and the page that explains it."""

from __future__ import annotations

import copy
import json
import os
import re
import subprocess
import sys
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from cli.lines import run
from games.folders import ALL
from games.folders import document as read
from jsonschema import Draft202012Validator
from patched import MINIMAL, patched

from ludex.authoring import blocks
from ludex.authoring.document import load_document
from ludex.authoring.folder import builtin_games
from ludex.engine import Game, Seeded
from ludex.export import SCHEMA, document_text
from ludex.language.operators import MACROS, OPERATORS
from ludex.protocol.canonical import digest

ROOT = Path(__file__).resolve().parents[2]
PAGE = (ROOT / "docs/game-document.md").read_text("utf-8")
Capsys = pytest.CaptureFixture[str]
Json = dict[str, Any]
GAMES = sorted({*ALL, *builtin_games()})


@cache
def schema() -> Json:
    found: Json = json.loads((ROOT / "spec/schemas/document.schema.json").read_text("utf-8"))
    return found


@cache
def validator() -> Draft202012Validator:
    Draft202012Validator.check_schema(schema())
    return Draft202012Validator(schema())


def exported(document: Json) -> Json:
    found: Json = json.loads(document_text(document))
    return found


def faults(value: Any) -> list[str]:
    return [f"{e.json_path}: {e.message[:200]}" for e in validator().iter_errors(value)]


# -- the schema ------------------------------------------------------------------------------


@pytest.mark.parametrize("name", GAMES)
def test_exported_documents_are_valid(name: str) -> None:
    assert faults(exported(read(name))) == []


def test_documents_with_rarer_statements_are_valid(tmp_path: Path) -> None:
    folder = patched(
        tmp_path / "game",
        ("game.yaml", "\nfunctions:\n", '''
  - repeat: "3"
    while: "size(pile) > 3"
    rule: "1.3"
    do: [{let: {n: "size(pile)"}}, {roll: {sides: "6", as: die, visible_to: nobody}}]
  - match: "top(Card).colour"
    rule: "1.3"
    cases: {blue | red: [{let: {m: "1"}}]}
  - each: c in Card
    rule: "1.3"
    do: [{set: {turn: "c.points > 9 ? players[1] : turn"}, when: "c.points == 1"}]
functions:
'''),
    )
    found = exported(load_document(folder))
    assert [s["statement"] for s in found["setup"]] == ["fill", "set", "repeat", "match", "each"]
    assert faults(found) == []


def _set(*path: Any, to: Any) -> Any:
    def change(value: Any) -> None:
        for part in path[:-1]:
            value = value[part]
        value[path[-1]] = to

    return change


@pytest.mark.parametrize(
    "change",
    [
        _set("more", to=1),
        _set("format", to=2),
        _set("rules_digest", to="sha256:x"),
        _set("players", to=[]),
        _set("state", 0, "visible_to", to="me"),
        _set("moves", 0, "requires", 0, "that", "tree", "op", to="==="),
        _set("moves", 0, "requires", 0, "that", "tree", "args", 0, "more", to=1),
        _set("moves", 0, "requires", 0, "that", "tree", "args", 0, "args", 0, "get", to="nothing"),
        _set("moves", 0, "do", 0, "statement", to="jump"),
        _set("moves", 0, "do", 0, "cards", to={}),
        _set("steps", 0, "do", to=[]),
        _set("setup", 0, "place", to="game.yaml"),
        _set("end", 0, "winners", to="everybody"),
        _set("text", "rules", to=[]),
    ],
)
def test_the_schema_refuses_what_is_wrong(change: Any) -> None:
    found = exported(copy.deepcopy(read("poodle-taxi")))
    assert faults(found) == []
    change(found)
    assert faults(found)


def test_the_schema_is_named_and_described() -> None:
    assert schema()["$id"] == SCHEMA

    def bare(node: Any, where: str) -> list[str]:
        found = []
        if isinstance(node, list):
            return [p for i, item in enumerate(node) for p in bare(item, f"{where}/{i}")]
        if not isinstance(node, dict):
            return []
        for keyword in ("properties", "$defs"):
            for name, inner in node.get(keyword, {}).items():
                if not {"description", "$ref"} & inner.keys():
                    found.append(f"{where}/{keyword}/{name}")
                found += bare(inner, f"{where}/{keyword}/{name}")
        for keyword in ("items", "additionalProperties", "anyOf", "oneOf"):
            found += bare(node.get(keyword), f"{where}/{keyword}")
        return found

    assert bare(schema(), "") == []


def test_the_schema_knows_all_of_the_language() -> None:
    forms = schema()["$defs"]["tree"]["anyOf"]
    by = {key: f["properties"][key]["enum"] for f in forms for key in ("op", "macro")
          if key in f["required"]}
    assert by["op"] == list(OPERATORS)
    assert by["macro"] == list(MACROS)
    kinds = {s["properties"]["statement"]["const"]
             for s in schema()["$defs"]["statement"]["anyOf"]}
    assert kinds == set(blocks._STATEMENTS)


# -- the page --------------------------------------------------------------------------------


def first_cells(heading: str) -> set[str]:
    """Return what stands in backticks in the first column of the first table of a section."""
    section = re.split(rf"(?m)^#+ {heading}$", PAGE)[1]
    rows = re.search(r"(?m)^(\|.*\n)+", section)
    assert rows is not None
    found: set[str] = set()
    for row in rows.group().splitlines()[2:]:
        cell = re.split(r"(?<!\\)\|", row)[1]
        found.update(c.replace("\\|", "|") for c in re.findall(r"`([^`]+)`", cell))
    return found


def test_the_page_names_all_of_the_language() -> None:
    assert first_cells("Operators") == set(OPERATORS)
    assert first_cells("Macros") == set(MACROS)
    assert first_cells("Statements") == set(blocks._STATEMENTS)


def test_the_page_names_all_members_and_forms() -> None:
    assert first_cells("The whole") == set(schema()["properties"]) - {"$schema"}
    words = {w for cell in first_cells("Trees") for w in re.findall(r"\w+", cell)}
    keys = {k for f in schema()["$defs"]["tree"]["anyOf"] for k in f["required"]}
    assert keys - {"type", "span"} <= words
    gets = {"state", "local", "constant", "ruling", "option", "players", "n_players"}
    assert gets <= words


@pytest.mark.parametrize("name", GAMES)
def test_digests_as_the_page_says(name: str) -> None:
    found = exported(read(name))
    assert found["text_digest"] == digest(found["text"])
    for key in ("$schema", "text", "rules_digest", "text_digest"):
        assert f"`{key}`" in PAGE
    left_out = {"place", "expr", "span", "note", "title", "otherwise"}
    sentence = re.search(r"at any depth:\s*([^.]*)\.", PAGE)
    assert sentence is not None
    assert set(re.findall(r"`(\w+)`", sentence[1])) == left_out
    names = {"kinds", "columns", "rulings", "options", "records", "fields", "cases"}
    data = {"init", "values", "relabel"}
    sentence = re.search(r"the keys of\s*([^.]*)\.", PAGE)
    assert sentence is not None
    assert set(re.findall(r"`(\w+)`", sentence[1])) == names | data | {"value", "type"}

    def meaning(value: Any, named: bool = False) -> Any:
        if isinstance(value, list):
            return [meaning(v) for v in value]
        if not isinstance(value, dict):
            return value
        kept = value.keys() if named else value.keys() - left_out
        whole = set() if named else data | ({"value"} if "type" in value else set())
        return {k: value[k] if k in whole else meaning(value[k], not named and k in names)
                for k in kept}

    rest = {k: v for k, v in found.items()
            if k not in ("$schema", "text", "rules_digest", "text_digest")}
    assert found["rules_digest"] == digest(meaning(rest))


# -- the command -----------------------------------------------------------------------------


def test_it_is_written_to_a_file_or_printed(capsys: Capsys, tmp_path: Path) -> None:
    done = run(capsys, "export", MINIMAL, "--out", tmp_path / "deep" / "g.json")
    assert (done.out, done.err, done.status) == ("", "", 0)
    text = (tmp_path / "deep" / "g.json").read_text("utf-8")
    assert run(capsys, "export", MINIMAL).out == text
    assert json.loads(text) == {"$schema": SCHEMA, **load_document(MINIMAL)}


def test_another_component_set(capsys: Capsys) -> None:
    value = json.loads(run(capsys, "export", "poodle-taxi", "--components", "small").out)
    assert value["components"]["set"] == "small"
    assert value["kinds"]["Colour"]["members"] == ["green", "pink", "red"]


def test_it_does_not_say_where_the_game_lies(tmp_path: Path) -> None:
    here = document_text(load_document(MINIMAL))
    assert document_text(load_document(patched(tmp_path / "elsewhere"))) == here
    assert str(MINIMAL) not in here


def command(*args: str, seed: str = "0") -> bytes:
    done = subprocess.run(
        [sys.executable, "-c", "from ludex.cli import main; main()", *args], check=False,
        capture_output=True, timeout=60,
        env={**os.environ, "PYTHONHASHSEED": seed, "PYTHONPATH": str(ROOT / "reference")},
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_the_same_bytes_whatever_the_hash_seed() -> None:
    one, two = (command("export", "poodle-taxi", seed=s) for s in ("1", "2"))
    assert one == two
    assert one.decode("utf-8") == document_text(read("poodle-taxi"))


PLAYS = """
import sys
for blocked in ("yaml", "jsonschema", "referencing", "click", "rich"):
    sys.modules[blocked] = None
import json
from ludex.engine import Game, Seeded

with open(sys.argv[1], encoding="utf-8") as file:
    game = Game(json.load(file), 2)
state = game.initial_state(Seeded(7))
plies = 0
while not state.is_terminal:
    state = state.child(state.legal_actions()[-1], Seeded(plies))
    plies += 1
print(json.dumps([plies, state.outcome(), state.to_json()]))
"""


def test_an_exported_file_is_played_without_the_authors_side(
    capsys: Capsys, tmp_path: Path
) -> None:
    file = tmp_path / "game.json"
    run(capsys, "export", "poodle-taxi", "--out", file)
    done = subprocess.run(
        [sys.executable, "-c", PLAYS, str(file)], check=False, capture_output=True, text=True,
        timeout=60, env={**os.environ, "PYTHONPATH": str(ROOT / "reference")},
    )
    assert done.returncode == 0, done.stderr
    plies, outcome, last = json.loads(done.stdout)
    # rule 8.7: twelve cards each
    assert plies == 24
    # the same game from the game folder
    state = Game(read("poodle-taxi"), 2).initial_state(Seeded(7))
    for ply in range(24):
        state = state.child(state.legal_actions()[-1], Seeded(ply))
    assert (state.outcome(), state.to_json()) == (outcome, last)
