"""What is built, and whether it works far from the checkout.

Everything here is built by `hatchling`, which stands in the extra ``[test]``; installing fetches
the few libraries that Ludex needs. Without a package index those tests are skipped.
"""

from __future__ import annotations

import hashlib
import os
import shutil
import subprocess
import sys
import tarfile
import zipfile
from pathlib import Path

import pytest

import ludex

ROOT = Path(__file__).resolve().parents[2]
BIN = "Scripts" if os.name == "nt" else "bin"

pytestmark = pytest.mark.slow
pytest.importorskip("hatchling", reason="hatchling is not installed; the extra [test] brings it")


def run(
    *command: str | Path, cwd: Path, status: int = 0, timeout: float = 300
) -> subprocess.CompletedProcess[str]:
    """Run a command as a user would, without the settings of this test run."""
    env = {k: v for k, v in os.environ.items() if not k.startswith(("PYTHON", "PYTEST", "VIRTUAL"))}
    done = subprocess.run(
        [str(c) for c in command], cwd=cwd, env=env,
        stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=timeout,
    )
    assert done.returncode == status, f"{command}\n{done.stdout}{done.stderr}"
    return done


def build(kind: str, source: Path, to: Path) -> Path:
    run(sys.executable, "-m", "hatchling", "build", "-t", kind, "-d", to, cwd=source)
    (built,) = to.iterdir()
    return built


def contents(wheel: Path) -> dict[str, str]:
    with zipfile.ZipFile(wheel) as opened:
        return {n: hashlib.sha256(opened.read(n)).hexdigest() for n in opened.namelist()}


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return build("wheel", ROOT, tmp_path_factory.mktemp("wheel"))


