"""Lets an existing game program speak the Ludex move protocol, version 1.

Copy this one file beside your adapter and import it *before* the program: the import keeps the
real stdin and stdout for the protocol, so that a stray ``print`` of the program, or of its C
code, lands on stderr. ``docs/adapters.md`` has a worked example. Python >= 3.9, no dependency.
In this order: the streams, errors, chance (`Tape`), what you subclass (`Game`), `serve`.
"""

from __future__ import annotations

import json
import os
import queue
import random
import sys
import threading
import traceback
from collections.abc import Callable, Iterable, Sequence
from typing import Any

__all__ = ["Deck", "Game", "Illegal", "Loop", "TapeRandom", "ranked", "seats", "serve", "tape"]

sys.stdout.flush()
_REQUESTS, _ANSWERS = os.dup(0), os.dup(1)
if os.name == "posix":  # the kit may hand down pipes in non-blocking mode
    os.set_blocking(_REQUESTS, True)
    os.set_blocking(_ANSWERS, True)
os.dup2(os.open(os.devnull, os.O_RDONLY), 0)  # else input() would eat a request
os.dup2(2, 1)
sys.stdout = sys.stderr

_LOST = (-32603, -32010, -32011, -32012, -32013)  # errors after which the game is gone


class Illegal(Exception):
    """Raised by `Game.play` when the rules forbid the move. Raise it before changing anything."""

    def __init__(self, reason: str = "", rule: str | None = None) -> None:
        super().__init__(reason)
        self.rule = rule


class _Refusal(Exception):
    """A request that is answered with a JSON-RPC error."""

    def __init__(self, code: int, message: str, **data: Any) -> None:
        super().__init__(message[:500])
        self.code, self.data = code, data


class _Given(dict[str, Any]):
    """What the kit gave: looking up a key that is missing refuses the request."""

    def __missing__(self, key: str) -> Any:
        raise _Refusal(-32602, f"{key} is missing")


# -- chance ------------------------------------------------------------------------------------


def _same(item: Any) -> Any:
    return item


class Tape:
    """The chance outcomes of the request that is being answered.

    Each call takes the first unused outcome of its kind with the same places, so the order is
    free. If the kit wants your own chance, each call makes an outcome and notes it.
    `items` is the program's own list; `name` gives the id of a component in it.
    """

    def load(self, chance: Any) -> None:
        """Start a step (called by `serve`). None means: make your own outcomes."""
        listed = isinstance(chance, list) and all(isinstance(one, dict) for one in chance)
        if chance is not None and not listed:
            raise _Refusal(-32602, "chance: expected null or a list of objects")
        self.free, self.log, self._left = chance is None, list[Any](), list[Any](chance or ())
        self._faces: list[int] = []  # rolled for a die, not handed out yet
        self._error: _Refusal | None = None

    def draw(self, source: str, to: str, items: list[Any], name: Callable[..., str] = str) -> Any:
        """Remove the drawn component from `items` and return it."""
        want = self._take("draw", lambda: name(_own.choice(items)), **{"from": source, "to": to})
        return items.pop(self._find(want, items, name))

    def roll(self, count: int = 1, faces: int = 6) -> list[int]:
        """Return the faces, each 1 to `faces`, of `count` dice rolled together."""
        got = self._take("roll", lambda: [_own.randint(1, faces) for _ in range(count)])
        if not isinstance(got, list) or len(got) != count or any(
            type(face) is not int or not 1 <= face <= faces for face in got
        ):
            raise self._fail(-32012, f"{got} is no roll of {count} dice with {faces} faces")
        return list(got)

    def pick(self, of: str, items: Iterable[Any], name: Callable[..., Any] = _same) -> Any:
        """Return the member of `items` (ids, or numbers) that chance picks."""
        among = list(items)
        want = self._take("pick", lambda: name(_own.choice(among)), of=of)
        return among[self._find(want, among, name)]

    def shuffle(self, of: str, items: list[Any], name: Callable[..., str] = str) -> None:
        """Order `items` in place, top first."""
        rest, count = list(items), len(items)
        order = self._take("shuffle", lambda: [name(x) for x in _own.sample(rest, count)], of=of)
        if not isinstance(order, list) or len(order) != count:
            raise self._fail(-32012, f"{order} does not order the {count} of {of}")
        items[:] = [rest.pop(self._find(one, rest, name)) for one in order]

    def die(self, faces: int = 6, dice: int = 1) -> int:
        """Return one face. If the rules roll several `dice` together, a call gives the next."""
        self._faces = self._faces or self.roll(dice, faces)
        return self._faces.pop(0)

    def finish(self, moved: bool = True) -> None:
        """End a step (called by `serve`): after a move nothing may be left over."""
        if self._error:  # again, for a program that swallows every exception
            raise self._error
        left = self._left + [{"roll": [face]} for face in self._faces]
        if left and moved:
            raise self._fail(-32013, f"left over: {left}")

    def _take(self, kind: str, make: Callable[[], Any], **places: str) -> Any:
        if self.free:
            self.log.append({kind: make(), **places})
            return self.log[-1][kind]
        for i, one in enumerate(self._left):
            if kind in one and all(one.get(key) == place for key, place in places.items()):
                return self._left.pop(i)[kind]
        wanted = {"kind": kind, **{key: str(place) for key, place in places.items()}}
        code, found = (-32011, self._left) if self._left else (-32010, "its end")
        raise self._fail(code, f"wanted {wanted}, found {found}", wanted=wanted)

    def _find(self, want: Any, items: list[Any], name: Callable[..., Any]) -> int:
        names = [name(item) for item in items]
        if want not in names:
            raise self._fail(-32012, f"{want!r} is not among {names}")
        return names.index(want)

    def _fail(self, code: int, message: str, **data: Any) -> _Refusal:
        self._error = _Refusal(code, f"tape: {message}", **data)
        return self._error


