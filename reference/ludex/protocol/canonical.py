"""Canonical bytes, digests, and strict reading of JSON.

Equal values must have equal bytes whoever writes them, or digests and comparisons mean nothing.
The bytes are those of RFC 8785 for JSON whose numbers are exact integers; see
``docs/canonical-form.md``. Reading refuses what would make a value ambiguous: repeated keys,
``NaN``, fractions, integers that other languages round.
"""

from __future__ import annotations

import hashlib
import json
import re
from json.encoder import encode_basestring
from typing import Any

from ludex.errors import LudexError, Place

__all__ = [
    "MAX_BYTES",
    "MAX_DEPTH",
    "MAX_INT",
    "JsonError",
    "canonical_bytes",
    "check_depth",
    "digest",
    "loads_strict",
]

MAX_INT = 2**53 - 1
"""The largest integer that a double, and so every JSON library, holds exactly."""

MAX_DEPTH = 128
"""How many arrays and objects may stand inside one another."""

MAX_BYTES = 64 * 1024 * 1024
"""The longest text that is read."""


class JsonError(LudexError):
    """A text or value is outside the JSON that Ludex uses.

    The codes are ``json.syntax``, ``json.utf-8``, ``json.size``, ``json.depth``,
    ``json.duplicate-key``, ``json.number``, ``json.surrogate`` and ``json.type``.
    """

    code = "json"


def canonical_bytes(value: object) -> bytes:
    """Return the RFC 8785 bytes of a JSON value.

    Parameters
    ----------
    value : object
        None, bool, int, str, list or tuple of such values, or dict from str to such values.

    Returns
    -------
    bytes
        UTF-8 without white space; keys sorted by their UTF-16 code units.

    Raises
    ------
    JsonError
        For a float, an integer beyond `MAX_INT`, a key that is not a string, a lone surrogate, any
        other type, or nesting beyond `MAX_DEPTH`.
    """
    pieces: list[str] = []
    _write(value, pieces, 0)
    try:
        return "".join(pieces).encode("utf-8")
    except UnicodeEncodeError as error:
        found = error.object[error.start]
        raise JsonError(
            f"expected text that UTF-8 can write, found the lone surrogate U+{ord(found):04X}",
            code="json.surrogate",
        ) from None


def digest(value: object) -> str:
    """Return the SHA-256 of a value's canonical bytes as ``sha256:`` and 64 hex digits.

    Parameters
    ----------
    value : object
        As for `canonical_bytes`.

    Raises
    ------
    JsonError
        As for `canonical_bytes`.
    """
    return "sha256:" + hashlib.sha256(canonical_bytes(value)).hexdigest()


def _write(value: object, pieces: list[str], depth: int) -> None:
    """Append the canonical text of `value`; `depth` is how deep it stands."""
    if isinstance(value, str):
        pieces.append(encode_basestring(value))
    elif value is None:
        pieces.append("null")
    elif isinstance(value, bool):
        pieces.append("true" if value else "false")
    elif isinstance(value, int):
        if not -MAX_INT <= value <= MAX_INT:
            raise _out_of_range("a larger one")
        pieces.append(int.__repr__(value))
    elif isinstance(value, (dict, list, tuple)):
        if depth >= MAX_DEPTH:
            raise JsonError(
                f"expected at most {MAX_DEPTH} levels of nesting, found more", code="json.depth"
            )
        if isinstance(value, dict):
            _write_object(value, pieces, depth)
        else:
            separator = "["
            for item in value:
                pieces.append(separator)
                _write(item, pieces, depth + 1)
                separator = ","
            pieces.append("]" if separator == "," else "[]")
    elif isinstance(value, float):
        raise JsonError(
            f"expected an exact integer, found the float {value!r}",
            code="json.number",
            hint="count in a smaller unit",
        )
    else:
        raise JsonError(f"expected a JSON value, found {type(value).__name__}", code="json.type")


def _write_object(value: dict[Any, Any], pieces: list[str], depth: int) -> None:
    for key in value:
        if not isinstance(key, str):
            raise JsonError(
                f"expected a string as key, found {type(key).__name__}", code="json.type"
            )
    separator = "{"
    for key in sorted(value) if all(map(str.isascii, value)) else sorted(value, key=_utf16):
        pieces.append(separator)
        pieces.append(encode_basestring(key))
        pieces.append(":")
        _write(value[key], pieces, depth + 1)
        separator = ","
    pieces.append("}" if separator == "," else "{}")


def _utf16(key: str) -> bytes:
    # Code-point order and UTF-16 order differ: U+1F600 is D83D DE00 there, before U+FB33.
    return key.encode("utf-16-be", "surrogatepass")


