"""The reference as an implementation: answers requests of the move protocol.

A `Server` turns one line into one line and keeps the open games. Reading and writing is done at
the edge (``ludex serve``).
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from ludex.engine import Game, Recorder, Seeded, State, Tape
from ludex.errors import (
    GameOver,
    IllegalMove,
    InvalidMove,
    LudexError,
    TapeError,
    UsageError,
)
from ludex.protocol.canonical import JsonError, loads_strict
from ludex.protocol.messages import CAPABILITIES, PROTOCOL, position

__all__ = ["ProtocolFault", "Server"]

Json = dict[str, Any]
#: More open games than any kit needs; keeps memory bounded.
MAX_GAMES = 10_000
#: Longer messages are cut: they repeat what was sent.
MAX_MESSAGE = 500
_PARAMS: dict[str, dict[str, type]] = {
    "hello": {"protocol": int},
    "new_game": {"game_id": str, "game": str, "edition": str, "players": int},
    "apply": {"game_id": str, "move": dict},
    "end_game": {"game_id": str},
}


def _error(code: int, message: str) -> Json:
    return {"error": {"code": code, "message": message[:MAX_MESSAGE]}}


class ProtocolFault(LudexError):
    """A request that is answered with an error of the protocol.

    Attributes
    ----------
    number : int
        The JSON-RPC code.
    """

    code = "protocol"

    def __init__(self, number: int, message: str) -> None:
        super().__init__(message)
        self.number = number


class Server:
    """Plays one game document with whoever asks.

    Parameters
    ----------
    document : dict
        The game document.
    version : str
        Of the reference; said in ``hello``.
    seed : int
        For requests whose ``chance`` is null.
    """

    def __init__(self, document: Mapping[str, Any], version: str, seed: int = 0) -> None:
        self.document = document
        self.version = version
        self.games: dict[str, State] = {}
        self.compiled: dict[Any, Game] = {}
        self.own = Seeded(seed)
        self.finished = False

    def answer(self, line: bytes) -> bytes:
        """Answer one line; both end without a line feed.

        Every error is answered, none is raised.
        """
        number: Any = None
        try:
            try:
                message = loads_strict(line)
            except JsonError as error:
                raise ProtocolFault(-32700, error.message) from None
            if not isinstance(message, dict):
                raise ProtocolFault(-32600, "expected an object")
            number = message.get("id")
            if not isinstance(number, int) or isinstance(number, bool):
                number = None
                raise ProtocolFault(-32600, "expected an integer id")
            reply: Json = {"result": self.dispatch(message)}
        except ProtocolFault as fault:
            reply = _error(fault.number, fault.message)
        except TapeError as fault:
            reply = _error(fault.number, fault.message)
        except LudexError as fault:
            reply = _error(-32603, fault.message)
        return json.dumps(
            {"jsonrpc": "2.0", "id": number, **reply}, separators=(",", ":"), ensure_ascii=False
        ).encode()

    def dispatch(self, message: Json) -> Json:
        """Carry out one request and return its result."""
        method = message.get("method")
        if message.get("jsonrpc") != "2.0" or not isinstance(method, str):
            raise ProtocolFault(-32600, "expected jsonrpc 2.0 and a method")
        params = message.get("params", {})
        if not isinstance(params, dict):
            raise ProtocolFault(-32602, "expected params to be an object")
        actions = {
            "hello": self.hello,
            "new_game": self.new_game,
            "apply": self.apply,
            "end_game": self.end_game,
            "bye": self.bye,
        }
        if method not in actions:
            raise ProtocolFault(-32601, f"unknown method {method!r}")
        for key, type_ in _PARAMS.get(method, {}).items():
            if type(params.get(key)) is not type_:
                raise ProtocolFault(-32602, f"{method} needs {key} ({type_.__name__})")
        return actions[method](params)

    # -- methods -----------------------------------------------------------------------------

    def hello(self, params: Json) -> Json:
        """Say who answers."""
        if params.get("protocol") != PROTOCOL:
            raise ProtocolFault(-32602, f"this program speaks protocol {PROTOCOL}")
        document = self.document
        return {
            "protocol": PROTOCOL,
            "implementation": {
                "name": "ludex-reference",
                "version": self.version,
                "language": "Python",
            },
            "games": [
                {
                    "game": document["game"],
                    "edition": document["edition"],
                    "components": [document["components"]["set"]],
                    "players": document["players"],
                    "options": {k: list(v["values"]) for k, v in document["options"].items()},
                    "rulings": {k: list(v["values"]) for k, v in document["rulings"].items()},
                }
            ],
            "capabilities": [*CAPABILITIES, "chance:tape", "chance:report"],
        }

    def new_game(self, params: Json) -> Json:
        """Start a game."""
        for key in ("components", "rulings", "options"):
            if not isinstance(params.get(key, {}), dict):
                raise ProtocolFault(-32602, f"new_game needs {key} (dict)")
        document = self.document
        if (params["game"], params["edition"]) != (document["game"], document["edition"]):
            raise ProtocolFault(
                -32001, f"unknown game {params['game']!r}, edition {params['edition']!r}"
            )
        components = params.get("components", {})
        if components.get("id", document["components"]["set"]) != document["components"]["set"]:
            raise ProtocolFault(-32002, f"unsupported component set {components.get('id')!r}")
        if params["game_id"] in self.games or len(self.games) >= MAX_GAMES:
            raise ProtocolFault(-32602, "a game_id is used once, and not too many games are open")
        game = self.compile(params)
        source, report = self.chance(params)
        state = game.initial_state(source)
        self.games[params["game_id"]] = state
        return self.reply(state, report)

    def compile(self, params: Json) -> Game:
        """Return the compiled game for these settings."""
        rulings, options = params.get("rulings", {}), params.get("options", {})
        key = json.dumps([params["players"], rulings, options], sort_keys=True)
        if key not in self.compiled:
            try:
                self.compiled[key] = Game(self.document, params["players"], rulings, options)
            except UsageError as error:
                raise ProtocolFault(-32002, error.message) from None
        return self.compiled[key]

    def chance(self, params: Json) -> tuple[Tape | Recorder, Recorder | None]:
        """Return the source that a request asks for, and the recorder if it wants a report."""
        given = params.get("chance", [])
        if given is None:
            recorder = Recorder(self.own)
            return recorder, recorder
        if not isinstance(given, list) or not all(isinstance(o, dict) for o in given):
            raise ProtocolFault(-32602, "expected chance to be a list of outcomes, or null")
        return Tape(given), None

    def reply(self, state: State, report: Recorder | None) -> Json:
        """Return the position, with the outcomes if they were asked for."""
        result = position(state)
        if report is not None:
            result["chance"] = report.outcomes
        return result

    def find(self, params: Json) -> State:
        """Return an open game."""
        state = self.games.get(params["game_id"])
        if state is None:
            raise ProtocolFault(-32003, f"unknown game_id {params['game_id']!r}")
        return state

    def apply(self, params: Json) -> Json:
        """Make a move, or refuse it."""
        state = self.find(params)
        source, report = self.chance(params)
        try:
            state.play(params["move"], source)
        except GameOver:
            raise ProtocolFault(-32004, "the game is over") from None
        except InvalidMove as error:
            return {"illegal": {"reason": error.message[:MAX_MESSAGE]}}
        except IllegalMove as error:
            first = error.broken[0]
            return {"illegal": {"rule": first.rule, "reason": first.reason}}
        except LudexError:
            # a tape that does not fit, or a failing clause: this game is lost, others go on
            del self.games[params["game_id"]]
            raise
        return self.reply(state, report)

    def end_game(self, params: Json) -> Json:
        """Forget a game."""
        self.find(params)
        del self.games[params["game_id"]]
        return {}

    def bye(self, params: Json) -> Json:
        """End."""
        self.finished = True
        return {}