tape, _own = Tape(), random.Random()
tape.load([])


class Deck(list[Any]):
    """A shuffled pile: what is in it is known, the order is the tape's."""

    def __init__(self, zone: str, items: Iterable[Any], name: Callable[..., str] = str) -> None:
        super().__init__(items)
        self.zone, self.name = zone, name

    def draw(self, to: str) -> Any:
        """Remove and return the component that goes to the zone `to`."""
        return tape.draw(self.zone, to, self, self.name)


class TapeRandom(random.Random):
    """A `random.Random` fed by the tape: give it to the program instead of the real one.

    Numbers are dice, `dice` of them rolled together. `choice` of anything else picks `of`, or
    draws from zone `deck` to zone `to`; so does `sample`. `shuffle` orders `deck`, top first, or
    last with `top_last`. Everything else fails: a fraction is no outcome of a table game.
    """

    def __init__(self, **about: Any) -> None:
        super().__init__()
        self.of = self.deck = self.to = self.top_last = None
        self.dice, self.name = 1, _same
        self.__dict__.update(about)

    def randrange(self, start: int, stop: int | None = None, step: int = 1) -> int:
        """Roll a die that has a face for each number of the range."""
        low, high = (0, start) if stop is None else (start, stop)
        return low + tape.die(high - low, self.dice) - 1 if step == 1 else self.random()

    def randint(self, a: int, b: int) -> int:
        """Roll a die with the faces `a` to `b`."""
        return self.randrange(a, b + 1)

    def choice(self, seq: Any) -> Any:
        """Roll a die if `seq` is 1, 2, 3 ..., else pick or draw."""
        if list(seq) == list(range(1, len(seq) + 1)):
            return self.randint(1, len(seq))
        return tape.pick(self.of, seq, self.name) if self.of else self.sample(seq, 1)[0]

    def sample(self, population: Any, k: int, **_: Any) -> list[Any]:
        """Draw `k` components from a copy of the population."""
        deck, to, rest = self.deck or self.random(), self.to or self.random(), list(population)
        return [tape.draw(deck, to, rest, self.name) for _ in range(k)]

    def shuffle(self, x: Any, *_: Any) -> None:
        """Order a list as the outcome ``shuffle`` says."""
        tape.shuffle(self.deck or self.random(), x, self.name)
        if self.top_last:
            x.reverse()

    def random(self, *_: Any) -> Any:
        """Fail, and say what helps."""
        raise RuntimeError("TapeRandom cannot tell this (of=, deck=, to= missing?): call tape.*")

    getrandbits = random


