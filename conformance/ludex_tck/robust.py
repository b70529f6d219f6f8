"""The class `robust`: messages that are wrong, late, huge or many, and games that run side by side.

Nothing here is about the rules of a game. Where an answer should be a position it is compared with
the program's own answer to the same request in a quiet process, so a program that plays wrongly
can still be robust. What is sent is in `misuse`; this room sends it and judges the answers.
"""

from __future__ import annotations

import contextlib
import random
import time
from collections import Counter
from collections.abc import Collection
from dataclasses import dataclass, field, replace
from typing import Any

from .asks import ANY, Ask, Base, Probe
from .compare import move_key
from .games import Games
from .implementation import HelloError, Implementation, Support
from .misuse import probes
from .planning import plan
from .readings import readings_of
from .scripts import Script
from .wire import Answer, Breach, Raw, printable

__all__ = ["MOST", "Fault", "Robustness", "check_robust", "normal"]

Json = dict[str, Any]
#: Different faults after which the class is not looked at any further.
MOST = 3
#: Moves of a game at most.
_PLIES = 200
#: Games of which two are taken, and moves in them after which there are enough.
_TRIES, _ENOUGH = 12, 1200


@dataclass(frozen=True)
class Fault:
    """One way in which a program is not robust.

    Attributes
    ----------
    check : str
        Id of the check.
    message : str
        What was sent, and what is wrong with the answer.
    sent : str
        The line that was sent, cut, safe to print.
    expected, actual : object
        JSON.
    reproduced : bool
        Whether a new process showed it again.
    breach : Breach or None
        If the program broke the protocol.
    """

    check: str
    message: str
    sent: str
    expected: Any
    actual: Any
    reproduced: bool = False
    breach: Breach | None = None

    def to_json(self) -> Json:
        """Return the fault as the report has it."""
        result: Json = {
            "check": self.check,
            "message": self.message,
            "sent": self.sent,
            "expected": self.expected,
            "actual": self.actual,
            "reproduced": self.reproduced,
        }
        if self.breach is not None:
            result["breach"] = {"kind": self.breach.kind, "stderr": self.breach.stderr[-4000:]}
        return result


@dataclass
class Robustness:
    """What the class has found.

    Attributes
    ----------
    faults : list of Fault
        Each of another probe.
    finished : bool
        Whether everything was tried.
    checks : Counter
        Check to how often it was made.
    """

    faults: list[Fault] = field(default_factory=list)
    finished: bool = False
    checks: Counter[str] = field(default_factory=Counter)

    def verdict(self, known: Collection[str] = ()) -> str:
        """Return ``pass``, ``fail``, ``known`` or ``inconclusive``.

        Parameters
        ----------
        known : collection of str
            Checks that are known to fail.
        """
        new = [f for f in self.faults if f.check not in known]
        if any(f.reproduced for f in new):
            return "fail"
        if new or not self.finished or not self.checks:
            return "inconclusive"
        return "known" if self.faults else "pass"


def check_robust(
    implementation: Implementation,
    support: Support,
    games: Games,
    seed: int,
    seconds: float,
    known: Collection[str] = (),
) -> Robustness:
    """Send everything that `misuse` knows, and judge the answers.

    Parameters
    ----------
    implementation : Implementation
        It gets a new process, and is left with one that may be thrown away.
    support : Support
        What it said.
    games : Games
        Of the document.
    seed : int
        Of the game that is played.
    seconds : float
        A cap; what is not done by then makes the class inconclusive.
    known : collection of str
        Checks whose faults do not count among the most that are looked for.
    """
    found = Robustness()
    deadline = time.monotonic() + seconds
    scripts = _scripts(games, support, seed)
    try:
        base, base.other = (_base(implementation, support, s) for s in scripts)
    except HelloError as error:
        found.faults.append(_not_again(error))
        return found
    for probe in probes(base):
        if time.monotonic() > deadline:
            return found
        if probe.fresh:
            implementation.fresh()
        fault = _try(implementation, base, probe, found.checks)
        if fault is not None:
            fault = _confirmed(implementation, base, probe, fault)
            implementation.fresh()
            found.faults.append(fault)
            # silence takes so long that once is enough
            silent = fault.breach is not None and fault.breach.kind == "silence"
            new = [f for f in found.faults if f.check not in known]
            if fault in new and (silent or len(new) >= MOST):
                return found
    found.finished = True
    return found


def _scripts(games: Games, support: Support, seed: int) -> list[Script]:
    """Return two games of legal moves: the longest that ends, and the one most unlike it."""
    game = games.get(support.players[0], *readings_of(support)[0])
    draw = random.Random(f"robust {seed}").random
    plies = min(game.plies or _PLIES, _PLIES)
    made: list[Script] = []
    while len(made) < 2 or (
        len(made) < _TRIES and sum(len(script.steps) for script in made) < _ENOUGH
    ):
        made.append(plan(game, lambda n: int(draw() * n), plies=plies, attempts=False))
    first = max(made, key=lambda script: (script.over, len(script.steps)))
    made.remove(first)
    return [first, max(made, key=lambda script: _unlike(first, script))]


def _unlike(one: Script, other: Script) -> int:
    """Return in how many places the tables of two games differ, position by position."""
    pairs = zip(one.steps, other.steps, strict=False)
    tables = [(one.expected, other.expected), *((a.expected, b.expected) for a, b in pairs)]
    return sum(
        a["state"][name] != b["state"][name]
        for a, b in tables if a is not None and b is not None
        for name in a["state"]
    )


