"""The adapter helper for Python, driven over pipes by the common body."""

import re
import shutil
import subprocess
import sys
import time
from pathlib import Path

import pytest

pytest.register_assert_rewrite("adapters.helper_body")

from adapters.helper_body import PROGRAMS, ROOT, HelperBody, unpack_example  # noqa: E402

HELPER = ROOT / "conformance/adapters/python/ludex_adapter.py"


class TestPython(HelperBody):
    @pytest.fixture
    def language(self):
        return "Python"

    @pytest.fixture
    def command(self, tmp_path):
        # As a newcomer does it: the helper is copied beside the adapter.
        shutil.copy(HELPER, tmp_path)
        shutil.copy(PROGRAMS / "toys.py", tmp_path)
        return [sys.executable, "-W", "error", "toys.py"]

    @pytest.fixture
    def example(self, tmp_path):
        shutil.copy(HELPER, tmp_path)
        unpack_example(tmp_path, "pig.py", "pig_adapter.py", "count_adapter.py")
        return lambda game: [sys.executable, f"{game}_adapter.py"]

    def test_the_stand_in_for_random(self, child):
        def draw(one):
            return {"draw": one, "from": "bag", "to": "hand"}

        assert child.seen("choice_of_faces", [{"roll": [6, 1]}]) == [6, 1]
        drawn = [draw("c"), draw("a"), draw("b")]
        assert child.seen("sample", drawn) == ["c", "a", "b"]
        order = [{"shuffle": ["c", "a", "b"], "of": "bag"}]
        assert child.seen("shuffle_top_last", order) == ["b", "a", "c"]

    @pytest.mark.parametrize("move", ["fraction", "gauss"])
    def test_what_the_tape_cannot_tell_is_a_clear_error(self, child, move):
        error = child.seen(move, [])
        assert error["code"] == -32603
        assert "call tape." in error["message"]

    def test_input_gets_the_end_of_file_and_not_a_request(self, child):
        child.result("new_game", **child.new("clumsy"))
        child.send(
            child.line("apply", **child.move("p1", "input")) + child.line("hello", protocol=1)
        )
        assert child.read()["error"]["code"] == -32603
        assert child.read()["result"]["protocol"] == 1

    def test_the_thread_of_a_closed_loop_ends(self, child):
        status = Path(f"/proc/{child.process.pid}/status")
        if not status.exists():
            pytest.skip("this system does not show the threads of a process")
        for i in range(50):
            child.result("new_game", **child.new("parley", f"g{i}", players=2))
        for i in range(50):
            child.result("end_game", game_id=f"g{i}")
        deadline = time.monotonic() + 20
        threads = 99
        while threads > 2 and time.monotonic() < deadline:  # the main one and the writer
            time.sleep(0.01)
            threads = int(re.search(r"Threads:\s+(\d+)", status.read_text())[1])
        assert threads == 2

    def test_it_ends_when_nobody_reads(self, child):
        child.process.stdout.close()
        child.send(child.line("hello", protocol=1))
        assert child.process.wait(timeout=30) == 1


def test_the_helper_needs_nothing_but_the_standard_library(tmp_path):
    shutil.copy(HELPER, tmp_path)
    run = subprocess.run(
        [sys.executable, "-I", "-S", "-c", "import runpy; runpy.run_path('ludex_adapter.py')"],
        cwd=tmp_path,
        capture_output=True,
        timeout=60,
        check=False,
    )
    assert (run.returncode, run.stdout, run.stderr) == (0, b"", b"")
