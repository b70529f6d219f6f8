"""The adapter helper for JavaScript, driven over pipes by the common body."""

import shutil
import time

import pytest

pytest.register_assert_rewrite("adapters.helper_body")

from adapters.helper_body import PROGRAMS, ROOT, HelperBody, unpack_example  # noqa: E402

HELPER = ROOT / "conformance/adapters/javascript/ludex-adapter.mjs"
NODE = shutil.which("node")


@pytest.mark.skipif(NODE is None, reason="node is not installed")
class TestJavaScript(HelperBody):
    @pytest.fixture
    def language(self):
        return "JavaScript"

    @pytest.fixture
    def command(self, tmp_path):
        shutil.copy(HELPER, tmp_path)
        shutil.copy(PROGRAMS / "toys.mjs", tmp_path)
        return [NODE, "toys.mjs"]

    @pytest.fixture
    def example(self, tmp_path):
        shutil.copy(HELPER, tmp_path)
        unpack_example(tmp_path, "pig.mjs", "pig-adapter.mjs", "count-adapter.mjs")
        return lambda game: [NODE, f"{game}-adapter.mjs"]

    def test_requests_wait_for_an_async_program(self, child):
        child.result("new_game", **child.new("clumsy", "a"))
        child.result("new_game", **child.new("lab", "b"))
        child.send(
            child.line("apply", **child.move("p1", "slow", game_id="a", chance=[{"roll": [5]}]))
        )
        time.sleep(0.1)  # so that the next one is read while the program sleeps
        chance = [{"roll": [3, 4]}]
        child.send(child.line("apply", **child.move("p1", "dice", game_id="b", chance=chance)))
        first, second = child.read(), child.read()
        assert (first["id"], first["result"]["state"]["seen"]) == (3, [5])
        assert (second["id"], second["result"]["state"]["seen"]) == (4, [3, 4])

    def test_it_ends_when_nobody_reads(self, child):
        child.process.stdout.close()
        child.send(child.line("hello", protocol=1))
        assert child.process.wait(timeout=30) == 1
