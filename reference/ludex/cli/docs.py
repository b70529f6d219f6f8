"""``ludex docs build``: the site, from the pages of ``docs/`` and those made from the games."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from functools import cache
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import click

from ludex import load
from ludex.authoring.document import load_document
from ludex.authoring.folder import builtin_games, component_sets, find_game, read_folder
from ludex.authoring.spec_home import spec_home
from ludex.authoring.strict_yaml import read_yaml_file
from ludex.cli.describe import _lines as description_lines
from ludex.errors import UsageError
from ludex.pages import GameSource, site
from ludex.pages.markup import code, esc, table
from ludex.pages.tables import fill_tables
from ludex.protocol.describe import describe as describe_game

__all__ = ["docs", "read_source", "write_pages"]

#: Written into the output folder, so that only what this command made is deleted.
_MARK = ".ludex-docs"
_CONFIG = "mkdocs.generated.yml"


@click.group()
def docs() -> None:
    """Make the documentation site."""


@docs.command()
@click.argument("games", nargs=-1, metavar="[GAME]...")
@click.option("--out", type=click.Path(path_type=Path), default=None, metavar="DIR",
              help="Where pages and site are written.  [default: build/ of the checkout]")
@click.option("--strict/--no-strict", default=True, show_default=True,
              help="Fail on broken links, and on examples that do not hold.")
@click.option("--pages-only", is_flag=True, help="Write the pages, do not run MkDocs.")
@click.option("--serve", "port", type=click.IntRange(1, 65535), default=None, metavar="PORT",
              help="Show the site at http://127.0.0.1:PORT/ until you press Ctrl-C.")
@click.option("--root", type=click.Path(path_type=Path, exists=True, file_okay=False),
              default=None, metavar="DIR", help="The checkout, with mkdocs.yml and docs/.")
def build(
    games: tuple[str, ...],
    out: Path | None,
    strict: bool,
    pages_only: bool,
    port: int | None,
    root: Path | None,
) -> int:
    """Make the site: the general pages, and the pages of each GAME.

    Without GAME, all games that come with Ludex. Needs a checkout, and MkDocs with its Material
    theme: pip install 'ludex[docs]'.
    """
    home = _root(root)
    target = (home / "build" if out is None else out).resolve()
    try:
        problems = write_pages(home, target, games or tuple(builtin_games()))
    except OSError as error:
        raise UsageError(f"cannot write {error.filename}: {error.strerror}",
                         code="usage.write") from None
    for problem in problems:
        click.echo(f"ludex: {problem}", err=True)
    click.echo(f"pages: {target / 'docs'}")
    if problems and strict:
        return 1
    if pages_only:
        return 0
    if find_spec("mkdocs") is None or find_spec("material") is None:
        raise UsageError("the site needs MkDocs and its Material theme", code="usage.no-mkdocs",
                         hint="pip install 'ludex[docs]', or use --pages-only")
    command = [sys.executable, "-m", "mkdocs", "build", "-f", str(target / _CONFIG)]
    # never with --quiet: then a broken anchor is no error
    environment = {**os.environ, "NO_MKDOCS_2_WARNING": "1"}
    done = subprocess.run([*command, "--strict"] if strict else command, check=False,
                          env=environment)
    if done.returncode != 0:
        return 1
    click.echo(f"site: {target / 'site' / 'index.html'}")
    if port is not None:
        _serve(target / "site", port)
    return 0


def write_pages(home: Path, target: Path, games: tuple[str, ...]) -> list[str]:
    """Write the pages and the configuration of MkDocs.

    Parameters
    ----------
    home : Path
        The checkout.
    target : Path
        The output folder; ``docs/`` in it is replaced.
    games : tuple of str
        Built-in games or folders.

    Returns
    -------
    list of str
        What of the examples does not hold.

    Raises
    ------
    UsageError, SpecErrors
    """
    made = site([read_source(game) for game in games])
    pages = _empty(target, "docs")
    _empty(target, "site")
    target.mkdir(parents=True, exist_ok=True)
    (target / _MARK).write_text("Made by `ludex docs build`; may be deleted.\n", encoding="utf-8")
    shutil.copytree(home / "docs", pages)
    tables = _kit_tables()
    for page in pages.rglob("*.md"):
        text = page.read_text("utf-8")
        page.write_text(fill_tables(text, tables), encoding="utf-8")
    for name, text in made.pages.items():
        page = pages / name
        page.parent.mkdir(parents=True, exist_ok=True)
        page.write_text(text, encoding="utf-8")
    config = _config(home, made.menu)
    # JSON is YAML, and needs no quoting rules
    text = json.dumps(config, indent=2, ensure_ascii=False)
    (target / _CONFIG).write_text(text + "\n", encoding="utf-8")
    return made.problems


def read_source(game: str | Path) -> GameSource:
    """Read all that the pages of a game are made from.

    Raises
    ------
    UsageError, SpecErrors
    """
    path = find_game(game)
    sets = {
        name: read_folder(path, name).files["components"].value for name in component_sets(path)
    }
    documents = cache(lambda name: load_document(path, name))
    description = describe_game(load(path), sample=False)
    return GameSource(documents("standard"), sets, documents, description_lines(description))


def _root(given: Path | None) -> Path:
    """Return the checkout: the one that was given, the present folder, or Ludex's own."""
    places = [given] if given is not None else [Path.cwd(), Path(str(spec_home())).parent]
    for place in places:
        if (place / "mkdocs.yml").is_file() and (place / "docs").is_dir():
            return place.resolve()
    raise UsageError("expected mkdocs.yml and docs/, found neither", code="usage.no-checkout",
                     hint="run it in a checkout of Ludex, or name one with --root")


