"""Comparing one answer with what the rules say."""

import copy
import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from kit.games import planned

from ludex_tck.blame import blame
from ludex_tck.compare import compare, explain, fired, same
from ludex_tck.scripts import Step
from ludex_tck.wire import Answer, Breach, RpcError

ALL = ("legal", "state", "observations")
SCRIPT = planned("compare")
LEGAL = next(s for s in SCRIPT.steps[5:] if not s.refused)
REFUSED = next(s for s in SCRIPT.steps if s.refused)
LAST = SCRIPT.steps[-1]


def answer(step=LEGAL, **change):
    return Answer({**copy.deepcopy(step.expected), **change})


def found(reply, step=LEGAL, capabilities=ALL):
    expected = SCRIPT.expected if step is None else step.expected
    return compare(reply, step, expected, capabilities)


def checks(*args, **kwargs):
    return [d.check for d in found(*args, **kwargs)]


def test_the_right_answers_differ_in_nothing():
    for step in SCRIPT.steps:
        reply = Answer({"illegal": {}}) if step.refused else answer(step)
        assert found(reply, step) == []
    assert found(Answer(SCRIPT.expected), None) == []


def test_what_is_not_claimed_is_not_compared():
    bare = Answer({k: LEGAL.expected[k] for k in ("actors", "outcome")})
    assert found(bare, capabilities=()) == []
    assert checks(bare, capabilities=("legal",)) == ["core.legal-set"]
    assert checks(bare, capabilities=("state",)) == ["state.table"]
    assert checks(bare, capabilities=("observations",)) == ["privacy.observation"]
    # sent, but not claimed
    assert found(answer(state="?", legal="?"), capabilities=()) == []


def test_each_capability_fires_its_check():
    assert fired(REFUSED, ALL) == ["core.answers", "core.refuses"]
    base = ["core.answers", "core.accepts", "core.actors", "core.outcome"]
    assert fired(None, ()) == base
    assert fired(LEGAL, ALL) == [*base, "core.legal-set", "state.table", "privacy.observation"]


@pytest.mark.parametrize(
    ("reply", "step", "check"),
    [
        (Breach("silence", "nothing"), LEGAL, "core.answers"),
        (Breach("exit", "gone"), REFUSED, "core.answers"),
        (Answer(None), LEGAL, "core.answers"),
        (Answer([]), LEGAL, "core.answers"),
        (Answer({}), LEGAL, "core.answers"),
        (Answer("ok"), REFUSED, "core.answers"),
        (Answer(None, RpcError(-32603, "oops")), LEGAL, "core.answers"),
        (Answer(None, RpcError(-32603, "oops")), REFUSED, "core.refuses"),
        (Answer(None, RpcError(-32602, "no such card")), REFUSED, "core.refuses"),
        (Answer(None, RpcError(-32010, "more")), LEGAL, "core.accepts"),
        (Answer(None, RpcError(-32013, "less")), LEGAL, "core.accepts"),
        (Answer(None, RpcError(-32004, "over")), LEGAL, "core.answers"),
        (Answer({"illegal": {}}), LEGAL, "core.accepts"),
        (Answer({"illegal": {}}), None, "core.answers"),
        (Answer({"illegal": None}), REFUSED, "core.answers"),
        (Answer({"illegal": {"rule": 7}}), REFUSED, "core.answers"),
        (Answer({"pending": True, "actors": LEGAL.expected["actors"]}), None, "core.answers"),
        (Answer({"pending": True, "actors": ["p1"]}), REFUSED, "core.refuses"),
        (Answer({"pending": True}), LEGAL, "core.answers"),
        (Answer({"pending": True, "actors": []}), LEGAL, "core.answers"),
        (Answer({"pending": True, "actors": ["p1", "p2"]}), LEGAL, "core.actors"),
        (Answer({"pending": True, "actors": ["p1"]}), LAST, "core.outcome"),
    ],
)
def test_answers_that_are_not_even_a_position(reply, step, check):
    assert checks(reply, step) == [check]


def test_an_answer_inside_a_turn_is_not_compared():
    actors = LEGAL.expected["actors"]
    assert found(Answer({"pending": True, "actors": actors})) == []


@pytest.mark.parametrize(
    ("change", "check"),
    [
        ({"actors": []}, ["core.actors"]),
        ({"actors": ["p1", "p2"]}, ["core.actors"]),
        ({"actors": None}, ["core.answers"]),
        ({"legal": None}, ["core.answers"]),
        ({"legal": []}, ["core.legal-set"]),
        ({"legal": [{"actor": "p1"}]}, ["core.answers"]),
        ({"state": {}}, ["state.table"] * 4),
        ({"state": []}, ["core.answers"]),
        ({"observations": {}}, ["privacy.observation"] * 2),
        ({"outcome": {"winners": []}}, ["core.answers"]),
    ],
)
def test_positions_that_differ(change, check):
    assert checks(answer(**change)) == check


@pytest.mark.parametrize("key", ["actors", "outcome"])
def test_a_required_field_is_missed(key):
    reply = answer()
    del reply.result[key]
    [difference] = found(reply)
    assert (difference.check, difference.message) == ("core.answers", f"the position has no {key}")


