"""Games and their states: the public face of the engine.

The vocabulary is OpenSpiel's: game, state, action, chance, legal actions, observation, terminal,
returns. Actions are opaque tuples; `Game.action_to_json` and `Game.action_from_json` say them in
words.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import cached_property
from typing import Any

from ludex.engine.chance import ChanceSource, Outcome, Tape
from ludex.engine.program import FIRST_VARIABLE, Action, Position, Program
from ludex.engine.runtime import FAULTS, WorkFault, fault_words
from ludex.engine.settings import chosen
from ludex.engine.unoffered import rules_about
from ludex.engine.views import Views
from ludex.errors import (
    Broken,
    GameOver,
    IllegalMove,
    InvalidMove,
    Place,
    SpecError,
    UsageError,
    closest,
)

__all__ = ["Game", "State"]

Json = dict[str, Any]


class Game:
    """A game with a fixed number of players and one reading of its rulings.

    Parameters
    ----------
    document : dict
        The game document.
    players : int
        How many play.
    rulings, options : mapping, optional
        Values that differ from the defaults.
    traced : bool
        Whether states note which clauses ran (slower).

    Raises
    ------
    UsageError
        ``usage.players``, ``usage.unknown-ruling``, ``usage.ruling-value`` and the like.
    """

    def __init__(
        self,
        document: Mapping[str, Any],
        players: int | None = None,
        rulings: Mapping[str, str] | None = None,
        options: Mapping[str, Any] | None = None,
        *,
        traced: bool = False,
    ) -> None:
        self.document = document
        self.name: str = document["game"]
        self.players = document["players"][0] if players is None else players
        if self.players not in document["players"] or isinstance(self.players, bool):
            allowed = ", ".join(map(str, document["players"]))
            raise UsageError(
                f"{document['title']} is for {allowed} players (rule {document['players_rule']}), "
                f"found {players}",
                code="usage.players",
            )
        self.rulings = chosen("ruling", document["rulings"], rulings or {})
        self.options = chosen("option", document["options"], options or {})
        try:
            self.program = Program(
                document, self.players, self.rulings, self.options, traced=traced
            )
        except RecursionError:
            raise SpecError(
                f"an expression of {self.name} nests too deep", code="engine.depth",
                hint="give a part of it a name of its own, with a function or a let",
            ) from None
        self.codec = self.program.codec
        self.views = Views(document, self.program, self.rulings)
        self._about: dict[tuple[str, str], tuple[str, ...]] = {}

    @property
    def player_ids(self) -> list[str]:
        """``p1`` to ``pN``, clockwise."""
        return self.codec.players

    @property
    def plies(self) -> int | None:
        """The most moves that a game can have, or None where the spec sets no bound."""
        return self.program.plies

    @cached_property
    def traced(self) -> Game:
        """The same game with states that note which clauses ran."""
        return Game(self.document, self.players, self.rulings, self.options, traced=True)

    def rules_about(self, step: Mapping[str, Any], move: Mapping[str, Any]) -> tuple[str, ...]:
        """Return the rules to quote where a step does not offer a move; looked up once for each."""
        key = (step["name"], move["name"])
        if key not in self._about:
            self._about[key] = rules_about(self.document, step, move)
        return self._about[key]

    def initial_state(self, chance: ChanceSource) -> State:
        """Return the state after setup.

        Parameters
        ----------
        chance : ChanceSource
            A tape is used up exactly.

        Raises
        ------
        TapeError
            If a tape does not fit.
        """
        position = self.program.blank()
        self.run(self.program.setup, position, chance)
        if isinstance(chance, Tape):
            chance.done()
        return State(self, position)

    def run(self, function: Any, position: Position, chance: ChanceSource, *args: Any) -> None:
        """Run generated code on a position, and say in words what goes wrong in a clause."""
        try:
            function(position, chance, *args)
        except FAULTS as fault:
            raise self.fault(fault) from fault

    def fault(self, fault: Exception) -> SpecError:
        """Return in words what went wrong in a clause."""
        place = self.program.place_of(fault)
        if isinstance(fault, WorkFault) and len(fault.args) > 1:
            # no clause in particular: one of the steps that lead to one another
            place = self.document["steps"][fault.args[1]]["place"]
        where = Place.parse(place) if place else None
        if isinstance(fault, WorkFault):
            return SpecError(
                f"a clause of {self.name} asks for too much: {fault}", code="engine.work",
                place=where, hint="no move may ask for that much; bound the loop or the list",
            )
        return SpecError(
            f"a clause of {self.name} fails: {fault_words(fault)}",
            code="engine.fault",
            place=where,
            hint="the spec asks for what is not there; `ludex test` may show where",
        )

    # -- actions in words --------------------------------------------------------------------

    def action_to_json(self, action: Action) -> Json:
        """Return ``{"actor", "move", "args"}``."""
        move = self.document["moves"][action[1]]
        return {
            "actor": self.codec.players[action[0]],
            "move": move["name"],
            "args": {
                p["name"]: self._argument_to_json(v, p)
                for p, v in zip(move["params"], action[2:], strict=True)
                if v is not None
            },
        }

    def _argument_to_json(self, value: Any, param: Mapping[str, Any]) -> Any:
        found = self.codec.decode(value, self.codec.type(param["type"]))
        return sorted(found) if "subset" in param else found

    def _argument_from_json(self, value: Any, param: Mapping[str, Any]) -> Any:
        found = self.codec.encode(value, self.codec.type(param["type"]), param["name"])
        return tuple(sorted(found)) if "subset" in param and found is not None else found

    def action_from_json(self, move: Mapping[str, Any]) -> Action:
        """Read a move.

        Raises
        ------
        InvalidMove
            If it names no player, move or argument of this game.
        """
        actor, name, args = move.get("actor"), move.get("move"), move.get("args", {})
        if not isinstance(actor, str) or actor not in self.codec.player_index:
            raise InvalidMove(f"there is no player {actor!r}", code="move.unknown-player",
                              hint=f"the players are {', '.join(self.player_ids)}")
        if name not in self.program.moves:
            raise InvalidMove(f"there is no move {name!r}", code="move.unknown-move",
                              hint=closest(str(name), self.program.moves)
                              or f"the moves are {', '.join(self.program.moves)}")
        if not isinstance(args, Mapping):
            raise InvalidMove(f"expected args to be an object, found {args!r}",
                              code="move.args")
        index = self.program.moves.index(name)
        params = self.document["moves"][index]["params"]
        known = [p["name"] for p in params]
        for word in args:
            if word not in known:
                raise InvalidMove(f"{name} has no argument {word!r}", code="move.unknown-argument",
                                  hint=closest(word, known))
        values: list[Any] = []
        for p in params:
            if p["name"] not in args:
                if "when" in p:
                    values.append(None)
                    continue
                raise InvalidMove(f"{name} needs the argument {p['name']}",
                                  code="move.missing-argument")
            if args[p["name"]] is None:
                # one move, one spelling
                raise InvalidMove(f"the argument {p['name']} is null", code="move.argument-value",
                                  hint="leave an absent argument out")
            try:
                values.append(self._argument_from_json(args[p["name"]], p))
            except SpecError as error:
                raise InvalidMove(error.message, code="move.argument-value",
                                  hint=error.hint) from None
        return (self.codec.player_index[actor], index, *values)

    # -- positions ---------------------------------------------------------------------------

    def state_from_json(self, value: Mapping[str, Any]) -> State:
        """Read a state from what `State.to_json` wrote.

        Raises
        ------
        SpecError
            ``value.*``, if it does not fit the game.
        """
        position = self.program.blank()
        step, variables = value.get("step"), value.get("state")
        if not isinstance(variables, Mapping):
            raise SpecError(f"expected state to be an object, found {variables!r}",
                            code="value.type")
        for name, item in variables.items():
            if name not in self.program.slots:
                raise SpecError(f"there is no variable {name!r}", code="value.unknown",
                                hint=closest(name, self.program.slots))
            position[self.program.slots[name]] = self.codec.encode(
                item, self.program.types[name], name
            )
        if step is None:
            # a game that is over stands at no step; how it ended follows from the position
            try:
                self.program.judge(position)
            except FAULTS as fault:
                raise self.fault(fault) from fault
            if position[0] >= 0:
                raise SpecError("expected a step, found none: the game is not over",
                                code="value.step")
            return State(self, position)
        if step not in self.program.steps:
            raise SpecError(f"there is no step {step!r}", code="value.unknown",
                            hint=closest(str(step), self.program.steps))
        position[0] = self.program.steps.index(step)
        if self.program.actors[position[0]] is None:
            raise SpecError(f"expected a step where somebody decides, found {step}",
                            code="value.step", hint="automatic steps follow by themselves")
        return State(self, position)


class State:
    """A position of a game.

    States change in place; `clone` and `child` make new ones.
    """

    __slots__ = ("game", "position")

    def __init__(self, game: Game, position: Position) -> None:
        self.game = game
        self.position = position

    # -- what is so --------------------------------------------------------------------------

    @property
    def step(self) -> str | None:
        """Name of the step, or None when the game is over."""
        index = self.position[0]
        return None if index < 0 else self.game.program.steps[index]

    @property
    def is_terminal(self) -> bool:
        """Whether the game is over."""
        over: bool = self.position[0] < 0
        return over

    def actors(self) -> list[str]:
        """Return the players who may act now."""
        if self.position[0] < 0:
            return []
        ids = self.game.codec.players
        actors = self.game.program.actors[self.position[0]]
        assert actors is not None
        try:
            return [ids[p] for p in actors(self.position)]
        except FAULTS as fault:
            raise self.game.fault(fault) from fault

    def legal_actions(self) -> list[Action]:
        """Return every legal action, each once."""
        try:
            # when the game is over the index is -1: the last entry lists nothing
            return self.game.program.legal[self.position[0]](self.position)
        except FAULTS as fault:
            raise self.game.fault(fault) from fault

    def outcome(self) -> Json | None:
        """Return ``{"winners", "returns"?}``, or None while the game goes on."""
        found = self.position[1]
        if found is None:
            return None
        _, winners, returns = found
        ids = self.game.codec.players
        result: Json = {"winners": [ids[p] for p in winners]}
        if returns is not None:
            result["returns"] = dict(zip(ids, returns, strict=True))
        return result

    def ending(self) -> Json | None:
        """Return the clause that ended the game, or None."""
        found = self.position[1]
        clause: Json | None = None if found is None else self.game.document["end"][found[0]]
        return clause

    def broken(self, action: Action) -> list[Broken]:
        """Return what an action breaks; an empty list means that it is legal."""
        program, document = self.game.program, self.game.document
        index = self.position[0]
        if index < 0:
            return [Broken(self.ending()["rule"], "the game is over", "end")]  # type: ignore[index]
        step = document["steps"][index]
        actors = program.actors[index]
        assert actors is not None
        where = f"steps.{step['name']}"
        try:
            may_act = action[0] in actors(self.position)
        except FAULTS as fault:
            raise self.game.fault(fault) from fault
        if not may_act:
            who = " or ".join(self.actors())
            return [Broken(step["rule"], f"it is not {self.game.player_ids[action[0]]}'s turn; "
                           f"{who} may act", f"{where}.actors", tuple(step.get("also", ())))]
        move = document["moves"][action[1]]
        if move["name"] not in step["moves"]:
            also = self.game.rules_about(step, move)
            return [Broken(step["rule"], f"{move['name']} is not possible in this step",
                           f"{where}.moves", also)]
        result = []
        try:
            found = program.broken[action[1]](self.position, action[0], *action[2:])
        except FAULTS as fault:
            raise self.game.fault(fault) from fault
        for i in found:
            if i < 0:
                param = move["params"][-1 - i]
                shown = self.game._argument_to_json(action[1 - i], param)
                result.append(Broken(param["rule"],
                                     f"{param['name']} {shown} is not in {param['in']['expr']}",
                                     f"moves.{move['name']}.params.{param['name']}",
                                     tuple(param.get("also", ()))))
            else:
                requirement = move["requires"][i]
                result.append(Broken(requirement["rule"], requirement["otherwise"],
                                     f"moves.{move['name']}.requires.{i}",
                                     tuple(requirement.get("also", ()))))
        return result

    # -- what happens ------------------------------------------------------------------------

    def apply_action(self, action: Action, chance: ChanceSource) -> None:
        """Carry out an action that is known to be legal, in place.

        After an error the state is not to be used; use `child` where that matters.
        """
        try:
            self.game.program.apply[action[1]](self.position, chance, action)
        except FAULTS as fault:
            raise self.game.fault(fault) from fault
        if isinstance(chance, Tape):
            chance.done()

    def child(self, action: Action, chance: ChanceSource) -> State:
        """Return the state after a legal action; this one stays as it is."""
        state = self.clone()
        state.apply_action(action, chance)
        return state

    def play(self, move: Mapping[str, Any], chance: ChanceSource | Iterable[Outcome]) -> None:
        """Carry out a move given in words; on any error nothing has changed.

        Parameters
        ----------
        move : mapping
            ``{"actor", "move", "args"}``.
        chance : ChanceSource or iterable of dict
            A source, or the outcomes of a tape.

        Raises
        ------
        GameOver, InvalidMove, IllegalMove, TapeError
        """
        if self.is_terminal:
            raise GameOver("the game is over")
        action = self.game.action_from_json(move)
        broken = self.broken(action)
        if broken:
            raise IllegalMove(broken)
        source = chance if hasattr(chance, "draw") else Tape(chance)
        self.position = self.child(action, source).position  # type: ignore[arg-type]

    def clone(self) -> State:
        """Return a copy that shares nothing."""
        return State(self.game, self.game.program.copy(self.position))

    # -- out ---------------------------------------------------------------------------------

    def key(self) -> tuple[Any, ...]:
        """Return a hashable value; equal states have equal keys."""
        return self.game.program.key(self.position)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, State):
            return NotImplemented
        return self.game.name == other.game.name and self.key() == other.key()

    def __hash__(self) -> int:
        return hash(self.key())

    def table(self) -> Json:
        """Return the canonical table state: every variable that exists on the table."""
        return self.game.views.table(self.position)

    def observation(self, player: str) -> Json:
        """Return what a player sees of the table, in the shape of `table`.

        Raises
        ------
        UsageError
            ``usage.unknown-player``.
        """
        if player not in self.game.codec.player_index:
            raise UsageError(f"there is no player {player!r}", code="usage.unknown-player",
                             hint=f"the players are {', '.join(self.game.player_ids)}")
        return self.game.views.observation(
            self.position, self.game.codec.player_index[player]
        )

    def to_json(self) -> Json:
        """Return the whole state, bookkeeping included."""
        return {
            "step": self.step,
            "state": {
                name: self.game.codec.decoder(self.game.program.types[name], full=True)(
                    self.position[i + FIRST_VARIABLE]
                )
                for i, name in enumerate(self.game.program.types)
            },
            "outcome": self.outcome(),
        }

    def legal_json(self) -> list[Json]:
        """Return the legal actions in words."""
        return [self.game.action_to_json(a) for a in self.legal_actions()]
