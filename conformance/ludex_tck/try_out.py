"""``ludex try``: one short game, line by line. The first thing that an adapter writer runs."""

from __future__ import annotations

import json
import random
from collections.abc import Mapping
from typing import Any

from rich.console import Console
from rich.text import Text

from ludex.engine import Game
from ludex.errors import UsageError

from .compare import compare
from .dealing import dealt_requests
from .implementation import Implementation, Support
from .planning import plan
from .scripts import Script
from .wire import Answer, Breach

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
    game = Game(
        document,
        support.players[0] if players is None else players,
        {name: values[0] for name, values in support.rulings.items()},
    )
    if game.players not in support.players:
        raise UsageError(
            f"the program supports {', '.join(map(str, support.players))} players, found {players}",
            code="usage.players",
        )
    chooser = random.Random(f"try {seed}")
    return plan(game, lambda n: int(chooser.random() * n), plies=game.plies or 50, attempts=False)


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
        raise UsageError("the program draws its own chance (chance:report alone), so no game can "
                         "be planned", code="usage.live", hint="go on with ludex certify")
    script = try_script(implementation.document, support, players, seed)
    console.print(Text(f"hello: {support.name} {support.version} ({support.language}), "
                       f"capabilities {', '.join(sorted(support.capabilities))}"))
    requests = dealt_requests(script, "try", support.capabilities)
    for index, request in enumerate(requests[:-1], start=-1):
        step = script.steps[index] if index >= 0 else None
        expected = script.expected if step is None else step.expected
        [reply] = implementation.process.exchange([request])
        console.print(Text(f"\n> {json.dumps(request, ensure_ascii=False)}"))
        if isinstance(reply, Breach):
            console.print(Text(f"! {reply.message}", style="bold red"))
            if reply.stderr:
                console.print(Text(reply.stderr[-2000:], style="dim"))
            return 1
        console.print(Text(f"< {json.dumps(_shown(reply), ensure_ascii=False)}"))
        differences = compare(reply, step, expected, support.capabilities)
        if differences:
            for d in differences:
                console.print(Text(f"  {d.check}: {d.message}", style="bold red"))
                console.print(Text(f"    expected {json.dumps(d.expected, ensure_ascii=False)}",
                                   style="green"))
                console.print(Text(f"    actual   {json.dumps(d.actual, ensure_ascii=False)}",
                                   style="red"))
            return 1
    console.print(Text(f"\nAll {len(script.steps) + 1} answers are right. "
                       "Next: ludex certify", style="bold green"))
    return 0


def _shown(reply: Answer) -> Any:
    return {"error": reply.error._asdict()} if reply.error is not None else reply.result
