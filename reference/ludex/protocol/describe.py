"""Everything that somebody who writes an implementation must spell.

Certification compares no name that is not here.
"""

from __future__ import annotations

import json
import random
import re
from collections.abc import Iterator, Mapping
from typing import Any

from ludex.census import census
from ludex.engine import Game, Recorder, Seeded
from ludex.protocol.messages import apply_params, new_game_params, position, request

__all__ = ["chance_forms", "describe", "sample_game"]

Json = dict[str, Any]


def describe(game: Game, *, sample: bool = True) -> Json:
    """Return the alphabet of a game as JSON.

    Parameters
    ----------
    game : Game
        With the number of players and the rulings in question.
    sample : bool
        Whether to add one complete game as request and response lines.
    """
    document = game.document
    start = game.initial_state(Seeded(1))
    result: Json = {
        "game": game.name,
        "title": document["title"],
        "edition": document["edition"],
        "components": {
            "id": document["components"]["set"],
            "digest": document["components"]["digest"],
            "counts": census(start),
        },
        "players": {"allowed": document["players"], "here": game.player_ids},
        "options": {k: dict(v) for k, v in document["options"].items()},
        "rulings": {
            k: {**v, "question": document["text"]["rulings"][k]["question"]}
            for k, v in document["rulings"].items()
        },
        "kinds": {
            kind: {
                "ids": d["members"],
                **(
                    {
                        "columns": {
                            c: dict(zip(d["members"], v["values"], strict=True))
                            for c, v in d["columns"].items()
                        }
                    }
                    if d["columns"]
                    else {}
                ),
            }
            for kind, d in document["kinds"].items()
        },
        "state": {
            v["name"]: {
                "type": v["type"],
                "form": _form(v["type"]) + (f" ({v['note']})" if v.get("note") else ""),
                "visible_to": _visible(v["visible_to"]),
                "count_visible_to": _visible(v["count_visible_to"]),
            }
            for v in document["state"]
            if v["table"]
        },
        "moves": {
            m["name"]: {
                "title": m["title"],
                "args": {p["name"]: p["type"] for p in m["params"]},
                "chance": list(chance_forms(document, m["do"])),
            }
            for m in document["moves"]
        },
        "setup_chance": list(
            chance_forms(document, [*document["setup"], _goto(document["start"])])
        ),
        "outcome": {
            "winners": "the ids of all players who win; empty if nobody does",
            "returns": _returns(document),
        },
        "plies": game.plies,
        "rules_digest": document["rules_digest"],
        "text_digest": document["text_digest"],
    }
    if sample:
        result["sample_game"] = sample_game(game)
    return result


def sample_game(game: Game, seed: int = 1, plies: int | None = None) -> list[Json]:
    """Return a random game as ``{"request", "response"}`` objects.

    Parameters
    ----------
    game : Game
        The game.
    seed : int
        Of its moves and chance.
    plies : int, optional
        Stop after so many moves.
    """
    chance = Recorder(Seeded(f"sample {seed}"))
    choose = random.Random(f"moves {seed}").random
    state = game.initial_state(chance)
    number = 1
    lines: list[Json] = []

    def add(method: str, params: Json, result: Json) -> None:
        nonlocal number
        lines.append(
            {
                "request": request(number, method, params),
                "response": {"jsonrpc": "2.0", "id": number, "result": result},
            }
        )
        number += 1

    add("new_game", new_game_params(game, "g1", list(chance.outcomes)), position(state))
    while not state.is_terminal and (plies is None or number <= plies + 1):
        actions = state.legal_actions()
        action = actions[int(choose() * len(actions))]
        chance.outcomes.clear()
        state.apply_action(action, chance)
        move = game.action_to_json(action)
        add("apply", apply_params("g1", move, list(chance.outcomes)), position(state))
    add("end_game", {"game_id": "g1"}, {})
    return lines


def _goto(step: str) -> Json:
    return {"statement": "goto", "step": step}


