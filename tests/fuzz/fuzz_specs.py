"""Damage real specs and expressions: they must be read, or refused with a `LudexError`, soon.

    python tests/fuzz/fuzz_specs.py [INPUTS] [SEED] [--seconds S] [--memory MIB] [--each N]

Every tenth input (or each Nth) is a whole game with one file damaged: bytes, tokens and lines,
expressions, or the data that the file holds. If it is accepted, it is compiled and a few moves are
played. The others are expressions, typed against the names of their game. The undamaged files of a
game are read once; one spec in twenty is written out and read from its folder, as commands do it.

Exits with 1 if anything but a `LudexError` comes up, or if an input takes too long; the input is
then kept in a folder that is printed. The memory of the whole process is limited.
"""

from __future__ import annotations

import argparse
import random
import re
import resource
import shutil
import signal
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from types import FrameType
from typing import Any

import yaml

from ludex.authoring.document import build_document, load_document
from ludex.authoring.folder import FILES, GameFolder, read_folder
from ludex.authoring.schema_check import check
from ludex.authoring.source import Cursor
from ludex.authoring.strict_yaml import read_yaml
from ludex.engine import Game, Seeded
from ludex.errors import LudexError, SpecErrors
from ludex.language.checker import ExpressionError, Names, Scope, check_expression
from ludex.language.types import Type, parse_type

ROOT = Path(__file__).resolve().parents[2]
GAMES = (
    ROOT / "spec/template",
    *(ROOT / "spec/games" / game for game in ("poo", "poodle-taxi", "taxi-wildlife")),
    ROOT / "tests/specs/minimal",
    *sorted(p.parent for p in (ROOT / "tests/games").glob("*/game.yaml")),
)
#: One input in so many is a whole game; the others are expressions.
EXPRESSIONS = 10
#: One spec in so many is read from a folder.
FOLDERS = 20
#: No input may take longer to be read or refused, in seconds of wall time.
READ = 10.0
#: Playing what was accepted is stopped after this; a spec may well make a long game.
PLAY = 2.0

TOKEN = re.compile(r"\n[ ]*|[A-Za-z_]\w*|\d+|[ ]+|&&|\|\||[=!<>]=|.", re.DOTALL)
WORDS = (
    "null", "true", "false", "-1", "0", "9007199254740992", "99999999999999999999", "''", "'x'",
    "players", "n_players", "actor", "rulings", "options", "in", "size", "top", "first", "map",
    "flat_map", "sum", "range", "or", "seats_after", "optional(", "list(", "map(player, ", "bag(",
    "deck(", "slot(", "(", ")", "[", "]", "{", "}", ":", ",", ".", "?", "!", "-", "&&", "||", "==",
    "<", "+", "/", "%", "\t", "\x00", "\ufeff", "é", "\U0001f409", "- ", "? ", "&a ", "*a ", "!t ",
    "<<: ", "---\n", "|\n", "#", "\"", "'", "goto", "do", "set", "when", "each", "repeat", "fill",
    "match", "cases", "else", "draw", "shuffle", "move", "all", "card", "subset", "symmetries",
)
SIGNS = ("==", "!=", "<", "<=", ">", "+", "-", "*", "/", "%", "&&", "||", "in")
#: Large pieces: what is small when written may be deep or long when read.
HEAPS = (
    "(" * 70, "!" * 70, "-" * 500, "[" * 200, "{a: " * 120, " + 1" * 1500, "x." * 200, "1" * 5000,
    "[" + "1, " * 1500 + "1]", "size(" * 100, " ? 1 : 2" * 80, "a" * 5000, "'" + "b" * 4000 + "'",
    ".map(q, q)" * 60, "optional(" * 300,
)


