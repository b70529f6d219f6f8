"""OpenSpiel as a second opinion: tests that need it are skipped where it is not installed."""

from __future__ import annotations

import warnings
from collections.abc import Mapping
from typing import Any

import pytest

__all__ = ["advance", "load", "pyspiel", "returns"]

with warnings.catch_warnings():
    warnings.simplefilter("ignore")
    pyspiel: Any = pytest.importorskip(
        "pyspiel", reason="OpenSpiel is not installed: pip install open_spiel"
    )


def advance(node: Any, outcome: int) -> None:
    """Let chance decide, after a look whether it can decide so."""
    assert node.is_chance_node()
    assert outcome in dict(node.chance_outcomes())
    node.apply_action(outcome)


def returns(outcome: Mapping[str, Any]) -> list[int]:
    return [outcome["returns"][p] for p in sorted(outcome["returns"])]


def load(name: str, **settings: object) -> Any:
    """Load a game; the test is skipped where this OpenSpiel does not have it."""
    if name not in pyspiel.registered_names():
        pytest.skip(f"this OpenSpiel has no {name}")
    return pyspiel.load_game(name, settings)
