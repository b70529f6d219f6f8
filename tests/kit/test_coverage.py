"""Which rules a run has touched."""

from collections import Counter

from kit.games import planned
from kit.test_blame import WHOLE

from ludex_tck.coverage import Coverage


def test_a_game_fires_the_rules_of_what_happens_in_it(document):
    coverage = Coverage(document)
    coverage.add(WHOLE)
    fired = coverage.fired
    # dealt twice three cards
    assert (fired["2.2"], fired["1.1"]) == (6, 1)
    # the third move is the cover
    before = Coverage(document)
    before.add(WHOLE.cut(2))
    assert fired["4.7"] > before.fired["4.7"] == 0
    # the left arrow takes, the right one is followed as well; each drew a card
    assert (fired["5.3"], fired["5.2"]) == (1, 1)
    assert fired["6.1"] == 3
    # nobody has won, nothing was refused
    assert fired["7.4"] == fired["7.1"] == 0
    assert coverage.refused == {}
    assert {"7.1", "7.2", "7.3", "7.4", "7.5"} <= set(coverage.never())


def test_the_end_is_touched_when_it_comes(document):
    coverage = Coverage(document)
    coverage.add(planned("end"))
    assert [coverage.fired[r] for r in ("7.1", "7.2", "7.3", "7.4", "7.5")] == [1] * 5


def test_an_attempt_counts_for_the_rule_that_forbids_it(document):
    script = planned("attempts")
    attempts = [s for s in script.steps if s.refused]
    assert len(attempts) > 1
    coverage = Coverage(document)
    coverage.add(script)
    assert coverage.refused == Counter(s.broken[0].rule for s in attempts)


def test_all_formal_rules_are_held_fired_refused_or_never(document):
    coverage = Coverage(document)
    for seed in range(6):
        coverage.add(planned(f"cover {seed}"))
    report = coverage.to_json()
    formal = {r for r, d in document["text"]["rules"].items() if d["status"] == "formal"}
    assert report["fired"].keys() | report["refused"].keys() | set(report["held"]) >= formal
    assert report["never"] == []
    assert Coverage(document).to_json()["fired"] == {}


def test_nothing_run_is_nothing_touched(document):
    never = set(Coverage(document).never())
    # what holds in every position that is compared is not listed; what must happen is
    assert {"1.1", "2.2", "4.3", "5.2", "7.1"} <= never
    assert not never & Coverage(document).held()
