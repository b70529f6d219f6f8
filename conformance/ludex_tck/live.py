"""Programs that draw their own chance (``chance:report``): games that nobody has planned.

The kit sends null, takes what the program says it has drawn, looks whether that is possible, and
plays the reference along with it. So each request waits for the answer before it, no game can be
sent twice, and nothing is made smaller. How the outcomes are spread is tested over the whole run.
"""

from __future__ import annotations

import json
import random
import time
from collections.abc import Sequence
from typing import Any

from ludex.engine import Game, Recorder, State, Tape
from ludex.engine.chance import Outcome, Site
from ludex.errors import TapeError
from ludex.protocol.messages import apply_params, new_game_params, position

from .blame import Blame, blame
from .campaign import Campaign
from .compare import Difference, compare, is_pending
from .fairness import ALPHA, Fairness
from .findings import Finding
from .implementation import HelloError, Observed
from .planning import Choose, Chosen, attempt
from .scripts import Script, Step
from .wire import Answer, Breach, Reply

__all__ = ["LiveCampaign"]

Json = dict[str, Any]
#: Games in which a finding may come again.
_AGAIN = 12


class _Watched(Tape):
    """A tape that notes what else could have come.

    Attributes
    ----------
    notes : list
        For each outcome: what it is about, the probabilities, and what came.
    """

    def __init__(self, outcomes: Sequence[Outcome]) -> None:
        super().__init__(outcomes)
        self.notes: list[tuple[Json, dict[str, float], str]] = []

    def _note(self, items: Sequence[Any], site: Site, keys: tuple[int, ...], value: Any) -> None:
        chances: dict[str, float] = {}
        for item in items:
            name = str(site.decode(item))
            chances[name] = chances.get(name, 0.0) + 1 / len(items)
        about = {"kind": site.kind, **site.about(keys)}
        self.notes.append((about, chances, str(site.decode(value))))

    def draw(self, items: Sequence[int], site: Site, keys: tuple[int, ...]) -> int:
        value = super().draw(items, site, keys)
        self._note(items, site, keys, value)
        return value

    def pick(self, items: Sequence[int], site: Site, keys: tuple[int, ...]) -> int:
        value = super().pick(items, site, keys)
        self._note(items, site, keys, value)
        return value

    def roll(self, count: int, sides: int, site: Site, keys: tuple[int, ...]) -> list[int]:
        values = super().roll(count, sides, site, keys)
        for value in values:
            chances = {str(face): 1 / sides for face in range(1, sides + 1)}
            self.notes.append(({"kind": "roll", **site.about(keys)}, chances, str(value)))
        return values


class LiveCampaign(Campaign):
    """A campaign against a program that draws its own chance."""

    fairness: Fairness

    def run_games(self) -> None:
        """Play random games, and look at how their outcomes are spread."""
        self.fairness = Fairness(2)
        for number in range(self.profile.cases):
            if len(self.findings) >= self.profile.findings:
                return
            if time.monotonic() > self._deadline:
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
        self._known.add(finding.signature)
        self.findings.append(finding)

    def play_live(self, number: int, *, count: bool = True) -> Finding | None:
        """Play one game; return what differs first."""
        draw = random.Random(f"live {self.seed} {number}").random

        def choose(n: int) -> int:
            return int(draw() * n)

        players = self.support.players[choose(len(self.support.players))]
        game = self.game(players, self._readings[choose(len(self._readings))])
        table = _Table(self, game, f"l{number}-{self.implementation.next_number()}", choose)
        try:
            observed = table.play((game.plies or 200) + 1)
        except HelloError as error:
            observed = Observed(at=-1, differences=[
                Difference("core.answers", f"the program does not start again: {error.message}",
                           "an answer to hello", None)])
        script = table.script
        if count:
            self.count(script, observed)
            self.tally.checks["core.chance"] += table.reported
        if observed.at is None:
            if not count:
                return None
            self.tally.checks["core.fair"] += table.fitting
            return self.judge(script, table)
        difference = observed.differences[0]
        if difference.check == "core.chance":
            rule = Blame(script, observed.at).chance({})
        else:
            rule = blame(script, observed.at, difference, observed.actual)
        return Finding(script.cut(observed.at + 1), observed.at, rule, observed)

    def judge(self, script: Script, table: _Table) -> Finding | None:
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


