"""What one line between kit and implementation may be.

Everything here is pure: bytes in, values out. The `driver` moves the bytes. A line that breaks the
protocol becomes a `Breach`, whose kind says how:

======================  ===========================================================
``silence``             no complete answer within the time limit
``exit``                the process ended, or closed its output, with work to do
``flood``               a line is longer than the limit
``not-utf8``            a line is not UTF-8
``not-json``            a line is not JSON, or JSON that cannot be read exactly
``not-a-response``      JSON, but no response, or not the next id
``extra-answer``        a second answer to a request that has been answered
======================  ===========================================================
"""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal, NamedTuple, TypeAlias

import orjson

from ludex.protocol.canonical import JsonError, check_depth

__all__ = [
    "DEPTH",
    "Answer",
    "Breach",
    "BreachKind",
    "Id",
    "Limits",
    "Raw",
    "Reply",
    "RpcError",
    "Wrong",
    "encode",
    "judge",
    "printable",
    "suspicious",
]

BreachKind: TypeAlias = Literal[
    "silence", "exit", "flood", "not-utf8", "not-json", "not-a-response", "extra-answer"
]
Id: TypeAlias = int | str | None

DEPTH = 64
"""How many arrays and objects of a line may stand inside one another."""


@dataclass(frozen=True)
class Limits:
    """How long and how much an implementation may take.

    Attributes
    ----------
    start : float
        Seconds from the first request of a process to the first answer.
    reply : float
        Seconds from one answer to the next, while a request is unanswered.
    stop : float
        Seconds from the end of input, and again from SIGTERM, to the end of the process.
    line : int
        Longest line from the implementation, in bytes.
    total : int
        All answers to the requests that are sent together (those of a game), in bytes.
    window : int
        How many requests may stand unanswered.
    stderr : int
        How many bytes of standard error are kept.
    """

    start: float = 30.0
    reply: float = 10.0
    stop: float = 2.0
    line: int = 4 * 1024 * 1024
    total: int = 32 * 1024 * 1024
    window: int = 256
    stderr: int = 64 * 1024


class RpcError(NamedTuple):
    """The error of a response."""

    code: int
    message: str
    data: Any = None


class Answer(NamedTuple):
    """A response: `result`, or `error` and then `result` is None."""

    result: Any
    error: RpcError | None = None


@dataclass(frozen=True)
class Breach:
    """The implementation broke the protocol; its process has been ended.

    Attributes
    ----------
    kind : str
        One of the kinds that the module's table lists.
    message : str
        What was expected and what was found.
    line : bytes
        The line that broke it, as far as it was read, cut to 4096 bytes; empty if there was none.
    stderr : str
        The last lines of standard error, safe to print.
    status : int or None
        The exit status when the process ended by itself, minus the signal's number when a signal
        ended it, None when the kit ended it.
    wire : tuple of str
        The last lines of the conversation, oldest first: ``> `` from the kit, ``< `` to the kit.
    """

    kind: BreachKind
    message: str
    line: bytes = b""
    stderr: str = ""
    status: int | None = None
    wire: tuple[str, ...] = ()

    def __str__(self) -> str:
        return f"{self.kind}: {self.message}"


Reply: TypeAlias = Answer | Breach


@dataclass(frozen=True)
class Raw:
    """A line to send as it is, for tests of how faulty lines are met.

    Attributes
    ----------
    line : bytes
        Without the line feed.
    ids : tuple
        The ids that the response may have.
    """

    line: bytes
    ids: tuple[Id, ...] = (None,)

    def __post_init__(self) -> None:
        if b"\n" in self.line:
            raise ValueError("a raw line cannot hold a line feed")


class Wrong(NamedTuple):
    """What is wrong with a line."""

    kind: BreachKind
    message: str


def encode(number: int, request: dict[str, Any]) -> bytes:
    """Write one request as a line.

    Parameters
    ----------
    number : int
        The request's id.
    request : dict
        ``method`` and ``params``.

    Returns
    -------
    bytes
        With the line feed.
    """
    return orjson.dumps(
        {
            "jsonrpc": "2.0",
            "id": number,
            "method": request["method"],
            "params": request.get("params", {}),
        },
        option=orjson.OPT_APPEND_NEWLINE,
    )


