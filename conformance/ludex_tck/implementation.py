"""An implementation under test: its hello, and scripts that are sent to it."""

from __future__ import annotations

import json
from collections import deque
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from ludex import __version__
from ludex.errors import LudexError

from .compare import Difference, compare, explain, is_pending
from .dealing import dealt_requests, has_chance
from .driver import Process
from .schemas import instance_errors
from .scripts import Script
from .wire import Answer, Breach, Limits, Raw, Reply, printable

__all__ = ["HelloError", "Implementation", "Observed", "Support"]

Json = dict[str, Any]
#: Games that are remembered.
_HISTORY = 32


class HelloError(LudexError):
    """The implementation does not introduce itself as the protocol says, or not for this game.

    Codes: ``hello.breach``, ``hello.error``, ``hello.result``, ``hello.game``, ``hello.chance``.
    """

    code = "hello"
    #: If there was no answer.
    breach: Breach | None = None


@dataclass(frozen=True)
class Support:
    """What an implementation says it can do, for one game.

    Attributes
    ----------
    name, version, language : str
        Of the implementation.
    players : tuple of int
        Player counts.
    rulings : mapping
        Ruling to the supported values, the default first where it is one of them.
    options : mapping
        Option to the supported values, likewise.
    capabilities : frozenset of str
        As declared.
    adapter_does : tuple of str
        What the adapter adds.
    entry : mapping
        What ``hello`` says of this game, as it was sent.
    """

    name: str
    version: str
    language: str
    players: tuple[int, ...]
    rulings: Mapping[str, Sequence[str]]
    options: Mapping[str, Sequence[Any]]
    capabilities: frozenset[str]
    adapter_does: tuple[str, ...] = ()
    entry: Mapping[str, Any] = field(default_factory=dict)

    @property
    def is_live(self) -> bool:
        """Whether the program draws its own chance, and cannot be told what to draw."""
        told = {"chance:tape", "chance:deck"} & self.capabilities
        return "chance:report" in self.capabilities and not told


@dataclass
class Observed:
    """How a script went.

    Attributes
    ----------
    at : int or None
        Index of the first step that differs (-1 the setup), or None.
    differences : list of Difference
        Of that step, the most telling first.
    actual : object
        What was answered there.
    breach : Breach or None
        If the process broke the protocol.
    asides : list of (int, Difference)
        Differences that say nothing about the rest of the game, with the index of their step.
    refusals : dict
        Index of a step to the refusal that was answered.
    pending : set of int
        Indexes of positions that were not compared: the program knows whole turns only.
    wire : tuple of str
        The last lines of the conversation, for a difference.
    """

    at: int | None = None
    differences: list[Difference] = field(default_factory=list)
    actual: Any = None
    breach: Breach | None = None
    asides: list[tuple[int, Difference]] = field(default_factory=list)
    refusals: dict[int, Json] = field(default_factory=dict)
    pending: set[int] = field(default_factory=set)
    wire: tuple[str, ...] = ()


