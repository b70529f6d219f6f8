"""Files: read with a bound, written whole or not at all."""

from __future__ import annotations

import os
import tempfile
from pathlib import Path

from ludex.errors import UsageError

__all__ = ["read_bytes", "write_whole"]


def read_bytes(path: Path, most: int) -> bytes:
    """Read a file that is not too long.

    Parameters
    ----------
    path : Path
        The file.
    most : int
        The longest that is read, in bytes.

    Raises
    ------
    UsageError
        ``usage.read`` if it cannot be read, ``usage.size`` if it is longer.
    """
    try:
        with path.open("rb") as file:
            data = file.read(most + 1)
    except OSError as error:
        raise UsageError(f"cannot read {path}: {error.strerror}", code="usage.read") from None
    if len(data) > most:
        raise UsageError(f"cannot read {path}: it is longer than {most} bytes", code="usage.size")
    return data


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
