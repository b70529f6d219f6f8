"""The ``ludex`` command: one group, to which subcommands join.

A subcommand is a click command named in the entry-point group ``ludex.commands``; those of this
package are listed here. Every `LudexError` is printed and ends the program with status 2.

Exit codes: 0 yes, 1 no (a test failed, an implementation does not conform), 2 usage or a faulty
spec, 3 inconclusive or an internal fault.
"""

from __future__ import annotations

import sys
from importlib import import_module
from importlib.metadata import entry_points

import click

from ludex.errors import LudexError

__all__ = ["main"]

_OWN = {
    "check": "ludex.cli.check:check",
    "explain": "ludex.cli.explain:explain",
    "games": "ludex.cli.games:games",
    "new": "ludex.cli.new:new",
    "test": "ludex.cli.test:test",
    "play": "ludex.cli.play:play",
    "serve": "ludex.cli.serve:serve",
    "describe": "ludex.cli.describe:describe",
    "docs": "ludex.cli.docs:docs",
    "judge": "ludex.cli.judge:judge_command",
    "record": "ludex.cli.judge:record",
    "rules": "ludex.cli.rules:rules",
    "eval": "ludex.cli.eval:eval_",
    "perft": "ludex.cli.perft:perft",
    "export": "ludex.cli.export:export",
    "schema": "ludex.cli.describe:schema",
}


class _Commands(click.Group):
    """Loads a subcommand only when it is used, so that the command starts fast."""

    def sources(self) -> dict[str, str]:
        joined = {e.name: e.value for e in entry_points(group="ludex.commands")}
        return {**joined, **_OWN}

    def list_commands(self, ctx: click.Context) -> list[str]:
        return sorted(self.sources())

    def get_command(self, ctx: click.Context, name: str) -> click.Command | None:
        source = self.sources().get(name)
        if source is None:
            return None
        module, attribute = source.split(":")
        try:
            command = getattr(import_module(module), attribute)
        except ModuleNotFoundError as error:
            if error.name and error.name.split(".")[0] in ("hypothesis", "orjson"):
                return _not_installed(name, error.name)
            raise
        assert isinstance(command, click.Command)
        return command


def _not_installed(name: str, library: str) -> click.Command:
    """Return a command that says what it needs; the others are listed and work."""

    def say() -> None:
        raise click.ClickException(f"{name} needs {library}: pip install 'ludex[certify]'")

    return click.Command(
        name,
        callback=say,
        short_help=f"Needs {library}: pip install 'ludex[certify]'.",
        add_help_option=False,
        context_settings={"ignore_unknown_options": True, "allow_extra_args": True},
    )


@click.command(
    cls=_Commands,
    context_settings={"help_option_names": ["-h", "--help"]},
    help="Rules of board and card games as machine-readable specifications.",
)
@click.version_option(package_name="ludex", message="%(prog)s %(version)s")
def _ludex() -> None:
    pass


def main() -> None:
    """Run the command line; the console script."""
    try:
        # however it was started
        status = _ludex(prog_name="ludex", standalone_mode=False)
    except LudexError as error:
        click.echo(f"ludex: {error}", err=True)
        sys.exit(2)
    except click.exceptions.Abort:
        sys.exit(130)
    except click.ClickException as error:
        error.show()
        sys.exit(2)
    except BrokenPipeError:
        # the reader has gone (`ludex describe ... | head`); there is nobody left to tell
        sys.stderr.close()
        sys.exit(0)
    sys.exit(status if isinstance(status, int) else 0)
