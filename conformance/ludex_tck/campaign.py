"""The campaign: worked examples first, then property-based random games.

Hypothesis chooses and shrinks; `planning` turns its choices into games; `implementation` runs
them. A campaign goes in rounds: a round ends with the first finding that is new, shrunk, and the
next round looks past it. Case *i* of a round depends on the seed, the round and i.
"""

from __future__ import annotations

import contextlib
import random
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, Protocol

import hypothesis
from hypothesis import HealthCheck, Phase, Verbosity
from hypothesis import strategies as st
from hypothesis.configuration import set_hypothesis_home_dir

from ludex.authoring.folder import STANDARD_SET
from ludex.engine import Game, State, Tape
from ludex.errors import LudexError
from ludex.protocol.messages import position

from .blame import blame
from .checks import CLASSES, MAIN, NEEDS, class_of
from .compare import Difference, fired
from .coverage import Coverage
from .findings import Finding
from .implementation import HelloError, Implementation, Observed, Support
from .planning import Choose, plan
from .probing import siblings
from .profiles import Profile
from .robust import Robustness, check_robust
from .scripts import Script, Step
from .transcript import Transcript
from .twins import twin_of
from .wire import Breach

__all__ = ["Campaign", "Tally", "example_scripts"]

# Hypothesis would keep notes in the folder where the user stands; nothing is ever read from them.
set_hypothesis_home_dir(Path(tempfile.gettempdir()) / "ludex-hypothesis")

Json = dict[str, Any]
Progress = Callable[[int, int], None]
#: Games tried beside each game of a program that does not list its legal moves.
SIBLINGS = 4
#: Games tried to make one smaller that ends the program or waits for ever: each takes long.
_STOPS = 12


@dataclass
class Tally:
    """What a run did.

    Attributes
    ----------
    cases : int
        Random games, of ``planned``.
    examples : int
        Worked examples.
    moves, attempts : int
        Legal moves, and illegal moves tried.
    pending : int
        Positions not compared.
    cut : int
        Games whose rest was not compared, because they differ at an earlier step.
    listed : int
        Legal moves there were where one was played.
    twins : int
        Pairs of games that one player cannot tell apart.
    known : int
        Games whose rest was not compared, because a known failure shows in them.
    checks : Counter
        Check to how often it was made.
    """

    cases: int = 0
    planned: int = 0
    examples: int = 0
    moves: int = 0
    attempts: int = 0
    pending: int = 0
    cut: int = 0
    listed: int = 0
    twins: int = 0
    known: int = 0
    checks: Counter[str] = field(default_factory=Counter)


class KnownFailure(Protocol):
    """What a campaign has to know of a known failure."""

    check: str
    fails: bool

    def to_json(self) -> Json:
        """Return it as the report has it."""


class Lines(Protocol):
    """What can say something for a report."""

    def lines(self) -> list[str]:
        """Return it."""


class _Found(Exception):
    """A case that fails, for Hypothesis to shrink."""