@dataclass
class Tally:
    """What a run has seen."""

    counts: Counter[str] = field(default_factory=Counter)
    codes: Counter[str] = field(default_factory=Counter)
    slowest: dict[str, tuple[float, str]] = field(default_factory=dict)
    broken: list[str] = field(default_factory=list)

    def took(self, what: str, seconds: float, name: str) -> None:
        """Keep the slowest input of each sort."""
        if seconds > self.slowest.get(what, (0.0, ""))[0]:
            self.slowest[what] = (seconds, name)

    def words(self) -> str:
        """Return the tally for people."""
        lines = [f"{name}: {count}" for name, count in sorted(self.counts.items())]
        lines += [f"slowest {what}: {seconds:.2f} s ({name})"
                  for what, (seconds, name) in sorted(self.slowest.items())]
        lines.append(f"different error codes: {len(self.codes)}")
        return "\n".join(lines)


class TooSlow(Exception):
    """An input took longer than it may."""


@contextmanager
def at_most(seconds: float) -> Iterator[None]:
    """Raise `TooSlow` inside the block after so many seconds."""

    def stop(number: int, frame: FrameType | None) -> None:
        raise TooSlow

    before = signal.signal(signal.SIGALRM, stop)
    signal.setitimer(signal.ITIMER_REAL, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)


# -- damage ------------------------------------------------------------------------------------


def tokens(text: str, rng: random.Random, others: list[str], steps: int) -> str:
    """Replace, remove, double and exchange tokens."""
    found = TOKEN.findall(text)
    for _ in range(steps):
        if not found:
            return text
        at = rng.randrange(len(found))
        kind = rng.randrange(6)
        if kind == 0:
            found[at] = rng.choice(others)
        elif kind == 1:
            found[at] = rng.choice(WORDS)
        elif kind == 2:
            del found[at]
        elif kind == 3:
            found.insert(at, rng.choice(found))
        elif kind == 4:
            other = rng.randrange(len(found))
            found[at], found[other] = found[other], found[at]
        elif rng.random() < 0.2:
            found.insert(at, rng.choice(HEAPS))
        else:
            found.insert(at, rng.choice(WORDS))
    return "".join(found)


def by_bytes(raw: bytes, rng: random.Random, others: list[str]) -> bytes:
    data = bytearray(raw)
    for _ in range(rng.randrange(1, 6)):
        at = rng.randrange(len(data) + 1)
        kind = rng.randrange(5)
        if kind == 0:
            data[at:at] = bytes([rng.randrange(256)])
        elif kind == 1:
            del data[at : at + rng.randrange(1, 30)]
        elif kind == 2:
            data[at:at] = data[at : at + rng.randrange(1, 60)]
        elif kind == 3 and at < len(data):
            data[at] ^= 1 << rng.randrange(8)
        elif rng.random() < 0.1:
            del data[at:]
    return bytes(data)


def by_tokens(raw: bytes, rng: random.Random, others: list[str]) -> bytes:
    return tokens(raw.decode(), rng, others, rng.randrange(1, 6)).encode("utf-8", "replace")


def by_lines(raw: bytes, rng: random.Random, others: list[str]) -> bytes:
    lines = raw.decode().splitlines(keepends=True)
    for _ in range(rng.randrange(1, 4)):
        if not lines:
            break
        at = rng.randrange(len(lines))
        kind = rng.randrange(5)
        if kind == 0:
            del lines[at : at + rng.randrange(1, 5)]
        elif kind == 1:
            lines.insert(rng.randrange(len(lines)), lines[at])
        elif kind == 2:
            lines[at] = " " * rng.choice((1, 2, 4)) + lines[at]
        elif kind == 3:
            lines[at] = lines[at][2:] if lines[at].startswith("  ") else lines[at]
        else:
            end = at + rng.randrange(1, 8)
            block = lines[at:end]
            del lines[at:end]
            to = rng.randrange(len(lines) + 1)
            lines[to:to] = block
    return "".join(lines).encode()


def by_expressions(raw: bytes, rng: random.Random, others: list[str]) -> bytes:
    text = raw.decode()
    quoted = [m for m in re.finditer(r'"([^"\\\n]+)"', text) if not m[1][0].isdigit()]
    for match in sorted(rng.sample(quoted, min(len(quoted), rng.randrange(1, 3))),
                        key=lambda m: -m.start()):
        new = tokens(match[1], rng, others, rng.randrange(1, 5)).replace("\\", "").replace('"', "'")
        text = text[: match.start(1)] + new + text[match.end(1) :]
    return text.encode("utf-8", "replace")


