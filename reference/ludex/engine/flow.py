"""What a clause reads, what a block writes, and where it surely goes.

Facts about a game document that the compiler uses to leave out work; they never change what a
game means.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

__all__ = ["has_known_places", "jumps_once", "nodes", "reads", "resolved", "writes"]

Json = Mapping[str, Any]


def nodes(value: Any) -> Iterator[Json]:
    """Yield every object inside a JSON value."""
    todo = [value]
    while todo:
        item = todo.pop()
        if isinstance(item, dict):
            yield item
            todo.extend(item.values())
        elif isinstance(item, list):
            todo.extend(item)


def reads(document: Json, clauses: Sequence[Json]) -> set[str]:
    """Return the variables that expressions read, through the functions that they call."""
    functions = {f["name"]: f["is"] for f in document["functions"]}
    found: set[str] = set()
    called: set[str] = set()
    todo: list[Any] = list(clauses)
    while todo:
        for node in nodes(todo.pop()):
            if node.get("get") == "state":
                found.add(node["name"])
            elif "call" in node and node["call"] not in called:
                called.add(node["call"])
                todo.append(functions[node["call"]])
    return found


def writes(document: Json, block: Sequence[Json]) -> set[str]:
    """Return the variables that a block may write, through the effects that it calls."""
    effects = {e["name"]: e["do"] for e in document["effects"]}
    found: set[str] = set()
    called: set[str] = set()
    todo: list[Any] = [list(block)]
    while todo:
        for node in nodes(todo.pop()):
            for key in ("target", "from", "to", "zone", "into"):
                if isinstance(node.get(key), dict):
                    found |= reads(document, [node[key]])
            if "effect" in node and node["effect"] not in called:
                called.add(node["effect"])
                todo.append(effects[node["effect"]])
    return found


def jumps_once(block: Sequence[Json]) -> bool:
    """Return whether a block has exactly one goto: unconditional, and its last statement."""
    jumps = [node for node in nodes(list(block)) if node.get("statement") == "goto"]
    return len(jumps) == 1 and jumps[0] is block[-1] and "when" not in block[-1]


def has_known_places(document: Json) -> bool:
    """Return whether some clause puts a card on top of a deck, or under it."""
    return any(
        node.get("statement") in ("move", "draw")
        and node["to"]["tree"]["type"].startswith("deck(")
        and node.get("at") in ("top", "bottom")
        for node in nodes([document[k] for k in ("setup", "steps", "moves", "effects")])
    )


def resolved(visibility: Any, rulings: Mapping[str, str]) -> str:
    """Return who sees something: a word, or what the chosen reading of a ruling says."""
    if isinstance(visibility, str):
        return visibility
    found: str = visibility["cases"][rulings[visibility["ruling"]]]
    return found
