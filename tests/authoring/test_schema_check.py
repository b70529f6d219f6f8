"""Schema errors in plain words, at the place of the fault; and the search for the specs."""

from __future__ import annotations

import json
import time
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from jsonschema import Draft202012Validator

from ludex.authoring import schema_check, spec_home
from ludex.authoring.schema_check import check, schema_names
from ludex.authoring.strict_yaml import read_yaml
from ludex.errors import SpecError, UsageError

SCHEMA: dict[str, Any] = {
    "type": "object",
    "required": ["id", "title"],
    "additionalProperties": False,
    "properties": {
        "id": {
            "type": "string",
            "pattern": "^[a-z]+$",
            "x-expected": "a lower-case name",
            "x-hint": "use letters only",
        },
        "title": {"type": "string", "description": "The name on the box.", "maxLength": 9},
        "plain": {"type": "string", "pattern": "^x"},
        "players": {"type": "integer", "minimum": 2, "maximum": 4},
        "tags": {"type": "array", "items": {"enum": ["card", "dice"]}, "minItems": 1},
        "once": {"type": "array", "uniqueItems": True},
        "open": {"type": "boolean"},
        "rule": {
            "if": {"required": ["formal"]},
            "then": {"properties": {"reason": False}},
        },
        "named": {
            "type": "object",
            "propertyNames": {"pattern": "^[a-z]+$", "x-expected": "a lower-case name"},
            "additionalProperties": {"$ref": "#/$defs/expr"},
        },
        "pair": {"type": "object", "dependentRequired": {"a": ["b"]}, "maxProperties": 2},
        "how": {"oneOf": [{"const": "fast"}, {"const": "slow"}, {"type": "array"}]},
        "who": {"oneOf": [{"type": "string"}, {"type": "array"}, {"type": "null"}]},
        "do": {"$ref": "#/$defs/block"},
        "move": {
            "type": "object",
            "properties": {"card": {}, "cards": {}, "all": {}, "to": {}},
            "additionalProperties": False,
            "oneOf": [{"required": ["card"]}, {"required": ["cards"]}, {"required": ["all"]}],
        },
        "shape": {
            "oneOf": [
                {"properties": {"kind": {"const": "row"}, "of": {"type": "string"}}},
                {"properties": {"kind": {"const": "grid"}, "rows": {"type": "integer"}}},
            ],
            "required": ["kind"],
        },
    },
    "$defs": {
        "expr": {"type": ["string", "integer"], "x-expected": "an expression"},
        "block": {"type": "array", "items": {"$ref": "#/$defs/statement"}},
        "statement": {
            "oneOf": [
                {"$ref": "#/$defs/set"},
                {"$ref": "#/$defs/draw"},
                {"$ref": "#/$defs/if"},
                {"$ref": "#/$defs/each"},
                {"$ref": "#/$defs/do"},
            ]
        },
        "set": {
            "type": "object",
            "required": ["set"],
            "properties": {
                "set": {"type": "object", "additionalProperties": {"$ref": "#/$defs/expr"}},
                "rule": {"type": "string"},
            },
            "additionalProperties": False,
        },
        "draw": {
            "type": "object",
            "required": ["draw"],
            "properties": {
                "draw": {
                    "type": "object",
                    "required": ["from", "to"],
                    "properties": {
                        "from": {"type": "string"},
                        "to": {"$ref": "#/$defs/expr", "description": "Where it goes."},
                    },
                    "additionalProperties": False,
                },
                "rule": {"type": "string"},
            },
            "additionalProperties": False,
        },
        "if": {
            "type": "object",
            "required": ["if", "then"],
            "properties": {
                "if": {"$ref": "#/$defs/expr"},
                "then": {"$ref": "#/$defs/block"},
                "else": {"$ref": "#/$defs/block"},
            },
            "additionalProperties": False,
        },
        "each": {
            "type": "object",
            "required": ["each", "do"],
            "properties": {"each": {"type": "string"}, "do": {"$ref": "#/$defs/block"}},
            "additionalProperties": False,
        },
        "do": {
            "type": "object",
            "required": ["do"],
            "properties": {"do": {"type": "string"}, "rule": {"type": "string"}},
            "additionalProperties": False,
        },
    },
}
GOOD = "id: pig\ntitle: Pig\n"


def said(text: str, schema: dict[str, Any] | str = SCHEMA) -> list[str]:
    return [str(error) for error in check(read_yaml(text, "g.yaml"), schema)]


def test_nothing_is_wrong() -> None:
    assert said(GOOD + "do:\n  - {each: x, do: [{do: f}]}\n  - {set: {a: 1}, rule: '1'}\n") == []