# -- what an adapter subclasses ----------------------------------------------------------------


def seats(n: int) -> list[str]:
    """Return the ids of `n` players, clockwise."""
    return [f"p{i + 1}" for i in range(n)]


def ranked(score: dict[str, Any], lowest: bool = False) -> dict[str, Any]:
    """Return the outcome in which the highest (or lowest) score wins, shared if equal."""
    best = (min if lowest else max)(score.values())
    return {"winners": [p for p in score if score[p] == best], "returns": dict(score)}


class Game:
    """One open game. Subclass it and wrap the program.

    Define these too if the program knows the answer; each turns on a capability:
    ``legal()``, an iterable of (actor, move, args) for all who are to move; ``state()``, the
    table in the spelling of `ludex describe`; ``view(player)``, what that player sees of it.
    ``pending()``: whether the turn is unfinished, for a program that knows whole turns only.
    """

    game, edition = "?", "1"
    players: Sequence[int] = (2,)
    rulings: dict[str, list[Any]] = {}  # noqa: RUF012 - name: the values you support, or
    options: dict[str, list[Any]] = {}  # noqa: RUF012 - leave a name out for its default only
    components: Sequence[str] = ()  # ids of the component sets you support; () is any

    def setup(self, players: int, rulings: Any, options: Any, components: Any) -> None:
        """Start a game of ``seats(players)``."""

    def actors(self) -> Iterable[str]:
        """Return who may move now."""
        raise NotImplementedError

    def play(self, actor: str, move: str, args: Any) -> None:
        """Make a move of one of the actors, or raise `Illegal` before changing anything."""
        raise NotImplementedError

    def outcome(self) -> dict[str, Any] | None:
        """Return None, and at the end {"winners": [...], "returns": {...}}."""
        raise NotImplementedError

    def close(self) -> None:
        """Tidy up: the game has ended or is lost."""


class Loop(Game):
    """For a program that owns its main loop: it runs in a thread, and calls `ask` for a move."""

    def run(self, players: int, rulings: Any, options: Any, components: Any) -> dict[str, Any]:
        """Play one whole game with the program; return the outcome."""
        raise NotImplementedError

    def ask(self, *actors: str) -> Any:
        """Wait for a move of one of `actors`. Returns (actor, move, args)."""
        self._told.put((actors, None, None))
        return self._moves.get() or sys.exit()  # closed: sys.exit() ends this thread only

    def refuse(self, reason: str = "", rule: str | None = None) -> None:
        """Say that the move just given is illegal; then ask again."""
        self._bad: Illegal | None = Illegal(reason, rule)

    def setup(self, *about: Any) -> None:
        """Start the program and let it come to its first question."""
        self._moves, self._told = queue.SimpleQueue[Any](), queue.SimpleQueue[Any]()
        threading.Thread(target=self._main, args=about, daemon=True).start()
        self._wait()

    def play(self, actor: str, move: str, args: Any) -> None:
        """Give the program its move and let it come to the next question."""
        self._bad = None
        self._moves.put((actor, move, dict(args)))
        self._wait()
        if self._bad:
            raise self._bad

    def actors(self) -> Any:
        """Return those who were asked."""
        return self._who

    def outcome(self) -> Any:
        """Return what `run` returned."""
        return self._end

    def close(self) -> None:
        """End the thread."""
        self._moves.put(None)

    def _main(self, *about: Any) -> None:
        try:
            self._told.put(((), self.run(*about), None))
        except BaseException as error:
            self._told.put(((), None, error))

    def _wait(self) -> None:
        self._who, self._end, error = self._told.get()
        if isinstance(error, _Refusal):  # the tape does not fit
            raise error
        if error:  # of whatever kind: the thread takes no more moves
            raise RuntimeError(f"run() stopped: {error!r}") from error


# -- the conversation --------------------------------------------------------------------------


