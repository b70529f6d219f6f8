"""The game document as a file, for engines in any language.

The document is the seam: who has it needs neither the YAML of a game nor Python. Its form is
``spec/schemas/document.schema.json``, its meaning ``docs/game-document.md``.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

__all__ = ["SCHEMA", "document_text"]

SCHEMA = "https://ludex.example/schemas/1/document.schema.json"
"""Id of the schema of a game document."""


def document_text(document: Mapping[str, Any]) -> str:
    """Return the text of a document's file; equal documents have equal texts.

    Parameters
    ----------
    document : mapping
        The game document.
    """
    whole = {"$schema": SCHEMA, **document}
    return json.dumps(whole, indent=1, ensure_ascii=False) + "\n"
