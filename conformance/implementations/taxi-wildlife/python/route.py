"""The route of a player: a line of cards that grows at both ends (section 6 of the rules).

A card lies `straight` (its left edge to the left) or `turned` by half a turn. Where a card with
equal edges is attached there is no way to choose, so its way is None.
"""

from __future__ import annotations

from typing import Dict, List, Optional, Tuple

from components import RouteCard, StartCard

SIDES = ("left", "right")
WAYS = ("straight", "turned")

Placement = Tuple[str, Optional[str]]  # side of the route, way round


def ways_of(card: RouteCard) -> Tuple[Optional[str], ...]:
    """Return the ways of laying a card that look different (rule 6.2)."""
    return (None,) if card.left == card.right else WAYS


def edges(card: RouteCard, way: Optional[str]) -> Dict[str, int]:
    """Return the paths at the left and the right edge of a card that lies this way round."""
    if way == "turned":
        return {"left": card.right, "right": card.left}
    return {"left": card.left, "right": card.right}


class Route:
    """The start card of a player and what has been attached to it."""

    def __init__(self, start: StartCard, way: str = "straight") -> None:
        self.start = start
        self.ends = {"left": start.left, "right": start.right}
        if way == "turned":
            self.ends = {"left": start.right, "right": start.left}
        self.arms: Dict[str, List[str]] = {side: [] for side in SIDES}  # outermost card first

    def __len__(self) -> int:
        """Return the number of route cards; the start card is not one (rules 8.3 and 9.4)."""
        return sum(len(arm) for arm in self.arms.values())

    def fits(self, card: RouteCard, side: str, way: Optional[str]) -> bool:
        """Say whether the edges that would touch have equally many paths (rule 6.3)."""
        touching = "right" if side == "left" else "left"
        return edges(card, way)[touching] == self.ends[side]

    def placements(self, card: RouteCard) -> List[Placement]:
        """Return all ways in which a card can be attached (rule 6.4)."""
        return [(s, way) for s in SIDES for way in ways_of(card) if self.fits(card, s, way)]

    def attach(self, card: RouteCard, side: str, way: Optional[str]) -> None:
        """Attach a card that fits; its outer edge is the new end of the route."""
        self.ends[side] = edges(card, way)[side]
        self.arms[side].insert(0, card.id)
