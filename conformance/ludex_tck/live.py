"""Programs that draw their own chance (``chance:report``): games that nobody has planned.

No game can be sent twice, and nothing is made smaller. How the outcomes are spread is tested over
the whole run. A game is played in `live_table`.
"""

from __future__ import annotations

import random
import time
from typing import Any

from .blame import Blame, blame
from .campaign import Campaign
from .checks import class_of
from .compare import Difference
from .fairness import ALPHA, Fairness
from .findings import Finding
from .implementation import Observed
from .live_table import LiveTable
from .scripts import Script

__all__ = ["LiveCampaign"]

#: Games in which a finding may come again.
_AGAIN = 12


class LiveCampaign(Campaign):
    """A campaign against a program that draws its own chance.

    Attributes
    ----------
    seen : set of (str, str)
        Check and rule of everything that was found, known or not.
    """

    def __init__(self, *about: Any, **more: Any) -> None:
        super().__init__(*about, **more)
        self.fairness = Fairness(2)
        self.seen: set[tuple[str, str]] = set()

    def run(self) -> None:
        """Run the games, then what is no game; say which known failures were seen."""
        super().run()
        for known in self.known:
            if class_of(known.check) != "robust":
                known.fails = (known.check, known.rule) in self.seen

    def run_games(self) -> None:
        """Play random games, and look at how their outcomes are spread."""
        for number in range(self.profile.cases):
            if len(self.findings) >= self.profile.findings:
                return
            if time.monotonic() > self.deadline:
                self.timed_out = True
                return
            finding = self.play_live(number)
            self.tally.cases += 1
            self.progress(self.tally.cases, self.profile.cases)
            if finding is not None and self.is_new(finding):
                self.add(finding)

    def add(self, finding: Finding) -> None:
        """Look whether other games show a finding again, in a new process, and keep it."""
        if finding.difference.check != "core.fair":  # which is about all games already
            self.implementation.fresh()
            finding.reproduced = any(
                again is not None and again.signature == finding.signature
                for again in (self.play_live(n, count=False) for n in range(_AGAIN))
            )
        self.past.add(finding.signature)
        self.findings.append(finding)

    def play_live(self, number: int, *, count: bool = True) -> Finding | None:
        """Play one game; return what differs first."""
        draw = random.Random(f"live {self.seed} {number}").random

        def choose(n: int) -> int:
            return int(draw() * n)

        game = self.game(self.settings[choose(len(self.settings))])
        table = LiveTable(self, game, f"l{number}-{self.implementation.next_number()}", choose)
        observed = table.play(self.profile.longest)
        if count:
            self.count(table.script, observed)
            self.tally.checks["core.chance"] += table.reported
        finding = self.finding_of(table)
        if finding is None and count:
            self.tally.checks["core.fair"] += table.fitting
            finding = self.judge(table.script, table)
        if finding is not None and count:
            self.seen.add(finding.signature)
            if finding.signature in self.accepted:
                self.tally.cut -= 1
                self.tally.known += 1
        return finding

    def follow(self, script: Script, tries: int) -> tuple[Finding | None, int]:
        """Play the moves of a game again, as far as what the program draws allows them.

        Parameters
        ----------
        script : Script
            The game.
        tries : int
            How often at most.

        Returns
        -------
        Finding or None
            What differs in the first game in which something does.
        int
            In how many games everything was drawn as in the script.
        """
        matches = 0
        for number in range(tries):
            draw = random.Random(f"follow {number}").random
            table = LiveTable(
                self, script.game, f"f{number}-{self.implementation.next_number()}",
                lambda n, draw=draw: int(draw() * n), script,  # type: ignore[misc]
            )
            table.play(len(script.steps))
            finding = self.finding_of(table)
            if finding is not None:
                return finding, matches
            matches += table.as_in(script)
        return None, matches

    def finding_of(self, table: LiveTable) -> Finding | None:
        """Return what differs in a game that was played."""
        script, observed = table.script, table.observed
        if observed.at is None:
            return None
        difference = observed.differences[0]
        if difference.check == "core.chance":
            rule = Blame(script, observed.at).chance({})
        else:
            rule = blame(script, observed.at, difference, observed.actual)
        return Finding(script.cut(observed.at + 1), observed.at, rule, observed)

    def judge(self, script: Script, table: LiveTable) -> Finding | None:
        """Add the outcomes of a game to the bet; return the finding if it is won."""
        if self.fairness.unfair:
            return None  # said once
        for contexts, chances, value in table.outcomes:
            self.fairness.add(contexts, chances, value)
        if not self.fairness.unfair:
            return None
        value, seen, due = self.fairness.oddest()
        difference = Difference(
            "core.fair",
            f"the outcomes are not spread as the rules say: after {self.fairness.outcomes} of "
            f"them, this or worse has a probability of at most {ALPHA:g}",
            f"{value} about {due:.1f} times", f"{value} {seen} times",
        )
        at = next((i for i in reversed(range(len(script.steps))) if script.steps[i].chance), -1)
        at = -1 if script.chance else at
        rule = Blame(script, at).chance({})
        return Finding(script.cut(at + 1), at, rule, Observed(at=at, differences=[difference]))
