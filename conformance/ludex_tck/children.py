"""A child process with three pipes: started, fed, listened to, and ended with all its helpers.

Only this module starts processes, and it uses no shell. It works on POSIX systems. The child leads
a session of its own, so that its helpers share its process group and are ended with it, and
Ctrl-C reaches the kit alone.
"""

from __future__ import annotations

import contextlib
import errno
import os
import selectors
import signal
import subprocess
import time
from collections.abc import Mapping, Sequence
from pathlib import Path

from ludex.errors import UsageError

from .wire import printable

__all__ = ["Child"]

CHUNK = 1 << 16
"""As much as a pipe holds on Linux."""

PATIENCE = 0.25
"""Seconds after which an idle child is looked at: it may have ended while a helper of it still
holds its pipes open."""


class Child:
    """One running process.

    Parameters
    ----------
    command : sequence of str
        Program and arguments.
    cwd : Path or None
        Where it runs; None: where the kit runs.
    env : mapping or None
        Its environment; None: that of the kit.
    keep : int
        How many bytes of its standard error are kept.

    Raises
    ------
    UsageError
        If it cannot be started.
    """

    def __init__(
        self,
        command: Sequence[str],
        *,
        cwd: Path | None,
        env: Mapping[str, str] | None,
        keep: int,
    ) -> None:
        self._popen = _start(command, cwd, env)
        pipes = (self._popen.stdin, self._popen.stdout, self._popen.stderr)
        self._stdin, self._stdout, self._stderr = (pipe.fileno() for pipe in pipes if pipe)
        for pipe in (self._stdin, self._stdout, self._stderr):
            os.set_blocking(pipe, False)
        self._selector = selectors.DefaultSelector()
        self._selector.register(self._stdout, selectors.EVENT_READ)
        self._selector.register(self._stderr, selectors.EVENT_READ)
        self._stderr_open = True
        self._blocked = False  # stdin is full and its selector waits for room
        self._keep = keep
        self._ring = bytearray()
        self.deaf = False
        """Whether the child has closed its standard input."""

    @property
    def pid(self) -> int:
        """Process id, which is the id of its process group too."""
        return self._popen.pid

    # ---- talking --------------------------------------------------------------------------------

    def pump(self, outgoing: memoryview, timeout: float) -> tuple[memoryview, bytes | None]:
        """Write what fits, keep what comes on stderr, and read once.

        Parameters
        ----------
        outgoing : memoryview
            What is still to be written; may be empty.
        timeout : float
            Seconds to wait for something to happen.

        Returns
        -------
        tuple
            What is still to be written, and what was read: None if there was nothing, ``b""`` at
            the end of the child's output or life.
        """
        if outgoing and not self._blocked:
            outgoing = self._write(outgoing)
        chunk = None
        for key, _ in self._selector.select(min(timeout, PATIENCE)):
            if key.fd == self._stdout:
                chunk = self._read(self._stdout)
            elif key.fd == self._stderr:
                self._listen()
            else:
                outgoing = self._write(outgoing)
        if chunk is None and self.exited():
            chunk = self._read(self._stdout) or b""
        return outgoing, chunk

    def _write(self, outgoing: memoryview) -> memoryview:
        if not self.deaf:
            try:
                outgoing = outgoing[os.write(self._stdin, outgoing) :]
            except BlockingIOError:
                pass
            except OSError:
                # EPIPE as a rule. Its last answers may still be in the other pipe: read on.
                self.deaf = True
        if self.deaf:
            outgoing = outgoing[:0]
        blocked = len(outgoing) > 0
        if blocked != self._blocked:
            self._blocked = blocked
            if blocked:
                self._selector.register(self._stdin, selectors.EVENT_WRITE)
            else:
                self._selector.unregister(self._stdin)
        return outgoing

    @staticmethod
    def _read(pipe: int) -> bytes | None:
        try:
            return os.read(pipe, CHUNK)
        except BlockingIOError:
            return None

    def _listen(self) -> bool:
        """Take what stands in stderr; tell whether there was something."""
        chunk = self._read(self._stderr) if self._stderr_open else None
        if chunk == b"":
            self._stderr_open = False
            self._selector.unregister(self._stderr)
        if not chunk:
            return False
        self._ring += chunk
        if len(self._ring) > self._keep:
            del self._ring[: -self._keep]
        return True

    @property
    def stderr(self) -> bytes:
        """The last bytes of standard error."""
        return bytes(self._ring)

    def last_words(self, lines: int = 20, width: int = 500) -> str:
        """Return the last lines of standard error, safe to print.

        Parameters
        ----------
        lines : int
            How many at most.
        width : int
            How many characters of each.
        """
        found = printable(self.stderr).splitlines()[-lines:]
        return "\n".join(line if len(line) <= width else line[:width] + "…" for line in found)

    # ---- ending ---------------------------------------------------------------------------------

    def close_input(self) -> None:
        """Tell the child that no more requests follow."""
        if self._popen.stdin and not self._popen.stdin.closed:
            if self._blocked:
                self._selector.unregister(self._stdin)
                self._blocked = False
            self.deaf = True
            with contextlib.suppress(OSError):
                self._popen.stdin.close()

    def exited(self) -> bool:
        """Tell whether the child itself has ended; helpers of it may live on."""
        if self._popen.returncode is not None:
            return True
        if not hasattr(os, "waitid"):  # macOS before Python 3.13
            return self._popen.poll() is not None
        # Left unreaped, so that its number, the group's name, is not given to others.
        try:
            found = os.waitid(os.P_PID, self.pid, os.WEXITED | os.WNOHANG | os.WNOWAIT)
        except ChildProcessError:  # the program that runs the kit ignores SIGCHLD
            return True
        return found is not None

    def wait(self, seconds: float) -> bool:
        """Wait for the child to end, keeping what it says on stderr; tell whether it has."""
        deadline = time.monotonic() + seconds
        pause = 0.001
        while not self.exited():
            left = deadline - time.monotonic()
            if left <= 0:
                return False
            if not self._listen():
                time.sleep(min(pause, left))
                pause = min(2 * pause, 0.02)
        return True

    def end(self, grace: float) -> int | None:
        """End the child and its whole process group, and close the pipes.

        Parameters
        ----------
        grace : float
            Seconds between SIGTERM and SIGKILL.

        Returns
        -------
        int or None
            The exit status if the child had ended by itself before, else None. A negative number
            is a signal's.
        """
        by_itself = self.exited()
        self.close_input()
        if not by_itself:
            self._signal(signal.SIGTERM)
            self.wait(grace)
        self._signal(signal.SIGKILL)
        # A killed process ends unless the system itself hangs; then nothing can be done.
        with contextlib.suppress(subprocess.TimeoutExpired):
            self._popen.wait(timeout=10)
        for _ in range(16):  # one who left the group may go on writing for ever
            if not self._listen():
                break
        self._selector.close()
        for pipe in (self._popen.stdout, self._popen.stderr):
            if pipe:
                pipe.close()
        return self._popen.returncode if by_itself else None

    def _signal(self, number: signal.Signals) -> None:
        # ProcessLookupError: nobody is left. PermissionError: only the unreaped child (macOS).
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.killpg(self.pid, number)


