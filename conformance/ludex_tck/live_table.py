"""A game that a program deals itself (``chance:report``): the reference plays along.

The kit sends null, takes what the program says it has drawn, looks whether that is possible, and
does the same. So each request waits for the answer before it.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from typing import Any

from ludex.engine import Game, Recorder, State, Tape
from ludex.engine.chance import Outcome, Site
from ludex.errors import TapeError
from ludex.protocol.messages import apply_params, new_game_params, position

from .compare import Difference, compare, is_pending
from .implementation import HelloError, Observed
from .planning import Choose, Chosen, attempt
from .scripts import Script, Step, record_of
from .trial import Trial
from .wire import Answer, Breach, Reply

__all__ = ["LiveTable"]

Json = dict[str, Any]


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


class LiveTable:
    """One game, played by the program and the reference together.

    Parameters
    ----------
    trial : Trial
        Whose program it is.
    game : Game
        The game.
    game_id : str
        Its id.
    choose : callable
        Decides what is played.
    wanted : Script, optional
        A game whose moves are made where they are possible; then nothing else is tried.
    tries : bool
        Whether illegal moves are tried.
    watch : callable, optional
        Called with each request and its answer.
    """

    def __init__(
        self,
        trial: Trial,
        game: Game,
        game_id: str,
        choose: Choose,
        wanted: Script | None = None,
        tries: bool = True,
        watch: Callable[[Json, Reply], None] | None = None,
    ) -> None:
        self.wanted, self.tries, self.watch = wanted, tries, watch
        self.implementation, self.capabilities = trial.implementation, trial.capabilities
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
        """Play until the end, the first difference, or so many steps."""
        try:
            return self._play(plies)
        except HelloError as error:
            self.observed = Observed(at=-1, differences=[
                Difference("core.answers", f"the program does not start again: {error.message}",
                           "an answer to hello", None)])
            return self.observed

    def as_in(self, script: Script) -> bool:
        """Whether this was a whole game, and the same one."""
        return record_of(self.script)[1:] == record_of(script)[1:] and (
            list(self.script.chance) == list(script.chance)
        )

    def _play(self, plies: int) -> Observed:
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
        if self.wanted is not None:
            tried = self._wanted_attempt(state)
        else:
            tried = attempt(state, choose) if self.tries and choose(6) == 5 else None
        if tried is not None:
            script.steps.append(tried)
            reply = self.ask("apply", apply_params(self.game_id, tried.move, None))
            self.compare(reply, len(script.steps) - 1)
            if self.observed.at is not None:
                return None
            assert isinstance(reply, Answer)
            self.observed.refusals[len(script.steps) - 1] = reply.result["illegal"]
            if self.wanted is not None:
                return state
        actions = state.legal_actions()
        action = self._wanted_move(state, actions) or actions[choose(len(actions))]
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

    def _wanted_step(self) -> Step | None:
        made = len(self.script.steps)
        steps = [] if self.wanted is None else self.wanted.steps
        return steps[made] if made < len(steps) else None

    def _wanted_attempt(self, state: State) -> Step | None:
        """Return the attempt that the other game makes here, if it breaks the same rules here."""
        step = self._wanted_step()
        if step is None or not step.refused:
            return None
        broken = tuple(state.broken(self.game.action_from_json(step.move)))
        return Step(step.move, step.chance, broken, None) if broken == step.broken else None

    def _wanted_move(self, state: State, actions: Sequence[Any]) -> Any:
        step = self._wanted_step()
        if step is None or step.refused:
            return None
        action = self.game.action_from_json(step.move)
        return action if action in actions else None

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
        """Send a request and return the answer."""
        request = {"method": method, "params": params}
        [reply] = self.implementation.exchange([request])
        if self.watch is not None:
            self.watch(request, reply)
        if isinstance(reply, Breach):
            self.observed.breach = reply
        return reply

    def compare(self, reply: Reply, index: int) -> None:
        """Compare an answer, unless something is wrong with its chance already."""
        if self.observed.at is not None:
            return
        step = self.script.steps[index] if index >= 0 else None
        expected = self.script.expected if step is None else step.expected
        differences = compare(reply, step, expected, self.capabilities)
        if differences:
            self.note(index, *differences)
            self.observed.actual = reply.result if isinstance(reply, Answer) else None

    def note(self, index: int, *differences: Difference) -> None:
        """Keep what differs, and end the game with that."""
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