MESSAGES = (Path(__file__).parent / "schema_messages.txt").read_text("utf-8")
CASES = [tuple(case.strip("\n").split("\n~~~~\n")) for case in MESSAGES.split("\n====\n")[1:]]


@pytest.mark.parametrize(("text", "message"), CASES, ids=[text for text, _ in CASES])
def test_messages(text: str, message: str) -> None:
    assert "\n".join(said(text)) == message


def test_several_errors_in_the_order_of_their_places() -> None:
    found = check(read_yaml("tags: x\nid: A\nzzz: 1\ndo: [{set: {a: []}}]\n", "g.yaml"), SCHEMA)
    assert [(e.place.line, e.place.column, e.code) for e in found if e.place] == [
        (1, 1, "schema.missing-key"),
        (1, 7, "schema.type"),
        (2, 5, "schema.pattern"),
        (3, 1, "schema.unknown-key"),
        (4, 16, "schema.type"),
    ]


def test_a_fault_that_two_parts_of_a_schema_see_is_told_once() -> None:
    short = {"type": "string", "maxLength": 1}
    assert said("abc", {"allOf": [short, short, {"enum": ["d"]}]}) == [
        "g.yaml:1:1: expected 'd', found 'abc' [schema.enum]"
    ]
    assert len(said("12", {"allOf": [short, short]})) == 1


def test_unevaluated_properties() -> None:
    schema = {
        "properties": {"kind": {}},
        "oneOf": [{"properties": {"rows": {"type": "integer"}}, "required": ["rows"]}],
        "unevaluatedProperties": False,
    }
    assert said("{kind: 1, rows: 2}", schema) == []
    (only,) = said("{kind: 1, rowz: 2, rows: 1}", schema)
    assert only == (
        "g.yaml:1:11: unknown key 'rowz' at the top level [schema.unknown-key]\n"
        "    did you mean 'rows'?"
    )
    # The error inside the form is the fault; that its keys then count for nothing is not.
    assert [line.split(" [")[0] for line in said("{kind: 1, rows: x}", schema)] == [
        "g.yaml:1:17: expected a whole number, found a string"
    ]


def test_schemas_that_refer_to_one_another() -> None:
    name = {"$id": "https://ludex.example/s/name.json", "type": "string", "x-expected": "a name"}
    schema = {
        "$id": "https://ludex.example/s/top.json",
        "oneOf": [{"$ref": "name.json"}, {"type": "array"}],
    }
    document = read_yaml("7", "g.yaml")
    assert [str(e) for e in check(document, schema, resources=[name])] == [
        'g.yaml:1:1: expected a name or a list, found the number 7 [schema.type]\n    quote it: "7"'
    ]
    with pytest.raises(SpecError, match=r"schema at the reference .*\[schema\.broken\]"):
        check(document, schema)


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    schemas = tmp_path / "schemas"
    (schemas / "deep").mkdir(parents=True)
    base = "https://ludex.example/t/"
    (schemas / "top.schema.json").write_text(
        json.dumps({"$id": base + "top.schema.json", "items": {"$ref": "deep/one.schema.json"}})
    )
    (schemas / "deep" / "one.schema.json").write_text(
        json.dumps({"$id": base + "deep/one.schema.json", "type": "integer"})
    )
    monkeypatch.setattr(schema_check, "spec_home", lambda: tmp_path)
    return tmp_path


def test_schemas_by_name(home: Path) -> None:
    assert schema_names() == ["deep/one", "top"]
    assert said("[1, x]", "top") == [
        "g.yaml:1:5: expected a whole number, found a string [schema.type]"
    ]
    assert said("x", "deep/one") != []
    with pytest.raises(UsageError) as caught:
        said("x", "tpo")
    assert str(caught.value) == (
        "expected the name of a schema, found 'tpo' [usage.unknown-schema]\n    did you mean 'top'?"
    )


def test_a_schema_that_is_no_json(home: Path) -> None:
    broken = home / "schemas" / "bad.schema.json"
    broken.write_text('{\n "a" 1}')
    with pytest.raises(SpecError) as caught:
        said("x", "bad")
    assert caught.value.code == "schema.broken"
    assert str(caught.value.place) == f"{broken}:2:6"


