"""Certify a right program, refuse a wrong one: what the conformance kit does, in a few seconds.

Runs ``ludex certify`` on the independent implementations of Poodle Taxi that lie beside this file,
and prints each command before it runs. Ends with 0 if every verdict is as it must be.
"""

from __future__ import annotations

import json
import os
import shlex
import shutil
import subprocess
import sys
from pathlib import Path

__all__ = ["main"]

ROOT = Path(__file__).resolve().parents[1]
PROGRAMS = "conformance/implementations/poodle-taxi"
PYTHON = ["python3", f"{PROGRAMS}/python/adapter.py"]
JAVASCRIPT = ["node", f"{PROGRAMS}/javascript/adapter.mjs"]
FAULT = "only-top-cards"
BROKEN_RULE = "5.2"
OLDEST_NODE = 18
# The kit tries first what failed before; a demonstration begins afresh.
FOLDER = ".ludex/demo"
REPORT = f"{FOLDER}/report.json"


def certify(program: list[str]) -> tuple[int, str, list[str]]:
    """Certify a program; return the exit code, the verdict and the broken rules."""
    command = ["ludex", "certify", "poodle-taxi", "--profile", "smoke",
               "--findings", FOLDER, "--report", REPORT, "--", *program]
    print("$", shlex.join(command), flush=True)
    report = ROOT / REPORT
    report.unlink(missing_ok=True)
    # `ludex` and `python3` are those of the environment that runs this file
    path = os.pathsep.join([str(Path(sys.executable).parent), os.environ.get("PATH", os.defpath)])
    done = subprocess.run(
        command, cwd=ROOT, env={**os.environ, "PATH": path}, stdin=subprocess.DEVNULL, check=False
    )
    print(flush=True)
    if not report.exists():
        return done.returncode, "NO VERDICT", []
    found = json.loads(report.read_text("utf-8"))
    return done.returncode, found["verdict"].upper(), [f["rule"] for f in found["findings"]]


def no_node() -> str | None:
    """Say why JavaScript cannot run here; None if it can."""
    if shutil.which("node") is None:
        return "Node is not installed"
    asked = subprocess.run(["node", "--version"], capture_output=True, text=True, check=False)
    version = asked.stdout.strip()
    if not version.startswith("v") or int(version[1:].split(".")[0]) < OLDEST_NODE:
        return f"Node {version or 'does not start'}; {OLDEST_NODE} or later is needed"
    return None


def main() -> int:
    """Run the demonstration; return its exit code."""
    lines, good = [], True
    shutil.rmtree(ROOT / FOLDER, ignore_errors=True)

    def note(program: str, as_expected: bool, verdict: str) -> None:
        nonlocal good
        good = good and as_expected
        lines.append(f"  {program:30}{verdict}{'' if as_expected else '   NOT AS EXPECTED'}")

    print("A right program, in Python. It was written from the rules alone.\n")
    status, verdict, _ = certify(PYTHON)
    note("the right program, Python", status == 0, verdict)

    why = no_node()
    if why is None:
        print("Another right program, in JavaScript.\n")
        status, verdict, _ = certify(JAVASCRIPT)
        note("the right program, JavaScript", status == 0, verdict)
    else:
        note("the right program, JavaScript", True, f"skipped: {why}")

    print(f"A wrong program: the Python one with a planted fault, {FAULT}.\n")
    status, verdict, rules = certify([*PYTHON, "--fault", FAULT])
    if rules:
        verdict += f": it breaks rule {', '.join(rules)}"
    note("the wrong program", status == 1 and rules == [BROKEN_RULE], verdict)

    print("Result")
    print("\n".join(lines))
    print("All is as it must be." if good else "Something is not as it must be.")
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main())
