"""Feed broken YAML to the strict reader: it must answer with data or a SpecError, and soon.

    python tests/authoring/fuzz_yaml.py [ITERATIONS] [SEED]

Exits with 1 and prints the input if anything else happens.
"""

from __future__ import annotations

import random
import sys
import time
from typing import Any

import yaml

from ludex.authoring.strict_yaml import Document, read_yaml
from ludex.errors import SpecError, SpecErrors

SEEDS = (
    "a: 1\nb: [x, y, {c: d}]\ne:\n  - f: g\n    h: 'it''s'\n  - \"i\\tj\"\n",
    'take:\n  requires:\n    - {that: "n > 0", rule: "3.1"}\n  do:\n    - set: {left: left - n}\n',
    "text: >-\n  folded\n  text\n\n  with: signs\nlit: |\n   one\n     two\n",
    "plain: text that\n  goes on\n\n  and on\n'q': 'over\n  lines'\n\"d\": \"e\\\n   f \\u00e9\"\n",
    "? a\n: - b\n  - {c, d: }\n---\nx: *y\n",
    "{that: f(a, b) == 0, on: no, n: 012, t: 1:30, v: 1.5, d: 2014-01-01, <<: &z !t 1}\n",
)
PIECES = (
    *"{}[]:,-?#&*!|>%@`'\"\\\t\r\n \x00\x85~=<.0aé\ufeff\u2028\U0001f409",
    ": ", "- ", "? ", "\n  ", "\n\n", "\r\n", "---\n", "...\n", "<<: ", "{a: ", "[a, ", "'", '"',
    "''", '\\"', "\\u12", "\\UFFFFFFFF", "\\x00", "|2-\n", ">+\n", "true", "no", "null", "0x1f",
    "1_0", "-0", "99999999999999999999", "1e5", "f(a, b)", "&& b", "|| c", "!x", " # c",
    "%YAML 1.2\n", "[" * 70, "{a: " * 70, "- " * 70, "]" * 9, "}" * 9, "x" * 1100,
)  # fmt: skip
SECONDS = 5.0


def make(rng: random.Random) -> str | bytes:
    """Return one input: pieces joined at random, or a good text with some damage."""
    if rng.random() < 0.4:
        return "".join(rng.choice(PIECES) for _ in range(rng.randrange(1, 30)))
    text = rng.choice(SEEDS)
    for _ in range(rng.randrange(1, 6)):
        at = rng.randrange(len(text) + 1)
        kind = rng.randrange(4)
        if kind == 0:
            text = text[:at] + text[at + rng.randrange(1, 4) :]
        elif kind == 1:
            text = text[:at] + rng.choice(PIECES) + text[at:]
        elif kind == 2:
            end = min(len(text), at + rng.randrange(1, 12))
            text = text[:end] + text[at:end] + text[end:]
        else:
            text = text[:at] + rng.choice(SEEDS)[at:]
    if rng.random() < 0.1:
        raw = bytearray(text.encode("utf-8"))
        if raw:
            raw[rng.randrange(len(raw))] = rng.randrange(256)
        return bytes(raw)
    return text


def attempt(text: str | bytes) -> Document | None:
    """Read one input and check the answer; raise AssertionError if it is not a decent one."""
    begin = time.perf_counter()
    try:
        document = read_yaml(text, "f.yaml")
    except SpecError as error:
        for one in error.errors if isinstance(error, SpecErrors) else [error]:
            assert one.code.startswith("yaml."), one.code
            assert one.message, one.code
            assert one.hint, one.message
            assert one.place is not None, one.message
            assert one.place.line >= 1, one.place
            assert one.place.column >= 1, one.place
        return None
    finally:
        assert time.perf_counter() - begin < SECONDS
    source = text.decode("utf-8") if isinstance(text, bytes) else text
    assert_same(document.value, yaml.load(source, Loader=yaml.BaseLoader))
    assert_places(document, source.removeprefix("\ufeff").split("\n"))
    return document


def assert_same(ours: Any, theirs: Any) -> None:
    """Compare with PyYAML's loader that takes every scalar for a string."""
    if isinstance(ours, dict):
        assert list(ours) == list(theirs)
        for key, value in ours.items():
            assert_same(value, theirs[key])
    elif isinstance(ours, list):
        assert len(ours) == len(theirs)
        for one, other in zip(ours, theirs, strict=True):
            assert_same(one, other)
    elif isinstance(ours, str):
        assert ours == theirs
    elif isinstance(ours, bool):
        assert theirs == ("true" if ours else "false")
    elif ours is None:
        assert theirs in ("", "~", "null")
    else:
        assert type(ours) is int
        assert str(ours) == theirs


def assert_places(document: Document, lines: list[str], path: tuple[str | int, ...] = ()) -> None:
    """Check that each character of each string is where the document says it is."""
    value: Any = document.value
    for step in path:
        value = value[step]
    if isinstance(value, dict):
        for key in value:
            for offset, char in enumerate(key):
                assert_char(document.key_text_place((*path, key), offset), char, lines)
            assert_places(document, lines, (*path, key))
    elif isinstance(value, list):
        for index in range(len(value)):
            assert_places(document, lines, (*path, index))
    elif isinstance(value, str):
        for offset, char in enumerate(value[:200]):
            assert_char(document.text_place(path, offset), char, lines)


def assert_char(place: Any, char: str, lines: list[str]) -> None:
    if not char.isspace():
        there = lines[place.line - 1][place.column - 1]
        assert there in (char, "\\"), (place, char, there)


def run(iterations: int, seed: int) -> int:
    """Try so many inputs; return how many of them were good YAML."""
    rng = random.Random(seed)
    good = 0
    for _ in range(iterations):
        text = make(rng)
        try:
            good += attempt(text) is not None
        except BaseException:
            print(f"this input broke the reader: {text!r}", file=sys.stderr)
            raise
    return good


if __name__ == "__main__":
    many = int(sys.argv[1]) if len(sys.argv) > 1 else 20_000
    start = int(sys.argv[2]) if len(sys.argv) > 2 else 0
    print(f"{run(many, start)} of {many} inputs were good YAML; no surprise")
