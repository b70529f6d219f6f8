"""The course of a move: the rules that allow it, and what it does, statement by statement.

A traced game notes each clause that changes a position, with the position before it. What a clause
changed is the difference to the position before the next one.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from ludex.engine.chance import ChanceSource
from ludex.engine.game import State
from ludex.engine.program import Action, Position
from ludex.engine.zones import Clause

__all__ = ["MAX_USED", "Used", "allowing", "course"]

Json = Mapping[str, Any]
#: So many clauses of one move are kept; a loop may run many of them.
MAX_USED = 1000


@dataclass(frozen=True)
class Used:
    """A clause that a move used.

    Attributes
    ----------
    rule : str
        Id of the rule that it carries out.
    also : tuple of str
        Further rules.
    clause : str
        Where it stands in the game document, for example ``moves.extend.do.0``.
    place : str
        ``file:line:column``.
    text : str
        A condition that holds, as it is written; of a statement its kind.
    changes : mapping
        Variable to its canonical value before and after; empty if nothing changed.
    """

    rule: str
    also: tuple[str, ...]
    clause: str
    place: str
    text: str
    changes: Mapping[str, tuple[Any, Any]] = field(default_factory=dict)

    def to_json(self) -> dict[str, Any]:
        """Return it as JSON."""
        return {
            "rule": self.rule, "also": list(self.also), "clause": self.clause,
            "place": self.place, "text": self.text,
            "changes": {k: {"before": a, "after": b} for k, (a, b) in self.changes.items()},
        }


def allowing(state: State, action: Action) -> list[Used]:
    """Return the clauses that a legal action rests on: its step, move, arguments, requirements.

    Parameters
    ----------
    state : State
        Where it is legal.
    action : Action
        The action.
    """
    document = state.game.document
    step = document["steps"][state.position[0]]
    move = document["moves"][action[1]]
    name = move["name"]
    found = [
        _used(step, f"steps.{step['name']}.actors", step["actors"]["expr"]),
        _used(move, f"moves.{name}", move["title"]),
    ]
    for param in move["params"]:
        found.append(_used(param, f"moves.{name}.params.{param['name']}",
                           f"{param['name']} in {param['in']['expr']}"))
    for index, requirement in enumerate(move["requires"]):
        found.append(_used(requirement, f"moves.{name}.requires.{index}",
                           requirement["that"]["expr"]))
    return found


def course(state: State, action: Action, chance: ChanceSource) -> tuple[State, list[Used]]:
    """Carry out a legal action, automatic steps and all, and say what was used.

    Parameters
    ----------
    state : State
        Stays as it is.
    action : Action
        The action.
    chance : ChanceSource
        Decides what chance decides.

    Returns
    -------
    State, list of Used
        The state after it; the clauses that it rests on and those that ran, in order.

    Raises
    ------
    TapeError, SpecError
        As `State.apply_action`.
    """
    used = allowing(state, action)
    traced = state.game.traced
    program = traced.program
    program.trail.clear()
    after = State(traced, program.copy(state.position))
    after.apply_action(action, chance)
    trail = program.trail[:MAX_USED]
    later: list[Position] = [position for _, position in program.trail[1:]]
    later.append(after.position)
    for (number, before), then in zip(trail, later, strict=False):
        used.append(_ran(state, program.clauses[number], before, then))
    program.trail.clear()
    ending = after.ending()
    if ending is not None:
        used.append(_used(ending, f"end.{traced.document['end'].index(ending)}",
                          ending["when"]["expr"]))
    return State(state.game, after.position), used


def _used(clause: Json, where: str, text: str) -> Used:
    return Used(clause["rule"], tuple(clause.get("also", ())), where, clause["place"], text)


def _ran(state: State, clause: Clause, before: Position, after: Position) -> Used:
    program = state.game.program
    changes = {}
    for name in dict.fromkeys(clause.writes):
        slot = program.slots[name]
        if before[slot] != after[slot]:
            decode = program.codec.decoder(program.types[name])
            changes[name] = (decode(before[slot]), decode(after[slot]))
    statement = _statement(state.game.document, clause.where)
    return Used(clause.rule, clause.also, clause.where, statement["place"],
                statement["statement"], changes)


def _statement(document: Json, where: str) -> Json:
    """Return the statement that a path such as ``moves.take.do.0.then.1`` names."""
    found: Any = document
    for part in where.split("."):
        if isinstance(found, list) and not part.isdigit():
            found = next(item for item in found if item["name"] == part)
        else:
            found = found[int(part)] if isinstance(found, list) else found[part]
    statement: Json = found
    return statement
