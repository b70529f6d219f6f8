"""What a robust program has to live with: the lines that the class `robust` sends.

A *probe* is a few requests with the answers that are right. Most have a game of their own open,
which has to go on afterwards as if nothing had happened. The codes are those of the table of
errors in ``docs/protocol.md``. Where that page leaves a choice, every choice is right.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from typing import Any

from ludex.protocol.messages import apply_params

from .asks import ANY, GOES_ON, Ask, Base, Probe
from .wire import Raw

__all__ = ["probes"]

Json = dict[str, Any]
#: The id of lines that the driver does not number: positive, and no other request has it.
_ID = 2_000_000_000
#: Lines up to this many bytes are answered like others.
_LONG = 1 << 20
#: Games that are played at the same time, and moves of each.
_AT_ONCE, _MOVES = 12, 50
_NO_SUCH = "no-such-thing"


def probes(base: Base) -> Iterator[Probe]:
    """Yield everything that is tried, as far as the program can play the game."""
    if base.answers:
        yield from _games(base)
    yield from _lines()
    yield from _unknown()
    yield from _params(base)
    yield from _unsupported(base)
    if base.answers:
        yield from _sizes(base)
        yield from _fields(base)
        if "chance:tape" in base.support.capabilities:
            yield from _tapes(base)
    yield Probe("robust.end", "the input ends without bye", lambda b, g: [], hangs_up=True)


def _one(check: str, words: str, request: Json | Raw, *codes: int, refusal: bool = False) -> Probe:
    return Probe(check, words, lambda b, g: [Ask(request, codes, refusal=refusal)])


# ---- lines that are no requests -----------------------------------------------------------------


def _lines() -> Iterator[Probe]:
    check = "robust.not-a-request"
    head = f'{{"jsonrpc":"2.0","id":{_ID},"method":"hello"'
    for words, line in (
        ("a line of plain text", b"hello?"),
        ("a line that is cut off", head.encode() + b',"params":{"protocol":'),
        ("a line with a single quote mark", b'{"jsonrpc":"2.0","id":"'),
        ("two objects in one line", f"{head}}} {head}}}".encode()),
        ("a line with NaN", head.encode() + b',"params":{"protocol":NaN}}'),
        ("bytes that are not UTF-8", head.encode() + b',"params":{"name":"\xff\xfe\xc3("}}'),
        ("bytes of all kinds", bytes(b for b in range(256) if b not in b"\r\n")),
    ):
        yield _one(check, words, Raw(line), -32700)
    for words, value in (
        ("a number", 7),
        ("a text", "hello"),
        ("null", None),
        ("an array", [1, 2]),
        ("an empty batch", []),
        ("an empty object", {}),
        ("a request without an id", {"jsonrpc": "2.0", "method": "end_game", "params": {}}),
        ("a request without a method", {"jsonrpc": "2.0", "id": _ID, "params": {}}),
        ("a method that is a number", {"jsonrpc": "2.0", "id": _ID, "method": 7, "params": {}}),
        ("a request without jsonrpc", {"id": _ID, "method": "end_game", "params": {}}),
    ):
        yield _one(check, words, Raw(json.dumps(value).encode(), (None, _ID)), -32600)


# ---- names that do not exist --------------------------------------------------------------------


def _unknown() -> Iterator[Probe]:
    check = "robust.unknown"
    # the last two are there in a program that looks names up carelessly
    for name in ("undo", "toString", "__init__"):
        yield _one(check, f"the unknown method {name}", {"method": name}, -32601)
    for key in ("game", "edition"):
        yield Probe(check, f"an unknown {key}",
                    partial(_new_game, code=-32001, changes={key: _NO_SUCH}))
    yield Probe(check, "end_game for an unknown game_id", lambda b, g: [
        Ask({"method": "end_game", "params": {"game_id": b.new_id()}}, (-32003,))])
    yield Probe(check, "apply for an unknown game_id", lambda b, g: [
        Ask({"method": "apply", "params": _first_move(b, b.new_id())}, (-32003,))])
    for game_id in ("toString", "__proto__"):
        yield _one(check, f"the unknown game_id {game_id}",
                   {"method": "end_game", "params": {"game_id": game_id}}, -32003)


def _first_move(base: Base, game_id: str) -> Json:
    if base.script.steps:
        params: Json = base.requests(game_id)[1]["params"]
        return params
    return apply_params(game_id, {"actor": "p1", "move": _NO_SUCH, "args": {}}, [])


# ---- params -------------------------------------------------------------------------------------


def _params(base: Base) -> Iterator[Probe]:
    check = "robust.params"
    for listed in ([], ["end_game"]):
        yield _one(check, "params that are an array", {"method": "end_game", "params": listed},
                   -32602)
    yield _one(check, "end_game without a game_id", {"method": "end_game"}, -32602)
    yield _one(check, "a game_id that is a number",
               {"method": "end_game", "params": {"game_id": 7}}, -32602)
    for key in ("game_id", "game", "edition", "players"):
        yield Probe(check, f"new_game without {key}",
                    partial(_new_game, code=-32602, without=key))
    value: Any
    for key, value in (("game_id", 7), ("players", "2"), ("players", None), ("rulings", []),
                       ("options", "none"), ("chance", "heads"), ("chance", [7])):
        yield Probe(check, f"new_game with {key} {json.dumps(value)}",
                    partial(_new_game, code=-32602, changes={key: value}))
    if not base.moves:
        return
    for key in ("move", "game_id"):
        yield Probe(check, f"apply without {key}", partial(_apply, without=key))
    for key, value in (("move", "cover"), ("move", None), ("chance", {"roll": [1]})):
        yield Probe(check, f"apply with {key} {json.dumps(value)}",
                    partial(_apply, changes={key: value}))
    # a fault in the move's own form may be refused as well
    for words, change in (
        ("a move without an actor", {"actor": None}),
        ("a move without a name", {"move": None}),
        ("a move of an unknown player", {"actor": "p99"}),
        ("an actor that is a number", {"actor": 1}),
        ("an unknown move", {"move": _NO_SUCH}),
        ("a move with the name of a method", {"move": "toString"}),
        ("args that are an array", {"args": []}),
    ):
        yield Probe(check, words, partial(_move, change=change))


def _new_game(
    base: Base, game_id: str, *, code: int, without: str = "", changes: Json | None = None
) -> list[Ask]:
    params = base.params(base.new_id(), changes)
    params.pop(without, None)
    return [Ask({"method": "new_game", "params": params}, (code,))]


def _apply(
    base: Base, game_id: str, *, without: str = "", changes: Json | None = None
) -> list[Ask]:
    params = {**_first_move(base, game_id), **(changes or {})}
    params.pop(without, None)
    return [Ask({"method": "apply", "params": params}, (-32602,))]


def _move(base: Base, game_id: str, *, change: Mapping[str, Any]) -> list[Ask]:
    move = {**base.script.steps[0].move, **change}
    move = {k: v for k, v in move.items() if v is not None}
    params = apply_params(game_id, move, [])
    return [Ask({"method": "apply", "params": params}, (-32602,), refusal=True)]


# ---- what the program does not support ----------------------------------------------------------


def _unsupported(base: Base) -> Iterator[Probe]:
    """Only what ``hello`` lists has an outside that the program can know."""
    entry = base.support.entry
    wanted: list[tuple[str, Json]] = []
    if "players" in entry:
        wanted.append(("99 players", {"players": 99}))
    for key in ("rulings", "options"):
        known = getattr(base.script.game, key)
        for name in sorted(entry.get(key, ())):
            if name in known:
                wanted.append((f"the {key[:-1]} {name} with an unknown value",
                               {key: {**known, name: _NO_SUCH}}))
    if entry.get("components"):
        wanted.append(("an unknown component set",
                       {"components": {"id": _NO_SUCH, "digest": "sha256:" + 64 * "0"}}))
    for words, changes in wanted:
        yield Probe("robust.unsupported", words,
                    partial(_new_game, code=-32002, changes=changes))


# ---- size ---------------------------------------------------------------------------------------


def _sizes(base: Base) -> Iterator[Probe]:
    check = "robust.size"
    yield Probe(check, "a request of 1 MiB", lambda b, g: _padded(b, "x" * (_LONG - 5000), ()))
    too_much = (-32700, -32600)
    yield Probe(check, "a line of 3 MiB", lambda b, g: _padded(b, "x" * (3 * _LONG), too_much))
    yield Probe(check, "a line of 3 MiB that is not JSON",
                lambda b, g: [Ask(Raw(b"[" + b"x" * (3 * _LONG), (None,)), too_much)])
    yield Probe(check, "a request nested 60 levels deep", lambda b, g: _padded(b, _nested(55), ()))
    yield Probe(check, "a line nested 200 levels deep",
                lambda b, g: _padded(b, _nested(190), too_much))
    for depth in (5000, 200_000):
        line = b'{"jsonrpc":"2.0","id":%d,"method":"end_game","params":{"x":%s%s}}' % (
            _ID, b"[" * depth, b"]" * depth)
        # read to the end it is a request without a game_id
        yield _one(check, f"a line nested {depth} levels deep", Raw(line, (None, _ID)),
                   *too_much, -32602)
    yield _one(check, "200000 brackets that are never closed", Raw(b"[" * 200_000, (None,)),
               *too_much)


def _nested(depth: int) -> Any:
    value: Any = []
    for _ in range(depth):
        value = [value]
    return value


def _padded(base: Base, value: Any, codes: tuple[int, ...]) -> list[Ask]:
    """Return a request with something large in a field that nobody knows."""
    game_id = base.new_id()
    params = base.params(game_id, {"remark": value})
    request: Json = {"method": "new_game", "params": params}
    # who does not read so much cannot know the id
    line = json.dumps({"jsonrpc": "2.0", "id": _ID, **request}).encode()
    start = Ask(Raw(line, (None, _ID)) if codes else request, codes, like=base.answers[0])
    # it may or may not have been started
    ended = Ask({"method": "end_game", "params": {"game_id": game_id}},
                (-32003,) if codes else (), like=ANY)
    return [start, ended]


# ---- fields -------------------------------------------------------------------------------------


def _fields(base: Base) -> Iterator[Probe]:
    check = "robust.unknown-fields"
    extra = {"remark": {"mood": ["good", 1, None]}}

    def params(b: Base, g: str) -> list[Ask]:
        game_id = b.new_id()
        found = [Ask({"method": "new_game", "params": b.params(game_id, extra)},
                     like=b.answers[0])]
        if b.moves:
            request = {**_first_move(b, game_id), **extra}
            request["move"] = {**request["move"], **extra}
            found.append(Ask({"method": "apply", "params": request}, like=b.answers[1]))
        found.append(Ask({"method": "end_game", "params": {"game_id": game_id, **extra}},
                         like=ANY))
        return found

    def envelope(b: Base, g: str) -> list[Ask]:
        game_id = b.new_id()
        line = {"remark": 1, "jsonrpc": "2.0", "id": _ID, "method": "new_game",
                "params": b.params(game_id)}
        return [Ask(Raw(json.dumps(line).encode(), (_ID,)), like=b.answers[0]), b.end(game_id)]

    yield Probe(check, "unknown fields in params and move", params)
    yield Probe(check, "an unknown field beside method", envelope)


# ---- games --------------------------------------------------------------------------------------


def _games(base: Base) -> Iterator[Probe]:
    yield Probe("robust.independent", f"{_AT_ONCE} games at once", _at_once, beside=False)
    yield Probe("robust.repeats", "the same game once more",
                lambda b, g: _whole(b, "the same game gets another answer"))
    yield Probe("robust.repeats", "the same game once more, in a new process",
                lambda b, g: _whole(b, "the same game gets another answer"), beside=False,
                fresh=True)
    yield Probe("robust.unknown", "a game_id that has ended", _ended)
    if base.script.over and base.moves == len(base.script.steps) and base.moves:
        yield Probe("robust.over", "a move after the end of the game", _over)


def _ended(base: Base, beside: str) -> list[Ask]:
    game_id = base.new_id()
    return [
        base.start(game_id, **GOES_ON),
        base.end(game_id),
        Ask({"method": "apply", "params": _first_move(base, game_id)}, (-32003,)),
        Ask({"method": "end_game", "params": {"game_id": game_id}}, (-32003,)),
    ]


def _over(base: Base, beside: str) -> list[Ask]:
    game_id = base.new_id()
    last = base.script.steps[-1]
    again = [
        Ask({"method": "apply", "params": apply_params(game_id, last.move, chance)}, (-32004,))
        for chance in ([], list(last.chance))
    ]
    return [
        base.start(game_id, **GOES_ON),
        *(base.move(game_id, i, **GOES_ON) for i in range(base.moves)),
        *again,
        base.end(game_id),
    ]


def _whole(base: Base, words: str) -> list[Ask]:
    game_id = base.new_id()
    return [
        base.start(game_id, words=words),
        *(base.move(game_id, i, words=words) for i in range(base.moves)),
        base.end(game_id),
    ]


def _at_once(base: Base, beside: str) -> list[Ask]:
    """Play two games many times; each is one move behind the one before."""
    words = "beside other games it gets another answer"
    kinds = [base, base.other if base.other and base.other.answers else base]
    games = [(base.new_id(), kinds[i % 2]) for i in range(_AT_ONCE)]
    found: list[Ask] = []
    moves = [min(kind.moves, _MOVES) for kind in kinds]
    for tick in range(max(moves) + _AT_ONCE):
        for late, (game_id, kind) in enumerate(games):
            at = tick - late
            if at == 0:
                found.append(kind.start(game_id, words=words))
            elif 0 < at <= min(kind.moves, _MOVES):
                found.append(kind.move(game_id, at - 1, words=words))
    return found + [base.end(game_id) for game_id, _ in games]


# ---- tapes --------------------------------------------------------------------------------------


def _tapes(base: Base) -> Iterator[Probe]:
    check = "robust.tape"
    for words, code, tape in _wrong_tapes(base.script.chance):
        yield Probe(check, f"a setup with {words}",
                    partial(_new_game, code=code, changes={"chance": tape}))
    steps = base.script.steps[: base.moves]
    drawing = next((i for i, s in enumerate(steps) if s.chance), None)
    quiet = next((i for i, s in enumerate(steps) if not s.chance), None)
    for index in (drawing, quiet):
        if index is None:
            continue
        for words, code, tape in _wrong_tapes(steps[index].chance):
            yield Probe(check, f"a move with {words}",
                        partial(_lost, index=index, code=code, tape=tape))


def _lost(
    base: Base, beside: str, *, index: int, code: int, tape: Sequence[Json]
) -> list[Ask]:
    game_id = base.new_id()
    move = base.script.steps[index].move
    return [
        base.start(game_id, **GOES_ON),
        *(base.move(game_id, i, **GOES_ON) for i in range(index)),
        Ask({"method": "apply", "params": apply_params(game_id, move, tape)}, (code,)),
    ]


def _wrong_tapes(right: Sequence[Json]) -> Iterator[tuple[str, int, list[Json]]]:
    """Yield tapes that do not fit, each with the code that is right in any order of use."""
    foreign: Json = {"pick": "p1", "of": _NO_SUCH}
    if not right:
        yield "an outcome too many", -32013, [foreign]
        return
    last = dict(right[-1])
    yield "no outcomes", -32010, []
    yield "one outcome of something else", -32011, [foreign]
    yield "an outcome too many", -32013, [*right, last]
    kind = next(k for k in ("draw", "roll", "pick", "shuffle") if k in last)
    wrong = {"draw": _NO_SUCH, "pick": _NO_SUCH, "roll": [10_000] * len(last.get("roll", ())),
             "shuffle": [_NO_SUCH]}[kind]
    yield "an outcome that cannot happen", -32012, [*right[:-1], {**last, kind: wrong}]
