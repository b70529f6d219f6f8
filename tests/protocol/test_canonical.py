"""Canonical bytes, digests, and strict reading."""

import hashlib
import json
import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ludex.protocol.canonical import (
    MAX_DEPTH,
    MAX_INT,
    JsonError,
    canonical_bytes,
    digest,
    loads_strict,
)


def text(value):
    return canonical_bytes(value).decode("utf-8")


# ---- writing ------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        (None, "null"),
        (True, "true"),
        (False, "false"),
        (0, "0"),
        (-1, "-1"),
        (MAX_INT, "9007199254740991"),
        (-MAX_INT, "-9007199254740991"),
        ("", '""'),
        ([], "[]"),
        ({}, "{}"),
        ([[], {}, [1, 2]], "[[],{},[1,2]]"),
        ((1, "a"), '[1,"a"]'),
        ({"b": 1, "a": {"d": None, "c": [True]}}, '{"a":{"c":[true],"d":null},"b":1}'),
    ],
)
def test_plain_values(value, expected):
    assert text(value) == expected


def test_keys_are_sorted_by_utf_16_code_units():
    # The example of RFC 8785, section 3.2.3. U+1F600 comes before U+FB33, because its
    # first UTF-16 code unit is D83D.
    value = {
        "\u20ac": "Euro Sign",
        "\r": "Carriage Return",
        "\ufb33": "Hebrew Letter Dalet With Dagesh",
        "1": "One",
        "\U0001f600": "Emoji: Grinning Face",
        "\u0080": "Control",
        "\u00f6": "Latin Small Letter O With Diaeresis",
    }
    assert list(json.loads(canonical_bytes(value)).values()) == [
        "Carriage Return",
        "One",
        "Control",
        "Latin Small Letter O With Diaeresis",
        "Euro Sign",
        "Emoji: Grinning Face",
        "Hebrew Letter Dalet With Dagesh",
    ]


def test_a_longer_key_comes_after_its_own_beginning():
    assert text({"ab": 1, "a": 2, "B": 3, "": 4, "a-10": 5, "a-2": 6}) == (
        '{"":4,"B":3,"a":2,"a-10":5,"a-2":6,"ab":1}'
    )


def test_strings_are_escaped_as_the_rfc_says():
    # The string of RFC 8785, section 3.2.2, and the characters just outside the rule.
    assert text("\u20ac$\u000f\u000aA'\u0042\u0022\u005c\\\"/") == (
        '"\u20ac$\\u000f\\nA\'B\\"\\\\\\\\\\"/"'
    )
    assert text("\b\t\n\f\r\x00\x1f\x7f\u2028") == '"\\b\\t\\n\\f\\r\\u0000\\u001f\x7f\u2028"'


@pytest.mark.parametrize(
    ("value", "code"),
    [
        (1.0, "json.number"),
        (float("nan"), "json.number"),
        (float("inf"), "json.number"),
        (MAX_INT + 1, "json.number"),
        (-MAX_INT - 1, "json.number"),
        pytest.param(10**5000, "json.number", id="5001 digits"),
        pytest.param("\ud800", "json.surrogate", id="surrogate"),
        ({"\udc00": 1, "a": 2}, "json.surrogate"),
        ({1: "a"}, "json.type"),
        ({"a"}, "json.type"),
        (b"a", "json.type"),
    ],
)
def test_what_has_no_canonical_bytes(value, code):
    for outer in (value, [value], {"a": [value]}):
        with pytest.raises(JsonError) as caught:
            canonical_bytes(outer)
        assert caught.value.code == code


def nested(depth):
    value = []
    for _ in range(depth - 1):
        value = [value]
    return value


def test_nesting_is_limited():
    assert canonical_bytes(nested(MAX_DEPTH)) == b"[" * MAX_DEPTH + b"]" * MAX_DEPTH
    with pytest.raises(JsonError, match="nesting"):
        canonical_bytes(nested(MAX_DEPTH + 1))


def test_a_value_that_holds_itself_is_refused():
    value = []
    value.append(value)
    with pytest.raises(JsonError, match="nesting"):
        canonical_bytes(value)


def test_digest_names_its_algorithm():
    expected = hashlib.sha256(b'{"blue":1,"red":3}').hexdigest()
    assert digest({"red": 3, "blue": 1}) == f"sha256:{expected}"
    # The digest of the empty object, as sha256sum prints it.
    assert digest({}) == "sha256:44136fa355b3678a1146ad16f7e8649e94fb4fc21fe77e8310c060f61caaff8a"


