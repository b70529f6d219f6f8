"""Profiles: how much a run does. Numbers of cases, never of seconds; time is only a cap."""

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
    shrinks : int
        Games tried to make one failure smaller.
    findings : int
        Different findings after which the run stops.
    seconds : float
        A cap: what is not done by then makes the verdict inconclusive.
    """

    name: str
    cases: int
    shrinks: int
    findings: int
    seconds: float


PROFILES = {
    p.name: p
    for p in (
        Profile("smoke", cases=40, shrinks=120, findings=1, seconds=30),
        Profile("standard", cases=600, shrinks=400, findings=3, seconds=300),
        Profile("thorough", cases=6000, shrinks=1500, findings=10, seconds=3600),
    )
}
