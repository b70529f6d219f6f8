"""The process driver, tried with programs that break the protocol in one way each."""

import os
import sys
import time
from pathlib import Path

import pytest

from ludex.errors import UsageError
from ludex_tck.driver import Answer, Breach, Limits, Process, Raw, RpcError
from ludex_tck.wire import suspicious

PROGRAMS = Path(__file__).parent / "programs"

# Generous where nothing is to run out, so that a busy machine fails no test.
PATIENT = Limits(start=20, reply=20, stop=5)
QUICK = Limits(start=20, reply=0.3, stop=0.3)


def process(name, *args, limits=PATIENT):
    return Process([sys.executable, str(PROGRAMS / f"{name}.py"), *args], limits)


def calls(count, method="apply", **params):
    return [{"method": method, "params": {"n": i, **params}} for i in range(count)]


def only_breach(name, *args, after=0, count=1, limits=PATIENT):
    """Exchange `count` requests; check that the breach comes after `after` answers."""
    with process(name, *args, limits=limits) as iut:
        replies = iut.exchange(calls(count))
        assert not iut.running
    assert [type(reply) for reply in replies] == [Answer] * after + [Breach]
    assert replies[-1] is iut.breach
    return replies[-1]


def alive(pid):
    """Tell whether a process runs; one that is dead but not yet buried does not."""
    try:
        state = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0]
    except (FileNotFoundError, ProcessLookupError):
        return False
    return state != "Z"


def gone(pid, within=2.0):
    deadline = time.monotonic() + within
    while alive(pid):
        if time.monotonic() > deadline:
            return False
        time.sleep(0.01)
    return True


# ---- programs that do it right ------------------------------------------------------------------


def test_answers_come_back_in_order():
    with process("right") as iut:
        assert iut.exchange([]) == []
        replies = iut.exchange(calls(1000))
        assert replies == [Answer({"echo": {"n": i}}) for i in range(1000)]
        assert iut.exchange(calls(1, colour="grün")) == [
            Answer({"echo": {"n": 0, "colour": "grün"}})
        ]
        pid = iut.pid
        assert iut.stop() is None
    assert gone(pid)


def test_one_at_a_time_is_fine_too():
    with process("right") as iut:
        for i in range(20):
            assert iut.exchange(calls(1, i=i)) == [Answer({"echo": {"n": 0, "i": i}})]


def test_neither_side_waits_for_a_full_pipe():
    # 500 requests of 20 kB and as much in answers: 150 times what a pipe holds, each way.
    with process("right") as iut:
        replies = iut.exchange(calls(500, text="x" * 20_000))
    assert len(replies) == 500
    assert all(reply.result["echo"]["text"] == "x" * 20_000 for reply in replies)


def test_long_answers_after_many_requests():
    with process("answers_in_bulk") as iut:
        replies = iut.exchange(calls(300))
    assert [len(reply.result["text"]) for reply in replies] == [20_000] * 300


def test_at_most_window_requests_stand_unanswered():
    # It answers every hundred: with room for 99 it waits for one that may not come. The window is
    # filled again when half of it is empty, so 200 are always enough.
    tight = Limits(start=0.5, reply=0.5, stop=1, window=99)
    assert only_breach("answers_in_bulk", count=200, limits=tight).kind == "silence"
    enough = Limits(start=20, reply=20, stop=1, window=200)
    with process("answers_in_bulk", limits=enough) as iut:
        assert len(iut.exchange(calls(1000))) == 1000


def test_a_full_stderr_does_not_stop_it():
    with process("fills_stderr") as iut:
        replies = iut.exchange(calls(4))
        assert [type(reply) for reply in replies] == [Answer] * 4


def test_errors_are_answers():
    with process("refuses") as iut:
        replies = iut.exchange([*calls(1), Raw(b"{oops"), Raw(b"\xff"), *calls(1)])
    assert replies == [
        Answer({"echo": {"n": 0}}),
        Answer(None, RpcError(-32700, "not JSON", {"bytes": 6})),
        Answer(None, RpcError(-32700, "not JSON", {"bytes": 2})),
        Answer({"echo": {"n": 0}}),
    ]


def test_a_raw_line_may_have_an_id_of_its_own():
    line = b'{"id": "seven", "params": 7}'
    with process("refuses") as iut:
        assert iut.exchange([Raw(line, ids=("seven", None))]) == [Answer({"echo": 7})]
    with process("refuses") as iut:
        [breach] = iut.exchange([Raw(line)])
    assert (breach.kind, "seven" in breach.message) == ("not-a-response", True)
    with pytest.raises(ValueError, match="line feed"):
        Raw(b"a\nb")


