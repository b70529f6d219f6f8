"""The commands of the kit: what they print, which files they write, how they end."""

import json
import os
import pty
import select
import subprocess
import sys
from pathlib import Path

import pytest
from kit.games import planned
from kit.wrong import DOCUMENT

from ludex.cli import main
from ludex.records import write_record
from ludex_tck.schemas import instance_errors
from ludex_tck.scripts import record_of

WRONG = str(Path(__file__).with_name("wrong.py"))
PROGRAMS = Path(__file__).with_name("programs")


def program(name, *players):
    return ["--", sys.executable, WRONG, name, *map(str, players)]


@pytest.fixture(scope="module")
def document_file(document, tmp_path_factory):
    path = tmp_path_factory.mktemp("document") / "document.json"
    path.write_text(json.dumps(document), "utf-8")
    return path


@pytest.fixture
def ludex(tmp_path, monkeypatch, capfd, document_file):
    """Return a function that runs a command in an empty folder: status, output, errors."""
    monkeypatch.chdir(tmp_path)
    # a program under test imports what this test does
    monkeypatch.setenv(DOCUMENT, str(document_file))
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join(p for p in sys.path if p))

    def run(*words):
        monkeypatch.setattr(sys, "argv", ["ludex", *words])
        with pytest.raises(SystemExit) as ended:
            main()
        out, err = capfd.readouterr()
        assert "Traceback" not in err
        return ended.value.code, out, err

    return run


def words(text):
    return " ".join(text.split())


EVERYTHING = ("certify", "poodle-taxi", "--profile", "smoke", "--cases", "4")
# what a command prints and writes does not depend on the class robust, which takes most of the time
SMOKE = (*EVERYTHING, "--class", "core", "--class", "state", "--class", "privacy")


# ---- certify ------------------------------------------------------------------------------------


def test_a_right_program_gets_a_certificate_that_can_be_verified(ludex, tmp_path):
    status, out, err = ludex(*EVERYTHING, "--certificate", "out/c.json", "--report", "r.json",
                             *program("right", 2, 3))
    assert (status, err) == (0, "")  # no progress in a pipe
    assert "CONFORMS" in out
    assert "certificate: out/c.json" in out
    made = json.loads((tmp_path / "out/c.json").read_text())
    assert instance_errors(made, "certificate") == []
    assert made["implementation"]["files"].keys() == {WRONG}
    assert made["players"] == [2, 3]
    report = json.loads((tmp_path / "r.json").read_text())
    assert instance_errors(report, "report") == []
    assert report["verdict"] == "conforms"
    assert report["counts"]["cases"] == report["counts"]["planned"] == 4
    assert sorted(p.name for p in tmp_path.iterdir()) == ["out", "r.json"]

    status, out, _ = ludex("verify", "out/c.json", *program("right", 2, 3))
    assert (status, out.splitlines()[-1]) == (0, "VERIFIED")
    # another program conforms as well, but the certificate does not speak of it
    status, out, _ = ludex("verify", "out/c.json", *program("bare", 2, 3))
    assert status == 1
    assert "DIFFERS FROM THE CERTIFICATE in capabilities, classes" in words(out)
    # rules of another meaning
    made["rules_digest"] = "sha256:" + 64 * "0"
    (tmp_path / "other.json").write_text(json.dumps(made))
    status, out, _ = ludex("verify", "other.json", *program("right", 2, 3))
    assert status == 1
    assert "the certificate is for rules_digest" in words(out)


def test_a_wrong_program_gets_a_record_that_shows_it(ludex, tmp_path):
    status, out, err = ludex(*SMOKE, "--certificate", "c.json", "--report", "r.json",
                             "--findings", "found", *program("no-cover"))
    assert (status, err) == (1, "")
    assert out.splitlines()[0].startswith("Poodle Taxi, edition 1")
    assert "FAIL core.legal-set: a legal move is not listed" in words(out)
    assert "DOES NOT CONFORM" in out
    assert "no certificate is written" in out
    assert not (tmp_path / "c.json").exists()
    assert json.loads((tmp_path / "r.json").read_text())["findings"][0]["rule"] == "4.6"
    [record] = (tmp_path / "found").iterdir()
    assert record.name == "poodle-taxi-core.legal-set-4.6.jsonl"
    # one command replays it
    [line] = [x for x in out.splitlines() if "ludex replay" in x]
    replay = line.split("ludex ", 1)[1].split()
    assert replay[:2] == ["replay", "found/poodle-taxi-core.legal-set-4.6.jsonl"]
    status, out, _ = ludex(*replay)
    assert (status, out.splitlines()[-1]) == (1, "FAILED")
    assert "FAIL core.legal-set" in words(out)
    assert "random games" not in out  # it says nothing about games that were not played
    status, out, _ = ludex("replay", str(record), *program("right"))
    assert (status, out[:5]) == (0, "FIXED")


