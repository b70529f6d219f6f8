"""The checks: what the kit looks at, by conformance class.

A check has a stable id. A class passes if its main check fired and none of its checks failed.
"""

from __future__ import annotations

__all__ = ["CHECKS", "CLASSES", "MAIN", "NEEDS", "class_of"]

#: Check id to what it says.
CHECKS: dict[str, str] = {
    "core.answers": "every request is answered in time with a well-formed result",
    "core.actors": "the players who may act are the right ones",
    "core.legal-set": "the listed legal moves are exactly the legal moves",
    "core.accepts": "a legal move is carried out",
    "core.refuses": "an illegal move is refused",
    "core.unchanged": "a refused move changes nothing",
    "core.outcome": "the game ends when it must, with the right winners and returns",
    "core.chance": "what a program draws itself is possible",
    "core.fair": "what a program draws itself is spread as the rules say",
    "state.table": "the table is as the rules leave it",
    "privacy.observation": "each player sees what the rules let them see, and nothing else",
    "privacy.twins": "what a player is told of a refused move does not depend on hidden things",
    "robust.not-a-request": "a line that is no request is answered with -32700 or -32600",
    "robust.unknown": "an unknown method, game or game_id is answered with -32601, -32001, -32003",
    "robust.unsupported": "an unsupported value of what hello lists is answered with -32002",
    "robust.params": "params that are missing or of a wrong type are answered with -32602",
    "robust.over": "a move after the end of the game is answered with -32004",
    "robust.tape": "a tape that does not fit is answered with -32010 to -32013",
    "robust.size": "long lines and deep nesting are answered like others, or with -32700 or -32600",
    "robust.unknown-fields": "fields that the program does not know are ignored",
    "robust.goes-on": "whatever is wrong in one request, the games that are open go on",
    "robust.independent": "games that are played at the same time do not influence each other",
    "robust.repeats": "the same game gets the same answers again",
    "robust.end": "the program ends with status 0 when its input ends",
    "explain.rule": "a refusal that names a rule names one that the move breaks",
}

#: In the order of reports.
CLASSES = ("core", "state", "privacy", "robust", "explain")

#: Check id to the capability without which it is not supported.
NEEDS = {
    "core.legal-set": "legal",
    "core.chance": "chance:report",
    "core.fair": "chance:report",
    "state.table": "state",
    "privacy.observation": "observations",
}


#: Class to the check without which it proves nothing.
MAIN = {
    "core": "core.accepts",
    "state": "state.table",
    "privacy": "privacy.observation",
    "robust": "robust.not-a-request",
    "explain": "explain.rule",
}


def class_of(check: str) -> str:
    """Return the conformance class of a check."""
    return check.split(".")[0]