def test_windows_line_ends_are_accepted():
    with process("says_line", '{"jsonrpc":"2.0","id":ID,"result":{}}\r') as iut:
        assert iut.exchange(calls(1)) == [Answer({})]


@pytest.mark.parametrize(
    "result",
    [
        '{"n": 18446744073709551615}',
        '{"n": -9223372036854775808}',
        '{"digest": "00000000000000000000000000000000"}',
        '{"text": "[[[[[[[]"}',
        # The object, the array of the envelope's level, and 62 more: 64 in all.
        '{"a": ' + "[" * 62 + "]" * 62 + "}",
        '{"a": "' + "[" * 200 + '"}',
    ],
)
def test_what_only_looks_suspicious(result):
    line = '{"jsonrpc":"2.0","id":ID,"result":' + result + "}"
    with process("says_line", line) as iut:
        [reply] = iut.exchange(calls(1))
    assert isinstance(reply, Answer), reply


# ---- programs that break the protocol -----------------------------------------------------------


def test_silence_at_the_start():
    start = time.monotonic()
    breach = only_breach("hangs_at_start", limits=Limits(start=0.3, reply=60, stop=5))
    assert breach.kind == "silence"
    assert breach.message == "expected an answer within 0.3 s, found none"
    assert breach.status is None
    assert time.monotonic() - start < 5


def test_silence_on_one_message():
    breach = only_breach("hangs_on_third", after=2, count=5, limits=QUICK)
    assert breach.kind == "silence"
    assert len(breach.wire) == 5
    assert breach.wire[-1] == '> {"jsonrpc":"2.0","id":3,"method":"apply","params":{"n":2}}'
    assert breach.wire[-2].startswith('< {"jsonrpc": "2.0", "id": 2,')


def test_silence_when_requests_no_longer_fit():
    # Nobody reads 10 MB: the writing side must not hang either.
    with process("hangs_at_start", limits=Limits(start=0.3, reply=0.3, stop=5)) as iut:
        [breach] = iut.exchange(calls(200, text="x" * 50_000))
    assert breach.kind == "silence"


def test_the_time_limit_is_for_whole_answers():
    breach = only_breach("drips", limits=Limits(start=0.7, reply=0.7, stop=5))
    assert breach.kind == "silence"
    assert "a line without end" in breach.message
    assert breach.line.startswith(b'{"')


def test_the_time_limit_is_for_each_answer_not_for_all():
    with process("takes_its_time", "0.2", limits=Limits(start=20, reply=1, stop=5)) as iut:
        start = time.monotonic()
        assert [type(reply) for reply in iut.exchange(calls(6))] == [Answer] * 6
        assert time.monotonic() - start > 1


def test_exit():
    breach = only_breach("exits_on_second", after=1, count=5)
    assert breach.kind == "exit"
    assert breach.status == 3
    assert breach.message == "expected an answer, found the end of the process with status 3"


def test_a_crash_shows_its_last_words():
    breach = only_breach("crashes", after=1, count=5)
    assert (breach.kind, breach.status) == ("exit", 1)
    assert breach.stderr.splitlines()[-1] == "ZeroDivisionError: the pile is empty"
    assert breach.stderr.startswith("Traceback")


def test_a_signal_is_named():
    breach = only_breach("dies_of_a_signal")
    assert (breach.kind, breach.status) == ("exit", -11)
    assert breach.message.endswith("signal SIGSEGV")


def test_closed_output():
    breach = only_breach("closes_output", limits=Limits(start=20, reply=20, stop=0.3))
    assert breach.kind == "exit"
    assert "still running" in breach.message


def test_closed_input():
    with process("closes_input", limits=QUICK) as iut:
        replies = iut.exchange(calls(1))
        time.sleep(0.1)
        replies += iut.exchange(calls(300, text="x" * 5000))
    assert [type(reply) for reply in replies] == [Answer, Breach]
    assert replies[1].kind == "silence"
    assert "closed its input" in replies[1].message


def test_endless_answers():
    breach = only_breach("floods", after=1, count=2)
    assert breach.kind == "extra-answer"


def test_endless_line():
    breach = only_breach("endless_line", limits=Limits(start=20, reply=20, stop=5, line=300_000))
    assert breach.kind == "flood"
    assert "300000 bytes" in breach.message
    assert breach.line == b"[" * 4096
    assert len(breach.wire[-1]) < 2100


