"""The prose files of every game: valid, complete, and in agreement with one another."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import yaml
from jsonschema import Draft202012Validator

SPEC = Path(__file__).resolve().parents[2] / "spec"
GAMES = sorted(path for path in (SPEC / "games").iterdir() if path.is_dir())
PROSE = ("rules", "rulings", "examples", "display")
SCHEMAS = (*PROSE, "components")

Json = dict[str, Any]


def schema(name: str) -> Json:
    path = SPEC / "schemas" / f"{name}.schema.json"
    found: Json = json.loads(path.read_text(encoding="utf-8"))
    return found


def read(path: Path) -> Json:
    found: Json = yaml.safe_load(path.read_text(encoding="utf-8"))
    return found


class Game:
    """The prose of one game, with the look-ups that the tests share."""

    def __init__(self, folder: Path) -> None:
        book, rulings = read(folder / "rules.yaml"), read(folder / "rulings.yaml")
        self.statements: Json = book["statements"]
        self.sections: list[Json] = book["sections"]
        self.rules: list[Json] = [r for s in self.sections for r in s["rules"]]
        self.rule_ids = {r["id"] for r in self.rules}
        self.formal = {r["id"]: r for r in self.rules if r["status"] == "formal"}
        self.points: Json = rulings["points"]
        self.rulings: dict[str, Json] = {r["id"]: r for r in rulings["rulings"]}
        self.ruling_count = len(rulings["rulings"])
        examples = read(folder / "examples.yaml")["examples"]
        self.examples: dict[str, Json] = {e["id"]: e for e in examples}
        self.example_count = len(examples)
        self.sets = {path.stem for path in (folder / "components").glob("*.yaml")}

    def steps(self, key: str) -> Iterator[tuple[Json, Any]]:
        """Every step of one kind, with its example."""
        for example in self.examples.values():
            for step in example["steps"]:
                if key in step:
                    yield example, step[key]

    def pinning(self, rule: str) -> list[Json]:
        return [e for e in self.examples.values() if rule in e["pins"]]


@pytest.fixture(params=GAMES, ids=lambda path: path.name)
def folder(request: pytest.FixtureRequest) -> Path:
    path: Path = request.param
    return path


@pytest.fixture
def game(folder: Path) -> Game:
    return Game(folder)


def number(text: str) -> tuple[int, ...]:
    return tuple(int(part) for part in text.split("."))


def test_there_is_a_game_to_check() -> None:
    assert GAMES


@pytest.mark.parametrize("name", SCHEMAS)
def test_schemas_are_closed_named_and_valid(name: str) -> None:
    found = schema(name)
    Draft202012Validator.check_schema(found)
    assert found["$schema"] == "https://json-schema.org/draft/2020-12/schema"
    assert found["$id"] == f"https://ludex.example/schemas/1/{name}.schema.json"
    assert found["additionalProperties"] is False


def properties(node: Any) -> Iterator[tuple[str, Json]]:
    """Every declared property in a schema; conditions only repeat them."""
    if isinstance(node, list):
        for item in node:
            yield from properties(item)
    elif isinstance(node, dict):
        if isinstance(node.get("properties"), dict):
            yield from node["properties"].items()
        for key, value in node.items():
            if key not in ("if", "then", "else"):
                yield from properties(value)


@pytest.mark.parametrize("name", SCHEMAS)
def test_schemas_describe_every_property(name: str) -> None:
    # Editors show these two while an author types.
    bare = [
        key
        for key, value in properties(schema(name))
        if isinstance(value, dict) and not {"title", "description"} <= value.keys()
    ]
    assert bare == []


@pytest.mark.parametrize("name", PROSE)
def test_files_are_valid(folder: Path, name: str) -> None:
    path = folder / f"{name}.yaml"
    errors = [e.message for e in Draft202012Validator(schema(name)).iter_errors(read(path))]
    assert errors == []
    first = path.read_text(encoding="utf-8").splitlines()[0]
    assert first == f"# yaml-language-server: $schema=../../schemas/{name}.schema.json"


def test_component_sets_are_valid(folder: Path) -> None:
    paths = sorted((folder / "components").glob("*.yaml"))
    assert {"standard", "small"} <= {path.stem for path in paths}
    for path in paths:
        data = read(path)
        errors = Draft202012Validator(schema("components")).iter_errors(data)
        assert [e.message for e in errors] == [], path
        assert data["set"] == path.stem
        first = path.read_text(encoding="utf-8").splitlines()[0]
        assert first == "# yaml-language-server: $schema=../../../schemas/components.schema.json"


def test_every_component_says_where_it_comes_from(folder: Path) -> None:
    for path in (folder / "components").glob("*.yaml"):
        data = read(path)
        silent = []
        for name, kind in data["kinds"].items():
            if "provenance" in data or "provenance" in kind:
                continue
            rows = kind.get("rows", {})
            silent += [f"{name}.{row}" for row, cells in rows.items() if "provenance" not in cells]
            if "product" in kind:
                silent.append(name)
        assert silent == [], path


def test_rule_numbers_are_unique_and_sorted(game: Game) -> None:
    ids = [rule["id"] for rule in game.rules]
    assert sorted(set(ids), key=number) == ids
    sections = [section["id"] for section in game.sections]
    assert sorted(set(sections), key=number) == sections
    for section in game.sections:
        assert {rule["id"].split(".")[0] for rule in section["rules"]} == {section["id"]}


def test_ruling_and_example_ids_are_unique(game: Game) -> None:
    assert len(game.rulings) == game.ruling_count
    assert len(game.examples) == game.example_count


def test_every_statement_is_covered_by_a_rule(game: Game) -> None:
    covered = {statement for rule in game.rules for statement in rule["covers"]}
    assert covered == game.statements.keys()


def test_references_between_rules_exist(game: Game) -> None:
    for rule in game.rules:
        assert set(rule.get("see", [])) <= game.rule_ids - {rule["id"]}, rule["id"]


def test_rulings_refer_to_what_exists(game: Game) -> None:
    for ruling in game.rulings.values():
        assert set(ruling["rules"]) <= game.rule_ids, ruling["id"]
        assert set(ruling["points"]) <= game.points.keys(), ruling["id"]
        for pin in ruling.get("pinned_by", []):
            if "example" in pin:
                assert ruling["id"] in game.examples[pin["example"]]["rulings_pinned"]
            else:
                assert pin["near_miss"] in game.formal
        if ruling["kind"] == "choice":
            assert ruling["default"] in ruling["values"]


def test_every_weighty_open_point_has_a_pinned_ruling(game: Game) -> None:
    ruled = {point for ruling in game.rulings.values() for point in ruling["points"]}
    weighty = {point for point, weight in game.points.items() if weight in ("high", "medium")}
    assert weighty <= ruled
    unpinned = [
        ruling["id"]
        for ruling in game.rulings.values()
        if ruling["weight"] in ("high", "medium") and not ruling.get("pinned_by")
    ]
    assert unpinned == []


def test_a_ruling_weighs_as_much_as_its_weightiest_point(game: Game) -> None:
    order = ["void", "low", "medium", "high"]
    for ruling in game.rulings.values():
        weights = [game.points[point] for point in ruling["points"]]
        assert ruling["weight"] == max(weights, key=order.index), ruling["id"]


def test_every_value_of_a_choice_is_shown_by_an_example(game: Game) -> None:
    for ruling in game.rulings.values():
        if ruling["kind"] == "choice":
            shown = {
                example.get("rulings", {}).get(ruling["id"], ruling["default"])
                for example in game.examples.values()
                if ruling["id"] in example.get("rulings_pinned", [])
            }
            assert shown == ruling["values"].keys(), ruling["id"]


def test_examples_refer_to_what_exists(game: Game) -> None:
    for example in game.examples.values():
        assert set(example["pins"]) <= game.rule_ids, example["id"]
        assert example.get("components", "standard") in game.sets, example["id"]
        for name in example.get("rulings_pinned", []):
            pinned_by = game.rulings[name].get("pinned_by", [])
            assert {"example": example["id"]} in pinned_by, (example["id"], name)
        for name, value in example.get("rulings", {}).items():
            # Only what differs from the default is worth saying.
            assert value in game.rulings[name]["values"].keys() - {game.rulings[name]["default"]}
        if "cannot_start" in example:
            assert example["cannot_start"] in example["pins"]


def test_a_refusal_names_a_formal_rule_that_its_example_pins(game: Game) -> None:
    for example, move in game.steps("refuse"):
        assert move["rule"] in game.formal, example["id"]
        assert move["rule"] in example["pins"], (example["id"], move["rule"])


def test_every_formal_rule_is_pinned(game: Game) -> None:
    assert [rule for rule in game.formal if not game.pinning(rule)] == []


#: What an example must check for a rule of a kind: a position says nothing about who sees it.
CHECKS = {
    "legality": {"refuse", "allow", "legal", "lines"},
    "information": {"view"},
    "end": {"outcome"},
    "score": {"outcome"},
}


def test_a_rule_is_pinned_by_checks_that_can_see_it(game: Game) -> None:
    blind = []
    for name, rule in game.formal.items():
        wanted = CHECKS.get(rule["kind"])
        keys = {key for e in game.pinning(name) for step in e["steps"] for key in step}
        if wanted and not wanted & keys:
            blind.append(name)
    assert blind == []


def test_each_kind_of_refusal_is_shown(game: Game) -> None:
    """A rule that near misses are made from is shown by a worked refusal too."""
    refused = {move["rule"] for _, move in game.steps("refuse")}
    near = {
        pin["near_miss"]
        for ruling in game.rulings.values()
        for pin in ruling.get("pinned_by", [])
        if "near_miss" in pin
    }
    assert near <= refused


def test_one_example_at_least_can_be_sent_to_any_program(game: Game) -> None:
    assert [e["id"] for e in game.examples.values() if "setup" in e]


def test_moves_and_zones_have_a_display(game: Game, folder: Path) -> None:
    display = read(folder / "display.yaml")
    used = {m["move"] for key in ("play", "allow") for _, m in game.steps(key)}
    assert used <= display["moves"].keys()
    zones = {zone for _, view in game.steps("view") for zone in view["state"]}
    assert zones <= {item["zone"] for item in display["layout"]}
