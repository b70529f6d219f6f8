"""Worked examples, played: the positions and words of each step.

The reference plays every example while the page is made, so a drawing shows what really follows.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from ludex.engine import Game, State, Tape
from ludex.errors import LudexError
from ludex.examples import Games, run_example, state_of
from ludex.pages.source import Json

__all__ = ["Scene", "Story", "tell"]


@dataclass(frozen=True)
class Scene:
    """One step of an example.

    Attributes
    ----------
    kind : str
        ``start``, or the kind of the step: ``play``, ``refuse``, ``view`` ...
    value : object
        The step's data.
    table : dict or None
        The table after it, where it may have changed.
    before : dict or None
        The table before a move.
    reason : str
        Why a move is refused.
    """

    kind: str
    value: Any
    table: Json | None = None
    before: Json | None = None
    reason: str = ""


@dataclass(frozen=True)
class Story:
    """One example.

    Attributes
    ----------
    example : dict
        Its data.
    document : dict
        The game document with its component set.
    scenes : tuple of Scene
        What happens; none if the game must not start.
    problems : tuple of str
        What does not hold.
    """

    example: Json
    document: Json
    scenes: tuple[Scene, ...]
    problems: tuple[str, ...]


def tell(example: Json, games: Games) -> Story:
    """Play one example.

    Parameters
    ----------
    example : dict
        As in ``examples.yaml``.
    games : Games
        Compiles what it needs.
    """
    document = games.document(example.get("components", "standard"))
    problems = tuple(
        f"example {f.example}{'' if f.step is None else f', step {f.step + 1}'}: {f.message}"
        for f in run_example(example, games)
    )
    scenes: list[Scene] = []
    if "cannot_start" not in example:
        try:
            scenes.extend(_scenes(example, games.get(example)))
        except LudexError as error:
            # `run_example` has met it too; this keeps what could be told
            problems = problems or (f"example {example['id']}: {error.message}",)
    return Story(example, document, tuple(scenes), problems)


def _scenes(example: Json, game: Game) -> Iterator[Scene]:
    if "given" in example:
        state = state_of(game, example["given"])
    else:
        state = game.initial_state(Tape(example["setup"]))
    table = state.table()
    yield Scene("start", None, table)
    for step in example["steps"]:
        ((kind, value),) = step.items()
        if kind == "play":
            state.play({k: value[k] for k in ("actor", "move", "args")}, value.get("chance", []))
            after = state.table()
            yield Scene(kind, value, after, table)
            table = after
        elif kind == "refuse":
            yield Scene(kind, value, reason=_reason(state, value))
        else:
            yield Scene(kind, value)


def _reason(state: State, value: Json) -> str:
    move = {k: value[k] for k in ("actor", "move", "args")}
    broken = state.broken(state.game.action_from_json(move))
    return next((b.reason for b in broken if b.rule == value["rule"]), "")
