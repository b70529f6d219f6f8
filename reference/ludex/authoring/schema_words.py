"""Errors of a schema in words that an author understands, at the place of the fault."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Any

from ludex.authoring.schema_forms import FORM, as_list
from ludex.authoring.schema_keywords import RULED_OUT
from ludex.authoring.yaml_document import Document, Path
from ludex.errors import SpecError, closest

__all__ = ["spec_errors"]

_TYPES = {
    "array": "a list",
    "boolean": "true or false",
    "integer": "a whole number",
    "null": "nothing (null)",
    "number": "a number",
    "object": "a mapping",
    "string": "a string",
}
_LONGEST = 60
# What is wrong with a value as a whole hides what is wrong with a part of the same thing.
_RANK = {
    "type": 0,
    FORM: 1,
    "enum": 2,
    "const": 2,
    "pattern": 3,
    "dependentRequired": 10,
    "unevaluatedProperties": 20,
}
_OTHER = 5
#: Errors about single keys of a mapping stand side by side.
_KEYS = 10
#: Reported only if there is nothing better inside the value.
_VAGUE = 20
#: After so many errors the rest is not looked at.
MAX_ERRORS = 200


@dataclass
class _Found:
    """An error in words, and what is needed to drop it in favour of a better one."""

    path: Path
    error: SpecError
    rank: int
    wanted: Sequence[str] = ()
    suggested: Sequence[str] = ()


def spec_errors(errors: Iterable[Any], document: Document) -> list[SpecError]:
    """Return errors of ``AuthorValidator`` in words.

    Parameters
    ----------
    errors : iterable of ValidationError
        As the validator found them.
    document : Document
        What was validated.

    Returns
    -------
    list of SpecError
        In the order of their places; each fault once.
    """
    found = [_in_words(error, document) for error in islice(errors, MAX_ERRORS)]
    best: dict[Path, int] = {}
    suggested: set[tuple[Path, str]] = set()
    inside: set[Path] = set()
    for one in found:
        best[one.path] = min(best.get(one.path, one.rank), one.rank)
        suggested.update((one.path, word) for word in one.suggested)
        if one.rank < _VAGUE:
            inside.update(one.path[:length] for length in range(len(one.path) + 1))
    kept: dict[tuple[Any, ...], SpecError] = {}
    for one in found:
        if one.rank == _VAGUE and one.path in inside:
            continue
        if best[one.path] < one.rank and (best[one.path] == 0 or one.rank < _KEYS):
            continue
        # An unknown key that looks like the missing one is one fault, not two.
        if any((one.path, key) in suggested for key in one.wanted):
            continue
        kept.setdefault((one.error.place, one.error.code, one.error.message), one.error)
    return sorted(kept.values(), key=lambda e: (e.place, e.code))


def _in_words(error: Any, document: Document) -> _Found:
    path: Path = tuple(error.absolute_path)
    keyword = error.validator
    value = error.validator_value
    place = document.place(path)
    if keyword == "required":
        return _missing(path, value, document)
    if keyword == "additionalProperties" and isinstance(value, dict) and "known" in value:
        return _unknown(path, value, document)
    if keyword == "propertyNames":
        inner = value["error"]
        code, message, hint = _value_words(inner, value["key"])
        return _Found(
            path,
            SpecError(
                message.replace("expected ", "expected as key ", 1),
                code=code,
                place=document.key_place((*path, value["key"])),
                hint=hint,
            ),
            _KEYS,
        )
    if keyword == RULED_OUT:
        message = f"expected no key {path[-1]!r} {_where(path[:-1])} beside the others, found it"
        hint = "remove it; the values of the other keys rule it out"
        found = SpecError(
            message, code="schema.key-not-here", place=document.key_place(path), hint=hint
        )
        return _Found(path, found, 0)
    if keyword == FORM:
        return _no_form(path, value, error.instance, document)
    code, message, hint = _value_words(error, error.instance)
    rank = _RANK.get(keyword, _OTHER)
    return _Found(path, SpecError(message, code=code, place=place, hint=hint), rank)


def _missing(path: Path, value: dict[str, Any], document: Document) -> _Found:
    key = value["key"]
    about = f" ({value['about'].rstrip('.')})" if value["about"] else ""
    return _Found(
        path,
        SpecError(
            f"missing key {key!r} {_where(path)}",
            code="schema.missing-key",
            place=document.place(path),
            hint=f"add `{key}: ...`{about}",
        ),
        _KEYS,
        wanted=(key,),
    )


def _unknown(path: Path, value: dict[str, Any], document: Document) -> _Found:
    key, known = value["key"], value["known"]
    hint = closest(key, known)
    suggested = [word for word in known if hint == f"did you mean {word!r}?"]
    if "rival" in value:
        hint = f"{value['rival']!r} and {key!r} cannot stand together: make two entries of them"
    elif hint is None:
        hint = f"known keys: {', '.join(known)}" if known else "no key is known here"
    return _Found(
        path,
        SpecError(
            f"unknown key {key!r} {_where(path)}",
            code="schema.unknown-key",
            place=document.key_place((*path, key)),
            hint=hint,
        ),
        _KEYS,
        suggested=suggested,
    )


def _no_form(path: Path, value: dict[str, Any], instance: Any, document: Document) -> _Found:
    heads = value["heads"]
    if value.get("several"):
        message = "expected a value that fits one form, found one that fits several"
        if heads:
            message = f"expected only one of the keys {_listed(heads)}, found several of them"
        hint = "remove all but one"
    else:
        found = value["found"] or instance
        shown = _listed(value["found"]) if value["found"] else "none of them"
        message = f"expected one of the keys {_listed(heads)}, found {shown}"
        slips = [slip for key in found if (slip := closest(key, heads))]
        hint = slips[0] if slips else "add one of them"
    return _Found(
        path,
        SpecError(message, code="schema.form", place=document.place(path), hint=hint),
        _RANK[FORM],
        wanted=() if value.get("several") else heads,
    )


def _value_words(error: Any, instance: Any) -> tuple[str, str, str | None]:
    """Return code, message and hint of an error about a value."""
    keyword, value = error.validator, error.validator_value
    schema = error.schema if isinstance(error.schema, dict) else {}
    expected = schema.get("x-expected")
    shown = _shown(instance)
    hint = schema.get("x-hint")
    if keyword == "type":
        types = as_list(value)
        words = schema.get("x-types") or types
        wanted = expected or _or([_TYPES.get(word, word) for word in words]) or "nothing"
        return (
            "schema.type",
            f"expected {wanted}, found {_kind(instance)}",
            hint or _type_hint(types, instance),
        )
    if keyword in ("enum", "const"):
        allowed = value if keyword == "enum" else [value]
        message = f"expected {'one of ' if len(allowed) > 1 else ''}{_listed(allowed)}"
        if isinstance(instance, str):
            hint = hint or closest(instance, [a for a in allowed if isinstance(a, str)])
        return "schema.enum", f"{message}, found {shown}", hint
    if keyword == "pattern":
        wanted = expected or f"text that matches {value}"
        return "schema.pattern", f"expected {wanted}, found {shown}", hint
    if keyword in _SIZES:
        noun, least = _SIZES[keyword]
        size = len(instance)
        nouns = noun if value == 1 else noun.replace("entry", "entrie") + "s"
        message = f"expected at {'least' if least else 'most'} {value} {nouns}, found {size}"
        return "schema.size", message, hint
    if keyword in _RANGES:
        return "schema.range", f"expected a number {_RANGES[keyword]} {value}, found {shown}", hint
    if keyword == "uniqueItems":
        message = f"expected each entry once, found {shown} again (first as entry {value + 1})"
        return "schema.unique", message, hint or "remove one of them"
    if keyword == "multipleOf":
        return "schema.range", f"expected a multiple of {value}, found {shown}", hint
    if keyword == "dependentRequired":
        return "schema.missing-key", _dependent(value, instance), hint or "add it"
    if keyword == "unevaluatedProperties":
        message = f"expected keys that belong together, found {_listed(instance)}"
        return "schema.unknown-key", message, hint
    wanted = expected or "another value"
    return "schema.value", f"expected {wanted}, found {shown}", hint


_SIZES = {
    "minItems": ("entry", True),
    "maxItems": ("entry", False),
    "minProperties": ("key", True),
    "maxProperties": ("key", False),
    "minLength": ("character", True),
    "maxLength": ("character", False),
}
_RANGES = {
    "minimum": "not below",
    "maximum": "not above",
    "exclusiveMinimum": "above",
    "exclusiveMaximum": "below",
}


def _dependent(needs: dict[str, list[str]], instance: dict[str, Any]) -> str:
    for key, others in needs.items():
        for other in others:
            if key in instance and other not in instance:
                return f"expected the key {other!r} beside {key!r}, found none"
    return "expected further keys, found none"


def _type_hint(types: Sequence[str], instance: Any) -> str | None:
    if instance is None:
        return "write a value behind the colon, or remove the key"
    if "string" in types and isinstance(instance, bool | int):
        return f'quote it: "{_shown(instance)}"'
    if "string" in types and isinstance(instance, dict):
        return "quote the text: outside quotes a colon or { makes a mapping"
    if "array" in types and not isinstance(instance, dict | list):
        plain = isinstance(instance, str) and instance.isidentifier()
        return f"write it as a list: [{instance if plain else _shown(instance)}]"
    if "array" in types and isinstance(instance, dict):
        return "write it as a list: begin each entry with '- '"
    if "object" in types and isinstance(instance, list):
        return "write `key: value` lines, without '- '"
    if "object" in types:
        return "write `key: value` lines below it"
    if "integer" in types and isinstance(instance, str) and instance.lstrip("-").isdigit():
        return f"write it without quotes: {instance}"
    if "boolean" in types and instance in ("true", "false"):
        return f"write it without quotes: {instance}"
    return None


def _kind(instance: Any) -> str:
    if isinstance(instance, bool):
        return "true" if instance else "false"
    if instance is None:
        return "nothing"
    if isinstance(instance, int):
        return f"the number {instance}"
    if isinstance(instance, str):
        return "a string"
    return "a list" if isinstance(instance, list) else "a mapping"


def _shown(value: Any) -> str:
    if isinstance(value, str):
        return repr(value if len(value) <= _LONGEST else value[: _LONGEST - 3] + "...")
    if isinstance(value, dict | list):
        return _kind(value)
    return json.dumps(value)


def _listed(values: Iterable[Any]) -> str:
    shown = [_shown(value) for value in values]
    return ", ".join(shown if len(shown) <= 20 else [*shown[:19], "..."])


def _or(words: Sequence[str]) -> str:
    return " or ".join([", ".join(words[:-1]), words[-1]] if len(words) > 1 else words)


def _where(path: Path) -> str:
    """Return the path as an author would say it: ``in setup[1].draw``."""
    if not path:
        return "at the top level"
    text = ""
    for step in path:
        text += f"[{step}]" if isinstance(step, int) else f".{step}" if text else step
    return f"in {text}"