def by_likeness(raw: bytes, rng: random.Random, others: list[str]) -> bytes:
    """In expressions, replace names by names, numbers by numbers and signs by signs."""
    text = raw.decode()
    quoted = [m for m in re.finditer(r'"([^"\\\n]+)"', text) if not m[1][0].isdigit()]
    names = [t for m in quoted for t in TOKEN.findall(m[1]) if t.isidentifier()] or ["x"]
    for match in sorted(rng.sample(quoted, min(len(quoted), rng.randrange(1, 3))),
                        key=lambda m: -m.start()):
        found = TOKEN.findall(match[1])
        at = rng.randrange(len(found))
        if found[at].isidentifier():
            found[at] = rng.choice(names)
        elif found[at].isdigit():
            found[at] = rng.choice(("0", "1", "2", "7", "1000", "null"))
        elif found[at] in SIGNS:
            found[at] = rng.choice(SIGNS)
        text = text[: match.start(1)] + "".join(found) + text[match.end(1) :]
    return text.encode()


def by_data(raw: bytes, rng: random.Random, others: list[str]) -> bytes:
    """Move values to where others were: the file stays good YAML."""
    data = yaml.load(raw, Loader=yaml.CSafeLoader)
    for _ in range(rng.randrange(1, 4)):
        spots = list(_spots(data))
        if not spots:
            break
        holder, key = rng.choice(spots)
        other, there = rng.choice(spots)
        kind = rng.randrange(5)
        try:
            if kind == 0:
                holder[key] = other[there]
            elif kind == 1:
                del holder[key]
            elif kind == 2 and isinstance(holder, dict):
                holder[rng.choice(others).strip() or "x"] = holder.pop(key)
            elif kind == 3:
                holder[key] = rng.choice(([], {}, 0, -1, True, None, "", "x", "1", [1], {"a": 1}))
            elif isinstance(holder, list):
                holder.insert(0, other[there])
        except (IndexError, KeyError, TypeError):
            continue
    try:
        return yaml.dump(data, Dumper=_NoAliases, allow_unicode=True, sort_keys=False,
                         default_style='"' if rng.random() < 0.3 else None).encode()
    except (RecursionError, ValueError):
        return raw  # a value was put into itself


class _NoAliases(yaml.SafeDumper):
    def ignore_aliases(self, data: Any) -> bool:
        return True


def _spots(value: Any, depth: int = 0) -> Iterator[tuple[Any, Any]]:
    if depth > 20:
        return
    keys = list(value) if isinstance(value, dict) else range(len(value)) \
        if isinstance(value, list) else ()
    for key in keys:
        yield value, key
        yield from _spots(value[key], depth + 1)


Damage = Callable[[bytes, random.Random, list[str]], bytes]
DAMAGES: dict[str, Damage] = {
    "bytes": by_bytes, "tokens": by_tokens, "lines": by_lines, "expressions": by_expressions,
    "data": by_data, "likeness": by_likeness,
}


# -- what is tried -----------------------------------------------------------------------------


