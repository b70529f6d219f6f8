"""The adapter helper for JavaScript, driven over pipes by the common body."""

import shutil

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

    def test_it_ends_when_nobody_reads(self, child):
        child.process.stdout.close()
        child.send(child.line("hello", protocol=1))
        assert child.process.wait(timeout=30) == 1
