"""What each error code means, with an example and the likely fix.

The table is ``codes.txt``, beside this module. Codes are stable: scripts may rely on them.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from importlib.resources import files

__all__ = ["Code", "codes"]


@dataclass(frozen=True)
class Code:
    """One error code.

    Attributes
    ----------
    code : str
        For example ``spec.unknown-rule``.
    family : str
        What all codes with the same first word have in common.
    means : str
        What is wrong.
    example : str
        A message with this code.
    fix : str
        What to do.
    """

    code: str
    family: str
    means: str
    example: str
    fix: str


@cache
def codes() -> dict[str, Code]:
    """Return every error code, in the order of the table."""
    text = files("ludex").joinpath("codes.txt").read_text(encoding="utf-8")
    result: dict[str, Code] = {}
    family = ""
    for block in text.split("\n\n"):
        lines = [line for line in block.strip().splitlines() if not line.startswith("#")]
        if lines and lines[0].startswith("= "):
            family = lines[0].removeprefix("= ")
        elif lines:
            code, means, example, fix = lines
            result[code] = Code(code, family, means, example.removeprefix("> "), fix)
    return result