def serve(
    *kinds: type[Game], name: str, version: str, url: str = "",
    adapter_does: Iterable[str] = (), illegal: Iterable[type[Exception]] = (),
) -> None:
    """Answer requests about games of these `kinds` until ``bye`` or the end of input.

    `name`, `version`, `url` are the program's. `adapter_does`: any of turn, legal, state,
    outcome, what you added to it. `illegal`: what the program raises at a forbidden move.
    """
    about = {"name": name, "version": version, "language": "Python", "url": url}
    server = _Server(kinds, {k: v for k, v in about.items() if v}, adapter_does, illegal)
    # A thread writes: a kit that sends much before it reads must not keep us from reading.
    answers = queue.SimpleQueue[Any]()
    writer = threading.Thread(target=_write, args=(answers,), daemon=True)
    writer.start()
    waiting, chunk = bytearray(), b"\n"
    while chunk and not server.bye:
        chunk = os.read(_REQUESTS, 1 << 16)
        waiting += chunk or (b"\n" if waiting else b"")
        if b"\n" in chunk or not chunk:
            *lines, waiting = waiting.split(b"\n")
            # All that came in one read is answered with one write.
            answers.put(b"".join(server.answer(bytes(x)) for x in lines if not server.bye))
    answers.put(None)
    writer.join()


def _write(answers: Any) -> None:
    while (text := answers.get()) is not None:
        while text:
            try:
                text = text[os.write(_ANSWERS, text) :]
            except OSError:
                os._exit(1)  # nobody reads any more


def _line(message: dict[str, Any]) -> bytes:
    return json.dumps(message, separators=(",", ":"), allow_nan=False).encode() + b"\n"


def _no_constant(word: str) -> None:
    raise ValueError(f"{word} is no number of JSON")


def _read(fields: dict[str, Any], **kinds: type) -> list[Any]:
    """Return fields, each exactly of its type (true is not 1); an object may be absent."""
    for key, kind in kinds.items():
        if type(fields.get(key, {})) is not kind:
            raise _Refusal(-32602, f"{key}: expected {kind.__name__}")
    return [_Given(fields.get(k, {})) if kind is dict else fields[k] for k, kind in kinds.items()]


def _supported(what: str, asked: dict[str, Any], known: dict[str, Any]) -> None:
    for key, values in known.items():  # what the class does not name comes with its default
        if not any(type(asked[key]) is type(one) and asked[key] == one for one in values):
            raise _Refusal(-32002, f"{what}: {key} = {asked[key]!r} is not among {values}")


