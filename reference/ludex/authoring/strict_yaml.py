"""Read a YAML file strictly: plain data with a place for every part, or errors an author can use.

Only the scanner and parser of PyYAML run (always the ones in Python, so that places are the same
everywhere): nothing is constructed, and tags, anchors and aliases are refused. What is built from
the parser's events is made of dict, list, str, int, bool and None.

Untrusted text costs bounded time and memory: size, depth and number of values are limited, and
neither the parser nor this module recurses.
"""

from __future__ import annotations

import re
from importlib.resources.abc import Traversable
from pathlib import Path as FilePath
from typing import Any, NoReturn

from yaml.error import MarkedYAMLError
from yaml.events import (
    CollectionStartEvent,
    DocumentStartEvent,
    MappingEndEvent,
    MappingStartEvent,
    NodeEvent,
    ScalarEvent,
    SequenceEndEvent,
)
from yaml.parser import Parser
from yaml.reader import Reader
from yaml.scanner import Scanner

from ludex.authoring.yaml_build import Builder
from ludex.authoring.yaml_document import Document
from ludex.authoring.yaml_syntax import place_of, syntax_error
from ludex.errors import Place, SpecError, SpecErrors

__all__ = [
    "MAX_BYTES",
    "MAX_DEPTH",
    "MAX_VALUES",
    "Document",
    "read_content",
    "read_yaml",
    "read_yaml_file",
]

#: Largest file, in bytes of UTF-8.
MAX_BYTES = 1 << 20
#: Most mappings and lists inside one another.
MAX_DEPTH = 64
#: Most mappings, lists, keys and scalars of one file.
MAX_VALUES = 200_000
#: After so many errors reading stops.
MAX_ERRORS = 50

# Beside control characters: the line ends that only some readers take for line ends (they would
# count lines differently), byte order marks inside the text, half surrogate pairs, and the marks
# that make text look different from what it is.
_FORBIDDEN = re.compile(
    "[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u2028-\u202e\u2066-\u2069\ufeff\ud800-\udfff\ufffe\uffff]"
    "|\r(?!\n)"
)


def read_yaml(text: str | bytes, file: str) -> Document:
    """Read YAML text.

    Parameters
    ----------
    text : str or bytes
        Bytes are UTF-8; a byte order mark at the beginning is dropped.
    file : str
        How places name the file.

    Returns
    -------
    Document
        Its ``value`` is plain data.

    Raises
    ------
    SpecError
        Code ``yaml.*``; a ``SpecErrors`` if several errors were found in one run.
    """
    source = _decoded(text, file)
    events = _Events(source, file)
    builder = Builder(source, file)
    try:
        _build(events, builder)
    except SpecError as error:
        builder.errors.append(error)
    except MarkedYAMLError as error:
        builder.errors.append(syntax_error(error, file))
    except (ValueError, OverflowError):
        # chr() of an escape such as "\\UFFFFFFFF".
        builder.errors.append(
            SpecError(
                "expected the number of a character, found one beyond 10FFFF",
                code="yaml.syntax",
                place=place_of(events.get_mark(), file),
                hint=r"in double quotes write \\ for one backslash, or use single quotes",
            )
        )
    finally:
        events.dispose()
    if len(builder.errors) == 1:
        raise builder.errors[0]
    if builder.errors:
        raise SpecErrors(builder.errors)
    assert builder.root is not None
    return Document(source, file, builder.root)


def read_yaml_file(path: FilePath | Traversable, shown_as: str | None = None) -> Document:
    """Read a YAML file.

    Parameters
    ----------
    path : Path or Traversable
        The file.
    shown_as : str, optional
        How places name it; the path itself if absent.

    Raises
    ------
    SpecError
        As ``read_yaml``; code ``yaml.file`` if the file cannot be read.
    """
    file = str(path) if shown_as is None else shown_as
    return read_yaml(read_content(path, file), file)


def read_content(path: FilePath | Traversable, file: str) -> bytes:
    """Return the bytes of a file, or the first of them if they are too many.

    Parameters
    ----------
    path : Path or Traversable
        The file.
    file : str
        How places name it.

    Raises
    ------
    SpecError
        Code ``yaml.file``.
    """
    try:
        if not path.is_file():
            raise SpecError(
                "expected a file, found a folder" if path.is_dir() else "there is no such file",
                code="yaml.file",
                place=Place(file),
                hint="check the path",
            )
        with path.open("rb") as stream:
            return stream.read(MAX_BYTES + 1)
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or str(error)
        raise SpecError(
            f"the file cannot be read: {reason}",
            code="yaml.file",
            place=Place(file),
            hint="check the path and its permissions",
        ) from error


