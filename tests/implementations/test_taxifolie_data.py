"""The boards and cards of the JavaScript program of Taxifolie are those of the game."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
PROGRAM = ROOT / "conformance/implementations/taxifolie/javascript"


def test_the_program_has_the_component_sets_of_the_game(tmp_path):
    made = tmp_path / "components.json"
    subprocess.run(
        [sys.executable, PROGRAM / "make_components.py",
         ROOT / "spec/games/taxifolie/components", made],
        check=True, timeout=60, stdin=subprocess.DEVNULL,
    )
    kept = (PROGRAM / "components.json").read_text("utf-8")
    assert kept == made.read_text("utf-8"), "run make_components.py"
    # a witness from the rulebook: 70 clients, 100 fares, 50 chance cards
    numbers = {
        key: sum(card["copies"] for card in json.loads(kept)["standard"][key].values())
        for key in ("clients", "fares", "chances")
    }
    assert numbers == {"clients": 70, "fares": 100, "chances": 50}
