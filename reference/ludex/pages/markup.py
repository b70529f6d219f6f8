"""Markdown and HTML: escaping, anchors, links.

Texts of a spec are words, never markup: every character that could begin HTML or Markdown is
written as a number (``&#42;``).
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from ludex.render.faces import clean

__all__ = [
    "anchor",
    "block",
    "code",
    "details",
    "esc",
    "heading",
    "link",
    "raw",
    "raw_lines",
    "table",
]

_NUMBERED = {ord(c): f"&#{ord(c)};" for c in "\\`*_{}[]#<>&\"'|!"}
#: At the beginning of a line these would make a list, a quote or a definition.
_LEADING = re.compile(r"\A(?:[-+~=:]|\d+(?=[.)]))")


def raw(text: object) -> str:
    """Return a text for raw HTML, on one line."""
    return _numbered(" ".join(str(text).split()))


def raw_lines(lines: Iterable[str]) -> str:
    """Return lines for a ``<pre>``; blanks at the left stay."""
    return "\n".join(map(_numbered, lines))


def _numbered(words: str) -> str:
    return clean(words).translate(_NUMBERED)


def esc(text: object) -> str:
    """Return a text for Markdown, on one line."""
    return _LEADING.sub(_number_first, raw(text))


def _number_first(match: re.Match[str]) -> str:
    first = match.group()
    return f"&#{ord(first[0])};{first[1:]}"


def code(text: object) -> str:
    """Return a text for Markdown in the type of code."""
    return f"<code>{raw(text)}</code>"


def anchor(kind: str, *names: str) -> str:
    """Return the id of a thing on its page, for example ``rule-4-4``."""
    return "-".join(re.sub(r"[^A-Za-z0-9]+", "-", part).strip("-") for part in (kind, *names))


def link(words: str, target: str) -> str:
    """Return a link; `words` are Markdown already."""
    return f"[{words}]({target})"


def heading(level: int, words: str, identifier: str | None = None) -> str:
    """Return a heading; `words` are Markdown already."""
    mark = f" {{ #{identifier} }}" if identifier else ""
    return f"{'#' * level} {words}{mark}\n"


def block(kind: str, content: str) -> str:
    """Return raw HTML in a ``div`` that Markdown leaves alone."""
    return f'<div class="{kind}">\n{content}\n</div>\n'


def details(summary: str, content: str, kind: str = "") -> str:
    """Return a part that opens on demand; both texts are Markdown already."""
    class_ = f' class="{kind}"' if kind else ""
    return (
        f'<details{class_} markdown="1">\n<summary>{summary}</summary>\n\n'
        f"{content.strip()}\n\n</details>\n"
    )


def table(head: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """Return a table; the cells are Markdown already."""
    lines = [" | ".join(head), " | ".join("---" for _ in head)]
    lines += [" | ".join(cell or " " for cell in row) for row in rows]
    return "\n".join(f"| {line} |" for line in lines) + "\n"
