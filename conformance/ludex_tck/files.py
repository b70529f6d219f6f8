"""Files of the kit: written whole or not at all."""

from __future__ import annotations

import json
import os
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from ludex.errors import Place, RecordError, UsageError
from ludex.protocol.canonical import JsonError, loads_strict

__all__ = ["read_record", "write_json", "write_record", "write_whole"]

#: The longest record that is read, in bytes.
MAX_RECORD = 64 * 1024 * 1024


def write_whole(path: Path, text: str) -> None:
    """Write a file through a temporary one beside it.

    Raises
    ------
    UsageError
        ``usage.write``, if it cannot be written; an older file stays as it was.
    """
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        with tempfile.NamedTemporaryFile(
            "w", encoding="utf-8", dir=path.parent, prefix=f".{path.name}.", delete=False
        ) as file:
            temporary = Path(file.name)
            try:
                file.write(text)
                file.flush()
                os.fsync(file.fileno())
            except BaseException:
                temporary.unlink(missing_ok=True)
                raise
        try:
            # a temporary file is private; a report is an ordinary file
            os.chmod(temporary, 0o666 & ~_umask())
            os.replace(temporary, path)
        except BaseException:
            temporary.unlink(missing_ok=True)
            raise
    except OSError as error:
        raise UsageError(f"cannot write {path}: {error.strerror}", code="usage.write") from None


def _umask() -> int:
    mask = os.umask(0)
    os.umask(mask)
    return mask


def write_json(path: Path, value: Any) -> None:
    """Write a value as indented JSON."""
    write_whole(path, json.dumps(value, indent=2, ensure_ascii=False) + "\n")


def write_record(path: Path, lines: Sequence[Any]) -> None:
    """Write a game record: one JSON object a line."""
    write_whole(path, "".join(json.dumps(line, ensure_ascii=False) + "\n" for line in lines))


def read_record(path: Path) -> list[Any]:
    """Read a game record.

    Raises
    ------
    UsageError
        If there is no such file.
    RecordError
        With the line that is damaged.
    """
    try:
        if path.stat().st_size > MAX_RECORD:
            raise RecordError(f"a record has at most {MAX_RECORD} bytes", code="record.size",
                              place=Place(str(path)))
        data = path.read_bytes()
    except OSError as error:
        raise UsageError(f"cannot read {path}: {error.strerror}", code="usage.read") from None
    lines = []
    for number, line in enumerate(data.split(b"\n"), start=1):
        if not line.strip():
            continue
        try:
            value = loads_strict(line)
        except JsonError as error:
            column = error.place.column if error.place else 1
            raise RecordError(error.message, code="record.json",
                              place=Place(str(path), number, column)) from None
        if not isinstance(value, dict):
            raise RecordError("expected an object", code="record.line",
                              place=Place(str(path), number))
        lines.append(value)
    return lines
