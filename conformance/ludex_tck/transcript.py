"""The transcript: a digest over every script of a run, in order."""

from __future__ import annotations

import hashlib

from ludex.protocol.canonical import canonical_bytes

from .scripts import Script, record_of

__all__ = ["Transcript"]


class Transcript:
    """Collects scripts; the same run gives the same digest on any machine."""

    def __init__(self) -> None:
        self._hash = hashlib.sha256()

    def add(self, script: Script) -> None:
        """Add a script: its record and the positions that were expected."""
        self._hash.update(canonical_bytes(record_of(script)))
        last = next((s.expected for s in reversed(script.steps) if s.expected), script.expected)
        self._hash.update(canonical_bytes(last))

    def add_digest(self, digest: str) -> None:
        """Add scripts that were collected elsewhere."""
        self._hash.update(digest.encode())

    def digest(self) -> str:
        """Return the digest so far."""
        return "sha256:" + self._hash.hexdigest()
