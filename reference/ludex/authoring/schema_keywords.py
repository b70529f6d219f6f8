"""The JSON Schema validator of the author's side.

It accepts what Draft 2020-12 accepts. Some keywords are replaced by ones that say more about what
is wrong (one error per key, with the known keys beside it) or that keep to bounded time.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import Any

from jsonschema import Draft202012Validator
from jsonschema.exceptions import ValidationError
from jsonschema.validators import extend

from ludex.authoring.schema_forms import additional_keys, any_of, one_of, parts_of

__all__ = ["RULED_OUT", "AuthorValidator"]

#: Marks an error about a key that other keys of the mapping rule out.
RULED_OUT = "ludex:ruled-out"

_MAX_KEYS = 10_000


def _properties(validator: Any, properties: Any, instance: Any, schema: Any) -> Iterator[Any]:
    if not isinstance(instance, dict):
        return
    for key, inner in properties.items():
        if key not in instance:
            continue
        if inner is False:
            # The validator itself would lose the path here.
            yield ValidationError("not here", validator=RULED_OUT, path=[key])
        else:
            yield from validator.descend(instance[key], inner, path=key, schema_path=key)


def _required(validator: Any, keys: Any, instance: Any, schema: Any) -> Iterator[Any]:
    if not isinstance(instance, dict):
        return
    known = schema.get("properties", {})
    for key in keys:
        if key not in instance:
            parts = parts_of(validator, known.get(key))
            about = next((part["description"] for part in parts if "description" in part), None)
            yield ValidationError(
                "missing", validator="required", validator_value={"key": key, "about": about}
            )


def _additional_properties(validator: Any, rest: Any, instance: Any, schema: Any) -> Iterator[Any]:
    if not isinstance(instance, dict):
        return
    for key in additional_keys(schema, instance):
        if rest is False:
            known = list(schema.get("properties", {}))
            yield ValidationError(
                "unknown key",
                validator="additionalProperties",
                validator_value={"key": key, "known": known},
            )
        else:
            yield from validator.descend(instance[key], rest, path=key)


def _unevaluated_properties(validator: Any, rest: Any, instance: Any, schema: Any) -> Iterator[Any]:
    if isinstance(instance, dict) and len(instance) > _MAX_KEYS:
        # Finding what has been evaluated takes quadratic time.
        yield ValidationError(
            "too many keys", validator="maxProperties", validator_value=_MAX_KEYS, instance=instance
        )
        return
    errors = list(
        Draft202012Validator.VALIDATORS["unevaluatedProperties"](validator, rest, instance, schema)
    )
    if rest is not False or not errors:
        yield from errors
        return
    known = _names(validator, schema, {})
    unknown = [key for key in instance if key not in known]
    for key in unknown:
        yield ValidationError(
            "unknown key",
            validator="additionalProperties",
            validator_value={"key": key, "known": list(known)},
        )
    if not unknown:
        # The keys are known, but the part that knows them has errors of its own, or is not the
        # one that applies.
        yield from errors


def _names(validator: Any, schema: Any, found: dict[str, None], left: int = 8) -> dict[str, None]:
    """Collect the keys that a schema names anywhere for the value itself."""
    for part in parts_of(validator, schema):
        found.update(dict.fromkeys(part.get("properties", {})))
        if left == 0:
            continue
        inner = [part[word] for word in ("if", "then", "else") if word in part]
        inner += part.get("oneOf", []) + part.get("anyOf", [])
        inner += part.get("dependentSchemas", {}).values()
        for one in inner:
            _names(validator, one, found, left - 1)
    return found


def _property_names(validator: Any, names: Any, instance: Any, schema: Any) -> Iterator[Any]:
    if not isinstance(instance, dict):
        return
    for key in instance:
        for error in validator.descend(key, names):
            yield ValidationError(
                "wrong key",
                validator="propertyNames",
                validator_value={"key": key, "error": error},
            )


def _unique_items(validator: Any, wanted: Any, instance: Any, schema: Any) -> Iterator[Any]:
    if not wanted or not isinstance(instance, list):
        return
    first: dict[str, int] = {}
    for index, item in enumerate(instance):
        text = json.dumps(item, sort_keys=True)
        if first.setdefault(text, index) != index:
            yield ValidationError(
                "twice",
                validator="uniqueItems",
                validator_value=first[text],
                instance=item,
                path=[index],
            )


_KEYWORDS: Mapping[str, Any] = {
    "additionalProperties": _additional_properties,
    "anyOf": any_of,
    "oneOf": one_of,
    "properties": _properties,
    "propertyNames": _property_names,
    "required": _required,
    "unevaluatedProperties": _unevaluated_properties,
    "uniqueItems": _unique_items,
}

_extend: Any = extend  # the stubs leave it untyped
#: Draft 2020-12 with the keywords above.
AuthorValidator: Any = _extend(Draft202012Validator, validators=_KEYWORDS)
