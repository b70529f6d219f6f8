"""Programs that misbehave, through ``ludex certify``: the verdicts, and that nothing stays behind.

What is expected follows from the list of breaches and the table of errors in ``docs/protocol.md``,
and from the meaning of the verdicts in ``docs/conformance.md``.
"""

import json
import sys
import time
from pathlib import Path

import pytest

from ludex.cli import main
from ludex_tck.schemas import instance_errors

HERE = Path(__file__).resolve().parent
MINIATURES = HERE / "programs" / "miniatures.py"
KUHN = HERE.parent / "games" / "kuhn-poker"
CLASSES = ("core", "state", "privacy", "robust", "explain")
LETTER = {"pass": "p", "fail": "f", "inconclusive": "i", "not-supported": "n"}

# right, however strange
RIGHT = (
    "right", "forks-children", "fills-stderr", "takes-its-time", "takes-more-and-more-memory",
    "reads-one-line-at-a-time",
)
# no way to talk to it: what is said about hello
MUTE = {
    "hangs-at-start": "expected an answer within 2 s, found none",
    "logs-at-once": "logs belong on standard error",
    "speaks-version-two": "the answer to hello is not well-formed: protocol",
}
# a breach that comes with a bet, in a game of the rules: its kind
BREACHES = {
    "hangs-on-bet": "silence",
    "closes-its-input": "silence",
    "closes-its-output": "exit",
    "exits-on-bet": "exit",
    "crashes-on-bet": "exit",
    "floods": "extra-answer",
    "logs-on-stdout": "not-json",
    "writes-latin-1": "not-utf8",
    "answers-nan": "not-json",
    "answers-huge-json": "flood",
    "answers-deep-json": "not-json",
    "writes-a-line-without-end": "flood",
    "answers-twice": "extra-answer",
    "leaves-one-answer-out": "not-a-response",
    "answers-with-a-wrong-id": "not-a-response",
    "answers-out-of-order": "not-a-response",
}
# what the process does when it is told to end: its kind
GOODBYES = {
    "hangs-at-the-end": "silence",
    "ignores-sigterm": "silence",
    "ends-with-status-one": "exit",
}
# of the class robust alone: the check
CLUMSY = {
    "crashes-on-what-is-not-json": "robust.not-a-request",
    "has-one-code-for-everything": "robust.unknown",
    "is-silent-about-what-has-no-id": "robust.not-a-request",
    "outlives-its-input": "robust.end",
    "shares-a-table-between-games": "robust.independent",
    "does-not-mind-what-is-left-over": "robust.tape",
}
# seen once, and not in a new process
FLAKY = ("crashes-once", "is-wrong-the-first-time", "crashes-at-the-first-start")
# answers that are wrong: the check
WRONG = {
    "claims-what-it-lacks": "core.legal-set",
    "refuses-its-game": "core.answers",
}


def is_running(pid):
    try:
        state = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0]
    except (FileNotFoundError, ProcessLookupError):
        return False
    return state != "Z"  # one that nobody has fetched yet does nothing any more


@pytest.fixture
def certify(tmp_path, monkeypatch, capfd):
    """Return a function that certifies a miniature: exit code, report or None, text, seconds."""
    monkeypatch.chdir(tmp_path)
    pids = tmp_path / "pids"
    monkeypatch.setenv("MINIATURE_PIDS", str(pids))

    def run(name, *options):
        words = ["certify", str(KUHN), "--profile", "smoke", "--cases", "3", "--report", "r.json",
                 "--start-timeout", "2" if name == "hangs-at-start" else "20",
                 "--reply-timeout", "1.5", "--stop-timeout", "1", "--max-line", "100000",
                 *options, "--", sys.executable, str(MINIATURES), name]
        monkeypatch.setattr(sys, "argv", ["ludex", *words])
        began = time.monotonic()
        with pytest.raises(SystemExit) as ended:
            main()
        seconds = time.monotonic() - began
        out, err = capfd.readouterr()
        assert "Traceback" not in out + err
        started = [int(pid) for pid in pids.read_text().split()]
        assert started
        patience = time.monotonic() + 5  # a signal takes its time
        while any(map(is_running, started)) and time.monotonic() < patience:
            time.sleep(0.02)
        assert [pid for pid in started if is_running(pid)] == []
        path = Path("r.json")
        report = json.loads(path.read_text()) if path.exists() else None
        if report is not None:
            assert instance_errors(report, "report") == []
        return ended.value.code, report, " ".join((out + err).split()), seconds

    return run


