"""Positions as files: what `State.to_json` writes, read back with errors for people."""

from __future__ import annotations

import json
import re
from typing import Any

from ludex.engine import Game, State
from ludex.errors import SpecError, closest
from ludex.protocol.canonical import loads_strict
from ludex.protocol.places import Path, place_in

__all__ = ["MAX_POSITION", "parse_position"]

MAX_POSITION = 16 * 1024 * 1024
"""The longest position that is read, in bytes."""

#: How a codec's message begins: the dotted path of the value.
_PATH = re.compile(r"([\w-]+(?:\.[\w-]+|\[[0-9]+\])*): ")
_STEP = re.compile(r"[\w-]+|\[([0-9]+)\]")
_KEYS = ("step", "state", "outcome")


def parse_position(game: Game, data: bytes, file: str = "<position>") -> State:
    """Read a position.

    Parameters
    ----------
    game : Game
        Whose position it is, with its players and rulings.
    data : bytes
        JSON: ``step``, ``state`` with every variable, and perhaps ``outcome``.
    file : str
        What to call it in an error.

    Raises
    ------
    JsonError, SpecError
        With the place.
    """
    value = loads_strict(data, file=file, max_bytes=MAX_POSITION)
    text = data.decode("utf-8")

    def error(path: Path, message: str, code: str, hint: str | None = None, key: bool = False
              ) -> SpecError:
        return SpecError(message, code=code, place=place_in(text, path, file, key=key), hint=hint)

    if not isinstance(value, dict) or not {"step", "state"} <= value.keys():
        raise error((), "expected a position: an object with step and state", "value.type",
                    "`ludex judge RECORD --position FILE` writes one")
    for key in value:
        if key not in _KEYS:
            raise error((key,), f"unknown key {key!r}", "value.unknown",
                        closest(key, _KEYS) or f"the keys are {', '.join(_KEYS)}", True)
    state = value["state"]
    if isinstance(state, dict):
        for name in state:
            if name not in game.program.slots:
                raise error(("state", name), f"there is no variable {name!r}", "value.unknown",
                            closest(name, game.program.slots), True)
        for name in game.program.slots:
            if name not in state:
                raise error(("state",), f"the state has no variable {name!r}", "value.keys",
                            "a position gives all of them")
    try:
        found = game.state_from_json(value)
    except SpecError as wrong:
        match = _PATH.match(wrong.message)
        path: list[str | int] = ["step"] if wrong.code == "value.step" else []
        if match is not None:
            path = ["state", *(int(m[1]) if m[1] else m[0] for m in _STEP.finditer(match[1]))]
        elif "step" in wrong.message:
            path = ["step"]
        hint = wrong.hint
        if wrong.code == "value.keys" and "expected the keys p1" in wrong.message:
            hint = f"it is read for {game.players} players; --players N sets another number"
        raise error(path, wrong.message, wrong.code, hint) from None
    said: Any = value.get("outcome")
    if found.is_terminal and "outcome" in value and said != found.outcome():
        raise error(("outcome",), f"the file says the outcome is {json.dumps(said)}, by the rules "
                    f"it is {json.dumps(found.outcome())}", "value.outcome")
    return found
