"""Planning: from a sequence of choices to a script.

Whoever chooses (Hypothesis, a seed, a list) only ever answers "one of n". The reference turns the
answers into players, rulings, moves, outcomes and attempts, so every plan is a possible game.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Collection, Iterator, Sequence
from typing import Any

from ludex.engine import Game, Recorder, State, Tape
from ludex.engine.chance import Site
from ludex.engine.program import Action
from ludex.errors import LudexError
from ludex.protocol.messages import position

from .candidates import candidates
from .requirements import broken_parts
from .scripts import Script, Step

__all__ = ["Choose", "Chosen", "attempt", "near_misses", "plan"]

#: Returns an integer from 0 to n - 1.
Choose = Callable[[int], int]
#: Candidate attempts looked at in one position, shared among the moves; of more, some are taken.
MAX_CANDIDATES = 3000
#: A prime: no domain is that large.
_STRIDE = 1_000_003


class Chosen:
    """A chance source that asks `choose`: every possible outcome is one of n."""

    def __init__(self, choose: Choose) -> None:
        self.choose = choose

    def draw(self, items: Sequence[int], site: Site, keys: tuple[int, ...]) -> int:
        """Return a member that is there; rare ones as often as common ones."""
        possible = list(dict.fromkeys(items))
        return possible[self.choose(len(possible))]

    def pick(self, items: Sequence[int], site: Site, keys: tuple[int, ...]) -> int:
        """Return an element."""
        return items[self.choose(len(items))]

    def roll(self, count: int, sides: int, site: Site, keys: tuple[int, ...]) -> list[int]:
        """Return dice."""
        return [1 + self.choose(sides) for _ in range(count)]


def plan(game: Game, choose: Choose, *, plies: int, attempts: bool = True) -> Script:
    """Plan a game.

    Parameters
    ----------
    game : Game
        The game.
    choose : callable
        Decides everything.
    plies : int
        Moves to plan at most.
    attempts : bool
        Whether to put near misses in between.
    """
    chance = Recorder(Chosen(choose))
    state = game.initial_state(chance)
    script = Script(game, list(chance.outcomes), position(state))
    # swarm testing: half of the cases leave some of the moves out where others are possible
    favoured = None
    if choose(2):
        favoured = {i for i in range(len(game.program.moves)) if choose(2)}
    made = 0
    while not state.is_terminal and made < plies:
        # not at 0, towards which Hypothesis shrinks: attempts cost time and are left out first
        if attempts and choose(6) == 5:
            step = attempt(state, choose)
            if step is not None:
                script.steps.append(step)
        actions = state.legal_actions()
        preferred = [a for a in actions if favoured is None or a[1] in favoured] or actions
        action = preferred[choose(len(preferred))]
        chance.outcomes.clear()
        state.apply_action(action, chance)
        script.steps.append(
            Step(game.action_to_json(action), list(chance.outcomes), (), position(state))
        )
        made += 1
    return script


def near_misses(state: State, choose: Choose | None = None) -> dict[str, list[Action]]:
    """Return actions that break exactly one thing, by the clause that they break.

    They are made of whatever the types allow: any player, any move, any component.

    Parameters
    ----------
    state : State
        Not the end of the game.
    choose : callable, optional
        Where to begin, in moves with so many arguments that only some can be looked at.
    """
    game = state.game
    result: dict[str, list[Action]] = {}
    moves = game.document["moves"]
    actors = [game.player_ids.index(player) for player in state.actors()]
    names = next(s for s in game.document["steps"] if s["name"] == state.step)["moves"]
    offered = [i for i, move in enumerate(moves) if move["name"] in names]
    for index in range(len(moves)):
        values = candidates(state, index)
        if values is None:
            continue
        for actor, *args in _sampled([range(game.players), *values], MAX_CANDIDATES // len(moves),
                                     choose):
            action = (actor, index, *args)
            clause = _single(state, action, actors, offered)
            if clause is not None:
                result.setdefault(clause, []).append(action)
    return result


def _sampled(
    values: Sequence[Sequence[Any]], limit: int, choose: Choose | None
) -> Iterator[tuple[Any, ...]]:
    """Yield combinations of one value each: all of them, or `limit` that are spread evenly."""
    total = math.prod(map(len, values))
    if total <= limit:
        yield from itertools.product(*values)
        return
    start = choose(total) if choose else 0
    for number in range(limit):
        # a stride without a common factor meets no combination twice
        rest = (start + number * _STRIDE) % total
        found = []
        for options in reversed(values):
            rest, at = divmod(rest, len(options))
            found.append(options[at])
        yield tuple(reversed(found))


def _single(
    state: State, action: Action, actors: Collection[int], offered: Collection[int]
) -> str | None:
    """Return the clause that an action breaks, if it is exactly one.

    Most candidates break several, so what is cheap to see is looked at first.
    """
    other_player, other_move = action[0] not in actors, action[1] not in offered
    if other_player and other_move:
        return None
    parts = broken_parts(state, action)
    if other_player or other_move:
        # another player, or a move of another step: apart from that it must be in order
        return None if parts else f"steps.{state.step}.{'actors' if other_player else 'moves'}"
    if len(parts) > 1:
        return None
    broken = state.broken(action)
    if len(broken) != 1:
        return None
    clause = broken[0].clause
    return clause if parts in ([], [clause]) else None


def attempt(state: State, choose: Choose) -> Step | None:
    """Plan a move that must be refused."""
    misses = near_misses(state, choose)
    if not misses:
        return None
    clauses = sorted(misses)
    actions = misses[clauses[choose(len(clauses))]]
    action = actions[choose(len(actions))]
    tape, waived = _waived(state, action, choose)
    if waived is not None and _same_as_legal(state, tape, waived):
        return None
    return Step(
        state.game.action_to_json(action), tape, tuple(state.broken(action)), None
    )


def _waived(
    state: State, action: Action, choose: Choose
) -> tuple[list[dict[str, Any]], State | None]:
    """Return the tape and the state that would follow if the broken requirement were waived."""
    chance = Recorder(Chosen(choose))
    try:
        return chance.outcomes, state.child(action, chance)
    except LudexError:
        return [], None


def _same_as_legal(state: State, tape: list[dict[str, Any]], waived: State) -> bool:
    """Return whether a legal move has the same effect: then nobody could call it a fault."""
    for action in state.legal_actions():
        try:
            if state.child(action, Tape(tape)) == waived:
                return True
        except LudexError:
            continue
    return False
