"""Certificates: what was tested, with what, and how to do it again.

A certificate speaks of one implementation, one edition of the rules and one component set. It is
written only when the verdict is ``conforms``.
"""

from __future__ import annotations

import hashlib
import shlex
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from ludex import __version__

from .campaign import Campaign
from .report import report_json

__all__ = ["certificate", "command_files"]

Json = dict[str, Any]


def certificate(campaign: Campaign, classes: Sequence[str], command: Sequence[str]) -> Json:
    """Return the certificate of a run that conforms.

    Parameters
    ----------
    campaign : Campaign
        The run.
    classes : sequence of str
        The classes asked for.
    command : sequence of str
        The implementation's command.
    """
    report = report_json(campaign, classes, command)
    document = campaign.document
    return {
        "ludex_certificate": 1,
        "verdict": report["verdict"],
        "kit": {"name": "ludex", "version": __version__, "protocol": 1},
        "implementation": {**report["implementation"], "files": command_files(command)},
        "adapter_does": report["adapter_does"],
        "game": report["game"],
        "edition": report["edition"],
        "rules_digest": report["rules_digest"],
        "text_digest": document["text_digest"],
        "components": report["components"],
        "players": report["players"],
        "options": {k: list(v["values"]) for k, v in document["options"].items()},
        "rulings": report["rulings"],
        "capabilities": report["capabilities"],
        "classes": report["classes"],
        "checks": report["checks"],
        "counts": report["counts"],
        "coverage": report["coverage"],
        "transcript_digest": campaign.transcript.digest(),
        "profile": report["profile"],
        "seed": report["seed"],
        "reproduce": shlex.join(
            [
                "ludex", "certify", report["game"],
                "--profile", report["profile"], "--seed", str(report["seed"]),
                "--", *command,
            ]
        ),
    }


def command_files(command: Sequence[str]) -> dict[str, str]:
    """Return the digests of the files that a command names, by the name as it was given."""
    found = {}
    for word in command:
        path = Path(word)
        if path.is_file() and path.suffix:
            found[word] = "sha256:" + hashlib.sha256(path.read_bytes()).hexdigest()
    return found
