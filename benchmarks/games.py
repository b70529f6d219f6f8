"""Random play of small classics: Ludex against hand-written Python, OpenSpiel and PettingZoo.

::

    python benchmarks/games.py [--games NAME ...] [--repeats N] [--profile]

Every player lists the legal moves of every position, takes ``legal[int(random() * len(legal))]``
and asks for the returns at the end. In the games without chance the moves are listed in the same
order, so with the same seed all play the same games: their tallies must be equal. In Kuhn poker the
tallies must agree within 3 %. Repetitions alternate between the players; the clock is the
CPU time of the process. Libraries that are not installed are left out, and said so.
"""

from __future__ import annotations

import argparse
import cProfile
import gc
import platform
import pstats
import statistics
import time
from collections.abc import Callable
from importlib import import_module
from pathlib import Path
from random import Random
from typing import Any, NamedTuple

from classics_by_hand import ConnectFour, KuhnPoker, TicTacToe

import ludex

SPECS = Path(__file__).resolve().parents[1] / "tests" / "games"
#: Against OpenSpiel's games in Python.
AIM = 2.0
TOLERANCE = 0.03
#: Games in one repetition.
SIZES = {"tic-tac-toe": 1000, "connect-four": 200, "kuhn-poker": 2500}
BY_HAND: dict[str, Callable[[Random], Any]] = {
    "tic-tac-toe": lambda random: TicTacToe(),
    "connect-four": lambda random: ConnectFour(),
    "kuhn-poker": lambda random: KuhnPoker(random.random),
}
OPENSPIEL = {
    "tic-tac-toe": {"OpenSpiel, C++": "tic_tac_toe", "OpenSpiel, Python": "python_tic_tac_toe"},
    "connect-four": {"OpenSpiel, C++": "connect_four"},
    "kuhn-poker": {"OpenSpiel, C++": "kuhn_poker", "OpenSpiel, Python": "python_kuhn_poker"},
}
PETTINGZOO = {"tic-tac-toe": "tictactoe_v3", "connect-four": "connect_four_v3"}


class Tally(NamedTuple):
    """What some games came to."""

    moves: int
    legal: int
    first: int
    second: int
    gained: float


class Played(NamedTuple):
    """What some games came to, and the time they took."""

    tally: Tally
    seconds: float

    @property
    def speed(self) -> float:
        """Moves per second of CPU time, setup and end included."""
        return self.tally.moves / self.seconds


#: Plays so many games with a seed.
Player = Callable[[int, int], Played]


class Counting:
    """Adds up games, and takes the time from its making to `done`."""

    def __init__(self) -> None:
        self.moves = self.legal = self.first = self.second = 0
        self.gained = 0.0
        self.start = time.process_time()

    def game(self, gain: float) -> None:
        self.first += gain > 0
        self.second += gain < 0
        self.gained += gain

    def done(self, moves: int, legal: int) -> Played:
        seconds = time.process_time() - self.start
        return Played(Tally(moves, legal, self.first, self.second, self.gained), seconds)


def ludex_player(name: str) -> Player:
    """Return the engine with its public API."""
    game = ludex.load(SPECS / name)

    def play(games: int, seed: int) -> Played:
        chance, random = ludex.Seeded(seed), Random(seed).random
        moves = legal = 0
        count = Counting()
        for _ in range(games):
            state = game.initial_state(chance)
            while not state.is_terminal:
                actions = state.legal_actions()
                state.apply_action(actions[int(random() * len(actions))], chance)
                moves += 1
                legal += len(actions)
            count.game(state.outcome()["returns"]["p1"])  # type: ignore[index]
        return count.done(moves, legal)

    return play


def by_hand(name: str) -> Player:
    """Return a game that is written for itself alone."""
    make = BY_HAND[name]

    def play(games: int, seed: int) -> Played:
        chance, random = Random(f"chance {seed}"), Random(seed).random
        moves = legal = 0
        count = Counting()
        for _ in range(games):
            game = make(chance)
            while not game.over:
                actions = game.legal_moves()
                game.play(actions[int(random() * len(actions))])
                moves += 1
                legal += len(actions)
            count.game(game.returns()[0])
        return count.done(moves, legal)

    return play