class _Table:
    """One game, played by the program and the reference together."""

    def __init__(self, campaign: Campaign, game: Game, game_id: str, choose: Choose) -> None:
        self.campaign = campaign
        self.implementation = campaign.implementation
        self.game, self.game_id, self.choose = game, game_id, choose
        own = Recorder(Chosen(choose))
        state = game.initial_state(own)
        # what stands here until the program has said what it drew
        self.script = Script(game, list(own.outcomes), position(state))
        self.observed = Observed()
        self.reported = 0
        self.fitting = 0
        self.outcomes: list[tuple[tuple[Any, ...], dict[str, float], str]] = []

    def play(self, plies: int) -> Observed:
        """Play until the end, or the first difference."""
        params = new_game_params(self.game, self.game_id, None)
        reply = self.ask("new_game", params)
        state = self.follow(reply, "setup", self.game.initial_state)
        if state is not None:
            self.script.chance = _chance(reply)
            self.script.expected = position(state)
        self.compare(reply, -1)
        while self.observed.at is None and state is not None and not state.is_terminal and (
            len(self.script.steps) < plies
        ):
            state = self.step(state)
        if self.observed.breach is None:
            reply = self.ask("end_game", {"game_id": self.game_id})
            if isinstance(reply, Breach) and self.observed.at is None:
                self.note(len(self.script.steps) - 1, Difference(
                    "core.answers", reply.message, "an answer to end_game", reply.kind))
        return self.observed

    def step(self, state: State) -> State | None:
        """Try an illegal move now and then, and make a legal one."""
        script, choose = self.script, self.choose
        tried = attempt(state, choose) if choose(6) == 5 else None
        if tried is not None:
            script.steps.append(tried)
            reply = self.ask("apply", apply_params(self.game_id, tried.move, None))
            self.compare(reply, len(script.steps) - 1)
            if self.observed.at is not None:
                return None
            assert isinstance(reply, Answer)
            self.observed.refusals[len(script.steps) - 1] = reply.result["illegal"]
        actions = state.legal_actions()
        action = actions[choose(len(actions))]
        move = self.game.action_to_json(action)
        reply = self.ask("apply", apply_params(self.game_id, move, None))
        after = self.follow(reply, move["move"], lambda tape: state.child(action, tape))
        if after is None:
            own = Recorder(Chosen(choose))
            script.steps.append(Step(move, own.outcomes, (), position(state.child(action, own))))
        else:
            script.steps.append(Step(move, _chance(reply), (), position(after)))
        index = len(script.steps) - 1
        self.compare(reply, index)
        if is_pending(reply):
            self.observed.pending.add(index)
        return after

    def follow(self, reply: Reply, where: str, carry_out: Any) -> State | None:
        """Return the state with the outcomes that a reply reports, if they are possible."""
        if not isinstance(reply, Answer) or not isinstance(reply.result, dict) or (
            "illegal" in reply.result
        ):
            return None
        chance = _chance(reply)
        tape = _Watched(chance)
        self.reported += 1
        try:
            state: State = carry_out(tape)
            tape.done()
        except TapeError as error:
            self.note(len(self.script.steps) - 1 if where == "setup" else len(self.script.steps),
                      Difference("core.chance", f"what the program says it has drawn is not "
                                 f"possible: {error.message}", "possible outcomes", chance))
            return None
        self.fitting += len(tape.notes)
        for index, (about, chances, value) in enumerate(tape.notes):
            contexts = (json.dumps(about, sort_keys=True), (where, index))
            self.outcomes.append((contexts, chances, value))
        return state

    def ask(self, method: str, params: Json) -> Reply:
        [reply] = self.implementation.exchange([{"method": method, "params": params}])
        if isinstance(reply, Breach):
            self.observed.breach = reply
        return reply

    def compare(self, reply: Reply, index: int) -> None:
        """Compare an answer, unless something is wrong with its chance already."""
        if self.observed.at is not None:
            return
        step = self.script.steps[index] if index >= 0 else None
        expected = self.script.expected if step is None else step.expected
        differences = compare(reply, step, expected, self.campaign.capabilities)
        if differences:
            self.note(index, *differences)
            self.observed.actual = reply.result if isinstance(reply, Answer) else None

    def note(self, index: int, *differences: Difference) -> None:
        self.observed.at = index
        self.observed.differences = list(differences)
        breach = self.observed.breach
        self.observed.wire = tuple(breach.wire if breach else self.implementation.process.wire())


def _chance(reply: Reply) -> list[Outcome]:
    """Return what a reply says was drawn; nothing if it does not say it in the right form."""
    chance = reply.result.get("chance") if isinstance(reply, Answer) else None
    if isinstance(chance, list) and all(isinstance(o, dict) for o in chance):
        return list(chance)
    return []
