"""Rule coverage: which rules of a game fired while games were played."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from typing import Any

from ludex.engine import State
from ludex.engine.program import Action

__all__ = ["RuleCoverage", "rules_of"]

Json = Mapping[str, Any]


def rules_of(clause: Json) -> Iterator[str]:
    """Yield the rules that a clause names, the one that counts first."""
    if clause.get("rule"):
        yield clause["rule"]
    yield from clause.get("also", ())


class RuleCoverage:
    """Counts rules over games that are played with traced states.

    Parameters
    ----------
    document : dict
        The game document.

    Attributes
    ----------
    fired : Counter
        Rule to how often a clause of it ran, or a move was made by it.
    refused : Counter
        Rule to how often it forbade a move that was tried.
    ran : set of tuple of str
        ``("steps", NAME)`` and ``("moves", NAME)`` of those that were reached or made.
    """

    #: Parts of a document whose rules hold in every position that is looked at.
    HOLDING: tuple[str, ...] = (
        "state", "kinds", "constants", "invariants", "symmetries", "data_checks",
    )

    def __init__(self, document: Json) -> None:
        self.document = document
        self.fired: Counter[str] = Counter()
        self.refused: Counter[str] = Counter()
        self.ran: set[tuple[str, str]] = set()
        self._steps = {s["name"]: s for s in document["steps"]}
        self._effects = {e["name"]: tuple(rules_of(e)) for e in document["effects"]}

    def begin(self) -> None:
        """Count the start of a game."""
        self.fired.update([self.document["players_rule"]])

    def move(self, state: State, action: Action) -> None:
        """Count a legal action, before it is carried out."""
        assert state.step is not None
        clause = self.document["moves"][action[1]]
        self.ran.add(("moves", clause["name"]))
        for part in (self._steps[state.step], clause, *clause["params"], *clause["requires"]):
            self.fired.update(rules_of(part))

    def trail(self, state: State) -> None:
        """Count the clauses that ran since the last call, and forget them."""
        program = state.game.program
        for number, _ in program.trail:
            clause = program.clauses[number]
            self.fired.update((clause.rule, *clause.also))
            part, name, *_ = clause.where.split(".")
            self.ran.add((part, name))
            if part == "effects":
                self.fired.update(self._effects[name])
        program.trail.clear()

    def example(self, state: State) -> None:
        """Count what ran in an example that is over; what random games seldom reach, it shows."""
        self.trail(state)
        self.end(state)

    def end(self, state: State) -> None:
        """Count the clause that ended a game, if it is over."""
        ending = state.ending()
        if ending is not None:
            self.fired.update(rules_of(ending))
            for part in ("winners", "returns"):
                self.fired.update([ending[f"{part}_rule"], *ending[f"{part}_also"]])

    def held(self) -> set[str]:
        """Return the rules of the parts that hold in every position."""
        found: set[str] = set()
        for part in self.HOLDING:
            clauses = self.document.get(part, ())
            for clause in clauses.values() if isinstance(clauses, Mapping) else clauses:
                found.update(rules_of(clause))
        return found

    def never(self) -> list[str]:
        """Return the formal rules that neither fired nor refused nor hold always, in order."""
        seen = self.fired.keys() | self.refused.keys() | self.held()
        return [
            r
            for r, text in self.document["text"]["rules"].items()
            if text["status"] == "formal" and r not in seen
        ]

    def to_json(self) -> dict[str, Any]:
        """Return the counts, rules in their order."""
        order = list(self.document["text"]["rules"])
        held = self.held()
        return {
            "fired": {r: self.fired[r] for r in order if self.fired[r]},
            "refused": {r: self.refused[r] for r in order if self.refused[r]},
            "held": [r for r in order if r in held],
            "never": self.never(),
        }
