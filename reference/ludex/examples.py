"""Runs worked examples: positions, moves, and what must follow.

An example is data (see ``spec/schemas/examples.schema.json``). Running one gives a list of
failures, each with the step, what was expected and what was found; none means that it holds.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from ludex.census import census
from ludex.engine import Game, Seeded, State, Tape
from ludex.engine.program import Action
from ludex.engine.runtime import FAULTS, fault_words
from ludex.errors import IllegalMove, LudexError, UsageError
from ludex.evaluate import compile_question
from ludex.protocol.canonical import canonical_bytes

__all__ = ["Failure", "Games", "run_example", "state_of"]

Json = dict[str, Any]
#: So many lines are looked for, of so many moves each.
MAX_LINES, MAX_LINE = 5000, 100


@dataclass(frozen=True)
class Failure:
    """What an example expected and did not find.

    Attributes
    ----------
    example : str
        Its id.
    step : int or None
        Index of the step, or None if the example could not begin.
    message : str
        What is wrong.
    expected, found : object
        JSON; None where the message says all.
    """

    example: str
    step: int | None
    message: str
    expected: Any = None
    found: Any = None


class Games:
    """Compiles a game for the settings that examples ask for, each once.

    Parameters
    ----------
    documents : callable
        From the name of a component set to the game document.
    traced : bool
        Whether the games note the clauses that run.
    """

    def __init__(
        self, documents: Callable[[str], Mapping[str, Any]], *, traced: bool = False
    ) -> None:
        self._documents = documents
        self._traced = traced
        self._read: dict[str, Mapping[str, Any]] = {}
        self._games: dict[Any, Game] = {}

    def document(self, components: str) -> Mapping[str, Any]:
        """Return the game document with a component set."""
        if components not in self._read:
            self._read[components] = self._documents(components)
        return self._read[components]

    def get(self, example: Mapping[str, Any]) -> Game:
        """Return the game that an example is about."""
        components = example.get("components", "standard")
        settings = (example["players"], example.get("rulings", {}), example.get("options", {}))
        key = canonical_bytes([components, *settings])
        if key not in self._games:
            document = self.document(components)
            self._games[key] = Game(document, *settings, traced=self._traced)
        return self._games[key]


def run_example(
    example: Mapping[str, Any], games: Games, watch: Callable[[State], None] | None = None
) -> list[Failure]:
    """Run one example.

    Parameters
    ----------
    example : mapping
        As in ``examples.yaml``.
    games : Games
        Compiles what it needs.
    watch : callable, optional
        Takes the last position of an example that holds.
    """
    name = example["id"]
    if "cannot_start" in example:
        try:
            games.get(example)
        except UsageError as error:
            if error.code != "usage.players":
                return [Failure(name, None, error.message)]
            document = games.document(example.get("components", "standard"))
            if document["players_rule"] == example["cannot_start"]:
                return []
            return [Failure(name, None, "refused by another rule", example["cannot_start"],
                            error.message)]
        return [Failure(name, None, "the game starts, but must not", example["cannot_start"])]
    try:
        game = games.get(example)
        game.program.trail.clear()
        if "given" in example:
            state = state_of(game, example["given"])
        else:
            state = game.initial_state(Tape(example["setup"]))
        failures = [
            Failure(name, None, f"an invariant does not hold at the start: {note}")
            for note in broken_invariants(state)
            if "unreachable" not in example
        ]
    except LudexError as error:
        return [Failure(name, None, error.message)]
    for index, step in enumerate(example["steps"]):
        ((kind, value),) = step.items()
        try:
            found = _STEPS[kind](state, value)
            if kind == "play" and not found and "unreachable" not in example:
                found = [
                    (f"an invariant does not hold after the move: {note}", None, None)
                    for note in broken_invariants(state)
                ]
        except LudexError as error:
            found = [(error.message, None, None)]
        failures.extend(Failure(name, index, *f) for f in found)
        if found and kind == "play":
            break
    if watch is not None and not failures:
        watch(state)
    return failures


def broken_invariants(state: State) -> list[str]:
    """Return the notes of the invariants that a state breaks.

    Raises
    ------
    SpecError
        ``engine.fault``, if one of them asks for what is not there.
    """
    program = state.game.program
    notes = [i["note"] for i in state.game.document["invariants"]]
    try:
        return [n for n, holds in zip(notes, program.invariants, strict=True)
                if not holds(state.position)]
    except FAULTS as fault:
        raise state.game.fault(fault) from fault


def state_of(game: Game, given: Mapping[str, Any]) -> State:
    """Return the state that an example gives.

    What is not mentioned lies where ``rest`` says: the components of a random start that are
    left over. Variables that are not mentioned have their initial values.

    Raises
    ------
    SpecError
        If it mentions more components than there are, or names that there are not.
    """
    full = game.initial_state(Seeded(0))
    blank = State(game, game.program.blank())
    values = blank.to_json()["state"]
    for name, value in given["state"].items():
        if isinstance(value, Mapping) and isinstance(values.get(name), dict):
            unknown = [k for k in value if k not in values[name]]
            if unknown:
                raise LudexError(f"{name} has no key {unknown[0]!r}", code="example.key")
            values[name].update(value)
        elif name in values:
            values[name] = value
        else:
            raise LudexError(f"there is no variable {name!r}", code="example.variable")
    state = game.state_from_json({"step": given["step"], "state": values})
    have, want = census(state), census(full)
    for kind, counts in want.items():
        left: list[str] = []
        for member, total in counts.items():
            extra = total - have[kind].get(member, 0)
            if extra < 0:
                raise LudexError(
                    f"the example has {total - extra} of {member}, the game only {total}",
                    code="example.too-many",
                )
            left += [member] * extra
        rest = given.get("rest")
        zone = rest.get(kind) if isinstance(rest, Mapping) else rest
        if left and zone is None:
            raise LudexError(f"{len(left)} components are nowhere, such as {left[0]}; "
                             "add `rest`", code="example.rest")
        if left:
            assert zone is not None
            for card in left:
                _put(values, _heap(game, kind, card, zone), card)
    return game.state_from_json({"step": given["step"], "state": values})


def _heap(game: Game, kind: str, card: str, zone: str) -> str:
    """Return the zone for a component: of one for each KIND, that of its column of this kind."""
    type_ = game.program.types.get(zone)
    if type_ is None or type_.head != "map" or type_.args[0].head != "kind":
        return zone
    key = type_.args[0].name
    columns = [c for c in game.document["kinds"][kind]["columns"].values() if c["type"] == key]
    if len(columns) != 1:
        return zone
    return f"{zone}.{columns[0]['values'][game.codec.members[kind].index(card)]}"


def _put(values: Json, zone: str, card: str) -> None:
    name, *keys = zone.split(".")
    holder: Any = values
    for key in [name, *keys][:-1]:
        holder = holder.get(key) if isinstance(holder, dict) else None
    last = [name, *keys][-1]
    if not isinstance(holder, dict) or not isinstance(holder.get(last), list):
        raise LudexError(f"rest: {zone!r} is no zone", code="example.rest")
    holder[last] = [*holder[last], card]


# -- steps -----------------------------------------------------------------------------------

Found = list[tuple[str, Any, Any]]


def _play(state: State, value: Json) -> Found:
    move = {k: value[k] for k in ("actor", "move", "args")}
    try:
        state.play(move, value.get("chance", []))
    except IllegalMove as error:
        return [("a move that must be legal is refused", move, error.message)]
    return []


def _refuse(state: State, value: Json) -> Found:
    action = state.game.action_from_json({k: value[k] for k in ("actor", "move", "args")})
    rules = [b.rule for b in state.broken(action)]
    if not rules:
        return [("a move that must be refused is legal", value["rule"], "legal")]
    if value["rule"] not in rules:
        return [("the move is refused by another rule", value["rule"], rules)]
    return []


def _allow(state: State, value: Json) -> Found:
    broken = state.broken(state.game.action_from_json(value))
    if broken:
        return [("a move that must be legal is refused", value, broken[0].reason)]
    return []


def _legal(state: State, value: list[Json]) -> Found:
    expected = sorted(canonical_bytes(m) for m in value)
    found = sorted(canonical_bytes(m) for m in state.legal_json())
    if expected != found:
        return [("the legal moves differ", value, state.legal_json())]
    return []


def _lines(state: State, value: Json) -> Found:
    """Compare all ways to make one move again and again while the step stays the same."""
    lines: list[list[Any]] = []
    todo: list[tuple[State, list[Any]]] = [(state, [])]
    while todo:
        at, line = todo.pop()
        moves = _same_moves(at, value) if at.step == state.step else []
        if not moves and line:
            lines.append(line)
        for action, argument in moves:
            todo.append((at.child(action, Seeded(0)), [*line, argument]))
        if len(lines) + len(todo) > MAX_LINES or len(line) > MAX_LINE:
            raise LudexError(
                f"there are more than {MAX_LINES} lines, or one of more than {MAX_LINE} moves",
                code="example.lines",
            )
    expected = {canonical_bytes(line) for line in value["all"]}
    found = {canonical_bytes(line) for line in lines}
    if expected == found:
        return []
    return [("the lines differ", [x for x in value["all"] if canonical_bytes(x) not in found],
             [x for x in lines if canonical_bytes(x) not in expected])]


def _same_moves(state: State, value: Json) -> list[tuple[Action, Any]]:
    """Return the legal actions of the move that a line is made of, each with its argument."""
    result = []
    for action in state.legal_actions():
        move = state.game.action_to_json(action)
        if (move["actor"], move["move"]) == (value["actor"], value["move"]):
            result.append((action, move["args"].get(value["argument"])))
    return result


def _actors(state: State, value: list[str]) -> Found:
    found = state.actors()
    return [] if sorted(found) == sorted(value) else [("the actors differ", value, found)]


def _differences(expected: Any, found: Any, where: str) -> Found:
    if isinstance(expected, Mapping) and isinstance(found, Mapping):
        result: Found = []
        for key, value in expected.items():
            if key not in found:
                result.append((f"there is no {where}{key}", value, None))
            else:
                result += _differences(value, found[key], f"{where}{key}.")
        return result
    if expected != found:
        return [(f"{where.rstrip('.')} differs", expected, found)]
    return []


def _state(state: State, value: Json) -> Found:
    return _differences(value, state.to_json()["state"], "")


def _view(state: State, value: Json) -> Found:
    return _differences(value["state"], state.observation(value["of"]), f"{value['of']}: ")


def _that(state: State, value: Any) -> Found:
    text = str(value)
    try:
        holds = compile_question(state.game, text)(state)
    except FAULTS as fault:
        return [(f"{text} cannot be answered: {fault_words(fault)}", True, None)]
    return [] if holds else [(f"{text} does not hold", True, False)]


def _outcome(state: State, value: Any) -> Found:
    found = state.outcome()
    if isinstance(value, dict) and isinstance(found, dict):
        return _differences({**value, "winners": sorted(value["winners"])},
                            {**found, "winners": sorted(found["winners"])}, "outcome.")
    return [] if value == found else [("the outcome differs", value, found)]


_STEPS: dict[str, Callable[[State, Any], Found]] = {
    "play": _play,
    "refuse": _refuse,
    "allow": _allow,
    "legal": _legal,
    "lines": _lines,
    "actors": _actors,
    "state": _state,
    "view": _view,
    "that": _that,
    "outcome": _outcome,
}
