"""How soon the default run finds each planted fault.

``python benchmarks/faults.py`` runs every fault of every program in `conformance/implementations`
once, and prints a table. It writes nothing: records of findings go to a folder that is removed.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import tempfile
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
CERTIFY = [sys.executable, "-c", "from ludex.cli import main; main()", "certify"]


def adapters() -> list[Path]:
    """Return the adapters that have faults."""
    found = sorted(ROOT.glob("conformance/implementations/*/*/faults.*"))
    return [path.with_name(f"adapter{path.suffix}") for path in found]


def program(adapter: Path) -> list[str]:
    """Return the command of an adapter."""
    return [sys.executable if adapter.suffix == ".py" else "node", str(adapter)]


def listed(adapter: Path) -> list[list[str]]:
    done = subprocess.run(
        [*program(adapter), "--list-faults"], capture_output=True, text=True, check=True
    )
    return [line.split("\t") for line in done.stdout.splitlines()]


def row(adapter: Path, name: str, rule: str, options: list[str]) -> tuple[str, bool]:
    """Run one fault; return its row, and whether the first finding names its rule."""
    with tempfile.TemporaryDirectory() as folder:
        begin = time.perf_counter()
        done = subprocess.run(
            [*CERTIFY, adapter.parts[-3], "--stop-after", "1", "--format", "json",
             "--findings", folder, *options,
             "--", *program(adapter), "--fault", name],
            capture_output=True, text=True, check=False,
        )
        seconds = time.perf_counter() - begin
    try:
        report = json.loads(done.stdout)
        finding = report["findings"][0]
    except (ValueError, IndexError):
        return f"| `{name}` | {rule} | **not found** (exit {done.returncode}) | | | |", False
    counts = report["counts"]
    # a worked example that shows it comes before all random games
    games = counts["cases"] or f"example of {counts['examples']}"
    same = finding["rule"] == rule and finding["reproduced"] and done.returncode == 1
    shown = rule if finding["rule"] == rule else f"{rule}, named **{finding['rule']}**"
    return (
        f"| `{name}` | {shown} | {finding['check']} | {games} | {seconds:.1f} "
        f"| {finding['moves']} |"
    ), same


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--profile", default="standard")
    parser.add_argument("--seed", default="0")
    parser.add_argument("--only", nargs="*", default=[], metavar="NAME", help="only these faults")
    asked = parser.parse_args()
    options = ["--profile", asked.profile, "--seed", asked.seed]
    right = total = 0
    for adapter in adapters():
        print(f"{'/'.join(adapter.parts[-3:-1])}\n")
        print("| fault | rule | check | games until found | seconds | moves in shortest game |")
        print("| --- | --- | --- | --- | --- | --- |")
        for name, rule, _ in listed(adapter):
            if asked.only and name not in asked.only:
                continue
            text, same = row(adapter, name, rule, options)
            print(text, flush=True)
            right += same
            total += 1
        print()
    print(f"{right} of {total} faults found, with the rule they break named first")
    return 0 if right == total else 1


if __name__ == "__main__":
    sys.exit(main())
