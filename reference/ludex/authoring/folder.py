"""Game folders: finding them, and reading their files strictly and by schema."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache

# unlike those of Path these say no where a name is no possible file name
from os.path import isdir, isfile
from pathlib import Path

from ludex.authoring.schema_check import check
from ludex.authoring.source import Cursor
from ludex.authoring.spec_home import spec_home
from ludex.authoring.strict_yaml import Document, read_content, read_yaml
from ludex.errors import Place, SpecError, SpecErrors, UsageError, closest

__all__ = ["GameFolder", "builtin_games", "find_game", "read_folder"]

#: File of a game folder to the name of its schema; all are needed.
FILES = {
    "game.yaml": "game",
    "rules.yaml": "rules",
    "rulings.yaml": "rulings",
    "examples.yaml": "examples",
    "display.yaml": "display",
}
STANDARD_SET = "standard"


@dataclass(frozen=True)
class GameFolder:
    """The files of one game, read and valid by schema.

    Attributes
    ----------
    path : Path
        The folder.
    files : mapping
        File name (``game.yaml``, ``components``) to the cursor at its root.
    """

    path: Path
    files: Mapping[str, Cursor]


def builtin_games() -> list[str]:
    """Return the names of the games that come with Ludex, sorted."""
    home = Path(str(spec_home())) / "games"
    return sorted(p.name for p in home.iterdir() if (p / "game.yaml").is_file())


def find_game(name: str | Path) -> Path:
    """Return the folder of a game.

    Parameters
    ----------
    name : str or Path
        A built-in game, or the path of a folder with a ``game.yaml``.

    Raises
    ------
    UsageError
        ``usage.unknown-game``, if there is neither.
    """
    path = Path(name)
    if isfile(path / "game.yaml"):
        return path
    games = builtin_games()
    if str(name) in games:
        return Path(str(spec_home())) / "games" / str(name)
    hint = closest(str(name), games) or f"the games are {', '.join(games)}; or name a folder"
    what = (
        f"the folder {str(name)!r} has no game.yaml" if isdir(path) else f"no game {str(name)!r}"
    )
    raise UsageError(what, code="usage.unknown-game", hint=hint)


def component_sets(path: Path) -> list[str]:
    """Return the names of the component sets of a game folder, sorted."""
    return sorted(p.stem for p in (path / "components").glob("*.yaml"))


def read_folder(path: Path, components: str | Path = STANDARD_SET) -> GameFolder:
    """Read every file of a game.

    Parameters
    ----------
    path : Path
        The folder.
    components : str or Path
        Name of a component set of the game, or the path of a file.

    Raises
    ------
    SpecErrors
        If a file is missing, is no strict YAML, or does not fit its schema.
    UsageError
        If there is no such component set.
    """
    errors: list[SpecError] = []
    files: dict[str, Cursor] = {}
    wanted = {name: (path / name, schema) for name, schema in FILES.items()}
    own = path / "components" / f"{components}.yaml"
    if not isfile(own):
        own = Path(components)
        if not isfile(own):
            sets = component_sets(path)
            raise UsageError(
                f"no component set {str(components)!r}",
                code="usage.unknown-components",
                hint=closest(str(components), sets) or (
                    f"the sets are {', '.join(sets)}" if sets
                    else f"there is no file in {path / 'components'}"
                ),
            )
    wanted["components"] = (own, "components")
    for name, (file, schema) in wanted.items():
        shown = str(file)
        if not file.is_file():
            errors.append(
                SpecError(f"a game needs the file {name}", code="spec.missing-file",
                          place=Place(shown))
            )
            continue
        try:
            files[name] = Cursor.root(_read(read_content(file, shown), shown, schema))
        except SpecErrors as several:
            errors.extend(several.errors)
        except SpecError as error:
            errors.append(error)
    if errors:
        raise SpecErrors(errors)
    return GameFolder(path, files)


@lru_cache(maxsize=32)
def _read(content: bytes, shown: str, schema: str) -> Document:
    """Read a file and check it, once: every component set comes with the same other files.

    Raises
    ------
    SpecError
        Which is not kept: how deep a file may nest depends on who asks.
    """
    document = read_yaml(content, shown)
    if found := check(document, schema):
        raise SpecErrors(found)
    return document
