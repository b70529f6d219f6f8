"""The options of the command line that say how long and how much a program may take."""

from __future__ import annotations

import functools
import math
from collections.abc import Callable
from typing import Any

import click

from .wire import Limits

__all__ = ["limit_options"]

_DEFAULT = Limits()


class _Seconds(click.FloatRange):
    """A range of seconds; what is no number is in no range."""

    def convert(
        self, value: Any, param: click.Parameter | None, ctx: click.Context | None
    ) -> float:
        found = super().convert(value, param, ctx)
        if math.isnan(found):
            self.fail(f"{value} is no number of seconds.", param, ctx)
        return float(found)


_SECONDS = _Seconds(min=0.01, max=86_400)


def limit_options(command: Callable[..., int]) -> Callable[..., int]:
    """Give a command the options of `Limits`; it gets them as one argument, ``limits``.

    Parameters
    ----------
    command : callable
        Takes ``limits`` by name.
    """

    @click.option("--start-timeout", type=_SECONDS, default=_DEFAULT.start, show_default=True,
                  metavar="SECONDS", help="Longest wait for the answer to hello.")
    @click.option("--reply-timeout", type=_SECONDS, default=_DEFAULT.reply, show_default=True,
                  metavar="SECONDS", help="Longest wait for any other answer.")
    @click.option("--stop-timeout", type=_SECONDS, default=_DEFAULT.stop, show_default=True,
                  metavar="SECONDS", help="Longest wait for the end of the program after bye.")
    @click.option("--max-line", type=click.IntRange(min=1024, max=1 << 30), default=_DEFAULT.line,
                  show_default=True, metavar="BYTES", help="Longest line of the program.")
    @functools.wraps(command)
    def with_limits(*args: Any, start_timeout: float, reply_timeout: float, stop_timeout: float,
                    max_line: int, **kwargs: Any) -> int:
        limits = Limits(start=start_timeout, reply=reply_timeout, stop=stop_timeout, line=max_line)
        return command(*args, limits=limits, **kwargs)

    return with_limits
