"""Runs a command line in this process, as the console script would."""

from __future__ import annotations

import sys
from dataclasses import dataclass

import pytest

from ludex.cli import main

__all__ = ["Done", "run"]


@dataclass(frozen=True)
class Done:
    """What a command printed, and its exit status."""

    out: str
    err: str
    status: int


def run(capsys: pytest.CaptureFixture[str], *args: object) -> Done:
    """Run ``ludex ARGS``."""
    capsys.readouterr()
    old = sys.argv
    sys.argv = ["ludex", *map(str, args)]
    try:
        with pytest.raises(SystemExit) as left:
            main()
    finally:
        sys.argv = old
    printed = capsys.readouterr()
    status = left.value.code
    assert isinstance(status, int)
    assert "Traceback" not in printed.err
    return Done(printed.out, printed.err, status)