class Campaign:
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

    Attributes
    ----------
    findings : list of Finding
        Each with another check or rule.
    tally : Tally
        Counts.
    coverage : Coverage
        Rules.
    transcript : Transcript
        Digest of everything that was sent.
    timed_out : bool
        Whether the profile's cap cut the run short.
    capabilities : frozenset of str
        Those that the classes need.
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
    ) -> None:
        self.implementation = implementation
        self.support = support
        self.document = document
        self.profile = profile
        self.seed = seed
        self.progress = progress or (lambda done, planned: None)
        self.findings: list[Finding] = []
        self.tally = Tally(planned=profile.cases)
        self.coverage = Coverage(document)
        self.transcript = Transcript()
        self.timed_out = False
        self.classes = tuple(classes)
        unused = {NEEDS[c] for c in NEEDS if class_of(c) not in self.classes}
        self.capabilities = support.capabilities - unused
        self.goodbye: tuple[Breach, ...] = ()
        self.start: tuple[Breach, ...] = ()
        self.robust = Robustness()
        self.known: Sequence[KnownFailure] = ()
        self.shelf: Lines | None = None
        self._accepted: set[tuple[str, str]] = set()
        self._games: dict[Any, Game] = {}
        self._known: set[tuple[str, str]] = set()
        self._deadline = time.monotonic() + profile.seconds
        self._readings = _readings(support)

    # -- the run -----------------------------------------------------------------------------

    def run(self) -> None:
        """Run the worked examples, then the random games, then what is no game at all."""
        if set(self.classes) - {"robust"}:
            self.run_games()
        if "robust" in self.classes:
            self.robust = check_robust(self.implementation, self.support, self.document,
                                       self.seed, self.profile.seconds / 4,
                                       {k.check for k in self.known})
            self.tally.checks.update(self.robust.checks)
            for known in self.known:
                if class_of(known.check) == "robust":
                    known.fails = known.check in {f.check for f in self.robust.faults}
            self.implementation.fresh()

    def run_games(self) -> None:
        """Run the worked examples, then the random games."""
        for script in example_scripts(self.document, self.support):
            if len(self.findings) >= self.profile.findings:
                return
            self.tally.examples += 1
            finding = self.try_script(script)
            if finding is not None and self.is_new(finding):
                self.add(finding)
        number = 0
        while (
            self.tally.cases < self.profile.cases
            and len(self.findings) < self.profile.findings
            and not self.timed_out
        ):
            finding = self.round(number)
            if finding is not None:
                self.add(finding)
            number += 1

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

    def is_new(self, finding: Finding) -> bool:
        """Whether no finding so far has this check and rule."""
        return finding.signature not in self._known

    def add(self, finding: Finding) -> None:
        """Make a finding smaller, see it again in a fresh process, and keep it."""
        smaller = self.minimise(finding) if finding.twin is None else finding
        self.implementation.fresh()
        again = self.again(smaller)
        smaller.reproduced = again is not None and again.signature == smaller.signature
        self._known |= {finding.signature, smaller.signature}
        self.findings.append(after_refusal(smaller))

    def try_script(
        self, script: Script, *, count: bool = True, one_by_one: bool = False
    ) -> Finding | None:
        """Run a script; return what differs first, with its rule."""
        observed = self.implementation.run(script, self.capabilities, one_by_one=one_by_one)
        if observed.breach is not None and not one_by_one:
            observed = self.at_the_cause(script, observed)
        if count:
            self.count(script, observed)
        if observed.at is None:
            asides = observed.asides if "explain" in self.classes else ()
            for index, difference in asides:
                rule = blame(script, index, difference)
                finding = Finding(script.cut(index + 1), index, rule,
                                  replace(observed, at=index, differences=[difference],
                                          actual=observed.refusals[index]))
                if self.is_new(finding):
                    return finding
            return None
        cut = script.cut(observed.at + 1)
        rule = blame(cut, observed.at, observed.differences[0], observed.actual)
        finding = Finding(cut, observed.at, rule, observed)
        if count and finding.signature in self._accepted:
            self.tally.cut -= 1
            self.tally.known += 1
        return finding

    def at_the_cause(self, script: Script, observed: Observed) -> Observed:
        """Return a breach with the request that caused it.

        What ends a program takes answers with it that were ready, and would then look like its
        cause. So the game is sent again, one request at a time. That changes an answer that is
        missing, or out of order, to silence; there, what came first is more telling.
        """
        assert observed.breach is not None
        self.implementation.fresh()
        again = self.implementation.run(script, self.capabilities, one_by_one=True)
        if again.breach is None or (again.breach.kind == "silence" and not _is_stop(observed)):
            return observed
        return again

    def again(self, finding: Finding) -> Finding | None:
        """Run the game of a finding once more; with its twin, if it has one."""
        if finding.twin is None:
            return self.try_script(finding.script, count=False)
        return self.compare_pair((finding.script, finding.twin))

    def look_past(self, signatures: Collection[tuple[str, str]]) -> None:
        """Take findings with these checks and rules for known: they do not fail the run."""
        self._accepted |= set(signatures)
        self._known |= set(signatures)

    def try_case(self, script: Script, choose: Choose, *, count: bool) -> Finding | None:
        """Run a random game, and what is tried beside it."""
        finding = self.try_script(script, count=count)
        if finding is None and "legal" not in self.capabilities and "core" in self.classes:
            finding = self.probe(script, choose, count=count)
        if finding is None and "privacy" in self.classes:
            finding = self.compare_twins(script, choose)
        return finding

    def count(self, script: Script, observed: Observed) -> None:
        """Add a script to the tally, up to the step that differs."""
        tally = self.tally
        length = len(script.steps) if observed.at is None else observed.at + 1
        before = script.expected
        refused = False
        for index, step in enumerate((None, *script.steps[:length]), start=-1):
            if index in observed.pending:
                tally.checks["core.answers"] += 1
            else:
                tally.checks.update(fired(step, self.capabilities))
                if step is not None and step.expected is not None:
                    tally.checks["core.unchanged"] += refused
                    refused = False
            if step is None:
                continue
            refused = refused or step.refused
            tally.attempts += step.refused
            if step.expected is not None:
                tally.moves += 1
                tally.listed += len(before["legal"])
                before = step.expected
        tally.pending += len(observed.pending)
        tally.cut += observed.at is not None
        tally.checks["explain.rule"] += sum("rule" in r for r in observed.refusals.values())
        self.transcript.add(script.cut(length))
        self.coverage.add(script.cut(length))

    # -- random games ------------------------------------------------------------------------

    def game(self, players: int, reading: Mapping[str, str]) -> Game:
        """Return the compiled game for these settings, each once."""
        key = (players, tuple(sorted(reading.items())))
        if key not in self._games:
            self._games[key] = Game(self.document, players, reading)
        return self._games[key]

    def plan(self, choose: Choose) -> Script:
        """Plan one case."""
        players = self.support.players[choose(len(self.support.players))]
        game = self.game(players, self._readings[choose(len(self._readings))])
        longest = (game.plies or 200) + 1
        # a third of the games end early, so that their middle is seen with other histories
        plies = longest if choose(3) else 1 + choose(longest)
        return plan(game, choose, plies=plies)

    def round(self, number: int) -> Finding | None:
        """Run random games until one shows something new; return it shrunk."""
        failing: dict[tuple[int, ...], Finding] = {}
        target: tuple[str, str] | None = None
        tried = 0

        @hypothesis.seed(self.seed * 1000 + number)
        @hypothesis.settings(
            max_examples=self.profile.cases - self.tally.cases,
            phases=(Phase.generate, Phase.shrink),
            database=None,
            deadline=None,
            print_blob=False,
            verbosity=Verbosity.quiet,
            suppress_health_check=list(HealthCheck),
            report_multiple_bugs=False,
        )
        @hypothesis.given(st.data())
        def case(data: st.DataObject) -> None:
            nonlocal target, tried
            if time.monotonic() > self._deadline:
                self.timed_out = True
                return
            if tried > self.profile.shrinks:
                # Hypothesis notices that nothing is drawn any more, and stops
                return
            choices: list[int] = []

            def choose(n: int) -> int:
                choice = data.draw(st.integers(0, n - 1)) if n > 1 else 0
                choices.append(choice)
                return choice

            script = self.plan(choose)
            finding = failing.get(tuple(choices))
            if finding is None:
                tried += target is not None
                finding = self.try_case(script, _following(choices), count=target is None)
                if target is None:
                    self.tally.cases += 1
                    self.progress(self.tally.cases, self.profile.cases)
                if finding is None or not self.is_new(finding):
                    return
                if target is None:
                    target = finding.signature
                if finding.signature != target:
                    return
                failing[tuple(choices)] = finding
            raise _Found

        # Flaky: the same choices gave another result, which `add` will see; or time or tries are up
        with contextlib.suppress(_Found, hypothesis.errors.Flaky):
            case()
        if failing:
            # Hypothesis looks for few choices; what counts is the game up to the step that differs
            best = min(failing, key=lambda c: (len(failing[c].script.steps), len(c), c))
            return failing[best]
        self.tally.cases = max(self.tally.cases, 0 if self.timed_out else self.profile.cases)
        return None

    # -- further games -----------------------------------------------------------------------

    def probe(self, script: Script, choose: Choose, *, count: bool) -> Finding | None:
        """Try siblings of played moves, with a program that does not list its legal moves."""
        for sibling in siblings(script, choose, SIBLINGS):
            finding = self.try_script(sibling, count=count)
            if finding is not None and self.is_new(finding):
                return finding
        return None

    def compare_twins(self, script: Script, choose: Choose) -> Finding | None:
        """Compare what a player is told in two games that the player cannot tell apart."""
        pair = twin_of(script, choose)
        return None if pair is None else self.compare_pair(pair, count=True)

    def compare_pair(self, pair: tuple[Script, Script], *, count: bool = False) -> Finding | None:
        """Compare what a player is told by the refusals at the end of two games."""
        told = []
        for game in pair:
            observed = self.implementation.run(game, self.capabilities)
            at = len(game.steps) - 1
            if observed.at is not None or at not in observed.refusals:
                # an ordinary difference, which the game on its own shows as well
                return None
            told.append(observed.refusals[at])
        self.tally.twins += count
        self.tally.checks["privacy.twins"] += count
        if told[0] == told[1]:
            return None
        difference = Difference(
            "privacy.twins",
            "a refusal tells the player something hidden: in a game that looks the same to "
            f"{pair[0].steps[-1].move['actor']}, it has other words",
            told[0], told[1],
        )
        rule = blame(pair[0], at, difference, twin=pair[1])
        return Finding(pair[0], at, rule,
                       replace(observed, at=at, differences=[difference], actual=told[0]),
                       twin=pair[1])

    # -- smaller -----------------------------------------------------------------------------

    def minimise(self, finding: Finding) -> Finding:
        """Leave out steps, many at once and then one by one, while the game shows the same.

        The result is locally minimal: it ends with the step that differs, and no single step
        before it can be left out. At the profile's cap of time, or of games, it is what it is.
        """
        best = finding
        stops = _is_stop(finding.observed)
        # attempts first, all at once: what still shows without them is not their doing
        shorter = _moves_only(finding.script)
        if len(shorter.steps) < len(finding.script.steps):
            trial = self.try_script(shorter, count=False, one_by_one=stops)
            if trial is not None and trial.signature == best.signature:
                best = trial
        budget = min(self.profile.shrinks, _STOPS) if stops else self.profile.shrinks
        size = len(best.script.steps) - 1
        while size > 0:
            for index in reversed(range(len(best.script.steps) - size)):
                without = _without(best.script, index, size)
                if without is None:
                    continue
                if budget <= 0 or time.monotonic() > self._deadline:
                    return best
                budget -= 1
                trial = self.try_script(without, count=False, one_by_one=stops)
                if trial is not None and trial.signature == best.signature and (
                    len(trial.script.steps) < len(best.script.steps)
                ):
                    # once more with as many, or with all that are left
                    best, size = trial, min(size, len(trial.script.steps) - 1) + 1
                    break
            size -= 1
        return best

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


