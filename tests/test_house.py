"""The house rules that no linter knows: who may import whom, what is public, what is said where."""

from __future__ import annotations

import ast
import importlib
import importlib.util
import io
import re
import subprocess
import sys
import tokenize
import tomllib
from collections.abc import Iterator
from functools import cache
from importlib.metadata import packages_distributions
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
LUDEX, KIT = ROOT / "reference/ludex", ROOT / "conformance/ludex_tck"
ADAPTERS = ROOT / "conformance/adapters"

MAX_LINES = 450
# Modules that may be longer: up to how many lines, and why.
LONGER = {
    "reference/ludex/authoring/clauses.py": (560, "one method for each kind of clause"),
    "reference/ludex/authoring/document.py": (560, "the whole game document, section by section"),
    "reference/ludex/language/checker.py": (520, "one method for each kind of expression"),
    "reference/ludex/engine/game.py": (480, "the public face of the engine: Game and State"),
    "conformance/ludex_tck/campaign.py": (660, "the one loop that a whole run is"),
    "conformance/ludex_tck/misuse.py": (550, "a list: one wrong message after another"),
    "conformance/implementations/poodle-taxi/python/faults.py": (650, "a list: fault after fault"),
    "conformance/adapters/python/ludex_adapter.py": (550, "one file, so that it can be copied"),
}


# Modules of the reference that may name the kit in a string, and why.
SPEAKS_OF_THE_KIT = {
    "reference/ludex/cli/docs.py": "the page on certification lists the kit's checks",
}


def files(*folders: Path, suffix: str = "") -> list[Path]:
    """Return the files of the house in these folders, without what tools leave behind."""
    found = []
    for folder in folders:
        for path in sorted(folder.rglob(f"*{suffix}")):
            parts = path.relative_to(ROOT).parts
            left_behind = any(
                p in ("__pycache__", "build", "dist", "site", "venv", "node_modules")
                or (p.startswith(".") and p not in (".ci", ".gitignore"))
                for p in parts
            )
            if path.is_file() and not left_behind:
                found.append(path)
    return found


def module_name(path: Path) -> str:
    parts = path.relative_to(LUDEX.parent if LUDEX in path.parents else KIT.parent).parts
    return ".".join(parts).removesuffix(".py").removesuffix(".__init__")


MODULES = {module_name(p): p for p in files(LUDEX, KIT, suffix=".py")}


@cache
def tree(path: Path) -> ast.Module:
    return ast.parse(path.read_text("utf-8"))


def imports(name: str, *, at_load: bool = False) -> set[str]:
    """Return the full names of the modules that a module imports.

    With ``at_load`` only those that are imported when the module is: not inside functions, and
    not for a type checker alone.
    """
    path = MODULES[name]
    package = name if path.name == "__init__.py" else name.rpartition(".")[0]
    found: set[str] = set()

    def visit(node: ast.AST) -> None:
        if at_load and isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            return
        if at_load and isinstance(node, ast.If) and "TYPE_CHECKING" in ast.unparse(node.test):
            return
        if isinstance(node, ast.Import):
            found.update(a.name for a in node.names)
        if isinstance(node, ast.ImportFrom):
            base = node.module or ""
            if node.level:
                up = package.split(".")[: len(package.split(".")) - node.level + 1]
                base = ".".join([*up, base] if base else up)
            for alias in node.names:
                whole = f"{base}.{alias.name}"
                found.add(whole if whole in MODULES else base)
        for child in ast.iter_child_nodes(node):
            visit(child)

    visit(tree(path))
    return found


def rooms() -> list[str]:
    """Return the rooms of ``ludex`` as its docstring lists them, from the bottom up."""
    text = ast.get_docstring(tree(MODULES["ludex"])) or ""
    listed = text[text.index("Rooms, from the bottom up"):]
    return [f"ludex.{room}" for room in re.findall(r"(?m)^``([a-z_.]+)``", listed)]


def room_of(module: str, known: list[str]) -> str | None:
    fitting = [r for r in known if module == r or module.startswith(r + ".")]
    return max(fitting, key=len, default=None)


# -- who may import whom ---------------------------------------------------------------------


