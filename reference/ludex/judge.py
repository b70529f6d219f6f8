"""The judge: is a recorded game legal, and who has won it by which rule.

::

    a record ──replay──> position after position
                            │  a move that breaks a rule, or a refusal that breaks none
                            ▼
    Judgement: so far so good, and then the rule, the reason, the values, what was legal instead

Only the game document is needed. A record that does not fit its game is an error
(`ludex.protocol.replay`), not a judgement.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from ludex.engine import State, Tape
from ludex.engine.course import Used, course
from ludex.engine.explain import Cause, Explainer
from ludex.engine.program import Action
from ludex.engine.runtime import FAULTS
from ludex.errors import Broken
from ludex.protocol.records import Line, Record
from ludex.protocol.replay import begin, carry_out, read_action

__all__ = ["Judgement", "Offence", "Ruled", "judge", "judgement_json", "nearest", "offences",
           "rule_words"]

Json = dict[str, Any]


@dataclass(frozen=True)
class Offence:
    """One requirement that a move breaks.

    Attributes
    ----------
    rule : str
        Id of the rule.
    text : str
        The rule in words.
    reason : str
        The requirement's own words.
    clause : str
        Where it stands in the game document.
    also : tuple of str
        Further rules that it formalises.
    causes : tuple of Cause
        The parts of the requirement that fail, with the values that matter.
    """

    rule: str
    text: str
    reason: str
    clause: str
    also: tuple[str, ...] = ()
    causes: tuple[Cause, ...] = ()


@dataclass(frozen=True)
class Ruled:
    """A rule that decides something about the end.

    Attributes
    ----------
    what : str
        ``end``, ``winners`` or ``returns``.
    rule, text : str
        Its id and its words.
    """

    what: str
    rule: str
    text: str


@dataclass(frozen=True)
class Judgement:
    """What a record comes to.

    Attributes
    ----------
    verdict : str
        ``over``: a whole legal game. ``open``: legal so far, but the game is not over.
        ``illegal``: a move breaks a rule. ``legal``: a move that was refused breaks none.
    state : State
        The position after the last move that stands.
    played : int
        How many moves stand.
    refused : int
        How many refusals were right.
    line : Line or None
        The line where the judge stopped.
    offences : tuple of Offence
        What its move breaks; the first one counts.
    legal : list of dict
        What was legal instead, the nearest first.
    rules : tuple of Ruled
        The rules that decide the end.
    traces : tuple of (Line, list of Used)
        If it was asked for: the moves that stand, each with the clauses that it used.
    """

    verdict: str
    state: State
    played: int
    refused: int
    line: Line | None = None
    offences: tuple[Offence, ...] = ()
    legal: list[Json] = field(default_factory=list)
    rules: tuple[Ruled, ...] = ()
    traces: tuple[tuple[Line, list[Used]], ...] = ()

    @property
    def holds(self) -> bool:
        """Whether every line of the record is by the rules."""
        return self.verdict in ("over", "open")


def judge(document: Mapping[str, Any], record: Record, *, traced: bool = False) -> Judgement:
    """Judge a record.

    Parameters
    ----------
    document : dict
        The game document.
    record : Record
        The record.
    traced : bool
        Whether to note the clauses that each move uses (slower).

    Returns
    -------
    Judgement
        Up to the first line that is not by the rules, else to the end.

    Raises
    ------
    RecordError
        If the record does not fit the game: another edition, an unknown card, missing chance.
    """
    state = begin(document, record)
    played = refused = 0
    traces: list[tuple[Line, list[Used]]] = []
    for line in record.moves:
        action = read_action(state.game, record, line)
        broken = state.broken(action)
        if line.value.get("refused"):
            if not broken:
                return Judgement("legal", state, played, refused, line, traces=tuple(traces))
            refused += 1
            continue
        if broken:
            return Judgement("illegal", state, played, refused, line, offences(state, action),
                             nearest(state, line.value), _rules(state), tuple(traces))
        before = state
        state = carry_out(state, action, record, line)
        if traced:
            # the tape fits: it was just used
            tape = Tape(line.value.get("chance", []))
            traces.append((line, course(before, action, tape)[1]))
        played += 1
    verdict = "over" if state.is_terminal else "open"
    return Judgement(verdict, state, played, refused, rules=_rules(state), traces=tuple(traces))


def rule_words(document: Mapping[str, Any], rule: str) -> str:
    """Return a rule in words; a document may have been stripped of them."""
    text = document.get("text", {}).get("rules", {}).get(rule, {}).get("text", "")
    return " ".join(text.split()) or "(there are no words for this rule)"


def _rules(state: State) -> tuple[Ruled, ...]:
    """Return the rules that decide the end, each once, the ending first."""
    ending = state.ending()
    if ending is None:
        return ()
    found = {"end": ending["rule"]}
    for what in ("winners", "returns"):
        if what in ending:
            found[what] = ending.get(f"{what}_rule") or ending["rule"]
    document = state.game.document
    return tuple(Ruled(what, rule, rule_words(document, rule)) for what, rule in found.items())


def nearest(state: State, move: Json) -> list[Json]:
    """Return the legal moves: those of the same name and with the most equal arguments first."""

    def distance(legal: Json) -> tuple[bool, int, bool]:
        args = move["args"]
        equal = sum(k in args and args[k] == v for k, v in legal["args"].items())
        return legal["move"] != move["move"], -equal, legal["actor"] != move["actor"]

    return sorted(state.legal_json(), key=distance)


# -- why a move is illegal -----------------------------------------------------------------------


def offences(state: State, action: Action) -> tuple[Offence, ...]:
    """Return every requirement that an action breaks, with the values that matter.

    Parameters
    ----------
    state : State
        Where it is tried.
    action : Action
        The action; nothing is returned for a legal one.
    """
    explainer = Explainer(state.game.program)
    return tuple(_offence(state, action, b, explainer) for b in state.broken(action))


def _offence(state: State, action: Action, broken: Broken, explainer: Explainer) -> Offence:
    try:
        causes = _causes(state, action, broken, explainer)
    except FAULTS:
        # a requirement may only make sense where those before it hold
        causes = []
    return Offence(broken.rule, rule_words(state.game.document, broken.rule), broken.reason,
                   broken.clause, broken.also, tuple(causes))


def _causes(state: State, action: Action, broken: Broken, explainer: Explainer) -> list[Cause]:
    document = state.game.document
    kind, _, rest = broken.clause.partition(".")
    name, _, rest = rest.partition(".")
    if kind == "steps":
        step = next(s for s in document["steps"] if s["name"] == name)
        if rest == "moves":
            return [Cause(f"moves of step {name}", {"they": step["moves"]})]
        return [_value_of(step["actors"], state, {}, explainer)]
    if kind != "moves":
        return []
    move = next(m for m in document["moves"] if m["name"] == name)
    local: Json = {"actor": action[0]}
    what, _, which = rest.partition(".")
    for index, param in enumerate(move["params"]):
        if what == "params" and param["name"] == which:
            if "when" in param:
                missing = explainer.why_not(param["when"], state.position, local)
                if missing:
                    return missing
            return [_value_of(param["in"], state, local, explainer)]
        local[param["name"]] = action[index + 2]
    requirement = move["requires"][int(which)]
    return explainer.why_not(requirement["that"], state.position, local)


def _value_of(clause: Json, state: State, local: Json, explainer: Explainer) -> Cause:
    tree = clause["tree"]
    value = explainer.value(tree, state.position, local)
    type_ = state.game.codec.type(tree["type"])
    decoded = state.game.codec.decode(list(value) if isinstance(value, range) else value, type_)
    return Cause(clause["expr"], {clause["expr"]: decoded})


# -- out -----------------------------------------------------------------------------------------


def judgement_json(found: Judgement, file: str) -> Json:
    """Return a judgement as JSON.

    Parameters
    ----------
    found : Judgement
        The judgement.
    file : str
        What the record is called.
    """
    state, line = found.state, found.line
    move = None if line is None else {k: line.value[k] for k in ("actor", "move", "args")}
    return {
        "record": file,
        "game": state.game.name,
        "edition": state.game.document["edition"],
        "verdict": found.verdict,
        "moves": found.played,
        "refused": found.refused,
        "line": None if line is None else line.number,
        "move": move,
        "broken": [
            {
                "rule": o.rule,
                "text": o.text,
                "reason": o.reason,
                "clause": o.clause,
                "also": list(o.also),
                "causes": [{"text": c.text, "values": c.values} for c in o.causes],
            }
            for o in found.offences
        ],
        "legal": found.legal,
        "actors": state.actors(),
        "outcome": state.outcome(),
        "rules": [{"decides": r.what, "rule": r.rule, "text": r.text} for r in found.rules],
        **({"trace": [
            {"line": line.number, "used": [u.to_json() for u in used]}
            for line, used in found.traces
        ]} if found.traces else {}),
    }