def test_json_output_is_nothing_but_the_report(ludex):
    status, out, err = ludex(*SMOKE, "--format", "json", *program("leaks-hands"))
    report = json.loads(out)
    assert (status, err) == (1, "")
    assert instance_errors(report, "report") == []
    assert report["classes"]["privacy"] == "fail"


def test_only_the_class_that_is_asked_for_counts(ludex):
    status, out, _ = ludex(*EVERYTHING, "--class", "core", "--class", "state",
                           *program("leaks-hands"))
    assert status == 0
    assert "privacy" not in out
    assert ludex(*EVERYTHING, "--class", "privacy", *program("leaks-hands"))[0] == 1


def test_what_comes_and_goes_is_inconclusive(ludex):
    rules = ("--class", "core", "--class", "state")
    status, out, _ = ludex(*EVERYTHING, *rules, *program("remembers-fleas"))
    assert status == 3
    assert "NOT ALONE state.table" in words(out)
    assert "after another game in the same process it does" in words(out)
    assert "INCONCLUSIVE" in out


def test_a_program_that_ends_badly_does_not_conform(ludex):
    status, out, _ = ludex(*SMOKE, *program("crashes-on-bye"))
    assert status == 1
    assert "core.answers: bye:" in out
    assert "oops" in out


def test_a_silent_program_fails_within_its_limits(ludex):
    status, out, _ = ludex(*SMOKE, "--reply-timeout", "1", "--cases", "1",
                           *program("silent-on-cover"))
    assert status == 1
    assert "expected an answer within 1 s, found none" in words(out)


@pytest.mark.parametrize("option", ["--start-timeout", "--reply-timeout", "--stop-timeout"])
def test_a_limit_is_a_number(ludex, option):
    status, out, err = ludex(*SMOKE, option, "nan", *program("right"))
    assert (status, out) == (2, "")
    assert "nan is no number of seconds" in err


def test_an_option_of_the_program_belongs_behind_the_dashes(ludex):
    status, _, err = ludex(*SMOKE, "python3", "program.py", "--fault", "x")
    assert status == 2
    assert "No such option" in err
    assert "--fault" in err
    assert "Options of the program stand behind --" in words(err)
    assert "Did you mean" not in err


@pytest.mark.parametrize("option", ["--report", "--certificate", "--findings"])
def test_where_nothing_can_be_written_is_said_before_the_games(ludex, tmp_path, option):
    (tmp_path / "folder").mkdir()
    (tmp_path / "file").write_text("")
    place = "file" if option == "--findings" else "folder"
    status, out, err = ludex(*SMOKE, option, place, *program("right"))
    assert (status, out) == (2, "")
    assert "[usage.write]" in err


def test_a_folder_is_no_program(ludex, tmp_path):
    (tmp_path / "folder").mkdir()
    status, _, err = ludex(*SMOKE, "--", "./folder")
    assert status == 2
    assert "found a folder [usage.command]" in words(err)


def test_a_list_of_known_failures_that_is_no_yaml_is_told_with_its_place(ludex, tmp_path):
    (tmp_path / "known.yaml").write_text("game: [\n  *a\n")
    status, _, err = ludex(*SMOKE, "--known", "known.yaml", *program("right"))
    assert status == 2
    assert "known.yaml:2:3: expected a value, found an alias (*)" in words(err)


def test_a_report_that_cannot_be_written_is_shown_all_the_same(ludex, tmp_path):
    (tmp_path / "file").write_text("")
    status, out, err = ludex(*SMOKE, "--report", "file/r.json", *program("right"))
    assert status == 2
    assert "CONFORMS" in out
    assert "cannot write file/r.json" in err
    assert [p.name for p in tmp_path.iterdir()] == ["file"]