def test_the_reference_does_not_know_the_kit():
    knows = [m for m in MODULES if m.startswith("ludex.") or m == "ludex"
             for i in imports(m) if i.split(".")[0] == "ludex_tck"]
    assert knows == []
    # nor by another way, such as import_module("ludex_tck...")
    speaks = [p.relative_to(ROOT).as_posix() for p in files(LUDEX, suffix=".py")
              if "ludex_tck" in code_of(p)]
    assert [p for p in speaks if p not in SPEAKS_OF_THE_KIT] == []


def test_every_module_stands_in_a_listed_room():
    known = rooms()
    homeless = [m for m in MODULES if m.startswith("ludex.") and room_of(m, known) is None]
    assert homeless == [], "name the room in the docstring of ludex/__init__.py"


def test_no_room_imports_one_that_stands_on_it():
    known = rooms()
    wrong = []
    for module in MODULES:
        room = room_of(module, known)
        if room is None:
            continue
        for imported in imports(module):
            other = room_of(imported, known)
            if other is not None and known.index(other) > known.index(room):
                wrong.append(f"{module} imports {imported}")
            # the package itself is made of all rooms but the command line
            if imported == "ludex" and room != "ludex.cli":
                wrong.append(f"{module} imports {imported}")
    assert wrong == []


def test_no_circle_of_imports():
    after = {m: imports(m, at_load=True) & MODULES.keys() for m in MODULES}
    done: set[str] = set()

    def walk(module: str, way: list[str]) -> None:
        if module in way:
            raise AssertionError(" -> ".join([*way[way.index(module):], module]))
        if module not in done:
            for other in sorted(after[module]):
                walk(other, [*way, module])
            done.add(module)

    for module in MODULES:
        walk(module, [])


@pytest.mark.parametrize(
    ("package", "extras"), [("ludex", []), ("ludex_tck", ["certify"])], ids=["ludex", "kit"]
)
def test_what_is_imported_is_declared(package: str, extras: list[str]):
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    lines = [*project["dependencies"]]
    for extra in extras:
        lines += project["optional-dependencies"][extra]
    declared = {re.match(r"[\w-]+", line).group().lower() for line in lines}
    found = packages_distributions()
    for module in MODULES:
        if module.split(".")[0] != package:
            continue
        for imported in imports(module):
            top = imported.split(".")[0]
            if top in sys.stdlib_module_names or top in ("ludex", "ludex_tck"):
                continue
            assert declared & {d.lower() for d in found[top]}, f"{module} imports {top}"


# -- what is public --------------------------------------------------------------------------

PACKAGES = [m for m, p in MODULES.items() if p.name == "__init__.py"]


@pytest.mark.parametrize("name", PACKAGES)
def test_a_package_lists_its_public_names(name: str):
    module = importlib.import_module(name)
    parts = {m.rpartition(".")[2] for m in MODULES if m.rpartition(".")[0] == name}
    public = set()
    for node in tree(MODULES[name]).body:
        if isinstance(node, ast.FunctionDef | ast.ClassDef):
            public.add(node.name)
        elif isinstance(node, ast.Assign):
            public |= {t.id for t in node.targets if isinstance(t, ast.Name)}
        elif isinstance(node, ast.ImportFrom) and (node.module or "").split(".")[0] == "ludex":
            # what a package imports for its own use has to be private; errors are everybody's
            public |= {a.asname or a.name for a in node.names if node.module != "ludex.errors"}
    public = {n for n in public if not n.startswith("_")}
    listed = set(getattr(module, "__all__", ()))
    assert {n for n in listed if not n.startswith("__")} == public - parts | (listed & parts)


@pytest.mark.parametrize("name", MODULES)
def test_all_names_what_is_there(name: str):
    module = importlib.import_module(name)
    is_package = MODULES[name].name == "__init__.py"
    assert is_package or hasattr(module, "__all__"), "a module says what of it is public"
    listed = list(getattr(module, "__all__", ()))
    assert [n for n in listed if not hasattr(module, n)] == []
    assert len(listed) == len(set(listed))


@pytest.mark.parametrize("folder", [LUDEX, KIT], ids=["ludex", "kit"])
def test_the_packages_are_typed(folder: Path):
    assert (folder / "py.typed").is_file()


# -- how things are written ------------------------------------------------------------------


