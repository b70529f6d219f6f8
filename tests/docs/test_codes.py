"""The table of error codes: every code that can be raised is in it, and no other."""

from __future__ import annotations

import ast
import re
from functools import cache
from pathlib import Path

import pytest
from code_scan import ROOT, raised, sources, templates

from ludex.codes import codes
from ludex.explore.explore import CHECKS
from ludex.pages.tables import fill_tables

#: What no small file shows; the tests of the readers do.
UNTOLD = {"schema.broken", "schema.depth", "schema.value", "yaml.depth", "yaml.encoding",
          "yaml.file", "yaml.size", "yaml.too-many"}
RAISED = {code: place for code, place in raised().items() if "." in code}
EXPECTED = [*(ROOT / "tests/specs/invalid").glob("*/*/expected.txt"),
            *(ROOT / "tests/authoring").glob("*_messages.txt")]
SAID = re.compile(r"(?m)^(?:[\w./-]+:\d+:\d+: )?(.+) \[([a-z]+\.[a-z-]+)\]$")


@cache
def said() -> dict[str, set[str]]:
    """Return the messages that the tests of faulty specs expect, by code."""
    found: dict[str, set[str]] = {}
    for file in EXPECTED:
        for message, code in SAID.findall(file.read_text("utf-8")):
            found.setdefault(code, set()).add(message)
    return found


def test_the_scan_finds_codes_of_every_sort() -> None:
    assert {
        "usage.port",  # code="..."
        "tape.too-short",  # an attribute of a class
        "spec.unknown-step",  # at.error(...)
        "expression.member",  # self.fail(...)
        "expression.type",  # self.fail(...) without a code
        "expression.unknown-option", "spec.unknown-statement",  # put together
        "yaml.tag",  # self._refuse(...)
        "yaml.float",  # Complaint(...)
        "schema.size",  # returned
        "record.unknown-game",
    } <= RAISED.keys()


def test_every_code_that_can_be_raised_is_in_the_table() -> None:
    missing = {code: place for code, place in RAISED.items() if code not in codes()}
    assert missing == {}, "add them to reference/ludex/codes.txt"


def test_every_code_in_the_table_can_be_raised() -> None:
    assert [code for code in codes() if code not in RAISED] == []


@pytest.mark.parametrize("code", codes())
def test_each_entry_is_whole(code: str) -> None:
    entry = codes()[code]
    assert entry.family
    assert re.match(r"[A-Za-z]", entry.means)
    assert entry.means.endswith(".")
    assert entry.fix.endswith(".")
    assert entry.example
    assert not entry.example.endswith(".")


@pytest.mark.parametrize("code", codes())
def test_the_example_is_a_message_that_is_said(code: str) -> None:
    example = codes()[code].example
    known = said().get(code, set())
    patterns = templates().get(code, [".*"])
    fits = any(re.fullmatch(p, example, re.DOTALL) for p in patterns)
    assert example in known or fits, (example, sorted(known)[:5] or patterns)


def test_the_messages_of_authors_codes_are_tested_word_for_word() -> None:
    families = ("spec.", "expression.", "schema.", "yaml.")
    untold = {c for c in RAISED if c.startswith(families)} - said().keys()
    assert untold == UNTOLD


def test_no_error_is_raised_without_a_code() -> None:
    bare = []
    for path in sources():
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if (
                isinstance(node, ast.Call)
                and isinstance(node.func, ast.Name)
                and node.func.id in ("SpecError", "UsageError", "RecordError", "HelloError")
                and not any(k.arg == "code" for k in node.keywords)
            ):
                bare.append(f"{Path(path).relative_to(ROOT)}:{node.lineno}")
    assert bare == []


def test_the_page_has_every_code_and_every_check() -> None:
    page = fill_tables((ROOT / "docs/errors.md").read_text("utf-8"))
    assert "<!-- ludex" not in page
    for name in (*codes(), *CHECKS):
        assert page.count(f"<code>{name}</code>") == 1, name
