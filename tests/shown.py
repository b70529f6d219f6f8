"""Pages that are run: their commands, files and changes, in the order in which they stand.

====================  =====================================================================
a block of            means
====================  =====================================================================
``console``           lines that begin with ``$ `` are commands; what follows is their output.
                      A line ``...`` stands for any lines, ``...`` in a line for any text
``LANGUAGE title=F``  the whole content of the file F
``diff title=F``      a change of F: the lines with `` `` and ``-`` stand there exactly once
====================  =====================================================================
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
DOCS = ROOT / "docs"
BIN = Path(sys.executable).parent
_BLOCK = re.compile(r'(?ms)^```(\w+)(?: title="([^"]+)")?\n(.*?)^```$')


def blocks(page: str) -> Iterator[tuple[str, str, str]]:
    """Yield language, title and text of each block that begins a line."""
    for found in _BLOCK.finditer((DOCS / page).read_text("utf-8")):
        yield found[1], found[2] or "", found[3]


def commands(session: str) -> list[tuple[str, str]]:
    parts = re.split(r"(?m)^\$ (.*)\n", session)
    assert parts[0] == "", f"output before the first command: {parts[0]!r}"
    return list(zip(parts[1::2], parts[2::2], strict=True))


def stripped(text: str) -> str:
    return "".join(line.rstrip() + "\n" for line in text.strip().splitlines())


def fits(shown: str, printed: str) -> bool:
    """Tell whether what was printed is what a page shows."""
    pattern = ""
    for line in stripped(shown).splitlines():
        if line == "...":
            pattern += r"(?:.*\n)*"
        else:
            pattern += ".*".join(map(re.escape, line.split("..."))) + r"\n"
    return re.fullmatch(pattern, stripped(printed)) is not None


def apply(change: str, text: str) -> str:
    """Apply a diff without line numbers."""
    lines = change.splitlines()
    old = "".join(f"{line[1:]}\n" for line in lines if line[:1] != "+")
    new = "".join(f"{line[1:]}\n" for line in lines if line[:1] != "-")
    assert text.count(old) == 1, f"is there {text.count(old)} times:\n{old}"
    return text.replace(old, new)


def run(command: str, folder: Path) -> str:
    env = {**os.environ, "PATH": f"{BIN}{os.pathsep}{os.environ['PATH']}", "COLUMNS": "80",
           "PYTHONIOENCODING": "utf-8", "LUDEX": str(ROOT)}
    for name in ("FORCE_COLOR", "CLICOLOR_FORCE"):
        env.pop(name, None)
    done = subprocess.run(
        ["/bin/sh", "-c", command], cwd=folder, env=env, stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, timeout=120,
    )
    assert "Traceback" not in done.stdout, done.stdout
    return done.stdout
