"""Game records: JSON Lines, first a header, then one line for each move with its chance.

Reading checks the form only; whether a record fits its game is the next room's
(`ludex.protocol.replay`), and whether its moves are legal the judge's.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from ludex.engine import Game
from ludex.engine.chance import Outcome
from ludex.errors import LudexError, Place, RecordError
from ludex.protocol.canonical import JsonError, loads_strict
from ludex.protocol.messages import new_game_params
from ludex.protocol.places import Path, place_in
from ludex.protocol.record_forms import Problem, header_problems, move_problems

__all__ = ["MAX_RECORD", "Line", "Record", "header_of", "line_of", "parse_record", "record_text"]

Json = dict[str, Any]

MAX_RECORD = 64 * 1024 * 1024
"""The longest record that is read, in bytes."""

#: One line nests no deeper.
_MAX_DEPTH = 16


@dataclass(frozen=True)
class Line:
    """One line of a record.

    Attributes
    ----------
    number : int
        Of the line in its file, from 1.
    text : str
        As it was read.
    value : dict
        What it says.
    """

    number: int
    text: str
    value: Json


@dataclass(frozen=True)
class Record:
    """A record whose lines have the right form.

    Attributes
    ----------
    file : str
        What errors call it.
    head : Line
        The header.
    moves : sequence of Line
        The moves.
    """

    file: str
    head: Line
    moves: Sequence[Line]

    def error(
        self,
        line: Line,
        path: Path,
        message: str,
        code: str,
        hint: str | None = None,
        *,
        key: bool = False,
    ) -> RecordError:
        """Return an error about a value of a line, with its place."""
        place = place_in(line.text, path, self.file, line.number, key=key)
        return RecordError(message, code=code, place=place, hint=hint)


def parse_record(data: bytes, file: str = "<record>") -> Record:
    """Read a record.

    Parameters
    ----------
    data : bytes
        UTF-8; lines that are empty are passed over.
    file : str
        What to call it in an error.

    Raises
    ------
    RecordError
        ``record.size``, ``record.empty``, ``record.json``, ``record.header`` or ``record.line``.
    """
    if len(data) > MAX_RECORD:
        raise RecordError(f"expected at most {MAX_RECORD} bytes, found {len(data)}",
                          code="record.size", place=Place(file))
    lines = list(_lines(data, file))
    if not lines:
        raise RecordError("expected a game record, found an empty file", code="record.empty",
                          place=Place(file), hint=_BEGINS)
    head, *moves = lines
    record = Record(file, head, moves)
    if "ludex" not in head.value:
        hint = _BEGINS
        if {"ludex", "game", "edition", "players"} & {k.lower() for k in head.value}:
            hint = 'add "ludex": 1, the version of the record format'
        raise record.error(head, (), "expected the header of a record, found no key 'ludex'",
                           "record.header", hint)
    for problem in header_problems(head.value):
        raise _wrong(record, head, problem, "record.header")
    for line in moves:
        if "ludex" in line.value:
            raise record.error(line, ("ludex",), "expected a move, found another header",
                               "record.line", "one file holds one game", key=True)
        for problem in move_problems(line.value):
            raise _wrong(record, line, problem, "record.line")
    return record


_BEGINS = "a record begins with a line that has ludex, game, edition, players ..."


def _wrong(record: Record, line: Line, problem: Problem, code: str) -> RecordError:
    return record.error(line, problem.path, problem.message, code, problem.hint, key=problem.key)


def _lines(data: bytes, file: str) -> Iterator[Line]:
    if data.startswith(b"\xef\xbb\xbf"):
        raise RecordError("expected UTF-8 without a byte order mark, found one",
                          code="record.json", place=Place(file), hint="save it without")
    for number, raw in enumerate(data.split(b"\n"), start=1):
        if not raw.strip():
            continue
        try:
            value = loads_strict(raw, max_depth=_MAX_DEPTH)
        except JsonError as error:
            column = error.place.column if error.place else 1
            raise RecordError(error.message, code="record.json", place=Place(file, number, column),
                              hint=_json_hint(error, raw)) from None
        if not isinstance(value, dict):
            raise RecordError("expected an object, found another value", code="record.line",
                              place=Place(file, number), hint="each line is { ... }")
        yield Line(number, raw.decode("utf-8"), value)


def _json_hint(error: LudexError, raw: bytes) -> str | None:
    if error.code != "json.syntax":
        return error.hint
    if not raw.rstrip().endswith(b"}"):
        return "the line is cut off, or goes on in the next: each line is one whole { ... }"
    return "each line is one object, with keys and texts in double quotes"


# -- writing -------------------------------------------------------------------------------------


def header_of(game: Game, chance: Iterable[Outcome]) -> Json:
    """Return the first line of a record.

    Parameters
    ----------
    game : Game
        With its players, rulings and options.
    chance : iterable of dict
        The outcomes of the setup.
    """
    params = new_game_params(game, "", list(chance))
    return {
        "ludex": 1,
        "game": params["game"],
        "edition": params["edition"],
        "rules_digest": game.document["rules_digest"],
        "components": params["components"],
        "players": params["players"],
        "options": params["options"],
        "rulings": params["rulings"],
        "chance": params["chance"],
    }


def line_of(move: Mapping[str, Any], chance: Iterable[Outcome] = (), *, refused: bool = False
            ) -> Json:
    """Return the line of a move.

    Parameters
    ----------
    move : mapping
        ``actor``, ``move``, ``args``.
    chance : iterable of dict
        Its outcomes.
    refused : bool
        Whether the move was tried and must be refused.
    """
    line: Json = {k: move[k] for k in ("actor", "move", "args")}
    outcomes = list(chance)
    if outcomes:
        line["chance"] = outcomes
    if refused:
        line["refused"] = True
    return line


def record_text(lines: Iterable[Json]) -> str:
    """Return the text of a record's file."""
    return "".join(json.dumps(line, ensure_ascii=False) + "\n" for line in lines)
