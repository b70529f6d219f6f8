"""Scripts: planned games, with what a right implementation answers.

The reference plays; the implementation is sent the whole game at once. A script begins with the
setup and goes on with moves. Some moves are *attempts* that must be refused: near misses, which
break one requirement and nothing else.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from ludex.engine import Game
from ludex.engine.chance import Outcome
from ludex.errors import Broken, IllegalMove
from ludex.protocol.messages import apply_params, new_game_params, position
from ludex.protocol.records import Record, header_of, line_of
from ludex.protocol.replay import begin, carry_out, read_action

__all__ = ["Script", "Step", "from_record", "record_of", "requests_of"]

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
    return [
        header_of(script.game, script.chance),
        *(line_of(s.move, s.chance, refused=s.refused) for s in script.steps),
    ]


def from_record(document: Mapping[str, Any], record: Record) -> Script:
    """Build a script from a record: the reference plays it again.

    Parameters
    ----------
    document : dict
        The game document.
    record : Record
        The record.

    Raises
    ------
    RecordError
        If it does not fit the game, or a move is not what the record says it is.
    """
    state = begin(document, record)
    script = Script(state.game, record.head.value["chance"], position(state))
    for line in record.moves:
        action = read_action(state.game, record, line)
        move = {k: line.value[k] for k in ("actor", "move", "args")}
        chance = line.value.get("chance", [])
        broken = tuple(state.broken(action))
        if state.is_terminal:
            raise record.error(line, (), "the game is over before this move", "record.move")
        if line.value.get("refused"):
            if not broken:
                raise record.error(line, (), "a move that the record calls refused is legal",
                                   "record.move")
            script.steps.append(Step(move, chance, broken, None))
            continue
        if broken:
            raise record.error(line, (), IllegalMove(broken).message, "record.move")
        state = carry_out(state, action, record, line)
        script.steps.append(Step(move, chance, (), position(state)))
    return script
