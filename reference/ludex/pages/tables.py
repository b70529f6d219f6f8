"""Tables of the general pages that are made from the code.

A page of ``docs/`` holds a line such as ``<!-- ludex: operators -->``; the site has the table in
its place.
"""

from __future__ import annotations

import re
from collections.abc import Mapping

from ludex.codes import codes
from ludex.errors import UsageError, closest
from ludex.explore.explore import CHECKS
from ludex.language.operators import MACROS, OPERATORS
from ludex.pages.markup import code, esc, heading, table

__all__ = ["fill_tables"]

_MARK = re.compile(r"^<!-- ludex: ([a-z]+) -->$", re.MULTILINE)


def fill_tables(text: str, others: Mapping[str, str] | None = None) -> str:
    """Put the tables into a page.

    Parameters
    ----------
    text : str
        The page.
    others : mapping, optional
        Further tables, by name.

    Raises
    ------
    UsageError
        ``usage.unknown-table``, if the page asks for one that there is not.
    """

    def put(match: re.Match[str]) -> str:
        name = match.group(1)
        if name not in tables:
            raise UsageError(f"there is no table {name!r}", code="usage.unknown-table",
                             hint=closest(name, tables))
        return tables[name]

    tables = {"operators": _operators(), "macros": _macros(), "errors": _errors(),
              "explored": _explored(), **(others or {})}
    return _MARK.sub(put, text)


def _operators() -> str:
    """Return operators and functions, the forms of one name together."""
    forms: dict[str, list[str]] = {}
    for operator in OPERATORS.values():
        params = ", ".join(map(str, operator.params))
        forms.setdefault(operator.name, []).append(code(f"{params} -> {operator.result}"))
    return table(["written", "takes and gives"],
                 [[code(name), "<br>".join(signatures)] for name, signatures in forms.items()])


def _macros() -> str:
    return table(["written", "the body gives", "result"], [
        [code(f"xs.{m.name}(x, body)"), _RESULTS.get(m.body, m.body),
         _RESULTS.get(m.result, m.result)]
        for m in MACROS.values()
    ])


def _errors() -> str:
    """Return all error codes, family by family."""
    families: dict[str, list[list[str]]] = {}
    for entry in codes().values():
        families.setdefault(entry.family, []).append(
            [code(entry.code), esc(entry.means), code(entry.example), esc(entry.fix)]
        )
    head = ["code", "what is wrong", "example", "what to do"]
    return "\n".join(
        f"{heading(2, esc(family))}\n{table(head, rows)}" for family, rows in families.items()
    )


def _explored() -> str:
    return table(["check", "what must hold"],
                 [[code(check), esc(words)] for check, words in CHECKS.items()])


_RESULTS = {
    "bool": "<code>bool</code>",
    "int": "<code>int</code>",
    "any": "anything",
    "list": "a list of the elements",
    "more": "a list of such elements",
    "list of body": "a list of what the body gives",
    "body": "what the body gives, joined",
    "optional": "an element, or nothing",
}
