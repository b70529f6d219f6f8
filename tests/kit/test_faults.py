"""Programs with one planted fault: the check that notices, the rule that is named, the verdict.

The rules are derived by hand: from the clause of ``game.yaml`` that the fault contradicts, and the
numbers of ``rules.yaml``.
"""

import pytest
from kit.conftest import RULES
from kit.wrong import FAULTS, Fake

from ludex_tck.checks import CHECKS, CLASSES, class_of
from ludex_tck.implementation import HelloError, Implementation
from ludex_tck.report import VERDICT_EXIT, verdict_of

# those of the class robust, and of programs that draw themselves, have tests of their own
OWN_CHECKS = {c for c in CHECKS if class_of(c) in RULES} - {"core.chance", "core.fair"}
ATTEMPTED = {"2.7", "4.1", "4.3", "4.4", "4.6"}

# fault: the check, the rule (or a set of which it is one), other checks that fail at that step
WRONG = {
    # legal moves
    "no-right-end": ("core.legal-set", "4.4"),
    "no-first-card": ("core.legal-set", "4.1"),
    "no-cover": ("core.legal-set", "4.6"),
    "lists-start-again": ("core.legal-set", "4.3"),
    "lists-known-colour-at-end": ("core.legal-set", "4.6"),
    "lists-cover-of-new-colour": ("core.legal-set", "4.4"),
    "lists-foreign-card": ("core.legal-set", "4.1"),
    "lists-for-another": ("core.legal-set", "2.7"),
    "claims-legal": ("core.legal-set", "2.7"),
    # turn and end
    "everybody-may-act": ("core.actors", "2.7"),
    # the worked example's pick says who begins
    "nobody-may-act": ("core.actors", "2.6"),
    "everybody-wins": ("core.outcome", "7.4"),
    "fleas-are-good": ("core.outcome", "7.2"),
    "no-returns": ("core.outcome", "7.2"),
    "never-ends": ("core.outcome", "7.1", "core.actors"),
    "ends-with-the-pile": ("core.outcome", "7.1", "core.actors", "core.legal-set"),
    # the table
    "left-fleas-lost": ("state.table", "5.3"),
    "right-fleas-lost": ("state.table", "5.2"),
    "covers-underneath": ("state.table", "4.6"),
    "deals-another-card": ("state.table", "2.2"),
    "draws-nothing": ("state.table", "6.1"),
    "claims-state": ("state.table", "2.4"),
    "forgets-fleas": ("state.table", "5.7"),
    "knows-the-weather": ("state.table", "2.4"),
    # views
    "leaks-hands": ("privacy.observation", "2.5"),
    "hides-own-hand": ("privacy.observation", "2.5"),
    "hides-the-row": ("privacy.observation", "3.2"),
    "shows-fleas": ("privacy.observation", "5.7"),
    "counts-fleas-always": ("privacy.observation", "5.7"),
    "hides-pile-count": ("privacy.observation", "2.4"),
    "counts-in-floats": ("privacy.observation", "2.4"),
    "forgets-an-observer": ("privacy.observation", "2.4"),
    "tells-other-hands": ("privacy.twins", "2.5"),
    # moves made and refused
    "refuses-cover": ("core.accepts", "4.6"),
    "refuses-cover-unlisted": ("core.accepts", "4.6"),
    # the draw at the end of the turn asks for an outcome
    "wants-more-chance": ("core.accepts", "6.1"),
    "fails-on-cover": ("core.answers", "4.6"),
    "refuses-new-game": ("core.answers", "1.1"),
    "accepts-start-again": ("core.refuses", "4.3"),
    "accepts-end-of-empty-row": ("core.refuses", "4.3"),
    "accepts-known-colour-at-end": ("core.refuses", "4.6"),
    "accepts-cover-of-new-colour": ("core.refuses", "4.4"),
    "accepts-foreign-card": ("core.refuses", "4.1"),
    "accepts-out-of-turn": ("core.refuses", "2.7"),
    # the first attempt of the first worked example: an end of the empty row
    "refusal-costs-a-card": ("core.unchanged", "4.3", "state.table", "privacy.observation"),
    "refusal-is-an-error": ("core.refuses", "4.3"),
    "refusal-malformed": ("core.answers", "4.4"),
    "names-no-such-rule": ("explain.rule", "4.3"),
    # answers that are none
    "actors-as-text": ("core.answers", "1.1"),
    "no-outcome": ("core.answers", "1.1"),
    "actor-twice": ("core.answers", "1.1"),
    "result-is-a-list": ("core.answers", "1.1"),
    # the first worked example ends with a cover
    "end-game-fails": ("core.answers", "4.6"),
    "crashes-on-cover": ("core.answers", "4.6"),
    "silent-on-cover": ("core.answers", "4.6"),
    "babbles-on-cover": ("core.answers", "4.6"),
    # turns of several steps
    "pending-for-ever": ("core.outcome", "7.1"),
    "pending-for-the-wrong": ("core.actors", "2.7"),
    "pending-for-nobody": ("core.answers", "4.3"),
}
# faults that show seldom
CASES = {}
# which are seen in one process and not in the next
FLAKY = {
    "remembers-fleas": ("state.table", "5.7"),
    "wrong-at-first": ("core.accepts", "4.6"),
    "crashes-after-hundred": ("core.answers", ATTEMPTED | {"4.7", "1.1"}),
}
# fault: verdicts on core, state, privacy and explain: pass or not supported
RIGHT = {
    "right": "pppp",
    "extra-fields": "pppp",
    "other-order": "pppp",
    "one-reading": "pppp",
    "no-legal": "pppp",
    "no-state": "pnpp",
    "no-observations": "ppnp",
    "bare": "pnnp",
    "refuses-without-rule": "pppn",
    "pending-until-the-end": "pppp",
}
HELLO = {
    "wrong-protocol": "hello.result",
    "malformed-hello": "hello.result",
    "misspelt-capability": "hello.result",
    "unknown-game": "hello.game",
    "other-edition": "hello.game",
    "other-components": "hello.game",
    "nine-players": "hello.game",
    "no-tape": "hello.chance",
    "hello-fails": "hello.error",
    "hello-crashes": "hello.breach",
}
ELSEWHERE = {"crashes-on-bye", "crashes-at-the-second-start"}