def test_progress_is_for_terminals_only(tmp_path):
    """On a terminal there is a bar on standard error; standard output stays clean."""
    reader, writer = pty.openpty()
    command = [sys.executable, "-c", "from ludex.cli import main; main()", *SMOKE,
               *program("right")]
    env = {**os.environ, "PYTHONPATH": os.pathsep.join(p for p in sys.path if p), "TERM": "xterm"}
    with subprocess.Popen(command, cwd=tmp_path, env=env, stdout=subprocess.PIPE,
                          stderr=writer) as child:
        os.close(writer)
        out, err = b"", b""
        assert child.stdout is not None
        open_ends = [child.stdout.fileno(), reader]
        while open_ends:
            for end in select.select(open_ends, [], [], 60)[0]:
                try:
                    chunk = os.read(end, 65536)
                except OSError:  # the terminal's other side is closed
                    chunk = b""
                if not chunk:
                    open_ends.remove(end)
                elif end == reader:
                    err += chunk
                else:
                    out += chunk
        assert child.wait() == 0
    os.close(reader)
    assert b"games" in err
    assert b"games" in out  # "4 of 4 random games"
    assert b"\x1b" not in out


# ---- one clear error ----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("command", "status", "said", "hint"),
    [
        (["./no-such-program"], 2, "found no such program", "on the PATH"),
        ([sys.executable, "-c", ""], 1, "the end of the process with status 0", "by hand"),
        ([sys.executable, "-c", "import sys; sys.exit('no display')"], 1, "with status 1",
         "its last words: no display"),
        ([sys.executable, "-c", "print('Hello!'); input()"], 1, "expected JSON",
         "logs belong on standard error"),
        ([sys.executable, str(PROGRAMS / "right.py")], 1, "the answer to hello is not well-formed",
         "hello.result.schema.json"),
        (program("unknown-game")[1:], 1, "does not play poodle-taxi, edition 1",
         "it plays blue-pebble edition 1"),
        (program("other-components")[1:], 1, "does not know the component set 'standard'",
         "it knows deluxe"),
        (program("wrong-protocol")[1:], 1, "protocol: 1 was expected", "docs/protocol.md"),
        (program("no-tape")[1:], 1, "chance:tape", "docs/protocol.md"),
        (program("hello-fails")[1:], 1, "error -32602: no", "protocol 1"),
        (program("hello-crashes")[1:], 1, "with status 3", "its last words: oops"),
    ],
)
def test_a_program_that_cannot_be_tested_is_one_error(ludex, command, status, said, hint):
    verb = "try" if "found" in said or "status" in said else "certify"
    found, out, err = ludex(verb, "poodle-taxi", "--", *command)
    assert (found, out) == (status, "")
    assert said in err
    assert hint in err
    assert err.startswith("ludex: ")
    assert len(err.splitlines()) <= 2


@pytest.mark.parametrize(
    ("command", "code", "classes"),
    [
        ([sys.executable, "-c", ""], "hello.breach", ["fail", "inconclusive"]),
        (program("unknown-game")[1:], "hello.game", ["not-supported", "not-supported"]),
        (program("hello-fails")[1:], "hello.error", ["fail", "inconclusive"]),
    ],
)
def test_what_cannot_be_tested_is_reported_as_json_too(ludex, command, code, classes):
    status, out, err = ludex("certify", "poodle-taxi", "--class", "core", "--class", "state",
                             "--format", "json", "--report", "r.json", "--", *command)
    assert status == 1
    report = json.loads(out)
    assert report == json.loads(Path("r.json").read_text())
    assert instance_errors(report, "report") == []
    assert report["verdict"] == "does not conform"
    assert report["hello"]["code"] == code
    assert report["hello"]["message"] in err
    assert report["implementation"] is None
    assert list(report["classes"].values()) == classes
    assert ("breach" in report["hello"]) == (code == "hello.breach")


@pytest.mark.parametrize(
    ("line", "said"),
    [
        (["certify", "poodle-taxi"], "Missing argument '-- COMMAND...'"),
        (["try", "poodle-taxi"], "Missing argument '-- COMMAND...'"),
        (["certify", "poodle-taxi", "--profile", "huge", "--", "cat"], "'huge' is not one of"),
        (["certify", "poodle-taxi", "--class", "speed", "--", "cat"], "'speed' is not one of"),
        (["certify", "poodle-taxi", "--cases", "0", "--", "cat"], "0 is not in the range"),
        (["certify", "poddle-taxi", "--", "cat"], "no game 'poddle-taxi'"),
        (["certify", "poodle-taxi", "--components", "deluxe", "--", "cat"], "deluxe"),
        (["replay", "nothing.jsonl", "--", "cat"], "cannot read nothing.jsonl"),
        (["verify", "nothing.json", "--", "cat"], "cannot read nothing.json"),
        (["try", "poodle-taxi", "--players", "7", *program("right")], "2, 3, 4 players"),
        (["try", "poodle-taxi", "--players", "3", *program("right")], "supports 2 players"),
    ],
)
def test_a_wrong_call_ends_with_status_2(ludex, line, said):
    status, out, err = ludex(*line)
    assert (status, out) == (2, "")
    assert said in err


