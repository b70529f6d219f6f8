"""Positions as pictures: what lies on the table, as the game's display data says.

The layout says which variables come in which order and form. A form that does not fit a value and
a variable outside the layout are written as plain words or tables. The result is HTML with one
small SVG for each card or stack, so that a long row flows over several lines on a narrow screen,
and one for each board.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from ludex.language.types import ZONES, Type
from ludex.pages.cards import Sheet
from ludex.pages.graph import draw_graph
from ludex.pages.grid import draw_grid
from ludex.pages.markup import raw
from ludex.render import Faces, Look
from ludex.render.arms import two_arms
from ludex.render.places import backdrop_of, board_of, marks_of

__all__ = ["draw", "zone_titles"]

Json = Mapping[str, Any]
#: A track with more places, and a heap with more components, is written as a number.
_TRACK = 60
_HEAP = 60
_EMPTY = '<span class="lx-none">empty</span>'


def draw(
    faces: Faces,
    sheet: Sheet,
    view: Json,
    before: Json | None = None,
    *,
    whole: bool = True,
) -> str:
    """Draw what lies on the table.

    Parameters
    ----------
    faces : Faces
        Of the game.
    sheet : Sheet
        Of the page.
    view : mapping
        A table state or an observation, or a part of one.
    before : mapping, optional
        The same before a move; what differs is marked.
    whole : bool
        Whether what does not differ is drawn, too.
    """
    types = {v["name"]: faces.type(v["type"]) for v in faces.document["state"]}
    layout = list(faces.display.get("layout", ()))
    named = {item["zone"] for item in layout} | {item.get("behind") for item in layout}
    layout += [{"zone": v, "as": "plain", "title": v} for v in view if v not in named]
    parts = []
    for item in layout:
        zone = item["zone"]
        if zone not in view or zone not in types:
            continue
        words = "" if before is None else _difference(before.get(zone), view[zone])
        if not (whole or words):
            continue
        mark = f' <span class="lx-mark">{raw(words)}</span>' if words else ""
        wide = " lx-wide" if item["as"] in ("row", "path", "graph") else ""
        middle = item.get("middle")
        between = (view[middle], types[middle]) if middle in view else None
        inner = _board(faces, sheet, item, view, types[zone])
        if inner is None:
            value = view[zone]
            if before is not None and not whole:
                value = _changed(before.get(zone), value)
            inner = _Drawing(faces, sheet, item, between).zone(value, types[zone])
        parts.append(f'<div class="lx-zone{wide}{" lx-changed" if mark else ""}">'
                     f'<div class="lx-title">{raw(item["title"])}{mark}</div>{inner}</div>')
    return f'<div class="lx-table" data-search-exclude>{"".join(parts)}</div>'


def _board(faces: Faces, sheet: Sheet, item: Json, view: Json, type_: Type) -> str | None:
    """Draw a board of places with what lies on it; None if this is no board."""
    board = board_of(faces, item) if item["as"] in ("graph", "grid") else None
    if board is None:
        return None
    behind = view.get(item.get("behind", ""))
    marks = marks_of(faces, board, view[item["zone"]], type_, behind)
    if marks is None:
        return None
    title = str(item["title"])
    if item["as"] == "grid":
        return draw_grid(board, marks, title)
    return draw_graph(sheet, board, marks, title, backdrop_of(faces, item))


def _difference(before: Any, after: Any) -> str:
    """Return ``changed``, and of whom where each has an own zone; nothing if all is as it was."""
    if before == after:
        return ""
    if isinstance(before, Mapping) and isinstance(after, Mapping):
        return f"changed: {', '.join(k for k in after if after[k] != before.get(k))}"
    return "changed"


def _changed(before: Any, after: Any) -> Any:
    """Return the parts of a variable that differ, if it has parts with names."""
    if isinstance(before, Mapping) and isinstance(after, Mapping) and set(before) == set(after):
        return {k: v for k, v in after.items() if v != before[k]}
    return after


def zone_titles(faces: Faces) -> dict[str, str]:
    """Return the heading of every variable."""
    titles = {v["name"]: str(v["name"]) for v in faces.document["state"]}
    titles.update((item["zone"], item["title"]) for item in faces.display.get("layout", ()))
    return titles


class _Drawing:
    """Draws one entry of the layout."""

    def __init__(
        self, faces: Faces, sheet: Sheet, item: Json, middle: tuple[Any, Type] | None = None
    ) -> None:
        self.faces = faces
        self.sheet = sheet
        self.item = item
        self.middle = middle
        forms: dict[str, Callable[[Any, Type], str]] = {
            "row": self.row, "path": self.row, "hand": self.row, "pile": self.pile,
            "counter": self.counter, "track": self.track, "marker": self.marker,
        }
        self.form = forms.get(item["as"], self.plain)

    def zone(self, value: Any, type_: Type) -> str:
        if type_.head == "map" and isinstance(value, Mapping) and not _is_hidden(value):
            key, inner = type_.args
            return '<div class="lx-owners">' + "".join(
                f'<div class="lx-owner"><span class="lx-name">{raw(self.faces.text(k, key))}'
                f"</span>{self.part(v, inner, k)}</div>"
                for k, v in value.items()
            ) + "</div>"
        return self.part(value, type_)

    def part(self, value: Any, type_: Type, owner: str | None = None) -> str:
        if isinstance(value, Mapping) and set(value) == {"hidden"}:
            return '<span class="lx-none">hidden</span>'
        if isinstance(value, Mapping) and set(value) == {"count"}:
            return _line(self.sheet.heap(value["count"], f"{self.item['title']}, hidden"))
        if self.item["as"] == "path":
            found = two_arms(value, type_, self.middle, owner)
            if found is not None:
                return _line("".join(self.sheet.card(self.look(m, kind)) for m, kind in found))
        return self.form(value, type_)

    # -- forms -------------------------------------------------------------------------------

    def row(self, value: Any, type_: Type) -> str:
        """Draw components and stacks side by side, in order."""
        if type_.head == "slot":
            return self.slot(value, type_)
        if not isinstance(value, list) or not type_.args:
            return self.plain(value, type_)
        inner = type_.args[0]
        if inner.head == "stack":
            stacks = [self.looks(stack, inner) for stack in value]
            return _line("".join(
                self.sheet.stack(looks) if looks else self.sheet.empty_place("an empty stack")
                for looks in stacks
            ))
        if type_.head == "stack":
            looks = self.looks(value, type_)
            return _line(self.sheet.stack(looks) if looks else "")
        if inner.head != "kind":
            return self.plain(value, type_)
        return _line("".join(self.sheet.card(look) for look in self.looks(value, type_)))

    def pile(self, value: Any, type_: Type) -> str:
        """Draw a heap: its number, and what it holds unless that is a shuffled deck."""
        if type_.head == "slot":
            return self.slot(value, type_)
        if not isinstance(value, list) or type_.head not in ZONES:
            return self.plain(value, type_)
        heap = self.sheet.heap(len(value), str(self.item["title"]))
        if type_.head == "deck" or not value or len(value) > _HEAP:
            return _line(heap)
        ordered = type_.head == "stack"
        chips = self.sheet.chips(self.looks(value, type_), grouped=not ordered)
        note = '<span class="lx-none">top first</span>' if ordered else ""
        return _line(f"{heap}{chips}{note}")

    def slot(self, value: Any, type_: Type) -> str:
        if value is None:
            return _line(self.sheet.empty_place(f"{self.item['title']}: empty"))
        look = self.look(value, type_.args[0])
        words = (f'<span class="lx-lines">{raw(look.title)}<br>{"<br>".join(map(raw, look.lines))}'
                 "</span>" if look.lines else "")
        return _line(self.sheet.card(look) + words)

    def counter(self, value: Any, type_: Type) -> str:
        limits = self.item.get("range")
        note = (f' <span class="lx-none">({limits["from"]} to {limits["to"]})</span>'
                if limits else "")
        if type(value) is not int:
            return self.plain(value, type_)
        return f'<span class="lx-number">{value}</span>{note}'

    def track(self, value: Any, type_: Type) -> str:
        """Draw numbered places, the present one filled."""
        limits = self.item.get("range")
        if type(value) is not int or not limits:
            return self.plain(value, type_)
        first, last = limits["from"], limits["to"]
        if not first <= value <= last or last - first > _TRACK:
            return self.counter(value, type_)
        places = "".join(
            f'<span class="lx-place{" lx-here" if n == value else ""}"'
            f'{" aria-current=true" if n == value else ""}>{n}</span>'
            for n in range(first, last + 1)
        )
        return f'<div class="lx-track">{places}</div>'

    def marker(self, value: Any, type_: Type) -> str:
        """Draw a sign at what a variable names."""
        inner = type_.args[0] if type_.head in ("optional", "slot") else type_
        if inner.head == "kind" and isinstance(value, str):
            look = self.look(value, inner)
            if look.drawn or look.fill:
                return _line(self.sheet.card(look))
        return f'<span class="lx-number">{raw(self.faces.text(value, type_))}</span>'

    # -- from the type alone -----------------------------------------------------------------

    def plain(self, value: Any, type_: Type) -> str:
        if isinstance(value, Mapping) and set(value) in ({"hidden"}, {"count"}):
            return self.part_words(value)
        if isinstance(value, Mapping):
            key, inner = type_.args if type_.head == "map" else (Type("any"), Type("any"))
            return _rows([(self.faces.text(k, key), self.plain(v, inner))
                          for k, v in value.items()])
        if isinstance(value, list) and type_.args and value:
            inner = type_.args[0]
            if inner.head == "kind":
                grouped = type_.head in ("bag", "deck")
                return _line(self.sheet.chips(self.looks(value, type_), grouped=grouped))
            if inner.args:
                return _rows([(str(i), self.plain(v, inner)) for i, v in enumerate(value, 1)])
        if isinstance(value, list) and not value:
            return _EMPTY
        return f"<span>{raw(self.faces.text(value, type_))}</span>"

    def part_words(self, value: Json) -> str:
        if "hidden" in value:
            return '<span class="lx-none">hidden</span>'
        return f'<span class="lx-none">{raw(_count(value["count"]))}</span>'

    # -- pieces ------------------------------------------------------------------------------

    def look(self, member: Any, kind: Type) -> Look:
        return self.faces.look(kind.name, str(member))

    def looks(self, members: Any, type_: Type) -> list[Look]:
        items = members if isinstance(members, list) else []
        return [self.look(m, type_.args[0]) for m in items]


def _count(count: int | None) -> str:
    return "hidden, number unknown" if count is None else f"{count} hidden"


def _is_hidden(value: Json) -> bool:
    return set(value) in ({"count"}, {"hidden"})


def _line(drawn: str) -> str:
    return f'<div class="lx-line">{drawn}</div>' if drawn else _EMPTY


def _rows(rows: list[tuple[str, str]]) -> str:
    body = "".join(f'<tr><th scope="row">{raw(name)}</th><td>{drawn}</td></tr>'
                   for name, drawn in rows)
    return f'<table class="lx-plain">{body}</table>'
