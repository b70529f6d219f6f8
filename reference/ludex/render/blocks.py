"""The pieces of a drawing: cards in boxes that flow over lines, chips, counts in words."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby

from rich.cells import cell_len, set_cell_size
from rich.console import Console, ConsoleOptions
from rich.measure import Measurement
from rich.style import Style
from rich.text import Text

from ludex.render.faces import Look

__all__ = ["Card", "Flow", "Strip", "chip", "chips", "count_of", "style_of"]

_GAP = 1
_ROUND = "╭─╮│╰╯"
_ASCII = "+-+|++"


def style_of(look: Look) -> Style:
    """Return the colours of a look; ink that can be read where only a fill is given."""
    ink = look.ink
    if look.fill is not None and ink is None:
        red, green, blue = (int(look.fill[i : i + 2], 16) for i in (1, 3, 5))
        ink = "#000000" if 299 * red + 587 * green + 114 * blue > 128_000 else "#ffffff"
    return Style(color=ink, bgcolor=look.fill)


@dataclass(frozen=True)
class Card:
    """One box of a strip.

    Attributes
    ----------
    lines : tuple of str
        What stands on it, from the top down.
    style : Style
        Colours of the whole box.
    """

    lines: tuple[str, ...]
    style: Style


class Strip:
    """Cards side by side; as many lines of them as the width asks for.

    Parameters
    ----------
    cards : sequence of Card
        From left to right.
    """

    def __init__(self, cards: Sequence[Card]) -> None:
        self.cards = cards
        self._height = max((len(c.lines) for c in cards), default=0)
        inner = max((cell_len(line) for c in cards for line in c.lines), default=0)
        self._inner = inner + 2

    def __rich_measure__(self, console: Console, options: ConsoleOptions) -> Measurement:
        one = self._inner + 2
        whole = len(self.cards) * (one + _GAP) - _GAP
        limit = options.max_width
        return Measurement(min(one, limit), max(min(whole, limit), min(one, limit)))

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> Iterator[Text]:
        box = _ASCII if options.ascii_only else _ROUND
        inner = max(1, min(self._inner, options.max_width - 2))
        fit = max(1, (options.max_width + _GAP) // (inner + 2 + _GAP))
        for start in range(0, len(self.cards), fit):
            drawn = [self._draw(c, inner, box) for c in self.cards[start : start + fit]]
            for row in zip(*drawn, strict=True):
                line = Text(no_wrap=True, overflow="crop")
                for i, (text, style) in enumerate(row):
                    line.append(" " * _GAP if i else "").append(text, style)
                yield line

    def _draw(self, card: Card, inner: int, box: str) -> list[tuple[str, Style]]:
        lines = [*card.lines, *[""] * (self._height - len(card.lines))]
        middle = []
        for line in lines:
            left = max(0, (inner - cell_len(line)) // 2)
            middle.append(box[3] + set_cell_size(" " * left + line, inner) + box[3])
        drawn = [box[0] + box[1] * inner + box[2], *middle, box[4] + box[1] * inner + box[5]]
        return [(line, card.style) for line in drawn]


class Flow:
    """Short texts side by side; in columns where one line does not hold them.

    Parameters
    ----------
    pieces : sequence of Text
        From left to right.
    gap : int
        Blanks between two of them.
    """

    def __init__(self, pieces: Sequence[Text], gap: int = 4) -> None:
        self.pieces = pieces
        self.gap = gap

    def __rich_measure__(self, console: Console, options: ConsoleOptions) -> Measurement:
        widths = [p.cell_len for p in self.pieces]
        whole = sum(widths) + self.gap * (len(widths) - 1)
        least, limit = max(widths, default=0), options.max_width
        return Measurement(min(least, limit), min(max(whole, least), limit))

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> Iterator[Text]:
        widths = [p.cell_len for p in self.pieces]
        whole = sum(widths) + self.gap * (len(widths) - 1)
        if whole <= options.max_width:
            yield Text(" " * self.gap).join(self.pieces)
            return
        column = max(widths) + self.gap
        fit = max(1, (options.max_width + self.gap) // column)
        for start in range(0, len(self.pieces), fit):
            line = Text(overflow="fold")
            for piece in self.pieces[start : start + fit]:
                line.append(" " * (-line.cell_len % column)).append_text(piece)
            yield line


def chip(look: Look) -> Text:
    """Return a component in a line of text."""
    return Text(f" {look.short} ", style_of(look))


def chips(looks: Sequence[Look], *, grouped: bool = False) -> Text:
    """Return components one after the other.

    Parameters
    ----------
    looks : sequence of Look
        In the order of the zone.
    grouped : bool
        Whether equal neighbours become one chip with a number (zones without order).
    """
    parts: list[Text] = []
    for look, same in groupby(looks):
        count = len(list(same))
        if grouped and count > 1:
            parts.append(Text.assemble(chip(look), f"x{count}"))
        else:
            parts += [chip(look)] * count
    return Text(" ").join(parts)


def count_of(count: int | None, kind: str) -> str:
    """Return for example ``3 cards``; `kind` is the kind's name, ``""`` if there is none."""
    word = re.sub(r"(?<=[a-z0-9])(?=[A-Z])", " ", kind).lower() or "piece"
    many = re.sub(r"(?<![aeiou])y\Z", "ie", word)
    many += "es" if re.search(r"(s|x|z|ch|sh)\Z", many) else "s"
    if count is None:
        return f"an unknown number of {many}"
    return f"{count} {word if count == 1 else many}"
