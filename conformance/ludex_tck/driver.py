"""One implementation under test as a process: requests in, answers or a breach out.

::

    with Process(["python", "adapter.py"]) as process:
        hello, position = process.exchange([
            {"method": "hello", "params": {...}},
            {"method": "new_game", "params": {...}},
        ])

Requests are pipelined: the driver reads while it writes and leaves at most ``limits.window``
requests unanswered, so neither side ever waits for a pipe that the other one has filled. There is
one thread and no queue. What a line may be is said in `wire`, how a process is ended in `children`.
"""

from __future__ import annotations

import signal
import time
from collections import deque
from collections.abc import Mapping, Sequence
from pathlib import Path
from types import TracebackType
from typing import Any

from .children import Child
from .wire import (
    Answer,
    Breach,
    BreachKind,
    Id,
    Limits,
    Raw,
    Reply,
    RpcError,
    Wrong,
    encode,
    judge,
    printable,
    suspicious,
)

__all__ = ["Answer", "Breach", "Limits", "Process", "Raw", "Reply", "RpcError"]

WIRE_LINES = 40
SHOWN = 2000
"""How many bytes of a line are kept for reports."""


class Process:
    """An implementation under test.

    It is started by the first `exchange` or by `start`, and ended by `stop`, `close`, the end of
    the ``with`` block, or a breach. After a breach it is dead until `restart`.

    Parameters
    ----------
    command : sequence of str
        Program and arguments; no shell reads them.
    limits : Limits, optional
        How long and how much it may take.
    cwd : Path, optional
        Where it runs; by default where the kit runs.
    env : mapping, optional
        Its environment; by default that of the kit.
    """

    def __init__(
        self,
        command: Sequence[str],
        limits: Limits | None = None,
        *,
        cwd: Path | None = None,
        env: Mapping[str, str] | None = None,
    ) -> None:
        self.command = tuple(command)
        self.limits = limits or Limits()
        self.cwd = cwd
        self.env = env
        self.breach: Breach | None = None
        """The breach that ended the process, if one did."""
        self._child: Child | None = None
        self._forget()

    def _forget(self) -> None:
        self._answered = 0  # requests 1.._answered have their answers
        self._pieces: list[bytes] = []  # the beginning of a line whose end has not come
        self._size = 0
        self._taken = 0  # bytes of answers to the present requests
        self._unasked: list[bytes] = []  # complete lines behind the last answer
        self._pairs: deque[tuple[bytes, bytes]] = deque(maxlen=WIRE_LINES // 2)

    def __enter__(self) -> Process:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()

    # ---- life -----------------------------------------------------------------------------------

    @property
    def running(self) -> bool:
        """Whether there is a process to talk to."""
        return self._child is not None

    @property
    def answered(self) -> int:
        """How many requests the process has answered; the next one has the number after it."""
        return self._answered if self._child else 0

    @property
    def pid(self) -> int | None:
        """Id of the process and of its group, or None."""
        return self._child.pid if self._child else None

    def start(self) -> None:
        """Start the process, if it does not run.

        Raises
        ------
        UsageError
            If the command cannot be started.
        """
        if self._child is None:
            self._forget()
            self.breach = None
            self._child = Child(self.command, cwd=self.cwd, env=self.env, keep=self.limits.stderr)

    def restart(self) -> None:
        """End the process, if it runs, and start a new one; ids begin at 1 again.

        Raises
        ------
        UsageError
            If the command cannot be started.
        """
        self.close()
        self.start()

    def close(self) -> None:
        """End the process and all its helpers now; nothing is left running. May be repeated."""
        if self._child is not None:
            child, self._child = self._child, None
            child.end(self.limits.stop)

    def stop(self, *, bye: bool = True) -> Breach | None:
        """Say ``bye``, and see the process end by itself.

        Parameters
        ----------
        bye : bool
            If not, only its input ends.

        Returns
        -------
        Breach or None
            What went wrong: no answer, more lines than answers, a process that does not end within
            ``limits.stop`` seconds or ends with a status other than 0. The process and its helpers
            are gone in any case.
        """
        if self._child is None:
            return self.breach
        last = "bye" if bye else "the end of its input"
        if bye:
            [reply] = self.exchange([{"method": "bye", "params": {}}])
            if isinstance(reply, Breach):
                return reply
        self._child.close_input()
        deadline = time.monotonic() + self.limits.stop
        while (timeout := deadline - time.monotonic()) > 0:
            _, chunk = self._child.pump(memoryview(b""), timeout)
            if chunk is None:
                continue
            if not chunk:
                break
            self._unasked += self._split(chunk)[0]
            if self._unasked or self._size > self.limits.line:
                break
        if self._pieces:
            self._unasked.append(b"".join(self._pieces))
        if self._unasked:
            return self._refuse_unasked()
        if not self._child.wait(deadline - time.monotonic()):
            message = f"expected the end of the process within {self.limits.stop:g} s after {last}"
            return self._fail("silence", f"{message}, found it running")
        child, self._child = self._child, None
        status = child.end(self.limits.stop)
        if status:
            self.breach = self._describe(
                child,
                "exit",
                f"expected status 0 after {last}, found {_status(status)}",
                status=status,
            )
        return self.breach

    # ---- talking --------------------------------------------------------------------------------

    def exchange(
        self, requests: Sequence[dict[str, Any] | Raw], *, more: bool = False
    ) -> list[Reply]:
        """Send requests and return the answers in order.

        Parameters
        ----------
        requests : sequence of dict or Raw
            Each with ``method`` and ``params``; ids and the rest of the envelope are added here.
        more : bool
            Whether these go on with what was sent before: then `Limits.total` is for all of it.

        Returns
        -------
        list of Answer or Breach
            One for each request. If the implementation breaks the protocol, the list ends early,
            with the `Breach` in the place of the answer that could not be had.

        Raises
        ------
        RuntimeError
            If a breach has ended the process and it was not restarted.
        UsageError
            If the command cannot be started.
        TypeError
            If a request cannot be written as JSON; nothing has been sent then.
        """
        if self.breach is not None:
            raise RuntimeError(f"the process is dead ({self.breach}); call restart() first")
        lines, ids = self._encode(requests)
        self.start()
        child = self._child
        assert child is not None
        if self._unasked and lines:
            return [self._refuse_unasked(lines[0])]
        limits = self.limits
        replies: list[Reply] = []
        if not more:
            self._taken = 0
        total, sent, outgoing = len(lines), 0, memoryview(b"")
        deadline = time.monotonic() + (limits.reply if self._answered else limits.start)
        while len(replies) < total:
            # Refilled at half, so that many small lines leave in one write.
            if not outgoing and sent < total and sent - len(replies) <= limits.window // 2:
                until = min(total, len(replies) + limits.window)
                outgoing = memoryview(b"".join(lines[sent:until]))
                sent = until
            timeout = deadline - time.monotonic()
            if timeout <= 0:
                replies.append(self._fail_silent(lines[len(replies)]))
                break
            outgoing, chunk = child.pump(outgoing, timeout)
            if not chunk:
                if chunk is None:
                    continue
                replies.append(self._fail_closed(lines[len(replies)]))
                break
            found, careful = self._split(chunk)
            if found or self._size > limits.line:
                wrong = self._judge(found, careful, lines, ids, replies)
                if wrong is not None:
                    replies.append(wrong)
                    break
                deadline = time.monotonic() + limits.reply
        return replies

    def unasked(self) -> Breach | None:
        """Return the breach if lines have come that no request is open for, and end the process."""
        return self._refuse_unasked() if self._child and self._unasked else None

    def _encode(
        self, requests: Sequence[dict[str, Any] | Raw]
    ) -> tuple[list[bytes], list[tuple[Id, ...]]]:
        lines: list[bytes] = []
        ids: list[tuple[Id, ...]] = []
        for number, request in enumerate(requests, (self._answered if self._child else 0) + 1):
            if isinstance(request, Raw):
                lines.append(request.line + b"\n")
                ids.append(request.ids)
            else:
                lines.append(encode(number, request))
                ids.append((number,))
        return lines, ids

    def _split(self, chunk: bytes) -> tuple[list[bytes], bool]:
        """Return the lines that are complete now, and whether to look at them carefully."""
        end = chunk.rfind(b"\n")
        if end < 0:
            self._pieces.append(chunk)
            self._size += len(chunk)
            return [], False
        # Joined once, when the end has come: a long line would else be copied for every chunk.
        data = b"".join((*self._pieces, chunk[:end]))
        self._pieces = [chunk[end + 1 :]] if end + 1 < len(chunk) else []
        self._size = len(chunk) - end - 1
        return data.split(b"\n"), suspicious(data)

    def _judge(
        self,
        found: list[bytes],
        careful: bool,
        lines: list[bytes],
        ids: list[tuple[Id, ...]],
        replies: list[Reply],
    ) -> Breach | None:
        """Add the answers to `replies`; return the breach if a line is wrong."""
        limit, total, pairs = self.limits.line, len(lines), self._pairs
        for at, line in enumerate(found):
            done = len(replies)
            if done == total:
                self._unasked = found[at:]
                return None
            self._taken += len(line)
            if len(line) > limit or self._taken > self.limits.total:
                return self._fail_flood(line, lines[done])
            reply = judge(line, ids[done], self._answered, careful=careful)
            if isinstance(reply, Wrong):
                return self._fail(*reply, line=line, request=lines[done])
            replies.append(reply)
            self._answered += 1
            pairs.append((_cut(lines[done]), _cut(line)))
        if self._size > limit and len(replies) < total:
            return self._fail_flood(b"".join(self._pieces), lines[len(replies)])
        return None

    # ---- breaches -------------------------------------------------------------------------------

    def _refuse_unasked(self, request: bytes = b"") -> Breach:
        """Judge the first line that came without a request."""
        line = self._unasked[0]
        if len(line) > self.limits.line:
            return self._fail_flood(line, request)
        wrong = judge(line, (), self._answered, careful=suspicious(line))
        assert isinstance(wrong, Wrong)  # no id is right when none is expected
        return self._fail(*wrong, line=line, request=request)

    def _fail_flood(self, line: bytes, request: bytes) -> Breach:
        limit = self.limits.line
        message = f"expected lines of at most {limit} bytes, found one of {len(line)} or more"
        if len(line) <= limit:
            message = f"expected at most {self.limits.total} bytes of answers to one game"
        return self._fail("flood", message, line=line, request=request)

    def _fail_silent(self, request: bytes) -> Breach:
        assert self._child is not None
        limit = self.limits.reply if self._answered else self.limits.start
        rest = f", only {self._size} bytes of a line without end" if self._size else ""
        deaf = "; it has closed its input" if self._child.deaf else ""
        return self._fail(
            "silence",
            f"expected an answer within {limit:g} s, found none{rest}{deaf}",
            line=b"".join(self._pieces),
            request=request,
        )

    def _fail_closed(self, request: bytes) -> Breach:
        assert self._child is not None
        # The end of its output comes a moment before the end of the process.
        ended = self._child.wait(min(0.5, self.limits.stop))
        return self._fail(
            "exit",
            "expected an answer, found the end of the process"
            if ended
            else "expected an answer, found its output closed; the process was still running",
            line=b"".join(self._pieces),
            request=request,
        )

    def _fail(
        self, kind: BreachKind, message: str, *, line: bytes = b"", request: bytes = b""
    ) -> Breach:
        """End the process and say why."""
        assert self._child is not None
        child, self._child = self._child, None
        status = child.end(self.limits.stop)
        if status is not None and kind == "exit":
            message += f" with {_status(status)}"
        self.breach = self._describe(
            child, kind, message, line=line, request=request, status=status
        )
        return self.breach

    def _describe(
        self,
        child: Child,
        kind: BreachKind,
        message: str,
        *,
        line: bytes = b"",
        request: bytes = b"",
        status: int | None = None,
    ) -> Breach:
        wire = self.wire()
        if request:
            wire.append("> " + _shown(request))
        if line:
            wire.append("< " + _shown(line))
        return Breach(
            kind=kind,
            message=message,
            line=line[:4096],
            stderr=child.last_words(),
            status=status,
            wire=tuple(wire[-WIRE_LINES:]),
        )

    def wire(self) -> list[str]:
        """Return the last lines of the conversation, each answer behind its request.

        Returns
        -------
        list of str
            At most 40, oldest first, cut and safe to print: ``> `` from the kit, ``< `` to it.
        """
        lines = []
        for request, answer in self._pairs:
            lines += ["> " + _shown(request), "< " + _shown(answer)]
        return lines


def _cut(line: bytes) -> bytes:
    return line if len(line) <= SHOWN else line[:SHOWN] + b"... (%d bytes)" % len(line)


def _shown(line: bytes) -> str:
    return printable(_cut(line.rstrip(b"\r\n"))).replace("\n", " ")


def _status(status: int) -> str:
    if status >= 0:
        return f"status {status}"
    try:
        return f"signal {signal.Signals(-status).name}"
    except ValueError:
        return f"signal {-status}"
