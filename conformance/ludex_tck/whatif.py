"""What if: small changes of a game that explain a wrong table.

If the table is exactly what another choice would have led to, the fault is the choice and not
what came of it. Two changes are tried, on the last step only: another value of one argument, and
an ``if`` that goes the other way.
"""

from __future__ import annotations

import copy
from collections.abc import Iterable, Iterator, Mapping
from typing import Any
from weakref import WeakKeyDictionary

from ludex.engine import Game, State, Tape
from ludex.engine.chance import Outcome
from ludex.engine.program import Action
from ludex.errors import LudexError
from ludex.protocol.messages import position

__all__ = ["other_argument", "other_branch", "statement_at"]

Json = dict[str, Any]
#: Per game: the place of an ``if`` to the same game with its branches exchanged.
_FLIPPED: WeakKeyDictionary[Game, dict[str, Game]] = WeakKeyDictionary()


def other_argument(
    before: State, action: Action, tape: Iterable[Outcome], table: Any
) -> str | None:
    """Return the rule of the argument whose other value leads to a table, if there is one.

    Parameters
    ----------
    before : State
        Where the move was made; not changed.
    action : tuple
        The move.
    tape : iterable of dict
        Its outcomes.
    table : object
        The table that was answered.
    """
    params = before.game.document["moves"][action[1]]["params"]
    for other in before.legal_actions():
        changed = [i for i, (a, b) in enumerate(zip(action, other, strict=False)) if a != b]
        # 0 and 1 are the actor and the move
        if len(other) != len(action) or len(changed) != 1 or changed[0] < 2:
            continue
        if _leads_to(before, other, tape, table):
            return str(params[changed[0] - 2]["rule"])
    return None


def other_branch(
    before: State, action: Action, tape: Iterable[Outcome], table: Any, ran: Iterable[str]
) -> str | None:
    """Return the rule of the ``if`` that leads to a table when it goes the other way.

    Parameters
    ----------
    before, action, tape, table
        As for `other_argument`.
    ran : iterable of str
        Places of the clauses that ran, innermost ``if`` last.
    """
    game = before.game
    for place in dict.fromkeys(_ifs(ran)):
        statement = statement_at(game.document, place)
        rule = statement.get("rule")
        if rule is None or _jumps(statement):
            continue
        flipped = _flipped(game, place)
        if _leads_to(State(flipped, before.clone().position), action, tape, table):
            return str(rule)
    return None


def statement_at(document: Mapping[str, Any], place: str) -> Json:
    """Return the statement of a clause's place, for example ``moves.extend.do.0``."""
    section, *path = place.split(".")
    node: Any = document[section]
    if section != "setup":
        named = path.pop(0)
        node = next(one for one in node if one["name"] == named)
    for key in path:
        node = node[int(key)] if key.isdigit() else node[key]
    found: Json = node
    return found


def _leads_to(before: State, action: Action, tape: Iterable[Outcome], table: Any) -> bool:
    try:
        return bool(position(before.child(action, Tape(list(tape))))["state"] == table)
    except LudexError:
        return False


def _ifs(places: Iterable[str]) -> Iterator[str]:
    """Yield the places of the ``if`` statements around clauses, inner ones first."""
    for place in places:
        path = place.split(".")
        for end in reversed(range(len(path))):
            if path[end] in ("then", "else") and path[end - 1].isdigit():
                yield ".".join(path[:end])


def _jumps(node: Any) -> bool:
    """Return whether there is a ``goto`` inside: exchanged, it might never come to an end."""
    if isinstance(node, Mapping):
        return node.get("statement") == "goto" or any(_jumps(v) for v in node.values())
    return isinstance(node, list) and any(_jumps(v) for v in node)


def _flipped(game: Game, place: str) -> Game:
    known = _FLIPPED.setdefault(game, {})
    if place not in known:
        section = place.split(".")[0]
        document = {**game.document, section: copy.deepcopy(game.document[section])}
        found = statement_at(document, place)
        found["then"], found["else"] = found["else"], found["then"]
        known[place] = Game(document, game.players, game.rulings, game.options)
    return known[place]
