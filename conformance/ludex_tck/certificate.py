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
from ludex.errors import UsageError
from ludex.protocol.canonical import JsonError, loads_strict

from .campaign import Campaign
from .checks import CLASSES
from .profiles import PROFILES
from .report import report_json
from .schemas import instance_errors

__all__ = ["certificate", "command_files", "differences", "read_certificate"]

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
        "options": report["options"],
        "rulings": report["rulings"],
        "capabilities": report["capabilities"],
        "classes": report["classes"],
        "checks": report["checks"],
        "counts": report["counts"],
        "coverage": report["coverage"],
        "transcript_digest": campaign.transcript.digest(),
        "profile": report["profile"],
        "seed": report["seed"],
        "reproduce": shlex.join(_again(report, command)),
    }


def _again(report: Json, command: Sequence[str]) -> list[str]:
    """Return the command line that does the same run."""
    words = ["ludex", "certify", report["game"], "--profile", report["profile"]]
    if report["counts"]["planned"] != PROFILES[report["profile"]].cases:
        words += ["--cases", str(report["counts"]["planned"])]
    words += ["--seed", str(report["seed"])]
    if report["components"]["set"] != "standard":
        words += ["--components", report["components"]["set"]]
    if set(report["classes"]) != set(CLASSES):
        for name in report["classes"]:
            words += ["--class", name]
    return [*words, "--", *command]


def read_certificate(path: Path) -> Json:
    """Read a certificate.

    Raises
    ------
    UsageError
        ``usage.read`` or ``usage.certificate``, if there is none.
    """
    try:
        found = loads_strict(path.read_bytes(), file=str(path))
    except OSError as error:
        raise UsageError(f"cannot read {path}: {error.strerror}", code="usage.read") from None
    except JsonError as error:
        raise UsageError(error.message, code="usage.certificate", place=error.place) from None
    errors = instance_errors(found, "certificate")
    if errors:
        raise UsageError(f"{path} is no certificate: {errors[0]}", code="usage.certificate",
                         hint="`ludex certify --certificate FILE` writes one")
    return found  # type: ignore[no-any-return]


def differences(found: Json, again: Json) -> list[str]:
    """Return in which parts a run differs from a certificate; file names do not count."""
    keys = ("verdict", "adapter_does", "players", "rulings", "options", "capabilities", "classes",
            "checks", "transcript_digest")
    differing = [k for k in keys if again[k] != found[k]]
    for key in ("name", "version", "language"):
        if again["implementation"][key] != found["implementation"][key]:
            differing.append(f"implementation.{key}")
    files = [sorted(c["implementation"]["files"].values()) for c in (found, again)]
    if files[0] != files[1]:
        differing.append("implementation.files")
    return differing


def command_files(command: Sequence[str]) -> dict[str, str]:
    """Return the digests of the files that a command names, by the name as it was given."""
    found = {}
    for word in command:
        path = Path(word)
        if path.is_file() and path.suffix:
            found[word] = "sha256:" + hashlib.sha256(path.read_bytes()).hexdigest()
    return found
