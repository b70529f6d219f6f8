"""Scripts: planned games, with what a right implementation answers.

The reference plays; the implementation is sent the whole game at once. A script begins with the
setup and goes on with moves. Some moves are *attempts* that must be refused: near misses, which
break one requirement and nothing else.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from ludex.engine import Game, State, Tape
from ludex.engine.chance import Outcome
from ludex.errors import Broken, GameOver, LudexError, Place, RecordError
from ludex.protocol.messages import apply_params, new_game_params, position

from .schemas import instance_errors

__all__ = ["Script", "Step", "check_header", "from_record", "record_of", "requests_of"]

Json = dict[str, Any]


@dataclass(frozen=True)
class Step:
    """One request of a script after the setup.

    Attributes
    ----------
    move : dict
        Actor, move, args.
    chance : sequence of dict
        The tape that goes along.
    broken : tuple of Broken
        What the move breaks; empty for a legal move.
    expected : dict or None
        The position that must follow a legal move.
    """

    move: Json
    chance: Sequence[Outcome]
    broken: tuple[Broken, ...]
    expected: Json | None

    @property
    def refused(self) -> bool:
        """Whether the move must be refused."""
        return self.expected is None


@dataclass
class Script:
    """A planned game.

    Attributes
    ----------
    game : Game
        With its players and rulings.
    chance : sequence of dict
        Outcomes of the setup.
    expected : dict
        The position after setup.
    steps : list of Step
        What follows.
    """

    game: Game
    chance: Sequence[Outcome]
    expected: Json
    steps: list[Step] = field(default_factory=list)

    def cut(self, length: int) -> Script:
        """Return the script with only its first steps."""
        return Script(self.game, self.chance, self.expected, self.steps[:length])

    @property
    def over(self) -> bool:
        """Whether the last position is the end of the game."""
        last = next((s.expected for s in reversed(self.steps) if s.expected), self.expected)
        return last["outcome"] is not None


def requests_of(script: Script, game_id: str) -> list[Json]:
    """Return the requests of a script, for the driver."""
    result: list[Json] = [
        {"method": "new_game", "params": new_game_params(script.game, game_id, script.chance)}
    ]
    result += [
        {"method": "apply", "params": apply_params(game_id, s.move, s.chance)}
        for s in script.steps
    ]
    result.append({"method": "end_game", "params": {"game_id": game_id}})
    return result


def record_of(script: Script) -> list[Json]:
    """Return the script as the lines of a game record."""
    document = script.game.document
    params = new_game_params(script.game, "", script.chance)
    lines: list[Json] = [
        {
            "ludex": 1,
            "game": params["game"],
            "edition": params["edition"],
            "rules_digest": document["rules_digest"],
            "components": params["components"],
            "players": params["players"],
            "options": params["options"],
            "rulings": params["rulings"],
            "chance": list(script.chance),
        }
    ]
    for step in script.steps:
        line: Json = dict(step.move)
        if step.chance:
            line["chance"] = list(step.chance)
        if step.refused:
            line["refused"] = True
        lines.append(line)
    return lines


def from_record(
    document: Mapping[str, Any], lines: Sequence[Json], file: str = "<record>"
) -> Script:
    """Build a script from a record: the reference plays it again.

    Parameters
    ----------
    document : dict
        The game document.
    lines : sequence of dict
        The header, then the moves.
    file : str
        What to call the record in an error.

    Raises
    ------
    RecordError
        If it does not fit the game, or a move is not what the record says it is.
    """
    check_header(lines, file)
    head = lines[0]
    _check_rules(document, head, Place(file))
    try:
        game = Game(document, head["players"], head["rulings"], head["options"])
        state = game.initial_state(Tape(head["chance"]))
    except LudexError as error:
        raise RecordError(error.message, code="record.header", place=Place(file),
                          hint=error.hint) from None
    script = Script(game, head["chance"], position(state))
    for number, line in enumerate(lines[1:], start=2):
        errors = instance_errors(line, "protocol/record")
        if errors or "ludex" in line:
            what = errors[0] if errors else "expected a move, found another header"
            raise RecordError(what, code="record.line", place=Place(file, number))
        try:
            script.steps.append(_step(state, line))
        except LudexError as error:
            raise RecordError(error.message, code="record.move", place=Place(file, number),
                              hint=error.hint) from None
    return script


def check_header(lines: Sequence[Json], file: str = "<record>") -> None:
    """Check the form of a record's first line.

    Raises
    ------
    RecordError
        If there is none, or it is no header.
    """
    if not lines:
        raise RecordError("the record is empty", code="record.empty", place=Place(file))
    errors = instance_errors(lines[0], "protocol/record")
    if errors or "ludex" not in lines[0]:
        what = errors[0] if errors and "ludex" in lines[0] else "the first line is no header"
        raise RecordError(what, code="record.header", place=Place(file),
                          hint="a record begins with a line that has ludex, game, players ...")


def _check_rules(document: Mapping[str, Any], head: Json, place: Place) -> None:
    for key in ("game", "edition", "rules_digest"):
        if head[key] != document[key]:
            raise RecordError(
                f"the record is of {key} {head[key]!r}, not {document[key]!r}",
                code="record.other-rules", place=place,
                hint="replay it with the edition it was made with",
            )
    components = document["components"]
    if head["components"] != {"id": components["set"], "digest": components["digest"]}:
        raise RecordError(
            f"the record is of the component set {head['components']['id']!r} with another "
            f"content than {components['set']!r} here",
            code="record.other-components", place=place,
            hint="name the set it was made with: --components SET",
        )


def _step(state: State, line: Json) -> Step:
    if state.is_terminal:
        raise GameOver("the game is over before this move")
    move = {k: line[k] for k in ("actor", "move", "args")}
    chance = line.get("chance", [])
    if line.get("refused"):
        broken = tuple(state.broken(state.game.action_from_json(move)))
        if not broken:
            raise RecordError("a move that the record calls refused is legal", code="record.move")
        return Step(move, chance, broken, None)
    state.play(move, chance)
    return Step(move, chance, (), position(state))