# ---- replay -------------------------------------------------------------------------------------


def test_replay_tells_flaky_from_failed(ludex, tmp_path):
    path = tmp_path / "game.jsonl"
    write_record(path, record_of(planned("replay")))
    # wrong in every second process
    code = (
        "import sys, pathlib\n"
        "starts = pathlib.Path('starts')\n"
        "count = len(starts.read_text()) if starts.exists() else 0\n"
        "starts.write_text('x' * (count + 1))\n"
        "sys.argv[1:] = ['refuses-cover' if count % 2 else 'right', '2']\n"
        f"sys.path.insert(0, {str(Path(WRONG).parent)!r})\n"
        "import wrong; wrong.main()\n"
    )
    status, out, _ = ludex("replay", str(path), "--", sys.executable, "-c", code)
    assert len((tmp_path / "starts").read_text()) >= 3
    assert (status, out[:5]) == (3, "FLAKY")
    assert ludex("replay", str(path), *program("refuses-cover"))[0] == 1
    assert ludex("replay", str(path), *program("right"))[0] == 0


def test_replay_finds_the_component_set_of_the_record(ludex, tmp_path):
    from kit.games import chooser, game

    from ludex_tck.planning import plan

    path = tmp_path / "game.jsonl"
    write_record(path, record_of(plan(game(2, "small"), chooser(1), plies=5)))
    status, _, err = ludex("replay", str(path), *program("right"))
    # the program plays with the standard set only, and says so
    assert status == 1
    assert "does not know the component set 'small'" in err


def test_replay_does_not_blame_a_program_for_what_it_does_not_claim(ludex, tmp_path):
    path = tmp_path / "game.jsonl"
    write_record(path, record_of(planned("three", 3)))
    status, _, err = ludex("replay", str(path), *program("right", 2))
    assert status == 2
    assert "needs 3 players, which the program does not support" in err
    write_record(path, record_of(planned("hidden", 2, flea_count="hidden")))
    status, _, err = ludex("replay", str(path), *program("one-reading", 2))
    assert status == 2
    assert "needs ruling" in err


def test_a_damaged_record_is_one_error_with_its_place(ludex, tmp_path):
    path = tmp_path / "game.jsonl"
    write_record(path, record_of(planned("damaged")))
    path.write_text(path.read_text().replace('"move"', '"mvoe"', 1))
    status, out, err = ludex("replay", str(path), *program("right"))
    assert (status, out) == (2, "")
    assert err.startswith(f"ludex: {path}:2:")


# ---- try ----------------------------------------------------------------------------------------


def test_try_shows_each_request_beside_its_answer(ludex):
    status, out, err = ludex("try", "poodle-taxi", *program("right", 3))
    assert (status, err) == (0, "")
    lines = out.splitlines()
    assert lines[0].startswith("hello: ludex-reference 1.0 (Python)")
    sent = [json.loads(x[2:]) for x in lines if x.startswith("> ")]
    answers = [json.loads(x[2:]) for x in lines if x.startswith("< ")]
    # three players, so 36 cards and as many moves after the setup
    assert [r["method"] for r in sent] == ["new_game", *["apply"] * 36]
    assert sent[0]["params"]["players"] == 3
    assert answers[-1]["outcome"] is not None
    assert lines[-1] == "All 37 answers are right. Next: ludex certify"


def test_try_stops_at_the_first_difference(ludex):
    status, out, _ = ludex("try", "poodle-taxi", *program("deals-another-card"))
    assert status == 1
    assert out.count("\n> ") == 1
    assert "state.table: state.hand.p1 differs" in out
    tail = out.split("state.hand.p1 differs")[1]
    assert "expected [" in tail
    assert "actual   [" in tail


def test_try_shows_the_last_words_of_a_program(ludex):
    status, out, _ = ludex("try", "poodle-taxi", *program("crashes-on-cover"))
    assert status == 1
    assert "! expected an answer, found the end of the process with status 3" in out
    assert out.rstrip().endswith("oops")
