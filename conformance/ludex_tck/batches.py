"""Batches: the random games, some at a time.

Hypothesis chooses and shrinks; `planning` turns its choices into games. A batch ends with its
games, or with the first finding that is new. What it plays depends on the seed and on its number
alone, so it does not matter which process plays it, and one that is played again begins the same.
"""

from __future__ import annotations

import contextlib
import random
import tempfile
import time
from collections.abc import Callable, Sequence
from pathlib import Path

import hypothesis
from hypothesis import HealthCheck, Phase, Verbosity
from hypothesis import strategies as st
from hypothesis.configuration import set_hypothesis_home_dir

from .findings import Finding
from .planning import Choose
from .smaller import STOPS, is_stop
from .trial import Counts, Part, Trial

__all__ = ["SIZE", "batches", "play_batch"]

#: Games of a batch.
SIZE = 20
#: Batches of one seed are told apart by less than this number.
_MOST = 1_000_000

#: Choices that Hypothesis makes in one game; those after them follow from them.
_ROOM = 600

# Hypothesis would keep notes in the folder where the user stands; nothing is ever read from them.
set_hypothesis_home_dir(Path(tempfile.gettempdir()) / "ludex-hypothesis")


class _Found(Exception):
    """A case that fails, for Hypothesis to shrink."""


def batches(cases: int) -> int:
    """Return how many batches so many games are."""
    return -(-cases // SIZE)


def play_batch(
    trial: Trial, number: int, done: Callable[[], None] = lambda: None, *, shrink: bool = True
) -> tuple[Part, Finding | None]:
    """Play random games until one shows something new.

    Parameters
    ----------
    trial : Trial
        Plays them; its own counts stay as they are.
    number : int
        Of the batch, from 0.
    done : callable
        Called after each game.
    shrink : bool
        Whether to look for a simpler game that shows the same.

    Returns
    -------
    Part
        What was played, without what was played to make a game simpler.
    Finding or None
        What is new.
    """
    before, trial.counts = trial.counts, Counts(trial.document)
    try:
        finding = _play(trial, number, done, shrink)
        return trial.counts.part(), finding
    finally:
        trial.counts = before


def _play(
    trial: Trial, number: int, done: Callable[[], None], shrink: bool
) -> Finding | None:
    failing: dict[tuple[int, ...], Finding] = {}
    target: tuple[str, str] | None = None
    target_alone = False  # whether the game on its own shows it
    tried, tries = 0, trial.profile.shrinks
    size = min(SIZE, trial.profile.cases - number * SIZE)
    tally = trial.counts.tally

    # Hypothesis begins with the simplest game; one batch of a run is enough for that.
    @hypothesis.seed(trial.seed * _MOST + number)
    @hypothesis.settings(
        max_examples=size + (number > 0),
        phases=(Phase.generate, Phase.shrink) if shrink else (Phase.generate,),
        database=None,
        deadline=None,
        print_blob=False,
        verbosity=Verbosity.quiet,
        suppress_health_check=list(HealthCheck),
        report_multiple_bugs=False,
    )
    @hypothesis.given(st.data())
    def case(data: st.DataObject) -> None:
        nonlocal target, target_alone, tried, tries
        if time.monotonic() > trial.deadline:
            trial.timed_out = True
            return
        if tried > tries or (target is None and tally.cases == size):
            # Hypothesis notices that nothing is drawn any more, and stops
            return
        choices: list[int] = []
        late: Choose | None = None

        def choose(n: int) -> int:
            nonlocal late
            if len(choices) == _ROOM:
                late = late or _following([*choices, -1])
                return late(n)
            choice = data.draw(st.integers(0, n - 1)) if n > 1 else 0
            choices.append(choice)
            return choice

        script = trial.plan(choose)
        if number and target is None and not any(choices):
            return
        finding = failing.get(tuple(choices))
        if finding is None:
            tried += target is not None
            finding = trial.try_script(script, count=target is None)
            alone = finding is not None
            if finding is None and not (target and target_alone):
                finding = trial.try_beside(script, _following(choices), count=target is None)
            if target is None:
                tally.cases += 1
                done()
            if finding is None or not trial.is_new(finding):
                return
            if target is None:
                target, target_alone = finding.signature, alone
                if is_stop(finding.observed):
                    tries = min(tries, STOPS)
            if finding.signature != target:
                return
            failing[tuple(choices)] = finding
        raise _Found

    # Flaky: the same choices gave another result, which `Campaign.add` sees; or time is up
    with contextlib.suppress(_Found, hypothesis.errors.Flaky):
        case()
    if failing:
        # Hypothesis looks for few choices; what counts is the game up to the step that differs
        best = min(failing, key=lambda c: (len(failing[c].script.steps), len(c), c))
        return failing[best]
    if tally.cases and not trial.timed_out:
        tally.cases = size  # a small game may have no more that differ
    return None


def _following(choices: Sequence[int]) -> Choose:
    """Return a source of further choices that depends on those that were made.

    What is tried beside a game is not shrunk, so it need not be drawn from Hypothesis, and long
    games would fill its room for choices.
    """
    draw = random.Random(" ".join(map(str, choices))).random
    return lambda n: int(draw() * n)
