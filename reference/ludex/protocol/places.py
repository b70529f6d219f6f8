"""Where a value stands in a JSON text: for errors about a file that a person may have typed."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence

from ludex.errors import Place

__all__ = ["Path", "place_in"]

#: Keys and indexes from the root of a text to a value.
Path = Sequence[str | int]

_SPACE = re.compile(r"[ \t\r\n]*")
_DECODER = json.JSONDecoder()


def place_in(text: str, path: Path, file: str, line: int = 1, *, key: bool = False) -> Place:
    """Return where a value stands; if it is not there, where the value around it stands.

    Parameters
    ----------
    text : str
        JSON that has been read without an error.
    path : sequence of str or int
        From the root to the value.
    file : str
        What to call the text.
    line : int
        The number of the text's first line.
    key : bool
        Whether the place of the value's key is wanted.
    """
    at = _skip(text, 0)
    for depth, part in enumerate(path):
        found = _inside(text, at, part)
        if found is None:
            break
        at = found[0] if key and depth == len(path) - 1 else found[1]
    start = text.rfind("\n", 0, at) + 1
    return Place(file, line + text.count("\n", 0, at), at - start + 1)


def _skip(text: str, at: int) -> int:
    match = _SPACE.match(text, at)
    assert match is not None  # it matches nothing, too
    return match.end()


def _inside(text: str, at: int, part: str | int) -> tuple[int, int] | None:
    """Return where the key and the value of one part begin, or None if it is not there."""
    opening = text[at]
    if opening not in "[{":
        return None
    at = _skip(text, at + 1)
    index = 0
    while text[at] not in "]}":
        key_at = at
        name: str | int = index
        if opening == "{":
            name, at = _DECODER.raw_decode(text, at)
            at = _skip(text, _skip(text, at) + 1)
        if name == part:
            return key_at, at
        _, at = _DECODER.raw_decode(text, at)
        at = _skip(text, at)
        if text[at] == ",":
            at = _skip(text, at + 1)
        index += 1
    return None
