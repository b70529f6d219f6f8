"""The strict YAML reader: what it makes of text, where things stand, and what it says."""

from __future__ import annotations

import json
import time
from contextlib import suppress
from pathlib import Path

import pytest
from authoring import fuzz_yaml
from hypothesis import given, settings
from hypothesis import strategies as st

from ludex.authoring import strict_yaml
from ludex.authoring.strict_yaml import (
    MAX_BYTES,
    MAX_DEPTH,
    MAX_ERRORS,
    MAX_VALUES,
    read_yaml,
    read_yaml_file,
)
from ludex.errors import Place, SpecError, SpecErrors


def complaints(text: str | bytes) -> list[str]:
    with pytest.raises(SpecError) as caught:
        read_yaml(text, "f.yaml")
    error = caught.value
    return [str(one) for one in (error.errors if isinstance(error, SpecErrors) else [error])]


def complaint(text: str | bytes) -> str:
    found = complaints(text)
    assert len(found) == 1, found
    return found[0]


# What text means.


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("null", None),
        ("~", None),
        ("true", True),
        ("false", False),
        ("0", 0),
        ("7", 7),
        ("-12", -12),
        ("9007199254740991", 2**53 - 1),
        ("'7'", "7"),
        ('"true"', "true"),
        ("'no'", "no"),
        ("y", "y"),
        ("north", "north"),
        ("onto", "onto"),
        ("1.2.3", "1.2.3"),
        ("3 - 1", "3 - 1"),
        ("1:a", "1:a"),
        ("p1", "p1"),
        ("2014-01", "2014-01"),
        ("held[p] == 1 && !x", "held[p] == 1 && !x"),
        (r'"a\tb\u00e9\\"', "a\tbé\\"),
    ],
)
def test_scalars(text: str, value: object) -> None:
    found = read_yaml(f"k: {text}\n", "f.yaml").value["k"]
    assert found == value
    assert type(found) is type(value)


def test_structure() -> None:
    text = "a:\n- 1\n- {b: [x, 'y z'], c: }\nd: >-\n  two\n  lines\ne: |\n  x\n  y\n"
    assert read_yaml(text, "f.yaml").value == {
        "a": [1, {"b": ["x", "y z"], "c": None}],
        "d": "two lines",
        "e": "x\ny\n",
    }


def test_a_document_mark_a_byte_order_mark_and_dos_line_ends_are_accepted() -> None:
    assert read_yaml("---\na: 1\n...\n", "f").value == {"a": 1}
    assert read_yaml("\ufeffa: 1\r\nb: 2\r\n".encode(), "f").value == {"a": 1, "b": 2}
    document = read_yaml("\ufeffa: 1\r\nb: 2\r\n", "f")
    assert document.place(("a",)) == Place("f", 1, 4)
    assert document.place(("b",)) == Place("f", 2, 4)


def test_a_value_may_be_null_on_purpose() -> None:
    assert read_yaml("null", "f").value is None


# Where things stand.

PLACES = """\
top:
  - {a: 1, "b": [x, y]}
  - c:
      deep: z
empty:
"""


@pytest.mark.parametrize(
    ("path", "value", "key"),
    [
        ((), (1, 1), (1, 1)),
        (("top",), (2, 3), (1, 1)),
        (("top", 0), (2, 5), (2, 5)),
        (("top", 0, "a"), (2, 9), (2, 6)),
        (("top", 0, "b"), (2, 17), (2, 12)),
        (("top", 0, "b", 1), (2, 21), (2, 21)),
        (("top", 1, "c", "deep"), (4, 13), (4, 7)),
        (("empty",), (5, 7), (5, 1)),
        # Absent: the nearest one around it.
        (("top", 0, "zz"), (2, 5), (2, 5)),
        (("top", 1, "c", "zz", 3), (4, 7), (3, 5)),
        (("top", 9), (2, 3), (1, 1)),
        (("top", -1), (2, 3), (1, 1)),
        (("zz",), (1, 1), (1, 1)),
        (("top", 0, "a", "zz"), (2, 9), (2, 6)),
    ],
)
def test_places(path: tuple[str | int, ...], value: tuple[int, int], key: tuple[int, int]) -> None:
    document = read_yaml(PLACES, "f.yaml")
    assert document.place(path) == Place("f.yaml", *value)
    assert document.key_place(path) == Place("f.yaml", *key)


