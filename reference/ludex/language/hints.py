"""What a word of another language is called here, for those who write it out of habit."""

from __future__ import annotations

from collections.abc import Collection, Mapping

from ludex.errors import closest
from ludex.language.types import BOOL, INT, Type, list_of

__all__ = ["for_function", "for_name", "for_no_field", "for_type"]

_FUNCTIONS = {
    "len": "size(...)", "length": "size(...)", "isEmpty": "size(...) == 0",
    "empty": "size(...) == 0", "is_empty": "size(...) == 0",
    "contains": "x in list", "includes": "x in list", "has": "x in list",
    "indexOf": "range(size(list)).first(i, list[i] == x)",
    "any": "exists(x, ...)", "some": "exists(x, ...)", "every": "all(x, ...)",
    "find": "first(x, ...)", "where": "filter(x, ...)", "select": "map(x, ...)",
    "append": "the statement add:", "push": "the statement add:", "pop": "the statement remove:",
    "unique": "distinct(...)", "set": "distinct(...)", "last": "list[size(list) - 1]",
    "random": "the statements draw:, pick: and roll:", "not": "!", "reduce": "sum(x, ...)",
    "next": "next_player(p)",
}


def for_function(name: str, known: Collection[str]) -> str | None:
    """Return the likely fix for a function that there is not."""
    word = _FUNCTIONS.get(name)
    return f"that is {word} here" if word else closest(name, known)


def for_no_field(field: str) -> str | None:
    """Return the likely fix for a field of what has none."""
    word = _FUNCTIONS.get(field)
    return f"that is {word} here" if word else None


def for_name(word: str, known: Collection[str], kinds: Mapping[str, Collection[str]]) -> str | None:
    """Return the likely fix for a name that there is not."""
    if any(word in members for members in kinds.values()):
        return f"a member stands in quotes: '{word}'"
    return closest(word, known)


def for_type(wanted: Type, found: Type) -> str | None:
    """Return the likely fix for an expression of another type."""
    if wanted == list_of(found):
        return "put it in brackets, [...], for a list of one"
    if found.head in ("optional", "slot") and found.args[0] == wanted:
        return "it may be null: say what holds then, with .or(...)"
    if wanted == BOOL and found == INT:
        return "compare it with a number"
    return None
