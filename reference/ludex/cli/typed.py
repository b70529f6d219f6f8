"""What a player types at the table, read into moves and commands.

A line is a number of the list, a command, or a move: as JSON, or short as in
``extend card=green-left end=left``. Whatever is wrong with it is said in words by an
`InvalidMove` (or a `JsonError`); nothing here changes a game.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

from ludex.engine import Game
from ludex.errors import InvalidMove, closest
from ludex.language.types import Type
from ludex.protocol.canonical import loads_strict

__all__ = ["COMMANDS", "MAX_LINE", "read_line", "usage"]

Json = dict[str, Any]

MAX_LINE = 4000
"""The longest line that is read, in characters."""

#: Words, with those that mean the same.
COMMANDS = {
    "help": "help", "?": "help", "h": "help",
    "quit": "quit", "q": "quit", "exit": "quit",
    "rules": "rules", "rule": "rules",
    "table": "table", "moves": "moves", "wait": "wait", "w": "wait",
}
_NUMBER = re.compile(r"[+-]?[0-9]+(\.[0-9]*)?\Z")
_INT = re.compile(r"-?[0-9]{1,15}\Z")
_KEYS = ("actor", "move", "args")
#: A kind with more members is named, not listed.
_LISTED = 6


def read_line(
    line: str, game: Game, seat: str, legal: Sequence[Json]
) -> tuple[str, str] | Json:
    """Read a line that is not empty.

    Parameters
    ----------
    line : str
        What was typed.
    game : Game
        The game.
    seat : str
        Whom the player moves.
    legal : sequence of dict
        The moves that the numbers 1, 2, ... stand for.

    Returns
    -------
    tuple or dict
        A command and its argument, or a move of this game, legal or not.

    Raises
    ------
    InvalidMove, JsonError
        If it is neither.
    """
    if len(line) > MAX_LINE:
        raise InvalidMove(f"a line may have {MAX_LINE} characters at most", code="play.line")
    if line.startswith(("{", "[")):
        move = _from_json(line, game, seat)
    elif _NUMBER.match(line):
        return _numbered(line, legal)
    else:
        word, _, rest = line.partition(" ")
        if word.lower() in COMMANDS:
            return COMMANDS[word.lower()], rest.strip()
        move = _from_words(line.split(), game, seat)
    # `none` says that an argument is absent; absent arguments are left out
    if isinstance(move.get("args"), dict):
        move["args"] = {k: v for k, v in move["args"].items() if v is not None}
    _check(move, game)
    return move


def usage(game: Game, name: str) -> str:
    """Return how a move is typed: ``extend card=CARD end=left|right``."""
    move = game.document["moves"][game.program.moves.index(name)]
    return " ".join(
        [name, *(f"{p['name']}={_choices(game, game.codec.type(p['type']))}"
                 for p in move["params"])]
    )


def _choices(game: Game, type_: Type) -> str:
    if type_.head == "player":
        return "|".join(game.player_ids)
    if type_.head == "kind":
        members = game.codec.members[type_.name]
        return "|".join(members) if len(members) <= _LISTED else type_.name.upper()
    if type_.head == "bool":
        return "true|false"
    if type_.head == "int":
        return "NUMBER"
    if type_.head in ("optional", "slot"):
        return f"{_choices(game, type_.args[0])}|none"
    if type_.args:
        inner = _choices(game, type_.args[-1])
        return f"{inner},{inner},..."
    return str(type_).upper()


def _numbered(line: str, legal: Sequence[Json]) -> Json:
    number = int(line) if _INT.match(line) else 0
    if not 1 <= number <= len(legal):
        shown = line if len(line) <= 20 else f"{line[:20]}..."
        raise InvalidMove(
            f"there is no move {shown} in the list", code="play.number",
            hint="type 1" if len(legal) == 1 else f"type a number from 1 to {len(legal)}",
        )
    return legal[number - 1]


def _from_json(line: str, game: Game, seat: str) -> Json:
    value = loads_strict(line, file="what you typed", max_depth=16, max_bytes=MAX_LINE)
    if not isinstance(value, dict) or not isinstance(value.get("move"), str):
        raise InvalidMove(
            'expected an object with the key "move"', code="play.json",
            hint='for example {"move": NAME, "args": {ARGUMENT: VALUE}}',
        )
    if "chance" in value:
        raise InvalidMove("chance is not yours to decide", code="play.chance",
                          hint='leave "chance" out')
    for key in value:
        if key not in _KEYS:
            raise InvalidMove(f"a move has no key {key!r}", code="play.json",
                              hint=closest(key, _KEYS) or f"the keys are {', '.join(_KEYS)}")
    actor = value.get("actor", seat)
    if actor != seat:
        raise InvalidMove(f"you move {seat} only, found the actor {actor!r}", code="play.actor",
                          hint='leave "actor" out')
    return {"actor": seat, "move": value["move"], "args": value.get("args", {})}


def _from_words(words: list[str], game: Game, seat: str) -> Json:
    name = words[0]
    if name not in game.program.moves:
        known = [*game.program.moves, *(c for c in COMMANDS if len(c) > 1)]
        raise InvalidMove(
            f"there is no move or command {name!r}", code="move.unknown-move",
            hint=closest(name, known) or f"the moves are {', '.join(game.program.moves)}; "
            "? tells what else can be typed",
        )
    move = game.document["moves"][game.program.moves.index(name)]
    types = {p["name"]: game.codec.type(p["type"]) for p in move["params"]}
    args: Json = {}
    for word in words[1:]:
        key, equals, value = word.partition("=")
        if not equals:
            raise InvalidMove(f"expected ARGUMENT=VALUE, found {word!r}", code="play.argument",
                              hint=usage(game, name))
        if key in args:
            raise InvalidMove(f"{key} is there twice", code="play.argument",
                              hint=usage(game, name))
        args[key] = _value(value, types[key]) if key in types else value
    return {"actor": seat, "move": name, "args": args}


def _value(text: str, type_: Type) -> Any:
    """Read a value by its type; what does not fit stays a text, and is refused later."""
    head = type_.head
    if head in ("optional", "slot"):
        return None if text in ("none", "null") else _value(text, type_.args[0])
    if head == "int" and _INT.match(text):
        return int(text)
    if head == "bool" and text in ("true", "false"):
        return text == "true"
    if head in ("list", "bag", "deck", "stack") and not text.startswith("["):
        return [_value(t, type_.args[0]) for t in text.split(",") if t]
    if head in ("map", "list", "bag", "deck", "stack"):
        return loads_strict(text, file="what you typed", max_depth=16, max_bytes=MAX_LINE)
    return text


def _check(move: Json, game: Game) -> None:
    """Let the engine read the move, and add how to write it if it cannot."""
    try:
        game.action_from_json(move)
    except InvalidMove as error:
        hint = error.hint
        if error.code == "move.argument-value":
            hint = _nearest(move, game)
        if move["move"] in game.program.moves:
            hint = f"{hint}\n{usage(game, move['move'])}" if hint else usage(game, move["move"])
        raise InvalidMove(error.message, code=error.code, hint=hint) from None


def _nearest(move: Json, game: Game) -> str | None:
    """Return a hint for the first word that is no member of its kind."""
    declared = game.document["moves"][game.program.moves.index(move["move"])]
    args: Mapping[str, Any] = move["args"]
    for param in declared["params"]:
        type_ = game.codec.type(param["type"])
        while type_.args:
            type_ = type_.args[-1]
        if type_.head not in ("kind", "player"):
            continue
        known = game.codec.keys(type_)
        given = args.get(param["name"])
        for word in given if isinstance(given, list) else [given]:
            if isinstance(word, str) and word not in known:
                listed = ", ".join(known) if len(known) <= 2 * _LISTED else None
                return closest(word, known) or (listed and f"{param['name']} may be {listed}")
    return None