def openspiel(name: str) -> Player:
    """Return one of OpenSpiel's games, driven from Python."""
    # the games in Python register themselves
    import_module("open_spiel.python.games")
    game = import_module("pyspiel").load_game(name)

    def play(games: int, seed: int) -> Played:
        chance, random = Random(f"chance {seed}").random, Random(seed).random
        moves = legal = 0
        count = Counting()
        for _ in range(games):
            state = game.new_initial_state()
            while not state.is_terminal():
                if state.is_chance_node():
                    # all outcomes of these games are equally likely
                    outcomes = state.chance_outcomes()
                    state.apply_action(outcomes[int(chance() * len(outcomes))][0])
                    continue
                actions = state.legal_actions()
                state.apply_action(actions[int(random() * len(actions))])
                moves += 1
                legal += len(actions)
            count.game(state.returns()[0])
        return count.done(moves, legal)

    return play


def pettingzoo(name: str, maker: str) -> Player:
    """Return one of PettingZoo's games; `maker` is ``env`` (as documented) or ``raw_env``."""
    flatnonzero = import_module("numpy").flatnonzero
    env = getattr(import_module(f"pettingzoo.classic.{name}"), maker)()

    def play(games: int, seed: int) -> Played:
        random = Random(seed).random
        moves = legal = 0
        count = Counting()
        for _ in range(games):
            env.reset()
            first = env.agents[0]
            gain = 0.0
            while env.agents:
                observation, reward, over, cut, _ = env.last()
                if env.agent_selection == first and (over or cut):
                    gain = reward
                if over or cut:
                    env.step(None)
                    continue
                actions = flatnonzero(observation["action_mask"])
                env.step(int(actions[int(random() * len(actions))]))
                moves += 1
                legal += len(actions)
            count.game(gain)
        return count.done(moves, legal)

    return play


def players(name: str) -> dict[str, Player]:
    """Return everybody who can play a game; says who is missing."""
    wanted: dict[str, Callable[[], Player]] = {
        "Ludex": lambda: ludex_player(name),
        "by hand": lambda: by_hand(name),
    }
    for label, theirs in OPENSPIEL[name].items():
        wanted[label] = lambda theirs=theirs: openspiel(theirs)  # type: ignore[misc]
    if name in PETTINGZOO:
        for label, maker in (("PettingZoo", "env"), ("PettingZoo, bare", "raw_env")):
            wanted[label] = lambda maker=maker: pettingzoo(PETTINGZOO[name], maker)  # type: ignore[misc]
    found = {}
    for label, make in wanted.items():
        try:
            found[label] = make()
        except ImportError as error:
            print(f"  {label} is left out: {error}")
    return found


def compare(name: str, found: dict[str, Player]) -> None:
    """Stop if somebody plays another game: figures against it would mean nothing."""
    games = SIZES[name]
    tallies = {label: play(games, 1).tally for label, play in found.items()}
    expected = tallies["Ludex"]
    for label, tally in tallies.items():
        if name == "kuhn-poker":
            pairs = zip(tally[:4], expected[:4], strict=True)
            same = all(abs(a - b) <= TOLERANCE * games for a, b in pairs)
        else:
            same = tally == expected
        if not same:
            raise SystemExit(f"{name}: {label} has {tally}, Ludex {expected}")


def measure(name: str, repeats: int) -> None:
    """Measure one game, and print a line for each player."""
    found = players(name)
    compare(name, found)
    runs: dict[str, list[Played]] = {label: [] for label in found}
    for seed in range(repeats):
        for label, play in found.items():
            gc.collect()
            runs[label].append(play(SIZES[name], seed))
    for label, played in runs.items():
        ratios = sorted(
            ours.speed / theirs.speed for ours, theirs in zip(runs["Ludex"], played, strict=True)
        )
        best = max(p.speed for p in played)
        aim = f"   aim {AIM}" if label == "OpenSpiel, Python" else ""
        print(f"  {label:18}{best:11,.0f} moves/s   Ludex / this one "
              f"{statistics.median(ratios):7.3f} ({ratios[0]:.3f} to {ratios[-1]:.3f}){aim}")


def profile(name: str) -> None:
    """Print where the engine spends its time; the profiler itself makes calls look dear."""
    play = ludex_player(name)
    profiler = cProfile.Profile()
    profiler.runcall(play, SIZES[name], 0)
    pstats.Stats(profiler).sort_stats("tottime").print_stats(12)


def main() -> None:
    """Read the command line, measure, print."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--games", nargs="+", choices=list(SIZES), default=list(SIZES))
    parser.add_argument("--repeats", type=int, default=15)
    parser.add_argument("--profile", action="store_true", help="say where the engine's time goes")
    args = parser.parse_args()
    print(f"Random play; Python {platform.python_version()}, {platform.machine()}")
    print(f"best of {args.repeats} repetitions; ratios: median (least to most)")
    for name in args.games:
        print(f"{name}, {SIZES[name]} games in a repetition")
        measure(name, args.repeats)
        if args.profile:
            profile(name)


if __name__ == "__main__":
    main()
