"""Certificates and reports: their schemas, and what makes a run another one."""

import copy
import hashlib
import json
import shlex
from pathlib import Path

import pytest
from jsonschema import Draft202012Validator
from kit.conftest import RULES

from ludex.authoring.spec_home import spec_home
from ludex.errors import UsageError
from ludex_tck.certificate import certificate, command_files, differences, read_certificate
from ludex_tck.checks import CHECKS, CLASSES
from ludex_tck.report import report_json
from ludex_tck.schemas import instance_errors


@pytest.fixture(scope="module")
def conforming(campaign_of):
    return campaign_of("right", cases=6)


@pytest.fixture(scope="module")
def failing(campaign_of):
    return campaign_of("crashes-on-cover")


@pytest.fixture
def made(conforming):
    return certificate(conforming, RULES, ["program"])


@pytest.mark.parametrize("name", ["report", "certificate"])
def test_the_schemas_are_schemas(name):
    path = spec_home() / "schemas" / f"{name}.schema.json"
    schema = json.loads(path.read_text("utf-8"))
    Draft202012Validator.check_schema(schema)
    assert schema["$id"] == f"https://ludex.example/schemas/1/{name}.schema.json"


@pytest.mark.parametrize(
    "name",
    ["right", "bare", "crashes-on-cover", "babbles-on-cover", "tells-other-hands",
     "names-no-such-rule", "crashes-on-bye", "forgets-fleas", "wrong-at-first", "never-ends",
     "refusal-costs-a-card", "one-reading"],
)
def test_reports_fit_their_schema(name, campaign_of):
    report = json.loads(json.dumps(report_json(campaign_of(name), RULES, ["program"])))
    assert instance_errors(report, "report") == []
    assert report["classes"].keys() == set(RULES)
    assert report["checks"].keys() <= CHECKS.keys()


def test_a_report_holds_what_shows_a_finding(failing):
    report = report_json(failing, RULES, ["program"])
    finding = report["findings"][0]
    assert (finding["check"], finding["class"], finding["rule"]) == ("core.answers", "core", "4.6")
    assert "on top of the stack of that colour" in finding["rule_text"]
    assert finding["breach"] == {"kind": "exit", "stderr": "Traceback: oops"}
    assert finding["record"][0]["ludex"] == 1
    assert finding["record"][-1]["move"] == "cover"


@pytest.mark.parametrize(
    "change",
    [
        {"verdict": "maybe"}, {"classes": {}}, {"classes": {"core": "passed"}},
        {"mood": "good"}, {"checks": {"core.legal": 0}}, {"findings": [{}]},
        {"rules_digest": "sha256:1"}, {"game": "../x"}, {"seed": -1},
    ],
)
def test_wrong_reports_do_not_fit(change, conforming):
    report = report_json(conforming, RULES, ["program"])
    assert instance_errors(report | change, "report")


def test_a_certificate_fits_its_schema(made, document):
    assert instance_errors(json.loads(json.dumps(made)), "certificate") == []
    for key in ("rules_digest", "text_digest", "edition", "game"):
        assert made[key] == document[key]
    assert made["components"] == dict(document["components"])
    assert made["players"] == [2]
    assert made["counts"]["cases"] == 6


@pytest.mark.parametrize(
    "change",
    [
        {"verdict": "does not conform"}, {"classes": {"core": "fail"}}, {"profile": "huge"},
        {"ludex_certificate": 2}, {"transcript_digest": "x"}, {"components": {"set": "standard"}},
        {"game": "/etc/passwd"},
    ],
)
def test_wrong_certificates_do_not_fit(change, made):
    assert instance_errors(made | change, "certificate")
    for key in change:
        assert instance_errors({k: v for k, v in made.items() if k != key}, "certificate")


def test_the_same_run_is_made_from_its_command_line(campaign_of):
    campaign = campaign_of("right", cases=6, seed=5, classes=("core", "state"))
    made = certificate(campaign, ("core", "state"), ["my program", "--fast"])
    assert shlex.split(made["reproduce"]) == [
        "ludex", "certify", "poodle-taxi", "--profile", "smoke", "--cases", "6", "--seed", "5",
        "--class", "core", "--class", "state", "--", "my program", "--fast",
    ]
    again = campaign_of("right", cases=6, seed=5, classes=("core", "state"), fresh=True)
    assert certificate(again, ("core", "state"), ["my program", "--fast"]) == made


def test_a_profile_that_is_not_changed_is_not_spelt_out(conforming):
    conforming = copy.copy(conforming)
    conforming.counts = copy.copy(conforming.counts)
    conforming.counts.tally = copy.copy(conforming.tally)
    conforming.tally.planned = 40
    assert certificate(conforming, CLASSES, ["x"])["reproduce"] == (
        "ludex certify poodle-taxi --profile smoke --seed 0 -- x"
    )


def test_files_of_the_command_are_named_with_their_digest(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "adapter.py").write_bytes(b"print()\n")
    (tmp_path / "folder.d").mkdir()
    found = command_files(["python", "adapter.py", "folder.d", "--seed", "7", "missing.py"])
    assert found == {
        "adapter.py": "sha256:" + hashlib.sha256(b"print()\n").hexdigest()
    }


@pytest.mark.parametrize(
    ("change", "where"),
    [
        (lambda c: c.update(transcript_digest="x"), ["transcript_digest"]),
        (lambda c: c["classes"].update(privacy="not-supported"), ["classes"]),
        (lambda c: c["implementation"].update(name="another"), ["implementation.name"]),
        (lambda c: c["implementation"]["files"].update({"a.py": "sha256:1"}),
         ["implementation.files"]),
        (lambda c: c.update(seed=9), []),
    ],
)
def test_differences_from_a_certificate_are_named(change, where, made):
    again = copy.deepcopy(made)
    change(again)
    assert differences(made, again) == where
    assert differences(again, made) == where


def test_files_may_have_moved(made):
    here, there = copy.deepcopy(made), copy.deepcopy(made)
    here["implementation"]["files"] = {"a.py": "sha256:1"}
    there["implementation"]["files"] = {"/home/b.py": "sha256:1"}
    assert differences(here, there) == []


@pytest.mark.parametrize("text", ["", "{", "[]", "{}", '{"ludex_certificate": 1}', "\udcff"])
def test_what_is_no_certificate_is_one_error(text, tmp_path):
    path = tmp_path / "c.json"
    path.write_bytes(text.encode("utf-8", "surrogateescape"))
    with pytest.raises(UsageError) as caught:
        read_certificate(path)
    assert caught.value.code == "usage.certificate"


def test_a_certificate_that_is_not_there():
    with pytest.raises(UsageError, match="cannot read /nowhere"):
        read_certificate(Path("/nowhere"))
