"""The rules that a move may be said to break where a step does not offer it.

The step forbids the move. A person who refuses it may as well quote what the move is about, what
has to be done now instead, or when the move would be possible: all these are right answers.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

__all__ = ["rules_about"]

Json = Mapping[str, Any]


def rules_about(document: Json, step: Json, move: Json) -> tuple[str, ...]:
    """Return the rules to quote beside that of the step, each once.

    Parameters
    ----------
    document : mapping
        The game document.
    step : mapping
        One of its decision steps.
    move : mapping
        One of its moves, which the step does not offer.
    """
    asked = [m for m in document["moves"] if m["name"] in step["moves"]]
    elsewhere = [s for s in document["steps"] if move["name"] in s.get("moves", ())]
    found = [*step.get("also", ())]
    for clause in (move, *asked):
        found += _rules(clause)
    for other in elsewhere:
        found += [other["rule"], *other.get("also", ())]
    return tuple(dict.fromkeys(found))


def _rules(clause: Any) -> Iterator[str]:
    """Yield the rules that a clause names, and those of what stands inside it."""
    if isinstance(clause, Mapping):
        if isinstance(clause.get("rule"), str):
            yield clause["rule"]
            yield from clause.get("also", ())
        for value in clause.values():
            yield from _rules(value)
    elif isinstance(clause, list):
        for value in clause:
            yield from _rules(value)