def loads_strict(
    data: bytes | str,
    *,
    file: str = "<json>",
    max_depth: int = MAX_DEPTH,
    max_bytes: int = MAX_BYTES,
) -> Any:
    """Read one JSON text, and refuse what has no single meaning.

    Parameters
    ----------
    data : bytes or str
        The text; bytes are UTF-8 without a byte order mark.
    file : str
        What to call the text in an error.
    max_depth : int
        How many arrays and objects may stand inside one another; at most `MAX_DEPTH` makes sense.
    max_bytes : int
        The longest text accepted, in bytes (of a str: in characters).

    Returns
    -------
    object
        None, bool, int, str, list or dict.

    Raises
    ------
    JsonError
        With the place, where it is known.
    """
    if len(data) > max_bytes:
        raise JsonError(
            f"expected at most {max_bytes} bytes, found {len(data)}",
            code="json.size",
            place=Place(file),
        )
    text = _decode(data, file) if isinstance(data, bytes) else data
    check_depth(text, max_depth, file=file)
    reader = _Reader(file)
    try:
        value = json.loads(
            text,
            object_pairs_hook=reader.pairs,
            parse_int=reader.integer,
            parse_float=reader.fraction,
            parse_constant=reader.constant,
        )
    except json.JSONDecodeError as error:
        raise JsonError(
            f"expected JSON: {error.msg[:1].lower()}{error.msg[1:]}",
            code="json.syntax",
            place=Place(file, error.lineno, error.colno),
        ) from None
    if _SURROGATE.search(text):
        # Only such an escape can bring a surrogate in; a pair of them is one character by now.
        canonical_bytes(value)
    return value


_SURROGATE = re.compile(r"\\u[dD][89a-fA-F]|[\ud800-\udfff]")

# A string (its end may be missing, so that no text is scanned twice), or a bracket.
_TOKEN = re.compile(r'"[^"\\]*+(?:\\.[^"\\]*+)*+"?|[\[\]{}]', re.DOTALL)


def _decode(data: bytes, file: str) -> str:
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        start = data.rfind(b"\n", 0, error.start) + 1
        column = len(data[start : error.start].decode("utf-8")) + 1
        raise JsonError(
            f"expected UTF-8, found the byte 0x{data[error.start]:02X}",
            code="json.utf-8",
            place=Place(file, line, column),
        ) from None


def check_depth(text: str, limit: int, *, file: str = "<json>") -> None:
    """Refuse deep nesting before a recursive reader meets it.

    Parameters
    ----------
    text : str
        JSON, or what claims to be; nothing but its nesting is judged.
    limit : int
        How many arrays and objects may stand inside one another.
    file : str
        What to call the text in an error.

    Raises
    ------
    JsonError
        ``json.depth``, with the place of the first bracket too many.
    """
    if text.count("[") + text.count("{") <= limit:
        return
    depth = 0
    for token in _TOKEN.finditer(text):
        first = token[0][0]
        if first in "[{":
            depth += 1
            if depth > limit:
                raise JsonError(
                    f"expected at most {limit} levels of nesting, found more",
                    code="json.depth",
                    place=_place(text, token.start(), file),
                )
        elif first in "]}":
            depth -= 1


def _place(text: str, at: int, file: str) -> Place:
    return Place(file, text.count("\n", 0, at) + 1, at - text.rfind("\n", 0, at))


def _out_of_range(found: str) -> JsonError:
    return JsonError(
        f"expected an integer from -{MAX_INT} to {MAX_INT}, found {found}", code="json.number"
    )


class _Reader:
    """The hooks of the JSON reader; they know no place but the file."""

    def __init__(self, file: str) -> None:
        self.place = Place(file)

    def pairs(self, pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        value = dict(pairs)
        if len(value) < len(pairs):
            seen: set[str] = set()
            for key, _ in pairs:
                if key in seen:
                    raise JsonError(
                        f"expected each key once in an object, found {key[:80]!r} twice",
                        code="json.duplicate-key",
                        place=self.place,
                    )
                seen.add(key)
        return value

    def integer(self, digits: str) -> int:
        # Longer ones are refused unread: turning digits into an integer takes quadratic time.
        if len(digits) <= 17 and abs(number := int(digits)) <= MAX_INT:
            return number
        error = _out_of_range(digits if len(digits) <= 40 else f"one of {len(digits)} digits")
        error.place = self.place
        raise error

    def fraction(self, text: str) -> Any:
        raise JsonError(
            f"expected an exact integer, found {text[:40]}", code="json.number", place=self.place
        )

    def constant(self, name: str) -> Any:
        raise JsonError(f"expected a number, found {name}", code="json.number", place=self.place)
