"""Display files say nothing about what there is not: kinds, members, columns, zones, moves."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping
from typing import Any

from ludex.authoring.source import Cursor
from ludex.errors import SpecError, closest
from ludex.language.types import Type, holds_components

__all__ = ["check_display"]

_HOLE = re.compile(r"\{([^{}]*)\}")
#: What a template may ask of a component or a member.
_WORDS = ("short", "title", "symbol", "fill", "ink", "id")
#: Forms that only draw zones of components, and forms that only draw numbers.
_ZONES = ("row", "pile", "hand")
_NUMBERS = ("counter",)


def check_display(
    at: Cursor,
    members: Mapping[str, Collection[str]],
    columns: Mapping[str, Mapping[str, Type]],
    state: Mapping[str, Type],
    moves: Mapping[str, Mapping[str, Type]],
    errors: list[SpecError],
) -> None:
    """Check a display file against what its game declares.

    Parameters
    ----------
    at : Cursor
        The root of the file.
    members : mapping
        Kind to the ids of its members.
    columns : mapping
        Kind to column to type.
    state : mapping
        Variable to its type.
    moves : mapping
        Move to its parameters with their types.
    errors : list of SpecError
        Errors are added.
    """
    for kind, entries in _items(at, "members"):
        if _known(entries, kind, members, "kind", errors):
            for member, entry in entries.items():
                _known(entry, member, members[kind], f"member of {kind}", errors)
    for kind, face in _items(at, "faces"):
        if _known(face, kind, members, "kind", errors):
            for text in _texts(face):
                _template(text, {**columns.get(kind, {}), "id": Type("any")}, columns, errors)
    for item in at["layout"].elements() if "layout" in at else ():
        _layout(item, members, columns, state, errors)
    for move, text in _items(at, "moves"):
        if _known(text, move, moves, "move", errors):
            _template(text, moves[move], columns, errors)


def _items(at: Cursor, key: str) -> list[tuple[str, Cursor]]:
    return list(at[key].items()) if key in at else []


def _known(
    at: Cursor, word: str, known: Collection[str], what: str, errors: list[SpecError]
) -> bool:
    if word in known:
        return True
    errors.append(at.error(f"there is no {what} {word!r}", "display-name", closest(word, known),
                           at=at.key_place))
    return False


def _texts(face: Cursor) -> list[Cursor]:
    found = []
    for _, text in face.items():
        found += list(text.elements()) if isinstance(text.value, list) else [text]
    return found


def _template(
    at: Cursor,
    names: Mapping[str, Type],
    columns: Mapping[str, Mapping[str, Type]],
    errors: list[SpecError],
) -> None:
    """Check the names in braces: a column or parameter, its columns, then a word of its look."""
    if not isinstance(at.value, str):
        return
    for hole in _HOLE.finditer(at.value):
        known: Mapping[str, Any] = names
        parts = hole.group(1).split(".")
        for number, part in enumerate(parts):
            last = number == len(parts) - 1
            if last and number and part in _WORDS:
                break
            if part not in known:
                words = [*known, *(_WORDS if number else ())]
                errors.append(
                    at.error(f"the template names {part!r}, which there is not", "display-template",
                             closest(part, words) or f"there are {', '.join(words)}",
                             at=at.at_offset(hole.start()))
                )
                break
            type_ = known[part]
            while isinstance(type_, Type) and type_.head in ("optional", "slot"):
                type_ = type_.args[0]
            known = columns.get(type_.name, {}) if isinstance(type_, Type) else {}


def _instead(type_: Type) -> str:
    return "a counter draws a number" if type_.head == "int" else "a marker draws one value"


def _layout(
    at: Cursor,
    members: Mapping[str, Collection[str]],
    columns: Mapping[str, Mapping[str, Type]],
    state: Mapping[str, Type],
    errors: list[SpecError],
) -> None:
    zone, form = at["zone"], at.value["as"]
    if zone.value not in state:
        errors.append(zone.error(f"there is no variable {zone.value!r}", "display-name",
                                 closest(zone.value, state)))
        return
    type_ = state[zone.value]
    inner = type_
    while inner.head == "map":
        inner = inner.args[1]
    if form in _ZONES and not holds_components(inner) and inner.head != "list":
        errors.append(at["as"].error(f"a {form} draws components or a list, found {inner}",
                                     "display-form", _instead(inner)))
    if form in _NUMBERS and inner.head != "int" and not holds_components(inner):
        errors.append(at["as"].error(f"a {form} draws a number, found {inner}", "display-form",
                                     _instead(inner)))
    for key in ("middle", "behind"):
        other = at.get(key)
        if other is not None and other.value not in state:
            errors.append(other.error(f"there is no variable {other.value!r}", "display-name",
                                      closest(other.value, state)))
    places = at.get("places")
    if places is not None:
        _places(places, form, members, columns, errors)


def _places(
    places: Cursor,
    form: str,
    members: Mapping[str, Collection[str]],
    columns: Mapping[str, Mapping[str, Type]],
    errors: list[SpecError],
) -> None:
    """Check that the columns of a board exist, and that positions can be read as numbers."""
    kind = places["kind"]
    if kind.value not in members:
        errors.append(kind.error(f"there is no kind {kind.value!r}", "display-name",
                                 closest(kind.value, members)))
        return
    known = columns.get(kind.value, {})
    before = len(errors)
    for key in ("x", "y", "links", "signs", "area"):
        column = places.get(key)
        if column is None:
            continue
        if column.value not in known:
            errors.append(column.error(f"{kind.value} has no column {column.value!r}",
                                       "display-name", closest(column.value, known)))
            continue
        type_ = known[column.value]
        if key in ("x", "y") and type_.head not in ("int", "kind"):
            errors.append(column.error(
                f"a position is a number or a member of a kind, found {type_}", "display-form",
                "name a column of type int"))
        if key == "links" and _inner(type_) != kind.value:
            errors.append(column.error(
                f"links lead to members of {kind.value}, found {type_}", "display-form",
                f"name a column of type list({kind.value})"))
    whole = {"x", "y"} <= set(places.value)
    if form in ("graph", "grid") and not whole and len(errors) == before:
        errors.append(places.error(f"a {form} has to know where its places are", "display-form",
                                   "name the columns x and y"))


def _inner(type_: Type) -> str:
    while type_.args:
        type_ = type_.args[-1]
    return type_.name if type_.head == "kind" else ""
