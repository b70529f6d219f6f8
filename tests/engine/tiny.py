"""Tiny games for tests of single parts of the language: only what a test is about is written."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from ludex.authoring.document import load_document
from ludex.engine import Game, State, Tape

HEAD = """
game: tiny
title: Tiny
edition: "1"
players: {{min: {fewest}, max: {most}, rule: "1.1"}}
"""

#: Every clause may name this rule; the example pins it without playing.
FILES = {
    "rules.yaml": """
sources: {rulebook: {title: Made up for a test}}
statements: {R01: {place: Everywhere, kind: meta}}
sections:
  - id: "1"
    title: All
    rules:
      - {id: "1.1", text: All., kind: meta, covers: [R01], place: [Everywhere], status: formal}
""",
    "rulings.yaml": "points: {A01: low}\nrulings: []\n",
    "examples.yaml": """
examples:
  - {id: nobody, title: It cannot start, pins: ["1.1"], players: 20, cannot_start: "1.1", steps: []}
""",
    "display.yaml": 'faces: {}\nlayout: [{zone: over, as: marker, title: Over}]\nmoves: {}\n',
}


def tiny(
    folder: Path, body: str, *, cards: str = "", players: tuple[int, int] = (2, 2)
) -> dict[str, Any]:
    """Write a game folder and return its document.

    Parameters
    ----------
    folder : Path
        Must not exist.
    body : str
        The rest of ``game.yaml``; ``RULE`` stands for the one rule. A variable ``over`` is to be
        declared.
    cards : str
        Rows of the kind ``Card`` of the component set; no kind if empty.
    players : tuple of int
        Fewest and most.
    """
    (folder / "components").mkdir(parents=True)
    head = HEAD.format(fewest=players[0], most=players[1])
    (folder / "game.yaml").write_text(head + body.replace("RULE", 'rule: "1.1"'), encoding="utf-8")
    for name, text in FILES.items():
        (folder / name).write_text(text, encoding="utf-8")
    kinds = f"{{Card: {{rows: {cards}}}}}" if cards else "{}"
    (folder / "components" / "standard.yaml").write_text(
        f"set: standard\ntitle: All\nprovenance: illustrative\nkinds: {kinds}\n", encoding="utf-8"
    )
    return load_document(folder)


def move(actor: str, name: str, **args: Any) -> dict[str, Any]:
    return {"actor": actor, "move": name, "args": args}


def with_state(game: Game, **values: Any) -> State:
    """Return the first position with other values."""
    found = game.initial_state(Tape([])).to_json()
    found["state"].update(values)
    return game.state_from_json(found)
