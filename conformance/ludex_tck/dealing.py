"""How a planned game is told to a program: a tape, or decks in order.

A program with ``chance:tape`` is told every outcome. One that only has ``chance:deck`` holds its
decks in order: ``new_game`` carries them whole, and what is drawn from them is on no tape.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import Any

from ludex.engine.chance import Outcome
from ludex.errors import UsageError
from ludex.protocol.messages import apply_params, new_game_params

from .scripts import Script

__all__ = ["dealt_requests", "has_chance", "holds_decks", "orders_of"]

Json = dict[str, Any]


def has_chance(document: Mapping[str, Any]) -> bool:
    """Return whether a game has chance anywhere."""
    return any(kind in ("draw", "roll", "pick") for kind in _statements(document))


def _statements(tree: Any) -> Iterator[str]:
    if isinstance(tree, Mapping):
        if isinstance(tree.get("statement"), str):
            yield tree["statement"]
        for key, value in tree.items():
            if key != "text":
                yield from _statements(value)
    elif isinstance(tree, list):
        for value in tree:
            yield from _statements(value)


def holds_decks(capabilities: Collection[str]) -> bool:
    """Return whether a program has to be told its decks in order."""
    return "chance:deck" in capabilities and "chance:tape" not in capabilities


def orders_of(script: Script) -> dict[str, list[str]]:
    """Return each deck that is drawn from, the whole pile before the first draw, top first.

    Raises
    ------
    UsageError
        ``usage.deck``, if a deck gets cards back: then no order says what is drawn.
    """
    drawn: dict[str, list[str]] = {}
    first: dict[str, Counter[str]] = {}
    table = script.expected["state"]
    for outcome in script.chance:
        _take(drawn, outcome)
    for zone, cards in drawn.items():
        first[zone] = Counter(_contents(table, zone)) + Counter(cards)
    for step in script.steps:
        if step.expected is None:
            continue
        for zone in {o["from"] for o in step.chance if "draw" in o} - first.keys():
            first[zone] = Counter(_contents(table, zone))
            drawn[zone] = []
        for outcome in step.chance:
            _take(drawn, outcome)
        table = step.expected["state"]
        for zone, cards in drawn.items():
            if Counter(_contents(table, zone)) + Counter(cards) != first[zone]:
                raise UsageError(
                    f"the deck {zone} gets cards back, so a program with chance:deck and without "
                    "chance:tape cannot be tested", code="usage.deck",
                )
    return {
        zone: [*cards, *sorted((first[zone] - Counter(cards)).elements())]
        for zone, cards in drawn.items()
    }


def dealt_requests(script: Script, game_id: str, capabilities: Collection[str]) -> list[Json]:
    """Return the requests of a script, with chance as the program takes it."""
    new_game = new_game_params(script.game, game_id, list(script.chance))
    orders: dict[str, list[str]] = {}
    if holds_decks(capabilities):
        orders = orders_of(script)
        new_game["chance"] = _without(script.chance, orders)
        if orders:
            new_game["order"] = orders
    return [
        {"method": "new_game", "params": new_game},
        *(
            {"method": "apply",
             "params": apply_params(game_id, step.move, _without(step.chance, orders))}
            for step in script.steps
        ),
        {"method": "end_game", "params": {"game_id": game_id}},
    ]


def _take(drawn: dict[str, list[str]], outcome: Outcome) -> None:
    if "draw" in outcome:
        drawn.setdefault(outcome["from"], []).append(outcome["draw"])


def _without(tape: Sequence[Outcome], orders: Collection[str]) -> list[Outcome]:
    return [o for o in tape if "draw" not in o or o["from"] not in orders]


def _contents(table: Mapping[str, Any], zone: str) -> list[str]:
    value: Any = table
    for key in zone.split("."):
        value = value[key]
    return list(value)
