"""``ludex eval GAME EXPR``: asks a position something, in the language of the rules."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import click
from click.core import ParameterSource

from ludex.cli.options import game_argument, load_game, setting_options
from ludex.engine import Seeded, State
from ludex.engine.explain import Explainer
from ludex.engine.runtime import FAULTS, WorkFault, fault_words
from ludex.engine.trace import Term, trace
from ludex.errors import RecordError, UsageError
from ludex.evaluate import question_tree
from ludex.files import read_bytes
from ludex.judge import judge
from ludex.language.checker import ExpressionError
from ludex.protocol.canonical import canonical_bytes
from ludex.protocol.positions import MAX_POSITION, parse_position
from ludex.records import document_of, read_record
from ludex.render.faces import clean

__all__ = ["eval_"]

#: A value of a trace is cut to this many characters; the value of the whole is not.
_SHOWN = 60
#: What of a long expression is shown around a fault.
_AROUND = 70


@click.command("eval")
@game_argument
@click.argument("expression", metavar="EXPR")
@click.option("--position", type=click.Path(path_type=Path), metavar="FILE",
              help="The position, as `ludex judge --position` writes it.")
@click.option("--record", type=click.Path(path_type=Path), metavar="FILE",
              help="The position at the end of this game record.")
@click.option("--seed", type=int, default=0, show_default=True, metavar="N",
              help="Of the start, if neither is given.")
@click.option("--trace", "traced", is_flag=True, help="Print each part with its value.")
@setting_options
@click.option("--format", "form", type=click.Choice(["text", "json"]), default="text")
@click.pass_context
def eval_(
    ctx: click.Context,
    game: str,
    expression: str,
    position: Path | None,
    record: Path | None,
    seed: int,
    traced: bool,
    players: int | None,
    rulings: tuple[str, ...],
    options: tuple[str, ...],
    components: str,
    form: str,
) -> None:
    """Print the value of EXPR over a position of GAME.

    EXPR is an expression as in game.yaml, for example "size(row) > 1". Put it in quotes.
    """
    if position is not None and record is not None:
        raise UsageError("expected --position or --record, found both", code="usage.eval")
    if record is not None:
        if players is not None or rulings or options:
            raise UsageError("a record says itself how many play, and by which rulings and options",
                             code="usage.eval", hint="leave --players, --ruling, --option out")
        given = ctx.get_parameter_source("components") is not ParameterSource.DEFAULT
        state = _end_of(record, game, components if given else None)
    else:
        found = load_game(game, players, rulings, options, components)
        if position is not None:
            state = parse_position(found, read_bytes(position, MAX_POSITION), str(position))
        else:
            state = found.initial_state(Seeded(seed))
    _answer(state, expression, traced, form)


def _end_of(record: Path, game: str, components: str | None) -> State:
    """Return the position at the end of a record that is by the rules."""
    found = read_record(record)
    judgement = judge(document_of(found, game, components), found)
    if judgement.line is not None:
        raise RecordError(
            "the record is not by the rules from here on", code="record.move",
            place=found.error(judgement.line, (), "", "").place,
            hint=f"ludex judge {record} says why",
        )
    return judgement.state


def _answer(state: State, text: str, traced: bool, form: str) -> None:
    text = text.replace("\n", " ").replace("\t", " ")
    try:
        tree = question_tree(state.game, text, None)
    except ExpressionError as error:
        raise UsageError(error.message, code=error.code,
                         hint=_caret(text, error.offset, error.hint)) from None
    explainer = Explainer(state.game.program)
    term = trace(explainer, tree, text, state.position) if traced else None
    try:
        found = explainer.value(tree, state.position, {})
    except FAULTS as fault:
        for line in _lines(term, 0) if term is not None and form == "text" else ():
            click.echo(line)
        what = "too much" if isinstance(fault, WorkFault) else "what is not there"
        raise UsageError(
            f"the expression asks for {what}: {fault_words(fault)}", code="usage.fault",
            hint=None if traced else "--trace shows which part of it",
        ) from None
    type_ = state.game.codec.type(tree["type"])
    value = state.game.codec.decode(list(found) if isinstance(found, range) else found, type_)
    if form == "json":
        result: dict[str, Any] = {"expression": text, "type": tree["type"], "value": value}
        if term is not None:
            result["trace"] = term.to_json()
        click.echo(json.dumps(result, indent=1, ensure_ascii=False))
        return
    click.echo(canonical_bytes(value).decode("utf-8"))
    for line in _lines(term, 0) if term is not None else ():
        click.echo(line)


def _caret(text: str, offset: int, hint: str | None) -> str:
    """Return the expression with a mark under the faulty place."""
    start = max(0, min(offset - _AROUND // 2, len(text) - _AROUND))
    shown = clean(text[start : start + _AROUND])
    before = "..." if start else ""
    after = "..." if start + _AROUND < len(text) else ""
    lines = [f"{before}{shown}{after}", " " * (len(before) + offset - start) + "^"]
    return "\n    ".join([*lines, *([hint] if hint else [])])


def _lines(term: Term, depth: int) -> Iterator[str]:
    """Yield a term and its parts, indented."""
    value = canonical_bytes(term.value).decode("utf-8")
    if term.fault is not None:
        value = f"fails: {term.fault}"
    elif len(value) > _SHOWN:
        value = f"{value[: _SHOWN - 3]}..."
    where = f"{term.where}: " if term.where else ""
    yield f"{'  ' * depth}{where}{clean(term.text)} = {clean(value)}"
    for part in term.parts:
        yield from _lines(part, depth + 1)
