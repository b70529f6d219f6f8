"""The page of the examples: each with its drawings, before and after every move."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any

from ludex.examples import Games
from ludex.language.types import Type
from ludex.pages.cards import Sheet
from ludex.pages.markup import anchor, block, code, details, esc, heading, link
from ludex.pages.source import GameSource, Json
from ludex.pages.stories import Scene, Story, tell
from ludex.pages.svg import draw, zone_titles
from ludex.render import Faces

__all__ = ["examples_page"]


def examples_page(source: GameSource) -> tuple[str, list[str]]:
    """Return the Markdown of the examples, and what of them does not hold."""
    games = Games(lambda name: dict(source.documents(name)))
    sheet = Sheet()
    stories = [tell(example, games) for example in source.text["examples"]]
    told = [_Telling(source, sheet, story).text() for story in stories]
    parts = [
        heading(1, f"{esc(source.document['title'])}: worked examples"),
        "The reference plays these examples when this page is made; the drawings show what it "
        "finds. `ludex test` checks them, and every program that is certified has to play those "
        "that begin with the setup.\n",
        "The first and the last drawing of an example show the whole table, with the cards that "
        "players do not see; those between show what the move has changed. Where a drawing is a "
        "player's view, it says so. A card that another one covers peeks out below it.\n",
        block("lx-sheet", sheet.symbols()) if sheet.used else "",
        *told,
    ]
    return "\n".join(parts), [p for story in stories for p in story.problems]


class _Telling:
    """Writes one example."""

    def __init__(self, source: GameSource, sheet: Sheet, story: Story) -> None:
        self.source = source
        self.sheet = sheet
        self.story = story
        self.faces = Faces(story.document)
        self.titles = zone_titles(self.faces)

    def text(self) -> str:
        example = self.story.example
        parts = [heading(2, esc(example["title"]), anchor("example", example["id"])),
                 self.facts()]
        for problem in self.story.problems:
            parts.append(f'<div class="admonition failure" markdown="1">\n\n{esc(problem)}\n\n'
                         "</div>\n")
        if "unreachable" in example:
            parts.append(f"*No game from a real start comes here:* {esc(example['unreachable'])}\n")
        if "cannot_start" in example:
            rule = self.source.rule_link(example["cannot_start"])
            parts.append(f"✗ Such a game cannot be started: rule {rule}.\n")
        if example.get("setup"):
            said = "\n".join(f"* {self.chance(o)}" for o in example["setup"])
            parts.append(details("What chance decides in the setup", said))
        # short statements that follow one another are one list
        items: list[str] = []
        last = max((i for i, s in enumerate(self.story.scenes) if s.kind == "play"), default=0)
        for i, scene in enumerate(self.story.scenes):
            item, drawing = self.scene(scene, i == last)
            if scene.kind in ("start", "play"):
                parts += _list(items)
                items = []
                parts.append(f'<p class="lx-move" markdown="span">{item}</p>\n' if item else "")
            else:
                items.append(item)
            if drawing:
                parts += [*_list(items), block("lx-scene", drawing)]
                items = []
        return "\n".join([*parts, *_list(items)])

    def facts(self) -> str:
        example = self.story.example
        facts = [f"{code(example['id'])}, {example['players']} "
                 f"{'player' if example['players'] == 1 else 'players'}"]
        settings = {**example.get("rulings", {}), **example.get("options", {})}
        if settings:
            facts[0] += ", " + ", ".join(code(f"{k} = {v}") for k, v in settings.items())
        if "components" in example:
            facts[0] += f", component set {code(example['components'])}"
        facts.append("rules: " + ", ".join(self.source.rule_link(r) for r in example["pins"]))
        if example.get("rulings_pinned"):
            facts.append("rulings: " + ", ".join(
                link(code(r), f"rulings.md#{anchor('ruling', r)}")
                for r in example["rulings_pinned"]
            ))
        items = "\n".join(f"* {fact}" for fact in facts)
        return f'<div class="lx-facts" markdown="1">\n\n{items}\n\n</div>\n'

    # -- scenes ------------------------------------------------------------------------------

    def scene(self, scene: Scene, whole: bool) -> tuple[str, str]:
        """Return the words of a scene, and its drawing or nothing."""
        value = scene.value
        if scene.kind == "start":
            return "", draw(self.faces, self.sheet, scene.table or {})
        if scene.kind == "view":
            drawing = draw(self.faces, self.sheet, value["state"])
            return f"**{esc(value['of'])}** sees:", drawing
        if scene.kind == "play":
            chance = "; ".join(map(self.chance, value.get("chance", ())))
            words = f"**{esc(value['actor'])}**: {self.move(value)}"
            words += f" <small>({chance})</small>" if chance else ""
            return words, draw(self.faces, self.sheet, scene.table or {}, scene.before,
                               whole=whole)
        return self.statement(scene), ""

    def statement(self, scene: Scene) -> str:
        kind, value = scene.kind, scene.value
        if kind == "refuse":
            rule = self.source.rule_link(value["rule"])
            reason = f": {esc(scene.reason)}" if scene.reason else ""
            return (f"✗ **{esc(value['actor'])}** may not: {self.move(value)}. "
                    f"Rule {rule}{reason}.")
        if kind == "allow":
            return f"✓ **{esc(value['actor'])}** may: {self.move(value)}."
        if kind == "legal":
            if not value:
                return "✓ No move is legal."
            moves = "".join(f"<br>&emsp;**{esc(m['actor'])}**: {self.move(m)}" for m in value)
            return f"✓ Exactly these moves are legal:{moves}"
        if kind == "lines":
            return self.lines(value)
        if kind == "actors":
            who = " or ".join(f"**{esc(p)}**" for p in value)
            return f"✓ {who} may act." if value else "✓ Nobody may act any more."
        if kind == "state":
            return f"✓ As expected: {', '.join(self.expected(value))}."
        if kind == "that":
            return f"✓ {code(value)}"
        if kind == "outcome":
            return f"✓ {_outcome(value)}"
        return f"{esc(kind)}: {code(json.dumps(value, ensure_ascii=False))}"

    def lines(self, value: Json) -> str:
        """Return the ways to make one move again and again, a line each."""
        title = next(m["title"] for m in self.faces.document["moves"]
                     if m["name"] == value["move"])
        who = f"**{esc(value['actor'])}**: {esc(title)}"
        if not value["all"]:
            return f"✓ Not possible for {who}."
        lines = "".join(f"<br>&emsp;{code(', '.join(map(str, line)))}" for line in value["all"])
        return f"✓ Exactly these ways are there for {who}:{lines}"

    def expected(self, state: Json) -> list[str]:
        """Return the variables that an example compares; those that no drawing shows with values.

        A drawing shows the whole table, so the name is enough there.
        """
        shown = {v["name"] for v in self.faces.document["state"] if v["table"]}
        words = []
        for name, value in state.items():
            title = esc(self.titles.get(name, name))
            if name not in shown:
                title += f" {code(json.dumps(value, ensure_ascii=False))}"
            elif isinstance(value, Mapping):
                title += f" ({', '.join(map(esc, value))})"
            words.append(title)
        return words

    # -- words -------------------------------------------------------------------------------

    def move(self, move: Json) -> str:
        return esc(self.faces.move(move))

    def chance(self, outcome: Json) -> str:
        if "draw" in outcome:
            kind = _component(self.faces, outcome["from"])
            title = self.faces.look(kind, outcome["draw"]).title
            return f"drawn: {esc(title)}, from {code(outcome['from'])} to {code(outcome['to'])}"
        if "roll" in outcome:
            return f"rolled: {esc(', '.join(map(str, outcome['roll'])))}"
        if "pick" in outcome:
            return f"{code(outcome['of'])} is {esc(outcome['pick'])}"
        return code(json.dumps(outcome, ensure_ascii=False))


def _list(items: Sequence[str]) -> list[str]:
    if not items:
        return []
    lines = "\n".join(f"* {item}" for item in items)
    return [f'<div class="lx-checks" markdown="1">\n\n{lines}\n\n</div>\n']


def _component(faces: Faces, zone: str) -> str:
    """Return the kind of the components of a zone, by its name."""
    name = zone.split(".")[0]
    types = {v["name"]: v["type"] for v in faces.document["state"]}
    type_: Type = faces.type(types.get(name, "int"))
    while type_.args:
        type_ = type_.args[-1]
    return type_.name


def _outcome(value: Any) -> str:
    if value is None:
        return "The game goes on."
    winners = value["winners"]
    who = " and ".join(f"**{esc(w)}**" for w in winners) or "Nobody"
    words = f"The game is over. {who} {'win' if len(winners) > 1 else 'wins'}"
    returns = value.get("returns")
    if returns:
        words += "; returns: " + ", ".join(f"{esc(p)} {esc(n)}" for p, n in returns.items())
    return f"{words}."
