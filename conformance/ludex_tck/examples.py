"""Worked examples as scripts: those that begin with the setup, which any program can be sent."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from ludex.authoring.folder import STANDARD_SET
from ludex.engine import State, Tape
from ludex.protocol.messages import position

from .games import Games
from .implementation import Support
from .scripts import Script, Step

__all__ = ["example_scripts"]

Json = dict[str, Any]


def example_scripts(games: Games, support: Support) -> Iterator[Script]:
    """Yield the worked examples that begin at the start, which any program can be sent."""
    document = games.document
    for example in document["text"]["examples"]:
        if "setup" not in example or example["players"] not in support.players:
            continue
        # an example that names no set is about the standard one
        if example.get("components", STANDARD_SET) != document["components"]["set"]:
            continue
        game = games.get(example["players"], example.get("rulings"), example.get("options"))
        if any(v not in support.rulings[k] for k, v in game.rulings.items()) or any(
            v not in support.options[k] for k, v in game.options.items()
        ):
            continue
        state = game.initial_state(Tape(example["setup"]))
        script = Script(game, example["setup"], position(state))
        for step in example["steps"]:
            made = _example_step(state, step)
            if made is not None:
                script.steps.append(made)
        yield script


def _example_step(state: State, step: Mapping[str, Any]) -> Step | None:
    ((kind, value),) = step.items()
    if kind not in ("play", "refuse"):
        return None
    move = {k: value[k] for k in ("actor", "move", "args")}
    if kind == "refuse":
        return Step(move, [], tuple(state.broken(state.game.action_from_json(move))), None)
    chance: Sequence[Json] = value.get("chance", [])
    state.play(move, chance)
    return Step(move, chance, (), position(state))
