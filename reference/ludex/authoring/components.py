"""Kinds and their members: enums of the rules, and the component set."""

from __future__ import annotations

import functools
import itertools
import re
from collections.abc import Mapping
from typing import Any

from ludex.authoring.source import Cursor
from ludex.errors import SpecError, closest
from ludex.language.types import Type, TypeSyntaxError, parse_type

__all__ = ["read_kinds", "read_type"]

_BRACES = re.compile(r"\{(\w+)\}")
_ID = re.compile(r"[a-z0-9][a-z0-9-]*")


def read_type(
    at: Cursor, kinds: Mapping[str, Any], records: Mapping[str, Any] | None = None
) -> Type:
    """Read a type text at its place.

    Raises
    ------
    SpecError
        ``spec.type``, with the offset of the faulty word.
    """
    try:
        return parse_type(at.value, kinds, records or {})
    except TypeSyntaxError as error:
        word = re.match(r"\w*", at.value[error.offset :])
        hint = closest(word.group(), error.known) if word and word.group() else None
        raise at.error(error.message, "type", hint, at=at.at_offset(error.offset)) from error


def read_kinds(
    types: Cursor, components: Cursor, errors: list[SpecError]
) -> tuple[dict[str, list[str]], dict[str, dict[str, Type]], dict[str, dict[str, list[Any]]]]:
    """Put the declared types and a component set together.

    Parameters
    ----------
    types : Cursor
        ``types`` of the game file.
    components : Cursor
        The root of a component set.
    errors : list of SpecError
        Errors are added.

    Returns
    -------
    members : dict
        Kind to the ids of its members, in order.
    columns : dict
        Kind to column to type.
    values : dict
        Kind to column to the values of all members, in order, as data.
    """
    members: dict[str, list[str]] = {}
    columns: dict[str, dict[str, Type]] = {}
    values: dict[str, dict[str, list[Any]]] = {}
    declared = dict.fromkeys(types.value, True)
    for name, at in types.items():
        columns[name] = {}
        if isinstance(at.value, list):
            members[name] = [str(m) for m in at.value]
            for i, member in enumerate(members[name]):
                if member in members[name][:i]:
                    errors.append(at[i].error(f"{member!r} is listed twice", "duplicate-member"))
            continue
        for column, type_at in at["columns"].items() if "columns" in at else ():
            try:
                columns[name][column] = read_type(type_at, declared)
            except SpecError as error:
                errors.append(error)
                columns[name][column] = Type("any")
            if not _is_fact(columns[name][column]):
                errors.append(
                    type_at.error(f"a column holds int, bool, a kind, or optional or list of "
                                  f"these, found {type_at.value}", "type")
                )
                columns[name][column] = Type("any")
    kinds_at = components["kinds"]
    for name, at in kinds_at.items():
        if name not in declared or isinstance(types.value[name], list):
            wanted = [k for k, v in types.value.items() if not isinstance(v, list)]
            errors.append(
                at.error(
                    f"the game declares no component kind {name!r}",
                    "unknown-kind",
                    "its members are listed in game.yaml" if name in declared
                    else closest(name, wanted),
                    at=at.key_place,
                )
            )
    missing = [
        k for k, v in types.value.items() if not isinstance(v, list) and k not in kinds_at
    ]
    if missing:
        errors.append(
            kinds_at.error(
                f"the component set lacks the kind(s) {', '.join(missing)}", "missing-kind"
            )
        )
        return members, columns, values
    tables: dict[str, dict[str, dict[str, Any]]] = {}
    # a product needs the members of other kinds, so plain rows come first
    for name, at in sorted(kinds_at.items(), key=lambda item: "product" in item[1]):
        if name in declared and name not in members:
            tables[name] = _rows(at, columns[name], members, errors)
            members[name] = list(tables[name])
    for name, rows in tables.items():
        values[name] = {
            column: [
                _value(kinds_at[name], row.get(column), type_, column, key, members, errors)
                for key, row in rows.items()
            ]
            for column, type_ in columns[name].items()
        }
    ordered = {name: members[name] for name in types.value if name in members}
    return ordered, columns, values