class Implementation:
    """A command that speaks the move protocol.

    Parameters
    ----------
    command : sequence of str
        Program and arguments.
    document : dict
        The game document.
    limits : Limits, optional
        Of the driver.

    Attributes
    ----------
    restarts : int
        How often the process had to be started again.
    """

    def __init__(
        self, command: Sequence[str], document: Mapping[str, Any], limits: Limits | None = None
    ) -> None:
        self.process = Process(command, limits)
        self.document = document
        self.restarts = -1
        self._history: deque[Script] = deque(maxlen=_HISTORY)
        self._count = 0
        self._ready = False

    def __enter__(self) -> Implementation:
        return self

    def __exit__(self, *_: object) -> None:
        self.process.close()

    def hello(self) -> Support:
        """Start the process and read what it says about itself.

        Raises
        ------
        HelloError
            If there is no way to test it.
        ludex.errors.UsageError
            If the command cannot be started.
        """
        if self.process.running or self.process.breach is not None:
            self.process.restart()
        self.restarts += 1
        self._history.clear()
        self._ready = True
        params = {"protocol": 1, "kit": {"name": "ludex", "version": __version__}}
        [reply] = self.process.exchange([{"method": "hello", "params": params}])
        if isinstance(reply, Breach):
            error = HelloError(f"no answer to hello: {reply.message}", code="hello.breach",
                               hint=_last_words(reply))
            error.breach = reply
            raise error
        if reply.error is not None:
            words = printable(reply.error.message[:500].encode("utf-8", "replace"))
            raise HelloError(f"hello is answered with error {reply.error.code}: {words}",
                             code="hello.error",
                             hint="the kit speaks protocol 1; see docs/protocol.md")
        errors = instance_errors(reply.result, "protocol/hello.result")
        if errors:
            raise HelloError(f"the answer to hello is not well-formed: {errors[0]}",
                             code="hello.result",
                             hint="see hello.result.schema.json and docs/protocol.md")
        return self._support(reply.result)

    def _support(self, result: Json) -> Support:
        document = self.document
        game, edition = document["game"], document["edition"]
        entry = next(
            (g for g in result["games"]
             if g["game"] == game and g.get("edition", edition) == edition),
            None,
        )
        if entry is None:
            known = ", ".join(f"{g['game']} edition {g.get('edition')}" for g in result["games"])
            raise HelloError(f"the program does not play {game}, edition {edition}",
                             code="hello.game", hint=f"it plays {known or 'nothing'}")
        sets = entry.get("components")
        own = document["components"]["set"]
        if sets is not None and own not in sets:
            raise HelloError(f"the program does not know the component set {own!r}",
                             code="hello.game", hint=f"it knows {', '.join(sets)}")
        capabilities = frozenset(result["capabilities"])
        ways = {"chance:tape", "chance:report", "chance:deck"}
        if not ways & capabilities and has_chance(document):
            raise HelloError(
                "the game has chance, and the program has none of chance:tape, chance:report and "
                "chance:deck",
                code="hello.chance",
                hint="see the section on chance of docs/protocol.md",
            )
        rulings, options = (_values(document[part], entry.get(part))
                            for part in ("rulings", "options"))
        players = tuple(p for p in document["players"] if p in entry.get("players", [p]))
        empty = [f"{part} {name}" for part, found in (("ruling", rulings), ("option", options))
                 for name, values in found.items() if not values]
        if not players or empty:
            what = "player count" if not players else f"value of {empty[0]}"
            raise HelloError(f"the program supports no {what} of {game}", code="hello.game")
        about = result["implementation"]
        name, version, language = (
            printable(about[k].encode("utf-8", "replace")).replace("\n", " ")
            for k in ("name", "version", "language")
        )
        return Support(name, version, language, players, rulings, options, capabilities,
                       tuple(result.get("adapter_does", ())), entry)

    def run(
        self, script: Script, capabilities: frozenset[str], *, one_by_one: bool = False
    ) -> Observed:
        """Send a script and find the first step that differs.

        After a breach the process is started again when it is next needed.

        Parameters
        ----------
        script : Script
            The game.
        capabilities : frozenset of str
            What to compare.
        one_by_one : bool
            Whether to wait for each answer before the next request: slow, but a breach then comes
            with the request that caused it, also if a program writes many answers at once.
        """
        if not self._ready:
            try:
                self.hello()
            except HelloError as error:
                self._ready = False
                return Observed(at=-1, differences=[
                    Difference("core.answers", f"the program does not start again: "
                               f"{error.message}", "an answer to hello", None)
                ])
        self._count += 1
        self._history.append(script)
        requests = dealt_requests(script, f"g{self._count}", capabilities)
        first = self.process.answered + 1
        replies = self.one_by_one(requests) if one_by_one else self.process.exchange(requests)
        late = None if isinstance(replies[-1], Breach) else self.process.unasked()
        if late is not None:
            replies.append(late)
        observed = Observed()
        expected: Json | None = script.expected
        for index, reply in enumerate(replies[: len(script.steps) + 1], start=-1):
            step = script.steps[index] if index >= 0 else None
            expected = script.expected if step is None else step.expected
            differences = compare(reply, step, expected, capabilities)
            if differences:
                if isinstance(reply, Breach) and reply.kind == "extra-answer":
                    index = min(_answered_twice(reply, first, index), index)
                observed.at, observed.differences = index, differences
                observed.actual = reply.result if isinstance(reply, Answer) else None
                break
            if step is not None and step.refused:
                assert isinstance(reply, Answer)
                observed.refusals[index] = reply.result["illegal"]
                observed.asides += [(index, d) for d in explain(reply.result["illegal"], step)]
            if is_pending(reply):
                observed.pending.add(index)
        if replies and isinstance(replies[-1], Breach):
            breach = observed.breach = replies[-1]
            self._ready = False
            if observed.at is None:
                # the breach came with end_game, after all positions were right
                observed.at = len(script.steps) - 1
                if breach.kind == "extra-answer":
                    observed.at = min(_answered_twice(breach, first, observed.at), observed.at)
                observed.differences = [
                    Difference("core.answers", breach.message, "an answer to end_game",
                               breach.kind)
                ]
        elif observed.at is None and isinstance(replies[-1], Answer):
            observed.differences = _end(replies[-1])
            observed.at = len(script.steps) - 1 if observed.differences else None
        if observed.at is not None:
            observed.wire = tuple(
                observed.breach.wire if observed.breach else self.process.wire()
            )
        return observed

    def one_by_one(self, requests: Sequence[Json | Raw]) -> list[Reply]:
        """Send requests as `exchange` does, each when the one before is answered."""
        replies: list[Reply] = []
        for request in requests:
            replies += self.exchange([request], more=bool(replies))
            if isinstance(replies[-1], Breach):
                break
        return replies

    def exchange(
        self, requests: Sequence[Json | Raw], *, more: bool = False
    ) -> list[Reply]:
        """Send requests to a process that has been greeted; after a breach a new one is next.

        With `more` they go on with those before, as in `Process.exchange`.

        Raises
        ------
        HelloError
            If a new process is needed and cannot be greeted.
        """
        if not self._ready:
            self.hello()
        replies = self.process.exchange(requests, more=more)
        if replies and isinstance(replies[-1], Breach):
            self._ready = False
        return replies

    def next_number(self) -> int:
        """Return a number for a game that no other game has."""
        self._count += 1
        return self._count

    def fresh(self) -> None:
        """Start a new process."""
        self._ready = False

    @property
    def history(self) -> tuple[Script, ...]:
        """The last games that were sent to the present process; none if a new one is next."""
        return tuple(self._history) if self._ready else ()

    def stop(self) -> Breach | None:
        """Say goodbye, to a new process if there is none; return what went wrong.

        Raises
        ------
        HelloError
            If a new process cannot be greeted.
        """
        if not self._ready:
            self.hello()
        self._ready = False
        return self.process.stop()

    def hang_up(self) -> Breach | None:
        """End the input of a greeted process without ``bye``; return what went wrong.

        Raises
        ------
        HelloError
            If a new process cannot be greeted.
        """
        if not self._ready:
            self.hello()
        self._ready = False
        return self.process.stop(bye=False)


