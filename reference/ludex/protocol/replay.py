"""Replaying a record: does it fit its game, line by line.

Whatever does not fit is one `RecordError` with its place and the likely fix: other rules, an
unknown name, a tape that does not match. Whether a move is legal is asked of the state, not here.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from typing import Any

from ludex.engine import Game, State, Tape
from ludex.engine.chance import Outcome, Site
from ludex.engine.program import Action
from ludex.errors import (
    InvalidMove,
    LudexError,
    RecordError,
    TapeError,
    TapeImpossible,
    TapeLeftOver,
    TapeTooShort,
    closest,
)
from ludex.protocol.places import Path
from ludex.protocol.records import Line, Record

__all__ = ["begin", "carry_out", "check_rules", "read_action"]

#: So many possible values are listed in a hint.
_LISTED = 12
#: The first word of a codec's message: the argument that is wrong.
_WORD = re.compile(r"\w+")


def check_rules(document: Mapping[str, Any], record: Record) -> None:
    """Check that a record is of this game, edition, component set and meaning of the rules.

    Raises
    ------
    RecordError
        ``record.other-rules`` or ``record.other-components``.
    """
    head = record.head.value
    for key in ("game", "edition"):
        if head[key] != document[key]:
            raise record.error(
                record.head, (key,), f"the record is of {key} {head[key]!r}, here it is "
                f"{document[key]!r}", "record.other-rules",
                "replay it with the rules that it was made with",
            )
    components = document["components"]
    if head["components"]["id"] != components["set"]:
        raise record.error(
            record.head, ("components", "id"),
            f"the record is of the component set {head['components']['id']!r}, here it is "
            f"{components['set']!r}", "record.other-components",
            f"name the set that it was made with: --components {head['components']['id']}",
        )
    if head["components"]["digest"] != components["digest"]:
        raise record.error(
            record.head, ("components", "digest"),
            f"the record was made with another content of the component set "
            f"{components['set']!r}: its digest here is {components['digest']}",
            "record.other-components",
            "name the file of the set that it was made with: --components FILE",
        )
    if head["rules_digest"] != document["rules_digest"]:
        raise record.error(
            record.head, ("rules_digest",),
            f"the record was made with rules of another meaning: their digest here is "
            f"{document['rules_digest']}", "record.other-rules",
            "replay it with the rules that it was made with: --game FOLDER",
        )


def begin(document: Mapping[str, Any], record: Record) -> State:
    """Return the state after the setup of a record.

    Parameters
    ----------
    document : dict
        The game document.
    record : Record
        Its form has been checked.

    Raises
    ------
    RecordError
        If it does not fit the game.
    """
    check_rules(document, record)
    head = record.head.value
    for key in ("options", "rulings"):
        for name in document[key]:
            if name not in head[key]:
                raise record.error(
                    record.head, (key,), f"{key} has no {name!r}: a record names all of them",
                    "record.header", f"the default is {json.dumps(document[key][name]['default'])}",
                )
    try:
        game = Game(document, head["players"], head["rulings"], head["options"])
    except LudexError as error:
        raise record.error(record.head, _setting(error, document, head), error.message,
                           "record.header", error.hint) from None
    tape = _Watched(head["chance"])
    try:
        state = game.initial_state(tape)
        tape.tape.done()
    except TapeError as error:
        raise _tape_error(record, record.head, tape, error) from None
    return state


def read_action(game: Game, record: Record, line: Line) -> Action:
    """Read the move of a line.

    Raises
    ------
    RecordError
        ``move.*``: it names no player, move or argument of this game.
    """
    move = {k: line.value[k] for k in ("actor", "move", "args")}
    try:
        return game.action_from_json(move)
    except InvalidMove as error:
        path, key = _fault_path(error, game, move)
        raise record.error(line, path, error.message, error.code,
                           error.hint or _members(game, move, path), key=key) from None


def carry_out(state: State, action: Action, record: Record, line: Line) -> State:
    """Return the state after a legal action, with the chance that its line says.

    Raises
    ------
    RecordError
        ``tape.*``: its chance does not fit.
    """
    tape = _Watched(line.value.get("chance", []))
    try:
        after = state.child(action, tape)
        tape.tape.done()
    except TapeError as error:
        raise _tape_error(record, line, tape, error) from None
    return after


# -- chance --------------------------------------------------------------------------------------


class _Watched:
    """A tape that remembers the last question."""

    def __init__(self, outcomes: Sequence[Outcome]) -> None:
        self.tape = Tape(outcomes)
        self.outcomes = outcomes
        #: what the last question was about, and what it left of the tape
        self.wanted: dict[str, Any] = {}
        self.possible: list[Any] = []
        self.before: list[Outcome] = []

    def _ask(self, site: Site, keys: tuple[int, ...], possible: Sequence[Any]) -> None:
        self.wanted = {site.kind: None, **site.about(keys)}
        self.possible = [site.decode(p) for p in dict.fromkeys(possible)]
        self.before = list(self.tape.left)

    def draw(self, items: Sequence[int], site: Site, keys: tuple[int, ...]) -> int:
        self._ask(site, keys, items)
        return self.tape.draw(items, site, keys)

    def pick(self, items: Sequence[int], site: Site, keys: tuple[int, ...]) -> int:
        self._ask(site, keys, items)
        return self.tape.pick(items, site, keys)

    def roll(self, count: int, sides: int, site: Site, keys: tuple[int, ...]) -> list[int]:
        self._ask(site, keys, [])
        self.wanted[site.kind] = [1] * count
        return self.tape.roll(count, sides, site, keys)

    def used_last(self) -> Outcome | None:
        """Return the outcome that the last question took off the tape."""
        left = {id(o) for o in self.tape.left}
        return next((o for o in self.before if id(o) not in left), None)


def _tape_error(record: Record, line: Line, tape: _Watched, error: TapeError) -> RecordError:
    """Return what is wrong with the chance of a line, at the outcome where that shows."""
    where = "setup" if line is record.head else "move"
    kind = next(iter(tape.wanted), "")
    about = " ".join(f"{k} {v}" for k, v in tape.wanted.items() if k != kind)
    sample = _sample(tape, kind)
    listed = ", ".join(map(str, tape.possible[:_LISTED]))
    if len(tape.possible) > _LISTED:
        listed += ", ..."
    may_be = f"it may be {listed}" if listed else None
    if isinstance(error, TapeLeftOver):
        found: Outcome | None = tape.tape.left[0]
        message = f"the {where} does not need this outcome: {json.dumps(found)}"
        hint: str | None = "take it out; if it belongs to another move, put it there"
    elif isinstance(error, TapeTooShort):
        found = None
        message = f"chance lacks an outcome that the {where} needs: {kind} {about}".rstrip()
        hint = f"for example {sample}" + (f"; {may_be}" if may_be else "")
    elif isinstance(error, TapeImpossible):
        found = tape.used_last()
        message = error.message
        word = str(found[kind]) if found is not None else ""
        hint = closest(word, map(str, tape.possible)) or may_be
    else:
        found = tape.tape.left[0]
        message = (f"expected an outcome {kind} {about}".rstrip() + f", found {json.dumps(found)}")
        hint = f"the {where} needs, for example, {sample}"
    path: Path = ("chance",)
    for index, outcome in enumerate(tape.outcomes):
        if outcome is found:
            path = ("chance", index)
    return record.error(line, path, message, error.code, hint)


def _sample(tape: _Watched, kind: str) -> str:
    """Return an outcome that would do, with the value that was found if that can be."""
    wanted = dict(tape.wanted)
    if kind and wanted[kind] is None:
        given = [o[kind] for o in tape.tape.left[:1] if o.get(kind) in tape.possible]
        wanted[kind] = [*given, *tape.possible][0]
    return json.dumps(wanted, ensure_ascii=False)


# -- places of what is wrong -----------------------------------------------------------------------


def _setting(error: LudexError, document: Mapping[str, Any], head: Mapping[str, Any]) -> Path:
    """Return the path of the setting that a game refuses."""
    if error.code == "usage.players":
        return ("players",)
    for what in ("ruling", "option"):
        for name, value in head[f"{what}s"].items():
            declared = document[f"{what}s"].get(name)
            wrong = declared is None or not any(
                value == v and type(value) is type(v) for v in declared["values"]
            )
            if wrong and error.code in (f"usage.unknown-{what}", f"usage.{what}-value"):
                return (f"{what}s", name)
    return ()


def _fault_path(error: InvalidMove, game: Game, move: Mapping[str, Any]) -> tuple[Path, bool]:
    """Return which part of a move an error is about, and whether it is about the key."""
    if error.code == "move.unknown-player":
        return ("actor",), False
    if error.code == "move.unknown-move":
        return ("move",), False
    if error.code == "move.unknown-argument":
        known = {p["name"] for p in _params(game, move["move"])}
        return ("args", next(a for a in move["args"] if a not in known)), True
    word = _WORD.match(error.message)
    if error.code == "move.argument-value" and word is not None:
        return ("args", word.group()), False
    return ("args",), False


def _members(game: Game, move: Mapping[str, Any], path: Path) -> str | None:
    """Return what an argument may be, where that is a short list."""
    for param in _params(game, move["move"]):
        if path == ("args", param["name"]):
            type_ = game.codec.type(param["type"])
            while type_.args:
                type_ = type_.args[-1]
            if type_.head in ("kind", "player"):
                known = game.codec.keys(type_)
                return f"it may be {', '.join(known)}" if len(known) <= _LISTED else None
    return None


def _params(game: Game, move: str) -> list[dict[str, Any]]:
    if move not in game.program.moves:
        return []
    found: list[dict[str, Any]] = game.document["moves"][game.program.moves.index(move)]["params"]
    return found
