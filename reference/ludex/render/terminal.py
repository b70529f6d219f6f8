"""A position as text with colours: from an observation to what `rich` prints.

The layout says which variables come in which order and form. A form that does not fit a value, a
form that only a picture can show, and a variable outside the layout are drawn plainly.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from rich.console import Group, RenderableType
from rich.padding import Padding
from rich.style import Style
from rich.table import Table
from rich.text import Text

from ludex.language.types import ZONES, Type
from ludex.render.arms import two_arms
from ludex.render.blocks import Card, Flow, Strip, chips, count_of, style_of
from ludex.render.boards import draw_board
from ludex.render.faces import Faces, Look, clean

__all__ = ["draw", "player_name"]

Json = dict[str, Any]
_TITLE = Style(bold=True)
_NOTE = Style(dim=True)
_YOU = Style(bold=True)
#: A track with more places is written as a number.
_TRACK = 40


def draw(faces: Faces, view: Mapping[str, Any], seat: str | None = None) -> Group:
    """Draw what lies on the table.

    Parameters
    ----------
    faces : Faces
        Of the game.
    view : mapping
        An observation, or the whole table state in the same shape.
    seat : str, optional
        The player who looks; called "you".

    Returns
    -------
    Group
        For a `rich` console. It wraps to the console's width.
    """
    types = {v["name"]: faces.type(v["type"]) for v in faces.document["state"]}
    layout = list(faces.display.get("layout", ()))
    named = {item["zone"] for item in layout} | {item.get("behind") for item in layout}
    layout += [{"zone": v, "as": "plain", "title": v} for v in view if v not in named]
    parts: list[RenderableType] = []
    for item in layout:
        zone = item["zone"]
        if zone not in view:
            continue
        title = Text.assemble((clean(item["title"]), _TITLE))
        if "note" in item:
            title.append("  ").append(clean(item["note"]), _NOTE)
        middle = item.get("middle")
        between = (view[middle], types[middle]) if middle in view else None
        drawing = draw_board(faces, item, view, types[zone], seat)
        if drawing is None:
            drawing = _Drawing(faces, item, seat, between).zone(view[zone], types[zone])
        parts += [title, Padding(drawing, (0, 0, 0, 2))]
    return Group(*parts)


def player_name(player: str, seat: str | None) -> str:
    """Return ``p1 (you)`` or ``p2``."""
    return f"{player} (you)" if player == seat else player


class _Drawing:
    """Draws one entry of the layout."""

    def __init__(
        self, faces: Faces, item: Json, seat: str | None, middle: tuple[Any, Type] | None = None
    ) -> None:
        self.faces = faces
        self.item = item
        self.seat = seat
        self.middle = middle
        #: whose thing is being drawn
        self.owner: str | None = None
        forms: dict[str, Callable[[Any, Type], RenderableType]] = {
            "row": self.row, "path": self.path, "hand": self.hand, "pile": self.pile,
            "counter": self.counter, "track": self.track,
        }
        self.form = forms.get(item["as"], self.plain)

    def zone(self, value: Any, type_: Type) -> RenderableType:
        if _by_player(value, type_):
            return self.players(value, type_.args[1])
        return self.form(value, type_)

    def players(self, value: Mapping[str, Any], type_: Type) -> RenderableType:
        """Draw what each player has: small things side by side, others one below the other."""
        drawn = []
        for self.owner, part in value.items():
            drawn.append((self.name(self.owner), self.form(part, type_)))
        self.owner = None
        small = [(n, d) for n, d in drawn if isinstance(d, Text)]
        large = [(n, d) for n, d in drawn if not isinstance(d, Text)]
        parts: list[RenderableType] = []
        if large:
            parts.append(_rows(large))
        if small:
            parts.append(Flow([Text.assemble(n, "  ", d) for n, d in small]))
        return Group(*parts)

    def name(self, player: str) -> Text:
        style = _YOU if player == self.seat else Style.null()
        return Text(player_name(player, self.seat), style)

    # -- forms -------------------------------------------------------------------------------

    def row(self, value: Any, type_: Type) -> RenderableType:
        """Draw components side by side; of a stack the top one and how many it holds."""
        if not isinstance(value, list):
            return self.plain(value, type_)
        if type_.head == "list" and type_.args[0].head == "stack":
            kind = type_.args[0].args[0]
            return self.strip([self.card(s[0], kind, len(s)) for s in value if s])
        if type_.args and type_.args[0].head == "kind":
            return self.strip([self.card(v, type_.args[0]) for v in value])
        return self.plain(value, type_)

    def path(self, value: Any, type_: Type) -> RenderableType:
        """Draw what is joined; of two stacks by key the first, what is between, and the second."""
        found = two_arms(value, type_, self.middle, self.owner)
        if found is None:
            return self.row(value, type_)
        return self.strip([self.card(member, kind) for member, kind in found])

    def hand(self, value: Any, type_: Type) -> RenderableType:
        return self.row(value, type_)

    def pile(self, value: Any, type_: Type) -> RenderableType:
        """Draw a heap: how many, and the top one or all where they are seen."""
        if not isinstance(value, list) or type_.head not in ZONES:
            return self.plain(value, type_)
        if type_.head == "stack" and value:
            return self.strip([self.card(value[0], type_.args[0], len(value))])
        count = Text(count_of(len(value), type_.args[0].name))
        return count.append("  ").append_text(self.chips(value, type_)) if value else count

    def counter(self, value: Any, type_: Type) -> RenderableType:
        drawn = self.plain(value, type_)
        limits = self.item.get("range")
        if limits and isinstance(drawn, Text):
            drawn.append(f"  ({limits['from']} to {limits['to']})", _NOTE)
        return drawn

    def track(self, value: Any, type_: Type) -> RenderableType:
        """Draw numbered places with the present one in brackets."""
        limits = self.item.get("range")
        if type(value) is not int or not limits:
            return self.plain(value, type_)
        first, last = limits["from"], limits["to"]
        if not first <= value <= last or last - first > _TRACK:
            return self.counter(value, type_)
        line = Text()
        for place in range(first, last + 1):
            here = place == value
            line.append(f"[{place}]" if here else f" {place} ", Style(bold=here, dim=not here))
        return line

    # -- from the type alone -----------------------------------------------------------------

    def plain(self, value: Any, type_: Type) -> RenderableType:
        head = type_.head
        if head == "map" and isinstance(value, Mapping):
            key, inner = type_.args
            name = self.name if key.head == "player" else (
                lambda k: Text(self.faces.text(k, key))
            )
            return _rows([(name(k), self.plain(v, inner)) for k, v in value.items()])
        if isinstance(value, Mapping) and set(value) == {"hidden"}:
            return Text("hidden", _NOTE)
        if isinstance(value, Mapping) and set(value) == {"count"}:
            return Text(count_of(value["count"], _kind(type_)))
        if isinstance(value, list) and head == "list" and type_.args[0].head in (*ZONES, "list"):
            inner = type_.args[0]
            if not value:
                return Text("empty", _NOTE)
            return _rows([(Text(f"{i}"), self.plain(v, inner)) for i, v in enumerate(value, 1)])
        if isinstance(value, list) and type_.args and type_.args[0].head == "kind":
            if not value:
                return Text("empty", _NOTE)
            line = self.chips(value, type_)
            return line.append("  (top first)", _NOTE) if head == "stack" else line
        if head in ("optional", "slot") and value is None:
            return Text("empty" if head == "slot" else "nothing", _NOTE)
        inner = type_.args[0] if head in ("optional", "slot") else type_
        if inner.head == "kind" and isinstance(value, str):
            look = self.look(value, inner)
            if look.drawn:
                return Text.assemble(chips([look]), f" {look.full}")
        return Text(self.faces.text(value, type_))

    # -- pieces ------------------------------------------------------------------------------

    def look(self, member: Any, kind: Type) -> Look:
        return self.faces.look(kind.name, str(member))

    def chips(self, members: Sequence[Any], type_: Type) -> Text:
        looks = [self.look(m, type_.args[0]) for m in members]
        return chips(looks, grouped=type_.head in ("bag", "deck"))

    def card(self, member: Any, kind: Type, count: int | None = None) -> Card:
        look = self.look(member, kind)
        lines = (look.short,) if count is None else (look.short, f"x{count}")
        return Card(lines, style_of(look))

    def strip(self, cards: list[Card]) -> RenderableType:
        return Strip(cards) if cards else Text("empty", _NOTE)


def _by_player(value: Any, type_: Type) -> bool:
    return type_.head == "map" and type_.args[0].head == "player" and isinstance(value, Mapping)


def _rows(rows: Sequence[tuple[Text, RenderableType]]) -> Table:
    """Return a table of names and drawings."""
    table = Table.grid(padding=(0, 2))
    table.add_column(vertical="middle", overflow="fold")
    table.add_column(overflow="fold")
    for name, drawing in rows:
        table.add_row(name, drawing)
    return table


def _kind(type_: Type) -> str:
    """Return the kind that a zone holds, or an empty name."""
    while type_.args:
        type_ = type_.args[-1]
    return type_.name if type_.head == "kind" else ""
