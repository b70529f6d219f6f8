"""The steps of a game as a diagram: who decides, which moves there are, where each leads.

The steps stand one below the other. Each move is a line of its step; from it an edge leaves to
the right, runs along a lane and enters the step it leads to. Edges to one step share a lane, so a
game with many moves stays readable, and the drawing is narrow enough for a phone.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from ludex.pages.markup import raw

__all__ = ["Exit", "Node", "nodes_of", "step_diagram"]

Json = Mapping[str, Any]

_WIDTH = 300
_LEFT = 8
_HEAD = 30
_LINE = 22
_GAP = 26
_LANE = 14
#: So many letters fit into a line of a box.
_LETTERS = 40
END = "the game ends"


@dataclass(frozen=True)
class Exit:
    """One way out of a step.

    Attributes
    ----------
    words : str
        The move, or the condition.
    target : str or None
        The step it leads to; None if the step stays.
    """

    words: str
    target: str | None


@dataclass(frozen=True)
class Node:
    """A step, or the end.

    Attributes
    ----------
    name : str
        Of the step.
    words : str
        Who acts, or that it happens by itself.
    exits : tuple of Exit
        Where it leads.
    kind : str
        ``decision``, ``automatic`` or ``end``.
    """

    name: str
    words: str
    exits: tuple[Exit, ...]
    kind: str


def nodes_of(document: Json) -> list[Node]:
    """Return the steps of a game as they follow from its start, then the end."""
    moves = {m["name"]: m for m in document["moves"]}
    found = {}
    for step in document["steps"]:
        if "actors" in step:
            exits = tuple(_move_exits(step["moves"], moves))
            if step.get("none"):
                exits += (Exit("nobody may act", step["none"]),)
            words = f"who acts: {step['actors']['expr']}"
            found[step["name"]] = Node(step["name"], words, exits, "decision")
        else:
            exits = tuple(_exits(step["do"], ()))
            found[step["name"]] = Node(step["name"], "by itself", exits, "automatic")
    order: list[str] = []
    todo = [document["start"]]
    while todo:
        name = todo.pop(0)
        if name in order or name not in found:
            continue
        order.append(name)
        todo += [e.target for e in found[name].exits if e.target is not None]
    # a step that nothing leads to is drawn too: a reader should see that
    order += [name for name in found if name not in order]
    ends = tuple(Exit(f"when {e['when']['expr']}", None) for e in document["end"])
    return [*(found[name] for name in order), Node(END, "tested on entering a step", ends, "end")]


def _move_exits(names: Sequence[str], moves: Json) -> Iterator[Exit]:
    for name in names:
        exits = list(_exits(moves[name]["do"], ()))
        targets = dict.fromkeys(e.target for e in exits)
        for target in targets:
            under = [e.words for e in exits if e.target == target]
            only = len(targets) > 1 and len(under) == 1 and under[0]
            yield Exit(f"{name} ({under[0]})" if only else name, target)


def _exits(block: Sequence[Json], under: tuple[str, ...]) -> Iterator[Exit]:
    """Yield where a block may go; with no target if it may run to its end."""
    exits = list(_gotos(block, under))
    yield from exits
    if not _always_leaves(block):
        yield Exit("" if not exits else "else", None)


def _gotos(block: Sequence[Json], under: tuple[str, ...]) -> Iterator[Exit]:
    for statement in block:
        inner = under
        if "when" in statement:
            inner = (*under, f"when {statement['when']['expr']}")
        if statement["statement"] == "goto":
            yield Exit(", ".join(inner), statement["step"])
        test = statement.get("if")
        for key, word in (("then", "if"), ("else", "unless"), ("do", "")):
            # the blocks of a loop and of the else of a match have no condition of their own
            if isinstance(statement.get(key), list):
                words = (f"{word} {test['expr']}",) if test is not None and word else ()
                yield from _gotos(statement[key], (*inner, *words))
        for case in statement.get("cases", ()):
            words = (f"if {statement['match']['expr']} is {' or '.join(case['members'])}",)
            yield from _gotos(case["do"], (*inner, *words))


def _always_leaves(block: Sequence[Json]) -> bool:
    for statement in block:
        if "when" in statement:
            continue
        if statement["statement"] == "goto":
            return True
        if statement["statement"] in ("if", "match"):
            blocks = [statement["then"]] if "then" in statement else []
            blocks += [case["do"] for case in statement.get("cases", ())]
            # a match without else names every member
            blocks += [statement["else"]] if "else" in statement else []
            if all(map(_always_leaves, blocks)):
                return True
    return False


# -- the drawing -----------------------------------------------------------------------------


def step_diagram(document: Json) -> str:
    """Return the diagram as one SVG, drawn in the colour of the text."""
    nodes = nodes_of(document)
    tops, y = {}, 34
    for node in nodes:
        tops[node.name] = y
        y += _height(node) + _GAP
    lanes = _lanes(nodes, tops)
    width = _LEFT + _WIDTH + 20 + _LANE * (max(lanes.values(), default=0) + 1)
    parts = [_arrow_head(), _start(tops[nodes[0].name])]
    for node in nodes:
        parts.append(_box(node, tops[node.name]))
        parts += _edges(node, tops, lanes)
    title = f"The steps of {document['title']}"
    return (f'<svg class="lx-diagram" xmlns="http://www.w3.org/2000/svg" role="img" '
            f'viewBox="0 0 {width} {y}" width="{width}" height="{y}">'
            f"<title>{raw(title)}</title>\n" + "\n".join(parts) + "\n</svg>")


def _height(node: Node) -> int:
    return _HEAD + _LINE * (len(node.exits) + 1)


def _lanes(nodes: Sequence[Node], tops: Mapping[str, int]) -> dict[str, int]:
    """Give each target a lane, so that edges to different steps never lie on one another."""
    spans: dict[str, tuple[int, int]] = {}
    for node in nodes:
        for index, way in enumerate(node.exits):
            if way.target is None:
                continue
            ends = (tops[way.target], _exit_y(tops[node.name], index))
            low, high = spans.get(way.target, (min(ends), max(ends)))
            spans[way.target] = min(low, *ends), max(high, *ends)
    lanes: dict[str, int] = {}
    for target, (low, high) in sorted(spans.items(), key=lambda s: s[1][1] - s[1][0]):
        taken = {lanes[t] for t in lanes if spans[t][0] <= high and low <= spans[t][1]}
        lanes[target] = next(n for n in range(len(spans)) if n not in taken)
    return lanes


def _arrow_head() -> str:
    return ('<defs><marker id="lx-arrow" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="7" '
            'markerHeight="7" orient="auto"><path d="M0 0 8 4 0 8z" fill="currentColor"/>'
            "</marker></defs>")


def _start(top: int) -> str:
    x = _LEFT + 24
    return (f'<circle cx="{x}" cy="8" r="6" fill="currentColor"/>'
            f'<text x="{x + 14}" y="13" fill="currentColor">start</text>'
            f'<path d="M{x} 14V{top - 2}" class="lx-edge" marker-end="url(#lx-arrow)"/>')


def _box(node: Node, top: int) -> str:
    dashed = ' stroke-dasharray="6 4"' if node.kind == "automatic" else ""
    end = " lx-end" if node.kind == "end" else ""
    lines = [
        f'<rect x="{_LEFT}" y="{top}" width="{_WIDTH}" height="{_height(node)}" rx="8" '
        f'class="lx-box{end}"{dashed}/>',
        _words(node.name, top + 21, "lx-step-name"),
        _words(node.words, top + _HEAD + 14, "lx-step-words"),
    ]
    for index, way in enumerate(node.exits):
        words = way.words or "then"
        if way.target is None and node.kind != "end":
            words += " (stays in this step)"
        lines.append(_words(words, _exit_y(top, index) + 5, "lx-exit", indent=22))
    return "\n".join(lines)


def _exit_y(top: int, index: int) -> int:
    return top + _HEAD + _LINE * (index + 1) + 9


def _words(text: str, y: int, kind: str, indent: int = 12) -> str:
    shown = text if len(text) <= _LETTERS else text[: _LETTERS - 1] + "…"
    full = f"<title>{raw(text)}</title>" if shown != text else ""
    return (f'<text x="{_LEFT + indent}" y="{y}" class="{kind}" fill="currentColor">'
            f"{full}{raw(shown)}</text>")


def _edges(node: Node, tops: Mapping[str, int], lanes: Mapping[str, int]) -> Iterator[str]:
    right = _LEFT + _WIDTH
    for index, way in enumerate(node.exits):
        if way.target is None:
            continue
        y, into = _exit_y(tops[node.name], index), tops[way.target] + 15
        x = right + 16 + _LANE * lanes[way.target]
        turn = 6 if into > y else -6
        yield (f'<circle cx="{right}" cy="{y}" r="3" fill="currentColor"/>'
               f'<path d="M{right} {y}H{x - 6}Q{x} {y} {x} {y + turn}V{into - turn}'
               f'Q{x} {into} {x - 6} {into}H{right + 2}" class="lx-edge" '
               'marker-end="url(#lx-arrow)"/>')
