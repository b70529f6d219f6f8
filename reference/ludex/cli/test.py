"""``ludex test GAME``: runs the worked examples of a game."""

from __future__ import annotations

import json

import click
from rich.console import Console
from rich.text import Text

from ludex.authoring.document import load_document
from ludex.authoring.folder import find_game, read_folder
from ludex.cli.options import game_argument
from ludex.errors import UsageError, closest
from ludex.examples import Failure, Games, run_example

__all__ = ["test"]


@click.command()
@game_argument
@click.option("--example", "only", multiple=True, metavar="ID", help="Run only this one.")
@click.option("--format", "form", type=click.Choice(["text", "json"]), default="text")
@click.option("-v", "--verbose", is_flag=True, help="List the examples that hold, too.")
def test(game: str, only: tuple[str, ...], form: str, verbose: bool) -> int:
    """Run the worked examples of GAME; exit 1 if one fails."""
    path = find_game(game)
    folder = read_folder(path)
    load_document(path)
    examples = folder.files["examples.yaml"]["examples"]
    known = [e["id"] for e in examples.value]
    for name in only:
        if name not in known:
            raise UsageError(f"there is no example {name!r}", code="usage.unknown-example",
                             hint=closest(name, known) or f"ludex test {game} -v lists them")
    games = Games(lambda components: load_document(path, components))
    console = Console(highlight=False, soft_wrap=True)
    results = []
    failed = 0
    for at in examples.elements():
        example = at.value
        if only and example["id"] not in only:
            continue
        failures = run_example(example, games)
        failed += bool(failures)
        results.append({"example": example["id"], "failures": [vars(f) for f in failures]})
        if form == "json":
            continue
        if failures:
            console.print(Text(f"FAILED  {example['id']}: {example['title']}", style="bold red"))
            for failure in failures:
                place = at.place if failure.step is None else at["steps"][failure.step].place
                console.print(Text(_words(failure, str(place))))
        elif verbose:
            console.print(Text(f"ok      {example['id']}: {example['title']}"))
    if form == "json":
        click.echo(json.dumps({"game": game, "examples": results, "failed": failed}, indent=2))
    else:
        count = len(results)
        style = "red" if failed else "green"
        console.print(Text(f"{count - failed} of {count} examples hold", style=style))
    return 1 if failed else 0


def _words(failure: Failure, place: str) -> str:
    text = f"    {place}: {failure.message}"
    if failure.expected is not None or failure.found is not None:
        text += (
            f"\n        expected {json.dumps(failure.expected)}"
            f"\n        found    {json.dumps(failure.found)}"
        )
    return text