def named(rule, wanted):
    return rule in wanted if isinstance(wanted, set) else rule == wanted


def test_each_fault_is_tried():
    everything = WRONG.keys() | FLAKY.keys() | RIGHT.keys() | HELLO.keys() | ELSEWHERE
    assert everything == FAULTS.keys()


def test_each_check_notices_a_fault():
    assert {check for check, *_ in WRONG.values()} == OWN_CHECKS


@pytest.mark.parametrize("name", WRONG)
def test_a_planted_fault_is_found(name, campaign_of):
    check, rule, *others = WRONG[name]
    campaign = campaign_of(name, cases=CASES.get(name, 15))
    [finding] = campaign.findings[:1]
    assert (finding.difference.check, finding.checks[1:]) == (check, others)
    assert named(finding.rule, rule), finding.rule
    assert finding.reproduced
    # the script ends with the step that differs
    assert finding.at == len(finding.script.steps) - 1
    failing = {class_of(c) for c in (check, *others)}
    assert {c for c in RULES if campaign.verdict(c) == "fail"} == failing
    # nothing else passes: the games were not compared to their ends
    assert {campaign.verdict(c) for c in RULES} <= {"fail", "inconclusive", "not-supported"}
    assert VERDICT_EXIT[verdict_of(campaign)] == 1


@pytest.mark.parametrize("name", FLAKY)
def test_what_a_fresh_process_does_not_show_is_flaky(name, campaign_of):
    check, rule = FLAKY[name]
    campaign = campaign_of(name)
    [finding] = campaign.findings[:1]
    assert finding.difference.check == check
    assert named(finding.rule, rule), finding.rule
    assert not finding.reproduced
    assert {campaign.verdict(c) for c in RULES} == {"inconclusive"}
    assert VERDICT_EXIT[verdict_of(campaign)] == 3


def test_what_is_kept_from_game_to_game_is_a_failure_of_robust(campaign_of):
    # the fleas of one game lie in the next: it takes one game before to show it
    campaign = campaign_of("remembers-fleas", classes=CLASSES)
    [finding] = campaign.findings
    assert finding.difference.check == "state.table"
    assert (finding.reproduced, finding.needs) == (False, 1)
    assert campaign.robust.faults[0].check == "robust.repeats"
    assert "after 1 other game in the same process" in campaign.robust.faults[0].message
    assert [campaign.verdict(c) for c in ("core", "robust")] == ["inconclusive", "fail"]
    assert VERDICT_EXIT[verdict_of(campaign)] == 1
    assert finding.to_json()["games_before"] == 1


@pytest.mark.parametrize(("name", "kept"), [("crashes-after-hundred", True),
                                            ("wrong-at-first", False)])
