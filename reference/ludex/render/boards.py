"""Boards on a terminal: squares in rows, and of a graph what matters around its tokens.

A map of many places does not fit a terminal. So each token says where it is, what is printed
there, where it came from, and where it can go.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from rich.cells import cell_len
from rich.console import Group, RenderableType
from rich.style import Style
from rich.table import Table
from rich.text import Text

from ludex.language.types import Type
from ludex.render.blocks import style_of
from ludex.render.faces import Faces
from ludex.render.places import Board, Mark, board_of, marks_of, raster

__all__ = ["draw_board"]

Json = Mapping[str, Any]
_NOTE = Style(dim=True)
_STRONG = Style(bold=True)
#: A wider raster is written in words.
_WIDTH = 76


def draw_board(
    faces: Faces, item: Json, view: Json, type_: Type, seat: str | None
) -> RenderableType | None:
    """Draw what lies on a board.

    Parameters
    ----------
    faces : Faces
        Of the game.
    item : mapping
        The layout entry, ``as: graph`` or ``as: grid``.
    view : mapping
        An observation, or the whole table state.
    type_ : Type
        Of the entry's variable.
    seat : str or None
        The player who looks.

    Returns
    -------
    RenderableType or None
        None if the variable has nothing to do with places, or does not fit.
    """
    board = board_of(faces, item) if item["as"] in ("graph", "grid") else None
    if board is None:
        return None
    marks = marks_of(faces, board, view[item["zone"]], type_, view.get(item.get("behind", "")))
    if marks is None:
        return None
    return _squares(board, marks) if item["as"] == "grid" else _around(board, marks, seat)


def _squares(board: Board, marks: Sequence[Mark]) -> RenderableType | None:
    """Draw rows of squares; an empty one shows its name if there is room, so one can type it."""
    rows = raster(board)
    if rows is None:
        return None
    lying = {mark.place: mark for mark in marks}
    for names in (True, False):
        words = {p.id: lying[p.id].words if p.id in lying else p.look.short if names else "."
                 for p in board.places.values()}
        wide = max(map(cell_len, words.values())) + 2
        if wide * len(rows[0]) <= _WIDTH:
            break
    else:
        return None
    lines = []
    for row in rows:
        line = Text(no_wrap=True)
        for place in row:
            if place is None:
                line.append(" " * wide)
                continue
            mark = lying.get(place.id)
            style = _NOTE if mark is None else style_of(mark.look) if mark.look else _STRONG
            text = words[place.id]
            left = (wide - cell_len(text)) // 2
            line.append(" " * left)
            line.append(text, style)
            line.append(" " * (wide - left - cell_len(text)))
        lines.append(line)
    return Group(*lines)


def _around(board: Board, marks: Sequence[Mark], seat: str | None) -> RenderableType:
    table = Table.grid(padding=(0, 2))
    table.add_column(overflow="fold")
    table.add_column(overflow="fold")
    for mark in marks:
        place = board.places[mark.place]
        title = mark.look.title if mark.look else mark.words
        you = mark.owner is not None and mark.owner == seat
        name = Text(f"{title} (you)" if you else title, _STRONG if you else Style.null())
        here = Text.assemble((place.look.title, _STRONG))
        if place.facts:
            here.append(f"  {place.facts}")
        ways = []
        if mark.behind in board.places:
            ways.append(f"came from {board.places[str(mark.behind)].look.title}")
        nearby = [board.places[p].look.title for p in board.neighbours(mark.place)]
        if nearby:
            ways.append(f"next to {', '.join(nearby)}")
        if ways:
            here.append("\n").append("; ".join(ways), _NOTE)
        table.add_row(name, here)
    return table if marks else Text("empty", _NOTE)