def test_validators_are_made_once(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert said("[1]", "top") == []
    monkeypatch.setattr(schema_check.json, "loads", lambda *_: pytest.fail("read again"))
    assert said("[1]", "top") == []


def test_specs_of_the_checkout_and_of_a_package(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    package, checkout = tmp_path / "package", tmp_path / "checkout"
    monkeypatch.setattr(spec_home, "files", lambda _: package)
    monkeypatch.setattr(spec_home, "_checkout", lambda: checkout)
    with pytest.raises(UsageError, match=r"found neither \[usage\.no-spec-home\]"):
        spec_home.spec_home()
    (checkout / "spec").mkdir(parents=True)
    assert spec_home.spec_home() == checkout / "spec"
    (package / "_spec").mkdir(parents=True)
    assert spec_home.spec_home() == package / "_spec"


def test_this_checkout_has_specs() -> None:
    assert spec_home.spec_home().joinpath("schemas").is_dir()


# Bounded time and depth.


def nested(levels: int, inner: str) -> str:
    return "[{if: a, then: " * levels + inner + "}]" * levels


def test_forms_in_forms_take_time_that_grows_with_the_size_only() -> None:
    text = GOOD + "do: " + nested(25, "[{do: 1}]")
    begin = time.perf_counter()
    assert len(said(text)) == 1
    assert time.perf_counter() - begin < 2


def test_forms_that_cannot_be_told_apart_do_not_take_for_ever() -> None:
    tree: dict[str, Any] = {
        "oneOf": [
            {"properties": {"a": {"$ref": "#"}, "x": {"type": "integer"}}},
            {"properties": {"a": {"$ref": "#"}, "y": {"type": "integer"}}},
        ]
    }
    assert said("{a: " * 3 + "{x: s, y: s}" + "}" * 3, tree) != []
    begin = time.perf_counter()
    (only,) = said("{a: " * 40 + "{x: s, y: s}" + "}" * 40, tree)
    assert time.perf_counter() - begin < 20
    assert only == (
        "g.yaml:1:1: expected a structure that the schema can follow, found one nested too deeply "
        "[schema.depth]\n    make the structure flatter"
    )


def test_the_deepest_document_does_not_exhaust_the_stack() -> None:
    text = GOOD + "do: " + nested(30, "[{do: f}]")
    for error in check(read_yaml(text, "g.yaml"), SCHEMA):
        assert error.code == "schema.depth"
    every: dict[str, Any] = {"items": {"allOf": [{"anyOf": [{"$ref": "#"}, {"type": "string"}]}]}}
    for error in check(read_yaml("[" * 64 + "]" * 64, "g.yaml"), every):
        assert error.code == "schema.depth"


def test_a_very_wrong_document_is_told_about_soon() -> None:
    text = GOOD + "".join(f"key{n}: 1\n" for n in range(20_000))
    begin = time.perf_counter()
    document = read_yaml(text, "g.yaml")
    read = time.perf_counter()
    assert 0 < len(check(document, SCHEMA)) <= 200
    assert time.perf_counter() - read < 2 + (read - begin)
    repeated = {"uniqueItems": True, "items": {"type": "object"}}
    begin = time.perf_counter()
    assert len(said("[" + "{a: [1]}," * 20_000 + "]", repeated)) == 200
    assert time.perf_counter() - begin < 10


# What is valid is what JSON Schema says.

WORDS = st.sampled_from(
    ["id", "title", "do", "set", "draw", "if", "then", "else", "each", "from", "to", "rule", "kind",
     "row", "grid", "fast", "card", "all", "a", "drw", "B"]
)  # fmt: skip
VALUES = st.recursive(
    st.none() | st.booleans() | st.integers(0, 5) | WORDS,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(WORDS, inner, max_size=4),
    max_leaves=12,
)
STATEMENTS = st.recursive(
    st.fixed_dictionaries({}, optional={"do": WORDS, "rule": WORDS, "set": VALUES, "drw": WORDS}),
    lambda inner: st.fixed_dictionaries(
        {},
        optional={
            "if": WORDS,
            "then": st.lists(inner, max_size=2),
            "each": WORDS,
            "do": st.lists(inner, max_size=2),
            "draw": st.dictionaries(st.sampled_from(["from", "to", "x"]), WORDS),
        },
    ),
    max_leaves=5,
)
DOCUMENTS = st.fixed_dictionaries(
    {},
    optional={
        "id": st.just("pig") | VALUES,
        "title": st.just("Pig") | VALUES,
        "do": st.lists(STATEMENTS, max_size=3) | VALUES,
        "how": VALUES,
        "who": VALUES,
        "move": VALUES,
        "shape": st.fixed_dictionaries({}, optional={"kind": WORDS, "rows": VALUES}) | VALUES,
        "named": VALUES,
        "once": VALUES,
        "zzz": VALUES,
    },
)
PLAIN = Draft202012Validator(SCHEMA)


@settings(max_examples=400, deadline=None)
@given(DOCUMENTS | VALUES)
def test_valid_is_what_the_plain_validator_accepts(value: object) -> None:
    document = read_yaml(json.dumps(value), "g.yaml")
    errors = check(document, SCHEMA)
    assert (errors == []) == PLAIN.is_valid(value)
    places = [error.place for error in errors]
    assert places == sorted(places)  # type: ignore[type-var]
    for error in errors:
        assert error.code.startswith("schema.")
        assert error.message
