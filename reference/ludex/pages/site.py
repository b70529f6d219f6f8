"""The whole site: every generated page by its path, and the order of the pages."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from ludex.errors import UsageError
from ludex.pages.describe import describe_page
from ludex.pages.examples import examples_page
from ludex.pages.flow import flow_page
from ludex.pages.formal import formal_page
from ludex.pages.index import game_page, games_page
from ludex.pages.markup import raw
from ludex.pages.rules import rules_page
from ludex.pages.rulings import rulings_page
from ludex.pages.source import GameSource

__all__ = ["Site", "site"]

#: Page of a game to its title in the menu.
_MENU = {
    "rules.md": "Rules",
    "rulings.md": "Rulings",
    "examples.md": "Examples",
    "flow.md": "Flow",
    "formal.md": "Formal",
    "describe.md": "Names to spell",
}


@dataclass(frozen=True)
class Site:
    """What is generated.

    Attributes
    ----------
    pages : dict
        Path below the root of the site to Markdown.
    menu : list
        The entry of the games in MkDocs' ``nav``.
    problems : list of str
        What of the examples does not hold.
    """

    pages: dict[str, str]
    menu: list[Any]
    problems: list[str]


def site(sources: Sequence[GameSource]) -> Site:
    """Make the pages of several games.

    Parameters
    ----------
    sources : sequence of GameSource
        In the order of the menu.

    Raises
    ------
    UsageError
        ``usage.same-game``, if two of them have the same id.
    """
    pages = {"games/index.md": games_page(sources)}
    menu: list[Any] = ["games/index.md"]
    problems: list[str] = []
    for source in sources:
        game = source.document["game"]
        if f"games/{game}/index.md" in pages:
            raise UsageError(f"two games are called {game!r}", code="usage.same-game",
                             hint="name each game once")
        examples, found = examples_page(source)
        problems += found
        texts = {
            "index.md": game_page(source),
            "rules.md": rules_page(source),
            "rulings.md": rulings_page(source),
            "examples.md": examples,
            "flow.md": flow_page(source),
            "formal.md": formal_page(source),
            "describe.md": describe_page(source),
        }
        pages.update({f"games/{game}/{name}": text for name, text in texts.items()})
        inner: list[Any] = [f"games/{game}/index.md"]
        inner += [{title: f"games/{game}/{name}"} for name, title in _MENU.items()]
        # MkDocs takes titles of the menu for HTML
        menu.append({raw(source.document["title"]): inner})
    return Site(pages, menu, problems)
