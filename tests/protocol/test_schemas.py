"""The schemas of the move protocol, and the pages that speak of them."""

import json
import re
from pathlib import Path

import pytest
from jsonschema import Draft202012Validator
from referencing import Registry, Resource

from ludex.protocol.canonical import digest

ROOT = Path(__file__).resolve().parents[2]
FOLDER = ROOT / "spec" / "schemas" / "protocol"
PAGE = (ROOT / "docs" / "protocol.md").read_text(encoding="utf-8")
SCHEMAS = {
    path.name.removesuffix(".schema.json"): json.loads(path.read_text(encoding="utf-8"))
    for path in FOLDER.glob("*.schema.json")
}
REGISTRY = Registry().with_resources(
    (schema["$id"], Resource.from_contents(schema)) for schema in SCHEMAS.values()
)
METHODS = ("hello", "new_game", "apply", "end_game", "bye")


def faults(name, value):
    validator = Draft202012Validator(SCHEMAS[name], registry=REGISTRY)
    return [error.message for error in validator.iter_errors(value)]


def conversation():
    """Yield the pairs of request and response of the page's example."""
    block = re.search(r"```wire\n(.*?)```", PAGE, re.DOTALL)[1]
    lines = block.splitlines()
    for sent, answered in zip(lines[::2], lines[1::2], strict=True):
        assert (sent[:2], answered[:2]) == ("> ", "< ")
        yield json.loads(sent[2:]), json.loads(answered[2:])


def example(method, side):
    for sent, answered in conversation():
        if sent["method"] == method:
            return sent["params"] if side == "request" else answered["result"]
    raise AssertionError(method)


@pytest.mark.parametrize("name", sorted(SCHEMAS))
def test_each_schema_is_one(name):
    schema = SCHEMAS[name]
    Draft202012Validator.check_schema(schema)
    assert schema["$id"] == f"https://ludex.example/schemas/1/protocol/{name}.schema.json"
    for value in schema.get("examples", []):
        assert faults(name, value) == []


def test_each_command_has_a_schema_for_each_direction():
    both = {f"{method}.{side}" for method in METHODS for side in ("request", "result")}
    shared = {"position", "chance", "move", "record", "error", "request", "response"}
    assert set(SCHEMAS) == both | shared


def undescribed(schema, where):
    """Yield the places of fields and definitions that say nothing about themselves."""
    for keyword in ("properties", "$defs"):
        for name, inner in schema.get(keyword, {}).items():
            if not {"description", "$ref"} & inner.keys():
                yield f"{where}/{keyword}/{name}"
            yield from undescribed(inner, f"{where}/{keyword}/{name}")
    for keyword in ("items", "additionalProperties"):
        if isinstance(schema.get(keyword), dict):
            yield from undescribed(schema[keyword], f"{where}/{keyword}")


def test_every_field_is_described():
    assert [place for name, s in SCHEMAS.items() for place in undescribed(s, name)] == []


def test_the_example_of_the_page_conforms():
    methods = set()
    for sent, answered in conversation():
        methods.add(sent["method"])
        assert faults("request", sent) == []
        assert faults("response", answered) == []
        assert sent["id"] == answered["id"]
        if "result" in answered:
            assert faults(f"{sent['method']}.result", answered["result"]) == []
    assert methods == set(METHODS)


def test_the_example_follows_its_own_rules():
    # Four pebbles in every position; what p2 sees of p1's hand is its size.
    for sent, answered in conversation():
        position = answered.get("result", {})
        if "state" not in position:
            continue
        state = position["state"]
        pebbles = state["pile"] + state["row"] + state["hand"]["p1"] + state["hand"]["p2"]
        assert sorted(pebbles) == ["blue", "red", "red", "red"]
        seen = position["observations"]["p2"]
        assert seen["hand"] == {
            "p1": {"count": len(state["hand"]["p1"])},
            "p2": state["hand"]["p2"],
        }
        assert seen["pile"] == {"count": len(state["pile"])}
        assert seen["row"] == state["row"]
        assert bool(position["outcome"]) == ("blue" in state["row"])
        assert sent["method"] in ("new_game", "apply")


def test_the_digest_of_the_pages_is_right():
    expected = digest({"red": 3, "blue": 1})
    assert example("new_game", "request")["components"]["digest"] == expected
    assert expected in (ROOT / "docs" / "canonical-form.md").read_text(encoding="utf-8")


def test_page_and_schema_know_the_same_errors():
    table = PAGE.split("## Errors")[1].split("## Limits")[0]
    on_page = {-int(number) for number in re.findall(r"^\| −(\d+) \|", table, re.MULTILINE)}
    in_schema = {entry["const"] for entry in SCHEMAS["error"]["properties"]["code"]["anyOf"]}
    assert on_page == in_schema
    assert len(on_page) == 13


@pytest.mark.parametrize("method", METHODS)
def test_requests_are_closed_and_results_are_open(method):
    request = example(method, "request")
    assert faults(f"{method}.request", request) == []
    assert faults(f"{method}.request", {**request, "later": 1}) != []
    result = example(method, "result")
    assert faults(f"{method}.result", {**result, "later": {"x": [1.5]}}) == []


def test_what_stands_inside_a_request_is_closed_too():
    request = example("apply", "request")
    move, chance = request["move"], request["chance"]
    assert faults("apply.request", {**request, "move": {**move, "text": "x"}}) != []
    assert faults("apply.request", {**request, "chance": [{**chance[0], "text": "x"}]}) != []
    assert faults("apply.request", {**request, "chance": None}) == []
    del request["chance"]
    assert faults("apply.request", request) == []


