"""Every built-in game: its examples hold, and random games find no fault in it."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Any

import pytest

from ludex.authoring.document import load_document
from ludex.examples import Games, run_example
from ludex.explore.coverage import RuleCoverage
from ludex.explore.explore import explore

Json = dict[str, Any]
GAMES = Path(__file__).resolve().parents[2] / "spec" / "games"
NAMES = sorted(p.parent.name for p in GAMES.glob("*/game.yaml"))
#: What only many games can tell.
RARE = ("check.step", "check.move", "check.rule")


@cache
def document(game: str, components: str = "standard") -> Json:
    found: Json = load_document(GAMES / game, components)
    return found


@pytest.mark.parametrize("game", NAMES)
def test_the_examples_hold(game: str) -> None:
    games = Games(lambda components: document(game, components))
    for example in document(game)["text"]["examples"]:
        assert run_example(example, games) == [], example["id"]


@pytest.mark.parametrize("game", NAMES)
def test_every_value_of_a_ruling_matters(game: str) -> None:
    """An example with another reading fails when the default is taken instead."""
    games = Games(lambda components: document(game, components))
    text = document(game)["text"]
    for name, ruling in text["rulings"].items():
        if ruling["kind"] != "choice":
            continue
        for value in ruling["values"].keys() - {ruling["default"]}:
            telling = [
                e["id"] for e in text["examples"]
                if e.get("rulings", {}).get(name) == value
                and run_example({**e, "rulings": {**e["rulings"], name: ruling["default"]}}, games)
            ]
            assert telling, f"no example tells {name}={value} from {ruling['default']}"


@pytest.mark.parametrize("components", ["standard", "small"])
@pytest.mark.parametrize("game", NAMES)
def test_random_games_find_no_fault(game: str, components: str) -> None:
    report = explore(document(game, components), 8, 3)
    assert [f for f in report.findings if f.check not in RARE] == []


@pytest.mark.slow
@pytest.mark.parametrize("game", NAMES)
def test_random_games_and_examples_reach_everything(game: str) -> None:
    """All of it, with what examples show: random players seldom empty a pile, for instance."""
    coverage = RuleCoverage(document(game))
    games = Games(lambda components: document(game, components), traced=True)
    for example in document(game)["text"]["examples"]:
        if "unreachable" not in example:
            run_example(example, games, coverage.example)
    assert explore(document(game), 24, 4, coverage=coverage).findings == []
