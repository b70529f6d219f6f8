"""A sample of the fuzzing runs: damaged specs and expressions are refused decently."""

from __future__ import annotations

import random
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from fuzz.fuzz_specs import DAMAGES, GAMES, Fuzzer, TooSlow, at_most, tokens


@pytest.fixture(scope="module")
def fuzzer(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Fuzzer]:
    made = Fuzzer(2024, tmp_path_factory.mktemp("kept"))
    yield made
    made.close()


def test_damaged_specs_and_expressions(fuzzer: Fuzzer) -> None:
    fuzzer.run(1500)
    assert fuzzer.tally.broken == []
    assert fuzzer.tally.counts["specs refused"] > 50
    assert fuzzer.tally.counts["specs accepted"] > 5
    assert fuzzer.tally.counts["expressions accepted"] > 50
    assert fuzzer.tally.counts["expressions"] == 1350
    assert len(fuzzer.tally.codes) > 10
    assert all(f"specs, damage to {how}" in fuzzer.tally.counts for how in DAMAGES)


@pytest.mark.parametrize("how", DAMAGES)
def test_each_sort_of_damage_damages(how: str, fuzzer: Fuzzer) -> None:
    raw = (GAMES[0] / "game.yaml").read_bytes()
    made = [DAMAGES[how](raw, random.Random(n), fuzzer.words[GAMES[0]]) for n in range(20)]
    assert len(set(made)) > 10


def test_the_limit_of_time_works() -> None:
    begin = time.monotonic()
    with pytest.raises(TooSlow), at_most(0.1):
        time.sleep(20)
    assert time.monotonic() - begin < 10


def test_what_breaks_is_kept(tmp_path: Path) -> None:
    fuzzer = Fuzzer(1, tmp_path)
    try:
        fuzzer.broke(ZeroDivisionError("x"), "expression 1.1", "1 / 0")
        fuzzer.broke(KeyError("x"), "spec 1.2, bytes of a/game.yaml", GAMES[0])
    finally:
        fuzzer.close()
    assert len(fuzzer.tally.broken) == 2
    assert (tmp_path / "expression-1.1").read_text("utf-8") == "1 / 0"
    assert (tmp_path / "spec-1.2-bytes-of-a-game.yaml" / "game.yaml").is_file()


def test_tokens_of_nothing() -> None:
    assert tokens("", random.Random(1), ["x"], 3) == ""
