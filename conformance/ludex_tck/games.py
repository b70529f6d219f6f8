"""Compiled games, kept: to compile one takes as long as to play hundreds of moves."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from ludex.engine import Game

__all__ = ["Games"]

#: How many are kept.
_MOST = 60


class Games:
    """The games of one document.

    Parameters
    ----------
    document : dict
        The game document.
    """

    def __init__(self, document: Mapping[str, Any]) -> None:
        self.document = document
        self._kept: dict[str, Game] = {}

    def get(
        self,
        players: int,
        rulings: Mapping[str, str] | None = None,
        options: Mapping[str, Any] | None = None,
    ) -> Game:
        """Return the game with these values, and defaults for the others.

        Raises
        ------
        UsageError
            If there is no such game.
        """
        chosen = [
            {**{k: d["default"] for k, d in self.document[part].items()}, **(given or {})}
            for part, given in (("rulings", rulings), ("options", options))
        ]
        key = json.dumps([players, *chosen], sort_keys=True)
        found = self._kept.pop(key, None) or Game(self.document, players, *chosen)
        self._kept[key] = found
        if len(self._kept) > _MOST:
            del self._kept[next(iter(self._kept))]  # the one that was used longest ago
        return found
