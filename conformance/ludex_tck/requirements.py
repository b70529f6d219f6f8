"""Everything that a move breaks, each part looked at on its own.

The engine stops at the first parameter that is not possible. A near miss must break exactly one
thing, so here all parameters and all requirements are tested. One that cannot be evaluated, because
it only makes sense where another holds, counts as broken.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from ludex.engine import Game, State
from ludex.engine.program import Action
from ludex.engine.runtime import FAULTS, is_subset
from ludex.engine.templates import function

__all__ = ["Domain", "broken_parts", "domains"]

Json = dict[str, Any]
Test = Callable[..., Any]


@dataclass(frozen=True)
class Domain:
    """What an argument may be.

    Attributes
    ----------
    members : Test
        From a position, an actor and arguments to what it may be, or may hold.
    when : Test or None
        Likewise, to whether there is such an argument at all.
    size : pair of Test or None
        Of an argument that is a part of the members: how many at least and at most.
    counted : bool
        Whether the members cannot be listed: a deck is kept as counts.
    """

    members: Test
    when: Test | None = None
    size: tuple[Test, Test] | None = None
    counted: bool = False

    def fits(self, value: Any, about: tuple[Any, ...]) -> bool:
        """Return whether a value that is there is one of the members, or a part of them."""
        members = self.members(*about)
        if self.size is not None:
            low, high = (bound(*about) for bound in self.size)
            return bool(is_subset(value, members, low, high))
        return self.counted or not isinstance(members, list | range | tuple) or value in members


@dataclass(frozen=True)
class _Move:
    params: list[tuple[str, Domain]]
    requires: list[tuple[str, Test]]


def broken_parts(state: State, action: Action) -> list[str]:
    """Return the clauses of a move that an action breaks; whose turn it is does not count.

    An argument that is missing, or too many, counts twice: that is no near miss, but a fault in the
    move's own form, for which the protocol leaves several answers.

    Parameters
    ----------
    state : State
        The position.
    action : tuple
        Any player, any move, arguments of the right types.
    """
    result = []
    move = _moves(state.game)[action[1]]
    about = (state.position, action[0], *action[2:])
    for (clause, domain), value in zip(move.params, action[2:], strict=True):
        try:
            wanted = domain.when is None or bool(domain.when(*about))
            if wanted != (value is not None):
                result += [clause, clause]
            elif wanted and not domain.fits(value, about):
                result.append(clause)
        except FAULTS:
            result.append(clause)
    for clause, test in move.requires:
        try:
            holds = bool(test(*about))
        except FAULTS:
            holds = False
        if not holds:
            result.append(clause)
    return result


def domains(game: Game, move: int) -> list[Domain]:
    """Return what each argument of a move may be."""
    return [domain for _, domain in _moves(game)[move].params]


@lru_cache(maxsize=64)
def _moves(game: Game) -> list[_Move]:
    """Compile the parts of all moves."""
    return [_compiled(game, move) for move in game.document["moves"]]


def _compiled(game: Game, move: Json) -> _Move:
    names = ["S", "v_actor", *(f"v_{p['name']}" for p in move["params"])]
    where = f"moves.{move['name']}"
    trees = list(_trees(move))
    body: list[ast.stmt] = [
        function(f"test_{i}", names, [ast.Return(
            game.program.expression(tree["tree"]) if isinstance(tree, dict) else ast.Constant(tree)
        )])
        for i, tree in enumerate(trees)
    ]
    space = game.program.namespace()
    module = ast.fix_missing_locations(ast.Module(body, []))
    exec(compile(module, f"<{where}>", "exec"), space)
    made: Iterator[Test] = iter([space[f"test_{i}"] for i in range(len(trees))])
    params = []
    for param in move["params"]:
        members = next(made)
        when = next(made) if "when" in param else None
        size = (next(made), next(made)) if "subset" in param else None
        counted = param["in"]["tree"]["type"].startswith("deck")
        params.append((f"{where}.params.{param['name']}", Domain(members, when, size, counted)))
    return _Move(params, [(f"{where}.requires.{i}", test) for i, test in enumerate(made)])


def _trees(move: Json) -> Iterator[Any]:
    """Yield what is to be compiled, in the order in which `_compiled` takes it apart."""
    for param in move["params"]:
        yield param["in"]
        if "when" in param:
            yield param["when"]
        if "subset" in param:
            yield param["subset"]["min"] or 0
            yield param["subset"]["max"]
    for requirement in move["requires"]:
        yield requirement["that"]
