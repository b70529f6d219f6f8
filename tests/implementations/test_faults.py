"""The independent programs are right, and the kit finds what is wrong once it is planted in them.

Everything here goes by what lies in `conformance/implementations`: another game, language or
fault is tested without a change of this file.
"""

from __future__ import annotations

import json
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import NamedTuple

import pytest
from click.testing import CliRunner

import ludex_tck.cli as kit
from ludex_tck.checks import CLASSES
from ludex_tck.games import Games

ROOT = Path(__file__).resolve().parents[2]
ADAPTERS = sorted(ROOT.glob("conformance/implementations/*/*/adapter.*"))
INTERPRETERS = {".py": sys.executable, ".mjs": shutil.which("node")}
#: Moves of the shortest game. An outcome, or a pile that runs out, takes most of a game to show.
LONGEST, LONGEST_AT_THE_END = 36, 48


def named(adapter: Path) -> str:
    return "/".join(adapter.parts[-3:-1])


def run(adapter: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    interpreter = INTERPRETERS[adapter.suffix]
    assert interpreter is not None
    return subprocess.run(
        [interpreter, adapter, *arguments], capture_output=True, text=True, timeout=60,
        stdin=subprocess.DEVNULL, check=False,
    )


class Fault(NamedTuple):
    adapter: Path
    name: str
    rule: str
    sentence: str


@cache
def faults_of(adapter: Path) -> tuple[Fault, ...]:
    """Return the faults of an implementation that keeps some beside its adapter."""
    if not adapter.with_name(f"faults{adapter.suffix}").exists():
        return ()
    if INTERPRETERS[adapter.suffix] is None:
        return ()
    listed = run(adapter, "--list-faults")
    assert (listed.returncode, listed.stderr) == (0, "")
    return tuple(Fault(adapter, *line.split("\t")) for line in listed.stdout.splitlines())


FAULTS = [fault for adapter in ADAPTERS for fault in faults_of(adapter)]
WITH_FAULTS = list(dict.fromkeys(fault.adapter for fault in FAULTS))


def words(adapter: Path, folder: Path, *options: str, fault: str | None = None) -> list[str]:
    """Return the arguments of ``ludex certify`` for a program, right or with a fault."""
    interpreter = INTERPRETERS[adapter.suffix]
    if interpreter is None:
        pytest.skip(f"nothing here runs {adapter.name}")
    program = [interpreter, str(adapter), *(["--fault", fault] if fault else [])]
    return [adapter.parts[-3], "--format", "json", "--findings", str(folder), *options,
            "--", *program]


def certify(adapter: Path, folder: Path, *options: str, fault: str | None = None):
    """Return the exit code and the report of a run."""
    done = subprocess.run(
        [sys.executable, "-c", "from ludex.cli import main; main()", "certify",
         *words(adapter, folder, *options, fault=fault)],
        capture_output=True, text=True, timeout=400, stdin=subprocess.DEVNULL, check=False,
    )
    assert "Traceback" not in done.stderr
    assert done.stdout, done.stderr
    return done.returncode, json.loads(done.stdout)


def certify_here(fault: Fault, folder: Path, *options: str):
    """The same in this process, which keeps games that have been compiled."""
    done = CliRunner().invoke(
        kit.certify, words(fault.adapter, folder, *options, fault=fault.name),
        standalone_mode=False,
    )
    if done.exception:
        raise done.exception
    return done.return_value, json.loads(done.stdout)


@pytest.fixture(scope="module")
def kept() -> Iterator[None]:
    """Load each game, and compile it for each number of players and reading, once only."""
    found: dict[int, Games] = {}
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(kit, "load_document", cache(kit.load_document))
        patch.setattr(kit, "Games", lambda doc: found.setdefault(id(doc), Games(doc)))
        yield


# -- right -------------------------------------------------------------------------------------


def test_there_are_implementations():
    assert len(ADAPTERS) >= 2
    assert WITH_FAULTS


@pytest.mark.parametrize("adapter", ADAPTERS, ids=named)
def test_right_without_arguments(adapter, tmp_path):
    code, report = certify(adapter, tmp_path, "--profile", "smoke")
    assert (code, report["verdict"], report["findings"]) == (0, "conforms", [])
    assert set(report["classes"].values()) == {"pass"}


@pytest.mark.parametrize("adapter", ADAPTERS, ids=named)
def test_adapter_is_short(adapter):
    lines = adapter.read_text("utf-8").splitlines()
    assert sum(bool(line.strip()) for line in lines) <= 30
    assert max(map(len, lines)) <= 100


# -- the list of faults ------------------------------------------------------------------------


@pytest.mark.parametrize("adapter", WITH_FAULTS, ids=named)
def test_list(adapter, tmp_path):
    faults = faults_of(adapter)
    assert len(faults) >= 24
    assert len({fault.name for fault in faults}) == len(faults)
    rules = (ROOT / f"spec/games/{adapter.parts[-3]}/rules.yaml").read_text("utf-8")
    for fault in faults:
        assert re.fullmatch(r"[a-z0-9]+(-[a-z0-9]+)*", fault.name)
        assert f'- id: "{fault.rule}"' in rules, f"{fault.name}: no rule {fault.rule}"
        # one sentence
        assert re.fullmatch(r"[A-Z][^.!?]*\.", fault.sentence), fault.sentence


@pytest.mark.parametrize("adapter", WITH_FAULTS, ids=named)
@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (["--fault"], "--fault takes one name"),
        (["--fault", "no-such-thing-at-all"], "there is no fault no-such-thing-at-all"),
        (["--folt", "x"], "did you mean --fault?"),
        (["--list-faults", "x"], "takes nothing"),
    ],
    ids=" ".join,
)
def test_usage(adapter, arguments, says):
    done = run(adapter, *arguments)
    assert (done.returncode, done.stdout) == (2, "")
    assert len(done.stderr.splitlines()) == 1
    assert says in done.stderr


