"""Sources of chance: seeded, taped, and one that writes down what another gives.

The engine asks a source; it never draws itself. A question says what it is about with a *site*
(one per ``draw``, ``roll`` or ``pick`` of the spec) and the keys of the zones at this place, from
which the outcome's names (``hand.p2``) are made only where somebody reads them.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from ludex.errors import (
    SpecError,
    TapeImpossible,
    TapeLeftOver,
    TapeTooShort,
    TapeWrongKind,
)

__all__ = ["ChanceSource", "Outcome", "Recorder", "Seeded", "Site", "Tape"]

Outcome = dict[str, Any]


@dataclass(frozen=True)
class Site:
    """One place of a spec that asks for chance.

    Attributes
    ----------
    kind : str
        ``draw``, ``roll`` or ``pick``.
    about : callable
        From the keys to what the outcome says besides its value.
    encode, decode : callable
        From the outcome's value to the engine's and back.
    sees : callable
        From a player and the keys to whether the player sees the outcome.
    """

    kind: str
    about: Callable[[tuple[int, ...]], Outcome]
    encode: Callable[[Any], Any]
    decode: Callable[[Any], Any]
    sees: Callable[[int, tuple[int, ...]], bool]

    def outcome(self, value: Any, keys: tuple[int, ...]) -> Outcome:
        """Return the outcome as the protocol writes it."""
        return {self.kind: self.decode(value), **self.about(keys)}


class ChanceSource(Protocol):
    """What the engine asks."""

    def draw(self, items: Sequence[int], site: Site, keys: tuple[int, ...]) -> int:
        """Return one of the members that are there (sorted, at least one), each as likely."""

    def pick(self, items: Sequence[int], site: Site, keys: tuple[int, ...]) -> int:
        """Return an element, each as likely."""

    def roll(self, count: int, sides: int, site: Site, keys: tuple[int, ...]) -> list[int]:
        """Return that many dice."""


class Seeded:
    """A source with a seed; the same seed gives the same outcomes on any machine.

    Parameters
    ----------
    seed : int or str
        Of :class:`random.Random`.
    """

    def __init__(self, seed: int | str) -> None:
        self._random = random.Random(seed).random

    def draw(self, items: Sequence[int], site: Site, keys: tuple[int, ...]) -> int:
        """Return one of the members that are there, each as likely."""
        return items[int(self._random() * len(items))]

    def pick(self, items: Sequence[int], site: Site, keys: tuple[int, ...]) -> int:
        """Return an element, each as likely."""
        return items[int(self._random() * len(items))]

    def roll(self, count: int, sides: int, site: Site, keys: tuple[int, ...]) -> list[int]:
        """Return that many dice."""
        return [1 + int(self._random() * sides) for _ in range(count)]


class Recorder:
    """Passes questions on and writes the outcomes down.

    Parameters
    ----------
    source : ChanceSource
        Who answers.

    Attributes
    ----------
    outcomes : list of dict
        In order, as the protocol writes them. Clear it between moves.
    asked : list of (Site, tuple)
        For each outcome, what it was about.
    """

    def __init__(self, source: ChanceSource) -> None:
        self.source = source
        self.outcomes: list[Outcome] = []
        self.asked: list[tuple[Site, tuple[int, ...]]] = []

    def clear(self) -> None:
        """Forget what was written down."""
        self.outcomes.clear()
        self.asked.clear()

    def _note(self, value: Any, site: Site, keys: tuple[int, ...]) -> None:
        self.outcomes.append(site.outcome(value, keys))
        self.asked.append((site, keys))

    def draw(self, items: Sequence[int], site: Site, keys: tuple[int, ...]) -> int:
        """Ask, and write down."""
        value = self.source.draw(items, site, keys)
        self._note(value, site, keys)
        return value

    def pick(self, items: Sequence[int], site: Site, keys: tuple[int, ...]) -> int:
        """Ask, and write down."""
        value = self.source.pick(items, site, keys)
        self._note(value, site, keys)
        return value

    def roll(self, count: int, sides: int, site: Site, keys: tuple[int, ...]) -> list[int]:
        """Ask, and write down."""
        value = self.source.roll(count, sides, site, keys)
        self._note(value, site, keys)
        return value


class Tape:
    """Exactly these outcomes, in any order where what they are about matches.

    Parameters
    ----------
    outcomes : iterable of dict
        As the protocol writes them.
    """

    def __init__(self, outcomes: Iterable[Outcome]) -> None:
        self._left = list(outcomes)

    @property
    def left(self) -> Sequence[Outcome]:
        """The outcomes that have not been used, in order."""
        return self._left

    def _next(self, site: Site, keys: tuple[int, ...]) -> Any:
        about = site.about(keys)
        for index, outcome in enumerate(self._left):
            if site.kind in outcome and all(outcome.get(k) == v for k, v in about.items()):
                del self._left[index]
                return outcome[site.kind]
        wanted = " ".join([site.kind, *(f"{k} {v}" for k, v in about.items())])
        if not self._left:
            raise TapeTooShort(f"the tape ends where the move needs: {wanted}")
        raise TapeWrongKind(f"the move needs: {wanted}; the tape has {self._left[0]}")

    def _encode(self, site: Site, value: Any) -> Any:
        try:
            return site.encode(value)
        except (KeyError, TypeError, ValueError, SpecError):
            raise TapeImpossible(f"{value!r} is no outcome of a {site.kind}") from None

    def draw(self, items: Sequence[int], site: Site, keys: tuple[int, ...]) -> int:
        """Return the member that the tape names, if it is there."""
        value = self._next(site, keys)
        member: int = self._encode(site, value)
        if member not in items:
            raise TapeImpossible(f"{value} cannot be drawn from {site.about(keys)['from']}")
        return member

    def pick(self, items: Sequence[int], site: Site, keys: tuple[int, ...]) -> int:
        """Return the element that the tape names, if it is there."""
        value = self._next(site, keys)
        item: int = self._encode(site, value)
        if item not in items:
            raise TapeImpossible(f"{value} cannot be picked")
        return item

    def roll(self, count: int, sides: int, site: Site, keys: tuple[int, ...]) -> list[int]:
        """Return the dice that the tape names, if they are possible."""
        value = self._next(site, keys)
        if (
            not isinstance(value, list)
            or len(value) != count
            or not all(type(d) is int and 1 <= d <= sides for d in value)
        ):
            raise TapeImpossible(f"expected {count} dice of {sides} sides, found {value}")
        return list(value)

    def done(self) -> None:
        """Raise `TapeLeftOver` if outcomes remain."""
        if self._left:
            raise TapeLeftOver(f"{len(self._left)} outcome(s) left over: {self._left[0]}")
