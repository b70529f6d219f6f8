"""What is seen: the canonical table state, and each player's observation of it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from ludex.engine.flow import resolved
from ludex.engine.program import Position, Program
from ludex.language.types import ZONES, Type, holds_components

__all__ = ["Views"]

Json = dict[str, Any]
View = Callable[[Any], Any]


class Views:
    """Functions from positions to canonical JSON, made once for a game.

    Parameters
    ----------
    document : dict
        The game document.
    program : Program
        The compiled game.
    rulings : mapping
        Chosen readings; visibility may depend on them.
    """

    def __init__(
        self, document: Mapping[str, Any], program: Program, rulings: Mapping[str, str]
    ) -> None:
        codec = program.codec
        self._table: list[tuple[str, int, View]] = []
        self._seen: list[list[tuple[str, int, View]]] = [[] for _ in codec.players]
        for variable in document["state"]:
            if not variable["table"]:
                continue
            name = variable["name"]
            type_, slot = program.types[name], program.slots[name]
            contents = resolved(variable["visible_to"], rulings)
            counts = resolved(variable["count_visible_to"], rulings)
            self._table.append((name, slot, codec.decoder(type_)))
            for player, seen in enumerate(self._seen):
                seen.append((name, slot, self._view(codec, type_, contents, counts, player)))

    def _view(self, codec: Any, type_: Type, contents: str, counts: str, player: int) -> View:
        if type_.head == "map" and type_.args[0].head == "player":
            inner = [
                self._cell(codec, type_.args[1], _sees(contents, p == player),
                           _sees(counts, p == player))
                for p in range(len(codec.players))
            ]
            ids = codec.players
            return lambda value: {
                k: see(v) for k, see, v in zip(ids, inner, value, strict=True)
            }
        return self._cell(codec, type_, _sees(contents, False), _sees(counts, False))

    def _cell(self, codec: Any, type_: Type, contents: bool, count: bool) -> View:
        if contents:
            return codec.decoder(type_)  # type: ignore[no-any-return]
        if type_.head == "map":
            inner = self._cell(codec, type_.args[1], contents, count)
            keys = codec.keys(type_.args[0])
            return lambda value: {k: inner(v) for k, v in zip(keys, value, strict=True)}
        if holds_components(type_):
            size = _size(type_, codec.stacked)
            return (lambda value: {"count": size(value)}) if count else (
                lambda value: {"count": None}
            )
        return lambda value: {"hidden": True}

    def table(self, position: Position) -> Json:
        """Return every variable of the table in full."""
        return {name: view(position[slot]) for name, slot, view in self._table}

    def observation(self, position: Position, player: int) -> Json:
        """Return the table as a player sees it."""
        return {name: view(position[slot]) for name, slot, view in self._seen[player]}


def _sees(visibility: str, own: bool) -> bool:
    return visibility == "everyone" or (visibility == "owner" and own)


def _size(type_: Type, stacked: bool) -> Callable[[Any], int]:
    if type_.head == "deck" and stacked:
        return lambda value: sum(map(len, value))
    if type_.head == "slot":
        return lambda value: 0 if value is None else 1
    if type_.head == "list" and type_.args[0].head in ZONES:
        inner = _size(type_.args[0], stacked)
        return lambda value: sum(map(inner, value))
    return len