def test_order_and_repetition_of_sets_do_not_count():
    legal = LEGAL.expected["legal"]
    assert found(answer(legal=legal[::-1] + legal[:2])) == []
    swapped = [dict(reversed(m.items())) for m in legal]
    assert found(answer(legal=swapped)) == []
    shared = Step(LAST.move, LAST.chance, (), {
        **LAST.expected, "outcome": {"winners": ["p1", "p2"], "returns": {"p1": -3, "p2": -3}}
    })
    assert found(answer(shared, outcome={"returns": {"p2": -3, "p1": -3},
                                         "winners": ["p2", "p1"]}), shared) == []


def test_unknown_fields_are_ignored():
    legal = [{**m, "text": "hi"} for m in LEGAL.expected["legal"]]
    assert found(answer(legal=legal, note=1)) == []
    outcome = {**LAST.expected["outcome"], "note": 1}
    assert found(answer(LAST, outcome=outcome), LAST) == []


def test_an_argument_too_many_is_another_move():
    legal = [{**m, "args": {**m["args"], "mood": "good"}} for m in LEGAL.expected["legal"]]
    [difference] = found(answer(legal=legal))
    assert difference.check == "core.legal-set"
    assert len(difference.actual["extra"]) == len(legal)


def test_the_end_without_returns_or_with_others():
    outcome = LAST.expected["outcome"]
    assert outcome["returns"].keys() == {"p1", "p2"}
    for change in ({"winners": outcome["winners"]}, {**outcome, "returns": {}},
                   {**outcome, "winners": []}, None):
        assert checks(answer(LAST, outcome=change), LAST) == ["core.outcome"]


def test_places_are_as_deep_as_they_can_be():
    state = copy.deepcopy(LEGAL.expected["state"])
    state["hand"]["p2"] = ["red-left"]
    del state["fleas"]["p1"]
    state["hand"]["p3"] = []
    differences = found(answer(state=state))
    assert {d.path: (d.message, d.actual) for d in differences} == {
        ("state", "hand", "p2"): ("state.hand.p2 differs", ["red-left"]),
        ("state", "hand", "p3"): ("state.hand.p3 is not in the rules", []),
        ("state", "fleas", "p1"): ("state.fleas.p1 is missing", None),
    }


def test_a_count_and_a_list_are_one_place():
    seen = copy.deepcopy(LEGAL.expected["observations"])
    seen["p1"]["hand"]["p2"] = ["red-left", "red-left", "red-left"]
    seen["p2"]["draw_pile"] = {"count": 1}
    assert [d.path for d in found(answer(observations=seen))] == [
        ("observations", "p1", "hand", "p2"), ("observations", "p2", "draw_pile")
    ]


@pytest.mark.parametrize(
    ("one", "other"),
    [(1, True), (1, 1.0), (0, False), ([1], [True]), ({"a": 0}, {"a": False}), (1, "1"), (0, None)],
)
def test_values_that_python_mixes_up_differ(one, other):
    assert not same(one, other)
    assert same(one, copy.deepcopy(one))


def test_the_most_telling_difference_comes_first():
    reply = answer(state={}, actors=[], legal=[], observations={}, outcome=None)
    assert list(dict.fromkeys(checks(reply))) == [
        "state.table", "core.actors", "core.legal-set", "privacy.observation"
    ]


def test_a_refusal_may_name_any_rule_that_is_broken():
    broken = REFUSED.broken[0]
    assert explain({}, REFUSED) == []
    assert explain({"rule": broken.rule}, REFUSED) == []
    [difference] = explain({"rule": "9.9"}, REFUSED)
    assert (difference.check, difference.actual) == ("explain.rule", "9.9")
    assert broken.rule in difference.expected


# ---- whatever a program answers, the kit does not fall over -------------------------------------

JSON = st.recursive(
    st.none() | st.booleans() | st.integers(-3, 3) | st.floats(allow_nan=False)
    | st.sampled_from(["p1", "red-left", "left", "extend", ""]),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(
        st.sampled_from(["actor", "move", "args", "card", "end", "p1", "count", "illegal", "rule",
                         "pending", "actors", "winners", "error", "code", "draw_pile"]),
        inner, max_size=3),
    max_leaves=6,
)


def places(value, path=()):
    yield path
    if isinstance(value, dict | list):
        for key, inner in value.items() if isinstance(value, dict) else enumerate(value):
            yield from places(inner, (*path, key))


@settings(max_examples=300, deadline=None, database=None)
@given(st.data())
def test_nothing_that_is_answered_raises(data):
    index = data.draw(st.sampled_from([i for i, s in enumerate(SCRIPT.steps)]))
    step = SCRIPT.steps[index]
    value = json.loads(json.dumps(step.expected or {"illegal": {"rule": "4.1", "reason": "no"}}))
    path = data.draw(st.sampled_from(list(places(value))))
    garbage = data.draw(JSON)
    if path:
        target = value
        for key in path[:-1]:
            target = target[key]
        target[path[-1]] = garbage
    else:
        value = garbage
    for difference in compare(Answer(value), step, step.expected, ALL):
        rule = blame(SCRIPT.cut(index + 1), index, difference, value)
        assert rule in SCRIPT.game.document["text"]["rules"]
