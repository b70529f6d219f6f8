"""Failures that are kept: replayed, tried first on the next run, or known and put up with."""

import json
import shutil
import sys
from pathlib import Path

import pytest
import yaml
from kit.test_cli import document_file, ludex, program, words  # noqa: F401 - fixtures

from ludex_tck.saved import save
from ludex_tck.schemas import instance_errors

SMOKE = ("certify", "poodle-taxi", "--profile", "smoke", "--cases", "3")
RULES = ("--class", "core", "--class", "state", "--class", "privacy")


@pytest.fixture
def no_cover(ludex, campaign_of):  # noqa: F811
    """The record that a program gets which does not list covers: core.legal-set, rule 4.6."""
    [path] = save(campaign_of("no-cover").findings, Path(".ludex"), "poodle-taxi").values()
    return Path(path)


def known_file(path, *failures, game="poodle-taxi"):
    value = {"ludex_known_failures": 1, "game": game, "failures": list(failures)}
    path.write_text(json.dumps(value) if path.suffix == ".json" else yaml.safe_dump(value))
    return str(path)


def failure(record, check="core.legal-set", rule="4.6"):
    return {"check": check, "rule": rule, "reason": "covers come later", "record": str(record)}


# ---- replay -------------------------------------------------------------------------------------


def test_a_twin_is_kept_and_replayed(ludex, campaign_of, tmp_path):  # noqa: F811
    save(campaign_of("tells-other-hands").findings, Path(".ludex"), "poodle-taxi")
    names = sorted(p.name for p in Path(".ludex").iterdir())
    assert names == ["poodle-taxi-privacy.twins-2.5.jsonl",
                     "poodle-taxi-privacy.twins-2.5.twin.jsonl"]
    record = str(tmp_path / ".ludex" / names[0])
    status, out, _ = ludex("replay", record, *program("tells-other-hands"))
    assert (status, out.splitlines()[-1]) == (1, "FAILED")
    assert "told here" in out
    status, out, _ = ludex("replay", record, *program("right"))
    assert (status, out[:5]) == (0, "FIXED")
    # without its twin it is an ordinary game
    (tmp_path / ".ludex" / names[1]).unlink()
    status, out, _ = ludex("replay", record, *program("tells-other-hands"))
    assert (status, out[:5]) == (0, "FIXED")


def test_a_breach_is_replayed(ludex, campaign_of):  # noqa: F811
    found = campaign_of("crashes-on-cover").findings
    [path] = save(found, Path(".ludex"), "poodle-taxi").values()
    status, out, _ = ludex("replay", path, *program("crashes-on-cover"))
    assert (status, out.splitlines()[-1]) == (1, "FAILED")
    assert "oops" in out
    status, out, _ = ludex("replay", path, *program("right"))
    assert status == 0


# ---- the next run -------------------------------------------------------------------------------


def test_what_failed_is_tried_first(ludex, no_cover):  # noqa: F811
    before = no_cover.read_text()
    status, out, _ = ludex(*SMOKE, *RULES, *program("no-cover"))
    assert status == 1
    assert "tried first: 1 game that failed in earlier runs; still failing: 1" in words(out)
    assert "0 of 3 random games" in words(out)  # that one is enough
    assert no_cover.read_text() == before
    status, out, _ = ludex(*SMOKE, *RULES, *program("right"))
    assert status == 0
    assert "1 game that failed in earlier runs; still failing: 0" in words(out)


def test_what_is_of_other_rules_is_left_alone(ludex, no_cover):  # noqa: F811
    head, *moves = no_cover.read_text().splitlines(keepends=True)
    other = json.loads(head)
    other["rules_digest"] = "sha256:" + 64 * "0"
    no_cover.write_text("".join([json.dumps(other) + "\n", *moves]))
    (no_cover.parent / "poodle-taxi-damaged.jsonl").write_text("{")
    (no_cover.parent / "another-game-x.jsonl").write_text("{")
    status, out, _ = ludex(*SMOKE, *RULES, *program("right"))
    assert status == 0
    assert "tried first" not in out
    assert "poodle-taxi-core.legal-set-4.6.jsonl, .ludex/poodle-taxi-damaged.jsonl" in words(out)
    assert "another-game" not in out
    assert no_cover.exists()


