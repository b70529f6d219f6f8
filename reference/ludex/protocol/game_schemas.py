"""JSON Schemas of one game: its moves, state and observations."""

from __future__ import annotations

from typing import Any

from ludex.engine import Game
from ludex.language.types import Type, holds_components

__all__ = ["game_schemas"]

Json = dict[str, Any]
_DRAFT = "https://json-schema.org/draft/2020-12/schema"


def game_schemas(game: Game) -> Json:
    """Return one schema with the definitions ``move``, ``state`` and ``observation``.

    Parameters
    ----------
    game : Game
        With the number of players in question.
    """
    document = game.document
    moves = [
        _object(
            {
                "actor": {"$ref": "#/$defs/player"},
                "move": {"const": m["name"]},
                "args": _object(
                    {p["name"]: _schema(game, game.codec.type(p["type"])) for p in m["params"]}
                ),
            },
            title=m["title"],
        )
        for m in document["moves"]
    ]
    table = {v["name"]: game.program.types[v["name"]] for v in document["state"] if v["table"]}
    return {
        "$schema": _DRAFT,
        "title": f"{document['title']}, {game.players} players",
        "$defs": {
            "player": {"enum": game.player_ids},
            **{
                kind: {"enum": d["members"]} for kind, d in document["kinds"].items()
            },
            "move": {"oneOf": moves},
            "state": _object({k: _schema(game, t) for k, t in table.items()}),
            "observation": _object({k: _seen(game, t) for k, t in table.items()}),
        },
    }


def _object(properties: Json, title: str | None = None) -> Json:
    result: Json = {
        "type": "object",
        "properties": properties,
        "required": list(properties),
        "additionalProperties": False,
    }
    return {"title": title, **result} if title else result


def _schema(game: Game, type_: Type) -> Json:
    head = type_.head
    if head == "int":
        return {"type": "integer"}
    if head == "bool":
        return {"type": "boolean"}
    if head == "player":
        return {"$ref": "#/$defs/player"}
    if head == "kind":
        return {"$ref": f"#/$defs/{type_.name}"}
    if head in ("optional", "slot"):
        return {"anyOf": [_schema(game, type_.args[0]), {"type": "null"}]}
    if head == "map":
        inner = _schema(game, type_.args[1])
        return _object(dict.fromkeys(game.codec.keys(type_.args[0]), inner))
    return {"type": "array", "items": _schema(game, type_.args[0])}


def _seen(game: Game, type_: Type) -> Json:
    if type_.head == "map":
        inner = _seen(game, type_.args[1])
        return _object(dict.fromkeys(game.codec.keys(type_.args[0]), inner))
    hidden: Json
    if holds_components(type_):
        hidden = _object({"count": {"type": ["integer", "null"], "minimum": 0}})
    else:
        hidden = _object({"hidden": {"const": True}})
    return {"anyOf": [_schema(game, type_), hidden]}
