"""Campaigns: the same seed is the same run, and what is found is as small as it can be."""

import json
import os
import subprocess
import sys

import pytest
from kit.games import chooser, planned, read_lines

from ludex.errors import LudexError
from ludex_tck.campaign import Campaign
from ludex_tck.examples import example_scripts
from ludex_tck.games import Games
from ludex_tck.report import report_json
from ludex_tck.scripts import Script, record_of
from ludex_tck.transcript import Transcript


def report_of(campaign):
    return json.dumps(report_json(campaign, campaign.classes, ["program"]), sort_keys=True)


# ---- the same seed ------------------------------------------------------------------------------

PROGRAM = """
import sys
from kit.conftest import RULES, load
from kit.test_campaign import report_of
from kit.wrong import Fake
from dataclasses import replace
from ludex_tck.campaign import Campaign
from ludex_tck.implementation import Implementation
from ludex_tck.profiles import PROFILES
i = Implementation(["program"], load())
i.process = Fake(load(), sys.argv[1])
c = Campaign(i, i.hello(), load(), replace(PROFILES["smoke"], cases=6, findings=2, shrinks=15), 7,
             classes=RULES)
c.run()
c.finish()
print(report_of(c))
print(c.transcript.digest())
"""


@pytest.mark.parametrize("name", ["right", "lists-known-colour-at-end"])
def test_the_same_seed_gives_the_same_report_in_every_process(name):
    found = []
    for seed in ("1", "2"):
        env = {**os.environ, "PYTHONHASHSEED": seed, "PYTHONPATH": os.pathsep.join(sys.path)}
        done = subprocess.run([sys.executable, "-c", PROGRAM, name], env=env, capture_output=True,
                              text=True, check=True)
        found.append(done.stdout)
    assert found[0] == found[1]
    assert '"findings": [{' in found[0] or name == "right"


def test_another_seed_is_another_run(campaign_of):
    runs = [campaign_of("right", cases=5, seed=seed, fresh=True) for seed in (0, 0, 1)]
    digests = [c.transcript.digest() for c in runs]
    assert digests[0] == digests[1] != digests[2]
    assert report_of(runs[0]) == report_of(runs[1])


def test_the_transcript_depends_on_every_step():
    def digest(*scripts):
        transcript = Transcript()
        for script in scripts:
            transcript.add(script)
        return transcript.digest()

    one, other = planned(1), planned(2)
    assert digest(one) == digest(planned(1))
    assert len({digest(), digest(one), digest(other), digest(one, other), digest(other, one),
                digest(one.cut(5))}) == 6


# ---- smaller ------------------------------------------------------------------------------------


def shows(campaign, script, signature):
    found = campaign.try_script(script, count=False)
    return found is not None and found.signature == signature


def one_step_less(document, script):
    """Yield every script that is left when one step before the last is left out."""
    head, *lines = record_of(script)
    for index in range(len(lines) - 1):
        try:
            yield read_lines(document, [head, *lines[:index], *lines[index + 1:]])
        except LudexError:
            continue


@pytest.mark.parametrize(
    "name", ["right-fleas-lost", "accepts-cover-of-new-colour", "accepts-known-colour-at-end",
             "lists-known-colour-at-end", "covers-underneath"]
)
def test_a_minimised_game_is_locally_minimal(name, campaign_of, document):
    campaign = campaign_of(name, cases=40, shrinks=60)
    [finding] = campaign.findings
    # shrunk well below a whole game
    assert 1 <= len(finding.script.steps) <= 6
    assert shows(campaign, finding.script, finding.signature)
    for smaller in one_step_less(document, finding.script):
        assert not shows(campaign, smaller, finding.signature)


def test_long_games_are_cut_down(campaign_of):
    campaign = campaign_of("fails-on-cover", cases=1, fresh=True)
    script = planned("long")
    finding = campaign.try_script(script)
    assert finding.at + 1 == len(finding.script.steps) <= len(script.steps)
    smaller = campaign.minimise(finding)
    assert smaller.signature == finding.signature
    assert not any(s.refused for s in smaller.script.steps)
    assert len(smaller.script.steps) <= 4


def test_an_attempt_that_does_no_harm_is_left_out_of_the_game(campaign_of):
    # this fault has nothing to do with attempts, so none may be blamed for it
    campaign = campaign_of("no-cover", cases=40)
    assert [f.difference.check for f in campaign.findings] == ["core.legal-set"]
    assert not any(s.refused for f in campaign.findings for s in f.script.steps)


def test_an_attempt_that_does_harm_stays_in_the_game(campaign_of):
    [finding] = campaign_of("refusal-costs-a-card").findings[:1]
    assert [s.refused for s in finding.script.steps] == [True, False]
    assert finding.difference.message.startswith("after a refused move, ")


def test_a_cap_of_time_ends_the_shrinking_too(campaign_of, monkeypatch):
    campaign = campaign_of("fails-on-cover", cases=1, fresh=True)
    finding = campaign.try_script(planned("long"))
    campaign.deadline = 0
    tried = []
    monkeypatch.setattr(Campaign, "try_script", lambda self, script, count: tried.append(script))
    campaign.minimise(finding)
    assert len(tried) <= 1


# ---- what is tried ------------------------------------------------------------------------------


def test_examples_that_the_program_does_not_support_are_not_sent(campaign_of, document, small):
    every = campaign_of("right", players=(2, 3, 4), cases=1).support
    assert len(list(example_scripts(Games(document), every))) == 4
    two = campaign_of("right", cases=1).support
    assert [s.game.players for s in example_scripts(Games(document), two)] == [2, 2]
    seat = campaign_of("one-reading", cases=1).support
    sent = example_scripts(Games(document), seat)
    assert [s.game.rulings["starter"] for s in sent] == ["first_seat"]
    # an example without a set is about the standard one, and could not even be dealt with another
    named = [e for e in small["text"]["examples"] if e.get("components") == "small"]
    sent = list(example_scripts(Games(small), every))
    assert [s.chance for s in sent] == [e["setup"] for e in named if "setup" in e] != []


def test_what_is_tried_beside_a_program_without_legal_moves_is_counted(campaign_of):
    campaign = campaign_of("no-legal", cases=10)
    tally = campaign.tally
    assert 0 < tally.moves < tally.listed
    assert campaign.tally.checks["core.legal-set"] == 0


def test_every_player_count_and_reading_is_reached(campaign_of):
    campaign = campaign_of("right", players=(2, 3, 4), cases=1)
    games = [campaign.plan(chooser(seed)).game for seed in range(60)]
    assert {g.players for g in games} == {2, 3, 4}
    assert len({tuple(g.rulings.items()) for g in games}) == 4


def test_no_notes_are_left_where_the_user_stands(tmp_path, monkeypatch, campaign_of):
    monkeypatch.chdir(tmp_path)
    campaign_of("no-cover", cases=3, fresh=True)
    assert list(tmp_path.iterdir()) == []


def test_an_empty_script_is_a_game_that_has_only_begun(campaign_of):
    campaign = campaign_of("right", cases=1)
    script = planned(1).cut(0)
    assert isinstance(script, Script)
    assert campaign.try_script(script) is None
