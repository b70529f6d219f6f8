"""What a game document means, without where and in what words: what the rules digest is over.

Prose and places stand under fixed keys. But a game gives names of its own, and a column may well be
called ``note``: where names are keys, none is left out, and data are taken whole.
"""

from __future__ import annotations

from typing import Any

__all__ = ["meaning"]

#: Keys that say where or in what words, not what.
_WORDS = frozenset({"place", "expr", "span", "note", "title", "otherwise"})
#: Keys of objects whose own keys are names of the game.
_NAMES = frozenset({"kinds", "columns", "rulings", "options", "records", "fields", "cases"})
#: Keys of data: members by id, maps by key.
_DATA = frozenset({"init", "values", "relabel"})


def meaning(value: Any) -> Any:
    """Return a document, or a part of it, without places and words."""
    if isinstance(value, list):
        return [meaning(v) for v in value]
    if not isinstance(value, dict):
        return value
    found = {}
    for key, part in value.items():
        if key in _DATA or (key == "value" and "type" in value):
            # the value of a constant; what a statement sets is an expression, and has no type
            found[key] = part
        elif key in _NAMES and isinstance(part, dict):
            found[key] = {name: meaning(v) for name, v in part.items()}
        elif key not in _WORDS:
            found[key] = meaning(part)
    return found