values = st.recursive(
    st.none() | st.booleans() | st.integers(-MAX_INT, MAX_INT) | st.text(),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
    max_leaves=20,
)


@given(values)
def test_reading_gives_back_what_was_written(value):
    data = canonical_bytes(value)
    assert loads_strict(data) == value
    assert loads_strict(data.decode("utf-8")) == value


@given(st.dictionaries(st.text(), st.integers(0, 9)), st.randoms())
def test_the_order_of_keys_does_not_matter(value, random):
    items = list(value.items())
    random.shuffle(items)
    assert canonical_bytes(dict(items)) == canonical_bytes(value)


# ---- reading ------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("data", "code"),
    [
        (b'{"a": 1, "a": 1}', "json.duplicate-key"),
        (b'[{"b": {"a": 1, "c": 2, "a": 3}}]', "json.duplicate-key"),
        (b'{"a": 1, "\\u0061": 2}', "json.duplicate-key"),
        (b"NaN", "json.number"),
        (b"[-Infinity]", "json.number"),
        (b"[Infinity]", "json.number"),
        (b"1.0", "json.number"),
        (b"1e3", "json.number"),
        (b"9007199254740992", "json.number"),
        (b"-9007199254740992", "json.number"),
        pytest.param(b"9" * 5000, "json.number", id="5000 digits"),
        (b'"\\ud800"', "json.surrogate"),
        (b'{"\\uDC00x": 1}', "json.surrogate"),
        pytest.param('"\ud800"', "json.surrogate", id="surrogate"),
        (b"\xef\xbb\xbf{}", "json.syntax"),
        (b"", "json.syntax"),
        (b"{} {}", "json.syntax"),
        (b"[1,]", "json.syntax"),
        (b"{'a': 1}", "json.syntax"),
        (b"[01]", "json.syntax"),
        (b'"a\nb"', "json.syntax"),
        (b'"\xff"', "json.utf-8"),
        (b'"\xed\xa0\x80"', "json.utf-8"),
    ],
)
def test_what_is_refused(data, code):
    with pytest.raises(JsonError) as caught:
        loads_strict(data)
    assert caught.value.code == code


def test_the_limits_are_exact():
    assert loads_strict(b"9007199254740991") == MAX_INT
    assert loads_strict(b"-9007199254740991") == -MAX_INT
    assert loads_strict(b"-0") == 0
    assert loads_strict(b"[[[]]]", max_depth=3) == [[[]]]
    with pytest.raises(JsonError, match="at most 3 levels"):
        loads_strict(b"[[[[]]]]", max_depth=3)
    assert loads_strict(b"[1]", max_bytes=3) == [1]
    with pytest.raises(JsonError, match="at most 3 bytes, found 4"):
        loads_strict(b"[12]", max_bytes=3)


def test_brackets_side_by_side_or_in_strings_are_not_deep():
    assert loads_strict("[" + ",".join(["[]"] * 1000) + "]") == [[]] * 1000
    assert loads_strict('["' + "[" * 1000 + '\\"[[{"]') == ["[" * 1000 + '"[[{']


def test_a_surrogate_pair_is_one_character():
    assert loads_strict(b'"\\ud83d\\ude00"') == "\U0001f600"
    assert loads_strict(b'"\\\\ud800"') == "\\ud800"


def test_places_are_line_and_column():
    with pytest.raises(JsonError) as caught:
        loads_strict(b'{"a": 1,\n "\xc3\xa9": \xff}', file="x.json")
    assert str(caught.value.place) == "x.json:2:7"
    with pytest.raises(JsonError) as caught:
        loads_strict('{"a": 1,\n  b}', file="x.json")
    assert str(caught.value.place) == "x.json:2:3"
    with pytest.raises(JsonError) as caught:
        loads_strict("[\n[[", file="x.json", max_depth=2)
    assert str(caught.value.place) == "x.json:2:2"


@pytest.mark.parametrize(
    "data",
    [
        pytest.param(b"[" * 1_000_000, id="arrays"),
        pytest.param(b'{"a":' * 200_000, id="objects"),
        pytest.param(b'"' + b'\\"' * 500_000 + b"[" * 200, id="a string without end"),
        pytest.param(b"9" * 1_000_000, id="digits"),
    ],
)
def test_hostile_texts_are_refused_quickly(data):
    start = time.monotonic()
    with pytest.raises(JsonError):
        loads_strict(data)
    assert time.monotonic() - start < 2
