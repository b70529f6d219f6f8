"""Findings: a difference, its rule, and the shortest game found that shows it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from .checks import class_of
from .compare import Difference
from .implementation import Observed
from .scripts import Script, record_of

__all__ = ["Finding"]

Json = dict[str, Any]


@dataclass
class Finding:
    """One way in which an implementation departs from the rules.

    Attributes
    ----------
    script : Script
        The game, cut after the step that differs.
    at : int
        Index of that step; -1 is the setup.
    rule : str
        The rule it is about.
    observed : Observed
        What came.
    reproduced : bool
        Whether a fresh process showed it again. If not, it is flaky and no failure.
    twin : Script or None
        A game that looks the same to the player of the last step, where that is what differs.
    after : tuple of Script
        Games that the same process had played before, as far as they are remembered.
    needs : int
        How many of them it takes to show it again, if the game alone does not; else 0.
    """

    script: Script
    at: int
    rule: str
    observed: Observed
    reproduced: bool = True
    twin: Script | None = None
    after: tuple[Script, ...] = ()
    needs: int = 0

    @property
    def difference(self) -> Difference:
        """The most telling difference."""
        return self.observed.differences[0]

    @property
    def signature(self) -> tuple[str, str]:
        """Findings with the same check and rule are one."""
        return (self.difference.check, self.rule)

    @property
    def checks(self) -> list[str]:
        """All checks that fail at this step."""
        return list(dict.fromkeys(d.check for d in self.observed.differences))

    def to_json(self) -> Json:
        """Return the finding as the report has it."""
        difference = self.difference
        rules = self.script.game.document["text"]["rules"]
        breach = self.observed.breach
        result: Json = {
            "check": difference.check,
            "class": class_of(difference.check),
            "rule": self.rule,
            "rule_text": rules[self.rule]["text"],
            "message": difference.message,
            "path": list(difference.path),
            "expected": difference.expected,
            "actual": difference.actual,
            "other_checks": self.checks[1:],
            "reproduced": self.reproduced,
            "moves": sum(not s.refused for s in self.script.steps),
            "record": record_of(self.script),
        }
        if self.needs:
            result["games_before"] = self.needs
        if self.twin is not None:
            result["twin"] = record_of(self.twin)
        if breach is not None:
            result["breach"] = {"kind": breach.kind, "stderr": breach.stderr[-4000:]}
        return result
