"""Whether a declared symmetry holds: renamed positions have the renamed moves, and so on."""

from __future__ import annotations

from typing import Any

from ludex.engine import Game, State, Tape
from ludex.engine.symmetry import Renaming, renaming
from ludex.protocol.canonical import canonical_bytes

Json = dict[str, Any]


def renamings(game: Game) -> dict[str, Renaming]:
    """Return the declared symmetries of a game in which nothing is left to choose."""
    return {s["id"]: made(game, s) for s in game.document["symmetries"]}


def made(game: Game, symmetry: Json) -> Renaming:
    def nothing_to_choose(n: int) -> int:
        raise AssertionError(f"one of {n}")

    return renaming(game.document, game.codec, symmetry, nothing_to_choose)


def image(state: State, by: Renaming) -> State:
    found = state.to_json()
    return state.game.state_from_json({"step": found["step"], "state": by.state(found["state"])})


def params(game: Game, move: str) -> dict[str, Any]:
    """Return the parameters of a move with their types."""
    (found,) = (m for m in game.document["moves"] if m["name"] == move)
    return {p["name"]: game.codec.type(p["type"]) for p in found["params"]}


def difference(state: State, by: Renaming) -> str | None:
    """Return what tells a renamed position from the position, or None."""
    game, twin = state.game, image(state, by)
    moves = state.legal_json()
    renamed = [by.move(m, params(game, m["move"])) for m in moves]
    if sorted(map(canonical_bytes, renamed)) != sorted(map(canonical_bytes, twin.legal_json())):
        return f"other moves are legal: {twin.legal_json()}, expected {renamed}"
    if twin.outcome() != by.ending(state.outcome()):
        return f"the game ends with {twin.outcome()}, expected {by.ending(state.outcome())}"
    if [by.players[p] for p in state.actors()] != twin.actors():
        return f"{twin.actors()} may act"
    for move, other in zip(moves, renamed, strict=True):
        after = state.child(game.action_from_json(move), Tape([]))
        found = twin.child(game.action_from_json(other), Tape([]))
        if found != image(after, by):
            return f"after {other}: {found.to_json()}"
    return None