def _is_stop(observed: Observed) -> bool:
    """Return whether the program ended or fell silent: that takes answers with it."""
    return observed.breach is not None and observed.breach.kind in ("exit", "silence")


def _following(choices: Sequence[int]) -> Choose:
    """Return a source of further choices that depends on those that were made.

    What is tried beside a game is not shrunk, so it need not be drawn from Hypothesis, whose room
    for choices long games fill.
    """
    draw = random.Random(" ".join(map(str, choices))).random
    return lambda n: int(draw() * n)


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


def _readings(support: Support) -> list[dict[str, str]]:
    """Return the readings to test: the defaults, each choice varied alone, and pairs."""
    default = {name: values[0] for name, values in support.rulings.items()}
    result = [default]
    singles = [
        {name: value} for name, values in support.rulings.items() for value in values[1:]
    ]
    result += [{**default, **single} for single in singles]
    for i, a in enumerate(singles):
        result += [{**default, **a, **b} for b in singles[i + 1 :] if a.keys() != b.keys()]
    return result


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


def example_scripts(document: Mapping[str, Any], support: Support) -> Iterator[Script]:
    """Yield the worked examples that begin at the start, which any program can be sent."""
    for example in document["text"]["examples"]:
        if "setup" not in example or example["players"] not in support.players:
            continue
        # an example that names no set is about the standard one
        if example.get("components", STANDARD_SET) != document["components"]["set"]:
            continue
        rulings = {k: d["default"] for k, d in document["rulings"].items()}
        rulings.update(example.get("rulings", {}))
        if any(v not in support.rulings[k] for k, v in rulings.items()):
            continue
        game = Game(document, example["players"], rulings, example.get("options", {}))
        state = game.initial_state(Tape(example["setup"]))
        script = Script(game, example["setup"], position(state))
        for step in example["steps"]:
            made = _example_step(state, step)
            if made is not None:
                script.steps.append(made)
        yield script


def _example_step(state: State, step: Mapping[str, Any]) -> Step | None:
    ((kind, value),) = step.items()
    if kind not in ("play", "refuse"):
        return None
    move = {k: value[k] for k in ("actor", "move", "args")}
    if kind == "refuse":
        return Step(move, [], tuple(state.broken(state.game.action_from_json(move))), None)
    chance: Sequence[Json] = value.get("chance", [])
    state.play(move, chance)
    return Step(move, chance, (), position(state))
