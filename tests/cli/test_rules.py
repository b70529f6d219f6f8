"""``ludex rules``: looking up and searching the rulebook."""

from __future__ import annotations

import json
from functools import cache
from typing import Any

import pytest
from cli.lines import run
from patched import MINIMAL

from ludex.authoring.document import load_document
from ludex.errors import UsageError
from ludex.rulebook import Rulebook

Capsys = pytest.CaptureFixture[str]


@pytest.fixture(autouse=True)
def _eighty_columns(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "80")


@cache
def book() -> Rulebook:
    return Rulebook(load_document(MINIMAL))


def ids(words: str) -> list[str]:
    return [e.id for e in book().search(words)]


# -- by id -----------------------------------------------------------------------------------


def test_a_rule_and_all_about_it() -> None:
    (rule,) = book().find("2.3")
    assert (rule.what, rule.title) == ("rule", "It is kept.")
    value = dict(rule.value)
    # two variables or blocks name it: the variable `taken` and the effect `keep`
    assert [c.split(":")[0] for c in value.pop("clauses")] == ["game.yaml", "game.yaml"]
    assert value == {
        "section": {"id": "2", "title": "Taking"}, "kind": "effect", "status": "formal",
        "place": ["Sentence 2"], "see": [], "rulings": ["taken_cards"],
        "examples": ["a-whole-game", "closed-cards"],
    }


def test_a_rule_that_no_machine_checks() -> None:
    (rule,) = book().find("3.2")
    assert (rule.value["status"], rule.value["why"]) == ("informal", "No machine sees it.")


@pytest.mark.parametrize(
    ("name", "what"),
    [("2", "section"), ("2.4", "rule"), ("taken_cards", "ruling"), ("A-Whole-Game", "example")],
)
def test_every_sort_of_id(name: str, what: str) -> None:
    found, searched = book().look_up(name)
    assert ([e.what for e in found], searched) == ([what], False)


@pytest.mark.parametrize(
    ("name", "hint"),
    [("2.9", "did you mean '2.4'?"), ("taken_crads", "did you mean 'taken_cards'?"),
     ("a-hole-game", "did you mean 'a-whole-game'?"), ("77", "the sections are 1, 2, 3")],
)
def test_an_unknown_id(name: str, hint: str) -> None:
    with pytest.raises(UsageError) as found:
        book().look_up(name)
    assert found.value.code == "usage.unknown-id"
    if name != "2.9":  # there are several as near
        assert found.value.hint == hint
    else:
        assert found.value.hint.startswith("did you mean '2.")


# -- by words --------------------------------------------------------------------------------


def test_all_words_must_be_there() -> None:
    # "card" is in 1.2, 1.3 and 2.2, and in the ruling and an example; "taken" in 2.2, 3.1, ...
    assert set(ids("card")) == {"1.2", "1.3", "2.2", "taken_cards", "closed-cards"}
    assert ids("card points") == ["1.2"]
    assert ids("card nonsense") == []
    assert ids("...") == []


def test_case_and_parts_of_words() -> None:
    assert ids("NOBODY") == ["2.4"]
    assert "2.4" in ids("nobod")


def test_rules_come_first_and_whole_words_before_parts() -> None:
    # "turn" stands in 2.2; in 2.1 only "turns"
    assert ids("turn") == ["2.2", "2.1"]
    # as a whole word in a rule, a ruling and an example
    found = ids("taken")
    assert found.index("2.2") < found.index("taken_cards")


def test_reasons_and_answers_are_searched() -> None:
    assert ids("silent") == ["taken_cards"]
    assert ids("machine") == ["3.2"]
    assert ids("everybody") == ["taken_cards"]


# -- the command -----------------------------------------------------------------------------


def test_without_words_all_rules(capsys: Capsys) -> None:
    done = run(capsys, "rules", MINIMAL)
    assert done.status == 0
    lines = done.out.splitlines()
    assert [line for line in lines if not line.startswith(" ")] == ["1 Setup", "2 Taking", "3 End"]
    assert lines[1] == "  1.1       Two people play."
    assert len(lines) == 3 + 9


def test_a_rule_is_shown(capsys: Capsys) -> None:
    done = run(capsys, "rules", MINIMAL, "2.3")
    assert done.out.splitlines()[:8] == [
        "rule 2.3    It is kept.",
        "  section   2 Taking",
        "  rulebook  Sentence 2",
        "  kind      effect, formal",
        "  rulings   taken_cards: Who sees the cards that were taken?",
        "  examples  a-whole-game: Both take both colours",
        "            closed-cards: Only the owner sees what was taken",
        # where `taken` and `keep` stand
        "  clauses   game.yaml:20, game.yaml:71",
    ]


def test_a_ruling_is_shown(capsys: Capsys) -> None:
    out = run(capsys, "rules", MINIMAL, "taken_cards").out
    assert "ruling      taken_cards: Who sees the cards that were taken?\n" in out
    assert "  value     open (default): Everybody.\n" in out
    assert "  value     closed: Their owner.\n" in out
    assert "  rules     2.3: It is kept.\n" in out


def test_an_example_is_shown(capsys: Capsys) -> None:
    out = run(capsys, "rules", MINIMAL, "closed-cards").out
    assert "  pins      rule 2.3, 2.4\n" in out
    assert "  with      taken_cards=closed\n" in out
    assert "  steps     view " in out


def test_nothing_is_found(capsys: Capsys) -> None:
    done = run(capsys, "rules", MINIMAL, "no", "such", "words")
    assert (done.out, done.status) == ("Nothing is found for 'no such words'.\n", 1)


def test_an_unknown_id_is_a_usage_error(capsys: Capsys) -> None:
    done = run(capsys, "rules", MINIMAL, "taken_crads")
    assert (done.out, done.status) == ("", 2)
    assert done.err == (
        "ludex: there is no rule, section, ruling or example 'taken_crads' [usage.unknown-id]\n"
        "    did you mean 'taken_cards'?\n"
    )


def test_a_long_list_is_cut(capsys: Capsys) -> None:
    done = run(capsys, "rules", "poodle-taxi", "card")
    assert done.out.rstrip().endswith("more: --all prints them")
    every = run(capsys, "rules", "poodle-taxi", "card", "--all")
    assert len(every.out) > len(done.out)
    assert max(map(len, every.out.splitlines())) <= 80


def test_json(capsys: Capsys) -> None:
    value: Any = json.loads(run(capsys, "rules", MINIMAL, "2.4", "--format", "json").out)
    assert [(e["what"], e["id"], e["title"]) for e in value["entries"]] == [
        ("rule", "2.4", "Nobody takes two of a colour.")
    ]
