"""Exploration finds what is planted: for every check a spec that fails it, and one that passes."""

from __future__ import annotations

import copy
import json
import re
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from patched import MINIMAL, patched

from ludex.authoring.document import load_document
from ludex.engine import State
from ludex.errors import Broken
from ludex.explore import explore as explore_module
from ludex.explore.coverage import RuleCoverage
from ludex.explore.explore import CHECKS, Report, explore

Json = dict[str, Any]
Patch = tuple[str, str, str]
G = "game.yaml"
BIN = Path(sys.executable).parent

CLOSED: Patch = (G, "  pile:\n    type: bag(Card)\n    visible_to: everyone",
                 "  pile:\n    type: bag(Card)\n    visible_to: nobody")
MOVES = "      moves: [take]"
REQUIRES = '"taken[actor].all(c, c.colour != card.colour)"'


def move(name: str, more: str) -> tuple[Patch, Patch]:
    """Add a move to the one step where somebody decides."""
    return (
        (G, MOVES, f"      moves: [take, {name}]"),
        (G, "\neffects:\n",
         f'\n  {name}:\n    title: Do it\n    rule: "2.2"\n{more}\neffects:\n'),
    )


#: Check to changes of the minimal game that plant a fault, and words of the message.
PLANTED: dict[str, tuple[tuple[Patch, ...], str]] = {
    # after one card each nobody may take another
    "check.dead-end": (((G, REQUIRES, '"size(taken[actor]) == 0"'),),
                       "in step choose nobody can do anything"),
    # everybody gets a second card in the end
    "check.invariant": (((G, "size(taken[p]) <= 2", "size(taken[p]) <= 1"),),
                        "does not hold: nobody has more than two cards"),
    # the argument makes no difference
    "check.twins": (((G, '      card: {in: "pile", rule: "2.2"}',
                      '      card: {in: "pile", rule: "2.2"}\n'
                      '      n: {in: "range(2)", rule: "2.2"}'),),
                    "take and take are one move in step choose: they do the same, and nobody "
                    "learns anything from which of them is made"),
    # who may take which card tells what lies in the pile
    "check.leak": ((CLOSED,),
                   "whether a player may take depends on what is hidden from that player"),
    # the first seat wins whatever happens
    "check.symmetry": (((G, '"players.filter(p, points(p) == players.max(q, points(q)))"',
                         '"[players[0]]"'),
                        (G, "\nbounds:\n", "\nsymmetries:\n  - {id: seats, note: all seats are "
                                           "alike, rotate: players}\n\nbounds:\n")),
                       "seats: take does not do the same in the renamed position"),
    # four cards are taken one by one
    "check.bound": (((G, 'plies: "4"', 'plies: "3"'),),
                    "a game with 2 players has more than 3 moves"),
    "check.endless": (((G, '\nbounds:\n  plies: "4"\n', "\n"),
                       *move("wait", "    do: [{goto: pass_on}]\n"),
                       (G, REQUIRES, '"false"')),
                      "a game was not over after 40 moves"),
    # there are never five cards in the pile
    "check.step": (((G, "    pass_on:\n",
                     "    rest:\n      rule: \"2.1\"\n      actors: players\n      moves: [take]\n"
                     "    pass_on:\n"),
                    (G, "        - goto: choose", '        - if: "size(pile) > 4"\n'
                                                  "          then: [{goto: rest}]\n"
                                                  "        - goto: choose")),
                   "no game came to the step rest"),
    "check.move": (move("rest", '    requires: [{that: "size(pile) > 4", otherwise: too few, '
                                'rule: "2.4"}]\n    do: [{goto: pass_on}]\n'),
                   "no game came to the move rest"),
    "check.rule": ((("rules.yaml", "status: informal, why: No machine sees it.", "status: formal"),
                    ("examples.yaml", '"2.4", "3.1"]', '"2.4", "3.1", "3.2"]'),
                    (G, "        - set: {turn: \"next_player(turn)\"}\n",
                     "        - set: {turn: \"turn\"}\n          when: \"size(pile) > 4\"\n"
                     "          rule: \"3.2\"\n        - set: {turn: \"next_player(turn)\"}\n")),
                   "rule 3.2 is formal, but never fired"),
}


