from __future__ import annotations

from pathlib import Path

import pytest

from ludex.authoring.folder import builtin_games
from ludex.cli.docs import read_source
from ludex.pages import GameSource, Site, site

MINIMAL = Path(__file__).resolve().parents[1] / "specs" / "minimal"


@pytest.fixture(scope="session")
def sources() -> list[GameSource]:
    """Every built-in game, and one whose display file gives nothing but names."""
    return [*map(read_source, builtin_games()), read_source(MINIMAL)]


@pytest.fixture(scope="session")
def whole(sources: list[GameSource]) -> Site:
    return site(sources)


@pytest.fixture(scope="session")
def poodle() -> GameSource:
    return read_source("poodle-taxi")


@pytest.fixture(scope="session")
def minimal() -> GameSource:
    return read_source(MINIMAL)