def test_the_limit_of_a_line_is_exact():
    line = '{"jsonrpc":"2.0","id":1,"result":{"text":"' + "x" * 200 + '"}}'
    for limit, kind in ((len(line), Answer), (len(line) - 1, Breach)):
        limits = Limits(start=20, reply=20, stop=5, line=limit)
        with process("says_line", line, limits=limits) as iut:
            [reply] = iut.exchange(calls(1))
        assert type(reply) is kind


def test_bad_utf8():
    breach = only_breach("bad_utf8")
    assert breach.kind == "not-utf8"
    assert "0xFC" in breach.message
    assert b"Pudel-Gl\xfcck" in breach.line


@pytest.mark.parametrize(
    ("line", "kind"),
    [
        ('{"jsonrpc":"2.0","id":ID,"result":{"returns":NaN}}', "not-json"),
        ('{"jsonrpc":"2.0","id":ID,"result":{"n":Infinity}}', "not-json"),
        ('{"jsonrpc":"2.0","id":ID,"result":{"n":18446744073709551616}}', "not-json"),
        ('{"jsonrpc":"2.0","id":ID,"result":{"n":-9223372036854775809}}', "not-json"),
        ('{"jsonrpc":"2.0","id":ID,"result":{"n":' + "9" * 5000 + "}}", "not-json"),
        ('{"jsonrpc":"2.0","id":ID,"result":{"a":' + "[" * 63 + "]" * 63 + "}}", "not-json"),
        ('{"jsonrpc":"2.0","id":ID,"result":' + "[" * 5000 + "]" * 5000 + "}", "not-json"),
        ('{"jsonrpc":"2.0","id":ID,"result":{"a":"\\ud800"}}', "not-json"),
        ('{"jsonrpc":"2.0","id":ID,"result":{}', "not-json"),
        ("starting up", "not-json"),
        ("", "not-json"),
        ('[{"jsonrpc":"2.0","id":ID,"result":{}}]', "not-a-response"),
        ('"ID"', "not-a-response"),
        ('{"jsonrpc":"2.0","id":ID}', "not-a-response"),
        ('{"jsonrpc":"2.0","result":{}}', "not-a-response"),
        ('{"jsonrpc":"2.0","id":null,"result":{}}', "not-a-response"),
        ('{"jsonrpc":"2.0","id":"ID","result":{}}', "not-a-response"),
        ('{"jsonrpc":"2.0","id":ID.0,"result":{}}', "not-a-response"),
        ('{"jsonrpc":"2.0","id":true,"result":{}}', "not-a-response"),
        ('{"jsonrpc":"2.0","id":[ID],"result":{}}', "not-a-response"),
        ('{"jsonrpc":"1.0","id":ID,"result":{}}', "not-a-response"),
        ('{"id":ID,"result":{}}', "not-a-response"),
        ('{"jsonrpc":"2.0","id":ID,"result":{},"error":null}', "not-a-response"),
        ('{"jsonrpc":"2.0","id":ID,"error":"no"}', "not-a-response"),
        ('{"jsonrpc":"2.0","id":ID,"error":{"code":"no","message":"m"}}', "not-a-response"),
        ('{"jsonrpc":"2.0","id":ID,"error":{"code":-32603}}', "not-a-response"),
        ('{"jsonrpc":"2.0","method":"log","params":{}}', "not-a-response"),
    ],
    ids=lambda value: value[:60],
)
def test_faulty_lines(line, kind):
    breach = only_breach("says_line", line)
    assert breach.kind == kind
    assert breach.line == line.replace("ID", "1").encode()[:4096]
    assert breach.message.startswith("expected ")


def test_a_log_line_gets_a_hint():
    with process("logs_on_stdout") as iut:
        replies = iut.exchange(calls(2))
    assert isinstance(replies[0], Answer)
    assert replies[1].kind == "not-json"
    assert "logs belong on standard error" in replies[1].message
    assert replies[1].line == b"played apply"


def test_a_log_line_after_the_last_answer_is_found_by_the_next_request():
    with process("logs_on_stdout") as iut:
        assert type(iut.exchange(calls(1))[0]) is Answer
        time.sleep(0.1)
        [breach] = iut.exchange(calls(1))
    assert (breach.kind, breach.line) == ("not-json", b"played apply")


def test_a_log_line_after_the_last_answer_is_found_by_stop():
    with process("logs_on_stdout") as iut:
        assert type(iut.exchange(calls(1))[0]) is Answer
        breach = iut.stop()
    assert (breach.kind, breach.line) == ("not-json", b"played apply")