@pytest.mark.parametrize(
    ("text", "offset", "line", "column"),
    [
        ("k: abc", 0, 1, 4),
        ("k: abc", 2, 1, 6),
        ("k: abc", 3, 1, 7),
        ("k: abc", 99, 1, 7),
        ("k: 'abc'", 0, 1, 5),
        ("k: 'it''s x'", 2, 1, 7),
        ("k: 'it''s x'", 3, 1, 9),  # behind the doubled quote
        ("k: 'it''s x'", 6, 1, 12),  # the end: the closing quote
        ("k: ''", 0, 1, 5),
        ('k: "a\\tb"', 1, 1, 6),
        ('k: "a\\tb"', 2, 1, 8),
        ('k: "\\u00e9b"', 1, 1, 11),
        ('k: "\\x41\\U0001F409c"', 2, 1, 19),
        ("k: [x, yz]", 0, 1, 4),  # no string
        # Several lines.
        ("k: ab\n  cd", 3, 2, 3),
        ("k: ab\n\n  cd", 3, 3, 3),
        ("k: 'ab\n   cd'", 4, 2, 5),
        ('k: "ab\\\n  cd"', 2, 2, 3),
        ("k: |\n  ab\n   cd\n", 0, 2, 3),
        ("k: |\n  ab\n   cd\n", 4, 3, 4),
        ("k: >- # note\n  ab\n  cd\n\n  ef\n", 3, 3, 3),
        ("k: >- # note\n  ab\n  cd\n\n  ef\n", 6, 5, 3),
        ("k: >-\r\n  ab\r\n  cd\r\n", 4, 3, 4),
    ],
)
def test_places_inside_text(text: str, offset: int, line: int, column: int) -> None:
    assert read_yaml(text, "f").text_place(("k",), offset) == Place("f", line, column)


def test_a_line_end_inside_text_is_placed_behind_the_word_before_it() -> None:
    assert read_yaml("k: |\n  ab\n  cd\n", "f").text_place(("k",), 2) == Place("f", 2, 5)


def test_places_inside_keys() -> None:
    document = read_yaml("set: {\"ends[p]['left']\": x}\n", "f")
    path = ("set", "ends[p]['left']")
    assert document.key_text_place(path, 5) == Place("f", 1, 13)
    assert document.key_text_place((), 5) == Place("f", 1, 1)


# What it says. Word for word: these messages are the reader's face.


MESSAGES = (Path(__file__).parent / "yaml_messages.txt").read_text("utf-8")
CASES = [tuple(case.strip("\n").split("\n~~~~\n")) for case in MESSAGES.split("\n====\n")[1:]]


@pytest.mark.parametrize(("text", "message"), CASES, ids=[text for text, _ in CASES])
def test_messages(text: str, message: str) -> None:
    assert complaint(text) == message


def test_messages_about_bytes_and_characters() -> None:
    assert complaint(b"a: 1\nb: caf\xe9\n") == (
        "f.yaml:2:7: expected UTF-8, found the byte 0xe9 [yaml.encoding]\n"
        "    save the file as UTF-8"
    )
    assert complaint("a: 1\nb: x\x07y\n") == (
        "f.yaml:2:5: expected printable text, found the character U+0007 [yaml.character]\n"
        '    remove it; in double quotes it can be written as an escape, such as "\\u00a0"'
    )
    assert complaint("a:\n\tb: 1\n") == (
        "f.yaml:2:1: expected spaces, found a tab [yaml.tab]\n"
        "    indent with spaces only; a tab may stand inside quotes"
    )


@pytest.mark.parametrize(
    "text",
    [
        *("yes", "no", "on", "off", "Yes", "NO", "On", "OFF", "True", "TRUE", "False", "FALSE"),
        *("Null", "NULL", "012", "-012", "0o17", "0x1f", "0b11", "1_000", "+1", "-0", "1:30"),
        *("190:20:30", "2014-01-01", "2014-1-1", "2014-01-01T10:00:00Z"),
    ],
)
def test_what_some_reader_takes_for_something_else_must_be_quoted(text: str) -> None:
    assert "[yaml.ambiguous]" in complaint(f"a: {text}")
    assert "[yaml.ambiguous]" in complaint(f"[{text}]")
    assert read_yaml(f"a: '{text}'", "f").value == {"a": text}


@pytest.mark.parametrize(
    "text", ["0.5", ".5", "5.", "-1.0", "1e3", "1.5E-7", ".inf", "-.inf", ".nan"]
)
def test_there_are_no_floats(text: str) -> None:
    assert "[yaml.float]" in complaint(f"a: {text}")


@pytest.mark.parametrize(
    "text",
    ["a\x85b", "a\u2028b", "a\u202eb", "a\ufeffb", "a\rb", "a\x7f", "\ud800", "a\x00", "a\x1b[0m"],
)
def test_characters_that_hide_something_are_refused(text: str) -> None:
    assert "[yaml.character]" in complaint(text)


def test_several_errors_in_one_run_in_the_order_of_their_places() -> None:
    found = complaints("a: no\na: 1\nb: [1.5, 'x\n")
    assert [line.split(":")[1:3] for line in found] == [
        ["1", "4"],
        ["2", "1"],
        ["3", "5"],
        ["3", "10"],
    ]


def test_the_number_of_errors_is_limited() -> None:
    assert len(complaints("- no\n" * 10_000)) == MAX_ERRORS


# Limits.


