"""Known failures: a file of faults that a program is known to have, and why.

Each entry is tried on each run. One that still fails does not fail the run; one that does not fail
any more does, so that the list never says more than is true.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ludex.authoring.strict_yaml import read_yaml
from ludex.errors import RecordError, SpecError, SpecErrors, UsageError
from ludex.files import read_bytes
from ludex.protocol.canonical import JsonError, loads_strict
from ludex.protocol.records import parse_record

from .campaign import Campaign
from .saved import Saved, read_saved, try_saved
from .schemas import instance_errors
from .scripts import from_record
from .smaller import after_refusal

__all__ = ["Known", "read_known", "try_known"]

Json = dict[str, Any]
_MAX = 16 * 1024 * 1024


@dataclass
class Known:
    """One known failure.

    Attributes
    ----------
    check : str
        The check that fails.
    rule : str or None
        The rule it is about; None for the class `robust`.
    reason : str
        Why it is as it is.
    saved : Saved or None
        The game that shows it.
    fails : bool
        Whether it still does, once it was tried.
    """

    check: str
    rule: str | None
    reason: str
    saved: Saved | None
    fails: bool = False

    def to_json(self) -> Json:
        """Return the entry as the report has it."""
        found: Json = {"check": self.check, "reason": self.reason, "fails": self.fails}
        return found if self.rule is None else {**found, "rule": self.rule}


def read_known(path: Path, document: Mapping[str, Any]) -> list[Known]:
    """Read a file of known failures, YAML or JSON.

    Raises
    ------
    UsageError
        ``usage.known``: it cannot be read, has not the right form, or is of another game.
    RecordError
        If a record does not fit the game.
    """
    value = _value(path)
    errors = instance_errors(value, "known-failures")
    if errors:
        raise UsageError(f"{path} is no list of known failures: {errors[0]}", code="usage.known",
                         hint="see known-failures.schema.json")
    if value["game"] != document["game"]:
        raise UsageError(f"{path} is for the game {value['game']!r}, not {document['game']!r}",
                         code="usage.known")
    return [
        Known(e["check"], e.get("rule"), e["reason"], _saved(e, path, document))
        for e in value["failures"]
    ]


def _value(path: Path) -> Any:
    data = read_bytes(path, _MAX)
    if path.suffix == ".json":
        try:
            return loads_strict(data, file=str(path))
        except JsonError as error:
            raise UsageError(error.message, code="usage.known", place=error.place) from None
    try:
        return read_yaml(data, str(path)).value
    except SpecError as error:
        first = error.errors[0] if isinstance(error, SpecErrors) else error
        raise UsageError(first.message, code="usage.known", place=first.place,
                         hint=first.hint) from None


def _saved(entry: Mapping[str, Any], path: Path, document: Mapping[str, Any]) -> Saved | None:
    record = entry.get("record")
    if record is None:
        return None
    if isinstance(record, str):
        return read_saved(document, path.parent / record)
    text = "".join(json.dumps(line) + "\n" for line in record)
    name = f"{path}: {entry['check']}"
    try:
        return Saved(name, from_record(document, parse_record(text.encode(), name)))
    except RecordError as error:
        # its places are those of lines, which the reader of this file does not see
        raise UsageError(f"{name}: {error.message}", code="usage.known", hint=error.hint) from None


def try_known(campaign: Campaign, entries: list[Known]) -> None:
    """Try each entry in a new process, and have the campaign look past those that fail.

    Games of a program that draws its own chance cannot be tried again: all of its entries are
    looked past, and the run sees which of them come.
    """
    campaign.known = entries
    if campaign.support.is_live:
        campaign.look_past([(e.check, e.rule) for e in entries if e.rule is not None])
        return
    for entry in entries:
        if entry.saved is None:
            continue
        campaign.implementation.fresh()
        finding = try_saved(campaign, entry.saved)
        if finding is None:
            continue
        # two names for what takes a refused move to show
        names = {finding.signature, after_refusal(finding).signature}
        if (entry.check, entry.rule) in names:
            entry.fails = True
            campaign.look_past(names)
    if entries:  # else the first process plays on
        campaign.implementation.fresh()
