"""Blame: which rule a difference is about.

=================================  ===========================================================
a table that another argument, or  that argument, or that ``if``
an ``if`` that goes the other way
would have led to
any other wrong table, or outcomes
that nothing in the step asks for,
after which others may act         the end, the new step or the move, by which the game is where
                                   it is
any other wrong table              the clause of this step that writes what is wrong and nothing
                                   that is right; else the one that last changed the place
an illegal move listed or done     the requirement (or parameter, or step) that it breaks
a legal move not listed or done    the parameter or requirement that would have to exclude it
other outcomes used than the tape  the clause that asks for outcomes
too many actors                    the step
other actors                       the clause that last set what the step's actors depend on
a wrong view                       the variable
a wrong outcome                    the ending; its returns before its winners
something changed by a refusal     what the refused move breaks
a refusal that tells a secret      the variable that is secret
=================================  ===========================================================
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from ludex.engine import Game, State, Tape
from ludex.errors import LudexError

from .compare import Difference
from .scripts import Script
from .whatif import other_argument, other_branch, statement_at

__all__ = ["Blame", "blame"]

Json = dict[str, Any]


_TAPE_ERRORS = (-32010, -32011, -32012, -32013)


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
        self.script, self.at = script, at
        self.before: State | None = None
        earlier = 0
        self.program.trail.clear()
        state = self.game.initial_state(Tape(script.chance))
        for index, step in enumerate(script.steps[: at + 1]):
            if index == at:
                self.before = state.clone()
                earlier = len(self.program.trail)
            if not step.refused:
                state.play(step.move, step.chance)
        #: per change: clause index, position before it
        self.history: list[tuple[int, list[Any]]] = list(self.program.trail)
        #: the clauses that ran in this step, in order
        self.own = list(dict.fromkeys(clause for clause, _ in self.history[earlier:]))
        self.program.trail.clear()
        self.after = state

    # -- per kind of difference --------------------------------------------------------------

    def table(self, path: Sequence[str], actual: Any) -> str:
        """Return the rule of the clause behind a wrong table."""
        clauses = self.program.clauses
        table = actual.get("state") if isinstance(actual, Mapping) else None
        if self.before is not None:
            step = self.script.steps[self.at]
            action = self.game.action_from_json(step.move)
            rule = other_argument(self.before, action, step.chance, table) or other_branch(
                self.before, action, step.chance, table, [clauses[c].where for c in self.own]
            )
            if rule is not None:
                return rule
        wrong = self._wrong(table)
        # who writes only what is wrong did it; of equals the first, the others had its result
        writers = [clauses[c] for c in self.own if wrong.intersection(clauses[c].writes)]
        if writers:
            return str(min(writers, key=lambda c: _right_less_wrong(c.writes, wrong)).rule)
        if isinstance(actual, Mapping) and self._elsewhere(actual.get("actors")):
            return self._halt()
        return self._last_change(path)

    def _elsewhere(self, actors: Any) -> bool:
        """Whether a program has gone on, or has stopped, where the rules have not."""
        return isinstance(actors, list) and sorted(map(str, actors)) != sorted(self.after.actors())

    def _halt(self) -> str:
        """Return the rule by which the game halts here: its end, a new step, or the move."""
        ending = self.after.ending()
        if ending is not None:
            return str(ending["rule"])
        if self.before is None or self.before.step != self.after.step:
            step = next(s for s in self.document["steps"] if s["name"] == self.after.step)
            return str(step["rule"])
        return self._move_rule(self.script.steps[self.at].move["move"])

    def _wrong(self, table: Any) -> set[str]:
        """Return the variables of a table that differ."""
        expected = (
            self.script.expected if self.at < 0 else self.script.steps[self.at].expected
        )
        assert expected is not None
        if not isinstance(table, Mapping):
            return set()
        return {name for name, value in expected["state"].items() if table.get(name) != value}

    def _last_change(self, path: Sequence[str]) -> str:
        """Return the rule of the clause that last changed a place of the table."""
        name = path[1] if len(path) > 1 else None
        if name not in self.program.slots:
            return str(self.document["state"][0]["rule"])
        later = self._value(self.after.position, path[1:])
        for clause, position in reversed(self.history):
            earlier = self._value(position, path[1:])
            if earlier != later:
                return str(self.program.clauses[clause].rule)
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

    def actors(self, actual: Any = None) -> str:
        """Return the rule of the step, of what sets its actors, or of a missed ending."""
        ending = self.after.ending()
        if ending is not None:
            return str(ending["rule"])
        step = next(s for s in self.document["steps"] if s["name"] == self.after.step)
        right = set(self.after.actors())
        if not (isinstance(actual, list) and right.issubset(map(str, actual))):
            functions = {f["name"]: f["is"]["tree"] for f in self.document["functions"]}
            names = set(_variables(step["actors"]["tree"], functions))
            for clause, _ in reversed(self.history):
                if names.intersection(self.program.clauses[clause].writes):
                    return str(self.program.clauses[clause].rule)
        return str(step["rule"])

    def chance(self, error: Mapping[str, Any]) -> str:
        """Return the rule of the clause whose outcomes were not used as the rules use them.

        What the program `wanted`, if it says so, tells most; else it is the last that asked.
        """
        clauses = self.program.clauses
        asking = [
            (clauses[c].where, clauses[c].rule, statement)
            for c in [*self.own[::-1], *(i for i in range(len(clauses)) if i not in self.own)]
            for statement in [statement_at(self.document, clauses[c].where)]
            if statement["statement"] in ("draw", "pick", "roll")
            and clauses[c].where.startswith("setup.") == (self.at < 0)
        ]
        data = error.get("data")
        wanted = data.get("wanted") if isinstance(data, Mapping) else None
        here = {clauses[c].where for c in self.own}
        for where, rule, statement in asking:
            if isinstance(wanted, Mapping) and _asks_for(statement, wanted):
                # what nothing asks for in this step: the program went on where the game halts
                gone_on = self.at >= 0 and where not in here
                return self._halt() if gone_on else rule
        if asking:
            return asking[0][1]
        if self.at < 0:
            return str(self.document["players_rule"])
        return self._move_rule(self.script.steps[self.at].move["move"])

    def secret(self, twin: Script | None) -> str | None:
        """Return the rule of the variable in which a game and its twin differ.

        What some other player can see comes first: it is that player's secret.
        """
        if twin is None:
            return None
        mine, theirs = _last_position(self.script, self.at), _last_position(twin, self.at)
        names = [n for n, value in mine["state"].items() if theirs["state"][n] != value]
        seen = [
            n for n in names
            if any(view[n] != theirs["observations"][player][n]
                   for player, view in mine["observations"].items())
        ]
        return self._variable((seen or names)[0]) if names else None

    def outcome(self, expected: Any, actual: Any) -> str:
        """Return the rule of the part of the ending that differs: who counts wrong is misled."""
        ending = self.after.ending()
        if ending is None or not isinstance(actual, Mapping):
            return str((ending or self.document["end"][0])["rule"])
        if "returns" in expected and actual.get("returns") != expected["returns"]:
            return str(ending["returns_rule"])
        return str(ending["winners_rule"])

    def forbidden(self, state: State, move: Json) -> str:
        """Return the first rule that an illegal move breaks."""
        try:
            broken = state.broken(self.game.action_from_json(move))
        except LudexError:
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


def _right_less_wrong(writes: Sequence[str], wrong: set[str]) -> int:
    return sum(-1 if name in wrong else 1 for name in set(writes))


def _variables(tree: Any, functions: Mapping[str, Any]) -> Iterator[str]:
    """Yield the variables that an expression reads, also in the functions that it calls."""
    if isinstance(tree, Mapping):
        if tree.get("get") == "state":
            yield tree["name"]
        if tree.get("call") in functions:
            # no function calls itself
            yield from _variables(functions[tree["call"]], functions)
        for value in tree.values():
            yield from _variables(value, functions)
    elif isinstance(tree, list):
        for value in tree:
            yield from _variables(value, functions)


def _asks_for(statement: Json, wanted: Mapping[str, Any]) -> bool:
    """Return whether a statement asks for the outcome that a program says it misses."""
    if statement["statement"] != wanted.get("kind"):
        return False
    if "of" in wanted:
        return bool(statement.get("as") == wanted["of"])
    return all(
        str(wanted.get(end, "")).split(".")[0] in _variables(statement[end]["tree"], {})
        for end in ("from", "to")
        if end in wanted and end in statement
    )


def _last_position(script: Script, at: int) -> Json:
    return next((s.expected for s in reversed(script.steps[:at]) if s.expected), script.expected)


def blame(
    script: Script, at: int, difference: Difference, actual: Any = None, twin: Script | None = None
) -> str:
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
    twin : Script, optional
        A game that looks the same to the player of the step, but was told otherwise.
    """
    trial = Blame(script, at)
    check = difference.check
    if check == "state.table":
        return trial.table(difference.path, actual)
    if check == "privacy.observation":
        return trial.view(difference.path)
    if check == "core.actors":
        return trial.actors(difference.actual)
    if check == "core.outcome":
        return trial.outcome(difference.expected, difference.actual)
    if check == "core.legal-set":
        if isinstance(difference.actual, Mapping) and difference.actual.get("extra"):
            return trial.forbidden(trial.after, difference.actual["extra"][0])
        if isinstance(difference.expected, Mapping):
            listed = actual.get("legal", []) if isinstance(actual, Mapping) else []
            return trial.missing(difference.expected["missing"][0], listed)
        return trial.actors(trial.after.actors())
    error = difference.actual.get("error") if isinstance(difference.actual, Mapping) else None
    if check == "core.accepts" and isinstance(error, Mapping) and (
        error.get("code") in _TAPE_ERRORS
    ):
        return trial.chance(error)
    if check == "privacy.twins":
        rule = trial.secret(twin)
        if rule is not None:
            return rule
    if at >= 0 and check in ("core.refuses", "privacy.twins", "explain.rule"):
        assert trial.before is not None
        return trial.forbidden(trial.before, script.steps[at].move)
    if at >= 0:
        return trial._move_rule(script.steps[at].move["move"])
    return str(trial.document["players_rule"])