# ---- known failures -----------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["known.yaml", "known.json"])
def test_a_known_failure_does_not_fail_the_run(name, ludex, no_cover, tmp_path):  # noqa: F811
    shutil.move(no_cover, tmp_path / "cover.jsonl")
    known = known_file(tmp_path / name, failure("cover.jsonl"))
    status, out, _ = ludex(*SMOKE, *RULES, "--known", known, "--certificate", "c.json",
                           "--report", "r.json", *program("no-cover"))
    assert status == 0, out
    assert words(out).index("KNOWN core.legal-set, rule 4.6: covers come later") < (
        words(out).index("3 of 3 random games"))
    assert out.splitlines()[-2:] == [
        "KNOWN FAILURES",
        "no certificate is written: only a program that conforms gets one",
    ]
    assert not Path("c.json").exists()
    report = json.loads(Path("r.json").read_text())
    assert instance_errors(report, "report") == []
    assert report["classes"]["core"] == "known"
    assert report["known"] == [{"check": "core.legal-set", "rule": "4.6", "fails": True,
                                "reason": "covers come later"}]
    # not compared to their ends, and that is said
    assert report["counts"]["known"] > 0
    assert report["counts"]["cut"] == 0


def test_a_known_failure_that_has_gone_fails_the_run(ludex, no_cover, tmp_path):  # noqa: F811
    shutil.move(no_cover, tmp_path / "cover.jsonl")
    known = known_file(tmp_path / "known.yaml", failure("cover.jsonl"))
    status, out, _ = ludex(*SMOKE, *RULES, "--known", known, *program("right"))
    assert status == 1
    assert "GONE core.legal-set, rule 4.6: it does not fail any more: remove it" in words(out)
    assert out.splitlines()[-1] == "KNOWN FAILURES HAVE GONE"


def test_another_failure_fails_the_run(ludex, no_cover, tmp_path):  # noqa: F811
    # the record is of a game without covers before, so this program fails in another way
    shutil.move(no_cover, tmp_path / "cover.jsonl")
    known = known_file(tmp_path / "known.yaml", failure("cover.jsonl"))
    status, out, _ = ludex(*SMOKE, *RULES, "--known", known, *program("leaks-hands"))
    assert status == 1
    assert "DOES NOT CONFORM" in out
    assert "FAIL privacy.observation" in words(out)


def test_a_record_may_stand_in_the_file(ludex, no_cover, tmp_path):  # noqa: F811
    lines = [json.loads(line) for line in no_cover.read_text().splitlines()]
    no_cover.unlink()
    known = known_file(tmp_path / "known.yaml", {**failure(""), "record": lines})
    status, out, _ = ludex(*SMOKE, *RULES, "--known", known, *program("no-cover"))
    assert status == 0, out


@pytest.mark.parametrize(("change", "message"), [
    (lambda k: k["failures"][0].pop("reason"), "'reason' is a required property"),
    (lambda k: k["failures"][0].pop("record"), "'record' is a required property"),
    (lambda k: k["failures"][0].update(check="speed.moves"), "does not match"),
    (lambda k: k["failures"][0].update(record="nothing.jsonl"), "cannot read"),
    (lambda k: k["failures"][0].update(check="robust.size"), "no list of known failures"),
    (lambda k: k.update(game="chess"), "is for the game 'chess'"),
    (lambda k: k.update(surprise=1), "surprise"),
])
def test_a_wrong_list_is_one_error(change, message, ludex, tmp_path):  # noqa: F811
    known = {"ludex_known_failures": 1, "game": "poodle-taxi", "failures": [failure("x.jsonl")]}
    change(known)
    path = tmp_path / "known.yaml"
    path.write_text(yaml.safe_dump(known))
    status, out, err = ludex(*SMOKE, "--known", str(path), "--", sys.executable, "-c", "")
    assert (status, out) == (2, "")
    assert message in words(err)


@pytest.mark.parametrize("text", ["[" * 500, "a: &x [1]\nb: *x\n", "\udcff", "a: b: c", ""])
def test_what_is_no_yaml_is_one_error(text, ludex, tmp_path):  # noqa: F811
    path = tmp_path / "known.yaml"
    path.write_bytes(text.encode("utf-8", "surrogateescape"))
    status, _, err = ludex(*SMOKE, "--known", str(path), "--", sys.executable, "-c", "")
    assert status == 2
    assert "known.yaml" in err
