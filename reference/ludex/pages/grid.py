"""Boards of squares: every place in its column and row, with what lies on it."""

from __future__ import annotations

from collections.abc import Sequence

from ludex.pages.cards import readable
from ludex.pages.markup import raw
from ludex.render.places import Board, Mark, Place, raster

__all__ = ["draw_grid"]

_SIDE = 46


def draw_grid(board: Board, marks: Sequence[Mark], title: str) -> str | None:
    """Return a board of squares as SVG; None if two places would share a square.

    Parameters
    ----------
    board : Board
        The places. Only the order of their columns and rows counts, not the distances.
    marks : sequence of Mark
        What lies on them.
    title : str
        For screen readers.
    """
    rows = raster(board)
    if rows is None:
        return None
    lying: dict[str, list[Mark]] = {}
    for mark in marks:
        lying.setdefault(mark.place, []).append(mark)
    parts = [
        _square(place, lying.get(place.id, []), _SIDE * column + 1, _SIDE * row + 1)
        for row, line in enumerate(rows) for column, place in enumerate(line) if place
    ]
    width, height = _SIDE * len(rows[0]) + 2, _SIDE * len(rows) + 2
    said = "; ".join(
        f"{board.places[m.place].look.title} {m.look.title if m.look else m.words}" for m in marks
    )
    words = f"{title}: {said or 'all empty'}"
    return (f'<div class="lx-scroll"><svg class="lx-map" xmlns="http://www.w3.org/2000/svg" '
            f'role="img" viewBox="0 0 {width} {height}" width="{width}" height="{height}">'
            f"<title>{raw(words)}</title>{''.join(parts)}</svg></div>")


def _square(place: Place, marks: Sequence[Mark], x: int, y: int) -> str:
    paint = f'fill="{place.look.fill}"' if place.look.fill else 'class="lx-paper"'
    ink = place.look.ink or readable(place.look.fill)
    said = ", ".join(m.look.title if m.look else m.words for m in marks) or "empty"
    parts = [
        f"<title>{raw(place.look.title)}: {raw(said)}</title>",
        f'<rect x="{x}" y="{y}" width="{_SIDE}" height="{_SIDE}" {paint} '
        'stroke="currentColor" stroke-opacity="0.5"/>',
        f'<text x="{x + 4}" y="{y + 11}" font-size="10" fill="{ink}" fill-opacity="0.75">'
        f"{raw(place.look.short[:6])}</text>",
    ]
    if marks:
        look = marks[0].look
        words = " ".join(mark.words for mark in marks)
        fill = look.fill if look else None
        if fill:
            parts.append(f'<circle cx="{x + _SIDE / 2:g}" cy="{y + 27}" r="15" fill="{fill}" '
                         'stroke="currentColor" stroke-opacity="0.6"/>')
            ink = (look and look.ink) or readable(fill)
        size = min(17.0, (_SIDE - 8) / (0.62 * max(1, len(words))))
        parts.append(f'<text x="{x + _SIDE / 2:g}" y="{y + 27 + size / 3:.1f}" '
                     f'font-size="{size:.1f}" font-weight="700" text-anchor="middle" '
                     f'fill="{ink}">{raw(words)}</text>')
    return f'<g class="lx-node">{"".join(parts)}</g>'
