"""Copies of the smallest game with something changed, for tests of faults and of clauses."""

from __future__ import annotations

import shutil
from pathlib import Path

MINIMAL = Path(__file__).resolve().parent / "specs" / "minimal"


def patched(folder: Path, *patches: tuple[str, str, str]) -> Path:
    """Copy the minimal game and replace texts in it.

    Parameters
    ----------
    folder : Path
        Where the copy goes; must not exist.
    *patches : tuple of (file, old, new)
        The old text stands in the file exactly once.
    """
    shutil.copytree(MINIMAL, folder)
    for name, old, new in patches:
        file = folder / name
        text = file.read_text(encoding="utf-8")
        assert text.count(old) == 1, f"{name}: {old!r} is there {text.count(old)} times"
        file.write_text(text.replace(old, new), encoding="utf-8")
    return folder


def apply_patch_file(folder: Path, patch: Path) -> Path:
    """Copy the minimal game and change it as a patch file says.

    The file names a file of the game; lines that begin with ``- `` are a text in it, those that
    begin with ``+ `` what stands there instead. ``delete FILE`` removes a file.
    """
    patches: list[tuple[str, list[str], list[str]]] = []
    deleted: list[str] = []
    current = ""
    for line in patch.read_text(encoding="utf-8").splitlines():
        if line.startswith("delete "):
            deleted.append(line.removeprefix("delete "))
        elif line.startswith("- ") or line == "-":
            if not patches or patches[-1][0] != current or patches[-1][2]:
                patches.append((current, [], []))
            patches[-1][1].append(line[2:])
        elif line.startswith("+ ") or line == "+":
            patches[-1][2].append(line[2:])
        else:
            assert line, f"{patch}: an empty line"
            current = line
    assert patches or deleted, patch
    copy = patched(folder, *((f, "\n".join(old), "\n".join(new)) for f, old, new in patches))
    for name in deleted:
        (copy / name).unlink()
    return copy
