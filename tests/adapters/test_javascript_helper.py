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

    def test_loops_that_wait_for_moves_keep_apart(self, child):
        games = [f"g{i}" for i in range(8)]
        for game_id in games:
            child.result("new_game", **child.new("parley", game_id, players=2))
        # all at once: each answer has to come from the loop of its own game
        child.send(b"".join(
            child.line("apply", **child.move("p1", "say", {"number": i + 1}, game_id=game_id))
            for i, game_id in enumerate(games)
        ))
        states = [child.read()["result"]["state"] for _ in games]
        assert states == [{"last": i + 1} for i in range(len(games))]

    def test_a_loop_that_waits_for_a_move_does_not_keep_the_process(self, child):
        for game_id in ("ended", "open"):
            child.result("new_game", **child.new("parley", game_id, players=2))
        assert child.result("end_game", game_id="ended") == {}
        late = child.move("p1", "say", {"number": 3}, game_id="ended")
        assert child.code("apply", **late) == -32003
        # the other one still waits when the input ends
        child.process.stdin.close()
        assert child.process.wait(timeout=30) == 0

    def test_it_ends_when_nobody_reads(self, child):
        child.process.stdout.close()
        child.send(child.line("hello", protocol=1))
        assert child.process.wait(timeout=30) == 1
