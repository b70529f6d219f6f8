"""The page of the flow: the step diagram, and the same in a table."""

from __future__ import annotations

from ludex.pages.diagram import nodes_of, step_diagram
from ludex.pages.markup import anchor, block, code, esc, heading, link, table
from ludex.pages.source import GameSource

__all__ = ["flow_page"]

_KINDS = {"decision": "a decision", "automatic": "by itself", "end": "the end"}


def flow_page(source: GameSource) -> str:
    """Return the Markdown of the flow."""
    document = source.document
    steps = {s["name"]: s for s in document["steps"]}
    rows = []
    for node in nodes_of(document):
        ways = []
        for way in node.exits:
            target = f" → {code(way.target)}" if way.target else ""
            if node.kind != "end" and not target:
                target = " (the step stays)"
            ways.append(f"{code(way.words) if way.words else 'then'}{target}")
        if node.kind == "end":
            name = link(esc(node.name), f"formal.md#{anchor('end')}")
            rules = ", ".join(source.rule_link(e["rule"]) for e in document["end"])
        else:
            name = link(code(node.name), f"formal.md#{anchor('step', node.name)}")
            rules = source.rule_links(steps[node.name])
        rows.append([name, _KINDS[node.kind], "<br>".join(ways), rules])
    bounds = document["bounds"].get("plies")
    parts = [
        heading(1, f"{esc(document['title'])}: the flow"),
        "A box with a full line is a decision: the players named there may act, and each move "
        "leads along its edge. A box with a broken line happens by itself. The end is tested on "
        "entering every step, and the first ending that holds ends the game.\n",
        block("lx-figure", step_diagram(document)),
        table(["step", "kind", "leads to", "rules"], rows),
    ]
    if bounds:
        parts.append(f"No game has more than {code(bounds['expr'])} moves.\n")
    return "\n".join(parts)
