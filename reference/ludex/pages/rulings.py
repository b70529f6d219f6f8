"""The page of the rulings: what the rulebook leaves open, and how the game decides it."""

from __future__ import annotations

from ludex.pages.markup import anchor, code, esc, heading, link
from ludex.pages.source import GameSource, Json

__all__ = ["rulings_page"]

_WEIGHTS = {
    "high": "another reading often changes the result",
    "medium": "another reading sometimes changes the result",
    "low": "another reading rarely changes anything",
    "void": "it never comes up in a game from a real start",
}


def rulings_page(source: GameSource) -> str:
    """Return the Markdown of the rulings."""
    rulings = source.text["rulings"].values()
    parts = [
        heading(1, f"{esc(source.document['title'])}: the rulings"),
        "A *settled* ruling has one answer, which follows from the text. A *choice* has several "
        "readings: all of them can be played and certified, and one is the default.\n",
    ]
    for kind, title in (("choice", "Choices"), ("settled", "Settled")):
        found = [r for r in rulings if r["kind"] == kind]
        if found:
            parts.append(heading(2, title, kind))
            parts += [_ruling(source, ruling) for ruling in found]
    if len(parts) == 2:
        parts.append("The rulebook leaves nothing open.\n")
    return "\n".join(parts)


def _ruling(source: GameSource, ruling: Json) -> str:
    name = ruling["id"]
    parts = [
        heading(3, code(name), anchor("ruling", name)),
        f'<p class="lx-rule" markdown="span">{esc(ruling["question"])}</p>\n',
    ]
    if ruling["kind"] == "choice":
        for value, reading in ruling["values"].items():
            default = " **(default)**" if value == ruling["default"] else ""
            at = anchor("ruling", name, value)
            parts.append(f'* <span id="{at}"></span>{code(value)}{default}: {esc(reading["text"])}')
        parts.append("")
    else:
        parts.append(f"**Answer:** {esc(ruling['answer'])}\n")
    parts.append(f"**Reason:** {esc(ruling['reason'])}\n")
    facts = [
        "rules: " + ", ".join(source.rule_link(r) for r in ruling["rules"]),
        f"rulebook: {'; '.join(map(esc, ruling['place']))}",
        f"weight: {esc(ruling['weight'])} ({esc(_WEIGHTS.get(ruling['weight'], ''))})",
    ]
    if ruling.get("pinned_by"):
        facts.append("shown by " + ", ".join(_pin(source, p) for p in ruling["pinned_by"]))
    items = "\n".join(f"* {fact}" for fact in facts)
    parts.append(f'<div class="lx-facts" markdown="1">\n\n{items}\n\n</div>\n')
    return "\n".join(parts)


def _pin(source: GameSource, pin: Json) -> str:
    if "example" in pin:
        titles = {e["id"]: e["title"] for e in source.text["examples"]}
        name = pin["example"]
        return link(esc(titles.get(name, name)), f"examples.md#{anchor('example', name)}")
    return f"moves that break rule {source.rule_link(pin['near_miss'])} and nothing else"
