"""Commands that end with the command of another program."""

from __future__ import annotations

import click

__all__ = ["ProgramCommand", "command_argument"]

command_argument = click.argument("command", nargs=-1, required=True, type=click.UNPROCESSED,
                                  metavar="-- COMMAND...")


class ProgramCommand(click.Command):
    """A command that says where options of the other program belong, if it meets one."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Read the command line."""
        separated = "--" in args
        try:
            return super().parse_args(ctx, args)
        except click.NoSuchOption as error:
            if separated:
                raise
            raise click.UsageError(
                f"No such option {error.option_name!r}. Options of the program stand behind --, at "
                "the end of the line.", ctx,
            ) from None
