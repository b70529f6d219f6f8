"""The campaign: worked examples first, then random games, then what is no game at all.

A `Trial` plays and compares; `batches` makes the random games. The campaign decides what comes of a
finding: it is made smaller, seen again in a fresh process, and the batch that showed it is played
once more, looking past it.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import AbstractContextManager, nullcontext
from typing import Any, Protocol

from .batches import batches, play_batch
from .checks import CLASSES, MAIN, NEEDS, class_of
from .coverage import Coverage
from .examples import example_scripts
from .findings import Finding
from .games import Games
from .implementation import HelloError, Implementation, Support
from .profiles import Profile
from .robust import Fault, Robustness, check_robust
from .scouts import Errand, Scouts
from .scripts import Script
from .smaller import after_refusal, is_stop, minimise
from .tally import Tally
from .transcript import Transcript
from .trial import Trial
from .wire import Breach

__all__ = ["Campaign"]

#: The check that a program fails which keeps something from game to game.
SHARED = "robust.repeats"

Json = dict[str, Any]
Progress = Callable[[int, int], None]


class KnownFailure(Protocol):
    """What a campaign has to know of a known failure."""

    check: str
    rule: str | None
    fails: bool

    def to_json(self) -> Json:
        """Return it as the report has it."""


class Lines(Protocol):
    """What can say something for a report."""

    def lines(self) -> list[str]:
        """Return it."""


class Campaign(Trial):
    """One run against one implementation.

    Parameters
    ----------
    implementation : Implementation
        Already greeted.
    support : Support
        What it said.
    document : dict
        The game document.
    profile : Profile
        How much to do.
    seed : int
        Of the random games.
    progress : callable, optional
        Called with the games done and planned.
    classes : sequence of str
        The classes to look at; what belongs to others alone is not compared.
    workers : int
        Processes that play random games, each with a program of its own.
    games : Games, optional
        Those that are compiled already.

    Attributes
    ----------
    findings : list of Finding
        Each with another check or rule.
    goodbye : tuple of Breach
        How the process did not end as it must, when it was told to; seen once or twice.
    start : tuple of Breach
        How the first process did not answer ``hello``, if the second one did.
    robust : Robustness
        What the class `robust` has found.
    known : list of Known
        Failures that were known before.
    shelf : Shelf or None
        Failures of earlier runs, if they were tried.
    """

    def __init__(
        self,
        implementation: Implementation,
        support: Support,
        document: Mapping[str, Any],
        profile: Profile,
        seed: int,
        progress: Progress | None = None,
        classes: Sequence[str] = CLASSES,
        workers: int = 1,
        games: Games | None = None,
    ) -> None:
        super().__init__(implementation, support, document, profile, seed, classes, games=games)
        self.workers = workers
        self.progress = progress or (lambda done, planned: None)
        self.findings: list[Finding] = []
        self.counts.tally.planned = profile.cases
        self.goodbye: tuple[Breach, ...] = ()
        self.start: tuple[Breach, ...] = ()
        self.robust = Robustness()
        self.known: Sequence[KnownFailure] = ()
        self.shelf: Lines | None = None

    @property
    def tally(self) -> Tally:
        """The numbers of the run."""
        return self.counts.tally

    @property
    def coverage(self) -> Coverage:
        """The rules of the run."""
        return self.counts.coverage

    @property
    def transcript(self) -> Transcript:
        """The digest of everything that was sent."""
        return self.counts.transcript

    # -- the run -----------------------------------------------------------------------------

    def run(self) -> None:
        """Run the worked examples, then the random games, then what is no game at all."""
        if set(self.classes) - {"robust"}:
            self.run_games()
        if "robust" in self.classes:
            self.robust = check_robust(self.implementation, self.support, self.games,
                                       self.seed, self.profile.seconds / 2,
                                       {k.check for k in self.known})
            self.robust.faults[:0] = self.shared()
            self.tally.checks.update(self.robust.checks)
            for known in self.known:
                if class_of(known.check) == "robust":
                    known.fails = known.check in {f.check for f in self.robust.faults}
            self.implementation.fresh()

    def run_games(self) -> None:
        """Run the worked examples, then the random games."""
        for script in example_scripts(self.games, self.support):
            if len(self.findings) >= self.profile.findings:
                return
            self.tally.examples += 1
            finding = self.try_script(script)
            if finding is not None and self.is_new(finding):
                self.add(finding)
        if len(self.findings) >= self.profile.findings:
            return
        with self.scouts() as scouts:
            for number in range(batches(self.profile.cases)):
                self.run_batch(number, scouts)
                if len(self.findings) >= self.profile.findings or self.timed_out:
                    return

    def scouts(self) -> AbstractContextManager[Scouts | None]:
        """Return the processes that play batches ahead; none, unless there is work for several."""
        number = batches(self.profile.cases)
        if min(self.workers, number) < 2:
            return nullcontext()
        process = self.implementation.process
        errand = Errand(process.command, process.limits, self.document, self.profile, self.seed,
                        self.classes, self.deadline, frozenset(self.accepted))
        return Scouts(self.workers, errand, number)

    def run_batch(self, number: int, scouts: Scouts | None = None) -> None:
        """Play a batch; once more for each finding, until it shows no more."""
        before = self.tally.cases
        seen = None
        if scouts is not None:
            told = scouts.played(number, self.past)
            if told is not None:
                part, seen = told
                if seen is None:
                    self.counts.add(part)
                    self.progress(self.tally.cases, self.profile.cases)
                    return

        def done() -> None:
            self.progress(before + self.counts.tally.cases, self.profile.cases)

        while True:
            part, finding = play_batch(self, number, done)
            if finding is not None:
                self.add(finding)
            elif seen is not None:
                # the scout's program did not play as this one does
                there, seen = seen.finding(self.document), None
                if self.is_new(there):
                    self.add(there)
            if finding is None or self.timed_out or len(self.findings) >= self.profile.findings:
                self.counts.add(part)
                return

    def finish(self) -> None:
        """Say goodbye; a process that does not end as it must is told to once more, from new."""
        for _ in range(2):
            try:
                breach = self.implementation.stop()
            except HelloError:
                return
            if breach is None:
                return
            self.goodbye += (breach,)

    def add(self, finding: Finding) -> None:
        """Make a finding smaller, see it again in a fresh process, and keep it."""
        smaller = finding
        if finding.twin is None and self.shows_after(finding, ()):
            smaller = self.minimise(finding)
        self.implementation.fresh()
        again = self.again(smaller)
        smaller.reproduced = again is not None and again.signature == smaller.signature
        self.past |= {finding.signature, smaller.signature}
        if smaller.reproduced:
            smaller = after_refusal(smaller)
        elif finding.twin is None:
            smaller = self.after_others(finding)  # as it was: alone, it cannot be made smaller
        self.findings.append(smaller)

    def after_others(self, finding: Finding) -> Finding:
        """Look whether a game that is right alone is wrong again after the games before it.

        Then the program keeps something from game to game, which is a failure of `robust`.
        """
        finding.reproduced = False
        sizes = [1 << i for i in range(len(finding.after).bit_length())]
        for size in sizes:
            if time.monotonic() > self.deadline:
                break
            if self.shows_after(finding, finding.after[-size:]):
                finding.needs = min(size, len(finding.after))
                break
        return finding

    def shows_after(self, finding: Finding, games: Sequence[Script]) -> bool:
        """Look whether a finding shows again after some games; a breach in these counts as well."""
        breach = finding.observed.breach
        self.implementation.fresh()
        for script in games:
            met = self.implementation.run(script, self.capabilities).breach
            if met is not None:
                return breach is not None and breach.kind == met.kind
        again = self.try_script(finding.script, count=False)
        return again is not None and again.signature == finding.signature

    def shared(self) -> list[Fault]:
        """Return the findings that only show after other games, as faults of `robust`."""
        return [
            Fault(SHARED, f"after {f.needs} other {'game' if f.needs == 1 else 'games'} in the "
                  f"same process the answer is another one than in a new process: "
                  f"{f.difference.message}", "", "the same answer in every process",
                  f"{f.difference.check}, rule {f.rule}, in the last game",
                  reproduced=True, breach=f.observed.breach)
            for f in self.findings if f.needs
        ]

    def minimise(self, finding: Finding) -> Finding:
        """Leave steps out of its game while it shows the same."""
        stops = is_stop(finding.observed)
        return minimise(
            finding,
            lambda script: self.try_script(script, count=False, one_by_one=stops),
            self.profile.shrinks, self.deadline,
        )

    def again(self, finding: Finding) -> Finding | None:
        """Run the game of a finding once more; with its twin, if it has one."""
        if finding.twin is None:
            return self.try_script(finding.script, count=False)
        return self.compare_pair((finding.script, finding.twin))

    # -- verdicts ----------------------------------------------------------------------------

    def failed(self, name: str) -> bool:
        """Whether a class has a finding that was seen again."""
        if name == "core" and len(self.goodbye) > 1:
            return True
        return any(
            f.reproduced and name in {class_of(c) for c in f.checks} for f in self.findings
        )

    def has_known(self, name: str) -> bool:
        """Whether a known failure of a class was seen again."""
        return any(k.fails and class_of(k.check) == name for k in self.known)

    def verdict(self, name: str) -> str:
        """Return ``pass``, ``fail``, ``known``, ``inconclusive`` or ``not-supported``."""
        if name == "robust":
            return self.robust.verdict({k.check for k in self.known if k.fails})
        if self.failed(name):
            return "fail"
        if self.has_known(name):
            return "known"
        main = MAIN[name]
        if not self.tally.checks[main]:
            # a refusal need not name a rule: who never does says nothing that could be wrong
            silent = main == "explain.rule" and self.tally.checks["core.refuses"]
            missing = main in NEEDS and NEEDS[main] not in self.support.capabilities
            return "not-supported" if missing or silent else "inconclusive"
        flaky = any(not f.reproduced for f in self.findings) or len(self.goodbye) == 1
        flaky = flaky or bool(self.start)
        unfinished = (
            self.timed_out or self.tally.cut or self.tally.cases < self.profile.cases
        )
        return "inconclusive" if flaky or unfinished else "pass"
