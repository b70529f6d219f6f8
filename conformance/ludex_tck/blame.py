"""Blame: which rule a difference is about.

=================================  ===========================================================
a wrong place of the table         the clause that last changed that place
an illegal move listed or done     the requirement (or parameter, or step) that it breaks
a legal move not listed or done    the parameter or requirement that would have to exclude it
wrong actors                       the step
a wrong view                       the variable
a wrong outcome                    the ending
something changed by a refusal     what the refused move breaks
=================================  ===========================================================
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from ludex.engine import Game, State, Tape
from ludex.errors import InvalidMove

from .compare import Difference
from .scripts import Script

__all__ = ["Blame", "blame"]

Json = dict[str, Any]


class Blame:
    """A script played again by a traced game, up to the step that differs.

    Parameters
    ----------
    script : Script
        The game.
    at : int
        Index of the step; -1 for the setup.
    """

    def __init__(self, script: Script, at: int) -> None:
        self.document = script.game.document
        self.game: Game = script.game.traced
        self.program = self.game.program
        #: per change: clause index, position before it
        self.history: list[tuple[int, list[Any]]] = []
        self.before: State | None = None
        self.program.trail.clear()
        state = self.game.initial_state(Tape(script.chance))
        for index, step in enumerate(script.steps[: at + 1]):
            if index == at:
                self.before = state.clone()
            if not step.refused:
                state.play(step.move, step.chance)
        self.history = list(self.program.trail)
        self.program.trail.clear()
        self.after = state

    # -- per kind of difference --------------------------------------------------------------

    def table(self, path: Sequence[str]) -> str:
        """Return the rule of the clause that last changed a place of the table."""
        name = path[1] if len(path) > 1 else None
        if name not in self.program.slots:
            return str(self.document["state"][0]["rule"])
        later = self._value(self.after.position, path[1:])
        for clause, position in reversed(self.history):
            earlier = self._value(position, path[1:])
            if earlier != later:
                return self.program.clauses[clause].rule
            later = earlier
        return self._variable(name)

    def _value(self, position: list[Any], path: Sequence[str]) -> Any:
        value = self.game.codec.decode(
            position[self.program.slots[path[0]]], self.program.types[path[0]]
        )
        for key in path[1:]:
            # a key too many leads nowhere: then the variable is what counts
            if not isinstance(value, Mapping) or key not in value:
                break
            value = value[key]
        return value

    def _variable(self, name: str) -> str:
        return next(str(v["rule"]) for v in self.document["state"] if v["name"] == name)

    def view(self, path: Sequence[str]) -> str:
        """Return the rule of the variable that is seen wrongly."""
        names = [p for p in path[1:] if p in self.program.slots]
        return self._variable(names[0]) if names else str(self.document["state"][0]["rule"])

    def actors(self) -> str:
        """Return the rule of the step, or of the ending when the game should be over."""
        ending = self.after.ending()
        if ending is not None:
            return str(ending["rule"])
        step = self.after.step
        return next(str(s["rule"]) for s in self.document["steps"] if s["name"] == step)

    def outcome(self, expected: Any, actual: Any) -> str:
        """Return the rule of the part of the ending that differs."""
        ending = self.after.ending()
        if ending is None or not isinstance(actual, Mapping):
            return str((ending or self.document["end"][0])["rule"])
        winners = actual.get("winners")
        if not isinstance(winners, list) or sorted(map(str, winners)) != sorted(
            expected["winners"]
        ):
            return str(ending["winners_rule"])
        return str(ending["returns_rule"])

    def forbidden(self, state: State, move: Json) -> str:
        """Return the first rule that an illegal move breaks."""
        try:
            broken = state.broken(self.game.action_from_json(move))
        except InvalidMove:
            return self._move_rule(move.get("move"))
        return broken[0].rule if broken else self._move_rule(move.get("move"))

    def _move_rule(self, name: Any) -> str:
        for move in self.document["moves"]:
            if move["name"] == name:
                return str(move["rule"])
        return str(self.document["steps"][0]["rule"])

    def missing(self, move: Json, listed: Sequence[Json]) -> str:
        """Return the rule that allows a move which is not listed.

        If the same move is listed with another value of just one parameter, that parameter was
        read too narrowly; else the move's last requirement, or the move itself.
        """
        clause = next(m for m in self.document["moves"] if m["name"] == move["move"])
        same = [m for m in listed if isinstance(m, Mapping) and m.get("move") == move["move"]
                and m.get("actor") == move["actor"]]
        for param in reversed(clause["params"]):
            others = {k: v for k, v in move["args"].items() if k != param["name"]}
            for entry in same:
                args = entry.get("args")
                if isinstance(args, Mapping) and others == {
                    k: v for k, v in args.items() if k != param["name"]
                } and args.get(param["name"]) != move["args"].get(param["name"]):
                    return str(param["rule"])
        return str(clause["rule"])


def blame(script: Script, at: int, difference: Difference, actual: Any = None) -> str:
    """Return the rule that a difference is about.

    Parameters
    ----------
    script : Script
        The game.
    at : int
        Index of the step that differs; -1 for the setup.
    difference : Difference
        What differs.
    actual : object, optional
        The whole position that was answered.
    """
    trial = Blame(script, at)
    check = difference.check
    if check == "state.table":
        return trial.table(difference.path)
    if check == "privacy.observation":
        return trial.view(difference.path)
    if check == "core.actors":
        return trial.actors()
    if check == "core.outcome":
        return trial.outcome(difference.expected, difference.actual)
    if check == "core.legal-set":
        if isinstance(difference.actual, Mapping) and difference.actual.get("extra"):
            return trial.forbidden(trial.after, difference.actual["extra"][0])
        if isinstance(difference.expected, Mapping):
            listed = actual.get("legal", []) if isinstance(actual, Mapping) else []
            return trial.missing(difference.expected["missing"][0], listed)
        return trial.actors()
    if at >= 0 and check in ("core.refuses", "privacy.twins", "explain.rule"):
        assert trial.before is not None
        return trial.forbidden(trial.before, script.steps[at].move)
    if at >= 0:
        return trial._move_rule(script.steps[at].move["move"])
    return str(trial.document["players_rule"])
