"""What is varied from game to game: players, rulings, options; and how many games there are."""

import io
from collections import Counter
from dataclasses import replace
from functools import cache
from pathlib import Path

import pytest
from kit.wrong import Fake
from rich.console import Console

from ludex.authoring.document import load_document
from ludex_tck.campaign import Campaign
from ludex_tck.games import Games
from ludex_tck.implementation import HelloError, Implementation, Support
from ludex_tck.lengths import LEAST, fitted, mean_length
from ludex_tck.profiles import PROFILES
from ludex_tck.readings import Reading, readings_of, settings_of
from ludex_tck.report import print_report, report_json, verdict_of
from ludex_tck.schemas import instance_errors

GAMES = Path(__file__).resolve().parents[1] / "games"


@cache
def game(name):
    return load_document(str(GAMES / name), "standard")


def support(players=(2,), rulings=None, options=None):
    return Support("a", "1", "b", tuple(players), rulings or {}, options or {}, frozenset())


# ---- readings -----------------------------------------------------------------------------------


def test_readings_are_the_default_each_choice_alone_and_pairs():
    found = readings_of(support(rulings={"tone": ["high", "low"]},
                                options={"dice": [1, 2, 3], "fast": [False, True]}))
    assert found == [Reading({"tone": t}, {"dice": d, "fast": f}) for t, d, f in (
        ("high", 1, False),
        ("low", 1, False), ("high", 2, False), ("high", 3, False), ("high", 1, True),
        ("low", 2, False), ("low", 3, False), ("low", 1, True), ("high", 2, True),
        ("high", 3, True))]


def test_few_settings_are_all_of_them():
    some = support((2, 3), {"tone": ["high", "low"]})
    found = settings_of(some, 4, 0)
    assert [(s.players, s.reading.rulings["tone"]) for s in found] == [
        (2, "high"), (3, "high"), (2, "low"), (3, "low")]


def test_of_many_settings_some_are_picked():
    many = support(range(2, 9), {f"r{i}": ["a", "b"] for i in range(10)})
    found = settings_of(many, 24, 0)
    assert len(found) == len(set(map(repr, found))) == 24
    default = readings_of(many)[0]
    assert (found[0].players, found[0].reading) == (2, default)
    # the defaults with every number of players; then each ruling on its own, before any two
    assert {s.players for s in found if s.reading == default} == set(range(2, 9))
    others = [[k for k, v in s.reading.rulings.items() if v == "b"] for s in found
              if s.reading != default]
    assert Counter(map(len, others)) == {1: 10, 2: 7}
    assert {name for names in others for name in names} == set(default.rulings)
    assert found == settings_of(many, 24, 0)
    assert found != settings_of(many, 24, 1)


# ---- options ------------------------------------------------------------------------------------


class Chooses(Fake):
    """Says in hello which options it supports."""

    options = None

    def exchange(self, requests, *, more=False):
        replies = super().exchange(requests, more=more)
        if requests[0]["method"] == "hello":
            entry = replies[0].result["games"][0]
            entry.pop("options")
            if self.options is not None:
                entry["options"] = self.options
        return replies


def campaign(options, **changes):
    document = game("liars-dice")
    implementation = Implementation(["program"], document)
    implementation.process = Chooses(document, "right")
    implementation.process.options = options
    profile = replace(PROFILES["smoke"], cases=12, seconds=300, **changes)
    made = Campaign(implementation, implementation.hello(), document, profile, 0,
                    classes=("core", "state"))
    made.run()
    made.finish()
    return made


def played(made):
    return {s.reading.options["dice"] for s in made.settings}


def test_options_are_varied():
    made = campaign(None)
    assert played(made) == {1, 2}
    report = report_json(made, made.classes, ["program"])
    assert report["options"] == {"dice": [1, 2]}
    assert report["not_supported"]["options"] == {}
    assert verdict_of(made) == "conforms"


@pytest.mark.parametrize("options", [{"dice": [1]}, {}])
def test_values_that_are_not_supported_are_not_tested_and_that_is_said(options):
    made = campaign(options)
    assert played(made) == {1}
    report = report_json(made, made.classes, ["program"])
    assert instance_errors(report, "report") == []
    assert report["options"] == {"dice": [1]}
    assert report["not_supported"]["options"] == {"dice": [2]}
    out = io.StringIO()
    print_report(Console(file=out, width=80), made, made.classes, ["program"], {})
    assert "not supported: option dice = 2" in out.getvalue()


def test_without_the_default_the_first_value_takes_its_place():
    assert played(campaign({"dice": [2]})) == {2}


def test_true_is_not_one():
    with pytest.raises(HelloError, match="no value of option dice"):
        campaign({"dice": [True]})


# ---- how many -----------------------------------------------------------------------------------


@pytest.mark.parametrize("name", PROFILES)
def test_short_games_are_as_many_as_the_profile_says(name, document):
    profile = PROFILES[name]
    assert fitted(profile, Games(document), support((2, 3, 4), *_choices(document))) == profile


def _choices(document):
    return [{k: d["values"] for k, d in document[part].items()} for part in ("rulings", "options")]


def test_of_long_games_there_are_fewer(document):
    some = support((2, 3, 4), *_choices(document))
    # each card is one move: 12 for each player
    assert mean_length(Games(document), some, 1000) == (24 + 36 + 48) / 3
    assert mean_length(Games(document), some, 30) == (24 + 30 + 30) / 3
    profile = replace(PROFILES["smoke"], moves=360, longest=1000)
    assert fitted(profile, Games(document), some).cases == 10
    assert fitted(replace(profile, moves=50), Games(document), some).cases == LEAST


def test_a_game_is_cut_at_the_longest():
    made = campaign(None, longest=3)
    assert made.tally.moves <= 12 * 4
    assert made.verdict("core") == "pass"
