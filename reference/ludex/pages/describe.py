"""The page of the alphabet: what ``ludex describe`` prints."""

from __future__ import annotations

from ludex.pages.markup import block, code, esc, heading, link, raw_lines
from ludex.pages.source import GameSource

__all__ = ["describe_page"]


def describe_page(source: GameSource) -> str:
    """Return the Markdown of the alphabet."""
    document = source.document
    return "\n".join([
        heading(1, f"{esc(document['title'])}: names to spell"),
        "Everything that a program must spell to be certified. Certification compares no name "
        f"that is not here. The messages are on the page {link('move protocol', _PROTOCOL)}.\n",
        f"This is what {code('ludex describe ' + document['game'])} prints, for "
        f"{esc(document['players'][0])} players; {code('--players')} gives the others, and "
        "without `--no-sample` a complete game as request and response lines follows.\n",
        block("lx-clause", f"<pre><code>{raw_lines(source.description)}</code></pre>"),
    ])


_PROTOCOL = "../../protocol.md"
