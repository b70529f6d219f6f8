"""Every expression of a game document, with the locals it uses, for tests of the two evaluators."""

from __future__ import annotations

import ast
import random
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from ludex.engine import Game
from ludex.engine.runtime import FAULTS
from ludex.engine.templates import function
from ludex.language.types import Type

Json = dict[str, Any]
#: What both evaluators give where a clause asks for what is not there.
FAULT = "a fault"


@dataclass(frozen=True)
class Place:
    """An expression: where it stands, and the types of the locals that it uses."""

    clause: Mapping[str, Any]
    local: tuple[tuple[str, Type], ...]

    @property
    def text(self) -> str:
        return str(self.clause["expr"])


def clauses(game: Game) -> list[Place]:
    """Return every expression of a document, each text with the same locals once."""
    found: dict[Any, Place] = {}
    for clause in _clauses({k: v for k, v in game.document.items() if k != "text"}):
        local = tuple(sorted(free(clause["tree"], game).items()))
        found.setdefault((clause["expr"], local), Place(clause, local))
    return list(found.values())


def _clauses(value: Any) -> Iterator[Json]:
    if isinstance(value, dict):
        if "expr" in value and "tree" in value:
            yield value
            return
        value = list(value.values())
    if isinstance(value, list):
        for item in value:
            yield from _clauses(item)


def free(tree: Any, game: Game, bound: frozenset[str] = frozenset()) -> dict[str, Type]:
    """Return the locals that a tree takes from around it, with their types."""
    if isinstance(tree, list):
        parts = [free(item, game, bound) for item in tree]
    elif isinstance(tree, dict):
        if tree.get("get") == "local":
            return {} if tree["name"] in bound else {tree["name"]: game.codec.type(tree["type"])}
        inner = bound | {tree["as"]} if "macro" in tree else bound
        parts = [free(v, game, inner if k == "body" else bound) for k, v in tree.items()]
    else:
        parts = []
    return {name: type_ for part in parts for name, type_ in part.items()}


def value_of(type_: Type, game: Game, source: random.Random) -> Any:
    """Return some value of a type, as the engine has it."""
    head = type_.head
    if head == "int":
        return source.choice([-1, 0, 0, 1, 1, 2, 3, 5])
    if head == "bool":
        return source.random() < 0.5
    if head == "player":
        return source.randrange(game.players)
    if head == "kind":
        return source.randrange(len(game.codec.members[type_.name]))
    if head in ("optional", "slot"):
        return None if source.random() < 0.3 else value_of(type_.args[0], game, source)
    if head == "map":
        return [value_of(type_.args[1], game, source) for _ in game.codec.keys(type_.args[0])]
    if head == "record":
        return [value_of(t, game, source) for _, t in game.codec.fields(type_.name)]
    items = [value_of(type_.args[0], game, source) for _ in range(source.randrange(4))]
    return sorted(items) if head in ("bag", "deck") else items


def compiled(game: Game, place: Place) -> Callable[..., Any]:
    """Return the compiled expression: a function of a position and its locals."""
    space = game.program.namespace()
    node = game.program.expression(place.clause["tree"])
    names = [f"v_{name}" for name, _ in place.local]
    module = ast.Module([function("asked", ["S", *names], [ast.Return(node)])], [])
    exec(compile(ast.fix_missing_locations(module), "<test>", "exec"), space)
    found: Callable[..., Any] = space["asked"]
    return found


def answer(ask: Callable[[], Any]) -> Any:
    try:
        return plain(ask())
    except FAULTS:
        return FAULT


def plain(value: Any) -> Any:
    """Return lists in the place of whatever is gone through."""
    return [plain(v) for v in value] if isinstance(value, list | tuple | range) else value
