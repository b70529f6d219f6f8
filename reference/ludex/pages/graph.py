"""Boards of places and links as maps.

A map is drawn once for each page; every position uses it and puts its tokens over it, so a page
with many positions stays small. Of a large map a position shows the part around its tokens.
Districts are told apart by letters as well as by colours, icons by signs, and every place has its
name beside it and its facts as a title.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import dist, isfinite
from statistics import median
from typing import Any

from ludex.pages.cards import Sheet, readable
from ludex.pages.labels import SIZE, Box, Label, place_labels, text_width
from ludex.pages.markup import raw
from ludex.render.faces import Look
from ludex.render.places import Board, Mark, Place

__all__ = ["Map", "draw_graph", "legend", "whole_map"]

Json = Mapping[str, Any]

#: A link is about so long; so wide a map may become; pixels.
_LINK = 76.0
_WIDEST = 2400.0
_NODE = 18
_MARGIN = 10
#: Of a wider map a position shows a part, which is at least so large.
_WHOLE = 760
_PART = (400.0, 280.0)
_TOKEN = 16


class Map:
    """A board as a map: where everything is drawn.

    Parameters
    ----------
    board : Board
        Its places and links.
    backdrop : sequence of mapping
        Lines in the unit of the places, drawn below everything.

    Attributes
    ----------
    nodes : dict
        Place to its box, in pixels.
    labels : dict
        Place to its label.
    numbers : dict
        Place to the number that stands there because there is no room for its name.
    frame : Box
        Around everything.
    """

    def __init__(self, board: Board, backdrop: Sequence[Json] = ()) -> None:
        self.board = board
        self.backdrop = backdrop
        self.scale = _scale(board)
        self.nodes = {p.id: self._node(p) for p in board.places.values()}
        self.ends = {place: _middle(box) for place, box in self.nodes.items()}
        self.links = board.links()
        lines = [(*self.ends[a], *self.ends[b]) for a, b in self.links]
        names = {p.id: p.look.title for p in board.places.values()}
        self.labels, self.numbers = place_labels(self.nodes, names, lines)
        boxes = [*self.nodes.values(), *(label.box for label in self.labels.values())]
        self.frame = Box(
            min(b.left for b in boxes) - _MARGIN, min(b.top for b in boxes) - _MARGIN,
            max(b.right for b in boxes) + _MARGIN, max(b.bottom for b in boxes) + _MARGIN,
        )

    def _node(self, place: Place) -> Box:
        width = max(_NODE, text_width(_inner(place), SIZE + 1) + 10)
        x, y = place.x * self.scale, place.y * self.scale
        return Box(x - width / 2, y - _NODE / 2, x + width / 2, y + _NODE / 2)

    # -- the parts that never change -----------------------------------------------------------

    def svg(self) -> str:
        """Return everything but tokens, as the inside of an SVG."""
        parts = [self._line(shape) for shape in self.backdrop]
        for a, b in self.links:
            (x1, y1), (x2, y2) = self.ends[a], self.ends[b]
            parts.append(f'<line class="lx-link" x1="{x1:.1f}" y1="{y1:.1f}" x2="{x2:.1f}" '
                         f'y2="{y2:.1f}" stroke="currentColor" stroke-opacity="0.5" '
                         'stroke-width="1.5"/>')
        parts += [self._place(place) for place in self.board.places.values()]
        parts += [_label(label) for label in self.labels.values()]
        return "".join(parts)

    def _line(self, shape: Json) -> str:
        points = " ".join(f"{x * self.scale:.0f},{y * self.scale:.0f}" for x, y in shape["points"])
        return (f'<polyline class="lx-backdrop" points="{points}" fill="none" '
                f'stroke="{shape["fill"]}" stroke-opacity="0.35" stroke-width="14" '
                'stroke-linejoin="round">'
                f"<title>{raw(shape['title'])}</title></polyline>")

    def _place(self, place: Place) -> str:
        box, look = self.nodes[place.id], place.look
        paint = f'fill="{look.fill}"' if look.fill else 'class="lx-paper"'
        x, y = self.ends[place.id]
        body = (f'<rect x="{box.left:.1f}" y="{box.top:.1f}" width="{box.right - box.left:.1f}" '
                f'height="{box.bottom - box.top:.1f}" rx="{_NODE / 2:g}" {paint} '
                'stroke="currentColor" stroke-opacity="0.6"/>')
        inner = _inner(place)
        if inner:
            body += (f'<text x="{x:.1f}" y="{y + 4:.1f}" font-size="{SIZE + 1}" font-weight="700" '
                     f'text-anchor="middle" fill="{look.ink or readable(look.fill)}">'
                     f"{raw(inner)}</text>")
        return f'<g class="lx-node"><title>{raw(_facts(place))}</title>{body}</g>'


def _scale(board: Board) -> float:
    """Return pixels for one unit of the places, so that links have a usual length."""
    places = board.places
    lengths = [
        dist((places[a].x, places[a].y), (places[b].x, places[b].y)) for a, b in board.links()
    ]
    typical = median(lengths) if lengths else 0.0
    width = max(p.x for p in places.values()) - min(p.x for p in places.values())
    height = max(p.y for p in places.values()) - min(p.y for p in places.values())
    scale = _LINK / typical if typical else 1.0
    most = _WIDEST / max(width, height, 1)
    return min(scale, most) if isfinite(scale) else most


def _middle(box: Box) -> tuple[float, float]:
    return (box.left + box.right) / 2, (box.top + box.bottom) / 2


def _inner(place: Place) -> str:
    """Return what stands in a place: its own sign, and those printed on it."""
    return " ".join(filter(None, [place.inner[:8], "".join(s.symbol[:4] for s in place.signs)]))


def _facts(place: Place) -> str:
    return f"{place.look.title}: {place.facts}" if place.facts else place.look.title


def _label(label: Label) -> str:
    return "".join(
        f'<text class="lx-label" x="{x:.1f}" y="{y:.1f}" font-size="{SIZE}" '
        f'textLength="{width:.1f}" lengthAdjust="spacingAndGlyphs" fill="currentColor">'
        f"{raw(line)}</text>"
        for line, x, y, width in label.rows()
    )


# -- the whole map, without tokens -------------------------------------------------------------


def whole_map(
    board: Board, title: str, backdrop: Sequence[Json] = ()
) -> tuple[str, dict[str, int]]:
    """Return a map with its legend, as HTML, and the places that have numbers for names.

    Parameters
    ----------
    board : Board
        The places.
    title : str
        For screen readers.
    backdrop : sequence of mapping
        See `Map`.
    """
    drawn = Map(board, backdrop)
    words = f"{title}: {len(board.places)} places, {len(drawn.links)} links"
    html = _scrolled(_svg(drawn.svg(), drawn.frame, words), title) + legend(board)
    return html, drawn.numbers


def legend(board: Board) -> str:
    """Return what colours, letters and signs mean, as HTML; nothing if there are none."""
    keys = [_key(look, look.short) for look in board.areas()]
    keys += [_key(look, look.symbol) for look in board.signs()]
    return f'<div class="lx-legend">{"".join(keys)}</div>' if keys else ""


def _key(look: Look, sign: str) -> str:
    paint = (f' style="background:{look.fill};color:{look.ink or readable(look.fill)}"'
             if look.fill else "")
    return (f'<span class="lx-key"><span class="lx-sign"{paint}>{raw(sign)}</span> '
            f"{raw(look.title)}</span>")


# -- a position --------------------------------------------------------------------------------


def draw_graph(
    sheet: Sheet, board: Board, marks: Sequence[Mark], title: str, backdrop: Sequence[Json] = ()
) -> str:
    """Return a map with what lies on it, as HTML.

    Parameters
    ----------
    sheet : Sheet
        Of the page; it keeps the map.
    board : Board
        The places.
    marks : sequence of Mark
        What lies on them.
    title : str
        For screen readers.
    backdrop : sequence of mapping
        See `Map`.
    """
    key = (tuple(board.places.values()), repr(backdrop))
    drawn: Map = sheet.kept(("map", key), lambda: Map(board, backdrop))
    name = sheet.shared(("map", key), drawn.svg)
    by_place: dict[str, list[Mark]] = {}
    for mark in marks:
        by_place.setdefault(mark.place, []).append(mark)
    parts = [_arrow(drawn, mark) for mark in marks if mark.behind in drawn.nodes]
    parts.append(f'<use href="#{name}"/>')
    taken = [*drawn.nodes.values(), *(label.box for label in drawn.labels.values())]
    for place, lying in by_place.items():
        parts.append(_tokens(drawn.nodes[place], lying, taken))
    words = "; ".join(_said(board, mark) for mark in marks) or "nothing on it"
    svg = _svg("".join(parts), _part(drawn, list(by_place)), f"{title}: {words}")
    lines = "".join(f"<li>{raw(_said(board, mark))}</li>" for mark in marks)
    return _scrolled(svg, title) + (f'<ul class="lx-said">{lines}</ul>' if lines else "")


def _said(board: Board, mark: Mark) -> str:
    """Return what a mark says: what lies where, and where it came from."""
    what = mark.look.title if mark.look else mark.words
    place = board.places[mark.place]
    said = f"{what}: {', '.join(filter(None, [place.look.title, place.facts]))}"
    if mark.behind in board.places:
        said += f"; came from {board.places[str(mark.behind)].look.title}"
    return said


def _part(drawn: Map, places: Sequence[str]) -> Box:
    """Return what to show: all of a small map, else what is around the tokens."""
    frame = drawn.frame
    if frame.right - frame.left <= _WHOLE or not places:
        return frame
    near = {*places, *(o for a, b in drawn.links for p, o in ((a, b), (b, a)) if p in places)}
    boxes = [drawn.nodes[p] for p in near]
    boxes += [drawn.labels[p].box for p in near if p in drawn.labels]
    left, right = _span(min(b.left for b in boxes), max(b.right for b in boxes),
                        frame.left, frame.right, _PART[0])
    top, bottom = _span(min(b.top for b in boxes), max(b.bottom for b in boxes),
                        frame.top, frame.bottom, _PART[1])
    return Box(left, top, right, bottom)


def _span(low: float, high: float, first: float, last: float, least: float) -> tuple[float, float]:
    """Widen a span to a least size, inside of another."""
    low, high = low - 2 * _TOKEN, high + 2 * _TOKEN
    more = max(0.0, least - (high - low)) / 2
    low, high = low - more, high + more
    if low < first:
        low, high = first, high + first - low
    if high > last:
        low, high = low + last - high, last
    return max(low, first), min(high, last)


def _tokens(node: Box, marks: Sequence[Mark], taken: Sequence[Box]) -> str:
    """Draw what lies on one place, where it covers the fewest names."""
    widths = [text_width(mark.words, SIZE + 1) + 10 for mark in marks]
    width = sum(widths) + 2 * (len(widths) - 1)
    x, y = _middle(node)
    spots = [
        Box(x - width / 2, node.top - 3 - _TOKEN, x + width / 2, node.top - 3),
        Box(x - width / 2, node.bottom + 3, x + width / 2, node.bottom + 3 + _TOKEN),
        Box(node.right + 3, y - _TOKEN / 2, node.right + 3 + width, y + _TOKEN / 2),
        Box(node.left - 3 - width, y - _TOKEN / 2, node.left - 3, y + _TOKEN / 2),
    ]
    spot = min(spots, key=lambda box: sum(box.meets(other) for other in taken))
    parts = [
        f'<rect class="lx-ring" x="{node.left - 2:.1f}" y="{node.top - 2:.1f}" '
        f'width="{node.right - node.left + 4:.1f}" height="{node.bottom - node.top + 4:.1f}" '
        f'rx="{_NODE / 2 + 2:g}" fill="none" stroke="currentColor" stroke-width="2.5"/>'
    ]
    left = spot.left
    for mark, wide in zip(marks, widths, strict=True):
        fill = mark.look.fill if mark.look else None
        ink = f'fill="{(mark.look and mark.look.ink) or readable(fill)}"' if fill else (
            'class="lx-token-text"')
        paint = f'fill="{fill}"' if fill else 'class="lx-token"'
        parts.append(
            f'<rect x="{left:.1f}" y="{spot.top:.1f}" width="{wide:.1f}" height="{_TOKEN}" '
            f'rx="3" {paint}/><text x="{left + wide / 2:.1f}" y="{spot.top + 12:.1f}" '
            f'font-size="{SIZE + 1}" font-weight="700" text-anchor="middle" {ink}>'
            f"{raw(mark.words)}</text>"
        )
        left += wide + 2
    return f"<g>{''.join(parts)}</g>"


def _arrow(drawn: Map, mark: Mark) -> str:
    """Draw the way by which a token came: a broad line, with its head in the middle."""
    (x1, y1), (x2, y2) = drawn.ends[str(mark.behind)], drawn.ends[mark.place]
    length = dist((x1, y1), (x2, y2)) or 1.0
    ux, uy = (x2 - x1) / length * 7, (y2 - y1) / length * 7
    x, y = (x1 + x2) / 2, (y1 + y2) / 2
    head = f"{x + ux:.1f},{y + uy:.1f} {x - ux - uy:.1f},{y - uy + ux:.1f} "
    head += f"{x - ux + uy:.1f},{y - uy - ux:.1f}"
    return (f'<g class="lx-came"><line x1="{x1:.1f}" y1="{y1:.1f}" x2="{x2:.1f}" y2="{y2:.1f}" '
            'stroke="currentColor" stroke-width="4" stroke-opacity="0.6"/>'
            f'<polygon points="{head}" fill="currentColor"/></g>')


def _svg(body: str, frame: Box, title: str) -> str:
    width, height = frame.right - frame.left, frame.bottom - frame.top
    return (f'<svg class="lx-map" xmlns="http://www.w3.org/2000/svg" role="img" '
            f'viewBox="{frame.left:.0f} {frame.top:.0f} {width:.0f} {height:.0f}" '
            f'width="{width:.0f}" height="{height:.0f}"><title>{raw(title)}</title>{body}</svg>')


def _scrolled(svg: str, title: str) -> str:
    """Put a drawing into a part that can be moved with the finger and with the keys."""
    return (f'<div class="lx-scroll" tabindex="0" role="region" aria-label="{raw(title)}">'
            f"{svg}</div>")
