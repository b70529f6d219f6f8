"""Write components.json, the boards and cards of the program, from the YAML of the game.

The protocol names a component set by its id and digest only, so the program keeps all sets itself.
They may change; run this then. It needs PyYAML.

    python make_components.py [FOLDER_WITH_YAML [OUTPUT]]
"""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

import yaml

HERE = Path(__file__).resolve().parent
SOURCE = HERE.parents[3] / "spec/games/taxifolie/components"
OUTPUT = HERE / "components.json"

#: Kind to its key in the JSON, and the columns that the rules read.
COLUMNS = {
    "Space": ("spaces", ("district", "icons", "next", "start", "terminal")),
    "Client": ("clients", ("avoid", "pass", "stop", "shuns", "via", "copies")),
    "Fare": ("fares", ("to", "euros", "copies")),
    "Chance": ("chances", ("order", "euros", "turns", "icon", "place", "copies")),
}


def rows(kind: dict[str, Any], columns: tuple[str, ...]) -> dict[str, dict[str, Any]]:
    """Return each row with its defaults; what has no value is left out."""
    full = {name: {**kind.get("default", {}), **(row or {})} for name, row in kind["rows"].items()}
    return {
        name: {column: row[column] for column in columns if row.get(column) is not None}
        for name, row in full.items()
    }


def sets(folder: Path) -> dict[str, dict[str, Any]]:
    """Return the component sets of a folder, by their ids."""
    found = {}
    for path in sorted(folder.glob("*.yaml")):
        data = yaml.safe_load(path.read_text(encoding="utf-8"))
        found[data["set"]] = {
            key: rows(data["kinds"][kind], columns) for kind, (key, columns) in COLUMNS.items()
        }
    return found


def text(found: dict[str, dict[str, Any]]) -> str:
    """Return the JSON, a line for each row."""
    parts = []
    for name, tables in found.items():
        inner = []
        for key, table in tables.items():
            lines = ",\n".join(
                f"   {json.dumps(one)}: {json.dumps(row)}" for one, row in table.items()
            )
            inner.append(f"  {json.dumps(key)}: {{\n{lines}}}")
        parts.append(f" {json.dumps(name)}: {{\n" + ",\n".join(inner) + "}")
    return "{\n" + ",\n".join(parts) + "\n}\n"


def main(folder: Path = SOURCE, output: Path = OUTPUT) -> None:
    """Write the file."""
    output.write_text(text(sets(folder)), encoding="utf-8")


if __name__ == "__main__":
    main(*map(Path, sys.argv[1:3]))
