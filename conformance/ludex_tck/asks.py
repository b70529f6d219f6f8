"""Asks and probes: requests with the answers that are right, beside a game that has to go on."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from .dealing import dealt_requests
from .implementation import Support
from .scripts import Script
from .wire import Raw

__all__ = ["ANY", "GOES_ON", "Ask", "Base", "Probe"]

Json = dict[str, Any]


class _Any:
    """Stands for any result."""


ANY = _Any()
#: Moves of the game beside a probe, before and after.
_BEFORE, _AFTER = 4, 2
#: About requests that only lead to the one that is tried, or come after it.
GOES_ON = {"check": "robust.goes-on", "words": "an open game does not go on as it should"}


@dataclass(frozen=True)
class Ask:
    """One request, and which answers to it are right.

    Attributes
    ----------
    request : dict or Raw
        As the driver takes it.
    codes : tuple of int
        Error codes that are right.
    like : object
        The result that is right, in normal form; `ANY` if any is; None if none is.
    refusal : bool
        Whether a refusal is right.
    check : str
        The check, if it is not that of the probe.
    words : str
        What it means if the answer is wrong.
    """

    request: Json | Raw
    codes: tuple[int, ...] = ()
    like: Any = None
    refusal: bool = False
    check: str = ""
    words: str = ""


@dataclass
class Base:
    """A game that the program can play, and how it answered in a quiet process.

    Attributes
    ----------
    script : Script
        Legal moves only.
    support : Support
        What the program said.
    answers : list
        In normal form; the first is that to ``new_game``. Shorter than the game, or empty, if the
        program does not play it to the end.
    other : Base or None
        Another game, to be played at the same time.
    """

    script: Script
    support: Support
    answers: list[Any] = field(default_factory=list)
    other: Base | None = None
    _ids: Iterator[int] = field(default_factory=lambda: itertools.count(1))

    def new_id(self) -> str:
        """Return a game_id that was never used."""
        return f"r{next(self._ids)}"

    @property
    def moves(self) -> int:
        """How many moves the program can play."""
        return max(len(self.answers) - 1, 0)

    def params(self, game_id: str, changes: Mapping[str, Any] | None = None) -> Json:
        """Return the params of ``new_game``."""
        params = self.requests(game_id)[0]["params"]
        return {**params, **(changes or {})}

    def requests(self, game_id: str) -> list[Json]:
        """Return the requests of the whole game."""
        found = dealt_requests(self.script, game_id, self.support.capabilities)
        if self.support.is_live:
            for request in found[:-1]:
                request["params"]["chance"] = None
        return found

    def start(self, game_id: str, **about: Any) -> Ask:
        """Ask for the game."""
        return Ask({"method": "new_game", "params": self.params(game_id)},
                   like=self.answers[0], **about)

    def move(self, game_id: str, index: int, **about: Any) -> Ask:
        """Ask for one of its moves."""
        request = self.requests(game_id)[index + 1]
        return Ask(request, like=self.answers[index + 1], **about)

    def end(self, game_id: str) -> Ask:
        """Ask for its end."""
        return Ask({"method": "end_game", "params": {"game_id": game_id}}, like=ANY,
                   check="robust.goes-on", words="end_game is not answered with a result")


@dataclass(frozen=True)
class Probe:
    """A few requests.

    Attributes
    ----------
    check : str
        Id of the check.
    words : str
        What is tried.
    make : callable
        From the base, and the id of the open game beside it, to the requests.
    beside : bool
        Whether a game is open beside it.
    hangs_up : bool
        Whether the input is closed at the end.
    fresh : bool
        Whether it needs a new process.
    """

    check: str
    words: str
    make: Callable[[Base, str], list[Ask]]
    beside: bool = True
    hangs_up: bool = False
    fresh: bool = False

    def asks(self, base: Base) -> list[Ask]:
        """Return the requests, with those of the open game around them."""
        if not self.beside or not base.answers:
            return self.make(base, "")
        game_id = base.new_id()
        about = GOES_ON
        before = min(_BEFORE, base.moves // 2)
        after = min(before + _AFTER, base.moves)
        return [
            base.start(game_id, **about),
            *(base.move(game_id, i, **about) for i in range(before)),
            *self.make(base, game_id),
            *(base.move(game_id, i, **about) for i in range(before, after)),
            base.end(game_id),
        ]
