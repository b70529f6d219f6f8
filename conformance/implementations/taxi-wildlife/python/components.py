"""The component sets of Taxi Wildlife as tables (rules 1.2 to 1.8).

The move protocol names a component set by its id only, so the data has to be here. A route card is
written as `id: pile stop print left right`: the stop is the animal whose outline it shows, `animal`
says that the animal itself is on the card as well, the two numbers are the paths at its edges.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Dict, Tuple

PILES = ("one", "two", "three")


@dataclass(frozen=True)
class RouteCard:
    """A route card; `shows_animal` is true if more than the outline is on it."""

    id: str
    pile: str
    stop: str
    shows_animal: bool
    left: int
    right: int


@dataclass(frozen=True)
class StartCard:
    """A start card: the paths at its two edges, as it is printed."""

    id: str
    left: int
    right: int


@dataclass(frozen=True)
class DuelCard:
    """A duel card: two taxis, the first with the paw."""

    id: str
    challenger: str
    opponent: str


@dataclass(frozen=True)
class ComponentSet:
    """What lies in the box."""

    animals: Tuple[str, ...]
    starts: Dict[str, StartCard]
    duels: Dict[str, DuelCard]
    routes: Dict[str, RouteCard]


_STANDARD_ANIMALS = "penguin kangaroo snake crocodile animal-5 animal-6"
_STANDARD_ROUTES = """
one-penguin-12: one penguin animal 1 2
one-penguin-11: one penguin outline 1 1
one-penguin-22: one penguin outline 2 2
one-kangaroo-12: one kangaroo animal 1 2
one-kangaroo-11: one kangaroo outline 1 1
one-kangaroo-22: one kangaroo outline 2 2
one-snake-12: one snake animal 1 2
one-snake-11: one snake outline 1 1
one-snake-22: one snake outline 2 2
one-crocodile-12: one crocodile animal 1 2
one-crocodile-11: one crocodile outline 1 1
one-crocodile-22: one crocodile outline 2 2
one-animal-5-21: one animal-5 animal 2 1
one-animal-5-11: one animal-5 animal 1 1
one-animal-6-21: one animal-6 animal 2 1
one-animal-6-11: one animal-6 animal 1 1
two-penguin-12: two penguin animal 1 2
two-penguin-22: two penguin animal 2 2
two-kangaroo-12: two kangaroo animal 1 2
two-kangaroo-22: two kangaroo animal 2 2
two-snake-21: two snake outline 2 1
two-snake-11: two snake animal 1 1
two-snake-22: two snake outline 2 2
two-crocodile-21: two crocodile outline 2 1
two-crocodile-11: two crocodile animal 1 1
two-crocodile-22: two crocodile outline 2 2
two-animal-5-21: two animal-5 outline 2 1
two-animal-5-11: two animal-5 animal 1 1
two-animal-5-22: two animal-5 outline 2 2
two-animal-6-21: two animal-6 outline 2 1
two-animal-6-11: two animal-6 animal 1 1
two-animal-6-22: two animal-6 outline 2 2
three-penguin-12: three penguin outline 1 2
three-penguin-11: three penguin outline 1 1
three-penguin-22: three penguin animal 2 2
three-kangaroo-12: three kangaroo outline 1 2
three-kangaroo-11: three kangaroo outline 1 1
three-kangaroo-22: three kangaroo animal 2 2
three-snake-21: three snake animal 2 1
three-snake-22: three snake animal 2 2
three-crocodile-21: three crocodile animal 2 1
three-crocodile-22: three crocodile animal 2 2
three-animal-5-12: three animal-5 outline 1 2
three-animal-5-11: three animal-5 outline 1 1
three-animal-5-22: three animal-5 animal 2 2
three-animal-6-12: three animal-6 outline 1 2
three-animal-6-11: three animal-6 outline 1 1
three-animal-6-22: three animal-6 animal 2 2
"""

_FIXTURE_ANIMALS = "penguin kangaroo snake crocodile animal-5 animal-6"
_FIXTURE_ROUTES = """
one-penguin-12: one penguin outline 1 2
one-snake-11: one snake animal 1 1
one-kangaroo-21: one kangaroo outline 2 1
one-crocodile-22: one crocodile outline 2 2
two-kangaroo-22: two kangaroo outline 2 2
two-penguin-22: two penguin outline 2 2
two-penguin-21: two penguin animal 2 1
two-snake-11: two snake outline 1 1
three-snake-22: three snake animal 2 2
three-kangaroo-11: three kangaroo outline 1 1
three-crocodile-12: three crocodile animal 1 2
three-penguin-11: three penguin outline 1 1
"""

_SMALL_ANIMALS = "penguin snake"
_SMALL_ROUTES = """
one-penguin-12: one penguin outline 1 2
one-snake-22: one snake animal 2 2
two-snake-21: two snake outline 2 1
two-penguin-11: two penguin animal 1 1
three-penguin-22: three penguin outline 2 2
three-snake-11: three snake outline 1 1
"""

_COLOURS = ("red", "blue", "yellow", "green")


def _route_cards(table: str) -> Dict[str, RouteCard]:
    cards = {}
    for line in table.strip().splitlines():
        name, data = line.split(": ")
        pile, stop, printed, left, right = data.split()
        cards[name] = RouteCard(name, pile, stop, printed == "animal", int(left), int(right))
    return cards


def _component_set(animals: str, routes: str) -> ComponentSet:
    """Return a set; start and duel cards are the same in all sets there are."""
    starts = {colour: StartCard(colour, left=1, right=2) for colour in _COLOURS}
    pairs = [(a, b) for a in _COLOURS for b in _COLOURS if a != b]
    duels = {f"{a}-{b}": DuelCard(f"{a}-{b}", challenger=a, opponent=b) for a, b in pairs}
    return ComponentSet(tuple(animals.split()), starts, duels, _route_cards(routes))


SETS: Dict[str, ComponentSet] = {
    "standard": _component_set(_STANDARD_ANIMALS, _STANDARD_ROUTES),
    "fixture": _component_set(_FIXTURE_ANIMALS, _FIXTURE_ROUTES),
    "small": _component_set(_SMALL_ANIMALS, _SMALL_ROUTES),
}
