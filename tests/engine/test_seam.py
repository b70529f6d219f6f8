"""The game document is the seam: behind it nothing needs a YAML reader or a schema validator."""

from __future__ import annotations

import itertools
import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from engine.games import document, plays, poodle

from ludex.engine import Game
from ludex.protocol.canonical import canonical_bytes

ROOT = Path(__file__).resolve().parents[2]

#: Plays, examines, asks, describes and serves, all from a document on standard input.
PROGRAM = """
import sys
for blocked in ("yaml", "jsonschema", "click", "rich", "hypothesis", "orjson"):
    sys.modules[blocked] = None

import json
from ludex.engine import Game, Recorder, Seeded, Tape
from ludex.evaluate import compile_question
from ludex.examples import Games, run_example
from ludex.protocol.describe import describe
from ludex.protocol.game_schemas import game_schemas
from ludex.protocol.server import Server

document = json.load(sys.stdin)
game = Game(document, 2)
chance = Recorder(Seeded(5))
state = game.initial_state(chance)
plies = 0
while not state.is_terminal:
    state = state.child(state.legal_actions()[0], chance)
    plies += 1
server = Server(document, "0")
hello = b'{"jsonrpc":"2.0","id":1,"method":"hello","params":{"protocol":1}}'
failures = []
standard = Games(lambda name: document)
for example in document["text"]["examples"]:
    if example.get("components", "standard") == "standard":
        failures += [f.message for f in run_example(example, standard)]
print(json.dumps({
    "plies": plies,
    "outcome": state.outcome(),
    "tape": chance.outcomes,
    "answer": compile_question(game, "size(row)", None)(state),
    "hello": json.loads(server.answer(hello))["result"]["games"][0]["game"],
    "describe": describe(game)["rules_digest"],
    "schemas": sorted(game_schemas(game)["$defs"]),
    "failures": failures,
    "modules": sorted(m for m in sys.modules if m.startswith("ludex.authoring")),
}))
"""


@pytest.fixture(scope="module")
def answer() -> dict[str, Any]:
    run = subprocess.run(
        [sys.executable, "-c", PROGRAM], input=json.dumps(document()), text=True,
        capture_output=True, timeout=60, check=False,
        env={**os.environ, "PYTHONPATH": str(ROOT / "reference")},
    )
    assert run.returncode == 0, run.stderr
    found: dict[str, Any] = json.loads(run.stdout)
    return found


def test_everything_runs_without_the_authors_side(answer: dict[str, Any]) -> None:
    assert answer["modules"] == []
    assert answer["plies"] == 24
    assert answer["hello"] == "poodle-taxi"
    assert answer["describe"] == document()["rules_digest"]
    assert answer["schemas"] == ["Card", "Colour", "Side", "move", "observation", "player", "state"]
    assert answer["answer"] >= 1
    assert answer["failures"] == []


def test_it_plays_the_same_game_as_here(answer: dict[str, Any]) -> None:
    from ludex.engine import Tape

    game = poodle(2)
    setup, rest = answer["tape"][:7], answer["tape"][7:]
    state = game.initial_state(Tape(setup))
    for _ in range(24):
        drawn, rest = (rest[:1], rest[1:]) if rest else ([], [])
        state = state.child(state.legal_actions()[0], Tape(drawn))
    assert state.outcome() == answer["outcome"]


def test_a_document_is_json_and_survives_it() -> None:
    once = json.loads(json.dumps(document()))
    assert canonical_bytes(once) == canonical_bytes(document())
    again = Game(once, 3)
    for (one, action, tape), (two, same_action, same_tape) in zip(
        plays(poodle(3), 8), plays(again, 8), strict=True
    ):
        assert (action, tape) == (same_action, same_tape)
        assert one.to_json() == two.to_json()
        assert one.key() == two.key()


@pytest.mark.parametrize("room", ["language", "engine", "protocol"])
def test_the_rooms_behind_the_seam_import_nothing_of_the_authors_side(room: str) -> None:
    for path in (ROOT / "reference" / "ludex" / room).glob("*.py"):
        words = path.read_text(encoding="utf-8").split()
        for one, two in itertools.pairwise(words):
            if one in ("import", "from"):
                assert not two.startswith(("yaml", "jsonschema", "ludex.authoring")), path
