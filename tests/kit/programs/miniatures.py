"""Kuhn poker with one misbehaviour, which the command line names.

Each process notes its id, and those of its children, in the file that MINIATURE_PIDS names. A
misbehaviour gets what is asked and the right answer, and returns what is written instead.
"""

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from types import SimpleNamespace

from kuhn import ABOUT, Kuhn
from ludex_adapter import _ANSWERS, _REQUESTS, Tape, _Server, serve

PIDS = Path(os.environ["MINIATURE_PIDS"])
MISBEHAVIOURS = {}
FOR_EVER = 600
kept = []
told_bye = []


def note(pid):
    with PIDS.open("a") as file:
        file.write(f"{pid}\n")


def is_first():
    """Return whether no process was started before this one."""
    return len(PIDS.read_text().split()) == 1


def misbehaviour(function):
    MISBEHAVIOURS[function.__name__.replace("_", "-")] = function
    return function


def on(word):
    """Make a misbehaviour that comes with a method, or with a move."""

    def register(function):
        def only_then(asked, answer):
            return function(asked, answer) if word in (asked.method, asked.move) else answer

        MISBEHAVIOURS[function.__name__.replace("_", "-")] = only_then
        return function

    return register


def changed(answer, change):
    """Return an answer whose result is changed in place."""
    message = json.loads(answer)
    if "result" in message:
        change(message["result"])
    return json.dumps(message).encode() + b"\n"


@misbehaviour
def right(asked, answer):
    return answer


# ---- silence ------------------------------------------------------------------------------------


@on("hello")
def hangs_at_start(asked, answer):
    time.sleep(FOR_EVER)


@on("bet")
def hangs_on_bet(asked, answer):
    time.sleep(FOR_EVER)


@on("bye")
def hangs_at_the_end(asked, answer):
    os.write(_ANSWERS, answer)
    time.sleep(FOR_EVER)


@on("bye")
def ignores_sigterm(asked, answer):
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    time.sleep(FOR_EVER)


@on("bet")
def leaves_one_answer_out(asked, answer):
    return b""


@on("bet")
def closes_its_input(asked, answer):
    os.close(_REQUESTS)
    os.dup2(os.open(os.devnull, os.O_RDONLY), _REQUESTS)
    time.sleep(FOR_EVER)


@on("bet")
def closes_its_output(asked, answer):
    os.close(_ANSWERS)
    time.sleep(FOR_EVER)


# ---- ends ---------------------------------------------------------------------------------------


@on("bet")
def exits_on_bet(asked, answer):
    os._exit(0)


@on("bet")
def crashes_on_bet(asked, answer):
    os.write(2, b"KeyError: 'bet'\n")
    os.kill(os.getpid(), signal.SIGSEGV)


@on("bye")
def ends_with_status_one(asked, answer):
    os.write(_ANSWERS, answer)
    os._exit(1)


@on("bet")
def crashes_once(asked, answer):
    if is_first():
        os._exit(7)
    return answer


@on("hello")
def crashes_at_the_first_start(asked, answer):
    if is_first():
        os._exit(7)
    return answer


# ---- lines that are no answers ------------------------------------------------------------------


@on("bet")
def floods(asked, answer):
    while True:
        os.write(_ANSWERS, answer * 100)


@on("new_game")
def logs_on_stdout(asked, answer):
    return answer + b"the cards are dealt\n"


@on("hello")
def logs_at_once(asked, answer):
    return b"Kuhn poker 1.0, copyright\n" + answer


@on("bet")
def writes_latin_1(asked, answer):
    return answer.replace(b'"bet"', b'"\xfcber"').replace(b'"call"', b'"\xfcber"')


@on("bet")
def answers_nan(asked, answer):
    return answer.replace(b'"p1":2', b'"p1":NaN')


@on("bet")
def answers_huge_json(asked, answer):
    return changed(answer, lambda found: found.update(remark="x" * 2_000_000))


@on("bet")
def answers_deep_json(asked, answer):
    return answer.replace(b'"actors"', b'"remark":' + b"[" * 5000 + b"]" * 5000 + b',"actors"')


@on("bet")
def writes_a_line_without_end(asked, answer):
    while True:
        os.write(_ANSWERS, b"[" * 65536)


@on("bet")
def answers_twice(asked, answer):
    return answer * 2


@on("bet")
def answers_with_a_wrong_id(asked, answer):
    return changed(answer, lambda found: None).replace(b'"id": ', b'"id": 77')