def test_modules_are_short():
    for path in files(ROOT / "reference", ROOT / "conformance", suffix=".py"):
        name = path.relative_to(ROOT).as_posix()
        limit, _ = LONGER.get(name, (MAX_LINES, ""))
        lines = len(path.read_text("utf-8").splitlines())
        assert lines <= limit, f"{name} has {lines} lines, {limit} are allowed: split it by topic"


def docstrings(path: Path) -> set[int]:
    """Return the lines where docstrings begin."""
    found = set()
    for node in ast.walk(tree(path)):
        if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef):
            first = node.body[0] if node.body else None
            if isinstance(first, ast.Expr) and isinstance(first.value, ast.Constant):
                found.add(first.lineno)
    return found


def code_of(path: Path) -> str:
    """Return the text of a file; of a Python file without its docstrings."""
    text = path.read_text("utf-8")
    if path.suffix != ".py":
        return text
    skipped = docstrings(path)
    tokens = tokenize.generate_tokens(io.StringIO(text).readline)
    return "\n".join(
        t.string for t in tokens
        if not (t.type == tokenize.STRING and t.start[0] in skipped)
    )


def games() -> list[Path]:
    return sorted(p for p in (ROOT / "spec/games").iterdir() if p.is_dir())


def game_words() -> set[str]:
    """Return words that only the spec of one game has a right to."""
    words = {"flea", "dachshund"}
    for game in games():
        words |= {w for w in game.name.split("-") if len(w) > 3}
    return words


def test_engine_kit_and_adapters_know_no_game():
    assert game_words() >= {"poodle", "taxi"}
    pattern = re.compile("|".join(sorted(game_words())), re.IGNORECASE)
    suffixes = (".py", ".mjs", ".js")
    for path in files(LUDEX, KIT, ADAPTERS):
        if path.suffix in suffixes:
            found = pattern.search(code_of(path))
            assert found is None, f"{path.relative_to(ROOT)} says {found.group()!r}"


# A path on somebody's own machine: it means nothing to a reader.
PRIVATE_PATH = re.compile(r"(?<![\w.~\"'>:/])/(?:home|root|Users|work|mnt|srv)/\w")


def texts() -> Iterator[tuple[Path, str]]:
    for path in files(ROOT):
        try:
            yield path, path.read_text("utf-8")
        except UnicodeDecodeError:  # a picture
            continue


def test_no_file_names_a_path_of_somebodys_machine():
    assert PRIVATE_PATH.search("see /home/ann/x")
    assert not PRIVATE_PATH.search("a/home/x")
    for path, text in texts():
        for number, line in enumerate(text.splitlines(), 1):
            found = PRIVATE_PATH.search(line)
            if found is not None and path != Path(__file__).resolve():
                pytest.fail(f"{path.relative_to(ROOT)}:{number} says {found.group()!r}")


def test_links_lead_somewhere():
    # links between the pages in docs/ are checked when the site is built
    pages = [ROOT / "README.md", ROOT / "CHANGELOG.md", ROOT / "docs/development.md"]
    for page in pages:
        prose = re.sub(r"(?ms)^\s*```.*?^\s*```", "", page.read_text("utf-8"))
        for target in re.findall(r"\]\(([^)\s]+)\)", prose):
            if re.match(r"[a-z]+:|#", target):
                continue
            there = page.parent / target.partition("#")[0]
            assert there.exists(), f"{page.relative_to(ROOT)} links to {target}"


def test_the_changelog_tells_of_this_version():
    import ludex

    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    assert project["version"] == ludex.__version__
    changelog = (ROOT / "CHANGELOG.md").read_text("utf-8")
    headings = re.findall(r"(?m)^## \[?([^\]\s]+)", changelog)
    assert headings[0] in ("Unreleased", ludex.__version__)
    assert ludex.__version__ in changelog


# -- what tools say --------------------------------------------------------------------------


def tool(*command: str) -> None:
    if importlib.util.find_spec(command[0]) is None:
        pytest.skip(f"{command[0]} is not installed; the extra [test] brings it")
    done = subprocess.run(
        [sys.executable, "-m", *command],
        cwd=ROOT, stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=540,
    )
    assert done.returncode == 0, done.stdout + done.stderr


def test_ruff_finds_nothing():
    tool("ruff", "check", ".")


@pytest.mark.slow
def test_mypy_finds_nothing():
    tool("mypy")