def _base(implementation: Implementation, support: Support, script: Script) -> Base:
    """Play the game in a new process with nothing else, and keep the answers."""
    implementation.fresh()
    base = Base(script, support)
    if support.is_live:
        return base  # no game can be played twice, so there is nothing to compare with
    replies = implementation.exchange(base.requests(base.new_id()))
    for reply in replies[: len(script.steps) + 1]:
        if isinstance(reply, Breach) or reply.error is not None or "illegal" in (
            reply.result if isinstance(reply.result, dict) else ()
        ):
            break  # what it cannot play is not played here
        base.answers.append(normal(reply))
    return base


def _try(
    implementation: Implementation,
    base: Base,
    probe: Probe,
    checks: Counter[str],
    *,
    one_by_one: bool = False,
) -> Fault | None:
    """Send one probe; return what is wrong with the first wrong answer."""
    asks = probe.asks(base)
    send = implementation.one_by_one if one_by_one else implementation.exchange
    try:
        replies = send([ask.request for ask in asks])
    except HelloError as error:
        return _not_again(error)
    for ask, reply in zip(asks, replies, strict=False):
        check = ask.check or probe.check
        checks[check] += 1
        if isinstance(reply, Breach):
            return Fault(check, f"{probe.words}: {reply.message}", _shown(ask), _wanted(ask),
                         reply.kind, breach=reply)
        if not _is_right(ask, reply):
            return Fault(check, f"{probe.words}: {ask.words or 'the answer is wrong'}",
                         _shown(ask), _wanted(ask), _short(normal(reply, whole=True)))
    if probe.hangs_up:
        checks[probe.check] += 1
        breach = implementation.hang_up()
        if breach is not None:
            return Fault(probe.check, f"{probe.words}: {breach.message}", "", "the end, status 0",
                         breach.kind, breach=breach)
    return None


def _confirmed(
    implementation: Implementation, base: Base, probe: Probe, fault: Fault
) -> Fault:
    """Send a probe to a new process, after a whole game, as it was the first time.

    After a breach the requests are sent one by one, so that it comes with its cause.
    """
    for one_by_one in (True, False) if fault.breach else (False,):
        implementation.fresh()
        if not probe.fresh:
            with contextlib.suppress(HelloError):
                implementation.exchange(base.requests(base.new_id()))
        again = _try(implementation, base, probe, Counter(), one_by_one=one_by_one)
        if again is not None and one_by_one and again.breach:
            return replace(again, reproduced=True)
        if again is not None and not one_by_one:
            return replace(fault, reproduced=fault.reproduced or again.check == fault.check)
    return fault


def _not_again(error: HelloError) -> Fault:
    return Fault("robust.goes-on", f"the program does not start again: {error.message}", "",
                 "an answer to hello", None, reproduced=True)


def _is_right(ask: Ask, reply: Answer) -> bool:
    if reply.error is not None:
        return reply.error.code in ask.codes
    if ask.refusal and isinstance(reply.result, dict) and "illegal" in reply.result:
        return True
    return ask.like is ANY or (ask.like is not None and normal(reply) == ask.like)


def _wanted(ask: Ask) -> Any:
    """Return the right answers in words, or the right answer."""
    words = [f"error {code}" for code in ask.codes] + (["a refusal"] if ask.refusal else [])
    if ask.like is ANY:
        words.append("a result")
    elif ask.like is not None:
        return _short(ask.like) if not words else " or ".join([*words, "the same as before"])
    return " or ".join(words)


def normal(reply: Answer, *, whole: bool = False) -> Any:
    """Return what counts of an answer: sets in one order, no texts for people, no unknown fields.

    Parameters
    ----------
    reply : Answer
        What came.
    whole : bool
        Whether to keep the message of an error, for a report.
    """
    if reply.error is not None:
        error: Json = {"code": reply.error.code}
        if whole:
            error["message"] = reply.error.message[:200]
        return {"error": error}
    result = reply.result
    if not isinstance(result, dict):
        return result
    if "illegal" in result:
        refusal = result["illegal"]
        rule = refusal.get("rule") if isinstance(refusal, dict) else refusal
        return {"illegal": {} if rule is None else {"rule": rule}}
    keys = ("pending", "actors", "legal", "state", "observations", "outcome", "chance")
    found = {k: result[k] for k in keys if k in result}
    for key in ("actors", "legal"):
        if isinstance(found.get(key), list):
            found[key] = sorted(found[key], key=move_key)
    outcome = found.get("outcome")
    if isinstance(outcome, dict) and isinstance(outcome.get("winners"), list):
        found["outcome"] = {**outcome, "winners": sorted(outcome["winners"], key=move_key)}
    return found


def _shown(ask: Ask) -> str:
    """Return what was sent, cut and safe to print."""
    request = ask.request
    if isinstance(request, Raw):
        line = request.line
    else:
        line = move_key({"method": request["method"], "params": request.get("params", {})})
    text = printable(line[:300])
    return text if len(line) <= 300 else f"{text}... ({len(line)} bytes)"


def _short(value: Any) -> Any:
    """Return an answer without its large parts."""
    if isinstance(value, dict) and "actors" in value:
        return {k: value[k] for k in ("pending", "actors", "outcome") if k in value}
    text = move_key(value)
    return value if len(text) <= 2000 else printable(text[:300])