def judge(line: bytes, ids: Sequence[Id], answered: int, *, careful: bool) -> Answer | Wrong:
    """Read one line of an implementation.

    Parameters
    ----------
    line : bytes
        Without the line feed.
    ids : sequence
        The ids that a response may have; empty if none is expected.
    answered : int
        The requests 1 to `answered` have had their answers.
    careful : bool
        Whether `suspicious` said so of the bytes that the line is from.

    Returns
    -------
    Answer or Wrong
    """
    try:
        value = orjson.loads(line)
    except orjson.JSONDecodeError as error:
        return _not_json(line, error)
    if careful and (wrong := _inexact(line)):
        return wrong
    if type(value) is not dict:
        return Wrong("not-a-response", f"expected a JSON object, found {_kind(value)}")
    found = value.get("id")
    # 1 == 1.0 == True in Python, but not on the wire.
    if (
        found not in ids
        or isinstance(found, (bool, float))
        or (found is None and "id" not in value)
    ):
        return _wrong_id(value, ids, answered)
    if value.get("jsonrpc") != "2.0":
        return Wrong("not-a-response", 'expected a JSON-RPC object with "jsonrpc": "2.0"')
    if "error" in value:
        return _error(value)
    if "result" not in value:
        return Wrong("not-a-response", "expected result or error, found neither")
    return Answer(value["result"])


def _error(value: dict[str, Any]) -> Answer | Wrong:
    error = value["error"]
    if "result" in value:
        return Wrong("not-a-response", "expected result or error, found both")
    if type(error) is not dict:
        return Wrong("not-a-response", f"expected an object as error, found {_kind(error)}")
    code, message = error.get("code"), error.get("message")
    if type(code) is not int or type(message) is not str:
        return Wrong("not-a-response", "expected an error with integer code and text message")
    return Answer(None, RpcError(code, message, error.get("data")))


def _wrong_id(value: dict[str, Any], ids: Sequence[Id], answered: int) -> Wrong:
    found = value.get("id")
    is_response = "result" in value or "error" in value
    if is_response and type(found) is int and 1 <= found <= answered:
        return Wrong("extra-answer", f"expected one answer to request {found}, found another one")
    wanted = " or ".join(json.dumps(i) for i in ids)
    expected = f"a response with id {wanted}" if ids else "no line, as no request is open"
    shown = json.dumps(found, default=str)[:80] if "id" in value else "none"
    return Wrong("not-a-response", f"expected {expected}, found id {shown}")


def _not_json(line: bytes, error: orjson.JSONDecodeError) -> Wrong:
    try:
        line.decode("utf-8")
    except UnicodeDecodeError as bad:
        return Wrong(
            "not-utf8", f"expected UTF-8, found 0x{line[bad.start]:02X} as byte {bad.start + 1}"
        )
    if not line.strip():
        return Wrong("not-json", "expected a JSON object, found an empty line")
    message = f"expected JSON: {error.msg} (character {error.pos + 1})"
    if not line.lstrip().startswith((b"{", b"[")):
        message += "; logs belong on standard error"
    return Wrong("not-json", message)


def _kind(value: object) -> str:
    names = {list: "an array", str: "a string", bool: "a truth value", type(None): "null"}
    return names.get(type(value), "a number")


# ---- what the fast reader lets through ----------------------------------------------------------
#
# orjson rounds integers beyond 64 bits and allows 1024 levels of nesting. Both are rare, so a whole
# chunk is looked over at once with what bytes do fastest, and its lines are examined one by one
# only if something may be there. A false alarm costs time, nothing else.

_DIGITS = bytes(0x30 if 0x30 <= byte <= 0x39 else 0x20 for byte in range(256))
_LONG = b"0" * 19
_NO_BRACKET = bytes(set(range(256)) - set(b"[]{}"))


def suspicious(data: bytes) -> bool:
    """Tell whether lines may hold a huge integer or deep nesting.

    Parameters
    ----------
    data : bytes
        Complete lines.
    """
    if _LONG in data.translate(_DIGITS):
        return True
    brackets = data.translate(None, _NO_BRACKET)
    for _ in range(DEPTH // 2):  # a turn takes away two levels at most
        size = len(brackets)
        if not size:
            return False
        brackets = brackets.replace(b"[]", b"").replace(b"{}", b"")
        if len(brackets) == size:
            break  # brackets in strings, or not JSON
    return bool(brackets)


def _inexact(line: bytes) -> Wrong | None:
    text = line.decode("utf-8")
    try:
        check_depth(text, DEPTH)
    except JsonError as error:
        return Wrong("not-json", error.message)
    try:
        json.loads(text, parse_int=_integer)
    except _HugeInteger as error:
        return Wrong("not-json", f"expected integers of at most 64 bits, found {error}")
    return None


class _HugeInteger(Exception):
    pass


def _integer(digits: str) -> int:
    if len(digits) > 20 or not -(2**63) <= (number := int(digits)) < 2**64:
        raise _HugeInteger(digits if len(digits) <= 40 else f"one of {len(digits)} digits")
    return number


# ---- showing ------------------------------------------------------------------------------------

_CONTROL = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]")


def printable(data: bytes) -> str:
    r"""Return text that cannot steer a terminal: control characters become ``\x1b`` and the like.

    Parameters
    ----------
    data : bytes
        Anything; what is not UTF-8 becomes U+FFFD. Line feeds and tabs stay.
    """
    text = data.decode("utf-8", "replace").replace("\r\n", "\n")
    return _CONTROL.sub(lambda found: ascii(found[0])[1:-1], text)