class _Events(Reader, Scanner, Parser):
    """PyYAML's scanner and parser, which refuse what this reader has no use for.

    Refusing in the scanner gives the place of the very character, whatever stands around it.
    """

    def __init__(self, text: str, file: str) -> None:
        Reader.__init__(self, text)
        Scanner.__init__(self)
        Parser.__init__(self)
        self._file = file

    def fetch_alias(self) -> NoReturn:
        self._refuse("alias", "an alias (*)", "write the value out", "*")

    def fetch_anchor(self) -> NoReturn:
        self._refuse("alias", "an anchor (&)", "write the value without it", "&")

    def fetch_tag(self) -> NoReturn:
        self._refuse("tag", "a tag (!)", "write the value without it", "!")

    def fetch_directive(self) -> NoReturn:
        self._refuse("directive", "a directive (%)", "drop the line", "%")

    def _refuse(self, code: str, what: str, fix: str, sign: str) -> NoReturn:
        raise SpecError(
            f"expected a value, found {what}, which is not allowed here",
            code=f"yaml.{code}",
            place=place_of(self.get_mark(), self._file),
            hint=f"{fix}; text or an expression that begins with {sign} must be quoted",
        )


def _build(events: Any, builder: Builder) -> None:
    """Feed the events to the builder; stop at limits and after too many errors."""
    depth = values = documents = 0
    while (event := events.get_event()) is not None:
        if isinstance(event, NodeEvent):
            values += 1
            if values > MAX_VALUES:
                raise SpecError(
                    f"expected at most {MAX_VALUES} values in one file, found more",
                    code="yaml.too-many",
                    place=place_of(event.start_mark, builder.file),
                    hint="split the file",
                )
            if isinstance(event, ScalarEvent):
                builder.scalar(event)
            elif isinstance(event, CollectionStartEvent):
                depth += 1
                if depth > MAX_DEPTH:
                    raise SpecError(
                        f"expected at most {MAX_DEPTH} mappings and lists inside one another, "
                        "found more",
                        code="yaml.depth",
                        place=place_of(event.start_mark, builder.file),
                        hint="make the structure flatter",
                    )
                builder.begin(event, mapping=isinstance(event, MappingStartEvent))
            if len(builder.errors) >= MAX_ERRORS:
                return
        elif isinstance(event, MappingEndEvent | SequenceEndEvent):
            depth -= 1
            builder.end(event)
        elif isinstance(event, DocumentStartEvent):
            documents += 1
            if documents > 1:
                raise SpecError(
                    "expected one document, found the beginning of a second one",
                    code="yaml.documents",
                    place=place_of(event.start_mark, builder.file),
                    hint="drop the line ---, or split the file",
                )
    if builder.root is None and not builder.errors:
        raise SpecError(
            "expected a value, found an empty file",
            code="yaml.empty",
            place=Place(builder.file),
            hint="write the content, or remove the file",
        )


def _decoded(text: str | bytes, file: str) -> str:
    """Return text that is safe to scan: right size, right encoding, no hidden characters."""
    size = len(text if isinstance(text, bytes) else text.encode("utf-8", "surrogatepass"))
    if size > MAX_BYTES:
        raise SpecError(
            f"expected at most {MAX_BYTES} bytes, found more",
            code="yaml.size",
            place=Place(file),
            hint="split the file",
        )
    if isinstance(text, bytes):
        raw = text
        try:
            text = raw.decode("utf-8")
        except UnicodeDecodeError as error:
            good = raw[: error.start].decode("utf-8")
            raise SpecError(
                f"expected UTF-8, found the byte 0x{raw[error.start]:02x}",
                code="yaml.encoding",
                place=_place_at(good, len(good), file),
                hint="save the file as UTF-8",
            ) from error
    text = text.removeprefix("\ufeff")
    bad = _FORBIDDEN.search(text)
    if bad:
        raise SpecError(
            f"expected printable text, found the character U+{ord(bad[0]):04X}",
            code="yaml.character",
            place=_place_at(text, bad.start(), file),
            hint=r'remove it; in double quotes it can be written as an escape, such as "\u00a0"',
        )
    return text


def _place_at(text: str, offset: int, file: str) -> Place:
    return Place(file, text.count("\n", 0, offset) + 1, offset - text.rfind("\n", 0, offset))
