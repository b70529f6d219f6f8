"""Rule coverage: which rules a run made fire, and which it saw refuse a move."""

from __future__ import annotations

from ludex.engine import Tape
from ludex.explore.coverage import RuleCoverage

from .scripts import Script

__all__ = ["Coverage"]


class Coverage(RuleCoverage):
    """Counts rules over scripts.

    Parameters
    ----------
    document : dict
        The game document.
    """

    # an implementation is not asked about symmetries, so their rules do not count as seen
    HOLDING = ("state", "kinds", "invariants")

    def add(self, script: Script) -> None:
        """Play a script again with a traced game and count."""
        game = script.game.traced
        game.program.trail.clear()
        state = game.initial_state(Tape(script.chance))
        self.begin()
        for step in script.steps:
            if step.refused:
                self.refused.update([step.broken[0].rule])
                continue
            self.move(state, game.action_from_json(step.move))
            state.play(step.move, step.chance)
        self.trail(state)
        self.end(state)
