"""Positions per second through the kit's driver, and checked by the kit.

::

    python benchmarks/driver.py [--players 2 3 4] [--games N] [--together N] [--repeats N]

The other side is always `canned_child.py`, which answers recorded positions of the sample game:
what is measured is this side of the pipe and the pipe, not somebody's game program.

bare     peer of the driver: writes a batch to a blocking pipe, reads as many lines, parses each.
         It looks at nothing; a silent or lying child would hang or fool it.
driver   `ludex_tck.driver.Process.exchange`: limits, ids, envelopes, exactness. No game knowledge.
         It is the limit for what the kit can check against a child in Python.
kit      the driver, and every position compared with the reference's, as a ratio to the driver.
"""

from __future__ import annotations

import argparse
import gc
import os
import platform
import statistics
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import orjson

import ludex
from ludex.protocol.describe import sample_game
from ludex_tck.driver import Answer, Process
from ludex_tck.implementation import Implementation
from ludex_tck.scripts import Script, Step, requests_of

Request = dict[str, Any]
Exchange = Callable[[list[Request]], list[Any]]
CHILD = str(Path(__file__).with_name("canned_child.py"))


class Bare:
    """The least that talks to a child: no limits, no checks."""

    def __init__(self, command: list[str]) -> None:
        self.process = subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, bufsize=0
        )
        assert self.process.stdin is not None
        assert self.process.stdout is not None
        self.stdin, self.stdout = self.process.stdin, self.process.stdout
        self.number = 0

    def exchange(self, requests: list[Request]) -> list[Any]:
        """Send requests, and return the results.

        All of them are written before anything is read, so together they must fit into a pipe:
        the child may block on its answers, but not this side on its requests.
        """
        lines = []
        for request in requests:
            self.number += 1
            lines.append(
                orjson.dumps(
                    {"jsonrpc": "2.0", "id": self.number, **request},
                    option=orjson.OPT_APPEND_NEWLINE,
                )
            )
        data = b"".join(lines)
        if len(data) > 1 << 16:
            raise SystemExit(f"{len(data)} bytes do not fit into a pipe; lower --together")
        self.stdin.write(data)
        results: list[Any] = []
        rest = b""
        while len(results) < len(requests):
            chunk = os.read(self.stdout.fileno(), 1 << 16)
            if not chunk:
                raise SystemExit("the canned child has ended")
            *complete, rest = (rest + chunk).split(b"\n")
            results += [orjson.loads(line)["result"] for line in complete]
        return results

    def close(self) -> None:
        """End the child."""
        self.stdin.close()
        self.stdout.close()
        self.process.wait()


def batch(lines: list[Any], together: int, first: int) -> list[Request]:
    """Return the requests of some copies of the sample game, turn about, with their own ids."""
    requests = []
    for line in lines:
        request = line["request"]
        for game in range(first, first + together):
            params = {**request["params"], "game_id": f"g{game}"}
            requests.append({"method": request["method"], "params": params})
    return requests


def run(exchange: Exchange, batches: list[list[Request]], expected: list[Any]) -> float:
    """Exchange batches, see that the answers are those recorded, return the seconds of exchanging.

    Answers are dropped between batches: a heap of a million small objects would measure Python's
    garbage collector.
    """
    seconds = 0.0
    for requests in batches:
        start = time.perf_counter()
        results = exchange(requests)
        seconds += time.perf_counter() - start
        if results != expected:
            raise SystemExit("the answers are not those of the sample game")
    return seconds


def measure_driver(players: int, games: int, together: int, repeats: int) -> None:
    """Measure the driver against the bare pipe, for one number of players, and print a line."""
    command = [sys.executable, CHILD, "poodle-taxi", str(players)]
    lines = sample_game(ludex.load("poodle-taxi", players=players))
    positions = (len(lines) - 1) * games * together
    expected = [line["response"]["result"] for line in lines for _ in range(together)]
    answers = [Answer(result) for result in expected]
    bare, driver = Bare(command), Process(command)
    speeds: list[tuple[float, float]] = []
    try:
        for repeat in range(repeats + 1):
            first = repeat * games * together
            batches = [batch(lines, together, first + i * together) for i in range(games)]
            gc.collect()
            one = positions / run(bare.exchange, batches, expected)
            gc.collect()
            two = positions / run(driver.exchange, batches, answers)
            if repeat:  # the first starts the processes
                speeds.append((one, two))
    finally:
        bare.close()
        driver.close()
    ratios = sorted(two / one for one, two in speeds)
    size = statistics.mean(len(orjson.dumps(line["response"])) for line in lines)
    print(
        f"{players} players, {together:2d} games together   bare {max(s[0] for s in speeds):8,.0f}"
        f"   driver {max(s[1] for s in speeds):8,.0f} positions/s"
        f"   ratio {statistics.median(ratios):.3f} ({ratios[0]:.3f} to {ratios[-1]:.3f})"
        f"   {size:,.0f} bytes a reply"
    )


def measure_kit(players: int, games: int, repeats: int) -> None:
    """Measure positions checked by the kit against the driver alone, and print a line.

    The kit plays the sample game with the canned child, whose answers are right, and compares
    every position with the reference's: state, outcome, actors, legal moves, observations. The
    driver only exchanges the same requests with the same child.
    """
    command = [sys.executable, CHILD, "poodle-taxi", str(players)]
    game = ludex.load("poodle-taxi", players=players)
    lines = sample_game(game)
    script = Script(game, lines[0]["request"]["params"]["chance"], lines[0]["response"]["result"])
    for line in lines[1:-1]:
        params = line["request"]["params"]
        script.steps.append(
            Step(params["move"], params["chance"], (), line["response"]["result"])
        )
    positions = (len(lines) - 1) * games
    driver = Process(command)
    speeds: list[tuple[float, float]] = []
    with Implementation(command, game.document) as kit:
        capabilities = kit.hello().capabilities
        try:
            for repeat in range(repeats + 1):
                gc.collect()
                start = time.perf_counter()
                for number in range(games):
                    driver.exchange(requests_of(script, f"d{repeat}.{number}"))
                one = positions / (time.perf_counter() - start)
                gc.collect()
                start = time.perf_counter()
                for _ in range(games):
                    if kit.run(script, capabilities).at is not None:
                        raise SystemExit("the kit finds a difference in the sample game")
                two = positions / (time.perf_counter() - start)
                if repeat:  # the first starts the processes
                    speeds.append((one, two))
        finally:
            driver.close()
    ratios = sorted(two / one for one, two in speeds)
    print(
        f"{players} players   driver {max(s[0] for s in speeds):8,.0f}"
        f"   kit, checked {max(s[1] for s in speeds):8,.0f} positions/s"
        f"   ratio {statistics.median(ratios):.3f} ({ratios[0]:.3f} to {ratios[-1]:.3f})"
    )


def main() -> None:
    """Read the command line, measure, print."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--players", type=int, nargs="+", default=[2, 3, 4], help="2, 3, 4")
    parser.add_argument("--games", type=int, default=40, help="exchanges in one repetition")
    parser.add_argument(
        "--together", type=int, nargs="+", default=[1, 4], help="games in one exchange"
    )
    parser.add_argument("--repeats", type=int, default=9)
    args = parser.parse_args()
    print(f"Driver and canned child; Python {platform.python_version()}, {platform.machine()}")
    print(f"best of {args.repeats} x {args.games} exchanges; ratio driver / bare pipe, median")
    for players in args.players:
        for together in args.together:
            measure_driver(players, args.games, together, args.repeats)
        measure_kit(players, args.games, args.repeats)


if __name__ == "__main__":
    main()