@misbehaviour
def answers_out_of_order(asked, answer):
    if asked.move == "bet":
        kept.append(answer)
        return b""
    while kept:
        answer += kept.pop()
    return answer


# ---- hello --------------------------------------------------------------------------------------


@on("hello")
def speaks_version_two(asked, answer):
    return changed(answer, lambda found: found.update(protocol=2))


@misbehaviour
def claims_what_it_lacks(asked, answer):
    def less(found):
        for field in ("legal", "state", "observations"):
            found.pop(field, None)

    return answer if asked.method == "hello" else changed(answer, less)


@on("new_game")
def refuses_its_game(asked, answer):
    error = {"code": -32001, "message": "unknown game"}
    return json.dumps({"jsonrpc": "2.0", "id": asked.id, "error": error}).encode() + b"\n"


# ---- strange, and right -------------------------------------------------------------------------


@on("hello")
def forks_children(asked, answer):
    sleeper = "import signal, time; signal.signal(signal.SIGTERM, signal.SIG_IGN); time.sleep(600)"
    note(subprocess.Popen([sys.executable, "-c", sleeper], stdin=subprocess.DEVNULL).pid)
    return answer


@misbehaviour
def fills_stderr(asked, answer):
    os.write(2, b"thinking about it ...\n" * 3000)
    return answer


@misbehaviour
def takes_its_time(asked, answer):
    time.sleep(0.003)
    return answer


@misbehaviour
def takes_more_and_more_memory(asked, answer):
    kept.append(bytearray(100_000))
    return answer


@misbehaviour
def reads_one_line_at_a_time(asked, answer):
    return answer  # what is different is in main


# ---- from one game to another -------------------------------------------------------------------


@on("bet")
def is_wrong_the_first_time(asked, answer):
    return answer.replace(b'"p1":2', b'"p1":3') if is_first() else answer


@misbehaviour
def shares_a_table_between_games(asked, answer):
    """Show the bets of the game that was asked about before, if it is still open."""
    if asked.method == "end_game":
        kept.clear()
    elif asked.method in ("new_game", "apply") and b'"state"' in answer:
        paid = json.loads(answer)["result"]["state"]["paid"]
        if kept and kept[0][0] != asked.game:
            return changed(answer, lambda found: found["state"].update(paid=kept[0][1]))
        kept[:] = [(asked.game, paid)]
    return answer


# ---- faulty requests ----------------------------------------------------------------------------


@misbehaviour
def crashes_on_what_is_not_json(asked, answer):
    if b"-32700" in answer:
        os.write(2, b"JSONDecodeError\n")
        os._exit(1)
    return answer


@misbehaviour
def has_one_code_for_everything(asked, answer):
    message = json.loads(answer)
    if "error" in message:
        message["error"]["code"] = -32603
    return json.dumps(message).encode() + b"\n"


@misbehaviour
def is_silent_about_what_has_no_id(asked, answer):
    return b"" if asked.id is None else answer


@misbehaviour
def outlives_its_input(asked, answer):
    if asked.method == "bye":
        told_bye.append(True)
    return answer  # what is different is in main


@misbehaviour
def does_not_mind_what_is_left_over(asked, answer):
    Tape.finish = lambda self, moved=True: None
    return answer


def main():
    note(os.getpid())
    name = sys.argv[1]
    misbehave = MISBEHAVIOURS[name]
    answer_rightly = _Server.answer

    def answer(server, line):
        try:
            message = json.loads(line)
            params = message["params"]
            asked = SimpleNamespace(id=message.get("id"), method=message["method"],
                                    move=params.get("move", {}).get("move"),
                                    game=params.get("game_id"))
        except (ValueError, TypeError, KeyError, AttributeError, RecursionError):
            asked = SimpleNamespace(id=None, method=None, move=None, game=None)
        return misbehave(asked, answer_rightly(server, line))

    _Server.answer = answer
    if name == "reads-one-line-at-a-time":
        serve_line_by_line()
    else:
        serve(Kuhn, **ABOUT)
    if name == "outlives-its-input" and not told_bye:
        time.sleep(FOR_EVER)


def serve_line_by_line():
    """Answer each line before a byte of the next one is read."""
    server = _Server((Kuhn,), {**ABOUT, "language": "Python"}, (), ())
    with os.fdopen(_REQUESTS, "rb") as requests:
        while not server.bye and (line := requests.readline()):
            os.write(_ANSWERS, server.answer(line.rstrip(b"\n")))


if __name__ == "__main__":
    main()