def test_two_answers():
    breach = only_breach("two_answers", after=1, count=3)
    assert breach.kind == "extra-answer"
    assert breach.message == "expected one answer to request 1, found another one"


@pytest.mark.parametrize("name", ["two_answers", "late_second_answer"])
def test_two_answers_to_separate_requests(name):
    # The same verdict whether the second answer came before the next request or after.
    with process(name) as iut:
        assert type(iut.exchange(calls(1))[0]) is Answer
        [breach] = iut.exchange(calls(1))
    assert breach.kind == "extra-answer"


def test_no_answer_to_one_request():
    breach = only_breach("skips_second", after=1, count=3)
    assert breach.kind == "not-a-response"
    assert breach.message == "expected a response with id 2, found id 3"


def test_no_answer_to_the_last_request():
    assert only_breach("skips_second", after=1, count=2, limits=QUICK).kind == "silence"


def test_wrong_id():
    breach = only_breach("wrong_id", count=3)
    assert breach.kind == "not-a-response"
    assert breach.message == "expected a response with id 1, found id 1000"


def test_out_of_order():
    breach = only_breach("out_of_order", count=4)
    assert breach.kind == "not-a-response"
    assert breach.message == "expected a response with id 1, found id 2"


# ---- starting and ending ------------------------------------------------------------------------


def test_a_program_that_is_not_there(tmp_path):
    with Process([str(tmp_path / "nothing")]) as iut, pytest.raises(UsageError) as caught:
        iut.start()
    assert caught.value.code == "usage.command"
    assert "no such program" in str(caught.value)


def test_a_file_that_may_not_be_executed(tmp_path):
    file = tmp_path / "program"
    file.write_text("#!/bin/sh\n")
    file.chmod(0o644)
    with pytest.raises(UsageError, match="may not be executed"):
        Process([str(file)]).start()


def test_a_file_that_is_no_program(tmp_path):
    file = tmp_path / "program"
    file.write_bytes(b"\x00\x01")
    file.chmod(0o755)
    with pytest.raises(UsageError, match="is no program"):
        Process([str(file)]).start()


@pytest.mark.parametrize("command", [[], ["a\0b"]])
def test_commands_that_are_none(command):
    with pytest.raises(UsageError, match="expected"):
        Process(command).start()


def test_a_folder_that_is_not_there(tmp_path):
    with pytest.raises(UsageError, match="folder"):
        Process([sys.executable], cwd=tmp_path / "nothing").start()


def test_no_shell_and_the_right_folder(tmp_path):
    code = "import os, sys; sys.exit(sys.argv[1] + os.getcwd())"
    with Process([sys.executable, "-c", code, "$HOME;*"], PATIENT, cwd=tmp_path) as iut:
        [breach] = iut.exchange(calls(1))
    assert breach.stderr == f"$HOME;*{tmp_path.resolve()}"


def test_sigterm_is_followed_by_sigkill():
    with process("ignores_sigterm", limits=QUICK) as iut:
        iut.exchange(calls(1))
        pid = iut.pid
        assert alive(pid)
        start = time.monotonic()
        iut.close()
        assert 0.3 <= time.monotonic() - start < 3
        assert gone(pid)
        iut.close()


def test_an_exit_is_noticed_although_a_helper_holds_the_pipes():
    start = time.monotonic()
    with process("forks", "exits") as iut:
        iut.exchange(calls(1))
        breach = iut.stop()
    assert (breach.kind, breach.status) == ("exit", 1)
    assert time.monotonic() - start < 5


@pytest.mark.parametrize("how", ["answers", "exits", "hangs", "is left"])
def test_helpers_of_the_program_are_ended_too(how):
    with process("forks", how, limits=Limits(start=20, reply=1, stop=0.3)) as iut:
        child = iut.exchange(calls(1))[0].result["child"]
        leader = iut.pid
        assert alive(child)
        if how != "is left":
            breach = iut.stop()
            kinds = {"answers": None, "exits": "exit", "hangs": "silence"}
            assert (breach and breach.kind) == kinds[how]
    assert gone(child)
    assert gone(leader)


def test_an_exception_in_the_block_ends_the_process():
    iut = process("right")

    def block():
        with iut:
            iut.exchange(calls(1))
            pids.append(iut.pid)
            raise KeyError

    pids = []
    with pytest.raises(KeyError):
        block()
    assert gone(*pids)


