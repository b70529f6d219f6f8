"""The form of a record's lines: what ``record.schema.json`` says, with errors for people.

A record may have been typed by hand, so a fault is told with its place and the likely fix. A test
holds these checks and the schema together.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator, Mapping
from typing import Any, NamedTuple

from ludex.errors import closest

__all__ = ["Problem", "header_problems", "move_problems"]

At = tuple[str | int, ...]


class Problem(NamedTuple):
    """What is wrong with a line.

    Attributes
    ----------
    path : tuple of str or int
        From the line's object to the value.
    message : str
        What was expected, what was found.
    hint : str or None
        The likely fix.
    key : bool
        Whether the key is wrong, not the value.
    """

    path: At
    message: str
    hint: str | None = None
    key: bool = False


Check = Callable[[Any, At], Iterator[Problem]]
_DIGEST = re.compile(r"sha256:[0-9a-f]{64}")
_PLAYER = re.compile(r"p[1-9][0-9]*")
_LONG, _NOTE = 200, 10_000


def header_problems(value: Mapping[str, Any]) -> Iterator[Problem]:
    """Yield what is wrong with the first line of a record."""
    yield from _object(_HEADER, _HEADER_MORE)(value, ())


def move_problems(value: Mapping[str, Any]) -> Iterator[Problem]:
    """Yield what is wrong with another line of a record."""
    yield from _object(_MOVE, _MOVE_MORE)(value, ())


def _shown(value: Any) -> str:
    text = json.dumps(value, ensure_ascii=False)
    return text if len(text) <= 60 else f"{text[:57]}..."


def _words(path: At) -> str:
    """Return a path as an error says it: ``chance[0].from``."""
    text = "".join(f"[{p}]" if isinstance(p, int) else f".{p}" for p in path)
    return text.lstrip(".")


def _fits(wanted: str, test: Callable[[Any], bool], hint: str | None = None) -> Check:
    def check(value: Any, path: At) -> Iterator[Problem]:
        if not test(value):
            yield Problem(path, f"{_words(path)}: expected {wanted}, found {_shown(value)}", hint)

    return check


def _object(required: Mapping[str, Check], optional: Mapping[str, Check]) -> Check:
    known = {**required, **optional}

    def check(value: Any, path: At) -> Iterator[Problem]:
        where = _words(path)
        if not isinstance(value, dict):
            yield Problem(path, f"{where or 'a line'}: expected an object, found {_shown(value)}")
            return
        inside = f"{where} has" if where else "this line has"
        for key in value:
            if key not in known:
                yield Problem(
                    (*path, key), f"unknown key {_shown(key)}",
                    closest(key, [k for k in known if k not in value])
                    or f"the keys are {', '.join(known)}", True,
                )
        for key in required:
            if key not in value:
                yield Problem(path, f"{inside} no key {key!r}", _ABSENT.get(key))
        for key, inner in known.items():
            if key in value:
                yield from inner(value[key], (*path, key))

    return check


def _map(inner: Check, key_of: re.Pattern[str] | None = None) -> Check:
    def check(value: Any, path: At) -> Iterator[Problem]:
        if not isinstance(value, dict):
            yield Problem(path, f"{_words(path)}: expected an object, found {_shown(value)}")
            return
        for key, item in value.items():
            if key_of is not None and not key_of.fullmatch(key):
                yield Problem((*path, key), f"expected a player, found {_shown(key)}",
                              "the players are p1, p2, ...", True)
            yield from inner(item, (*path, key))

    return check


def _list(inner: Check, least: int = 0) -> Check:
    def check(value: Any, path: At) -> Iterator[Problem]:
        if not isinstance(value, list) or len(value) < least:
            wanted = "a list that is not empty" if least else "a list"
            yield Problem(path, f"{_words(path)}: expected {wanted}, found {_shown(value)}")
            return
        for index, item in enumerate(value):
            yield from inner(item, (*path, index))

    return check


def _is_int(value: Any) -> bool:
    return type(value) is int


def _is_text(value: Any, most: int = _LONG, least: int = 1) -> bool:
    return isinstance(value, str) and least <= len(value) <= most


_text = _fits(f"a text of 1 to {_LONG} characters", _is_text, "put it in quotes")
_digest = _fits("a digest: sha256: and 64 hex digits",
                lambda v: isinstance(v, str) and _DIGEST.fullmatch(v) is not None)
_note = _fits(f"a text of at most {_NOTE} characters", lambda v: _is_text(v, _NOTE, 0))
_seat = _fits(f"a text of at most {_LONG} characters", lambda v: _is_text(v, _LONG, 0))


def _argument(value: Any, path: At) -> Iterator[Problem]:
    if isinstance(value, list):
        for index, item in enumerate(value):
            yield from _argument(item, (*path, index))
    elif not (_is_text(value) or isinstance(value, bool) or _is_int(value)):
        yield Problem(
            path,
            f"{_words(path)}: expected an id, a number, true, false, or a list of these, found "
            f"{_shown(value)}",
            "leave an argument that is absent out" if value is None else None,
        )


_OUTCOMES: dict[str, Check] = {
    "draw": _object({"draw": _text, "from": _text, "to": _text}, {}),
    "roll": _object({"roll": _list(_fits("a whole number", _is_int), 1)}, {}),
    "pick": _object(
        {"pick": _fits("an id or a whole number",
                       lambda v: isinstance(v, str) or _is_int(v)), "of": _text}, {}),
    "shuffle": _object({"shuffle": _list(_text), "of": _text}, {}),
}


def _outcome(value: Any, path: At) -> Iterator[Problem]:
    kind = next((k for k in _OUTCOMES if isinstance(value, dict) and k in value), None)
    if kind is None:
        yield Problem(path, f"{_words(path)}: expected an outcome of chance, found "
                      f"{_shown(value)}", f"its first key is {', '.join(_OUTCOMES)}")
    else:
        yield from _OUTCOMES[kind](value, path)


_HEADER: dict[str, Check] = {
    "ludex": _fits("1, the version of the record format",
                   lambda v: _is_int(v) and v == 1, "this Ludex reads no other"),
    "game": _text,
    "edition": _text,
    "rules_digest": _digest,
    "components": _object({"id": _text, "digest": _digest}, {}),
    "players": _fits("a whole number from 1 to 99", lambda v: _is_int(v) and 1 <= v <= 99),
    "options": _map(_fits("a text, a whole number, true or false",
                          lambda v: isinstance(v, (str, bool, int)))),
    "rulings": _map(_text),
    "chance": _list(_outcome),
}
_HEADER_MORE: dict[str, Check] = {
    "seats": _map(_seat, _PLAYER),
    "order": _map(_list(_text)),
    "note": _note,
}
_MOVE: dict[str, Check] = {
    "actor": _fits("a player", lambda v: isinstance(v, str) and _PLAYER.fullmatch(v) is not None,
                   "the players are p1, p2, ..."),
    "move": _text,
    "args": _map(_argument),
}
_MOVE_MORE: dict[str, Check] = {
    "chance": _list(_outcome),
    "refused": _fits("true", lambda v: v is True, "leave it out where the move was made"),
    "note": _note,
}
#: What to write where a key is missing.
_ABSENT = {
    "options": "where the game has no options: \"options\": {}",
    "rulings": "where the game has no choices: \"rulings\": {}",
    "args": "a move without arguments has \"args\": {}",
    "chance": "where chance decides nothing in the setup: \"chance\": []",
    "game": "for example \"game\": \"my-game\"",
    "edition": "`ludex describe GAME` prints it",
    "players": "for example \"players\": 2",
    "actor": "for example \"actor\": \"p1\"",
    "rules_digest": "`ludex describe GAME` prints it",
    "components": "`ludex describe GAME` prints the set and its digest",
}
