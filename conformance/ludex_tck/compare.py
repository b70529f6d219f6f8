"""Comparing an answer with what the rules say.

`compare` returns every difference between one answer and its step, the most telling first: what
happened to the move, then the table, then the end, the turn, the legal moves, the views.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import orjson

from .schemas import instance_errors
from .scripts import Step
from .wire import Answer, Breach, Reply

__all__ = ["Difference", "compare", "explain", "fired", "is_pending", "same"]

Json = dict[str, Any]
_TAPE_ERRORS = (-32010, -32011, -32012, -32013)


@dataclass(frozen=True)
class Difference:
    """Where an answer departs from the rules.

    Attributes
    ----------
    check : str
        Id of the check.
    message : str
        One sentence.
    expected, actual : object
        JSON.
    path : tuple of str
        Where in the position; empty for the whole answer.
    """

    check: str
    message: str
    expected: Any
    actual: Any
    path: tuple[str, ...] = ()


def fired(step: Step | None, capabilities: Collection[str]) -> list[str]:
    """Return the checks that one answer goes through (`step` is None for the setup)."""
    if step is not None and step.refused:
        return ["core.answers", "core.refuses"]
    checks = ["core.answers", "core.accepts", "core.actors", "core.outcome"]
    if "legal" in capabilities:
        checks.append("core.legal-set")
    if "state" in capabilities:
        checks.append("state.table")
    if "observations" in capabilities:
        checks.append("privacy.observation")
    return checks


def compare(
    reply: Reply, step: Step | None, expected: Json | None, capabilities: Collection[str]
) -> list[Difference]:
    """Compare one answer.

    Parameters
    ----------
    reply : Answer or Breach
        What came.
    step : Step or None
        What was asked; None for the setup.
    expected : dict or None
        The position that must follow; None if the move must be refused.
    capabilities : collection of str
        What the implementation says it can do.
    """
    if isinstance(reply, Breach):
        return [Difference("core.answers", reply.message, "an answer", reply.kind)]
    if reply.error is not None:
        return [_rpc_error(reply, expected)]
    result = reply.result
    if not isinstance(result, dict):
        return [Difference("core.answers", "the result is no object", "an object", result)]
    refused = "illegal" in result
    if refused and step is None:
        return [Difference("core.answers", "new_game is answered with a refusal", "a position",
                           result)]
    if refused and not _well_formed(result["illegal"]):
        return [Difference("core.answers", "the refusal is not well-formed",
                           {"illegal": {"rule": "optional", "reason": "optional"}}, result)]
    if expected is None:
        if refused:
            return []
        return [Difference("core.refuses", "an illegal move is carried out", "a refusal",
                           _short(result))]
    if refused:
        return [Difference("core.accepts", "a legal move is refused", "a position", result)]
    if result.get("pending") is True and step is not None:
        return _pending(result, expected)
    return _position(result, expected, capabilities)


def explain(refusal: Json, step: Step) -> list[Difference]:
    """Compare the rule that a refusal names, if it names one, with those that the move breaks."""
    named = refusal.get("rule")
    rules = list(dict.fromkeys(r for b in step.broken for r in (b.rule, *b.also)))
    if named is None or named in rules:
        return []
    return [Difference("explain.rule", "the refusal names a rule that the move does not break",
                       rules, named)]


def _well_formed(refusal: Any) -> bool:
    return isinstance(refusal, dict) and all(
        isinstance(refusal[k], str) for k in ("rule", "reason") if k in refusal
    )


def is_pending(reply: Reply) -> bool:
    """Return whether an answer says that a turn is not complete yet."""
    return (
        isinstance(reply, Answer)
        and isinstance(reply.result, Mapping)
        and reply.result.get("pending") is True
    )


def _pending(result: Json, expected: Json) -> list[Difference]:
    """Compare the little that an answer inside a turn says: who goes on, and that somebody does."""
    errors = instance_errors(result, "protocol/apply.result")
    if errors:
        return [Difference("core.answers", f"the answer is not well-formed: {errors[0]}",
                           {"pending": True, "actors": expected["actors"]}, result)]
    if expected["outcome"] is not None:
        return [Difference("core.outcome", "the game is over, but the turn is said to go on",
                           expected["outcome"], None, ("outcome",))]
    if not _same_set(result["actors"], expected["actors"]):
        return [Difference("core.actors", "the wrong players may act", expected["actors"],
                           result["actors"], ("actors",))]
    return []


def _rpc_error(reply: Answer, expected: Json | None) -> Difference:
    error = reply.error
    assert error is not None
    actual: Json = {"error": {"code": error.code, "message": error.message}}
    if isinstance(error.data, Mapping) and "wanted" in error.data:
        actual["error"]["data"] = {"wanted": error.data["wanted"]}
    if expected is None:
        return Difference("core.refuses", "an illegal move is answered with an error", "a refusal",
                          actual)
    if error.code in _TAPE_ERRORS:
        return Difference("core.accepts",
                          "the outcomes on the tape are not those that the program asks for",
                          "a position", actual)
    return Difference("core.answers", "a request is answered with an error", "a position", actual)


def _position(result: Json, expected: Json, capabilities: Collection[str]) -> list[Difference]:
    found: list[Difference] = []
    missing = [k for k in ("actors", "outcome") if k not in result]
    if missing:
        return [Difference("core.answers", f"the position has no {missing[0]}", "a position",
                           _short(result))]
    if "state" in capabilities and not same(result.get("state"), expected["state"]):
        found += _values("state.table", expected["state"], result.get("state"), ("state",))
    if not same(_outcome(result["outcome"]), _outcome(expected["outcome"])):
        found.append(Difference("core.outcome", _outcome_words(expected["outcome"]),
                                expected["outcome"], result["outcome"], ("outcome",)))
    actors = result["actors"]
    if not _same_set(actors, expected["actors"]):
        found.append(Difference("core.actors", "the wrong players may act", expected["actors"],
                                actors, ("actors",)))
    if "legal" in capabilities:
        found += _legal(expected["legal"], result.get("legal"))
    if "observations" in capabilities:
        seen = result.get("observations")
        if not same(seen, expected["observations"]):
            found += _values("privacy.observation", expected["observations"], seen,
                             ("observations",))
    if found:
        # only now: a position that equals the right one is well-formed
        errors = instance_errors(result, "protocol/position")
        if errors:
            return [Difference("core.answers", f"the position is not well-formed: {errors[0]}",
                               "a position", _short(result))]
    return found


def same(actual: Any, expected: Any) -> bool:
    """Return whether two JSON values are equal; unlike in Python, 1, 1.0 and true all differ."""
    return bool(actual == expected) and move_key(actual) == move_key(expected)


def _outcome(value: Any) -> Any:
    """Return what counts of an outcome: winners as a set, returns; other fields are ignored."""
    if isinstance(value, Mapping):
        winners = value.get("winners")
        if isinstance(winners, list) and all(isinstance(w, str) for w in winners):
            winners = sorted(winners)
        return {"winners": winners, **{k: value[k] for k in ("returns",) if k in value}}
    return value


def _outcome_words(expected: Any) -> str:
    if expected is None:
        return "the game is not over, but it is said to be"
    return "the game is over, and its outcome differs"


def _same_set(actual: Any, expected: Sequence[str]) -> bool:
    if not isinstance(actual, list) or not all(isinstance(a, str) for a in actual):
        return False
    return sorted(actual) == sorted(expected)


def _legal(expected: Sequence[Json], actual: Any) -> list[Difference]:
    if not isinstance(actual, list):
        return [Difference("core.legal-set", "there is no list of legal moves", list(expected),
                           actual, ("legal",))]
    want = {move_key(m): m for m in expected}
    have = {move_key(_known(m)): m for m in actual}
    if want.keys() == have.keys():
        return []
    extra = [m for k, m in have.items() if k not in want]
    missing = [m for k, m in want.items() if k not in have]
    # a move too many says more than one too few: something forbids it
    words = "an illegal move is listed as legal" if extra else "a legal move is not listed"
    return [Difference("core.legal-set", words, {"missing": missing}, {"extra": extra}, ("legal",))]


def _known(move: Any) -> Any:
    """Return a move without fields that the protocol does not know."""
    if isinstance(move, Mapping) and len(move) > 3:
        return {k: move[k] for k in ("actor", "move", "args") if k in move}
    return move


def move_key(move: Any) -> bytes:
    """Return bytes that are equal for equal moves, and for no others."""
    return orjson.dumps(move, option=orjson.OPT_SORT_KEYS)


def _values(check: str, expected: Any, actual: Any, path: tuple[str, ...]) -> list[Difference]:
    """Return the differing places: as deep as both sides are objects."""
    if (
        isinstance(expected, Mapping)
        and isinstance(actual, Mapping)
        and not {"count", "hidden"} & (expected.keys() | actual.keys())
    ):
        found: list[Difference] = []
        for key, value in expected.items():
            if key not in actual:
                found.append(Difference(check, f"{'.'.join((*path, key))} is missing", value, None,
                                        (*path, key)))
            elif not same(actual[key], value):
                found += _values(check, value, actual[key], (*path, key))
        found += [
            Difference(check, f"{'.'.join((*path, key))} is not in the rules", None, actual[key],
                       (*path, key))
            for key in actual if key not in expected
        ]
        return found
    if actual is None:
        return [Difference(check, f"{'.'.join(path)} is missing", expected, actual, path)]
    return [Difference(check, f"{'.'.join(path)} differs", expected, actual, path)]


def _short(value: Any) -> Any:
    """Return a large answer without its large parts."""
    if isinstance(value, Mapping):
        return {k: value[k] for k in ("actors", "outcome", "pending") if k in value} or dict(value)
    return value
