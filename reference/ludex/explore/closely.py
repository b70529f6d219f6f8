"""Looking closely at one position: what takes more than one look to see."""

from __future__ import annotations

import random
from collections import Counter
from typing import Any, Protocol

from ludex.engine import Game, Recorder, Seeded, State, Tape
from ludex.engine.program import Action
from ludex.engine.symmetry import Renaming, renaming
from ludex.errors import LudexError
from ludex.explore.redeal import redeal
from ludex.language.types import Type
from ludex.protocol.canonical import canonical_bytes

__all__ = ["Closely"]

Json = dict[str, Any]
#: So many positions that look the same to a player, and so many ways that chance can go, are
#: tried before two moves count as one.
REDEALS, BRANCHES = 200, 60


class Fault(Protocol):
    """Takes a check, a message, a place, and perhaps what shows it in this position."""

    def __call__(self, check: str, message: str, place: str = "", shown: str = "") -> None:
        """Note a fault."""



class Closely:
    """Checks that a position's legal moves, secrets and symmetries are in order.

    Parameters
    ----------
    game : Game
        The game.
    source : random.Random
        Chooses what is tried.
    counts : Counter
        Check to how often it was made; changed.
    fault : callable
        Takes what is wrong.
    """

    def __init__(
        self, game: Game, source: random.Random, counts: Counter[str], fault: Fault
    ) -> None:
        self.game = game
        self.random = source
        self.counts = counts
        self.fault = fault
        self.document = game.document
        #: the names of twins that were found
        self.found: list[list[str]] = []
        self.coincidences = [sorted(c["moves"]) for c in game.document.get("coincidences", ())]

    def look(self, state: State, actions: list[Action]) -> None:
        """Check one position that is not the end."""
        trail = list(self.game.program.trail)
        self.legal(state, actions)
        self.twins(state, actions)
        self.leaks(state, actions)
        for symmetry in self.document["symmetries"]:
            self.symmetry(state, actions, symmetry)
        # what was tried on the side is no part of the game
        self.game.program.trail[:] = trail

    def legal(self, state: State, actions: list[Action]) -> None:
        """Check that the list and the refusals agree."""
        self.counts["check.legal"] += 1
        if len(set(actions)) < len(actions):
            self.fault("check.legal", f"step {state.step} lists a move twice", "")
        for action in actions:
            broken = state.broken(action)
            if broken:
                move = self.document["moves"][action[1]]
                self.fault("check.legal", f"{move['name']} is listed, but refused: "
                           f"{broken[0].reason}", move["place"])

    def twins(self, state: State, actions: list[Action]) -> None:
        """Check that no two listed moves do the same, unless the game says that they may."""
        self.counts["check.twins"] += 1
        chance = Recorder(Seeded(self.random.getrandbits(64)))
        first = actions[self.random.randrange(len(actions))]
        child = state.child(first, chance)
        for other in actions:
            if other == first:
                continue
            try:
                same = state.child(other, Tape(chance.outcomes)) == child
            except LudexError:
                continue
            one, two = sorted((first, other), key=lambda a: a[1])
            names = [self.document["moves"][a[1]]["name"] for a in (one, two)]
            if not same or sorted(names) in (*self.coincidences, *self.found):
                continue
            if self.told(state, one, two):
                continue
            self.found.append(sorted(names))
            # of two calls of one move only the arguments say which is which
            self.fault("check.twins", f"{names[0]} and {names[1]} are one move in step "
                       f"{state.step}: they do the same, and nobody learns anything from which of "
                       "them is made", self.document["moves"][two[1]]["place"],
                       f"{self.said(one)}, or {self.said(two)}")

    def told(self, state: State, one: Action, two: Action) -> bool:
        """Return whether two actions that do the same here tell somebody something.

        They do if they differ in a position that looks the same to some player: who asks for a
        card that nobody has shows what the own hand holds.
        """
        if self.differ(state, one, two, BRANCHES):
            return True
        hiding = list(range(self.game.players))
        for _ in range(REDEALS):
            for player in tuple(hiding):
                other = redeal(state, player, self.random)
                if other is None:
                    hiding.remove(player)
                elif self.differ(other, one, two, 2):
                    return True
        return False

    def differ(self, state: State, one: Action, two: Action, branches: int) -> bool:
        """Return whether two actions differ in a position, in some way that chance can go."""
        try:
            broken = [bool(state.broken(a)) for a in (one, two)]
            if any(broken):
                return not all(broken)
            for _ in range(branches):
                seed = self.random.getrandbits(64)
                chances = [Recorder(Seeded(seed)), Recorder(Seeded(seed))]
                first, second = (state.child(a, c)
                                 for a, c in zip((one, two), chances, strict=True))
                if first != second or _seen(chances[0]) != _seen(chances[1]):
                    return True
                if not chances[0].outcomes:
                    break
        except LudexError:
            return True
        return False

    def said(self, action: Action) -> str:
        """Return an action in a few words."""
        move = self.game.action_to_json(action)
        args = "".join(f" {k}={v}" for k, v in move["args"].items())
        return f"{move['actor']} {move['move']}{args}"

    def leaks(self, state: State, actions: list[Action]) -> None:
        """Check that nothing told depends on what is hidden."""
        for player, name in enumerate(self.game.player_ids):
            other = redeal(state, player, self.random)
            if other is None:
                continue
            self.counts["check.leak"] += 1
            step = next(s for s in self.document["steps"] if s["name"] == state.step)
            if state.observation(name) != other.observation(name):
                self.fault("check.leak", "a view changes with what is hidden from that player", "")
            if state.actors() != other.actors():
                self.fault("check.leak", f"whom step {state.step} asks depends on what is hidden "
                           "from a player", step["place"])
                continue
            mine = {a for a in actions if a[0] == player}
            differs = mine ^ {a for a in other.legal_actions() if a[0] == player}
            for action in differs:
                move = self.document["moves"][action[1]]
                self.fault("check.leak", f"whether a player may {move['name']} depends on what "
                           "is hidden from that player", move["place"])

    def symmetry(self, state: State, actions: list[Action], symmetry: Json) -> None:
        """Check that a symmetry changes nothing."""
        self.counts["check.symmetry"] += 1
        try:
            how = renaming(self.document, self.game.codec, symmetry, self.random.randrange)
        except LudexError as error:
            self.fault("check.symmetry", f"{symmetry['id']}: {error.message}", symmetry["place"])
            return
        wanted = {self.key(how, a) for a in actions}
        image = self.image(how, state)
        found = {canonical_bytes(self.game.action_to_json(a)) for a in image.legal_actions()}
        if wanted != found:
            self.fault("check.symmetry", f"{symmetry['id']}: the legal moves of step {state.step} "
                       "are not those of the renamed position", symmetry["place"])
            return
        chance = Recorder(Seeded(self.random.getrandbits(64)))
        action = actions[self.random.randrange(len(actions))]
        child = state.child(action, chance)
        tape = [how.outcome(o) for o in chance.outcomes]
        move = how.move(self.game.action_to_json(action), self.params(action))
        try:
            image.play(move, tape)
        except LudexError as error:
            self.fault("check.symmetry", f"{symmetry['id']}: the renamed move fails: "
                       f"{error.message}", symmetry["place"])
            return
        if child.is_terminal:
            end = image.outcome() or {"winners": []}
            same = {**end, "winners": sorted(end["winners"])} == how.ending(child.outcome())
        else:
            same = image == self.image(how, child)
        if not same:
            move_clause = self.document["moves"][action[1]]
            self.fault("check.symmetry", f"{symmetry['id']}: {move_clause['name']} does not do "
                       "the same in the renamed position", symmetry["place"])

    def params(self, action: Action) -> dict[str, Type]:
        """Return the types of the arguments of an action."""
        return {p["name"]: self.game.codec.type(p["type"])
                for p in self.document["moves"][action[1]]["params"]}

    def key(self, how: Renaming, action: Action) -> bytes:
        """Return a renamed action as bytes."""
        return canonical_bytes(how.move(self.game.action_to_json(action), self.params(action)))

    def image(self, how: Renaming, state: State) -> State:
        """Return a renamed position."""
        value = state.to_json()
        return self.game.state_from_json({"step": value["step"],
                                          "state": how.state(value["state"])})


def _seen(chance: Recorder) -> list[Any]:
    """Return the outcomes, each with where it was asked for and of whom."""
    return [(outcome, id(site), keys)
            for outcome, (site, keys) in zip(chance.outcomes, chance.asked, strict=True)]
