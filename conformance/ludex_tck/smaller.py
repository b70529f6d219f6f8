"""Smaller: leave steps out of a failing game while it shows the same.

Hypothesis looks for few and low choices; here whole steps go, which no choice stands for.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import replace

from ludex.engine import State, Tape
from ludex.errors import LudexError
from ludex.protocol.messages import position

from .findings import Finding
from .implementation import Observed
from .scripts import Script, Step

__all__ = ["STOPS", "after_refusal", "is_stop", "minimise"]

#: Games tried to make one smaller that ends the program or waits for ever: each takes long.
STOPS = 8


def is_stop(observed: Observed) -> bool:
    """Return whether the program ended or fell silent: that takes answers with it."""
    return observed.breach is not None and observed.breach.kind in ("exit", "silence")


def minimise(
    finding: Finding, attempt: Callable[[Script], Finding | None], budget: int, deadline: float
) -> Finding:
    """Leave out steps, many at once and then one by one, while the game shows the same.

    The result is locally minimal: it ends with the step that differs, and no single step
    before it can be left out. At the cap of time, or of games, it is what it is.

    Parameters
    ----------
    finding : Finding
        What was found.
    attempt : callable
        Plays a script; returns what differs first.
    budget : int
        Games to play at most.
    deadline : float
        As of ``time.monotonic``.
    """
    best = finding
    # attempts first, all at once: what still shows without them is not their doing
    shorter = _moves_only(finding.script)
    if len(shorter.steps) < len(finding.script.steps):
        trial = attempt(shorter)
        if trial is not None and trial.signature == best.signature:
            best = trial
    if is_stop(finding.observed):
        budget = min(budget, STOPS)
    size = len(best.script.steps) - 1
    while size > 0:
        for index in reversed(range(len(best.script.steps) - size)):
            without = _without(best.script, index, size)
            if without is None:
                continue
            if budget <= 0 or time.monotonic() > deadline:
                return best
            budget -= 1
            trial = attempt(without)
            if trial is not None and trial.signature == best.signature and (
                len(trial.script.steps) < len(best.script.steps)
            ):
                # once more with as many, or with all that are left
                best, size = trial, min(size, len(trial.script.steps) - 1) + 1
                break
        size -= 1
    return best


def after_refusal(finding: Finding) -> Finding:
    """Return the finding, as one of `core.unchanged` if it takes a refused move to show it.

    The game is locally minimal: an attempt that could be left out is not in it. So one that is
    still there before the step that differs has changed something.
    """
    attempts = [s for s in finding.script.steps[: finding.at] if s.refused]
    if not attempts or finding.difference.check not in ("state.table", "core.legal-set",
                                                        "core.actors", "core.outcome",
                                                        "core.accepts", "privacy.observation"):
        return finding
    first = finding.difference
    changed = replace(first, check="core.unchanged",
                      message=f"after a refused move, {first.message}")
    observed = replace(finding.observed,
                       differences=[changed, *finding.observed.differences])
    return replace(finding, rule=attempts[-1].broken[0].rule, observed=observed)


def _without(script: Script, index: int, size: int = 1) -> Script | None:
    """Return the script without some steps, if the rest is still a possible game."""
    shorter = Script(script.game, script.chance, script.expected)
    state = script.game.initial_state(Tape(script.chance))
    for number, step in enumerate(script.steps):
        if index <= number < index + size:
            continue
        try:
            made = _again(state, step)
        except LudexError:
            return None
        if made is None:
            return None
        shorter.steps.append(made)
    return shorter


def _moves_only(script: Script) -> Script:
    """Return the script without the attempts, except one at its end."""
    last = script.steps[-1:]
    steps = [s for s in script.steps[:-1] if not s.refused]
    return Script(script.game, script.chance, script.expected, steps + last)


def _again(state: State, step: Step) -> Step | None:
    """Repeat a step in another state; None if it means something else there."""
    if step.refused:
        broken = tuple(state.broken(state.game.action_from_json(step.move)))
        same = [b.clause for b in broken] == [b.clause for b in step.broken]
        return Step(step.move, step.chance, broken, None) if broken and same else None
    state.play(step.move, step.chance)
    return Step(step.move, step.chance, (), position(state))
