"""Where the names on a map go: beside their places, and over nothing else.

Each name has a few positions around its place, on one line or on two. The search begins with the
best position of every name alone, and then moves names that meet others until no move helps. What
still meets something gives way: it gets a number, and the number an entry in a table.

Widths are those of a common sans-serif font. A drawing that gives them as the length of its text
is as wide as computed in any font.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import product

__all__ = ["LINE", "SIZE", "Box", "Label", "place_labels", "text_width"]

#: Size of the letters, and height of a line with all that sticks out above and below; pixels.
SIZE = 11
LINE = 13
#: Part of a line that lies above the base of the letters.
_ABOVE = 10
#: A name may be so far from its place; pixels.
_GAPS = (2, 7)
#: A name that is nearer than this to another place could be taken for its name; pixels.
_CLOSE = 6
#: What a position costs: over a place, over another name, over a link, close to another place,
#: farther away, two lines.
_OVER_PLACE = 1000.0
_OVER_NAME = 1000.0
_OVER_LINK = 12.0
_CLOSE_BY = 5.0
_FARTHER = 3.0
_TWO_LINES = 1.5
_ROUNDS = 40
#: Where more places are near there is no room anyway.
_CROWD = 100
#: The search ends when it has compared so many pairs of boxes.
_WORK = 2_000_000

#: Widths of letters in thousandths of the size.
_WIDTHS = {
    **dict.fromkeys("ijl'|", 222), **dict.fromkeys("ftI.,:;/![] ", 278),
    **dict.fromkeys("r-()`", 333), **dict.fromkeys("cksvxyzJ", 500), **dict.fromkeys("*\"", 389),
    **dict.fromkeys("FTZ", 611), **dict.fromkeys("ABEKPSVXY&", 667),
    **dict.fromkeys("CDHNRUw", 722), **dict.fromkeys("GOQ", 778), **dict.fromkeys("mM", 833),
    "W": 944, "œ": 944, "Œ": 1000, "æ": 889, "Æ": 1000, "ß": 611, "’": 222, "–": 556,
}
_COMMON = 556
_WIDE = 1000


def text_width(text: str, size: float = SIZE) -> float:
    """Return the width of a text in pixels.

    Parameters
    ----------
    text : str
        One line.
    size : float
        Of the letters, in pixels.
    """
    return sum(map(_width, text)) * size / 1000


def _width(char: str) -> int:
    known = _WIDTHS.get(char)
    if known is not None:
        return known
    base = unicodedata.normalize("NFD", char)[0]
    if base != char:
        return _width(base)
    return _COMMON if char.isascii() or (char.isalpha() and ord(char) < 0x2E80) else _WIDE


@dataclass(frozen=True)
class Box:
    """A rectangle; pixels, y goes down."""

    left: float
    top: float
    right: float
    bottom: float

    def meets(self, other: Box) -> bool:
        """Return whether the two have a point in common that is not on the edge."""
        return (self.left < other.right and other.left < self.right
                and self.top < other.bottom and other.top < self.bottom)

    def crossed_by(self, x1: float, y1: float, x2: float, y2: float) -> bool:
        """Return whether a line from one point to another runs through it."""
        first, last = 0.0, 1.0
        for start, way, low, high in (
            (x1, x2 - x1, self.left, self.right), (y1, y2 - y1, self.top, self.bottom),
        ):
            if way == 0:
                if not low < start < high:
                    return False
                continue
            near, far = sorted(((low - start) / way, (high - start) / way))
            first, last = max(first, near), min(last, far)
        return first < last


@dataclass(frozen=True)
class Label:
    """A name at its place.

    Attributes
    ----------
    lines : tuple of str
        From the top down.
    box : Box
        Around all of them.
    """

    lines: tuple[str, ...]
    box: Box

    def rows(self) -> Iterator[tuple[str, float, float, float]]:
        """Yield each line with the left end of its base, and its width."""
        middle = (self.box.left + self.box.right) / 2
        for number, line in enumerate(self.lines):
            width = text_width(line)
            yield line, middle - width / 2, self.box.top + LINE * number + _ABOVE, width


#: A candidate: its price for itself, and the label.
_Priced = tuple[float, Label]
Line = tuple[float, float, float, float]


def place_labels(
    nodes: Mapping[str, Box], names: Mapping[str, str], links: Sequence[Line]
) -> tuple[dict[str, Label], dict[str, int]]:
    """Find a position for every name.

    Parameters
    ----------
    nodes : mapping
        Place to the box that is drawn for it.
    names : mapping
        Place to its name.
    links : sequence of (float, float, float, float)
        From one point to another.

    Returns
    -------
    labels : dict
        Place to its label. No label meets a place or another label; a place for which there is no
        room at all is missing.
    numbers : dict
        Place to the number that stands there in place of its name.
    """
    labels = _settle({p: _candidates(p, n, nodes, links) for p, n in names.items()}, {})
    kept = _without_meeting(labels, nodes)
    lost = [place for place in names if place not in kept]
    numbers = {place: number for number, place in enumerate(lost, 1)}
    if lost:
        choice = {p: _candidates(p, str(n), nodes, links) for p, n in numbers.items()}
        kept.update(_without_meeting({**kept, **_settle(choice, kept)}, nodes))
    return {place: kept[place] for place in names if place in kept}, numbers


def _candidates(
    place: str, name: str, nodes: Mapping[str, Box], links: Sequence[Line]
) -> list[_Priced]:
    """Return the positions of a name with what each costs, whatever the other names do."""
    own = nodes[place]
    forms = _forms(name)
    reach = max(text_width(line) for form in forms for line in form) + 2 * _GAPS[-1]
    field = Box(own.left - reach, own.top - reach, own.right + reach, own.bottom + reach)
    near = [box for box in nodes.values() if box.meets(field)][:_CROWD]
    around = [_wider(box, _CLOSE) for box in near if box != own]
    lines = [line for line in links if field.crossed_by(*line)]
    found = []
    for form, (rank, (dx, dy)), gap in product(forms, enumerate(_AROUND), _GAPS):
        label = _at(own, form, dx, dy, gap)
        price = rank * 0.2 + _FARTHER * (gap != _GAPS[0]) + _TWO_LINES * (len(form) - 1)
        price += _OVER_PLACE * sum(label.box.meets(box) for box in near)
        price += _CLOSE_BY * sum(label.box.meets(box) for box in around)
        price += _OVER_LINK * sum(label.box.crossed_by(*line) for line in lines)
        found.append((price, label))
    return sorted(found, key=lambda c: c[0])


def _wider(box: Box, by: float) -> Box:
    return Box(box.left - by, box.top - by, box.right + by, box.bottom + by)


#: Right, left, below, above, and the corners.
_AROUND = ((1, 0), (-1, 0), (0, 1), (0, -1), (1, 1), (1, -1), (-1, 1), (-1, -1))


def _forms(name: str) -> list[tuple[str, ...]]:
    """Return a name on one line, and on two if it has a gap and is not short."""
    forms: list[tuple[str, ...]] = [(name,)]
    cuts = [i + (c == "-") for i, c in enumerate(name) if c in " -" and 0 < i < len(name) - 1]
    if cuts and text_width(name) > 50:
        cut = min(cuts, key=lambda i: max(text_width(name[:i].strip()), text_width(name[i:])))
        forms.append((name[:cut].strip(), name[cut:].strip()))
    return forms


def _at(own: Box, lines: tuple[str, ...], dx: int, dy: int, gap: float) -> Label:
    width, height = max(map(text_width, lines)), LINE * len(lines)
    if dx and dy:
        gap -= 1
    if dx:
        left = own.right + gap if dx > 0 else own.left - gap - width
    else:
        left = (own.left + own.right - width) / 2
    if dy:
        top = own.bottom + gap - 1 if dy > 0 else own.top - gap + 1 - height
    else:
        top = (own.top + own.bottom - height) / 2
    return Label(lines, Box(left, top, left + width, top + height))


def _settle(
    choices: Mapping[str, list[_Priced]], fixed: Mapping[str, Label]
) -> dict[str, Label]:
    """Choose a position for each name so that few of them meet."""
    chosen = {place: found[0][1] for place, found in choices.items()}
    # a name can only meet those that one of its positions meets
    hulls = {place: _hull(found) for place, found in choices.items()}
    hulls.update({place: label.box for place, label in fixed.items()})
    near = {
        place: [o for o, hull in hulls.items() if o != place and hull.meets(hulls[place])]
        for place in choices
    }
    work = sum(len(near[place]) * len(found) for place, found in choices.items())
    for _ in range(min(_ROUNDS, _WORK // max(1, work) + 1)):
        moved = False
        for place, found in choices.items():
            others = [chosen[o].box if o in chosen else fixed[o].box for o in near[place]]
            best = min(found, key=lambda c: c[0] + _OVER_NAME * sum(
                c[1].box.meets(box) for box in others))[1]
            if best != chosen[place]:
                chosen[place] = best
                moved = True
        if not moved:
            break
    return chosen


def _hull(found: Sequence[_Priced]) -> Box:
    boxes = [label.box for _, label in found]
    return Box(min(b.left for b in boxes), min(b.top for b in boxes),
               max(b.right for b in boxes), max(b.bottom for b in boxes))


def _without_meeting(labels: Mapping[str, Label], nodes: Mapping[str, Box]) -> dict[str, Label]:
    """Leave out the names that meet places or names that stay; those that meet most go first."""
    kept = {
        place: label for place, label in labels.items()
        if not any(label.box.meets(box) for box in nodes.values())
    }
    meeting = {
        place: {p for p, o in kept.items() if p != place and label.box.meets(o.box)}
        for place, label in kept.items()
    }
    while True:
        worst = max(meeting, key=lambda p: len(meeting[p]), default=None)
        if worst is None or not meeting[worst]:
            return kept
        for other in meeting.pop(worst):
            meeting[other].discard(worst)
        del kept[worst]
