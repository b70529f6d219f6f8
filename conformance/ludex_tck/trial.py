"""A trial: scripts played with one implementation, compared, and counted.

It knows which findings are known already, and nothing of what a whole run does with a new one: that
is the `campaign`. So each process that plays games has a trial of its own.
"""

from __future__ import annotations

import time
from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from typing import Any, NamedTuple

from ludex.engine import Game

from .blame import blame
from .checks import CLASSES, NEEDS, class_of
from .compare import Difference, fired
from .coverage import Coverage
from .findings import Finding
from .games import Games
from .implementation import Implementation, Observed, Support
from .planning import Choose, plan
from .probing import siblings
from .profiles import Profile
from .readings import Setting, settings_of
from .scripts import Script
from .smaller import is_stop
from .tally import Tally
from .transcript import Transcript
from .twins import twin_of

__all__ = ["Counts", "Part", "Trial"]

Json = dict[str, Any]
#: Games tried beside each game of a program that does not list its legal moves.
SIBLINGS = 4
#: Settings that any run has room for.
LEAST = 6


class Part(NamedTuple):
    """What a part of a run has counted; it can be sent from one process to another.

    Attributes
    ----------
    tally : Tally
        Numbers.
    fired, refused : mapping
        Rule to how often.
    digest : str
        Of everything that was sent.
    """

    tally: Tally
    fired: Mapping[str, int]
    refused: Mapping[str, int]
    digest: str


class Counts:
    """What was played: numbers, rules, and a digest of everything that was sent.

    Parameters
    ----------
    document : dict
        The game document.

    Attributes
    ----------
    tally : Tally
        Numbers.
    coverage : Coverage
        Rules.
    transcript : Transcript
        Digest.
    """

    def __init__(self, document: Mapping[str, Any]) -> None:
        self.tally = Tally()
        self.coverage = Coverage(document)
        self.transcript = Transcript()

    def part(self) -> Part:
        """Return the counts without the document."""
        coverage = self.coverage
        return Part(self.tally, coverage.fired, coverage.refused, self.transcript.digest())

    def add(self, part: Part) -> None:
        """Add what was counted elsewhere, as what comes after what is counted here."""
        self.tally.add(part.tally)
        self.coverage.fired.update(part.fired)
        self.coverage.refused.update(part.refused)
        self.transcript.add_digest(part.digest)


class Trial:
    """Plays scripts with an implementation.

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
    classes : sequence of str
        The classes to look at; what belongs to others alone is not compared.
    deadline : float, optional
        As of ``time.monotonic``; by default the profile's cap from now on.
    games : Games, optional
        Those that are compiled already.

    Attributes
    ----------
    counts : Counts
        What was played so far.
    capabilities : frozenset of str
        Those that the classes need.
    timed_out : bool
        Whether the deadline cut something short.
    past : set of (str, str)
        Check and rule of findings that are no news.
    accepted : set of (str, str)
        Those among them that do not fail the run.
    """

    def __init__(
        self,
        implementation: Implementation,
        support: Support,
        document: Mapping[str, Any],
        profile: Profile,
        seed: int,
        classes: Sequence[str] = CLASSES,
        deadline: float | None = None,
        games: Games | None = None,
    ) -> None:
        self.implementation = implementation
        self.support = support
        self.document = document
        self.profile = profile
        self.seed = seed
        self.classes = tuple(classes)
        self.games = games or Games(document)
        self.counts = Counts(document)
        self.timed_out = False
        unused = {NEEDS[c] for c in NEEDS if class_of(c) not in self.classes}
        self.capabilities = support.capabilities - unused
        self.deadline = time.monotonic() + profile.seconds if deadline is None else deadline
        self.past: set[tuple[str, str]] = set()
        self.accepted: set[tuple[str, str]] = set()
        self.settings = settings_of(support, max(profile.cases // 3, LEAST), seed)

    def is_new(self, finding: Finding) -> bool:
        """Whether no finding so far has this check and rule."""
        return finding.signature not in self.past

    def try_script(
        self, script: Script, *, count: bool = True, one_by_one: bool = False
    ) -> Finding | None:
        """Run a script; return what differs first, with its rule."""
        before = self.implementation.history
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
        finding = Finding(cut, observed.at, rule, observed, after=before)
        if count and finding.signature in self.accepted:
            self.counts.tally.cut -= 1
            self.counts.tally.known += 1
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
        if again.breach is None or (again.breach.kind == "silence" and not is_stop(observed)):
            return observed
        return again

    def look_past(self, signatures: Collection[tuple[str, str]]) -> None:
        """Take findings with these checks and rules for known: they do not fail the run."""
        self.accepted |= set(signatures)
        self.past |= set(signatures)

    def try_beside(self, script: Script, choose: Choose, *, count: bool) -> Finding | None:
        """Run what is tried beside a random game that was right."""
        finding = None
        if "legal" not in self.capabilities and "core" in self.classes:
            finding = self.probe(script, choose, count=count)
        if finding is None and "privacy" in self.classes:
            pair = twin_of(script, choose)
            finding = None if pair is None else self.compare_pair(pair, count=count)
        return finding

    def count(self, script: Script, observed: Observed) -> None:
        """Add a script to the tally, up to the step that differs."""
        tally = self.counts.tally
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
        self.counts.transcript.add(script.cut(length))
        self.counts.coverage.add(script.cut(length))

    def game(self, setting: Setting) -> Game:
        """Return the compiled game."""
        return self.games.get(setting.players, *setting.reading)

    def plan(self, choose: Choose) -> Script:
        """Plan one case."""
        game = self.game(self.settings[choose(len(self.settings))])
        longest = min(game.plies or self.profile.longest, self.profile.longest) + 1
        # a third of the games end early, so that their middle is seen with other histories
        plies = longest if choose(3) else 1 + choose(longest)
        return plan(game, choose, plies=plies)

    def probe(self, script: Script, choose: Choose, *, count: bool) -> Finding | None:
        """Try siblings of played moves, with a program that does not list its legal moves."""
        for sibling in siblings(script, choose, SIBLINGS):
            finding = self.try_script(sibling, count=count)
            if finding is not None and self.is_new(finding):
                return finding
        return None

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
        self.counts.tally.twins += count
        self.counts.tally.checks["privacy.twins"] += count
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
