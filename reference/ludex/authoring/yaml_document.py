"""A YAML file that has been read: its plain value, and the place of every part of it."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from ludex.errors import Place

__all__ = ["Document", "Node", "Path"]

#: From the root down: keys of mappings and indexes of lists.
Path = tuple[str | int, ...]

_ESCAPE_DIGITS = {"x": 2, "u": 4, "U": 8}
_ESCAPES = {
    "0": "\0", "a": "\a", "b": "\b", "t": "\t", "\t": "\t", "n": "\n", "v": "\v", "f": "\f",
    "r": "\r", "e": "\x1b", "N": "\x85", "_": "\xa0", "L": "\u2028", "P": "\u2029",
}  # fmt: skip


@dataclass(slots=True)
class Node:
    """One value of a file and where it stands.

    Attributes
    ----------
    value : dict, list, str, int, bool or None
        What it is.
    start, end : int
        Characters of the source text, counted from 0; ``end`` is the first one behind it.
    line, column : int
        Of ``start``, counted from 1.
    style : str
        ``""`` for a plain scalar, else the character that opens it: ``'``, ``"``, ``|``,
        ``>``, ``{``, ``[``; ``":"`` and ``"-"`` for mappings and lists in block style.
    items : list of Node
        Of a list.
    entries : dict
        Of a mapping: key to the nodes of key and value.
    """

    value: Any
    start: int
    end: int
    line: int
    column: int
    style: str
    items: list[Node] = field(default_factory=list)
    entries: dict[str, tuple[Node, Node]] = field(default_factory=dict)


class Document:
    """A file that has been read.

    Parameters
    ----------
    text : str
        The source, without byte order mark.
    file : str
        How places name it.
    root : Node
        The outermost value.

    Attributes
    ----------
    value : dict, list, str, int, bool or None
        Plain data.
    """

    def __init__(self, text: str, file: str, root: Node) -> None:
        self.text = text
        self.file = file
        self.root = root
        self.value: Any = root.value

    def place(self, path: Path) -> Place:
        """Return where the value at ``path`` begins.

        If there is no such value, it is the place of the nearest one around it.
        """
        return self._at(self._find(path)[1])

    def key_place(self, path: Path) -> Place:
        """Return where the key of the value at ``path`` begins.

        An entry of a list has no key: it is the place of the entry itself, and likewise for
        the whole document. If there is no such value, it is that of the nearest one around it.
        """
        key, node = self._find(path)
        return self._at(key or node)

    def text_place(self, path: Path, offset: int) -> Place:
        """Return where a character of the string at ``path`` stands.

        Parameters
        ----------
        path : tuple of str and int
            Of a string; anything else is placed where it begins.
        offset : int
            Character of the string, counted from 0; may be its length.

        Returns
        -------
        Place
            Exact, whatever quotes, escapes and line ends lie before it. A line end or space
            inside text of several lines is placed behind the character before it.
        """
        return self._inside(self._find(path)[1], offset)

    def key_text_place(self, path: Path, offset: int) -> Place:
        """Return where a character of the key of the value at ``path`` stands."""
        key, node = self._find(path)
        return self._inside(key, offset) if key else self._at(node)

    def _find(self, path: Path) -> tuple[Node | None, Node]:
        key: Node | None = None
        node = self.root
        for step in path:
            if isinstance(step, str):
                entry = node.entries.get(step)
                if entry is None:
                    break
                key, node = entry
            else:
                if not 0 <= step < len(node.items):
                    break
                key, node = None, node.items[step]
        return key, node

    def _at(self, node: Node) -> Place:
        return Place(self.file, node.line, node.column)

    def _inside(self, node: Node, offset: int) -> Place:
        if not isinstance(node.value, str):
            return self._at(node)
        raw = self.text[node.start : node.end]
        at = _raw_offset(raw, node.style, node.value, offset)
        lines = raw.count("\n", 0, at)
        if lines == 0:
            return Place(self.file, node.line, node.column + at)
        return Place(self.file, node.line + lines, at - raw.rfind("\n", 0, at))


def _raw_offset(raw: str, style: str, value: str, offset: int) -> int:
    """Return which character of the source ``raw`` became ``value[offset]``."""
    offset = min(max(offset, 0), len(value))
    chars = _characters(raw, style)
    if len(chars) == len(value):
        if offset < len(value):
            return chars[offset][1]
        if not chars:
            return min(len(style), len(raw))
        return len(raw) - (1 if style in ("'", '"') else 0)
    # Joining lines changes nothing but white space, so the other characters still correspond.
    solid = [at for char, at in chars if not char.isspace()]
    before = sum(1 for char in value[:offset] if not char.isspace())
    if offset < len(value) and not value[offset].isspace() and before < len(solid):
        return solid[before]
    if 0 < before <= len(solid):
        return solid[before - 1] + 1
    return 0


def _characters(raw: str, style: str) -> list[tuple[str, int]]:
    """Return the characters that ``raw`` stands for, each with its offset; lines not joined."""
    if style == '"':
        return _unescaped(raw)
    if style == "'":
        found = []
        at, end = 1, len(raw) - 1
        while at < end:
            found.append((raw[at], at))
            at += 2 if raw[at] == "'" else 1
        return found
    begin = 0
    if style in ("|", ">"):
        begin = raw.find("\n") + 1 or len(raw)
    return [(raw[at], at) for at in range(begin, len(raw))]


def _unescaped(raw: str) -> list[tuple[str, int]]:
    found: list[tuple[str, int]] = []
    at, end = 1, len(raw) - 1
    while at < end:
        if raw[at] != "\\":
            found.append((raw[at], at))
            at += 1
            continue
        kind = raw[at + 1]
        digits = _ESCAPE_DIGITS.get(kind)
        if digits:
            found.append((chr(int(raw[at + 2 : at + 2 + digits], 16)), at))
            at += 2 + digits
        elif kind in "\r\n":
            at += 2  # an escaped line end stands for nothing
        else:
            found.append((_ESCAPES.get(kind, kind), at))
            at += 2
    return found
