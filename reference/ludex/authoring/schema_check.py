"""Check a document against its JSON Schema and say what is wrong where, in plain words.

::

    schema_check       finds schemas, runs the validator            (this room's door)
    schema_keywords    the validator: Draft 2020-12 with telling errors
    schema_forms       oneOf, anyOf: which form was meant
    schema_words       validator's errors -> SpecErrors with places

A schema can carry two annotations for authors: ``x-expected`` says in words what a value should
be ("a lower-case name"), ``x-hint`` how to mend it.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from importlib.resources.abc import Traversable
from typing import Any

from referencing import Registry, Resource
from referencing.exceptions import Unresolvable
from referencing.jsonschema import DRAFT202012

from ludex.authoring.schema_forms import TooMuchWork, work_limit
from ludex.authoring.schema_keywords import AuthorValidator
from ludex.authoring.schema_words import spec_errors
from ludex.authoring.spec_home import spec_home
from ludex.authoring.yaml_document import Document
from ludex.errors import Place, SpecError, UsageError, closest

__all__ = ["check", "schema_names"]

_SUFFIX = ".schema.json"
# By folder: the schemas do not change while a program runs.
_VALIDATORS: dict[str, Mapping[str, Any]] = {}


def check(
    document: Document,
    schema: str | Mapping[str, Any],
    *,
    resources: Iterable[Mapping[str, Any]] = (),
) -> list[SpecError]:
    """Return what is wrong with a document according to its schema.

    Parameters
    ----------
    document : Document
        As ``read_yaml`` returned it.
    schema : str or mapping
        Name of a schema under ``spec/schemas/``, without ``.schema.json``; or a schema itself.
    resources : iterable of mapping
        Further schemas with ``$id``, which a schema given as a mapping refers to.

    Returns
    -------
    list of SpecError
        Codes ``schema.*``, in the order of their places, each fault once; empty if all is well.

    Raises
    ------
    UsageError
        If there is no schema of that name.
    SpecError
        Code ``schema.broken`` if the schema itself cannot be used.
    """
    if isinstance(schema, str):
        validator = _named(spec_home().joinpath("schemas"), schema)
    else:
        pairs = [(one["$id"], DRAFT202012.create_resource(one)) for one in resources]
        registry: Any = Registry().with_resources(pairs)
        validator = AuthorValidator(schema, registry=registry)
    try:
        with work_limit():
            return spec_errors(validator.iter_errors(document.value), document)
    except (RecursionError, TooMuchWork):
        return [
            SpecError(
                "expected a structure that the schema can follow, found one nested too deeply",
                code="schema.depth",
                place=document.place(()),
                hint="make the structure flatter",
            )
        ]
    except Unresolvable as error:
        raise SpecError(
            f"expected a schema at the reference {error.ref!r}, found none",
            code="schema.broken",
            hint="every $id and $ref of the schemas must fit together",
        ) from error


def schema_names() -> list[str]:
    """Return the names that ``check`` knows."""
    return sorted(name for name, _ in _files(spec_home().joinpath("schemas")))


def _named(folder: Traversable, name: str) -> Any:
    schemas = _schemas(folder)
    if name not in schemas:
        raise UsageError(
            f"expected the name of a schema, found {name!r}",
            code="usage.unknown-schema",
            hint=closest(name, schemas) or f"there are: {', '.join(sorted(schemas))}",
        )
    return schemas[name]


def _schemas(folder: Traversable) -> Mapping[str, Any]:
    """Return a validator for each schema under a folder, all knowing one another by ``$id``."""
    if str(folder) in _VALIDATORS:
        return _VALIDATORS[str(folder)]
    contents: dict[str, Any] = {}
    for name, file in _files(folder):
        try:
            contents[name] = json.loads(file.read_text(encoding="utf-8"))
        except ValueError as error:
            raise SpecError(
                f"expected JSON, found something else: {error}",
                code="schema.broken",
                place=Place(str(file), getattr(error, "lineno", 1), getattr(error, "colno", 1)),
                hint="mend the schema",
            ) from error
    resources: list[tuple[str, Resource[Any]]] = [
        (one["$id"], DRAFT202012.create_resource(one))
        for one in contents.values()
        if isinstance(one, dict) and "$id" in one
    ]
    registry: Any = Registry().with_resources(resources).crawl()
    made = {name: AuthorValidator(one, registry=registry) for name, one in contents.items()}
    _VALIDATORS[str(folder)] = made
    return made


def _files(folder: Traversable, before: str = "") -> Iterator[tuple[str, Traversable]]:
    if not folder.is_dir():
        return
    for entry in sorted(folder.iterdir(), key=lambda e: e.name):
        if entry.is_dir():
            yield from _files(entry, f"{before}{entry.name}/")
        elif entry.name.endswith(_SUFFIX):
            yield before + entry.name.removesuffix(_SUFFIX), entry
