"""Choose among the forms that ``oneOf`` and ``anyOf`` allow, as a reader would.

"Is not valid under any of the given schemas" helps nobody. A mapping shows which form is meant by
its keys, so the errors of that form alone are reported. The choice looks at the value itself and
the types of its entries, not deeper; only forms that pass this look are tried. That keeps the
time linear where forms nest in one another, and does not change what is valid.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field
from difflib import get_close_matches
from typing import Any

from jsonschema.exceptions import ValidationError

__all__ = ["FORM", "TooMuchWork", "Work", "any_of", "one_of", "parts_of", "same", "work_limit"]

#: Marks an error that names the keys of which one is needed.
FORM = "ludex:form"

_MAX_TRIES = 20_000
_MAX_REFS = 16
_MAX_SLIPS = 20


class TooMuchWork(Exception):
    """Forms that cannot be told apart nest too deeply in one another."""


@dataclass
class Work:
    """What one check has done so far.

    Attributes
    ----------
    tries : int
        How many more forms may be tried where several are possible.
    parts : dict
        Schemas with their references followed, by ``id``; they live as long as the check.
    """

    tries: int = _MAX_TRIES
    parts: dict[int, list[Any]] = field(default_factory=dict)


_WORK: ContextVar[Work] = ContextVar("ludex_schema_work")


@contextmanager
def work_limit() -> Iterator[None]:
    """Count the work of one check."""
    token = _WORK.set(Work())
    try:
        yield
    finally:
        _WORK.reset(token)


@dataclass(frozen=True)
class _Fit:
    """How well a value fits a form at first sight; the lower the cost, the better."""

    index: int
    possible: bool
    typed: bool
    cost: int
    seen: bool


def one_of(validator: Any, forms: Sequence[Any], instance: Any, schema: Any) -> Iterator[Any]:
    """Check ``oneOf``; the errors are those of the form that was meant."""
    valid, errors = _try(validator, forms, instance, first_only=False)
    if len(valid) > 1:
        heads = [_heads(validator, forms)[index] for index in valid]
        yield ValidationError(
            "several forms fit",
            validator=FORM,
            validator_value={"heads": [head for head in heads if head], "several": True},
        )
    yield from errors


def any_of(validator: Any, forms: Sequence[Any], instance: Any, schema: Any) -> Iterator[Any]:
    """Check ``anyOf``; the errors are those of the form that was meant."""
    yield from _try(validator, forms, instance, first_only=True)[1]


def _try(
    validator: Any, forms: Sequence[Any], instance: Any, *, first_only: bool
) -> tuple[list[int], list[Any]]:
    """Return which forms fit and, if none does, the errors of the one that was meant."""
    possible = [i for i, form in enumerate(forms) if _possible(validator, form, instance)]
    if len(possible) == 1:
        index = possible[0]
        errors = list(validator.descend(instance, forms[index], schema_path=index))
        return ([] if errors else [index]), errors
    if not possible:
        return [], list(_closest_form(validator, forms, instance))
    work = _WORK.get(None) or Work()
    valid = []
    tried = []
    for index in possible:
        work.tries -= 1
        if work.tries < 0:
            raise TooMuchWork
        errors = list(validator.descend(instance, forms[index], schema_path=index))
        if not errors:
            valid.append(index)
            if first_only:
                break
        # Errors further inside mean that the outside was right.
        tried.append((-min((len(e.path) for e in errors), default=0), len(errors), index, errors))
    return valid, [] if valid else min(tried, key=lambda t: t[:3])[3]


def _closest_form(validator: Any, forms: Sequence[Any], instance: Any) -> Iterator[Any]:
    """Yield what is wrong with a value that fits no form at first sight."""
    counts = Counter(key for form in forms for key in set(_required(validator, form)))
    fits = [_fit(validator, form, index, instance, counts) for index, form in enumerate(forms)]
    typed = [fit for fit in fits if fit.typed]
    if not typed:
        yield _wrong_type(validator, forms)
        return
    heads = _heads(validator, forms)
    order = {key: at for at, key in enumerate(instance)} if isinstance(instance, dict) else {}
    # Of two forms in one mapping, the first was meant and the second is too much.
    best = min(
        typed,
        key=lambda fit: (fit.cost, order.get(heads[fit.index] or "", len(order)), fit.index),
    )
    if isinstance(instance, dict):
        unnamed = _wrong_name(validator, [forms[fit.index] for fit in typed], instance)
        if unnamed is not None:
            yield unnamed
            return
        if not best.seen and len(typed) > 1 and all(heads[fit.index] for fit in typed):
            known = {
                key
                for fit in typed
                for part in parts_of(validator, forms[fit.index])
                for key in part.get("properties", {})
            }
            yield ValidationError(
                "no form fits",
                validator=FORM,
                validator_value={
                    "heads": [heads[fit.index] for fit in typed],
                    "found": [key for key in instance if key not in known] if known else [],
                },
            )
            return
    else:
        allowed = _allowed(validator, [forms[fit.index] for fit in typed])
        if allowed is not None:
            yield ValidationError("not allowed", validator="enum", validator_value=allowed)
            return
    # Where a key is missing, the one too many may be its wrong name rather than a second form.
    complete = all(key in instance for key in _required(validator, forms[best.index]))
    others = {head for fit in typed if (head := heads[fit.index]) and fit.index != best.index}
    for error in validator.descend(instance, forms[best.index], schema_path=best.index):
        wrong = error.validator_value
        if error.validator == "additionalProperties" and not error.path and isinstance(wrong, dict):
            if wrong["key"] in others and complete:
                wrong["rival"] = heads[best.index]
            elif not wrong["known"]:
                wrong["known"] = sorted(others)
        yield error


def parts_of(validator: Any, schema: Any) -> list[Mapping[str, Any]]:
    """Return a schema and all that ``$ref`` and ``allOf`` add to it, as a list of mappings."""
    work = _WORK.get(None) or Work()
    found = work.parts.get(id(schema))
    if found is None:
        found = list(_parts(schema, validator._resolver, _MAX_REFS))
        work.parts[id(schema)] = found
    return found


def _parts(schema: Any, resolver: Any, left: int) -> Iterator[Mapping[str, Any]]:
    if not isinstance(schema, dict):
        if schema is False:
            yield {"type": []}
        return
    yield schema
    if left == 0:
        return
    if "$ref" in schema:
        resolved = resolver.lookup(schema["$ref"])
        yield from _parts(resolved.contents, resolved.resolver, left - 1)
    for inner in schema.get("allOf", ()):
        yield from _parts(inner, resolver, left - 1)


def same(left: Any, right: Any) -> bool:
    """Tell whether two JSON values are equal; ``true`` and ``1`` are not."""
    return isinstance(left, bool) == isinstance(right, bool) and bool(left == right)


def _possible(validator: Any, form: Any, instance: Any) -> bool:
    """Tell whether the value passes at first sight; if not, it is certainly not valid."""
    for part in parts_of(validator, form):
        if not _shallow(validator, part, instance):
            return False
        if not isinstance(instance, dict):
            continue
        if any(key not in instance for key in part.get("required", ())):
            return False
        if unknown_keys(part, instance):
            return False
        for key, inner in part.get("properties", {}).items():
            if key in instance and not _shallow_all(validator, inner, instance[key]):
                return False
    return True


def unknown_keys(part: Mapping[str, Any], instance: Mapping[str, Any]) -> list[str]:
    """Return the keys that ``additionalProperties: false`` forbids."""
    if part.get("additionalProperties") is not False:
        return []
    return additional_keys(part, instance)


def additional_keys(part: Mapping[str, Any], instance: Mapping[str, Any]) -> list[str]:
    """Return the keys that neither ``properties`` nor ``patternProperties`` names."""
    known = part.get("properties", {})
    patterns = part.get("patternProperties", {})
    return [
        key for key in instance if key not in known and not any(re.search(p, key) for p in patterns)
    ]


def _shallow_all(validator: Any, schema: Any, instance: Any) -> bool:
    return all(_shallow(validator, part, instance) for part in parts_of(validator, schema))


def _shallow(validator: Any, part: Mapping[str, Any], instance: Any) -> bool:
    if "const" in part and not same(part["const"], instance):
        return False
    if "enum" in part and not any(same(value, instance) for value in part["enum"]):
        return False
    return _typed(validator, part, instance)


def _typed(validator: Any, part: Mapping[str, Any], instance: Any) -> bool:
    return "type" not in part or any(
        validator.is_type(instance, name) for name in as_list(part["type"])
    )


def _required(validator: Any, form: Any) -> list[str]:
    return [key for part in parts_of(validator, form) for key in part.get("required", ())]


def _heads(validator: Any, forms: Sequence[Any]) -> list[str | None]:
    """Return, for each form, the key by which a reader knows it."""
    needed = [_required(validator, form) for form in forms]
    counts = Counter(key for keys in needed for key in set(keys))
    return [
        next((key for key in keys if counts[key] == 1), keys[0] if keys else None)
        for keys in needed
    ]


def _fit(validator: Any, form: Any, index: int, instance: Any, counts: Mapping[str, int]) -> _Fit:
    cost = 0
    seen = typed = True
    parts = parts_of(validator, form)
    for part in parts:
        typed = typed and _typed(validator, part, instance)
        if not _shallow(validator, part, instance):
            cost += 50
    if isinstance(instance, dict) and typed:
        needed = [key for part in parts for key in part.get("required", ())]
        missing = [key for key in needed if key not in instance]
        unknown = [key for part in parts for key in unknown_keys(part, instance)]
        seen = len(missing) < len(needed) or not needed
        for key in unknown[:_MAX_SLIPS]:
            slip = get_close_matches(key, missing, n=1)
            if slip:
                missing.remove(slip[0])
                seen = True
                cost -= 1
        cost += 2 * len(unknown) + 2 * len(missing)
        # A key that no other form needs says what is meant.
        cost -= 3 * sum(1 for key in needed if key in instance and counts[key] == 1)
        for part in parts:
            for key, inner in part.get("properties", {}).items():
                if key in instance and not _shallow_all(validator, inner, instance[key]):
                    fixed = any("const" in p for p in parts_of(validator, inner))
                    cost += 10 if fixed else 1
    return _Fit(index, False, typed, cost, seen)


def _wrong_type(validator: Any, forms: Sequence[Any]) -> ValidationError:
    wanted: list[str] = []
    words: list[str] = []
    for form in forms:
        parts = parts_of(validator, form)
        types = [name for part in parts for name in as_list(part.get("type", []))]
        wanted += [name for name in types if name not in wanted]
        said = next((part["x-expected"] for part in parts if "x-expected" in part), None)
        words += [word for word in ([said] if said else types) if word not in words]
    return ValidationError(
        "wrong type", validator="type", validator_value=wanted, schema={"x-types": words}
    )


def _wrong_name(
    validator: Any, forms: Sequence[Any], instance: Mapping[str, Any]
) -> ValidationError | None:
    """Return the error about an entry (``kind: x``) that should name a form and names none."""
    for key, value in instance.items():
        inner = [
            next((p["properties"][key] for p in parts if key in p.get("properties", {})), None)
            for parts in (parts_of(validator, form) for form in forms)
        ]
        if len(forms) < 2 or any(schema is None for schema in inner):
            continue
        allowed = _allowed(validator, inner)
        if allowed is not None and not any(same(value, one) for one in allowed):
            return ValidationError(
                "not allowed",
                validator="enum",
                validator_value=allowed,
                instance=value,
                path=[key],
            )
    return None


def _allowed(validator: Any, forms: Sequence[Any]) -> list[Any] | None:
    """Return all values of forms that list theirs, or None if some form does not."""
    values: list[Any] = []
    for form in forms:
        listed = [
            [part["const"]] if "const" in part else part["enum"]
            for part in parts_of(validator, form)
            if "const" in part or "enum" in part
        ]
        if not listed:
            return None
        values += [value for value in listed[0] if value not in values]
    return values


def as_list(value: Any) -> list[Any]:
    """Return a list as it is, and anything else as a list of one."""
    return value if isinstance(value, list) else [value]
