"""Looks and words: the display data of a game, resolved for one component, value or move.

Templates hold names in braces: ``{colour.short}``. They come from files, so they are no format
strings: a name is looked up among columns, arguments and the words of a `Look`, and nowhere else.
What cannot be looked up stays as it is written.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from ludex.language.types import Type, TypeSyntaxError, parse_type

__all__ = ["Faces", "Look", "clean", "fill_in"]

Json = dict[str, Any]
#: A value with its type, or a text that is ready.
Found = tuple[Type, Any] | str

_HOLE = re.compile(r"\{([a-z_][a-z0-9_]*(?:\.[a-z_][a-z0-9_]*)*)\}")
_COLOUR = re.compile(r"#[0-9a-f]{6}\Z")
#: What a name after a dot may ask of a component or a member.
_LOOK_WORDS = ("short", "title", "symbol", "fill", "ink", "id")
#: Looks may use looks of other kinds, but not in circles.
_DEPTH = 3
_UNKNOWN = Type("any")


@dataclass(frozen=True)
class Look:
    """How one component or member is shown.

    Attributes
    ----------
    id : str
        As in positions and moves.
    short : str
        A few characters.
    title : str
        The words in sentences.
    symbol : str
        A sign, or `short` where there is none or the terminal cannot print it.
    fill, ink : str or None
        Colours like ``"#2e9e4f"``.
    drawn : bool
        Whether the display file gives this kind a face; if so it is drawn as a card.
    lines : tuple of str
        What else stands on it.
    """

    id: str
    short: str
    title: str
    symbol: str
    fill: str | None = None
    ink: str | None = None
    drawn: bool = False
    lines: tuple[str, ...] = ()

    @property
    def full(self) -> str:
        """The title, with what else stands on the component."""
        return f"{self.title}: {'; '.join(self.lines)}" if self.lines else self.title


def clean(text: str) -> str:
    """Return a text without characters that could steer a terminal."""
    return "".join(c if c.isprintable() else "?" for c in text)


def fill_in(template: str, look_up: Callable[[list[str]], str | None]) -> str:
    """Replace the names in braces.

    Parameters
    ----------
    template : str
        For example ``"{card} at the {end} end"``.
    look_up : callable
        From the parts of a name (``["card", "colour"]``) to its text, or None if there is none.

    Returns
    -------
    str
        Names without a text stay as they are; a text that is put in is not read again.
    """

    def put(match: re.Match[str]) -> str:
        text = look_up(match.group(1).split("."))
        return match.group() if text is None else text

    return clean(_HOLE.sub(put, template))


class Faces:
    """The looks of a game.

    Parameters
    ----------
    document : mapping
        The game document.
    encoding : str
        Of the output. Symbols that it cannot say are replaced by letters.
    """

    def __init__(self, document: Mapping[str, Any], encoding: str = "utf-8") -> None:
        self.document = document
        self.display: Mapping[str, Any] = document.get("text", {}).get("display", {})
        self._kinds: Mapping[str, Any] = document["kinds"]
        self._index = {
            kind: {m: i for i, m in enumerate(d["members"])} for kind, d in self._kinds.items()
        }
        self._moves: dict[str, Json] = {m["name"]: m for m in document["moves"]}
        self._encoding = encoding
        self._looks: dict[tuple[str, str], Look] = {}

    def type(self, text: str) -> Type:
        """Read a type text; what is no type is ``any``."""
        try:
            return parse_type(text, self._kinds)
        except TypeSyntaxError:
            return _UNKNOWN

    # -- looks -------------------------------------------------------------------------------

    def look(self, kind: str, member: str) -> Look:
        """Return the look of a component or member; its id where nothing else is said."""
        return self._look(kind, member, 0)

    def _look(self, kind: str, member: str, depth: int) -> Look:
        key = kind, member
        if key in self._looks:
            return self._looks[key]
        said = self.display.get("members", {}).get(kind, {}).get(member, {})
        face = self.display.get("faces", {}).get(kind, {})
        if depth > _DEPTH:
            said = face = {}
        words: dict[str, str] = {}
        for word in _LOOK_WORDS[:-1]:
            if word in said:
                words[word] = clean(said[word])
            elif word in face:
                words[word] = fill_in(
                    face[word], lambda name: self._of_component(kind, member, name, depth + 1)
                )
        short = self._printable(words.get("short"), clean(member))
        look = Look(
            id=member,
            short=short,
            title=words.get("title", clean(member)),
            symbol=self._printable(words.get("symbol"), short),
            fill=_colour(words.get("fill")),
            ink=_colour(words.get("ink")),
            drawn=bool(face),
            lines=tuple(
                self._line(kind, member, line) for line in face.get("lines", ())
                if depth == 0 and self._says(kind, member, line)
            ),
        )
        if depth == 0:
            self._looks[key] = look
        return look

    def _line(self, kind: str, member: str, line: str) -> str:
        return fill_in(line, lambda name: self._of_component(kind, member, name, 1))

    def _says(self, kind: str, member: str, line: str) -> bool:
        """Return whether every column that a line names holds something."""
        for hole in _HOLE.finditer(line):
            found = self.column(kind, member, hole.group(1).split(".")[0])
            if found is not None and found[1] in (None, False, 0, []):
                return False
        return True

    def _printable(self, text: str | None, instead: str) -> str:
        if text is None:
            return instead
        try:
            text.encode(self._encoding)
        except (UnicodeEncodeError, LookupError):
            return instead
        return text

    def _of_component(self, kind: str, member: str, name: list[str], depth: int) -> str | None:
        """Resolve a name inside a face: the first part is a column."""
        if name == ["id"]:
            return member
        found: Found | None = self.column(kind, member, name[0])
        return self._follow(found, name[1:], depth)

    def _follow(self, found: Found | None, name: list[str], depth: int) -> str | None:
        for part in name:
            if found is None or isinstance(found, str):
                return None
            type_, value = found
            if type_.head in ("optional", "slot"):
                type_ = type_.args[0]
            if type_.head != "kind" or not isinstance(value, str):
                return None
            if part in _LOOK_WORDS:
                text: str | None = getattr(self._look(type_.name, value, depth), part)
                found = text
            else:
                found = self.column(type_.name, value, part)
        if found is None or isinstance(found, str):
            return found
        return self._text(found[1], found[0], depth)

    def column(self, kind: str, member: str, name: str) -> tuple[Type, Any] | None:
        """Return what a component says in a column, with its type; None if there is none."""
        column = self._kinds.get(kind, {}).get("columns", {}).get(name)
        row = self._index.get(kind, {}).get(member)
        if column is None or row is None:
            return None
        return self.type(column["type"]), column["values"][row]

    # -- words -------------------------------------------------------------------------------

    def text(self, value: Any, type_: Type) -> str:
        """Return a canonical value in words."""
        return self._text(value, type_, 0)

    def _text(self, value: Any, type_: Type, depth: int) -> str:
        head = type_.head
        if value is None:
            return "nothing"
        if value == {"hidden": True}:
            return "hidden"
        if isinstance(value, bool):
            return "yes" if value else "no"
        if head in ("optional", "slot"):
            return self._text(value, type_.args[0], depth)
        if head == "kind" and isinstance(value, str):
            return self._look(type_.name, value, depth).title
        if isinstance(value, list):
            inner = type_.args[0] if type_.args else _UNKNOWN
            return ", ".join(self._text(v, inner, depth) for v in value) or "nothing"
        if head == "map" and isinstance(value, Mapping):
            key, inner = type_.args
            return ", ".join(
                f"{self._text(k, key, depth)}: {self._text(v, inner, depth)}"
                for k, v in value.items()
            )
        return clean(value if isinstance(value, str) else json.dumps(value, ensure_ascii=False))

    def move(self, move: Mapping[str, Any]) -> str:
        """Return a move in words, without its actor.

        Parameters
        ----------
        move : mapping
            ``{"actor", "move", "args"}`` of this game.
        """
        declared = self._moves[move["move"]]
        types = {p["name"]: self.type(p["type"]) for p in declared["params"]}
        args = move.get("args", {})

        def look_up(name: list[str]) -> str | None:
            if name == ["actor"]:
                return str(move["actor"])
            if name[0] not in types:
                return None
            if name[0] in absent:
                return ""
            return self._follow((types[name[0]], args.get(name[0])), name[1:], 0)

        # an argument that is not there leaves a gap, which is closed
        absent = {p["name"] for p in declared["params"] if p.get("when")} - set(args)
        template = self.display.get("moves", {}).get(move["move"])
        if template is not None:
            said = fill_in(template, look_up)
            return re.sub(r" {2,}", " ", said).rstrip(" ,:") if absent else said
        said = ", ".join(
            f"{name} {self.text(args[name], type_)}"
            for name, type_ in types.items()
            if name in args
        )
        title = clean(declared["title"])
        return f"{title}: {said}" if said else title

    def components(self, move: Mapping[str, Any]) -> list[Look]:
        """Return the looks of the components that a move names, in the order of its parameters."""
        looks = []
        for param in self._moves[move["move"]]["params"]:
            type_, value = self.type(param["type"]), move.get("args", {}).get(param["name"])
            inner = type_
            while inner.args:
                inner = inner.args[-1]
            if inner.head != "kind":
                continue
            items = value if isinstance(value, list) else [value]
            found = [self.look(inner.name, v) for v in items if isinstance(v, str)]
            looks += [look for look in found if look.drawn]
        return looks


def _colour(text: str | None) -> str | None:
    return text if text is not None and _COLOUR.match(text) else None
