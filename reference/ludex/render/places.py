"""Boards: places with positions and links, and what lies on them.

Where a place is and what it is linked to are columns of its kind; the display file names them. A
terminal and a page draw the same `Board`.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from ludex.language.types import Type
from ludex.render.faces import Faces, Look

__all__ = ["Board", "Mark", "Place", "backdrop_of", "board_of", "marks_of", "raster"]

Json = Mapping[str, Any]
#: Boards with more places, or links, are written in words.
_PLACES = 400
_LINKS = 1200
#: A board of squares has at most so many, empty ones counted.
_SQUARES = 2000


@dataclass(frozen=True)
class Place:
    """One place of a board.

    Attributes
    ----------
    look : Look
        How it is called and coloured.
    x, y : int
        Where it is, in the unit of its columns; y goes down.
    signs : tuple of Look
        What is printed on it.
    area : Look or None
        The group of places that it belongs to.
    links : tuple of str
        The ids of its neighbours, as the column gives them.
    """

    look: Look
    x: int
    y: int
    signs: tuple[Look, ...] = ()
    area: Look | None = None
    links: tuple[str, ...] = ()

    @property
    def id(self) -> str:
        """The id of the place."""
        return self.look.id

    @property
    def inner(self) -> str:
        """The sign that stands in the place itself, or nothing."""
        return self.look.symbol if self.look.symbol != self.look.short else ""

    @property
    def facts(self) -> str:
        """Area and signs in words, or nothing."""
        area = [self.area.title] if self.area else []
        return ", ".join([*area, *(sign.title for sign in self.signs)])


@dataclass(frozen=True)
class Board:
    """The places of one kind.

    Attributes
    ----------
    places : dict
        Id to place, in the order of the members.
    """

    places: Mapping[str, Place]

    def links(self) -> list[tuple[str, str]]:
        """Return every link once, whichever of its ends names it."""
        found: dict[frozenset[str], tuple[str, str]] = {}
        for place in self.places.values():
            for other in place.links:
                if other in self.places and other != place.id:
                    found.setdefault(frozenset((place.id, other)), (place.id, other))
        return list(found.values())

    def neighbours(self, place: str) -> list[str]:
        """Return the ids of the places that are linked to one, whichever end names the link."""
        return [b if a == place else a for a, b in self.links() if place in (a, b)]

    def areas(self) -> list[Look]:
        """Return the areas in the order in which they come up."""
        return list(dict.fromkeys(p.area for p in self.places.values() if p.area))

    def signs(self) -> list[Look]:
        """Return the signs in the order in which they come up."""
        return list(dict.fromkeys(s for p in self.places.values() for s in p.signs))


@dataclass(frozen=True)
class Mark:
    """Something that lies on a board.

    Attributes
    ----------
    place : str
        Where.
    words : str
        What, in a few letters: a player, a component, a number.
    owner : str or None
        Whose it is, if the variable has a value for each player.
    look : Look or None
        Colours, if it is a component or member.
    behind : str or None
        The place that it came from.
    """

    place: str
    words: str
    owner: str | None = None
    look: Look | None = None
    behind: str | None = None


def board_of(faces: Faces, item: Json) -> Board | None:
    """Return the board of a layout entry.

    Parameters
    ----------
    faces : Faces
        Of the game.
    item : mapping
        With ``places``: the kind and its columns.

    Returns
    -------
    Board or None
        None if it does not say where the places are, or if there are too many to draw.
    """
    places = item.get("places") or {}
    kind = places.get("kind", "")
    members = faces.document["kinds"].get(kind, {}).get("members", ())
    if not members or "x" not in places or "y" not in places or len(members) > _PLACES:
        return None
    found = {}
    for member in members:
        x, y = (_position(faces, kind, member, places[axis]) for axis in "xy")
        if x is None or y is None:
            return None
        found[member] = Place(
            faces.look(kind, member), x, -y if places.get("upward") else y,
            signs=tuple(_looks(faces, kind, member, places.get("signs"))),
            area=next(iter(_looks(faces, kind, member, places.get("area"))), None),
            links=tuple(look.id for look in _looks(faces, kind, member, places.get("links"))),
        )
    board = Board(found)
    return board if len(board.links()) <= _LINKS else None


def backdrop_of(faces: Faces, item: Json) -> list[Json]:
    """Return the lines below a map that belong to the component set in use."""
    inuse = faces.document.get("components", {}).get("set")
    return [line for line in item.get("backdrop", ()) if line.get("set", inuse) == inuse]


def raster(board: Board) -> list[list[Place | None]] | None:
    """Return the places in rows, from the top left; None if two would share a square."""
    columns = {x: i for i, x in enumerate(sorted({p.x for p in board.places.values()}))}
    rows = {y: i for i, y in enumerate(sorted({p.y for p in board.places.values()}))}
    if len(columns) * len(rows) > _SQUARES:
        return None
    found: list[list[Place | None]] = [[None] * len(columns) for _ in rows]
    for place in board.places.values():
        row, column = rows[place.y], columns[place.x]
        if found[row][column] is not None:
            return None
        found[row][column] = place
    return found


def _position(faces: Faces, kind: str, member: str, column: str) -> int | None:
    """Return a whole number; of a member of a kind its place among the members."""
    found = faces.column(kind, member, column)
    if found is None:
        return None
    type_, value = found
    if type_.head == "int" and type(value) is int:
        return value
    members = faces.document["kinds"].get(type_.name, {}).get("members", ())
    return members.index(value) if type_.head == "kind" and value in members else None


def _looks(faces: Faces, kind: str, member: str, column: str | None) -> Iterator[Look]:
    """Yield the looks of the members that a column holds."""
    found = faces.column(kind, member, column) if column else None
    if found is None:
        return
    type_, value = found
    while type_.args:
        type_ = type_.args[-1]
    for item in value if isinstance(value, list) else [value]:
        if type_.head == "kind" and isinstance(item, str):
            yield faces.look(type_.name, item)


def marks_of(
    faces: Faces, board: Board, value: Any, type_: Type, behind: Any = None
) -> list[Mark] | None:
    """Return what a variable puts on a board.

    Parameters
    ----------
    faces : Faces
        Of the game.
    board : Board
        With its places.
    value : object
        In canonical form: a place, a place for each player, or something for each place.
    type_ : Type
        Of `value`.
    behind : object, optional
        The value of the variable that says where each token came from; of the form of `value`.

    Returns
    -------
    list of Mark or None
        None if the variable has nothing to do with places. Places with nothing, zero, false or
        an empty list have no mark.
    """
    if type_.head == "map" and isinstance(value, Mapping):
        key, inner = type_.args
        if key.head == "player":
            if not _is_place(board, inner, value.values()):
                return None
            back = behind if isinstance(behind, Mapping) else {}
            return [
                Mark(v, k, owner=k, behind=back.get(k))
                for k, v in value.items() if v in board.places
            ]
        if all(k in board.places for k in value):
            return [_lying(faces, k, v, inner) for k, v in value.items()
                    if v not in (None, 0, False, [], "")]
        return None
    if _is_place(board, type_, [value]):
        came = behind if isinstance(behind, str) else None
        return [Mark(value, "*", behind=came)] if value in board.places else []
    return None


def _is_place(board: Board, type_: Type, values: Any) -> bool:
    inner = type_.args[0] if type_.head in ("optional", "slot") else type_
    return inner.head == "kind" and all(
        v is None or (isinstance(v, str) and v in board.places) for v in values
    )


def _lying(faces: Faces, place: str, value: Any, type_: Type) -> Mark:
    """Return the mark of what lies on a place; of a stack its top and the number."""
    number = ""
    while type_.args and type_.head != "map":
        if isinstance(value, list):
            number = f"x{len(value)}" if len(value) > 1 else ""
            value = value[0] if value else None
        type_ = type_.args[0]
    if type_.head == "kind" and isinstance(value, str):
        look = faces.look(type_.name, value)
        return Mark(place, look.symbol + number, look=look)
    words = "yes" if value is True else faces.text(value, type_)
    return Mark(place, words + number, owner=value if type_.head == "player" else None)