def test_size() -> None:
    head = "a: "
    assert read_yaml(head + "x" * (MAX_BYTES - 3), "f").value == {"a": "x" * (MAX_BYTES - 3)}
    assert "[yaml.size]" in complaint(head + "x" * (MAX_BYTES - 2))
    assert "[yaml.size]" in complaint((head + "x" * MAX_BYTES).encode())
    assert "[yaml.size]" in complaint("é" * (MAX_BYTES // 2 + 1))


def test_depth() -> None:
    assert read_yaml("[" * MAX_DEPTH + "]" * MAX_DEPTH, "f").value
    for text in (
        "[" * (MAX_DEPTH + 1) + "]" * (MAX_DEPTH + 1),
        "- " * 500,
        "[" * 500_000,
        "{a: " * 5000,
        "\n".join(" " * n + "a:" for n in range(1000)),
    ):
        assert "[yaml.depth]" in complaint(text)


def test_number_of_values(monkeypatch: pytest.MonkeyPatch) -> None:
    assert MAX_VALUES == 200_000
    monkeypatch.setattr(strict_yaml, "MAX_VALUES", 1000)
    # The list itself counts.
    assert len(read_yaml("[" + "a," * 999 + "]", "f").value) == 999
    assert "[yaml.too-many]" in complaint("[" + "a," * 1000 + "]")
    assert "[yaml.too-many]" in complaint("[" + "{}," * 1000 + "]")


def test_a_long_spec_is_read_in_no_time() -> None:
    text = "".join(
        f"move{n}:\n  params: {{card: Card}}\n  do:\n"
        f'    - {{move: {{card: card, from: "hand[actor]", to: row}}, rule: "4.{n}"}}\n'
        for n in range(150)
    )
    assert text.count("\n") == 600
    times = []
    for _ in range(3):
        begin = time.perf_counter()
        read_yaml(text, "f")
        times.append(time.perf_counter() - begin)
    # It takes about 0.06 s; the margin is for slow machines.
    assert min(times) < 0.5


@pytest.mark.parametrize(
    "unit",
    [
        "a,\n",
        "'',",
        "{},",
        "[[[[[[[[a]]]]]]]],",
        "[[[[\n a]]]],",
        "#\n",
        "\n",
        " ",
        "a",
        "''",
        "f(a,",
    ],
)
def test_time_grows_with_the_size_only(unit: str) -> None:
    def seconds(size: int) -> float:
        begin = time.perf_counter()
        with suppress(SpecError):
            read_yaml("[" + unit * (size // len(unit)), "f")
        return time.perf_counter() - begin

    small = min(seconds(6_000) for _ in range(3))
    # Ten times the size; quadratic time would be a hundred times as long.
    assert seconds(60_000) < 40 * small + 0.1


# Files.


def test_files(tmp_path: Path) -> None:
    good = tmp_path / "good.yaml"
    good.write_bytes("a: é\n".encode())
    document = read_yaml_file(good, "shown.yaml")
    assert document.value == {"a": "é"}
    assert str(document.place(("a",))) == "shown.yaml:1:4"
    assert read_yaml_file(good).file == str(good)
    with pytest.raises(SpecError) as caught:
        read_yaml_file(tmp_path / "none.yaml", "none.yaml")
    assert str(caught.value) == (
        "none.yaml:1:1: there is no such file [yaml.file]\n    check the path"
    )
    with pytest.raises(SpecError) as caught:
        read_yaml_file(tmp_path, "dir")
    assert str(caught.value) == (
        "dir:1:1: expected a file, found a folder [yaml.file]\n    check the path"
    )
    big = tmp_path / "big.yaml"
    big.write_bytes(b"#" * (MAX_BYTES + 1))
    with pytest.raises(SpecError, match=r"yaml\.size"):
        read_yaml_file(big)


# Anything at all.


def test_a_sample_of_the_fuzzer() -> None:
    # Some of the inputs must be good, or the fuzzer tests nothing but errors.
    assert fuzz_yaml.run(2000, seed=11) > 100


@settings(max_examples=200, deadline=None)
@given(st.one_of(st.text(), st.binary(), st.lists(st.sampled_from(fuzz_yaml.PIECES)).map("".join)))
def test_any_text_gives_data_or_a_spec_error(text: str | bytes) -> None:
    fuzz_yaml.attempt(text)


PLAIN = st.recursive(
    st.none() | st.booleans() | st.integers(-(2**53) + 1, 2**53 - 1) | st.text("ab:'\"\\ \n,[é"),
    lambda inner: st.lists(inner) | st.dictionaries(st.text("ab: '\"#"), inner),
    max_leaves=15,
)


@settings(max_examples=200, deadline=None)
@given(PLAIN)
def test_json_is_yaml(value: object) -> None:
    text = json.dumps(value, ensure_ascii=False)
    document = read_yaml(text, "f")
    assert document.value == value
    fuzz_yaml.assert_places(document, text.split("\n"))
