"""Exploration: random games, and what must hold in every position of a sound spec.

=======================  ====================================================================
``check.dead-end``       somebody must act and nothing is legal
``check.legal``          the list of legal moves and the refusals disagree
``check.invariant``      a declared invariant does not hold
``check.conservation``   a component appears or disappears
``check.twins``          two listed moves do the same, and tell the same
``check.leak``           what a player may do, or who is asked, depends on hidden things
``check.symmetry``       a declared symmetry changes the game
``check.bound``          a game has more moves than the declared bound
``check.endless``        a game without a bound did not end within the limit
``check.step``           a step that no game reached
``check.move``           a move that no game made
``check.rule``           a formal rule that never fired
=======================  ====================================================================
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from ludex.census import census
from ludex.engine import Game, Recorder, Seeded, State
from ludex.engine.facts import Facts
from ludex.engine.flow import writes
from ludex.engine.program import Action
from ludex.errors import LudexError
from ludex.explore.closely import Closely
from ludex.explore.coverage import RuleCoverage

__all__ = ["CHECKS", "Finding", "Report", "explore"]

Json = dict[str, Any]
#: Positions after which a game without a bound counts as endless.
MAX_PLIES = 5000
#: One position in so many is looked at closely (twins, leaks, symmetries).
CLOSELY = 6

#: Check to what it says.
CHECKS = {
    "check.dead-end": "somebody can always act until the game is over",
    "check.legal": "the legal moves are exactly those that break nothing",
    "check.invariant": "the declared invariants hold",
    "check.conservation": "components are conserved",
    "check.twins": "no two listed moves do the same, unless it tells something which one is made",
    "check.leak": "what a player may do depends only on what the player sees",
    "check.symmetry": "the declared symmetries change nothing",
    "check.bound": "no game is longer than the declared bound",
    "check.endless": "games end",
    "check.step": "every step is reached",
    "check.move": "every move is made",
    "check.rule": "every formal rule fires",
}


@dataclass(frozen=True)
class Finding:
    """One fault of a spec.

    Attributes
    ----------
    check : str
        Id of the check.
    message : str
        What is wrong.
    place : str
        ``file:line:column`` of the clause, or empty.
    game : str
        Players, rulings and seed of the game that shows it; empty if no single game does.
    """

    check: str
    message: str
    place: str = ""
    game: str = ""


@dataclass
class Report:
    """What an exploration found.

    Attributes
    ----------
    findings : list of Finding
        Each fault once.
    games, positions : int
        How many were played and looked at.
    counts : Counter
        Check to how often it was made.
    lengths : dict
        Players to the shortest and longest game, in moves.
    coverage : RuleCoverage
        Rules that fired.
    """

    coverage: RuleCoverage
    findings: list[Finding] = field(default_factory=list)
    games: int = 0
    positions: int = 0
    counts: Counter[str] = field(default_factory=Counter)
    lengths: dict[int, tuple[int, int]] = field(default_factory=dict)

    def add(self, finding: Finding) -> None:
        """Keep a finding, unless the same fault is known."""
        if (finding.check, finding.message) not in {
            (f.check, f.message) for f in self.findings
        }:
            self.findings.append(finding)


def explore(
    document: Mapping[str, Any],
    games: int,
    seed: int,
    progress: Callable[[int, int], None] | None = None,
    coverage: RuleCoverage | None = None,
) -> Report:
    """Play random games with every player count and reading, and check each position.

    Parameters
    ----------
    document : dict
        The game document.
    games : int
        How many, shared out over the settings.
    seed : int
        Of moves and chance.
    progress : callable, optional
        Called with the games played and planned.
    coverage : RuleCoverage, optional
        Of rules that fired before, in examples; more are added.
    """
    report = Report(coverage or RuleCoverage(document))
    settings = list(_settings(document))
    compiled: dict[int, Game] = {}
    bound = document["bounds"].get("followed")
    followed = Facts(document).compiled(bound)() if bound else None
    for number in range(games):
        which = number % len(settings)
        players, rulings, options = settings[which]
        name = f"players {players}, {_words({**rulings, **options})}, seed {seed}.{number}"
        if which not in compiled:
            compiled[which] = Game(document, players, rulings, options, traced=True)
        game = compiled[which]
        # a game that broke off may have left something
        game.program.trail.clear()
        _Walk(report, game, name, random.Random(f"{seed} {number}"), followed).run()
        report.games += 1
        if progress is not None:
            progress(number + 1, games)
        if any(f.check == "engine.work" for f in report.findings):
            # it would take as long again in the next game
            break
    if not any(f.check.startswith("engine.") for f in report.findings):
        # else games broke off, and what they did not reach says nothing
        _unreached(document, report)
    return report


def _words(settings: Mapping[str, Any]) -> str:
    return " ".join(f"{k}={v}" for k, v in settings.items()) or "no settings"


def _short(value: Any) -> str:
    return ",".join(map(str, value)) if isinstance(value, list) else str(value)


def _settings(document: Mapping[str, Any]) -> Iterator[tuple[int, dict[str, str], dict[str, Any]]]:
    """Yield player counts with the default settings, then with one setting varied at a time."""
    defaults = {k: d["default"] for k, d in document["rulings"].items()}
    usual = {k: d["default"] for k, d in document["options"].items()}
    for players in document["players"]:
        yield players, defaults, usual
    for players in document["players"]:
        for kind, base in (("rulings", defaults), ("options", usual)):
            for name, d in document[kind].items():
                for value in d["values"]:
                    if value != base[name]:
                        varied = {**base, name: value}
                        yield (
                            players,
                            varied if kind == "rulings" else defaults,
                            varied if kind == "options" else usual,
                        )


def _unreached(document: Mapping[str, Any], report: Report) -> None:
    for check, clauses, what in (
        ("check.step", document["steps"], "step"),
        ("check.move", document["moves"], "move"),
    ):
        for clause in clauses:
            report.counts[check] += 1
            if what == "step" and "do" in clause and not writes(document, clause["do"]):
                # it only decides where to go on, which leaves no trace
                continue
            # what random games seldom reach, an example shows
            if (f"{what}s", clause["name"]) not in report.coverage.ran:
                report.add(Finding(check, f"no game came to the {what} {clause['name']}",
                                   clause["place"]))
    for rule in report.coverage.never():
        report.add(Finding("check.rule", f"rule {rule} is formal, but never fired",
                           document["text"]["clauses"][rule][0]))
    report.counts["check.rule"] += len(document["text"]["rules"])


class _Walk:
    """One random game."""

    def __init__(
        self,
        report: Report,
        game: Game,
        name: str,
        source: random.Random,
        followed: int | None,
    ) -> None:
        self.report = report
        self.game = game
        self.name = name
        self.random = source
        self.moves: list[Action] = []
        self.document = game.document
        self.followed = followed
        self.closely = Closely(game, source, report.counts, self.fault)

    def fault(self, check: str, message: str, place: str = "", shown: str = "") -> None:
        shown = f"; {shown}" if shown else ""
        self.report.add(Finding(check, message, place, f"{self.name}, {self.played()}{shown}"))

    def played(self) -> str:
        """Return how far the game has come, and the last move."""
        if not self.moves:
            return "at the start"
        move = self.game.action_to_json(self.moves[-1])
        args = "".join(f" {name}={_short(value)}" for name, value in move["args"].items())
        count = len(self.moves)
        return (f"after {count} move{'' if count == 1 else 's'}, "
                f"the last: {move['actor']} {move['move']}{args}")

    def run(self) -> None:
        chance = Recorder(Seeded(self.random.getrandbits(64)))
        coverage = self.report.coverage
        coverage.begin()
        try:
            state = self.game.initial_state(chance)
            total = census(state)
            plies = 0
            while not state.is_terminal:
                coverage.trail(state)
                action = self.look(state, total)
                limit = self.game.plies or MAX_PLIES
                if action is None or plies > limit or plies == self.followed:
                    break
                coverage.move(state, action)
                self.moves.append(action)
                state.apply_action(action, chance)
                plies += 1
        except LudexError as error:
            self.fault(error.code, error.message, str(error.place or ""))
            return
        coverage.trail(state)
        coverage.end(state)
        self.length(state, plies)

    def length(self, state: State, plies: int) -> None:
        players = self.game.players
        low, high = self.report.lengths.get(players, (plies, plies))
        self.report.lengths[players] = (min(low, plies), max(high, plies))
        if plies == self.followed and not state.is_terminal:
            # whether it would have ended is not known
            return
        if self.game.plies is None:
            self.report.counts["check.endless"] += 1
            if plies > MAX_PLIES:
                self.fault("check.endless", f"a game was not over after {MAX_PLIES} moves")
            return
        self.report.counts["check.bound"] += 1
        if plies > self.game.plies or not (state.is_terminal or plies < self.game.plies):
            self.fault("check.bound", f"a game with {self.game.players} players has more than "
                       f"{self.game.plies} moves", self.document["bounds"]["plies"]["place"])

    def look(self, state: State, total: Json) -> Action | None:
        """Check one position and return the move to make."""
        report = self.report
        report.positions += 1
        assert state.step is not None
        report.coverage.ran.add(("steps", state.step))
        self.invariants(state)
        report.counts["check.conservation"] += 1
        if census(state) != total:
            self.fault("check.conservation", f"components are not conserved in step {state.step}")
        actions = state.legal_actions()
        report.counts["check.dead-end"] += 1
        if not actions:
            step = next(s for s in self.document["steps"] if s["name"] == state.step)
            self.fault("check.dead-end", f"in step {state.step} nobody can do anything",
                       step["place"])
            return None
        if not self.random.randrange(CLOSELY):
            self.closely.look(state, actions)
        return actions[self.random.randrange(len(actions))]

    def invariants(self, state: State) -> None:
        for clause, holds in zip(self.document["invariants"], self.game.program.invariants,
                                 strict=True):
            self.report.counts["check.invariant"] += 1
            if not holds(state.position):
                self.fault("check.invariant", f"does not hold: {clause['note']}", clause["place"])
