"""Failures that were kept: records of findings, with the record of a twin beside some."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from ludex.errors import LudexError
from ludex.records import read_record, write_record

from .campaign import Campaign
from .findings import Finding
from .implementation import Support
from .live import LiveCampaign
from .scripts import Script, from_record

__all__ = [
    "Saved", "Shelf", "read_saved", "run_saved", "save", "shelf_of", "try_saved", "unsupported",
]

Json = dict[str, Any]
#: How often a saved game is tried with a program that draws its own chance.
LIVE_TRIES = 12


@dataclass(frozen=True)
class Saved:
    """A game that has shown a failure.

    Attributes
    ----------
    file : str
        Where it was read.
    script : Script
        The game.
    twin : Script or None
        The game that looks the same to the player of the last step, if that is what differed.
    """

    file: str
    script: Script
    twin: Script | None = None


@dataclass
class Shelf:
    """The failures of earlier runs.

    Attributes
    ----------
    saved : list of Saved
        Those that can be tried.
    stale : list of str
        Files of those that are of other rules or components, or damaged.
    skipped : list of str
        Files of those that need what the program does not support.
    failing : int
        How many still fail.
    """

    saved: list[Saved] = field(default_factory=list)
    stale: list[str] = field(default_factory=list)
    skipped: list[str] = field(default_factory=list)
    failing: int = 0

    def lines(self) -> list[str]:
        """Return what a report says of them."""
        found = []
        if self.saved:
            number = len(self.saved)
            found.append(f"tried first: {number} game{'' if number == 1 else 's'} that failed in "
                         f"earlier runs; still failing: {self.failing}")
        if self.stale:
            found.append("left alone, as they are of other rules or damaged: "
                         + ", ".join(self.stale))
        if self.skipped:
            found.append("left alone, as the program does not support what they need: "
                         + ", ".join(self.skipped))
        return found


def read_saved(document: Mapping[str, Any], path: Path) -> Saved:
    """Read a record, and that of its twin if there is one.

    Raises
    ------
    RecordError
        If one does not fit the game.
    UsageError
        If it cannot be read.
    """
    script = from_record(document, read_record(path))
    beside = _twin_of(path)
    twin = from_record(document, read_record(beside)) if beside.is_file() else None
    return Saved(str(path), script, twin)


def save(findings: list[Finding], folder: Path, game: str) -> dict[int, str]:
    """Write the record of each finding; return the files by index."""
    result = {}
    for index, finding in enumerate(findings):
        path = folder / f"{game}-{finding.difference.check}-{finding.rule}.jsonl"
        found = finding.to_json()
        write_record(path, found["record"])
        if "twin" in found:
            write_record(_twin_of(path), found["twin"])
        else:
            _twin_of(path).unlink(missing_ok=True)
        result[index] = str(path)
    return result


def shelf_of(document: Mapping[str, Any], folder: Path, support: Support) -> Shelf:
    """Return the failures of a folder, in the order of their names; damaged ones are stale."""
    shelf = Shelf()
    for path in _records(folder, document["game"]):
        try:
            saved = read_saved(document, path)
        except LudexError:
            shelf.stale.append(str(path))
            continue
        if unsupported(saved.script, support) is None:
            shelf.saved.append(saved)
        else:
            shelf.skipped.append(str(path))
    return shelf


def try_saved(campaign: Campaign, saved: Saved) -> Finding | None:
    """Play a saved game; return what differs, or None if it is right now."""
    if isinstance(campaign, LiveCampaign):
        return campaign.follow(saved.script, LIVE_TRIES)[0]
    if saved.twin is not None:
        return campaign.compare_pair((saved.script, saved.twin))
    return campaign.try_script(saved.script, count=False)


def run_saved(campaign: Campaign, shelf: Shelf) -> None:
    """Try the failures of earlier runs first; what still fails is a finding."""
    for saved in shelf.saved:
        finding = try_saved(campaign, saved)
        if finding is None:
            continue
        shelf.failing += 1
        if campaign.is_new(finding) and len(campaign.findings) < campaign.profile.findings:
            campaign.add(finding)
    campaign.shelf = shelf


def unsupported(script: Script, support: Support) -> str | None:
    """Return what a program does not support of a game, in words; None if nothing."""
    game = script.game
    if game.players not in support.players:
        return f"{game.players} players"
    for kind, chosen, known in (("ruling", game.rulings, support.rulings),
                                ("option", game.options, support.options)):
        for name, value in chosen.items():
            if value not in known[name]:
                return f"{kind} {name}={json.dumps(value).strip(chr(34))}"
    return None


def _records(folder: Path, game: str) -> Iterator[Path]:
    for path in sorted(folder.glob(f"{game}-*.jsonl")):
        if not path.name.endswith(".twin.jsonl"):
            yield path


def _twin_of(path: Path) -> Path:
    return path.with_name(f"{path.stem}.twin.jsonl")
