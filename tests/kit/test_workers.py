"""Several workers: the same report, and nothing that only one of them saw is lost."""

import os
import subprocess
import sys
import time
from pathlib import Path

import pytest

from ludex.authoring.document import load_document
from ludex_tck.batches import SIZE, batches, play_batch
from ludex_tck.profiles import PROFILES
from ludex_tck.report import verdict_of
from ludex_tck.scouts import Errand, Scouts, Seen
from ludex_tck.wire import Limits

HERE = Path(__file__).resolve().parent
KUHN = HERE.parent / "games" / "kuhn-poker"
KINDS = HERE / "programs" / "kinds.py"
# four batches, the last of them short
CASES = 3 * SIZE + 5


def certify(folder, name, workers, hash_seed):
    command = [
        sys.executable, "-c", "from ludex.cli import main; main()", "certify", str(KUHN),
        "--profile", "smoke", "--cases", str(CASES), "--stop-after", "3", "--class", "core",
        "--class", "state", "--workers", str(workers), "--report", "r.json",
        "--", sys.executable, str(KINDS), name,
    ]
    env = {**os.environ, "PYTHONHASHSEED": hash_seed,
           "PYTHONPATH": os.pathsep.join(p for p in sys.path if p)}
    folder.mkdir()
    done = subprocess.run(command, cwd=folder, env=env, capture_output=True, text=True, timeout=300,
                          check=False)
    assert done.stderr == ""
    return done.returncode, done.stdout, (folder / "r.json").read_bytes()


@pytest.mark.parametrize(("name", "status"), [("KnowsWholeTurns", 0), ("LoopRefusesToCall", 1)])
def test_the_report_is_the_same_with_any_number_of_workers(name, status, tmp_path):
    one = certify(tmp_path / "one", name, 1, "1")
    two = certify(tmp_path / "two", name, 2, "2")
    assert one == two
    assert one[0] == status
    assert f"{CASES} of {CASES} random games" in one[1]


def errand(command, document, seconds=60):
    return Errand(tuple(command), Limits(), document, PROFILES["smoke"], 0, ("core",),
                  time.monotonic() + seconds, frozenset())


def test_a_scout_whose_program_does_not_start_says_nothing():
    document = load_document(str(KUHN), "standard")
    with Scouts(2, errand([sys.executable, "-c", ""], document), 3) as scouts:
        assert [scouts.played(n, ()) for n in range(3)] == [None] * 3
        processes = list(scouts._processes)
    assert len(processes) == 2
    assert not any(p.is_alive() for p in processes)


def test_a_batch_does_not_depend_on_those_before(campaign_of, monkeypatch):
    monkeypatch.setattr("ludex_tck.batches.SIZE", 4)
    campaign = campaign_of("right", cases=8, fresh=True, classes=("core",))
    alone, _ = play_batch(campaign, 1)
    other, _ = play_batch(campaign, 0)
    again, _ = play_batch(campaign, 1)
    assert alone == again
    assert alone.digest != other.digest
    assert alone.tally.cases == other.tally.cases == 4
    assert [batches(n) for n in (1, 4, 5)] == [1, 1, 2]


class Says:
    """Stands for scouts that have seen something."""

    def __init__(self, part, seen):
        self.said = part, seen

    def played(self, number, past):
        return self.said


def test_what_only_a_scout_saw_is_flaky(campaign_of, document):
    wrong = campaign_of("no-cover")
    [finding] = wrong.findings
    campaign = campaign_of("right", cases=2, fresh=True)
    campaign.run_batch(0, Says(wrong.counts.part(), Seen.of(finding)))
    [there] = campaign.findings
    assert there.signature == finding.signature
    assert not there.reproduced
    # and it can be shown as if it had been seen here
    assert there.to_json()["record"] == finding.to_json()["record"]
    assert there.to_json()["expected"] == finding.to_json()["expected"]
    assert verdict_of(campaign) == "inconclusive"


def test_what_a_scout_found_right_is_only_counted(campaign_of):
    other = campaign_of("right", cases=3)
    campaign = campaign_of("right", cases=2, fresh=True)
    before = campaign.tally.moves
    sent = campaign.implementation.process
    answered = sent.answered
    campaign.run_batch(0, Says(other.counts.part(), None))
    assert campaign.tally.moves == before + other.tally.moves
    assert sent.answered == answered