def _start(
    command: Sequence[str], cwd: Path | None, env: Mapping[str, str] | None
) -> subprocess.Popen[bytes]:
    if os.name != "posix":
        raise UsageError(
            f"expected a POSIX system to run programs on, found {os.name!r}", code="usage.system"
        )
    if not command:
        raise UsageError(
            "expected the command that starts the implementation, found none",
            code="usage.command",
            hint="write it after --, for example: -- python adapter.py",
        )
    if cwd is not None and not cwd.is_dir():
        raise UsageError(f"expected a folder to run in, found {str(cwd)!r}", code="usage.command")
    try:
        return subprocess.Popen(
            list(command),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            cwd=cwd,
            env=env,
            bufsize=0,
            start_new_session=True,
        )
    except (OSError, ValueError) as error:
        raise _cannot_start(command[0], error) from None


def _cannot_start(program: str, error: OSError | ValueError) -> UsageError:
    number = error.errno if isinstance(error, OSError) else None
    if number == errno.EACCES and os.path.isdir(program):
        number = errno.EISDIR
    found, hint = {
        errno.ENOENT: ("no such program", "is it on the PATH, or is ./ missing in front of it?"),
        errno.EISDIR: ("a folder", "name the program in it"),
        errno.EACCES: ("a file that may not be executed", "try chmod +x, or name its interpreter"),
        errno.ENOEXEC: ("a file that is no program", "name its interpreter, or add a #! line"),
    }.get(number or 0, (str(error), None))
    return UsageError(
        f"expected a program that can be started as {program!r}, found {found}",
        code="usage.command",
        hint=hint,
    )