class Fuzzer:
    """Makes inputs, tries them, and keeps what breaks.

    Parameters
    ----------
    seed : int
        Of everything.
    keep : Path
        Folder for inputs that break something.
    each : int
        One input in so many is a whole game.
    """

    def __init__(self, seed: int, keep: Path, each: int = EXPRESSIONS) -> None:
        self.seed = seed
        self.each = each
        self.keep = keep
        self.tally = Tally()
        self.work = Path(tempfile.mkdtemp(prefix="ludex-fuzz-"))
        self.texts = {game: "".join(f.read_text("utf-8") for f in sorted(game.rglob("*.yaml")))
                      for game in GAMES}
        self.words = {game: [t for t in TOKEN.findall(text) if t.strip()]
                      for game, text in self.texts.items()}
        self.read = {game: read_folder(game) for game in GAMES}
        self.scopes = [scope_of(load_document(game)) for game in GAMES]
        self.expressions = [
            sorted({m[1] for m in re.finditer(r'"([^"\\\n]+)"', (game / "game.yaml").read_text())})
            for game in GAMES
        ]

    def close(self) -> None:
        """Remove what was made."""
        shutil.rmtree(self.work, ignore_errors=True)

    def run(self, inputs: int, until: float = float("inf")) -> None:
        """Try so many inputs, or as many as the time allows."""
        for number in range(inputs):
            if time.monotonic() > until:
                break
            rng = random.Random(f"{self.seed} {number}")
            if number % self.each:
                self.expression(rng, number)
            else:
                self.spec(rng, number)

    def spec(self, rng: random.Random, number: int) -> None:
        """Damage one file of a game, and read it."""
        game = rng.choice(GAMES)
        file = rng.choice(sorted(p.relative_to(game) for p in game.rglob("*.yaml"))
                          + [Path("game.yaml")] * 4)
        how = rng.choice(list(DAMAGES))
        raw = DAMAGES[how]((game / file).read_bytes(), rng, self.words[game])
        name = f"spec {self.seed}.{number}, {how} of {game.name}/{file}"
        written = number // self.each % FOLDERS == 0
        folder = self.written(game, file, raw) if written else game
        components = file.stem if file.parent.name == "components" else "standard"
        self.tally.counts[f"specs, damage to {how}"] += 1
        begin = time.perf_counter()
        try:
            with at_most(READ):
                document = (load_document(folder, components) if written
                            else build_document(self.replaced(game, file, raw)))
        except LudexError as error:
            self.tally.counts["specs refused"] += 1
            self.answered(error, name, lambda: self.written(game, file, raw))
            return
        except BaseException as error:
            self.broke(error, name, self.written(game, file, raw))
            return
        finally:
            self.tally.took("spec", time.perf_counter() - begin, name)
        self.tally.counts["specs accepted"] += 1
        self.play(document, rng, name, lambda: self.written(game, file, raw))

    def written(self, game: Path, file: Path, raw: bytes) -> Path:
        """Return a folder with the damaged game."""
        folder = self.work / "game"
        shutil.rmtree(folder, ignore_errors=True)
        shutil.copytree(game, folder)
        (folder / file).write_bytes(raw)
        return folder

    def replaced(self, game: Path, file: Path, raw: bytes) -> GameFolder:
        """Return a game, read, with one file replaced."""
        name = "components" if file.parent.name == "components" else file.name
        document = read_yaml(raw, str(game / file))
        if errors := check(document, FILES.get(name, name)):
            raise SpecErrors(errors)
        return GameFolder(game, {**self.read[game].files, name: Cursor.root(document)})

    def play(
        self, document: dict[str, Any], rng: random.Random, name: str, folder: Callable[[], Path]
    ) -> None:
        """Play a few moves of a spec that was accepted."""
        begin = time.perf_counter()
        try:
            with at_most(PLAY):
                game = Game(document, rng.choice(document["players"]))
                state = game.initial_state(Seeded(rng.randrange(1000)))
                for _ in range(8):
                    actions = state.legal_actions()
                    if not actions or state.is_terminal:
                        break
                    state.apply_action(rng.choice(actions), Seeded(rng.randrange(1000)))
        except LudexError as error:
            self.tally.codes[error.code] += 1
            self.tally.counts["accepted, then a LudexError while playing"] += 1
        except TooSlow:
            # a game may be long, and a domain large: the author asked for it
            self.tally.counts["accepted, then stopped while playing"] += 1
        except BaseException as error:
            self.broke(error, name, folder())
        finally:
            self.tally.took("play", time.perf_counter() - begin, name)

    def expression(self, rng: random.Random, number: int) -> None:
        """Damage an expression, and type it."""
        which = rng.randrange(len(GAMES))
        scope, known = self.scopes[which], self.expressions[which]
        text = rng.choice(known)
        if rng.random() < 0.3:
            text += rng.choice((" == ", " + ", " && ", ".map(z, ", " ? 1 : ")) + rng.choice(known)
        if rng.random() < 0.9:
            text = tokens(text, rng, self.words[GAMES[which]], rng.randrange(1, 5))
        name = f"expression {self.seed}.{number}"
        self.tally.counts["expressions"] += 1
        begin = time.perf_counter()
        try:
            with at_most(READ):
                check_expression(text, scope, rng.choice((None, None, Type("int"), Type("bool"))))
            self.tally.counts["expressions accepted"] += 1
        except ExpressionError as error:
            self.tally.codes[error.code] += 1
            if not 0 <= error.offset <= len(text):
                self.broke(IndexError(f"offset {error.offset}"), name, text)
        except BaseException as error:
            self.broke(error, name, text)
        finally:
            self.tally.took("expression", time.perf_counter() - begin, name)

    def answered(self, error: LudexError, name: str, folder: Callable[[], Path]) -> None:
        """Check that a refusal is a decent answer."""
        for one in error.errors if isinstance(error, SpecErrors) else [error]:
            self.tally.codes[one.code] += 1
            decent = (
                "." in one.code and one.message and "\n" not in one.message
                and (one.place is None or min(one.place.line, one.place.column) >= 1)
            )
            if not decent:
                self.broke(AssertionError(f"no decent answer: {one}"), name, folder())

    def broke(self, error: BaseException, name: str, what: Path | str) -> None:
        """Keep an input that breaks something."""
        if isinstance(error, KeyboardInterrupt | SystemExit):
            raise error
        kept = self.keep / re.sub(r"[^\w.-]+", "-", name)
        if isinstance(what, str):
            kept.parent.mkdir(parents=True, exist_ok=True)
            kept.write_text(what, encoding="utf-8")
        else:
            shutil.copytree(what, kept, dirs_exist_ok=True)
        words = f"{name}: {type(error).__name__}: {error}\n    kept in {kept}"
        self.tally.broken.append(words)
        print(words, file=sys.stderr, flush=True)


