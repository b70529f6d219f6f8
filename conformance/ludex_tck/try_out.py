"""``ludex try``: one short game, line by line. The first thing that an adapter writer runs."""

from __future__ import annotations

import json
import random
from collections.abc import Mapping, Sequence
from typing import Any

from rich.console import Console
from rich.text import Text

from ludex.engine import Game
from ludex.errors import UsageError

from .compare import Difference, compare
from .dealing import dealt_requests
from .games import Games
from .implementation import Implementation, Support
from .live_table import LiveTable
from .planning import plan
from .profiles import PROFILES
from .readings import readings_of
from .scripts import Script
from .trial import Trial
from .wire import Answer, Breach, Reply

__all__ = ["print_try", "try_script"]


def try_script(
    document: Mapping[str, Any], support: Support, players: int | None, seed: int
) -> Script:
    """Return a random game without illegal moves, which the program says it can play.

    Raises
    ------
    UsageError
        If there is none for so many players.
    """
    game = _game(document, support, players)
    chooser = random.Random(f"try {seed}")
    return plan(game, lambda n: int(chooser.random() * n), plies=game.plies or 50, attempts=False)


def _game(document: Mapping[str, Any], support: Support, players: int | None) -> Game:
    count = support.players[0] if players is None else players
    game = Games(document).get(count, *readings_of(support)[0])
    if game.players not in support.players:
        raise UsageError(
            f"the program supports {', '.join(map(str, support.players))} players, found {players}",
            code="usage.players",
        )
    return game


def print_try(
    console: Console, implementation: Implementation, players: int | None, seed: int
) -> int:
    """Send the game and print each request beside the answer and the expected one.

    It stops at the first difference.

    Returns
    -------
    int
        0 if every answer is right, else 1.

    Raises
    ------
    HelloError
        If the program cannot be tested at all.
    """
    support = implementation.hello()
    if support.is_live:
        return _print_live(console, implementation, support, players, seed)
    script = try_script(implementation.document, support, players, seed)
    _print_hello(console, support)
    requests = dealt_requests(script, "try", support.capabilities)
    for index, request in enumerate(requests[:-1], start=-1):
        step = script.steps[index] if index >= 0 else None
        expected = script.expected if step is None else step.expected
        [reply] = implementation.process.exchange([request])
        _print_exchange(console, request, reply)
        if isinstance(reply, Breach):
            return 1
        differences = compare(reply, step, expected, support.capabilities)
        if differences:
            _print_differences(console, differences)
            return 1
    _print_right(console, len(script.steps) + 1)
    return 0


def _print_live(
    console: Console, implementation: Implementation, support: Support, players: int | None,
    seed: int,
) -> int:
    """Play a game that the program deals itself."""
    document = implementation.document
    game = _game(document, support, players)
    _print_hello(console, support)
    trial = Trial(implementation, support, document, PROFILES["smoke"], seed)
    chooser = random.Random(f"try {seed}")
    table = LiveTable(
        trial, game, "try", lambda n: int(chooser.random() * n),
        tries=False, watch=lambda request, reply: _print_exchange(console, request, reply),
    )
    observed = table.play(PROFILES["smoke"].longest)
    if observed.breach is None:
        _print_differences(console, observed.differences)
    if observed.at is not None:
        return 1
    _print_right(console, len(table.script.steps) + 1)
    return 0


def _print_hello(console: Console, support: Support) -> None:
    console.print(Text(f"hello: {support.name} {support.version} ({support.language}), "
                       f"capabilities {', '.join(sorted(support.capabilities))}"))


def _print_exchange(console: Console, request: Mapping[str, Any], reply: Reply) -> None:
    console.print(Text(f"\n> {json.dumps(request, ensure_ascii=False)}"))
    if isinstance(reply, Answer):
        console.print(Text(f"< {json.dumps(_shown(reply), ensure_ascii=False)}"))
        return
    console.print(Text(f"! {reply.message}", style="bold red"))
    if reply.stderr:
        console.print(Text(reply.stderr[-2000:], style="dim"))


def _print_differences(console: Console, differences: Sequence[Difference]) -> None:
    for d in differences:
        console.print(Text(f"  {d.check}: {d.message}", style="bold red"))
        console.print(Text(f"    expected {json.dumps(d.expected, ensure_ascii=False)}",
                           style="green"))
        console.print(Text(f"    actual   {json.dumps(d.actual, ensure_ascii=False)}",
                           style="red"))


def _print_right(console: Console, answers: int) -> None:
    console.print(Text(f"\nAll {answers} answers are right. Next: ludex certify",
                       style="bold green"))


def _shown(reply: Answer) -> Any:
    return {"error": reply.error._asdict()} if reply.error is not None else reply.result