def _empty(target: Path, name: str) -> Path:
    """Delete a folder of the output, if this command has made it."""
    folder = target / name
    if folder.exists() and not (target / _MARK).is_file():
        raise UsageError(f"{folder} is there and was not made by this command",
                         code="usage.not-empty", hint="name another folder with --out")
    if folder.exists():
        shutil.rmtree(folder)
    return folder


def _config(home: Path, menu: list[Any]) -> dict[str, Any]:
    """Return the configuration of the site: the common one, with the games in the menu.

    Pages of ``docs/`` that the common menu does not name come last.
    """
    common = home / "mkdocs.yml"
    nav = read_yaml_file(common).value["nav"]
    named = json.dumps(nav)
    others = [p.name for p in sorted((home / "docs").glob("*.md")) if f'"{p.name}"' not in named]
    return {
        "INHERIT": str(common),
        "docs_dir": "docs",
        "site_dir": "site",
        "nav": [*nav[:1], {"Games": menu}, *nav[1:], *([{"More": others}] if others else [])],
    }


def _kit_tables() -> dict[str, str]:
    """Return the tables of the kit's pages. Only this command looks at the kit from here."""
    try:
        checks, profiles = map(import_module, ("ludex_tck.checks", "ludex_tck.profiles"))
    except ModuleNotFoundError as error:
        raise UsageError(f"the site describes the kit, but there is no module {error.name}",
                         code="usage.no-kit", hint="pip install -e .") from None
    needs = {check: code(need) for check, need in checks.NEEDS.items()}
    return {
        "checks": table(["check", "what it says", "needs"], [
            [code(check), esc(words), needs.get(check, "")]
            for check, words in checks.CHECKS.items()
        ]),
        "profiles": table(["profile", "random games", "findings", "cap"], [
            [code(p.name), str(p.cases), str(p.findings), f"{p.seconds:g} s"]
            for p in profiles.PROFILES.values()
        ]),
    }


def _serve(folder: Path, port: int) -> None:
    def handler(*args: Any) -> SimpleHTTPRequestHandler:
        return SimpleHTTPRequestHandler(*args, directory=str(folder))

    try:
        server = ThreadingHTTPServer(("127.0.0.1", port), handler)
    except OSError as error:
        raise UsageError(f"cannot listen on port {port}: {error.strerror}",
                         code="usage.port") from None
    click.echo(f"http://127.0.0.1:{port}/  (Ctrl-C ends it)")
    try:
        server.serve_forever()
    except KeyboardInterrupt:
        click.echo()
    finally:
        server.server_close()