def letters(report):
    return "".join(LETTER[report["classes"][c]] for c in CLASSES if c in report["classes"])


@pytest.mark.parametrize("name", RIGHT)
def test_a_strange_program_may_be_right(name, certify):
    status, report, out, _ = certify(name)
    assert (status, report["verdict"], letters(report)) == (0, "conforms", "ppppp"), out
    assert report["findings"] == report["robust"] == report["goodbye"] == report["start"] == []


@pytest.mark.parametrize("name", MUTE)
def test_a_program_that_does_not_introduce_itself_does_not_conform(name, certify):
    status, report, out, _ = certify(name)
    assert (status, report["verdict"], letters(report)) == (1, "does not conform", "fiiii")
    assert MUTE[name] in out


@pytest.mark.parametrize("name", BREACHES)
def test_a_breach_that_comes_again_is_a_failure(name, certify):
    status, report, out, _ = certify(name, "--class", "core", "--class", "state",
                                     "--class", "privacy")
    assert (status, report["verdict"]) == (1, "does not conform"), out
    [finding] = report["findings"]
    assert finding["check"] == "core.answers"
    assert finding["breach"]["kind"] == BREACHES[name], out
    assert finding["reproduced"]
    # the game ends with what shows it
    if name != "logs-on-stdout":
        assert finding["record"][-1]["move"] == "bet" or name == "answers-out-of-order"
    assert report["classes"]["core"] == "fail"
    assert letters(report)[1:3] in ("ii", "pp")
    assert "FAIL core.answers" in out
    assert "DOES NOT CONFORM" in out


def test_the_last_words_of_a_program_are_shown(certify):
    _, report, out, _ = certify("crashes-on-bet", "--class", "core")
    assert report["findings"][0]["breach"]["stderr"] == "KeyError: 'bet'"
    assert "KeyError: 'bet'" in out
    assert "signal SIGSEGV" in out


@pytest.mark.parametrize("name", GOODBYES)
def test_a_bad_end_that_comes_again_is_a_failure(name, certify):
    status, report, out, _ = certify(name)
    assert (status, report["verdict"]) == (1, "does not conform"), out
    assert report["findings"] == []
    assert [b["kind"] for b in report["goodbye"]] == [GOODBYES[name]] * 2
    # the class robust ends the input without bye, which they do not mind
    assert letters(report) == "fpppp"
    assert "FAIL core.answers: bye" in out


@pytest.mark.parametrize("name", CLUMSY)
def test_a_clumsy_program_plays_by_the_rules_and_is_not_robust(name, certify):
    status, report, out, _ = certify(name)
    assert (status, report["verdict"]) == (1, "does not conform"), out
    assert report["findings"] == []
    assert letters(report) == "pppfp", out
    fault = report["robust"][0]
    assert (fault["check"], fault["reproduced"]) == (CLUMSY[name], True), out
    assert f"FAIL {CLUMSY[name]}" in out
    assert "--class robust" in out


@pytest.mark.parametrize("name", FLAKY)
def test_what_does_not_come_again_is_flaky_and_inconclusive(name, certify):
    status, report, out, _ = certify(name)
    assert (status, report["verdict"]) == (3, "inconclusive"), out
    assert report["classes"]["core"] == "inconclusive"
    assert [f["reproduced"] for f in report["findings"]] in ([], [False])
    assert "FLAKY" in out
    assert "INCONCLUSIVE" in out


@pytest.mark.parametrize("name", WRONG)
def test_what_hello_promises_is_held_against_it(name, certify):
    status, report, out, _ = certify(name)
    assert (status, report["verdict"]) == (1, "does not conform"), out
    checks = [report["findings"][0]["check"], *report["findings"][0]["other_checks"]]
    assert WRONG[name] in checks
    if name == "claims-what-it-lacks":
        assert {"state.table", "core.legal-set", "privacy.observation"} <= set(checks)


def test_silence_costs_no_more_than_it_must(certify):
    *_, seconds = certify("hangs-on-bet", "--class", "robust")
    # the quiet game, the probe, and once more
    assert seconds < 30


def test_each_miniature_is_tried():
    text = MINIATURES.read_text()
    everything = {*RIGHT, *MUTE, *BREACHES, *GOODBYES, *CLUMSY, *FLAKY, *WRONG}
    declared = {line[4:].split("(")[0].replace("_", "-") for before, line in
                zip(text.splitlines(), text.splitlines()[1:], strict=False)
                if before.startswith(("@misbehaviour", "@on("))}
    assert declared == everything