def test_only_what_comes_again_after_the_same_games_is_kept_from_game_to_game(
    name, kept, campaign_of
):
    campaign = campaign_of(name)
    [finding] = campaign.findings[:1]
    assert bool(finding.needs) == kept
    assert len(campaign.shared()) == kept


@pytest.mark.parametrize("name", RIGHT)
def test_a_right_program_conforms(name, campaign_of):
    campaign = campaign_of(name)
    assert campaign.findings == []
    words = {"p": "pass", "n": "not-supported"}
    assert [campaign.verdict(c) for c in RULES] == [words[v] for v in RIGHT[name]]
    assert VERDICT_EXIT[verdict_of(campaign)] == 0


def test_the_right_program_goes_through_every_check(campaign_of):
    campaign = campaign_of("right", players=(2, 3, 4), cases=25)
    assert campaign.findings == []
    made = {c for c, n in campaign.tally.checks.items() if n}
    assert made == OWN_CHECKS
    assert campaign.coverage.never() == []
    assert campaign.tally.cases == 25


@pytest.mark.parametrize("name", HELLO)
def test_a_program_that_cannot_be_tested_says_why(name, document):
    implementation = Implementation(["program"], document)
    implementation.process = Fake(document, name)
    if name == "nine-players":
        implementation.process = Fake(document, name, (9,))
    with pytest.raises(HelloError) as caught:
        implementation.hello()
    assert caught.value.code == HELLO[name]
    assert caught.value.hint or "supports no" in caught.value.message


# ---- what a verdict does not say ----------------------------------------------------------------


def test_what_is_not_supported_is_not_tested(campaign_of):
    campaign = campaign_of("one-reading", players=(3,))
    assert campaign.support.players == (3,)
    # a ruling that hello does not name is supported with its default only
    assert campaign.support.rulings == {"starter": ["first_seat"], "flea_count": ["seen"]}
    assert campaign.tally.examples == 0  # the one for three players has another starter


def test_positions_inside_a_turn_are_not_counted_as_compared(campaign_of):
    campaign = campaign_of("pending-until-the-end")
    tally = campaign.tally
    assert campaign.findings == []
    assert tally.pending > 100
    # compared: the setups of examples and games, and the ends of those that end
    compared = tally.checks["state.table"]
    assert tally.moves + tally.examples + tally.cases == compared + tally.pending


def test_a_class_is_not_passed_by_what_never_happened(campaign_of):
    campaign = campaign_of("right", cases=1, fresh=True)
    campaign.tally.checks["state.table"] = 0
    assert campaign.verdict("state") == "inconclusive"


def test_a_program_that_does_not_start_again_fails_with_what_was_found(campaign_of):
    campaign = campaign_of("crashes-at-the-second-start", findings=2)
    [finding] = campaign.findings[:1]
    assert (finding.difference.check, finding.rule) == ("core.answers", "4.6")
    # the new process does not answer hello: that is another failure than the one to be shown again
    assert not finding.reproduced
    # the next game finds nothing but that
    second = campaign.findings[1]
    assert "does not start again" in second.difference.message
    assert (second.rule, second.reproduced) == ("1.1", True)
    assert campaign.verdict("core") == "fail"


def test_a_bad_end_of_the_process_is_a_failure_of_core(campaign_of):
    campaign = campaign_of("crashes-on-bye")
    assert campaign.findings == []
    assert [b.kind for b in campaign.goodbye] == ["exit", "exit"]
    assert [campaign.verdict(c) for c in RULES] == ["fail", "pass", "pass", "pass"]


def test_other_classes_do_not_disturb_the_one_that_is_asked_for(campaign_of):
    campaign = campaign_of("leaks-hands", classes=("core",))
    assert campaign.findings == []
    assert campaign.verdict("core") == "pass"
    assert campaign.tally.checks["privacy.observation"] == 0


def test_time_that_runs_out_is_inconclusive(campaign_of):
    campaign = campaign_of("right", seconds=0)
    assert campaign.timed_out
    assert {campaign.verdict(c) for c in RULES} <= {"inconclusive"}
    assert verdict_of(campaign) == "inconclusive"


def test_known_findings_are_looked_past(campaign_of):
    campaign = campaign_of("leaks-hands", findings=3)
    assert [(f.difference.check, f.rule) for f in campaign.findings] == [
        ("privacy.observation", "2.5")
    ]
    # every game differs at its setup, so nothing else was compared
    assert campaign.tally.cut == campaign.tally.cases + campaign.tally.examples
    assert campaign.verdict("core") == "inconclusive"
