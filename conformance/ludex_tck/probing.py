"""Probing: the legal moves of a program that does not list them.

Siblings of a played move are tried in games that begin in the same way. What is known then is only
that a sample of the legal moves is accepted: the report says how large it is.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from ludex.engine import Recorder, State, Tape
from ludex.protocol.messages import position

from .planning import Choose, Chosen
from .scripts import Script, Step

__all__ = ["siblings"]


def siblings(script: Script, choose: Choose, count: int) -> Iterator[Script]:
    """Yield games that end with another legal move than the one that was played.

    Parameters
    ----------
    script : Script
        A game.
    choose : callable
        Picks where and what.
    count : int
        How many, at most.
    """
    played = [i for i, step in enumerate(script.steps) if not step.refused]
    for _ in range(count if played else 0):
        at = played[choose(len(played))]
        prefix = script.cut(at)
        state = _state_after(prefix)
        actions = [
            a for a in state.legal_actions()
            if state.game.action_to_json(a) != script.steps[at].move
        ]
        if not actions:
            continue
        action = actions[choose(len(actions))]
        chance = Recorder(Chosen(choose))
        after = state.child(action, chance)
        move: dict[str, Any] = state.game.action_to_json(action)
        prefix.steps.append(Step(move, chance.outcomes, (), position(after)))
        yield prefix


def _state_after(script: Script) -> State:
    state = script.game.initial_state(Tape(script.chance))
    for step in script.steps:
        if not step.refused:
            state.play(step.move, step.chance)
    return state
