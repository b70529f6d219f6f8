"""Profiles: how much a run does, in games and moves, never in seconds; time is only a cap."""

from __future__ import annotations

from dataclasses import dataclass

__all__ = ["PROFILES", "Profile"]


@dataclass(frozen=True)
class Profile:
    """How much a run does.

    Attributes
    ----------
    name : str
        As on the command line.
    cases : int
        Random games.
    moves : int
        About so many moves in all of them: of a game that takes long, fewer games are played.
    longest : int
        Moves of one game; what comes after them is not played.
    shrinks : int
        Games tried to make one failure smaller.
    findings : int
        Different findings after which the run stops.
    seconds : float
        A cap: what is not done by then makes the verdict inconclusive.
    """

    name: str
    cases: int
    moves: int
    longest: int
    shrinks: int
    findings: int
    seconds: float


PROFILES = {
    p.name: p
    for p in (
        Profile("smoke", cases=40, moves=1_500, longest=200, shrinks=120, findings=1, seconds=60),
        Profile("standard", cases=600, moves=24_000, longest=1_500, shrinks=400, findings=3,
                seconds=600),
        Profile("thorough", cases=6000, moves=240_000, longest=6_000, shrinks=1500, findings=10,
                seconds=7200),
    )
}
