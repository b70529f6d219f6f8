"""Twins: two games that one player cannot tell apart.

A twin of a script swaps two hidden outcomes, or one with a component that is never drawn, such that
everything the player has seen is the same.
What the player is told must then be the same, too. Views and legal moves are compared exactly
with the reference, which settles them for both games at once; what is left is what the protocol
leaves free: the rule and the reason of a refusal. So twins end with an illegal move that the
player tries.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ludex.engine import Game, State, Tape
from ludex.engine.chance import Outcome
from ludex.errors import LudexError
from ludex.protocol.messages import position

from .planning import Choose
from .scripts import Script, Step

__all__ = ["twin_of"]

Json = dict[str, Any]
#: Swaps tried before a script is given up.
ATTEMPTS = 12


def twin_of(script: Script, choose: Choose) -> tuple[Script, Script] | None:
    """Return a script cut after an attempt, and a twin of it; None if none was found.

    Parameters
    ----------
    script : Script
        A game with attempts.
    choose : callable
        Picks the attempt and the swaps.
    """
    attempts = [i for i, step in enumerate(script.steps) if step.refused]
    if not attempts:
        return None
    cut = script.cut(attempts[choose(len(attempts))] + 1)
    player = cut.steps[-1].move["actor"]
    draws = [
        (index, number)
        for index, tape in enumerate([cut.chance, *(s.chance for s in cut.steps[:-1])])
        for number, outcome in enumerate(tape)
        if "draw" in outcome and not (index and cut.steps[index - 1].refused)
    ]
    if not draws:
        return None
    last = [cut.expected, *(s.expected for s in cut.steps if s.expected is not None)][-1]
    for _ in range(ATTEMPTS):
        first = draws[choose(len(draws))]
        # with another draw, or with a component that is never drawn
        zone = [cut.chance, *(s.chance for s in cut.steps)][first[0]][first[1]]["from"]
        others: list[tuple[int, int] | str] = [*draws, *_contents(last["state"], zone)]
        second = others[choose(len(others))]
        twin = _swapped(cut, player, first, second)
        if twin is not None:
            return cut, twin
    return None


def _contents(state: Json, zone: str) -> list[str]:
    """Return what lies in a zone that is written as on a tape."""
    value: Any = state
    for key in zone.split("."):
        value = value.get(key) if isinstance(value, dict) else None
    return [v for v in value if isinstance(v, str)] if isinstance(value, list) else []


def _swapped(
    script: Script, player: str, first: tuple[int, int], second: tuple[int, int] | str
) -> Script | None:
    tapes: list[list[Outcome]] = [list(script.chance), *(list(s.chance) for s in script.steps)]
    a = tapes[first[0]][first[1]]
    b = {**a, "draw": second} if isinstance(second, str) else tapes[second[0]][second[1]]
    if a["draw"] == b["draw"] or a["from"] != b["from"]:
        return None
    tapes[first[0]][first[1]] = {**a, "draw": b["draw"]}
    if not isinstance(second, str):
        tapes[second[0]][second[1]] = {**b, "draw": a["draw"]}
    try:
        return _played(script, player, tapes)
    except LudexError:
        return None


def _played(script: Script, player: str, tapes: Sequence[list[Outcome]]) -> Script | None:
    """Return the game with other tapes, if the player sees no difference anywhere."""
    game: Game = script.game
    state = game.initial_state(Tape(tapes[0]))
    twin = Script(game, tapes[0], position(state))
    if not _alike(script.expected, twin.expected, player):
        return None
    for step, tape in zip(script.steps, tapes[1:], strict=True):
        made = _step(state, step, tape)
        if made is None:
            return None
        if made.expected is not None and step.expected is not None and not _alike(
            step.expected, made.expected, player
        ):
            return None
        twin.steps.append(made)
    return twin


def _step(state: State, step: Step, tape: list[Outcome]) -> Step | None:
    if step.refused:
        broken = tuple(state.broken(state.game.action_from_json(step.move)))
        # a refusal that breaks other things may be told in other words
        if [b.clause for b in broken] != [b.clause for b in step.broken]:
            return None
        return Step(step.move, step.chance, broken, None)
    state.play(step.move, tape)
    return Step(step.move, tape, (), position(state))


def _alike(one: Json, other: Json, player: str) -> bool:
    """Return whether a player sees the same in two positions."""
    return bool(
        one["observations"][player] == other["observations"][player]
        and one["actors"] == other["actors"]
        and one["outcome"] == other["outcome"]
        and [m for m in one["legal"] if m["actor"] == player]
        == [m for m in other["legal"] if m["actor"] == player]
    )
