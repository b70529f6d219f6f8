"""Histories: a game with its record, and what each player has seen of it.

A player's *view of the record* is the record with what the player did not see taken out: an
outcome is seen by whoever sees where a component came from or where it went (or whom a roll or
pick is shown to), an argument by whomever its parameter is visible to. Not all that a player sees
is in the record: a card whose place in a deck was known is drawn without an outcome, a secret bid
comes out when the cups are lifted. So each entry of a view also says what became visible by it:
the variables that look different now, and who may act next.

The first observation together with the view of the record is the player's *information state*: two
histories with equal information states cannot be told apart. How a game ended is no part of it,
since nobody decides after that.
"""

from __future__ import annotations

import copy
from collections.abc import Mapping
from typing import Any

from ludex.engine.chance import ChanceSource, Outcome, Recorder
from ludex.engine.game import Game, State
from ludex.engine.program import Action

__all__ = ["Hidden", "History"]

Json = dict[str, Any]
#: What stands for something that a player has not seen.
Hidden: Json = {"hidden": True}


class History:
    """A game that is played, with everything that happened.

    Parameters
    ----------
    game : Game
        The game.
    chance : ChanceSource
        Decides the setup and every move.

    Attributes
    ----------
    state : State
        The last state.
    setup : list of dict
        Outcomes of the setup.
    moves : list of dict
        ``actor``, ``move``, ``args`` and ``chance`` of each move.
    """

    def __init__(self, game: Game, chance: ChanceSource) -> None:
        self.game = game
        self._chance = Recorder(chance)
        self.state: State = game.initial_state(self._chance)
        self.setup: list[Outcome] = list(self._chance.outcomes)
        self.moves: list[Json] = []
        actors = self.state.actors()
        self._views: list[list[Json]] = [
            [{"chance": self._seen(p), "actors": actors}] for p in range(game.players)
        ]
        self._first = [self.state.observation(p) for p in game.player_ids]
        self._last = list(self._first)

    def apply_action(self, action: Action) -> None:
        """Carry out a legal action."""
        self._chance.clear()
        viewers = self._viewers(action)
        self.state.apply_action(action, self._chance)
        move = self.game.action_to_json(action)
        self.moves.append({**move, "chance": list(self._chance.outcomes)})
        actors = self.state.actors()
        for player, view in enumerate(self._views):
            view.append(
                {
                    "actor": move["actor"],
                    "move": move["move"],
                    "args": {
                        k: v if player in viewers[k] or player == action[0] else Hidden
                        for k, v in move["args"].items()
                    },
                    "chance": self._seen(player),
                    "seen": self._changed(player),
                    "actors": actors,
                }
            )

    def child(self, action: Action, chance: ChanceSource) -> History:
        """Return the history after a legal action; this one stays as it is."""
        twin = copy.copy(self)
        twin._chance = Recorder(chance)
        twin.state = self.state.clone()
        twin.moves = list(self.moves)
        twin._views = [list(view) for view in self._views]
        twin._last = list(self._last)
        twin.apply_action(action)
        return twin

    def _changed(self, player: int) -> Json:
        """Return the variables that look different to a player since the last move."""
        before = self._last[player]
        now = self.state.observation(self.game.player_ids[player])
        self._last[player] = now
        return {name: value for name, value in now.items() if value != before[name]}

    def _seen(self, player: int) -> list[Json]:
        """Return the outcomes of the last move as a player sees them."""
        result = []
        for outcome, (site, keys) in zip(self._chance.outcomes, self._chance.asked, strict=True):
            shown = dict(outcome)
            if not site.sees(player, keys):
                shown[site.kind] = Hidden
            result.append(shown)
        return result

    def _viewers(self, action: Action) -> dict[str, set[int]]:
        """Return who sees each argument of an action."""
        everyone = set(range(self.game.players))
        result = {}
        move = self.game.document["moves"][action[1]]
        for index, param in enumerate(move["params"]):
            visible: Any = param["visible_to"]
            if isinstance(visible, Mapping):
                result[param["name"]] = {self.game.program.viewer(
                    action[1], index, self.state.position, action
                )}
            else:
                result[param["name"]] = everyone if visible == "everyone" else set()
        return result

    def view(self, player: str) -> list[Json]:
        """Return the record as a player saw it; the first entry is the setup."""
        return list(self._views[self.game.codec.player_index[player]])

    def information_state(self, player: str) -> Json:
        """Return what a player knows: the first observation and the view of the record."""
        index = self.game.codec.player_index[player]
        return {"first": self._first[index], "view": list(self._views[index])}
