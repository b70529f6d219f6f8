"""The page on the rule language: its examples are loaded and played, its tables are whole."""

from __future__ import annotations

import copy
import json
import random
import re
from pathlib import Path
from typing import Any

import pytest
import yaml
from patched import MINIMAL, patched
from shown import DOCS

from ludex.authoring.blocks import Blocks
from ludex.authoring.document import load_document
from ludex.authoring.spec_home import spec_home
from ludex.engine import Game, Seeded

PAGE = (DOCS / "language.md").read_text("utf-8")
SECTIONS = re.findall(r"(?ms)^##+ ([^\n]+)\n(.*?)(?=^##|\Z)", PAGE)
EXAMPLES = {title: text for title, body in SECTIONS
            for text in ["".join(re.findall(r"(?ms)^```yaml\n(.*?)^```$", body))] if text}
BLOCKS = {title: re.findall(r"(?ms)^```yaml\n(.*?)^```$", body) for title, body in SECTIONS}


def joined(old: Any, new: Any) -> Any:
    """Return a value with another put into it: keys are joined, lists follow one another."""
    if isinstance(old, dict) and isinstance(new, dict):
        return {**old, **{k: joined(old[k], v) if k in old else v for k, v in new.items()}}
    if isinstance(old, list) and isinstance(new, list):
        return old + new
    return new


def load(folder: Path, *pieces: str) -> dict[str, Any]:
    game = yaml.safe_load((MINIMAL / "game.yaml").read_text("utf-8"))
    for piece in pieces:
        game = joined(game, yaml.safe_load(piece))
    copy_ = patched(folder)
    # JSON is YAML, whatever an editor would have written
    (copy_ / "game.yaml").write_text(json.dumps(game), encoding="utf-8")
    found: dict[str, Any] = load_document(copy_)
    return found


@pytest.mark.parametrize("section", EXAMPLES)
def test_the_examples_of_a_section_are_loaded_and_played(section: str, tmp_path: Path) -> None:
    document = load(tmp_path / "game", *BLOCKS[section])
    for seed in range(5):
        choose = random.Random(seed)
        state = Game(document).initial_state(Seeded(seed))
        for _ in range(30):
            actions = state.legal_actions()
            if state.is_terminal or not actions:  # pieces need not make a good game
                break
            state = state.child(choose.choice(actions), Seeded(seed))


def test_every_statement_has_a_section_and_an_example() -> None:
    schema = json.loads(spec_home().joinpath("schemas", "game.schema.json").read_text("utf-8"))
    forms = schema["$defs"]["statement"]["oneOf"]
    known = {form["$ref"].rsplit("/", 1)[1].removesuffix("_statement") for form in forms}
    assert {name[1:] for name in vars(Blocks) if name[1:] in known} <= known
    used = set()
    for text in EXAMPLES.values():
        used |= {word for word in known if re.search(rf"(?m)^\s*(?:- |do: \[\{{){word}: ", text)
                 or f"[{{{word}: " in text}
    assert used == known
    listed = PAGE[PAGE.index("| statement |"):PAGE.index("### fill")]
    assert {word for word in known if f"`{word}" in listed} == known


def test_every_section_of_the_game_file_is_shown() -> None:
    schema = json.loads(spec_home().joinpath("schemas", "game.schema.json").read_text("utf-8"))
    used = {key for blocks in BLOCKS.values() for text in blocks for key in yaml.safe_load(text)}
    unshown = schema["properties"].keys() - used
    assert unshown == {"game", "title", "edition", "players"}


def run_python(text: str) -> None:
    exec(compile(text, "language.md", "exec"), {})


def test_the_python_of_the_page_runs() -> None:
    (text,) = re.findall(r"(?ms)^```python\n(.*?)^```$", PAGE)
    run_python(text)


# -- what the page says ----------------------------------------------------------------------


def after_setup(folder: Path, *pieces: str) -> dict[str, Any]:
    state = Game(load(folder, *pieces)).initial_state(Seeded(1))
    found: dict[str, Any] = state.to_json()["state"]
    return found


@pytest.mark.parametrize(
    ("section", "expected"),
    [
        ("Types and zones", {"score": {"p1": 10, "p2": 10}, "row": [], "last_side": None,
                             "wins": {"blue": 1, "red": 0}}),
        ("Records", {"bid": {"quantity": 1, "colour": "red", "by": "p1"}}),
        ("fill", {"spare": ["red-two", "red-two"]}),
        ("set and let", {"high": 5, "low": 1}),
        ("move", {"pile": ["blue-one", "blue-one", "red-two", "red-two"], "discard": [],
                  "row": [], "place": None, "hand": {"p1": [], "p2": []}}),
        ("shuffle", {"deck": ["blue-one", "red-two"]}),
        ("add and remove", {"order": ["p1"]}),
        ("if and match", {"phase": "dusk"}),
        ("each and repeat", {"score": {"p1": 5, "p2": 1}}),
    ],
)
def test_what_an_example_does(section: str, expected: dict[str, Any], tmp_path: Path) -> None:
    state = after_setup(tmp_path / "game", *BLOCKS[section])
    assert {name: state[name] for name in expected} == expected


def test_lists_of_a_stack_begin_at_the_bottom(tmp_path: Path) -> None:
    state = after_setup(tmp_path / "game", '''
state:
  heap: {type: stack(Card), visible_to: everyone, rule: "1.3"}
  under: {type: optional(Card), visible_to: everyone, rule: "1.3"}
setup:
  - move: {card: "'red-two'", from: pile, to: heap}
    rule: "1.3"
  - move: {card: "'blue-one'", from: pile, to: heap}
    rule: "1.3"
  - set: {under: "heap[0]"}
    rule: "1.3"
''')
    assert state["under"] == "red-two"
    assert state["heap"] == ["blue-one", "red-two"]


def test_joining_pieces() -> None:
    old = {"a": [1], "b": {"c": 1}}
    kept = copy.deepcopy(old)
    assert joined(old, {"a": [2], "b": {"d": 2}, "e": 3}) == {
        "a": [1, 2], "b": {"c": 1, "d": 2}, "e": 3}
    assert old == kept
