"""Random play: moves per second of the engine against the same game written by hand.

::

    python benchmarks/random_play.py [--players 2 3 4] [--games N] [--repeats N] [--profile]

Both list every legal move of every position and choose with the same expression. Repetitions
alternate, so that a slow moment of the machine meets both; the clock is the process's own CPU time.
Before anything is measured, games of the engine are played again by hand and must agree move by
move.
"""

from __future__ import annotations

import argparse
import cProfile
import gc
import platform
import pstats
import statistics
import time
from collections import Counter
from collections.abc import Callable
from random import Random
from typing import NamedTuple

from poodle_by_hand import CARDS, LEFT, RIGHT, Card, Move, PoodleTaxi

import ludex

AIM = 0.5
TOLERANCE = 0.02
COLOUR_NAMES = ("green", "pink", "red", "blue", "colour-5", "colour-6")
ARROW_NAMES = ("left", "right")


class Played(NamedTuple):
    """What some games came to."""

    games: int
    moves: int
    legal: int
    seconds: float

    @property
    def speed(self) -> float:
        """Moves per second of CPU time, dealing included."""
        return self.moves / self.seconds

    @property
    def mean_legal(self) -> float:
        """Legal moves of a position, on average."""
        return self.legal / self.moves


def play_engine(game: ludex.Game, games: int, seed: int) -> Played:
    """Play random games with the engine's public API."""
    chance = ludex.Seeded(seed)
    random = Random(f"moves {seed}").random
    moves = legal = 0
    start = time.process_time()
    for _ in range(games):
        state = game.initial_state(chance)
        while not state.is_terminal:
            actions = state.legal_actions()
            state.apply_action(actions[int(random() * len(actions))], chance)
            moves += 1
            legal += len(actions)
        state.outcome()
    return Played(games, moves, legal, time.process_time() - start)


def play_by_hand(players: int, games: int, seed: int) -> Played:
    """Play random games by hand."""
    chance = Random(seed)
    random = Random(f"moves {seed}").random
    moves = legal = 0
    start = time.process_time()
    for _ in range(games):
        game = PoodleTaxi(players, chance)
        while not game.over:
            actions = game.legal_moves()
            game.play(actions[int(random() * len(actions))])
            moves += 1
            legal += len(actions)
        game.outcome()
    return Played(games, moves, legal, time.process_time() - start)


# -- is the peer a peer? -----------------------------------------------------------------------


def expect(holds: bool, message: str) -> None:
    """Stop with a message: figures against a wrong peer mean nothing."""
    if not holds:
        raise SystemExit(f"the two do not play the same game: {message}")


def compare_games(game: ludex.Game, games: int) -> None:
    """Play games of the engine again by hand, with the same cards, and compare every position."""
    random = Random("compare").random
    for seed in range(games):
        chance = ludex.Recorder(ludex.Seeded(seed))
        state = game.initial_state(chance)
        history = []
        while not state.is_terminal:
            actions = state.legal_actions()
            action = actions[int(random() * len(actions))]
            words = [move_by_hand(game, a) for a in actions]
            history.append((state.actors(), words, move_by_hand(game, action)))
            state.apply_action(action, chance)
        deck = [card_by_hand(o["draw"]) for o in chance.outcomes if "draw" in o]
        expect(Counter(deck) == Counter(CARDS * game.players), f"the deck of seed {seed}")
        first = game.player_ids.index(history[0][0][0])
        peer = PoodleTaxi(game.players, Random(0), deck, first)
        for actors, moves, move in history:
            where = f"seed {seed}, {actors}"
            expect(actors == [game.player_ids[peer.turn]], f"whose turn, {where}")
            expect(Counter(moves) == Counter(peer.legal_moves()), f"legal moves, {where}")
            peer.play(move)
        outcome, found = state.outcome(), peer.outcome()
        expect(outcome is not None and found is not None, f"the end of seed {seed}")
        assert outcome is not None
        assert found is not None
        expect(outcome["winners"] == [game.player_ids[p] for p in found[0]], f"winners, {seed}")
        expect(list(outcome["returns"].values()) == found[1], f"returns, seed {seed}")


def card_by_hand(name: str) -> Card:
    """Return a card from its id in the component set."""
    colour, arrow = name.rsplit("-", 1)
    return COLOUR_NAMES.index(colour), ARROW_NAMES.index(arrow)


def move_by_hand(game: ludex.Game, action: tuple[int, ...]) -> Move:
    """Return an action of the engine as the peer's move."""
    args = game.action_to_json(action)["args"]
    ends = {"left": LEFT, "right": RIGHT}
    return card_by_hand(args["card"]), ends[args["end"]] if "end" in args else None


# -- measuring ---------------------------------------------------------------------------------


def measure(players: int, games: int, repeats: int) -> None:
    """Measure one number of players, and print a line."""
    game = ludex.load("poodle-taxi", players=players)
    compare_games(game, 50)
    runs: dict[Callable[[int], Played], list[Played]] = {
        lambda seed: play_engine(game, games, seed): [],
        lambda seed: play_by_hand(players, games, seed): [],
    }
    for seed in range(repeats):
        for run, results in runs.items():
            gc.collect()
            results.append(run(seed))
    engine, by_hand = runs.values()
    for run_ in (*engine, *by_hand):
        expect(run_.moves == 12 * players * run_.games, f"{run_.moves} moves in {run_.games} games")
    means = [sum(r.legal for r in runs_) / sum(r.moves for r in runs_) for runs_ in runs.values()]
    expect(abs(means[0] / means[1] - 1) <= TOLERANCE, f"{means} legal moves on average")
    ratios = sorted(e.speed / h.speed for e, h in zip(engine, by_hand, strict=True))
    best = [max(r.speed for r in runs_) for runs_ in runs.values()]
    print(
        f"{players} players   engine {best[0]:9,.0f}   by hand {best[1]:9,.0f} moves/s"
        f"   ratio {statistics.median(ratios):.3f} ({ratios[0]:.3f} to {ratios[-1]:.3f})"
        f"   legal moves {means[0]:.3f} and {means[1]:.3f}"
    )


def profile(players: int, games: int) -> None:
    """Print where the engine spends its time; the profiler itself makes calls look dear."""
    game = ludex.load("poodle-taxi", players=players)
    profiler = cProfile.Profile()
    profiler.runcall(play_engine, game, games, 0)
    pstats.Stats(profiler).sort_stats("tottime").print_stats(16)


def main() -> None:
    """Read the command line, measure, print."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--players", type=int, nargs="+", default=[2, 3, 4], help="2, 3, 4")
    parser.add_argument("--games", type=int, default=200, help="in one repetition")
    parser.add_argument("--repeats", type=int, default=15)
    parser.add_argument("--profile", action="store_true", help="say where the engine's time goes")
    args = parser.parse_args()
    print(f"Random play, Poodle Taxi; Python {platform.python_version()}, {platform.machine()}")
    print(f"best of {args.repeats} x {args.games} games; ratio engine / by hand, median; aim {AIM}")
    for players in args.players:
        measure(players, args.games, args.repeats)
    if args.profile:
        for players in args.players:
            profile(players, args.games)


if __name__ == "__main__":
    main()