def _answered_twice(breach: Breach, first: int, index: int) -> int:
    """Return the index of the step that had two answers, if it is one of this game.

    Parameters
    ----------
    breach : Breach
        An extra answer.
    first : int
        The id of ``new_game``.
    index : int
        Of the step that was to be answered.
    """
    found = json.loads(breach.line) if len(breach.line) < 4096 else {}
    number = found.get("id")
    return number - first - 1 if isinstance(number, int) and number >= first else index


def _values(
    choices: Mapping[str, Json], given: Mapping[str, Sequence[Any]] | None
) -> dict[str, list[Any]]:
    """Return the supported values of each choice, the default first: others are variations of it.

    One that is not named, where others are, is supported with its default only.
    """
    found = {}
    for name, choice in choices.items():
        default = choice["default"]
        values = [default, *(v for v in choice["values"] if not _is(v, default))]
        known = values if given is None else given.get(name, [default])
        found[name] = [v for v in values if any(_is(v, k) for k in known)]
    return found


def _is(one: Any, other: Any) -> bool:
    """Return whether two values are the same; unlike in Python, 1 is not true."""
    return type(one) is type(other) and bool(one == other)


def _end(reply: Answer) -> list[Difference]:
    """Compare the answer to end_game."""
    if reply.error is None and isinstance(reply.result, dict):
        return []
    error = reply.error
    actual = reply.result if error is None else {
        "error": {"code": error.code, "message": error.message}
    }
    return [Difference("core.answers", "end_game is not answered with an object", {}, actual)]


def _last_words(breach: Breach) -> str:
    lines = [line for line in breach.stderr.splitlines() if line.strip()]
    if lines:
        return "its last words: " + " | ".join(lines[-3:])
    if breach.kind in ("exit", "silence"):
        return ("it wrote nothing to standard error; run the command by hand and type a request: "
                "it must read lines from standard input until their end")
    return "see docs/protocol.md: each line of standard output is one JSON-RPC response"