def _rows(
    at: Cursor,
    columns: Mapping[str, Type],
    members: Mapping[str, list[str]],
    errors: list[SpecError],
) -> dict[str, dict[str, Any]]:
    default = dict(at.value.get("default") or {})
    rows: dict[str, dict[str, Any]] = {}
    for key, row_at in at["rows"].items() if "rows" in at else ():
        row = {k: v for k, v in (row_at.value or {}).items() if k not in ("provenance", "source")}
        for column in row:
            if column not in columns:
                errors.append(
                    row_at[column].error(
                        f"the kind has no column {column!r}",
                        "unknown-column",
                        closest(column, columns),
                        at=row_at[column].key_place,
                    )
                )
        rows[key] = {**default, **row}
    if "product" in at:
        choices: dict[str, list[str]] = {}
        for column, choice in at["product"].items():
            type_ = columns.get(column)
            if type_ is None or type_.head != "kind":
                errors.append(
                    choice.error(
                        f"{column!r} is no column that holds a kind",
                        "unknown-column",
                        closest(column, [c for c, t in columns.items() if t.head == "kind"]),
                        at=choice.key_place,
                    )
                )
                return rows
            if type_.name not in members:
                errors.append(
                    choice.error(f"{type_.name} is a product too, and stands further down",
                                 "product-order", f"put {type_.name} first", at=choice.key_place)
                )
                return rows
            known = members[type_.name]
            choices[column] = known if choice.value == "all" else choice.value
            for one in choice.elements() if choice.value != "all" else ():
                if one.value not in known:
                    errors.append(
                        one.error(f"there is no {type_.name} {one.value!r}", "unknown-member",
                                  closest(one.value, known))
                    )
                    return rows
        pattern = at.value["id"]
        if any(w not in choices for w in _BRACES.findall(pattern)) or not _ID.fullmatch(
            _BRACES.sub("x", pattern)
        ):
            errors.append(
                at["id"].error(
                    "expected an id with columns of the product in braces, found "
                    f"{pattern!r}",
                    "id-pattern",
                    f"for example {'-'.join(f'{{{c}}}' for c in choices)}",
                )
            )
            return rows
        for combination in itertools.product(*choices.values()):
            row = dict(zip(choices, combination, strict=True))
            key = _BRACES.sub(functools.partial(_cell_of, row), pattern)
            if key in rows:
                errors.append(
                    at["id"].error(f"two members are called {key!r}", "duplicate-member",
                                   "name every column of the product in the id")
                )
                return rows
            rows[key] = {**default, **row}
    return rows


def _cell_of(row: Mapping[str, str], match: re.Match[str]) -> str:
    return row[match.group(1)]


def _is_fact(type_: Type) -> bool:
    if type_.head in ("optional", "list"):
        return _is_fact(type_.args[0])
    return type_.head in ("int", "bool", "kind", "any")


def _shown(value: Any) -> str:
    if value is None:
        return "nothing"
    return str(value).lower() if isinstance(value, bool) else repr(value)


def _value(
    at: Cursor,
    value: Any,
    type_: Type,
    column: str,
    row: str,
    members: Mapping[str, list[str]],
    errors: list[SpecError],
) -> Any:
    """Check one cell and return it."""
    wrong = False
    hint = None
    if type_.head in ("optional", "slot"):
        return None if value is None else _value(
            at, value, type_.args[0], column, row, members, errors
        )
    if type_.head == "int":
        wrong = not isinstance(value, int) or isinstance(value, bool)
    elif type_.head == "bool":
        wrong = not isinstance(value, bool)
    elif type_.head == "kind":
        known = members.get(type_.name)
        wrong = known is not None and value not in known
        hint = closest(str(value), known or ()) if wrong else None
    elif type_.head == "list":
        if isinstance(value, list):
            for item in value:
                _value(at, item, type_.args[0], column, row, members, errors)
        else:
            wrong = True
    if wrong:
        rows = at.value.get("rows") or {}
        place = at.place
        if row in rows:
            row_at = at["rows"][row]
            place = row_at[column].place if column in row_at else row_at.place
        errors.append(
            at.error(
                f"{row}: column {column} expects {type_}, found {_shown(value)}",
                "cell", hint, at=place,
            )
        )
    return value