class _Server:
    """Answers a line with a line."""

    def __init__(self, kinds: Any, about: Any, adapter_does: Any, illegal: Any) -> None:
        self.kinds, self.about, self.adapter_does = kinds, about, list(adapter_does)
        self.illegal = (Illegal, *illegal)
        self.shows = [m for m in ("legal", "state", "view") if all(hasattr(k, m) for k in kinds)]
        self.games: dict[str, Any] = {}  # game_id: the game, number of players, last position
        self.bye = False

    def answer(self, line: bytes) -> bytes:
        ident, params = None, dict[str, Any]()
        try:
            try:
                request = json.loads(line.decode("utf-8"), parse_constant=_no_constant)
            except (ValueError, RecursionError) as error:
                raise _Refusal(-32700, f"not JSON: {error}") from None
            if not isinstance(request, dict):
                raise _Refusal(-32600, "expected an object")
            if type(request.get("id")) is int and request["id"] > 0:
                ident = request["id"]
            name = request.get("method")
            if not ident or request.get("jsonrpc") != "2.0" or not isinstance(name, str):
                raise _Refusal(-32600, "expected jsonrpc 2.0, a positive integer id, a method")
            method = getattr(self, f"on_{name}", None)
            if method is None:
                raise _Refusal(-32601, f"unknown method {name}")
            (params,) = _read(request, params=dict)
            return _line({"jsonrpc": "2.0", "id": ident, "result": method(params)})
        except _Refusal as error:
            wrong = {"code": error.code, "message": str(error)}
            if error.data:
                wrong["data"] = error.data
        except (Exception, SystemExit) as error:
            traceback.print_exc()
            wrong = {"code": -32603, "message": f"the program failed: {error!r}"[:500]}
        if wrong["code"] in _LOST:
            try:
                self.forget(params.get("game_id"))
            except (Exception, SystemExit):
                traceback.print_exc()
        return _line({"jsonrpc": "2.0", "id": ident, "error": wrong})

    def on_hello(self, params: dict[str, Any]) -> dict[str, Any]:
        _read(params, protocol=int)  # whatever it is, we speak 1: the kit decides
        shows = ["observations" if m == "view" else m for m in self.shows]
        games = [
            {"game": k.game, "edition": k.edition, "players": list(k.players),
             "rulings": k.rulings, "options": k.options,
             **({"components": list(k.components)} if k.components else {})}
            for k in self.kinds
        ]
        return {
            "protocol": 1, "implementation": self.about, "adapter_does": self.adapter_does,
            "games": games, "capabilities": [*shows, "chance:tape", "chance:report"],
        }

    def on_new_game(self, params: dict[str, Any]) -> dict[str, Any]:
        game_id, name, edition, players, rulings, options, components = _read(
            params, game_id=str, game=str, edition=str, players=int,
            rulings=dict, options=dict, components=dict,
        )
        if game_id in self.games:
            raise _Refusal(-32602, f"game_id {game_id} is in use")
        kind = next((k for k in self.kinds if (k.game, k.edition) == (name, edition)), None)
        if kind is None:
            raise _Refusal(-32001, f"unknown game {name}, edition {edition}")
        if players < 1:
            raise _Refusal(-32602, "players: expected a positive number")
        _supported("players", {"number": players}, {"number": kind.players})
        _supported("rulings", rulings, kind.rulings)
        _supported("options", options, kind.options)
        _supported("components", components, {"id": kind.components} if kind.components else {})
        tape.load(params.get("chance", []))
        game = kind()
        game.setup(players, rulings, options, components)
        tape.finish()
        return self.position(game_id, game, players)

    def on_apply(self, params: dict[str, Any]) -> dict[str, Any]:
        game_id, game, players, before = self.find(params)
        actor, name, args = _read(_read(params, move=dict)[0], actor=str, move=str, args=dict)
        tape.load(params.get("chance", []))
        if before.get("outcome") is not None:
            raise _Refusal(-32004, "the game is over")
        if actor not in before["actors"]:
            return {"illegal": {"reason": f"{actor} is not to move"}}
        try:
            game.play(actor, name, args)
        except (Exception, SystemExit) as error:
            tape.finish(moved=False)
            if not isinstance(error, self.illegal):
                raise
            rule = getattr(error, "rule", None) or ""
            told = {"reason": str(error)[:2000], "rule": str(rule)[:200]}
            return {"illegal": {key: text for key, text in told.items() if text}}
        tape.finish()
        return self.position(game_id, game, players)

    def on_end_game(self, params: dict[str, Any]) -> dict[str, Any]:
        self.forget(self.find(params)[0])
        return {}

    def on_bye(self, params: dict[str, Any]) -> dict[str, Any]:
        self.bye = True
        return {}

    def find(self, params: dict[str, Any]) -> tuple[Any, ...]:
        (game_id,) = _read(params, game_id=str)
        if game_id not in self.games:
            raise _Refusal(-32003, f"game_id {game_id} is unknown, ended or lost")
        return (game_id, *self.games[game_id])

    def forget(self, game_id: Any) -> None:
        if isinstance(game_id, str) and game_id in self.games:
            self.games.pop(game_id)[0].close()

    def position(self, game_id: str, game: Any, players: int) -> dict[str, Any]:
        outcome = game.outcome()
        over = outcome is not None
        found: dict[str, Any] = {"actors": [] if over else list(game.actors())}
        if hasattr(game, "pending") and game.pending():
            found["pending"] = True
        else:
            found["outcome"] = outcome
            if "legal" in self.shows:
                moves = [] if over else game.legal()
                found["legal"] = [{"actor": a, "move": m, "args": args} for a, m, args in moves]
            if "state" in self.shows:
                found["state"] = game.state()
            if "view" in self.shows:
                found["observations"] = {p: game.view(p) for p in seats(players)}
        if tape.free:
            found["chance"] = tape.log
        self.games[game_id] = game, players, found
        return found
