"""A thousand small runs of ``ludex certify``, of right and wrong programs: are they judged alike?

Run it by hand: ``python tests/kit/thousand_runs.py [RUNS]``. Each run has another seed. A right
program must conform each time, and a wrong one must fail each time: any other verdict is printed,
and makes the status 1. The programs are the miniatures of this folder, which play Kuhn poker.
"""

import contextlib
import functools
import io
import json
import os
import sys
import tempfile
import time
from collections import Counter
from dataclasses import replace
from pathlib import Path

from ludex.authoring.document import load_document
from ludex.cli import main as ludex
from ludex_tck import cli
from ludex_tck.games import Games
from ludex_tck.profiles import PROFILES

# the rules are the same in all runs, so they are read and compiled once
cli.load_document = functools.cache(load_document)
_GAMES = []
cli.Games = lambda document: _GAMES[0] if _GAMES else _GAMES.append(Games(document)) or _GAMES[0]

# on a busy machine, nothing is to be judged by the clock
PROFILES["smoke"] = replace(PROFILES["smoke"], seconds=3600)
PATIENT = ["--start-timeout", "300", "--reply-timeout", "300", "--stop-timeout", "60"]

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[1]
KUHN = ROOT / "tests" / "games" / "kuhn-poker"
MINIATURES = HERE / "programs" / "miniatures.py"
KINDS = HERE / "programs" / "kinds.py"
CONFORMS, FAILS = "conforms", "does not conform"

# Not explain: three games may have no refusal, and then it is rightly inconclusive.
CLASSES = [w for c in ("core", "state", "privacy", "robust") for w in ("--class", c)]
# What is quick to notice; silence takes its time and has tests of its own.
PROGRAMS = [
    (MINIATURES, "right", CONFORMS),
    (KINDS, "DrawsItsOwn", CONFORMS),
    (KINDS, "HoldsTheDeck", CONFORMS),
    (MINIATURES, "crashes-on-bet", FAILS),
    (MINIATURES, "right", CONFORMS),
    (MINIATURES, "floods", FAILS),
    (KINDS, "OwnsItsLoop", CONFORMS),
    (MINIATURES, "answers-twice", FAILS),
    (MINIATURES, "fills-stderr", CONFORMS),
    (MINIATURES, "logs-on-stdout", FAILS),
    (KINDS, "KnowsWholeTurns", CONFORMS),
    (KINDS, "LoopRefusesToCall", FAILS),
    (MINIATURES, "forks-children", CONFORMS),
    (MINIATURES, "crashes-on-what-is-not-json", FAILS),
    (KINDS, "ReportsAnAce", FAILS),
    (MINIATURES, "shares-a-table-between-games", FAILS),
]


def run(program, name, seed, folder):
    """Return the verdict of one run."""
    os.environ["MINIATURE_PIDS"] = str(folder / "pids")
    (folder / "pids").write_text("")
    sys.argv = [
        "ludex", "certify", str(KUHN), "--profile", "smoke", "--cases", "3", "--seed", str(seed),
        "--format", "json", "--findings", str(folder / f"found-{seed}"), *CLASSES, *PATIENT,
        # without the site packages, which these programs do not need, Python starts faster
        "--", sys.executable, "-S", str(program), name,
    ]
    out, err = io.StringIO(), io.StringIO()
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
        try:
            ludex()
        except SystemExit as ended:
            status = ended.code
    try:
        return json.loads(out.getvalue())["verdict"]
    except ValueError:
        return f"status {status}: {err.getvalue()[-300:]}"


def main():
    runs = int(sys.argv[1]) if len(sys.argv) > 1 else 1000
    began = time.monotonic()
    verdicts = Counter()
    wrong = 0
    with tempfile.TemporaryDirectory() as name:
        for seed in range(runs):
            program, what, expected = PROGRAMS[seed % len(PROGRAMS)]
            verdict = run(program, what, seed, Path(name))
            verdicts[verdict] += 1
            if verdict != expected:
                wrong += 1
                print(f"seed {seed}: {what}: expected {expected}, found {verdict}", flush=True)
            if (seed + 1) % 50 == 0:
                seconds = time.monotonic() - began
                print(f"{seed + 1} runs, {wrong} unexpected, {seconds:.0f} s", flush=True)
    print(", ".join(f"{count} {verdict}" for verdict, count in verdicts.most_common()))
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
