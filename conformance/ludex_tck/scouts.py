"""Scouts: processes that play batches ahead of the campaign, each with a program of its own.

Batch *k* is played by scout *k* modulo their number, so it is certain which process plays what. A
scout only says what it counted and whether it saw something new. If it did, the campaign plays the
batch itself, from the same seed, and goes on as if there were no scouts. So a report does not
depend on how many there are, as long as the program plays each game alike.
"""

from __future__ import annotations

import contextlib
import json
import multiprocessing
import signal
import time
from collections import deque
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from multiprocessing.connection import Connection
from types import TracebackType
from typing import Any, NamedTuple

from ludex.protocol.records import parse_record

from .batches import play_batch
from .findings import Finding
from .implementation import Implementation, Observed
from .profiles import Profile
from .scripts import Script, from_record, record_of
from .trial import Part, Trial
from .wire import Limits

__all__ = ["Errand", "Scouts", "Seen"]

Json = dict[str, Any]
#: Batches that each scout is told about at a time.
_AHEAD = 2


@dataclass(frozen=True)
class Errand:
    """What a scout has to know.

    Attributes
    ----------
    command : tuple of str
        The program and its arguments.
    limits : Limits
        Of the driver.
    document : dict
        The game document.
    profile, seed, classes, deadline
        As for `Trial`.
    accepted : frozenset of (str, str)
        Check and rule of failures that do not fail the run.
    """

    command: tuple[str, ...]
    limits: Limits
    document: Mapping[str, Any]
    profile: Profile
    seed: int
    classes: tuple[str, ...]
    deadline: float
    accepted: frozenset[tuple[str, str]]


class Seen(NamedTuple):
    """A finding on its way from one process to another: games as records.

    Attributes
    ----------
    record : list of dict
        The game.
    at : int
        Index of the step that differs.
    rule : str
        The rule it is about.
    observed : Observed
        What came.
    twin : list of dict or None
        The record of the game that looks the same.
    """

    record: list[Json]
    at: int
    rule: str
    observed: Observed
    twin: list[Json] | None

    @classmethod
    def of(cls, finding: Finding) -> Seen:
        """Pack a finding."""
        twin = None if finding.twin is None else record_of(finding.twin)
        return cls(record_of(finding.script), finding.at, finding.rule, finding.observed, twin)

    def finding(self, document: Mapping[str, Any]) -> Finding:
        """Unpack it."""
        twin = None if self.twin is None else _script(document, self.twin)
        return Finding(_script(document, self.record), self.at, self.rule, self.observed,
                       reproduced=False, twin=twin)


def _script(document: Mapping[str, Any], lines: Sequence[Json]) -> Script:
    text = "".join(json.dumps(line) + "\n" for line in lines)
    return from_record(document, parse_record(text.encode(), "<a scout's game>"))


class Scouts:
    """Some scouts; used in a ``with`` block, at whose end they are gone.

    Parameters
    ----------
    workers : int
        How many.
    errand : Errand
        What they have to know.
    batches : int
        How many batches there are.
    """

    def __init__(self, workers: int, errand: Errand, batches: int) -> None:
        # spawn: a fork would share the pipes of the program under test
        context = multiprocessing.get_context("spawn")
        self.errand = errand
        self._left = deque(range(batches))
        self._pipes: list[Connection] = []
        self._processes = []
        for _ in range(min(workers, batches)):
            ours, theirs = context.Pipe()
            process = context.Process(target=_scout, args=(theirs, errand), daemon=True)
            process.start()
            theirs.close()
            self._pipes.append(ours)
            self._processes.append(process)

    def __enter__(self) -> Scouts:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        for pipe in self._pipes:
            pipe.close()  # which ends a scout that waits
        for process in self._processes:
            process.join(self.errand.limits.stop + 1)
            if process.is_alive():
                process.terminate()
                process.join()

    def played(
        self, number: int, past: Collection[tuple[str, str]]
    ) -> tuple[Part, Seen | None] | None:
        """Return what a scout says of a batch; None if it says nothing, or not in time.

        Parameters
        ----------
        number : int
            Of the batch; they have to be asked for in order.
        past : collection of (str, str)
            Check and rule of findings that are no news, for batches that are still to be played.
        """
        scouts = len(self._pipes)
        while self._left and self._left[0] < number + scouts * _AHEAD:
            batch = self._left.popleft()
            self._tell(batch % scouts, (batch, frozenset(past)))
        pipe = self._pipes[number % scouts]
        try:
            if not pipe.poll(max(self.errand.deadline - time.monotonic(), 0) + 1):
                return None
            found: tuple[Part, Seen | None] | None = pipe.recv()
        except (EOFError, OSError):
            return None
        return found

    def _tell(self, scout: int, message: Any) -> None:
        with contextlib.suppress(OSError):  # it has ended: that shows when it is asked
            self._pipes[scout].send(message)


def _scout(pipe: Connection, errand: Errand) -> None:
    """Play batches until the pipe is closed."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the campaign is interrupted, and closes the pipe
    with Implementation(errand.command, errand.document, errand.limits) as implementation:
        trial: Trial | None = None
        while True:
            try:
                number, past = pipe.recv()
            except (EOFError, OSError):
                return
            try:
                if trial is None:
                    trial = Trial(implementation, implementation.hello(), errand.document,
                                  errand.profile, errand.seed, errand.classes, errand.deadline)
                    trial.accepted = set(errand.accepted)
                trial.past = set(past)
                part, finding = play_batch(trial, number, shrink=False)
                answer = None if trial.timed_out else (
                    part, None if finding is None else Seen.of(finding))
            except Exception:
                answer = None  # whatever it is: the campaign meets it as well, and says so
            try:
                pipe.send(answer)
            except OSError:
                return
