"""Data checks: what must hold of every component set.

Rules say of a board that it hangs together, and of a card that its colour is that of its place.
Such a sentence is about data. It is checked when a component set is read, and what is wrong is
shown at the row that is wrong.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from itertools import islice
from typing import Any

from ludex.authoring.clauses import Clauses, Json, named
from ludex.authoring.source import Cursor
from ludex.engine.facts import Facts, called
from ludex.engine.flow import nodes
from ludex.engine.runtime import FAULTS, fault_words
from ludex.errors import Place, SpecError
from ludex.language.types import BOOL, element

__all__ = ["check_data", "facts_only", "read_data_checks"]

#: So many rows are named for one check.
MAX_ROWS = 20
_EACH = re.compile(r"\s*([a-z][a-z0-9_]*)\s+in\s+(?=\S)")


def read_data_checks(
    at: Cursor, clauses: Clauses, functions: Sequence[Json]
) -> list[Json]:
    """Read the data checks of a game.

    Parameters
    ----------
    at : Cursor
        ``data_checks`` of the game file.
    clauses : Clauses
        Reads expressions; errors are added to its list.
    functions : list of dict
        The functions of the game, as read.
    """
    result = []
    for item in at.elements():
        scope = clauses.scope()
        check: Json = {}
        each = item.get("each")
        if each is not None:
            # the schema has seen to the form
            match = _EACH.match(each.value)
            assert match is not None
            over = clauses.part(each, match.end(), each.value[match.end() :], scope, None)
            found = clauses.type_of(over)
            inner = element(found) if found is not None else None
            if found is not None and inner is None:
                clauses.errors.append(each.error(f"cannot go through {found}", "type"))
            clauses.define(each, scope, inner, match.group(1))
            check["each"] = {"as": match.group(1), "in": over}
        check["that"] = clauses.expression(item["that"], scope, BOOL)
        check |= {"otherwise": item.value["otherwise"], **named(clauses.rule(item)),
                  "place": str(item.place)}
        for key in ("each", "that"):
            if key in check:
                clause = check[key]["in"] if key == "each" else check[key]
                facts_only(item[key], clause, functions, clauses.errors)
        result.append(check)
    return result


def facts_only(
    at: Cursor, clause: Json, functions: Sequence[Json], errors: list[SpecError]
) -> None:
    """Report what is no fact: it may change from game to game.

    Parameters
    ----------
    at : Cursor
        Where the expression stands.
    clause : dict
        The expression, as read.
    functions : list of dict
        The functions of the game, as read.
    errors : list of SpecError
        An error is added.
    """
    bodies = {f["name"]: f for f in functions}
    trees = [clause, *(bodies[f] for f in called(bodies, clause))]
    for node in nodes(trees):
        if node.get("get") in ("state", "ruling", "option", "players", "n_players"):
            what = {"state": node.get("name"), "ruling": f"rulings.{node.get('name')}",
                    "option": f"options.{node.get('name')}"}.get(node["get"], node["get"])
            errors.append(
                at.error(f"expected components and constants only, found {what}",
                         "facts-only", "this is asked before anything is played")
            )
            return


def check_data(
    checks: Sequence[Json], document: Json, components: Cursor, errors: list[SpecError]
) -> None:
    """Carry out the data checks on a component set.

    Parameters
    ----------
    checks : list of dict
        As read.
    document : dict
        The game document, as far as it is built: kinds, constants, functions.
    components : Cursor
        The root of the component set.
    errors : list of SpecError
        Errors are added, each at the row that is wrong.
    """
    facts = Facts(document)
    for check in checks:
        broken = islice(_broken(check, facts, document, components), MAX_ROWS)
        for place, subject, words in broken:
            rule = f"rule {check['rule']}: " if check["rule"] else ""
            errors.append(
                SpecError(f"{subject}{words}", code="spec.data-check", place=place,
                          hint=f"{rule}{check['that']['expr']}")
            )


def _broken(
    check: Json, facts: Facts, document: Json, components: Cursor
) -> Iterator[tuple[Place, str, str]]:
    """Yield where a check fails, of which element it does, and in what words."""
    if "each" not in check:
        words = _words(check, facts.compiled(check["that"]), ())
        if words is not None:
            yield _kind_place(check["that"], document, components), "", words
        return
    over, variable = check["each"]["in"], check["each"]["as"]
    type_ = element(facts.codec.type(over["tree"]["type"]))
    assert type_ is not None
    try:
        items = list(facts.compiled(over, elements=True)())
    except FAULTS as fault:
        yield _kind_place(over, document, components), "", _unanswered(fault)
        return
    holds = facts.compiled(check["that"], variable)
    for item in items:
        words = _words(check, holds, (item,))
        if words is not None:
            shown = facts.codec.decode(item, type_)
            place = _row_place(components, type_.name, shown)
            yield place or _kind_place(over, document, components), f"{shown}: ", words


def _words(check: Json, holds: Callable[..., Any], values: tuple[Any, ...]) -> str | None:
    """Return what is wrong, or None."""
    try:
        return None if holds(*values) else str(check["otherwise"])
    except FAULTS as fault:
        return _unanswered(fault)


def _unanswered(fault: BaseException) -> str:
    return f"a data check asks for {fault_words(fault)}"


def _row_place(components: Cursor, kind: str, member: Any) -> Place | None:
    """Return where a member stands; those of a product have no row."""
    kinds = components["kinds"]
    rows = kinds[kind].get("rows") if kind in kinds else None
    return rows[member].key_place if rows is not None and member in rows else None


def _kind_place(clause: Json, document: Json, components: Cursor) -> Place:
    """Return where the first component kind that an expression names stands."""
    kinds = components["kinds"]
    functions = {f["name"]: f for f in document["functions"]}
    for node in nodes([clause, *(functions[f] for f in called(functions, clause))]):
        if str(node.get("all")) in kinds:
            return kinds[str(node["all"])].key_place
    return kinds.place
