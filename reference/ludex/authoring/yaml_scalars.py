"""What an unquoted YAML scalar means: YAML 1.2 core schema, less everything that surprises.

Text that some YAML reader takes for something else (``no``, ``012``, ``1:30``, ``2014-01-01``)
is neither guessed nor passed on: the author is asked to quote it.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

__all__ = ["LARGEST", "Complaint", "resolve"]

#: Integers beyond this lose digits in JSON readers that keep numbers as doubles.
LARGEST = 2**53 - 1

_INT = re.compile(r"0|-?[1-9][0-9]*")
_FLOAT = re.compile(
    r"[-+]?(?:[0-9]+\.[0-9]*|\.[0-9]+)(?:[eE][-+]?[0-9]+)?"
    r"|[-+]?[0-9]+[eE][-+]?[0-9]+"
    r"|[-+]?\.(?:inf|Inf|INF)|\.(?:nan|NaN|NAN)"
)
_NUMBER_LIKE = re.compile(
    r"[-+]?0[xX][0-9a-fA-F_]+"
    r"|[-+]?0[oO][0-7_]+"
    r"|[-+]?0[bB][01_]+"
    r"|[-+]?[0-9][0-9_]*(?:\.[0-9_]*)?"
)
_CLOCK = re.compile(r"[-+]?[0-9][0-9_]*(?::[0-9]+)+(?:\.[0-9]*)?")
_DATE = re.compile(r"[0-9]{4}-[0-9]{1,2}-[0-9]{1,2}(?:[Tt ][-+:.0-9TtZz ]*)?")

_TRUE = frozenset({"yes", "on", "true"})
_FALSE = frozenset({"no", "off", "false"})


@dataclass(frozen=True)
class Complaint:
    """Why an unquoted scalar is refused.

    Attributes
    ----------
    code, message, hint : str
        For the ``SpecError``.
    """

    code: str
    message: str
    hint: str


def resolve(text: str) -> str | int | bool | Complaint | None:
    """Return the value of an unquoted scalar, or why it has none.

    Parameters
    ----------
    text : str
        As it stands in the file, lines already joined.
    """
    if text in ("", "~", "null"):
        return None
    if text == "true":
        return True
    if text == "false":
        return False
    first = text[0]
    if first.isdigit() or first in "-+.":
        return _number(text)
    # Only short words can be one of these; a long text is not lowered for nothing.
    return _word(text) if len(text) <= 5 else text


def _word(text: str) -> str | Complaint:
    lower = text.lower()
    if lower in _TRUE or lower in _FALSE:
        meant = "true" if lower in _TRUE else "false"
        return Complaint(
            "yaml.ambiguous",
            f"expected true, false or a quoted string, found the bare word {text}",
            f'write {meant}, or quote it if it is text: "{text}"',
        )
    if lower == "null":
        return Complaint(
            "yaml.ambiguous",
            f"expected null or a quoted string, found the bare word {text}",
            f'write null, or quote it if it is text: "{text}"',
        )
    return text


def _number(text: str) -> str | int | Complaint:
    shown = text if len(text) <= 40 else text[:37] + "..."
    quoted = f'quote it if it is text: "{shown}"'
    if _INT.fullmatch(text):
        # The length first: converting a million digits takes quadratic time.
        if len(text) > 17 or abs(int(text)) > LARGEST:
            return Complaint(
                "yaml.number",
                f"expected a whole number between -{LARGEST} and {LARGEST}, found {shown}",
                quoted,
            )
        return int(text)
    if _FLOAT.fullmatch(text):
        return Complaint(
            "yaml.float",
            f"expected a whole number, found {shown}",
            f"numbers are exact integers here; {quoted}",
        )
    if _NUMBER_LIKE.fullmatch(text):
        return Complaint(
            "yaml.ambiguous",
            f"expected a plain decimal number or a quoted string, found {shown}",
            f"write digits only, without sign +, prefix, underscore or leading zero, or {quoted}",
        )
    if _CLOCK.fullmatch(text):
        return Complaint(
            "yaml.ambiguous",
            f"expected a number or a quoted string, found {shown}, a time of day to some readers",
            quoted,
        )
    if _DATE.fullmatch(text):
        return Complaint(
            "yaml.ambiguous",
            f"expected a quoted string, found {shown}, a date to some readers",
            f'quote it: "{shown}"',
        )
    return text