def test_no_file_is_left_open():
    before = set(os.listdir("/proc/self/fd"))
    for name in ("right", "crashes", "wrong_id"):
        with process(name) as iut:
            iut.exchange(calls(3))
    assert set(os.listdir("/proc/self/fd")) == before


@pytest.mark.parametrize(
    ("how", "kind", "part"),
    [
        ("0", None, ""),
        ("3", "exit", "expected status 0 after bye, found status 3"),
        ("line", "not-json", "logs belong on standard error"),
        ("never", "silence", "within 0.3 s after bye"),
    ],
)
def test_stop(how, kind, part):
    with process(
        "lingers", how, limits=Limits(start=20, reply=20, stop=5 if how != "never" else 0.3)
    ) as iut:
        iut.exchange(calls(1))
        pid = iut.pid
        breach = iut.stop()
        assert not iut.running
        assert breach is iut.breach
    assert (breach and breach.kind) == kind
    assert part in (breach.message if breach else "")
    assert gone(pid)


def test_stop_without_a_process():
    assert process("right").stop() is None


def test_after_a_breach_it_must_be_restarted():
    with process("exits_on_second") as iut:
        assert len(iut.exchange(calls(5))) == 2
        with pytest.raises(RuntimeError, match="restart"):
            iut.exchange(calls(1))
        iut.restart()
        assert iut.breach is None
        assert iut.wire() == []
        # The ids begin at 1 again, or this would be its end.
        assert iut.exchange(calls(1)) == [Answer({"echo": {"n": 0}})]


def test_a_request_that_is_no_json_sends_nothing():
    with process("right") as iut:
        with pytest.raises(TypeError):
            iut.exchange([*calls(1), {"method": "apply", "params": {"x": object()}}])
        assert iut.exchange(calls(1, x=1)) == [Answer({"echo": {"n": 0, "x": 1}})]


# ---- reports ------------------------------------------------------------------------------------


def test_the_last_lines_of_stderr_are_kept():
    with process("fills_stderr") as iut:
        iut.exchange(calls(2))
        breach = iut.exchange([Raw(b"oops")])[0]
    assert breach.kind == "exit"
    lines = breach.stderr.splitlines()
    assert len(lines) == 20
    assert lines[-1].startswith("json.decoder.JSONDecodeError")
    assert lines[0].startswith("  2 163")


def test_what_a_program_prints_cannot_steer_the_terminal():
    code = "import sys; sys.stderr.write('\\x1b[2J\\x9b1m\\u202eabc\\tdef\\r\\n\\x00'); sys.exit(1)"
    with Process([sys.executable, "-X", "utf8", "-c", code], PATIENT) as iut:
        [breach] = iut.exchange(calls(1))
    assert breach.stderr == "\\x1b[2J\\x9b1m\\u202eabc\tdef\n\\x00"


def test_the_last_forty_lines_of_the_conversation():
    with process("right") as iut:
        iut.exchange(calls(50))
        iut.exchange(calls(1, text="x" * 5000))
        lines = iut.wire()
    assert len(lines) == 40
    assert [line[:2] for line in lines] == ["> ", "< "] * 20
    assert lines[0] == '> {"jsonrpc":"2.0","id":32,"method":"apply","params":{"n":31}}'
    assert lines[1].startswith('< {"jsonrpc": "2.0", "id": 32,')
    assert lines[-2].endswith("bytes)")
    assert len(lines[-2]) < 2100


def test_looking_over_a_chunk():
    assert not suspicious(b'{"a":[1,2,{"b":[]}]}\n{"a":123456789012345678}')
    assert suspicious(b'{"a":1234567890123456789}')
    assert not suspicious(b"[" * 32 + b"]" * 32)
    assert suspicious(b"[" * 65 + b"]" * 65)
    assert suspicious(b"{}\n" + b'{"a":' * 65 + b"1" + b"}" * 65)
    assert suspicious(b'[{"a":' * 32 + b"[]" + b"}]" * 32)
    assert suspicious(b'{"a":' + b"[" * 64 + b"]" * 64 + b"}")
    assert suspicious(b'{"a":"]"}')


def test_it_is_fast_enough():
    # Tens of thousands a second is the aim; a tenth of it, so that no busy machine fails this.
    with process("canned") as iut:
        iut.exchange(calls(10))
        start = time.perf_counter()
        replies = iut.exchange(calls(10_000))
        seconds = time.perf_counter() - start
    assert len(replies) == 10_000
    assert type(replies[-1]) is Answer
    assert seconds < 4
