"""Text of the commands: a label in a column of its own, and words wrapped beside it."""

from __future__ import annotations

import textwrap

from rich.console import Console
from rich.text import Text

from ludex.render.faces import clean

__all__ = ["LABEL", "say"]

#: Width of the column of labels.
LABEL = 12


def say(console: Console, label: str, text: str, style: str = "", *, most: int = 2000) -> None:
    """Print a label and a text with a hanging indent.

    Parameters
    ----------
    console : Console
        Where.
    label : str
        For the first line; may be empty.
    text : str
        White space is one blank; what could steer a terminal is taken out.
    style : str, optional
        Of the text.
    most : int
        A longer text is cut: it may repeat what somebody sent.
    """
    words = clean(" ".join(text.split()))
    if len(words) > most:
        words = f"{words[: most - 3]}..."
    lines = textwrap.wrap(words, max(console.width - LABEL, 30), break_on_hyphens=False,
                          break_long_words=False) or [""]
    head = f"{label} " if len(label) >= LABEL else f"{label:{LABEL}}"
    shown = Text.assemble(head, (f"\n{' ' * LABEL}".join(lines), style))
    console.print(shown, soft_wrap=True)
