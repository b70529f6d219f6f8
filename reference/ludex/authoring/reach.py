"""What the flow can reach: every step from the start, every move from a step."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from ludex.authoring.source import Cursor
from ludex.errors import SpecError

__all__ = ["check_reach"]

Json = Mapping[str, Any]


def check_reach(document: Json, game: Cursor, errors: list[SpecError]) -> None:
    """Report steps that no goto leads to, and moves and effects that nothing uses.

    Parameters
    ----------
    document : dict
        The game document.
    game : Cursor
        The root of the game file.
    errors : list of SpecError
        Errors are added.
    """
    steps = {s["name"]: s for s in document["steps"]}
    moves = {m["name"]: m for m in document["moves"]}
    reached: set[str] = set()
    todo = [document["start"]]
    made: set[str] = set()
    while todo:
        name = todo.pop()
        if name in reached or name not in steps:
            continue
        reached.add(name)
        step = steps[name]
        todo += list(_gotos(step.get("do", [])))
        if step.get("none"):
            todo.append(step["none"])
        for move in step.get("moves", ()):
            made.add(move)
            todo += list(_gotos(moves[move]["do"]) if move in moves else ())
    for name in steps:
        if name not in reached:
            at = game["flow"]["steps"][name]
            errors.append(at.error(f"no way leads to step {name}", "unreachable-step",
                                   "name it in a goto or in none:, or take it out",
                                   at=at.key_place))
    for name in moves:
        if name not in made:
            at = game["moves"][name]
            errors.append(at.error(f"no reachable step has the move {name}", "unused-move",
                                   "list it under moves: of a step, or take it out",
                                   at=at.key_place))
    called = {c for part in ("setup", "steps", "moves", "effects")
              for c in _calls(document[part])}
    for effect in document["effects"]:
        if effect["name"] not in called:
            at = game["effects"][effect["name"]]
            errors.append(at.error(f"nothing calls the effect {effect['name']}", "unused-effect",
                                   "call it with do:, or take it out", at=at.key_place))


def _nodes(value: Any) -> Iterator[Json]:
    todo = [value]
    while todo:
        item = todo.pop()
        if isinstance(item, dict):
            yield item
            todo.extend(item.values())
        elif isinstance(item, list):
            todo.extend(item)


def _gotos(block: Any) -> Iterator[str]:
    for node in _nodes(block):
        if node.get("statement") == "goto":
            yield node["step"]


def _calls(part: Any) -> Iterator[str]:
    for node in _nodes(part):
        if "effect" in node:
            yield node["effect"]
