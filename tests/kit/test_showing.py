"""Findings and reports as people read them, on a terminal of 80 columns."""

import io

import pytest
from kit.conftest import RULES
from rich.console import Console

from ludex_tck.report import print_report
from ludex_tck.showing import paragraph


def shown(campaign, records=None, width=80, command=("python", "my_adapter.py")):
    out = io.StringIO()
    console = Console(file=out, width=width, highlight=False)
    print_report(console, campaign, RULES, command, records or {})
    return out.getvalue()


def words(text):
    return " ".join(text.split())


@pytest.fixture(scope="module")
def fleas(campaign_of):
    return campaign_of("left-fleas-lost")


def test_a_finding_tells_a_stranger_what_happened(fleas):
    text = shown(fleas, {0: "found.jsonl"})
    said = words(text)
    assert "FAIL state.table: state.fleas.p" in said
    # the rule in words
    assert "rule 5.3 If it points left, the player must take every card" in said
    # the settings, the deal, the moves with what was drawn, the table before the one that differs
    assert "2 players; starter=table, flea_count=seen" in said
    assert "hand.p1 draws" in said
    assert "first_player is p" in said
    assert "=> " in text
    assert "row:" in said
    assert "fleas.p1: empty" in said
    # the difference
    assert "missing: " in said
    assert "ludex replay found.jsonl -- python my_adapter.py" in text


@pytest.mark.parametrize(
    "name", ["left-fleas-lost", "no-cover", "leaks-hands", "crashes-on-cover", "tells-other-hands",
             "accepts-out-of-turn", "deals-another-card", "forgets-an-observer"],
)
def test_lines_fit_the_terminal(name, campaign_of):
    campaign = campaign_of(name)
    for width in (80, 120):
        for line in shown(campaign, width=width).splitlines():
            # a word that is too long by itself stands alone on its line
            assert len(line) <= width or len(line.split()) <= 2, line


def test_a_command_line_is_never_broken(fleas):
    command = ("python", "x" * 60, "y" * 60)
    text = shown(fleas, {0: "found.jsonl"}, command=command)
    assert f"ludex replay found.jsonl -- python {'x' * 60} {'y' * 60}\n" in text


def test_the_last_words_of_a_program_are_shown(campaign_of):
    said = words(shown(campaign_of("crashes-on-cover")))
    assert "stderr Traceback: oops" in said
    assert 'wire > {"jsonrpc": "2.0"' in said


def test_flaky_is_said_first_and_is_no_failure(campaign_of):
    text = shown(campaign_of("wrong-at-first"))
    assert "FLAKY" in text
    assert "FAIL " not in text
    assert "did not show it again" in words(text)
    assert text.rstrip().endswith("INCONCLUSIVE")


def test_twins_are_told_apart(campaign_of):
    said = words(shown(campaign_of("tells-other-hands")))
    assert "told here" in said
    assert "told there" in said


def test_what_was_not_tested_is_said(campaign_of):
    said = words(shown(campaign_of("one-reading")))
    assert "players 2" in said
    assert "not supported: 3, 4 players" in said
    assert "not supported: ruling starter = table" in said
    assert "not supported: ruling flea_count = hidden" in said
    bare = words(shown(campaign_of("bare")))
    assert "the program lists no legal moves" in bare
    assert "privacy not-supported" in bare
    pending = words(shown(campaign_of("pending-until-the-end")))
    assert "positions inside turns were not compared" in pending


def test_a_bad_end_of_the_process_is_shown(campaign_of):
    text = shown(campaign_of("crashes-on-bye"))
    assert "FAIL        core.answers: bye: found the end of the process" in text
    assert text.rstrip().endswith("DOES NOT CONFORM")


def test_an_adapter_that_does_the_work_may_be_at_fault(campaign_of):
    campaign = campaign_of("no-cover", fresh=True)
    object.__setattr__(campaign.support, "adapter_does", ("legal",))
    said = words(shown(campaign))
    assert "the adapter does: legal" in said
    assert "the fault may be its own" in said


def test_paragraphs_hang_and_cannot_steer_the_terminal():
    text = paragraph("  rule 5.3", "one two " * 12, 40).plain
    lines = text.splitlines()
    assert lines[0].startswith("  rule 5.3  one two")
    assert all(line.startswith(" " * 12) for line in lines[1:])
    assert max(map(len, lines)) <= 40 + 2
    assert paragraph("a", "\x1b[2Jred\u202e", 40).plain == "a" + " " * 11 + "\\x1b[2Jred\\u202e"
    # ids with hyphens are not cut at them
    assert "colour-5-right" in paragraph("", "colour-5-right " * 8, 40).plain.replace("\n", " ")
