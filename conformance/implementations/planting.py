"""Planted faults: small patches that break one rule of a program that is right.

They show that the kit finds what is wrong. A program that has some keeps them in a file of its
own, `faults.py` beside its adapter: functions that change the program in place, under `fault`.
The adapter's only trace of it is ``serve(planted(MyGame), ...)``. Python >= 3.9, no dependency.
"""

from __future__ import annotations

import difflib
import os
import sys
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

__all__ = ["FAULTS", "Fault", "fault", "planted"]


class Fault(NamedTuple):
    """A fault: the rule it breaks, a sentence, and the function that plants it."""

    rule: str
    sentence: str
    plant: Callable[[Any], None]


# The adapter's helper keeps standard output for the protocol, so this file has to come first.
_OUT = os.dup(1) if "--list-faults" in sys.argv else 1

#: By name, in the order of the file.
FAULTS: dict[str, Fault] = {}


def fault(rule: str, sentence: str) -> Callable[[Callable[[Any], None]], Callable[[Any], None]]:
    """Register a function as a fault; its name with hyphens is the fault's.

    It is called with the class of the adapter, before any game.
    """

    def register(plant: Callable[[Any], None]) -> Callable[[Any], None]:
        FAULTS[plant.__name__.replace("_", "-")] = Fault(rule, sentence, plant)
        return plant

    return register


def planted(adapter: Any) -> Any:
    """Return the adapter's class, with the fault that the command line asks for, if any.

    ``--list-faults`` prints a line for each: name, rule and sentence, with tabs between.
    """
    words = sys.argv[1:]
    if not words:
        return adapter
    if words == ["--list-faults"]:
        lines = [f"{name}\t{one.rule}\t{one.sentence}\n" for name, one in FAULTS.items()]
        with open(_OUT, "w", encoding="utf-8") as out:
            out.writelines(lines)
        raise SystemExit(0)
    if words[0] not in ("--fault", "--list-faults"):
        raise _stop(f"unknown argument {words[0]}", words[0], ["--fault", "--list-faults"])
    if words[0] == "--list-faults":
        raise _stop("--list-faults takes nothing after it")
    if len(words) != 2:
        raise _stop("--fault takes one name; --list-faults prints all names")
    if words[1] not in FAULTS:
        raise _stop(f"there is no fault {words[1]}", words[1], list(FAULTS))
    FAULTS[words[1]].plant(adapter)
    return adapter


def _stop(message: str, word: str = "", known: Sequence[str] = ()) -> SystemExit:
    close = difflib.get_close_matches(word, known, n=1)
    hint = f"did you mean {close[0]}?" if close else "--list-faults prints all faults"
    if known:
        message = f"{message}; {hint}"
    print(message, file=sys.stderr)
    return SystemExit(2)