def scope_of(document: dict[str, Any]) -> Scope:
    """Return the names of a game, with all its parameters as locals."""
    kinds = {kind: entry["members"] for kind, entry in document["kinds"].items()}
    records = {name: {f["name"]: f["type"] for f in fields}
               for name, fields in document["records"].items()}

    def typed(text: str) -> Type:
        return parse_type(text, kinds, records)

    names = Names(
        kinds=kinds,
        columns={kind: {c: typed(v["type"]) for c, v in entry["columns"].items()}
                 for kind, entry in document["kinds"].items()},
        records={name: {f: typed(t) for f, t in fields.items()}
                 for name, fields in records.items()},
        state={v["name"]: typed(v["type"]) for v in document["state"]},
        constants={c["name"]: typed(c["type"]) for c in document["constants"]},
        functions={f["name"]: ({p["name"]: typed(p["type"]) for p in f["params"]},
                               typed(f["type"])) for f in document["functions"]},
        rulings={name: r["values"] for name, r in document["rulings"].items()},
        options={name: Type(o["type"]) for name, o in document["options"].items()},
    )
    local = {"actor": Type("player"), "q": Type("player")}
    for part in (*document["functions"], *document["effects"], *document["moves"]):
        local.update({p["name"]: typed(p["type"]) for p in part["params"]
                      if p["name"] not in names.words()})
    return Scope(names, local)


def main() -> int:
    """Run from the command line."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("inputs", type=int, nargs="?", default=2000)
    parser.add_argument("seed", type=int, nargs="?", default=0)
    parser.add_argument("--seconds", type=float, default=float("inf"))
    parser.add_argument("--memory", type=int, default=1024, metavar="MIB")
    parser.add_argument("--each", type=int, default=EXPRESSIONS, metavar="N")
    given = parser.parse_args()
    limit = given.memory << 20
    resource.setrlimit(resource.RLIMIT_AS, (limit, limit))
    keep = Path(tempfile.gettempdir()) / "ludex-fuzz-kept"
    fuzzer = Fuzzer(given.seed, keep, given.each)
    begin = time.monotonic()
    try:
        fuzzer.run(given.inputs, begin + given.seconds)
    finally:
        fuzzer.close()
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024
    print(fuzzer.tally.words())
    print(f"{time.monotonic() - begin:.0f} s, at most {peak} MiB; "
          f"{len(fuzzer.tally.broken)} inputs broke something")
    return 1 if fuzzer.tally.broken else 0


if __name__ == "__main__":
    sys.exit(main())
