"""The README shows what is so: its commands are run, and what they print is compared.

A block that begins with ``$ `` is a session, as `shown` tells. Its commands run one after another
in a folder of their own, with the checkout's ``conformance`` in reach.
"""

from __future__ import annotations

import doctest
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from shown import BIN, ROOT, commands, fits, run

README = (ROOT / "README.md").read_text("utf-8")
BLOCKS = re.findall(r"(?ms)^```(\w*)\n(.*?)^```", README)
SESSIONS = [text for _, text in BLOCKS if text.startswith("$ ")]


def one_liners() -> list[str]:
    """Return the two commands of the section "Try it"."""
    section = README.partition("\n## Try it\n")[2].partition("\n## ")[0]
    return [text.strip() for _, text in re.findall(r"(?ms)^```(\w*)\n(.*?)^```", section)]


@pytest.mark.parametrize("session", SESSIONS, ids=[s.splitlines()[0][2:60] for s in SESSIONS])
def test_commands_print_what_the_readme_shows(session: str, tmp_path: Path):
    assert (BIN / "ludex").exists(), "install Ludex into this environment first"
    (tmp_path / "conformance").symlink_to(ROOT / "conformance", target_is_directory=True)
    for command, shown in commands(session):
        if "node " in command and shutil.which("node") is None:
            pytest.skip("node is not installed")
        printed = run(command, tmp_path)
        if not fits(shown, printed):
            pytest.fail(f"$ {command}\nthe README shows\n{shown}\nit prints\n{printed}")


def test_the_readme_has_sessions():
    assert len(SESSIONS) >= 4
    assert sum(len(commands(s)) for s in SESSIONS) >= 5


@pytest.mark.filterwarnings("default")
def test_python_examples():
    runner = doctest.DocTestRunner(optionflags=doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE)
    examples = "\n".join(text for language, text in BLOCKS if language == "python")
    test = doctest.DocTestParser().get_doctest(examples, {}, "README.md", "README.md", 0)
    assert test.examples
    said: list[str] = []
    assert runner.run(test, out=said.append).failed == 0, "".join(said)


def test_two_one_line_commands_and_no_more():
    lines = one_liners()
    assert len(lines) == 2
    for line in lines:
        assert "\n" not in line
        assert line.startswith("python3 -m venv .venv && .venv/bin/python -m pip install ")
    assert lines[0].endswith("conformance/demo.py")
    assert " -m pytest" in lines[1]


def test_the_build_machine_runs_the_readmes_test_command():
    script = (ROOT / ".ci/run").read_text("utf-8").strip()
    assert script.splitlines()[-1] == one_liners()[1]
    assert os.access(ROOT / ".ci/run", os.X_OK)


def test_the_demonstration_ends_well():
    done = subprocess.run(
        [sys.executable, ROOT / "conformance/demo.py"], cwd="/", stdin=subprocess.DEVNULL,
        capture_output=True, text=True, timeout=240,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    assert done.stderr == ""
    result = done.stdout[done.stdout.index("\nResult\n"):].splitlines()
    assert "CONFORMS" in result[2]
    assert ("CONFORMS" if shutil.which("node") else "skipped: ") in result[3]
    assert "DOES NOT CONFORM: it breaks rule " in result[4]
    assert result[-1] == "All is as it must be."


def test_every_command_is_in_the_readmes_table():
    shown = subprocess.run([BIN / "ludex", "--help"], capture_output=True, text=True, check=True)
    listed = shown.stdout.partition("Commands:")[2]
    names = re.findall(r"(?m)^  (\w+)  ", listed)
    assert len(names) >= 10
    missing = [n for n in names if not re.search(rf"(?m)^\| `ludex {n}\b", README)]
    assert missing == []
