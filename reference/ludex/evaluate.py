"""Expressions over a position: compiled from text, from a game document alone.

Examples, the terminal and arbiters ask things of a position that no clause asks.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

from ludex.engine import Game, State
from ludex.engine.budget import SURE
from ludex.engine.codec import Codec
from ludex.engine.explain import Explainer
from ludex.engine.templates import function
from ludex.errors import SpecError
from ludex.language.checker import ExpressionError, Names, Scope, check_expression, plain
from ludex.language.types import BOOL, Type

__all__ = ["compile_question", "names_of", "question_tree"]


def names_of(document: Mapping[str, Any]) -> Names:
    """Return what expressions over a game may name.

    Parameters
    ----------
    document : dict
        The game document.
    """
    codec = Codec(document, document["players"][-1])
    kinds = {k: d["members"] for k, d in document["kinds"].items()}
    return Names(
        kinds=kinds,
        columns={
            k: {c: codec.type(v["type"]) for c, v in d["columns"].items()}
            for k, d in document["kinds"].items()
        },
        records={r: dict(codec.fields(r)) for r in document["records"]},
        state={v["name"]: codec.type(v["type"]) for v in document["state"]},
        constants={c["name"]: codec.type(c["type"]) for c in document["constants"]},
        functions={
            f["name"]: ({p["name"]: codec.type(p["type"]) for p in f["params"]},
                        codec.type(f["type"]))
            for f in document["functions"]
        },
        rulings={k: v["values"] for k, v in document["rulings"].items()},
        options={k: codec.type(o["type"]) for k, o in document["options"].items()},
        players=document["players"][0],
    )


def question_tree(game: Game, text: str, wanted: Type | None = BOOL) -> dict[str, Any]:
    """Return the typed tree of an expression over a position.

    Parameters
    ----------
    game : Game
        The game.
    text : str
        The expression.
    wanted : Type or None
        What it must be; anything if None.

    Raises
    ------
    ExpressionError
        If it is no expression of this game.
    """
    names = replace(names_of(game.document), players=game.players)
    tree: dict[str, Any] = plain(check_expression(text, Scope(names), wanted))
    return tree


def compile_question(
    game: Game, text: str, wanted: Type | None = BOOL
) -> Callable[[State], Any]:
    """Return a function from a state to the value of an expression.

    Parameters
    ----------
    game : Game
        The game.
    text : str
        The expression.
    wanted : Type or None
        What it must be; anything if None.

    Raises
    ------
    SpecError
        If it is no expression of this game.
    """
    try:
        tree = question_tree(game, text, wanted)
    except ExpressionError as error:
        raise SpecError(f"{text!r}, character {error.offset + 1}: {error.message}",
                        code=error.code, hint=error.hint) from None
    type_ = game.codec.type(tree["type"])
    if game.program.costs.bound(tree) > SURE:
        # what is not surely short is evaluated step by step, and stopped if it takes too long
        explainer = Explainer(game.program)

        def explained(state: State) -> Any:
            value = explainer.value(tree, state.position, {})
            return game.codec.decode(list(value) if isinstance(value, range) else value, type_)

        return explained
    space = game.program.namespace()
    try:
        node = game.program.expression(tree)
        module = ast.Module([function("question", ["S"], [ast.Return(node)])], [])
        exec(compile(ast.fix_missing_locations(module), "<question>", "exec"), space)
    except RecursionError:
        raise SpecError(f"{text[:40]!r}... nests too deep", code="engine.depth") from None

    def answer(state: State) -> Any:
        value = space["question"](state.position)
        return game.codec.decode(list(value) if isinstance(value, range) else value, type_)

    return answer
