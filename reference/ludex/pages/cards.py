"""Components as SVG: cards, stacks of cards, chips and heaps.

A page draws the same card many times, so a `Sheet` keeps one ``<symbol>`` for each look and the
drawings use it. Colours come from the display data; where it gives none, a card takes the colours
of the page. Nothing here is told apart by colour alone: every card carries its short text, and
every drawing its title.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from itertools import groupby
from typing import Any

from ludex.pages.markup import raw
from ludex.render.faces import Look

__all__ = ["Sheet", "readable"]

_HEIGHT = 62
_MIN_WIDTH = 46
_MAX_WIDTH = 132
_PEEK = 19
_CHIP_HEIGHT = 22
#: So many covered cards of a stack are drawn; the others are counted.
_COVERED = 14
_DASHED = 'fill="none" stroke-dasharray="4 3"'


class Sheet:
    """The symbols of one page, and the drawings that use them.

    Attributes
    ----------
    used : dict
        Look and form, or what else is drawn once, to the number of its symbol.
    """

    def __init__(self) -> None:
        self.used: dict[Hashable, int] = {}
        self._symbols: list[str] = []
        self._kept: dict[Hashable, Any] = {}

    def symbols(self) -> str:
        """Return the hidden drawing that holds all symbols; a page has it once."""
        if not self._symbols:
            return ""
        inner = "\n".join(self._symbols)
        return (f'<svg width="0" height="0" class="lx-symbols" aria-hidden="true" '
                f'focusable="false">\n{inner}\n</svg>')

    # -- drawings ----------------------------------------------------------------------------

    def card(self, look: Look) -> str:
        """Draw one component."""
        return self.stack([look])

    def stack(self, looks: Sequence[Look]) -> str:
        """Draw components that lie on one another, the top one first.

        The covered ones peek out below it, so that all of the stack can be read.
        """
        shown, hidden = looks[: _COVERED + 1], len(looks) - _COVERED - 1
        width = max(_width(look) for look in shown)
        peeks = len(shown) - 1
        height = _HEIGHT + _PEEK * peeks + (16 if hidden > 0 else 0)
        parts = []
        for index in range(peeks, -1, -1):
            form = "under" if index else "card"
            parts.append(self._use(shown[index], form, y=_PEEK * index, width=width))
        if hidden > 0:
            parts.append(f'<text x="{width / 2:g}" y="{height - 3}" class="lx-small" '
                         f'text-anchor="middle" fill="currentColor">+{hidden}</text>')
        title = looks[0].full
        if len(looks) > 1:
            title = f"stack of {len(looks)}, top first: {'; '.join(k.title for k in looks)}"
        return _svg("".join(parts), width, height, title)

    def chips(self, looks: Sequence[Look], *, grouped: bool) -> str:
        """Draw components small, one after the other; equal ones once, with their number."""
        parts = []
        for look, same in groupby(looks):
            count = len(list(same))
            times = count if grouped else 1
            for _ in range(1 if grouped else count):
                width = _chip_width(look)
                title = look.full if times == 1 else f"{times} times {look.full}"
                drawn = _svg(self._use(look, "chip", width=width), width, _CHIP_HEIGHT, title)
                number = f'<span class="lx-times">×{times}</span>' if times > 1 else ""
                parts.append(f'<span class="lx-chip">{drawn}{number}</span>')
        return "".join(parts)

    def heap(self, count: int | None, title: str) -> str:
        """Draw components that nobody reads, with their number."""
        number = "?" if count is None else str(count)
        if count == 0:
            name = self.shared("no heap", lambda: _rect(1, 1, 44, 40, _DASHED))
        else:
            name = self.shared("heap", lambda: "".join(
                _rect(9 - 4 * i, 1 + 3 * i, 36, 34, 'class="lx-paper"') for i in range(3)))
        body = f'<use href="#{name}"/>'
        x = 23 if count == 0 else 19
        body += _text(number, x, 30, 15, 'fill="currentColor"')
        words = f"{title}: {'number unknown' if count is None else number}"
        return _svg(body, 46, 44, words)

    def empty_place(self, title: str) -> str:
        """Draw a place for one component that is empty."""
        name = self.shared(
            "empty", lambda: _rect(1, 1, _MIN_WIDTH - 2, _HEIGHT - 2, _DASHED)
        )
        return _svg(f'<use href="#{name}"/>', _MIN_WIDTH, _HEIGHT, title)

    # -- symbols -----------------------------------------------------------------------------

    def kept(self, key: Hashable, make: Callable[[], Any]) -> Any:
        """Return what `make` gives; it is called once for each key."""
        if key not in self._kept:
            self._kept[key] = make()
        return self._kept[key]

    def shared(self, key: Hashable, make: Callable[[], str]) -> str:
        """Return the id of a drawing that the page has once; `make` gives its inside.

        Unlike a symbol it is not cut off at the edges of the drawings that use it.
        """
        if key not in self.used:
            self.used[key] = len(self.used)
            self._symbols.append(f'<g id="lx-{self.used[key]}">{make()}</g>')
        return f"lx-{self.used[key]}"

    def _use(self, look: Look, form: str, *, width: int, y: int = 0) -> str:
        key: Hashable = look, form
        if key not in self.used:
            self.used[key] = len(self.used)
            self._symbols.append(f'<symbol id="lx-{self.used[key]}">{_face(look, form)}</symbol>')
        own = _chip_width(look) if form == "chip" else _width(look)
        place = (f' x="{(width - own) / 2:g}"' if own != width else "") + (f' y="{y}"' if y else "")
        return f'<use href="#lx-{self.used[key]}"{place}/>'


def _width(look: Look) -> int:
    return max(_MIN_WIDTH, min(_MAX_WIDTH, 12 * len(look.short) + 14))


def _chip_width(look: Look) -> int:
    return max(30, min(_MAX_WIDTH, 9 * len(look.short) + 12))


def _face(look: Look, form: str) -> str:
    """Draw a look as a card, as a card whose upper part is covered, or as a chip."""
    chip = form == "chip"
    width, height = (_chip_width(look), _CHIP_HEIGHT) if chip else (_width(look), _HEIGHT)
    paint = f'fill="{look.fill}"' if look.fill else 'class="lx-paper"'
    ink = f'fill="{look.ink or readable(look.fill)}"'
    body = _rect(1, 1, width - 2, height - 2, paint, radius=4 if chip else 6)
    if form == "card":
        return body + _text(look.short, width / 2, 38, _size(look.short, 19, width), ink)
    baseline = 16 if chip else height - 6
    return body + _text(look.short, width / 2, baseline, _size(look.short, 13, width), ink)


def readable(fill: str | None) -> str:
    """Return black or white, whichever can be read on a colour; without one the page's own."""
    if fill is None:
        return "currentColor"
    red, green, blue = (int(fill[i : i + 2], 16) for i in (1, 3, 5))
    return "#000000" if 299 * red + 587 * green + 114 * blue > 128_000 else "#ffffff"


def _size(text: str, wanted: int, width: int) -> float:
    """Return the size in which a text fits; letters are about 0.65 of it wide."""
    return round(min(wanted, (width - 8) / (0.65 * max(1, len(text)))), 1)


def _rect(x: int, y: int, width: int, height: int, paint: str, radius: int = 5) -> str:
    return (f'<rect x="{x}" y="{y}" width="{width}" height="{height}" rx="{radius}" {paint} '
            'stroke="currentColor" stroke-opacity="0.45"/>')


def _text(text: str, x: float, y: float, size: float, paint: str) -> str:
    return (f'<text x="{x:g}" y="{y:g}" font-size="{size:g}" font-weight="700" '
            f'text-anchor="middle" {paint}>{raw(text)}</text>')


def _svg(body: str, width: int, height: int, title: str) -> str:
    return (f'<svg class="lx-draw" xmlns="http://www.w3.org/2000/svg" role="img" '
            f'viewBox="0 0 {width} {height}" width="{width}" height="{height}">'
            f"<title>{raw(title)}</title>{body}</svg>")