@pytest.mark.parametrize("adapter", WITH_FAULTS, ids=named)
def test_a_misspelt_name_is_guessed(adapter):
    name = faults_of(adapter)[0].name
    done = run(adapter, "--fault", name[:-1])
    assert done.returncode == 2
    assert f"did you mean {name}?" in done.stderr


def test_the_page_lists_every_fault():
    page = (ROOT / "docs/implementations.md").read_text("utf-8")
    shown = re.findall(r"^\| `([a-z0-9-]+)` \| ([0-9.]+) \| (.*) \|$", page, re.MULTILINE)
    assert shown == [(fault.name, fault.rule, fault.sentence) for fault in FAULTS]


# -- wrong -------------------------------------------------------------------------------------


#: All but `robust`, which is about the protocol and not about the rules.
ABOUT_RULES = [word for name in CLASSES if name != "robust" for word in ("--class", name)]


@pytest.mark.slow
@pytest.mark.parametrize("fault", FAULTS, ids=lambda fault: f"{named(fault.adapter)}/{fault.name}")
def test_fault_is_found(fault, tmp_path, kept):
    """The short run finds most of them; the default run finds them all."""
    once = ("--stop-after", "1", *ABOUT_RULES)
    code, report = certify_here(fault, tmp_path, *once, "--profile", "smoke")
    if code == 0:
        code, report = certify_here(fault, tmp_path, *once)
    assert (code, report["verdict"]) == (1, "does not conform")
    finding = report["findings"][0]
    assert finding["rule"] == fault.rule, finding["message"]
    assert finding["reproduced"]
    at_the_end = finding["check"] in ("core.outcome", "core.accepts")
    assert finding["moves"] <= (LONGEST_AT_THE_END if at_the_end else LONGEST)
    assert list(tmp_path.glob("*.jsonl"))


@pytest.mark.parametrize("adapter", WITH_FAULTS, ids=named)
def test_the_command_ends_with_1(adapter, tmp_path):
    fault = faults_of(adapter)[0]
    code, report = certify(adapter, tmp_path, "--profile", "smoke", "--stop-after", "1",
                           *ABOUT_RULES, fault=fault.name)
    assert (code, report["findings"][0]["rule"]) == (1, fault.rule)