def chance_forms(document: Mapping[str, Any], block: list[Json]) -> Iterator[str]:
    """Yield the outcomes that a block may use, with its effects and the steps behind it.

    Parameters
    ----------
    document : dict
        The game document.
    block : list of dict
        Statements.
    """
    steps = {s["name"]: s for s in document["steps"]}
    effects = {e["name"]: e for e in document["effects"]}
    seen: set[str] = set()
    visited: set[str] = set()
    given: set[str] = set()
    todo: list[tuple[list[Json], str]] = [(block, "")]
    while todo:
        statements, condition = todo.pop(0)
        for statement in statements:
            kind = statement["statement"]
            text = None
            if kind == "draw":
                member = _component(statement["from"]["tree"]["type"])
                text = json.dumps({
                    "draw": f"<{member}>",
                    "from": _zone(statement["from"]["tree"]),
                    "to": _zone(statement["to"]["tree"]),
                })
                if "count" in statement:
                    text += "  once for each component"
            elif kind == "pick":
                text = json.dumps({
                    "pick": f"<one of {statement['from']['expr']}>", "of": statement["as"]
                })
            elif kind == "roll":
                count = statement["count"]["expr"] if "count" in statement else "1"
                text = f'{{"roll": [...]}}  {count} dice of {statement["sides"]["expr"]} sides'
            if text is not None and text + condition not in given:
                given.add(text + condition)
                yield text + condition
            for key in ("then", "else", "do"):
                if isinstance(statement.get(key), list):
                    inner = condition
                    if kind == "if" and "rulings." in statement["if"]["expr"]:
                        word = "unless" if key == "else" else "only if"
                        inner += f"  {word} {statement['if']['expr']}"
                    todo.append((statement[key], inner))
            for case in statement.get("cases", ()):
                todo.append((case["do"], condition))
            if "when_empty" in statement:
                name = statement["when_empty"]["effect"]
                if name not in seen:
                    seen.add(name)
                    todo.append((effects[name]["do"], condition))
            if kind == "do" and statement["effect"] not in seen:
                seen.add(statement["effect"])
                todo.append((effects[statement["effect"]]["do"], condition))
            if kind == "goto" and statement["step"] not in visited:
                visited.add(statement["step"])
                step = steps[statement["step"]]
                # where nobody may act, the game goes on by itself
                behind = [_goto(step["none"])] if step.get("none") else []
                todo.append((step.get("do", behind), condition))


def _component(type_text: str) -> str:
    return re.sub(r"^\w+\((.*)\)$", r"\1", type_text)


def _zone(tree: Json) -> str:
    parts: list[str] = []
    while "get" not in tree:
        key = tree["key"] if "key" in tree else tree["args"][1]
        parts.append(f"<{key['type']}>")
        tree = tree["of"] if "of" in tree else tree["args"][0]
    return ".".join([tree["name"], *reversed(parts)])


_FORMS = {
    "deck": "a list of ids sorted by id: its contents, not its order",
    "bag": "a list of ids sorted by id",
    "stack": "a list of ids, top first",
    "slot": "an id, or null when empty",
    "list": "a list, in order",
    "optional": "the value, or null",
    "int": "an integer",
    "bool": "true or false",
    "player": "a player id",
}


def _form(type_text: str) -> str:
    match = re.match(r"map\((\w+), (.*)\)$", type_text)
    if match:
        return f"an object by {match.group(1)}: {_form(match.group(2))}"
    match = re.match(r"list\(stack\((\w+)\)\)$", type_text)
    if match:
        return "a list of stacks in order, each a list of ids, top first"
    return _FORMS.get(type_text.split("(")[0], f"an id of {type_text}")


def _visible(visibility: Any) -> str:
    if isinstance(visibility, str):
        return visibility
    cases = ", ".join(f"{k}: {v}" for k, v in visibility["cases"].items())
    return f"ruling {visibility['ruling']} ({cases})"


def _returns(document: Mapping[str, Any]) -> str | None:
    """Return the words of the rule that says what returns mean, or None without returns."""
    for end in document["end"]:
        if "returns" in end:
            rule = document["text"]["rules"][end["returns_rule"]]
            return f"per player: {rule['text']} (rule {end['returns_rule']})"
    return None
