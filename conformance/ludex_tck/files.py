"""Files of the kit, written whole or not at all; those of records are `ludex.records`."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from ludex.files import write_whole

__all__ = ["write_json"]


def write_json(path: Path, value: Any) -> None:
    """Write a value as indented JSON."""
    write_whole(path, json.dumps(value, indent=2, ensure_ascii=False) + "\n")