POSITION = {"actors": ["p1"], "outcome": None}
MOVE = {"actor": "p1", "move": "show", "args": {}}


@pytest.mark.parametrize(
    "change",
    [
        {"actors": ["p0"]},
        {"actors": ["p1", "p1"]},
        {"actors": "p1"},
        {"outcome": {}},
        {"outcome": {"winners": ["p1"]}},
        {"outcome": {"winners": ["p1"]}, "actors": [], "legal": [MOVE]},
        {"outcome": {"winners": ["p1"], "returns": {"p1": 0.5}}, "actors": []},
        {"outcome": {"winners": ["p1"], "returns": {"x": 1}}, "actors": []},
        {"legal": [{"actor": "p1", "move": "show"}]},
        {"legal": [{**MOVE, "args": {"card": None}}]},
        {"legal": [{**MOVE, "args": {"card": 1.5}}]},
        {"state": []},
        {"state": {"money": 2.5}},
        {"state": {"money": 2**53}},
        {"observations": {"player 1": {}}},
        {"chance": [{"draw": "red"}]},
        {"chance": [{"roll": []}]},
        {"chance": None},
    ],
)
def test_faulty_positions(change):
    assert faults("apply.result", {**POSITION, **change}) != []
    assert faults("new_game.result", {**POSITION, **change}) != []


def test_a_position_needs_actors_and_outcome_only():
    assert faults("apply.result", POSITION) == []
    assert faults("apply.result", {"actors": [], "outcome": {"winners": []}}) == []
    assert faults("apply.result", {"actors": ["p1"]}) != []
    assert faults("apply.result", {"outcome": None}) != []
    assert faults("apply.result", {}) != []


def test_only_apply_refuses_or_waits():
    for result in ({"illegal": {}}, {"pending": True, "actors": ["p1"]}):
        assert faults("apply.result", result) == []
        assert faults("new_game.result", result) != []
    assert faults("apply.result", {"illegal": True}) != []
    assert faults("apply.result", {"illegal": {"rule": 3}}) != []
    assert faults("apply.result", {"pending": True}) != []
    assert faults("apply.result", {"pending": False, "actors": ["p1"]}) != []


def test_reported_outcomes_may_hold_more():
    outcome = {"draw": "red", "from": "pile", "to": "hand.p1", "seed": 5}
    assert faults("apply.result", {**POSITION, "chance": [outcome]}) == []


def test_a_misspelt_capability_is_noticed():
    hello = example("hello", "result")
    assert faults("hello.result", {**hello, "capabilities": ["x-colour"]}) == []
    assert faults("hello.result", {**hello, "capabilities": ["observation"]}) != []
    assert faults("hello.result", {**hello, "protocol": 2}) != []


WANTED = {"wanted": {"kind": "draw", "from": "pile", "to": "hand.p1"}}


@pytest.mark.parametrize(
    ("response", "right"),
    [
        ({"id": 1, "result": {}}, True),
        ({"id": None, "error": {"code": -32700, "message": "not JSON"}}, True),
        ({"id": 1, "error": {"code": -32010, "message": "m", "data": WANTED}}, True),
        ({"id": 1, "error": {"code": -32603, "message": "m", "data": "a trace"}}, True),
        ({"id": None, "result": {}}, False),
        ({"id": 1, "result": {}, "error": {"code": -32603, "message": "m"}}, False),
        ({"id": 1, "result": {}, "error": None}, False),
        ({"id": 1}, False),
        ({"id": 1, "result": []}, False),
        ({"id": 1, "error": {"code": -1, "message": "m"}}, False),
        ({"id": 1, "error": {"code": -32603}}, False),
        ({"id": "1", "result": {}}, False),
    ],
)  # fmt: skip
def test_responses(response, right):
    assert (faults("response", {"jsonrpc": "2.0", **response}) == []) is right


def test_a_response_says_its_version():
    assert faults("response", {"id": 1, "result": {}}) != []
    assert faults("response", {"jsonrpc": "1.0", "id": 1, "result": {}}) != []


def test_the_envelope_of_a_request_checks_its_params():
    request = {"jsonrpc": "2.0", "id": 1, "method": "end_game", "params": {"game_id": "g1"}}
    assert faults("request", request) == []
    for change in (
        {"params": {"game_id": 1}},
        {"params": {}},
        {"params": {"game_id": "g1", "later": 1}},
        {"id": 0},
        {"id": None},
        {"method": "load"},
        {"later": 1},
    ):
        assert faults("request", {**request, **change}) != [], change


def test_lines_of_a_record():
    header = {
        "ludex": 1, "game": "blue-pebble", "edition": "1", "rules_digest": digest({}),
        "components": {"id": "standard", "digest": digest({})}, "players": 2,
        "options": {"goal": 250}, "rulings": {"pile_count": "seen"}, "chance": [],
    }  # fmt: skip
    assert faults("record", header) == []
    assert faults("record", {**header, "seats": {"p1": "Ada"}, "note": "x"}) == []
    assert faults("record", {**header, "seat": {"p1": "Ada"}}) != []
    assert faults("record", {**header, "rules_digest": "abc"}) != []
    assert faults("record", {**header, "chance": None}) != []
    assert faults("record", MOVE) == []
    assert faults("record", {**MOVE, "chance": [{"roll": [6]}], "refused": True}) == []
    assert faults("record", {**MOVE, "refused": False}) != []
    assert faults("record", {**MOVE, "tape": []}) != []
    assert faults("record", {"actor": "p1", "move": "show"}) != []
