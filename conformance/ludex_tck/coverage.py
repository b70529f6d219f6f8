"""Rule coverage: which rules a run made fire, and which it saw refuse a move."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from typing import Any

from ludex.engine import State, Tape

from .scripts import Script

__all__ = ["Coverage"]

Json = Mapping[str, Any]


class Coverage:
    """Counts rules over scripts.

    Parameters
    ----------
    document : dict
        The game document.

    Attributes
    ----------
    fired, refused : Counter
        Rule to how often a clause of it ran, or forbade an attempted move.
    """

    def __init__(self, document: Json) -> None:
        self.document = document
        self.fired: Counter[str] = Counter()
        self.refused: Counter[str] = Counter()
        self._moves = {m["name"]: m for m in document["moves"]}
        self._steps = {s["name"]: s for s in document["steps"]}
        self._effects = {e["name"]: tuple(_rules(e)) for e in document["effects"]}

    def add(self, script: Script) -> None:
        """Play a script again with a traced game and count."""
        game = script.game.traced
        program = game.program
        program.trail.clear()
        state = game.initial_state(Tape(script.chance))
        self.fired.update([self.document["players_rule"]])
        for step in script.steps:
            if step.refused:
                self.refused.update([step.broken[0].rule])
                continue
            self.fired.update(self._move(state, step.move))
            state.play(step.move, step.chance)
        for clause, _ in program.trail:
            c = program.clauses[clause]
            self.fired.update((c.rule, *c.also))
            if c.where.startswith("effects."):
                self.fired.update(self._effects[c.where.split(".")[1]])
        program.trail.clear()
        ending = state.ending()
        if ending is not None:
            self.fired.update(_rules(ending))
            for part in ("winners", "returns"):
                self.fired.update([ending[f"{part}_rule"], *ending[f"{part}_also"]])

    def _move(self, state: State, move: Json) -> Iterator[str]:
        step = state.step
        assert step is not None
        yield from _rules(self._steps[step])
        clause = self._moves[move["move"]]
        for part in (clause, *clause["params"], *clause["requires"]):
            yield from _rules(part)

    def never(self) -> list[str]:
        """Return the formal rules that neither fired nor refused, in their order."""
        seen = self.fired.keys() | self.refused.keys() | self.held()
        return [
            r
            for r, text in self.document["text"]["rules"].items()
            if text["status"] == "formal" and r not in seen
        ]

    def held(self) -> set[str]:
        """Return the rules of variables, kinds and invariants: true in every position compared."""
        clauses = [
            *self.document["state"],
            *self.document["kinds"].values(),
            *self.document["invariants"],
        ]
        return {r for clause in clauses for r in _rules(clause)}

    def to_json(self) -> dict[str, Any]:
        """Return the counts, rules in their order."""
        order = list(self.document["text"]["rules"])
        return {
            "fired": {r: self.fired[r] for r in order if self.fired[r]},
            "refused": {r: self.refused[r] for r in order if self.refused[r]},
            "held": [r for r in order if r in self.held()],
            "never": self.never(),
        }


def _rules(clause: Json) -> Iterator[str]:
    if clause.get("rule"):
        yield clause["rule"]
    yield from clause.get("also", ())
