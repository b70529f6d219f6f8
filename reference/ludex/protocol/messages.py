"""What the reference says in the move protocol: positions, requests, headers of records."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from ludex.engine import Game, State
from ludex.engine.chance import Outcome

__all__ = [
    "CAPABILITIES",
    "PROTOCOL",
    "apply_params",
    "new_game_params",
    "position",
    "request",
]

Json = dict[str, Any]
PROTOCOL = 1
#: Capabilities that add a field to a position.
CAPABILITIES = ("legal", "state", "observations")


def position(state: State, capabilities: Sequence[str] = CAPABILITIES) -> Json:
    """Return a position as an implementation answers it.

    Parameters
    ----------
    state : State
        The state.
    capabilities : sequence of str
        Which optional fields to give.
    """
    result: Json = {"actors": state.actors(), "outcome": state.outcome()}
    if "legal" in capabilities:
        result["legal"] = state.legal_json()
    if "state" in capabilities:
        result["state"] = state.table()
    if "observations" in capabilities:
        result["observations"] = {p: state.observation(p) for p in state.game.player_ids}
    return result


def new_game_params(game: Game, game_id: str, chance: Sequence[Outcome] | None) -> Json:
    """Return the parameters of ``new_game``; options and rulings are complete."""
    document = game.document
    return {
        "game_id": game_id,
        "game": game.name,
        "edition": document["edition"],
        "components": {
            "id": document["components"]["set"],
            "digest": document["components"]["digest"],
        },
        "players": game.players,
        "options": dict(game.options),
        "rulings": dict(game.rulings),
        "chance": chance,
    }


def apply_params(game_id: str, move: Mapping[str, Any], chance: Sequence[Outcome] | None) -> Json:
    """Return the parameters of ``apply``."""
    return {"game_id": game_id, "move": dict(move), "chance": chance}


def request(number: int, method: str, params: Json) -> Json:
    """Return a whole request."""
    return {"jsonrpc": "2.0", "id": number, "method": method, "params": params}
