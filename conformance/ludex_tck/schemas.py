"""The protocol's JSON Schemas, applied to values that an implementation sent."""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path
from typing import Any

from jsonschema import Draft202012Validator
from jsonschema.exceptions import best_match
from referencing import Registry, Resource
from referencing.jsonschema import DRAFT202012

from ludex.authoring.spec_home import spec_home

__all__ = ["instance_errors"]


@cache
def _registry() -> Registry[Any]:
    folder = Path(str(spec_home())) / "schemas"
    resources = [
        Resource.from_contents(json.loads(file.read_text("utf-8")), DRAFT202012)
        for file in sorted(folder.rglob("*.schema.json"))
    ]
    return Registry().with_resources([(r.contents["$id"], r) for r in resources])


@cache
def _validator(name: str) -> Draft202012Validator:
    file = Path(str(spec_home())) / "schemas" / f"{name}.schema.json"
    return Draft202012Validator(json.loads(file.read_text("utf-8")), registry=_registry())


def instance_errors(value: Any, name: str) -> list[str]:
    """Return what is wrong with a value, in words; empty if it fits the schema.

    Parameters
    ----------
    value : object
        JSON.
    name : str
        Of a schema, for example ``protocol/position``.
    """
    error = best_match(_validator(name).iter_errors(value))
    if error is None:
        return []
    where = error.json_path.replace("$", "", 1).lstrip(".") or "the value"
    return [f"{where}: {error.message[:300]}"]