@pytest.fixture(scope="module")
def unpacked(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The source distribution, unpacked."""
    sdist = build("sdist", ROOT, tmp_path_factory.mktemp("sdist"))
    to = tmp_path_factory.mktemp("unpacked")
    with tarfile.open(sdist) as opened:
        # Python 3.11.3 and earlier know no filters
        safe = {"filter": "data"} if hasattr(tarfile, "data_filter") else {}
        opened.extractall(to, **safe)
    (folder,) = to.iterdir()
    return folder


class Environment:
    """A new Python environment with nothing in it, not even pip."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.python = folder / BIN / "python"
        self.ludex = folder / BIN / "ludex"
        run(sys.executable, "-m", "venv", "--without-pip", folder, cwd=folder.parent)

    def install(self, *what: str | Path) -> None:
        run(sys.executable, "-m", "pip", "--python", self.python, "install", "-qq",
            "--disable-pip-version-check", *what, cwd=self.folder, timeout=500)

    def where(self, module: str) -> Path:
        code = f"import {module}; print({module}.__file__)"
        return Path(run(self.python, "-c", code, cwd=self.folder).stdout.strip())


@pytest.fixture(scope="module")
def index(tmp_path_factory: pytest.TempPathFactory) -> None:
    """Skip unless packages can be installed here."""
    probe = subprocess.run(
        [sys.executable, "-m", "pip", "download", "-qq", "--disable-pip-version-check",
         "--no-deps", "--retries", "1", "--timeout", "20",
         "-d", str(tmp_path_factory.mktemp("probe")), "click"],
        stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=300,
    )
    if probe.returncode != 0:
        why = (probe.stderr.strip().splitlines() or ["pip gave no reason"])[-1]
        pytest.skip(f"no package can be fetched here: {why}")


@pytest.fixture(scope="module")
def plain(index: None, wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Environment:
    """The wheel alone."""
    # a space, as in many a home folder
    environment = Environment(tmp_path_factory.mktemp("the plain") / "env")
    environment.install(wheel)
    return environment


@pytest.fixture(scope="module")
def certifying(index: None, wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Environment:
    """The wheel with the extra ``certify``."""
    environment = Environment(tmp_path_factory.mktemp("certifying") / "env")
    environment.install(f"{wheel}[certify]")
    return environment


# -- what is in them -------------------------------------------------------------------------


def test_the_wheel_holds_the_packages_and_the_specs(wheel: Path):
    names = set(contents(wheel))
    for part in ("schemas", "games"):
        for path in (ROOT / "spec" / part).rglob("*"):
            if path.is_file():
                assert f"ludex/_spec/{path.relative_to(ROOT / 'spec').as_posix()}" in names
    assert {"ludex/_spec/games/poodle-taxi/game.yaml", "ludex/py.typed",
            "ludex_tck/py.typed"} <= names
    for folder in ("reference/ludex", "conformance/ludex_tck"):
        for path in (ROOT / folder).rglob("*.py"):
            assert path.relative_to((ROOT / folder).parent).as_posix() in names


def test_the_wheel_holds_nothing_else(wheel: Path):
    names = contents(wheel)
    assert {n.split("/")[0] for n in names} == {
        "ludex", "ludex_tck", f"ludex-{ludex.__version__}.dist-info"
    }
    wrong = [n for n in names if "test_" in n or "/tests/" in n or "/." in n or n.endswith(".pyc")]
    assert wrong == []
    assert f"ludex-{ludex.__version__}.dist-info/licenses/LICENSE" in names


def test_the_source_distribution_holds_the_house(unpacked: Path):
    for name in ("README.md", "LICENSE", "CHANGELOG.md", "hatch_build.py", "spec/games",
                 "tests/packaging/test_packaging.py", "conformance/adapters", "docs", ".ci/run"):
        assert (unpacked / name).exists(), name
    left_behind = {"__pycache__", ".venv", ".hypothesis", ".pytest_cache", ".ludex", ".git"}
    assert [p for p in unpacked.rglob("*") if p.name in left_behind] == []


def test_the_source_distribution_builds_the_same_wheel(
    unpacked: Path, wheel: Path, tmp_path: Path
):
    assert contents(build("wheel", unpacked, tmp_path)) == contents(wheel)


# -- the wheel, far from the checkout --------------------------------------------------------


def test_an_installed_ludex_does_not_see_the_checkout(plain: Environment):
    assert plain.folder in plain.where("ludex").parents
    code = "from ludex.authoring.spec_home import spec_home; print(spec_home())"
    home = Path(run(plain.python, "-c", code, cwd=plain.folder).stdout.strip())
    assert home == plain.where("ludex").parent / "_spec"


def test_the_plain_install_lists_tests_and_describes_games(plain: Environment, tmp_path: Path):
    games = run(plain.ludex, "games", cwd=tmp_path).stdout
    assert "poodle-taxi  Poodle Taxi, edition 1" in games
    test = run(plain.ludex, "test", "poodle-taxi", cwd=tmp_path).stdout.split()
    assert int(test[0]) == int(test[2]) > 0, "N of N examples hold"
    assert "Poodle Taxi" in run(plain.ludex, "describe", "poodle-taxi", cwd=tmp_path).stdout
    version = run(plain.ludex, "--version", cwd=tmp_path).stdout
    assert version == f"ludex {ludex.__version__}\n"
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("command", ["certify", "try", "replay", "verify"])
def test_without_the_extra_the_kit_says_what_to_install(
    plain: Environment, tmp_path: Path, command: str
):
    done = run(plain.ludex, command, "poodle-taxi", "--", "true", cwd=tmp_path, status=2)
    assert done.stdout == ""
    (line,) = done.stderr.splitlines()
    assert "pip install 'ludex[certify]'" in line


def test_without_the_extra_the_commands_are_listed(plain: Environment, tmp_path: Path):
    listed = run(plain.ludex, "--help", cwd=tmp_path).stdout
    assert {"certify", "games", "play"} <= set(listed.split())


def test_the_wheel_certifies(certifying: Environment, tmp_path: Path):
    # the reference certifies itself: both ends of the pipe come from the wheel
    done = run(certifying.ludex, "certify", "poodle-taxi", "--profile", "smoke",
               "--", certifying.ludex, "serve", "poodle-taxi", cwd=tmp_path)
    assert done.stdout.splitlines()[-1] == "CONFORMS"
    assert done.stderr == ""


def test_the_wheel_is_typed_for_its_users(certifying: Environment, tmp_path: Path):
    pytest.importorskip("mypy", reason="mypy is not installed; the extra [test] brings it")
    user = tmp_path / "user.py"
    user.write_text(
        'import ludex\n'
        'game = ludex.load("poodle-taxi", players=2)\n'
        'reveal_type(game.initial_state(ludex.Seeded(1)).actors())\n',
        "utf-8",
    )
    done = run(sys.executable, "-m", "mypy", "--strict", "--python-executable", certifying.python,
               "--cache-dir", tmp_path / "cache", user, cwd=tmp_path)
    assert 'Revealed type is "list[str]"' in done.stdout.replace("builtins.", "")


# -- an editable install ---------------------------------------------------------------------


def test_an_editable_install_reads_the_specs_of_its_checkout(
    index: None, unpacked: Path, tmp_path: Path
):
    checkout = tmp_path / "check out"
    shutil.copytree(unpacked, checkout)
    environment = Environment(tmp_path / "env")
    environment.install("-e", checkout)
    assert environment.where("ludex") == checkout / "reference/ludex/__init__.py"
    # a change in the checkout's spec is seen at once, without installing again
    game = checkout / "spec/games/poodle-taxi/game.yaml"
    text = game.read_text("utf-8")
    game.write_text(text.replace("title: Poodle Taxi", "title: Cat Bus"), "utf-8")
    assert "Cat Bus" in run(environment.ludex, "games", cwd=tmp_path).stdout
