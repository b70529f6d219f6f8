"""Everything that a move breaks, each part looked at on its own.

The engine stops at the first parameter that is not possible. A near miss must break exactly one
thing, so here all parameters and all requirements are tested. One that cannot be evaluated, because
it only makes sense where another holds, counts as broken.
"""

from __future__ import annotations

import ast
from collections.abc import Callable
from functools import lru_cache
from typing import Any

from ludex.engine import Game, State
from ludex.engine.program import Action
from ludex.engine.runtime import FAULTS
from ludex.engine.templates import function

__all__ = ["broken_parts"]

Test = Callable[..., Any]


def broken_parts(state: State, action: Action) -> list[str]:
    """Return the clauses of a move that an action breaks; whose turn it is does not count.

    Parameters
    ----------
    state : State
        The position.
    action : tuple
        Any player, any move, arguments of the right types.
    """
    result = []
    for clause, domain, test in _tests(state.game)[action[1]]:
        try:
            value = test(state.position, action[0], *action[2:])
        except FAULTS:
            result.append(clause)
            continue
        if domain is None:
            holds = bool(value)
        else:
            # a deck is kept as counts, not as a list of what is in it
            holds = not isinstance(value, list | range | tuple) or action[2 + domain] in value
        if not holds:
            result.append(clause)
    return result


@lru_cache(maxsize=64)
def _tests(game: Game) -> list[list[tuple[str, int | None, Test]]]:
    """Compile the parts of all moves: clause, index of the parameter if it is one, test."""
    return [_tests_of(game, move) for move in game.document["moves"]]


def _tests_of(game: Game, move: dict[str, Any]) -> list[tuple[str, int | None, Test]]:
    names = ["S", "v_actor", *(f"v_{p['name']}" for p in move["params"])]
    where = f"moves.{move['name']}"
    parts: list[tuple[str, int | None, Any]] = [
        (f"{where}.params.{p['name']}", index, p["in"]["tree"])
        for index, p in enumerate(move["params"])
        if not p["in"]["tree"]["type"].startswith("deck")
    ]
    parts += [
        (f"{where}.requires.{index}", None, r["that"]["tree"])
        for index, r in enumerate(move["requires"])
    ]
    space = game.program.namespace()
    body: list[ast.stmt] = [
        function(f"test_{i}", names, [ast.Return(game.program.expression(tree))])
        for i, (_, _, tree) in enumerate(parts)
    ]
    module = ast.fix_missing_locations(ast.Module(body, []))
    exec(compile(module, f"<{where}>", "exec"), space)
    return [(clause, index, space[f"test_{i}"]) for i, (clause, index, _) in enumerate(parts)]
