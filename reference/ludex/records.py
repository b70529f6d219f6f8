"""Game records as files, and the game that a record is of."""

from __future__ import annotations

import random
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from ludex.authoring.document import load_document
from ludex.authoring.folder import builtin_games, component_sets, find_game
from ludex.engine import Game, Seeded
from ludex.engine.history import History
from ludex.errors import SpecError, closest
from ludex.files import read_bytes, write_whole
from ludex.protocol.records import (
    MAX_RECORD,
    Record,
    header_of,
    line_of,
    parse_record,
    record_text,
)

__all__ = ["document_of", "random_record", "read_record", "write_record"]

Json = dict[str, Any]


def read_record(path: Path) -> Record:
    """Read a game record.

    Raises
    ------
    UsageError
        If there is no such file, or it is too long.
    RecordError
        With the line that is damaged.
    """
    return parse_record(read_bytes(path, MAX_RECORD), str(path))


def write_record(path: Path, lines: Iterable[Json]) -> None:
    """Write a game record: one JSON object a line.

    Raises
    ------
    UsageError
        If it cannot be written.
    """
    write_whole(path, record_text(lines))


def document_of(record: Record, game: str | None = None, components: str | None = None) -> Json:
    """Load the game of a record.

    A record may come from anybody, so what it names is looked for among the games and component
    sets that are known; it never makes this program open another file.

    Parameters
    ----------
    record : Record
        The record.
    game : str, optional
        A built-in game or a folder, in place of the name in the record.
    components : str, optional
        A component set or a file, in place of that of the record.

    Raises
    ------
    RecordError
        If the game or the set is not known.
    UsageError, SpecErrors
    """
    head = record.head.value
    if game is None:
        games = builtin_games()
        if head["game"] not in games:
            raise record.error(
                record.head, ("game",), f"no game {head['game']!r} comes with Ludex",
                "record.unknown-game",
                closest(head["game"], games) or "name its folder: --game FOLDER",
            )
        game = str(head["game"])
    if components is None:
        wanted = head["components"]["id"]
        sets = component_sets(find_game(game))
        if wanted not in sets:
            raise record.error(
                record.head, ("components", "id"), f"the game has no component set {wanted!r}",
                "record.other-components",
                "name the file of the set: --components FILE (the game has "
                f"{', '.join(sets)})",
            )
        components = wanted
    return load_document(game, components)


def random_record(game: Game, seed: int, most: int) -> tuple[list[Json], bool]:
    """Return the lines of a random game, and whether it came to its end.

    Parameters
    ----------
    game : Game
        The game.
    seed : int
        Of chance and of the moves.
    most : int
        Stop after so many moves.

    Raises
    ------
    SpecError
        ``engine.stuck``, if nobody can move before the end.
    """
    history = History(game, Seeded(f"chance {seed}"))
    choose = random.Random(f"moves {seed}").random
    while not history.state.is_terminal and len(history.moves) < most:
        left = history.state.legal_actions()
        if not left:
            raise SpecError(
                f"nobody can move in step {history.state.step}, but the game is not over",
                code="engine.stuck", hint="the step needs none:, or an end: its condition",
            )
        # first who, then which move, then how: else a move with many arguments is nearly all
        for part in (0, 1):
            values = list(dict.fromkeys(a[part] for a in left))
            chosen = values[int(choose() * len(values))]
            left = [a for a in left if a[part] == chosen]
        history.apply_action(left[int(choose() * len(left))])
    lines = [header_of(game, history.setup)]
    lines += [line_of(m, m["chance"]) for m in history.moves]
    return lines, history.state.is_terminal
