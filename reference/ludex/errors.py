"""What can go wrong, as one tree.

Every error has a stable code, and says what was expected, what was found, where, and the likely
fix. No other exception leaves the public functions of Ludex; a command prints these and exits.

::

    LudexError
    ├── SpecError            a spec, schema or game document is wrong (author's side)
    │   └── SpecErrors       several of them, found in one run
    ├── UsageError           a call or a command line is wrong: unknown game, player count, ...
    ├── IllegalMove          the rules of the game forbid a move; carries the broken rules
    ├── InvalidMove          not a move of this game at all: unknown name, missing argument
    ├── GameOver             a move after the end
    ├── TapeError            outcomes of chance do not fit the move
    │   ├── TapeTooShort     -32010
    │   ├── TapeWrongKind    -32011
    │   ├── TapeImpossible   -32012
    │   └── TapeLeftOver     -32013
    ├── RecordError          a game record is damaged or does not fit its game
    ├── ludex.protocol.canonical.JsonError      a text or value outside the JSON that Ludex uses
    └── ludex.protocol.server.ProtocolFault     a request that is answered with an error

The numbers are those of the move protocol.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from difflib import get_close_matches

__all__ = [
    "GameOver",
    "IllegalMove",
    "InvalidMove",
    "LudexError",
    "Place",
    "RecordError",
    "SpecError",
    "SpecErrors",
    "TapeError",
    "TapeImpossible",
    "TapeLeftOver",
    "TapeTooShort",
    "TapeWrongKind",
    "UsageError",
    "closest",
]


@dataclass(frozen=True, order=True)
class Place:
    """Where something stands in a file.

    Attributes
    ----------
    file : str
        Path as the user gave it, or relative to the game folder.
    line, column : int
        Counted from 1.
    """

    file: str
    line: int = 1
    column: int = 1

    def __str__(self) -> str:
        return f"{self.file}:{self.line}:{self.column}"

    @classmethod
    def parse(cls, text: str) -> Place:
        """Read ``file:line:column`` back."""
        file, line, column = text.rsplit(":", 2)
        return cls(file, int(line), int(column))

    def right(self, columns: int) -> Place:
        """Return the place that many columns further right."""
        return Place(self.file, self.line, self.column + columns)


class LudexError(Exception):
    """The root of all errors that Ludex raises on purpose.

    Parameters
    ----------
    message : str
        One sentence without a full stop: what was expected and what was found.
    code : str
        Stable, for example ``"spec.unknown-key"``.
    place : Place, optional
        Where.
    hint : str, optional
        The likely fix.
    """

    code = "error"

    def __init__(
        self,
        message: str,
        *,
        code: str | None = None,
        place: Place | None = None,
        hint: str | None = None,
    ) -> None:
        super().__init__(message)
        self.message = message
        if code is not None:
            self.code = code
        self.place = place
        self.hint = hint

    def __str__(self) -> str:
        where = f"{self.place}: " if self.place else ""
        hint = f"\n    {self.hint}" if self.hint else ""
        return f"{where}{self.message} [{self.code}]{hint}"


class SpecError(LudexError):
    """A spec, a schema or a game document is wrong."""

    code = "spec"


class SpecErrors(SpecError):
    """Several errors of one spec, in the order of their places.

    Parameters
    ----------
    errors : iterable of SpecError
        At least one.
    """

    def __init__(self, errors: Iterable[SpecError]) -> None:
        self.errors: Sequence[SpecError] = sorted(
            errors, key=lambda e: (e.place or Place("", 0, 0), e.code)
        )
        first = self.errors[0]
        super().__init__(first.message, code=first.code, place=first.place, hint=first.hint)

    def __str__(self) -> str:
        return "\n".join(str(e) for e in self.errors)


class UsageError(LudexError):
    """A call or a command line asks for what there is not."""

    code = "usage"


@dataclass(frozen=True)
class Broken:
    """One requirement that a move breaks.

    Attributes
    ----------
    rule : str
        Id of the rulebook rule.
    reason : str
        The requirement's own words.
    clause : str
        Where it stands in the game document.
    also : tuple of str
        Further rules that the requirement formalises.
    """

    rule: str
    reason: str
    clause: str = field(default="", compare=False)
    also: tuple[str, ...] = field(default=(), compare=False)


class IllegalMove(LudexError):
    """The rules forbid the move.

    Attributes
    ----------
    broken : sequence of Broken
        Every requirement that it breaks; the first one counts.
    """

    code = "move.illegal"

    def __init__(self, broken: Sequence[Broken]) -> None:
        self.broken = broken
        super().__init__("; ".join(f"{b.reason} (rule {b.rule})" for b in broken))


class InvalidMove(LudexError):
    """What was given is no move of this game, legal or not."""

    code = "move.invalid"


class GameOver(LudexError):
    """A move after the end of the game."""

    code = "move.game-over"


class TapeError(LudexError):
    """The outcomes of chance that were given do not fit the move."""

    code = "tape"
    number = -32012


class TapeTooShort(TapeError):
    """The move needs one more outcome."""

    code, number = "tape.too-short", -32010


class TapeWrongKind(TapeError):
    """An outcome of another kind, or for another zone, was given."""

    code, number = "tape.wrong-kind", -32011


class TapeImpossible(TapeError):
    """The outcome cannot happen: that component is not there."""

    code, number = "tape.impossible", -32012


class TapeLeftOver(TapeError):
    """The move used fewer outcomes than were given."""

    code, number = "tape.left-over", -32013


class RecordError(LudexError):
    """A game record is damaged, or does not fit its game."""

    code = "record"


def closest(word: str, known: Iterable[str]) -> str | None:
    """Return ``did you mean 'x'?`` for the nearest known word, or None.

    Parameters
    ----------
    word : str
        What was found.
    known : iterable of str
        What would have been right.
    """
    found = get_close_matches(word, list(known), n=1, cutoff=0.6)
    return f"did you mean {found[0]!r}?" if found else None