@pytest.fixture(scope="module")
def sound() -> Json:
    return load_document(MINIMAL)


def found(report: Report) -> dict[str, set[str]]:
    result: dict[str, set[str]] = {}
    for finding in report.findings:
        result.setdefault(finding.check, set()).add(finding.message)
    return result


@pytest.mark.parametrize("check", PLANTED)
def test_a_planted_fault_is_found(
    check: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(explore_module, "MAX_PLIES", 40)
    patches, words = PLANTED[check]
    games = 150 if check == "check.leak" else 20  # few positions show a leak
    report = explore(load_document(patched(tmp_path / "game", *patches)), games, 1)
    assert words in found(report)[check]
    # a finding says where: a clause, or at least in which game
    assert all(finding.place or finding.game for finding in report.findings)


def test_nothing_is_found_in_the_sound_game(sound: Json) -> None:
    report = explore(sound, 20, 1)
    assert found(report) == {}
    assert report.games == 20
    # two players, four cards, one a turn: no game is shorter or longer
    assert report.lengths == {2: (4, 4)}
    assert report.positions == 20 * 4
    looked = {c for c in CHECKS if report.counts[c]}
    assert looked == CHECKS.keys() - {"check.symmetry", "check.endless"}


def test_a_move_without_end_is_one_fault_with_its_place(tmp_path: Path) -> None:
    path = patched(tmp_path / "game", (G, "        - goto: choose", "        - goto: pass_on"))
    report = explore(load_document(path), 20, 1)
    assert {f.check for f in report.findings} == {"engine.work"}
    assert all(re.match(r"game\.yaml:\d+:\d+", f.place) for f in report.findings)
    # the other games would take as long
    assert report.games == 1


@pytest.mark.parametrize(("check", "part"), [("check.step", "steps"), ("check.move", "moves")])
def test_what_an_example_shows_need_not_come_up_in_a_random_game(
    check: str, part: str, tmp_path: Path
) -> None:
    document = load_document(patched(tmp_path / "game", *PLANTED[check][0]))
    coverage = RuleCoverage(document)
    coverage.ran.add((part, "rest"))
    assert check not in found(explore(document, 20, 1, coverage=coverage))


def test_symmetries_and_endings_are_passed_by_a_sound_game(tmp_path: Path) -> None:
    document = load_document(patched(
        tmp_path / "game",
        (G, '\nbounds:\n  plies: "4"\n', "\nsymmetries:\n  - {id: seats, note: all seats are "
                                         "alike, rotate: players}\n"),
    ))
    report = explore(document, 20, 1)
    assert found(report) == {}
    assert report.counts["check.symmetry"]
    assert report.counts["check.endless"] == 20


# -- faults that no spec can have, since the engine rules them out: planted in the engine ----


def listed_twice(actions: list[Any]) -> list[Any]:
    return [*actions, *actions[:1]]


@pytest.mark.parametrize(
    ("planted", "words"),
    [
        (lambda m: m.setattr(State, "legal_actions", wrapped(State.legal_actions, listed_twice)),
         "step choose lists a move twice"),
        (lambda m: m.setattr(State, "broken", lambda self, action: [Broken("2.4", "no luck")]),
         "take is listed, but refused: no luck"),
    ],
    ids=["twice", "refused"],
)
def test_lists_and_refusals_that_disagree(
    planted: Callable[[pytest.MonkeyPatch], None], words: str, sound: Json,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    planted(monkeypatch)
    assert words in found(explore(sound, 20, 1))["check.legal"]


def wrapped(method: Callable[[State], list[Any]], how: Callable[[list[Any]], list[Any]]) -> Any:
    return lambda self: how(method(self))


def test_components_out_of_nothing(sound: Json) -> None:
    # the loader refuses fill outside the setup; a document could still have it
    document = copy.deepcopy(sound)
    document["effects"][0]["do"].append(document["setup"][0])
    assert found(explore(document, 4, 1))["check.conservation"] == {
        "components are not conserved in step choose"
    }


def test_asking_whom_hidden_things_say(tmp_path: Path) -> None:
    # whoever holds the red card may act; with closed cards that tells where it is
    document = load_document(patched(
        tmp_path / "game", CLOSED,
        (G, '      actors: "[turn]"',
         "      actors: \"players.exists(p, 'red-two' in taken[p]) ? "
         "players.filter(p, 'red-two' in taken[p]) : players\""),
    ))
    assert "whom step choose asks depends on what is hidden from a player" in found(
        explore(document, 150, 1))["check.leak"]


def test_a_view_that_tells_hidden_things(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    document = load_document(patched(tmp_path / "game", CLOSED))
    words = "a view changes with what is hidden from that player"
    assert words not in found(explore(document, 150, 1))["check.leak"]
    monkeypatch.setattr(State, "observation", lambda self, player: self.to_json()["state"])
    assert words in found(explore(document, 150, 1))["check.leak"]


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ("relabel: {Colour: any}", "mirror: Card "),  # no red card is worth one point
        ("relabel: {Colour: {blue: red, red: blue}}", "mirror: Card "),
    ],
)
def test_a_symmetry_without_components_to_match(
    change: str, words: str, tmp_path: Path
) -> None:
    document = load_document(patched(
        tmp_path / "game",
        (G, "\nbounds:\n", "\nsymmetries:\n  - {id: mirror, note: colours are alike, "
                           f"{change}}}\n\nbounds:\n"),
    ))
    messages = found(explore(document, 20, 1))["check.symmetry"]
    assert any(m.startswith(words) and "has no image" in m for m in messages)


def test_a_clause_that_asks_for_what_is_not_there(tmp_path: Path) -> None:
    document = load_document(patched(tmp_path / "game", (G, REQUIRES,
                                     '"size(taken[actor]) == 0 || 1 / (size(pile) - 2) < 9"')))
    report = explore(document, 20, 1)
    assert any("division by zero" in m for m in found(report)["engine.fault"])


def test_every_check_has_a_planted_fault() -> None:
    elsewhere = {"check.legal", "check.conservation"}
    assert PLANTED.keys() | elsewhere == CHECKS.keys()


def test_a_finding_tells_the_game_that_shows_it(tmp_path: Path) -> None:
    patches, _ = PLANTED["check.dead-end"]
    document = load_document(patched(tmp_path / "game", *patches))
    (finding,) = explore(document, 1, 3).findings[:1]
    assert finding.check == "check.dead-end"
    assert finding.game.startswith("players 2, taken_cards=open, seed 3.0, after 2 moves, "
                                   "the last: p2 take card=")
    assert finding.place.startswith("game.yaml:")


def test_the_same_seed_finds_the_same() -> None:
    document = load_document(MINIMAL)
    one, two = (explore(document, 10, 5).coverage.to_json() for _ in range(2))
    assert one == two
    assert one["never"] == []


# -- the command -----------------------------------------------------------------------------


def check(folder: Path, *options: str) -> tuple[int, str]:
    done = subprocess.run(
        [BIN / "ludex", "check", folder.name, "--games", "20", *options], cwd=folder.parent,
        capture_output=True, text=True, timeout=120,
    )
    assert done.stderr == ""
    return done.returncode, done.stdout


def test_the_report_of_a_sound_game(tmp_path: Path) -> None:
    status, text = check(patched(tmp_path / "game"))
    lines = text.splitlines()
    assert status == 0
    assert lines[0] == "20 games, 80 positions"
    assert lines[1] == "  2 players: 4 to 4 moves"
    shown = {line.split()[0]: line.split()[1] for line in lines[2:-1]}
    assert list(shown) == list(CHECKS)
    assert {c for c, word in shown.items() if word == "-"} == {"check.symmetry", "check.endless"}
    assert all("(nothing of that sort here)" in line for line in lines if " - " in line)
    assert lines[-1] == "SOUND"


def test_the_report_of_a_faulty_game(tmp_path: Path) -> None:
    status, text = check(patched(tmp_path / "game", *PLANTED["check.dead-end"][0]))
    assert status == 1
    lines = text.splitlines()
    # the worked example needs a second card
    assert lines[0].startswith("game/examples.yaml:3:5: a-whole-game: ")
    assert lines[0].endswith("[check.example]")
    assert "game/game.yaml:46:7: in step choose nobody can do anything [check.dead-end]" in lines
    assert any(line.startswith("    seen with players 2, ") for line in lines)
    assert any(line.split()[:2] == ["check.dead-end", "wrong"] for line in lines)
    assert lines[-1].endswith("FAULTS")


def test_the_report_of_files_that_do_not_fit(tmp_path: Path) -> None:
    status, text = check(patched(tmp_path / "game", (G, "- goto: pass_on", "- goto: passon")))
    assert status == 1
    assert text.splitlines() == [
        "game/game.yaml:67:15: unknown step 'passon' [spec.unknown-step]",
        "    did you mean 'pass_on'?",
        "1 error; nothing was played",
    ]


def test_reports_as_json(tmp_path: Path) -> None:
    status, text = check(patched(tmp_path / "sound"), "--format", "json")
    sound = json.loads(text)
    assert (status, sound["sound"], sound["findings"]) == (0, True, [])
    assert sound["lengths"] == {"2": [4, 4]}
    assert sound["counts"].keys() == CHECKS.keys()
    assert sound["coverage"]["never"] == []

    status, text = check(patched(tmp_path / "wrong", *PLANTED["check.bound"][0]),
                         "--format", "json")
    wrong = json.loads(text)
    assert (status, wrong["sound"]) == (1, False)
    assert [(f["check"], f["message"]) for f in wrong["findings"]] == [
        ("check.bound", "a game with 2 players has more than 3 moves")
    ]

    status, text = check(patched(tmp_path / "faulty", (G, "goto: pass_on", "goto: passon")),
                         "--format", "json")
    faulty = json.loads(text)
    assert (status, faulty["sound"]) == (1, False)
    assert faulty["errors"] == [{
        "code": "spec.unknown-step", "message": "unknown step 'passon'",
        "place": "faulty/game.yaml:67:15", "hint": "did you mean 'pass_on'?",
    }]


def test_a_call_carries_out_its_rule(tmp_path: Path) -> None:
    """A rule that only the call of an effect names fires when the effect is called."""
    report = explore(load_document(patched(
        tmp_path / "game",
        ("rules.yaml", "status: informal, why: No machine sees it.", "status: formal"),
        ("examples.yaml", '"2.4", "3.1"]', '"2.4", "3.1", "3.2"]'),
        (G, '      - do: "keep(actor, card)"\n',
         '      - do: "keep(actor, card)"\n        rule: "3.2"\n'),
    )), 5, 1)
    assert found(report) == {}
    assert report.coverage.fired["3.2"] == 5 * 4


def test_what_only_examples_show_has_fired(tmp_path: Path) -> None:
    patches, words = PLANTED["check.rule"]
    document = load_document(patched(tmp_path / "game", *patches))
    before = RuleCoverage(document)
    before.fired.update(["3.2"])
    assert found(explore(document, 20, 1, coverage=before)) == {}
    assert words in found(explore(document, 20, 1))["check.rule"]


def test_a_bound_may_hold_for_some_settings_only(tmp_path: Path) -> None:
    limit = "rulings.taken_cards == 'open' ? 4 : null"
    report = explore(load_document(patched(
        tmp_path / "game", (G, 'plies: "4"', f'plies: "{limit}"'))), 20, 1)
    assert found(report) == {}
    assert (report.counts["check.bound"], report.counts["check.endless"]) == (10, 10)
