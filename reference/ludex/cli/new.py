"""``ludex new GAME``: a small complete game to begin with.

The files are those of ``spec/template``, which is a valid game itself; only the name, the title
and the place of the schemas are filled in.
"""

from __future__ import annotations

import json
import os
import re
import shutil
import tempfile
from collections.abc import Iterator
from importlib.resources.abc import Traversable
from pathlib import Path

import click

from ludex.authoring.folder import builtin_games
from ludex.authoring.spec_home import spec_home
from ludex.errors import UsageError

__all__ = ["files_of", "new"]

_NAME = re.compile(r"[a-z][a-z0-9]*(-[a-z0-9]+)*")
_MAX_NAME = 60
#: What the template is called, as its game file says it.
_GAME = "game: my-game "
_TITLE = '"My Game'
_SCHEMA = re.compile(r"\A# yaml-language-server: \$schema=(?:\.\./)+schemas/")


@click.command()
@click.argument("game", metavar="GAME", type=click.Path(path_type=Path))
@click.option("--title", default=None, help="The name on the box.  [default: made from GAME]")
def new(game: Path, title: str | None) -> None:
    """Make the folder GAME with a small complete game, to begin with.

    Its last part is the id of the game: lower-case words joined by hyphens, such as lucky-dip.
    Nothing that is there already is changed.
    """
    name = game.name
    _check_name(name)
    shown = " ".join(word.capitalize() for word in name.split("-")) if title is None else title
    if not shown.strip() or not shown.isprintable():
        raise UsageError(f"a title is one line of text, found {shown!r}", code="usage.title")
    parent = game.resolve().parent
    if not parent.is_dir():
        raise UsageError(f"there is no folder {str(game.parent)!r}", code="usage.write",
                         hint="make it first, or name a folder that is there")
    schemas, inside = _schemas(parent)
    _write(game, files_of(name, shown, schemas, inside=inside))
    click.echo(f"{game}: a complete game. Try it, then change it:\n")
    for command, words in (("check", "look for faults, by reading it and by playing it"),
                           ("test", "play its worked examples"),
                           ("play", "play it yourself")):
        click.echo(f"  {f'ludex {command} {game}':40}  {words}")
    if not inside:
        click.echo(
            "\nThe first line of each file tells your editor where the schemas of this Ludex are.\n"
            f"If you give the folder away or move Ludex, change it: the schemas are in\n{schemas}"
        )


def files_of(name: str, title: str, schemas: Path, *, inside: bool) -> dict[str, str]:
    """Return the files of a new game, by their path in its folder.

    Parameters
    ----------
    name, title : str
        Of the game.
    schemas : Path
        The folder of the schemas: as seen from the game's folder, or absolute.
    inside : bool
        Whether it is seen from the game's folder.
    """
    result = {}
    for path, file in _walk(spec_home().joinpath("template"), ""):
        text = file.read_text(encoding="utf-8")
        first, _, rest = text.partition("\n")
        up = "../" * path.count("/") if inside else ""
        first = _SCHEMA.sub("", first)
        if path == "game.yaml":
            rest = rest.replace(_GAME, f"game: {name} ", 1)
        # a JSON string is a YAML string, without its last quote as in the template
        rest = rest.replace(_TITLE, json.dumps(title, ensure_ascii=False)[:-1], 1)
        result[path] = f"# yaml-language-server: $schema={up}{schemas.as_posix()}/{first}\n{rest}"
    return result


def _check_name(name: str) -> None:
    if len(name) > _MAX_NAME or not _NAME.fullmatch(name):
        words = re.findall(r"[a-z0-9]+", name.lower())
        meant = re.sub(r"^[0-9-]+", "", "-".join(words))[:_MAX_NAME].strip("-")
        raise UsageError(
            f"the name of a game is lower-case words joined by hyphens, found {name!r}",
            code="usage.game-name", hint=f"for example {meant or 'lucky-dip'}",
        )
    if name in builtin_games():
        raise UsageError(f"{name} is a game that comes with Ludex", code="usage.game-name",
                         hint="choose another name")


def _schemas(parent: Path) -> tuple[Path, bool]:
    """Return where the schemas are: seen from a folder in `parent` if both are in a checkout."""
    for home in (parent, *parent.parents):
        found = home / "spec" / "schemas"
        if (found / "game.schema.json").is_file():
            return Path(os.path.relpath(found, parent / "game")), True
    return Path(str(spec_home())).resolve() / "schemas", False


def _walk(folder: Traversable, before: str) -> Iterator[tuple[str, Traversable]]:
    for entry in sorted(folder.iterdir(), key=lambda e: e.name):
        if entry.is_dir():
            yield from _walk(entry, f"{before}{entry.name}/")
        elif entry.name.endswith(".yaml"):
            yield before + entry.name, entry


def _write(folder: Path, files: dict[str, str]) -> None:
    """Write a folder whole or not at all: under another name first, beside its place."""
    try:
        if os.path.lexists(folder):
            raise UsageError(f"{str(folder)!r} is there already", code="usage.exists",
                             hint="choose another name; nothing was changed")
        made = Path(tempfile.mkdtemp(prefix=f".{folder.name}.", dir=folder.resolve().parent))
        try:
            for name, text in files.items():
                file = made / name
                file.parent.mkdir(parents=True, exist_ok=True)
                file.write_text(text, encoding="utf-8", newline="\n")
            # a temporary folder is private; a game is an ordinary folder
            made.chmod(made.joinpath("components").stat().st_mode & 0o777)
            made.rename(folder)
        except BaseException:
            shutil.rmtree(made, ignore_errors=True)
            raise
    except OSError as error:
        raise UsageError(f"cannot write {str(folder)!r}: {error.strerror}",
                         code="usage.write") from None
