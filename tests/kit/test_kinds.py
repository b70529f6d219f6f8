"""Programs of other kinds, through ``ludex certify``: right ones conform, wrong ones do not.

The programs are in ``programs/kinds.py``; the game is Kuhn poker, whose rules are in
``tests/games/kuhn-poker``.
"""

import json
import math
import random
import sys
from pathlib import Path

import pytest

from ludex.cli import main
from ludex_tck.dealing import has_chance, orders_of
from ludex_tck.fairness import Fairness
from ludex_tck.schemas import instance_errors

HERE = Path(__file__).resolve().parent
KUHN = HERE.parent / "games" / "kuhn-poker"
PROGRAM = HERE / "programs" / "kinds.py"

RIGHT = ("DrawsItsOwn", "HoldsTheDeck", "KnowsWholeTurns", "OwnsItsLoop")
# the check, and the rule that it is about
WRONG = {
    "AlwaysDealsTheSame": ("core.fair", "2.2"),
    "FavoursTheKing": ("core.fair", "2.2"),
    "ReportsAnotherCard": ("state.table", "2.2"),
    "ReportsAnAce": ("core.chance", "2.2"),
    "ReportsNothing": ("core.chance", "2.2"),
    "PaysTooMuch": ("state.table", "3.2"),
    "DealsFromTheBottom": ("state.table", "2.2"),
    "ForgetsTheFold": ("core.outcome", "4.2"),
    "PendingForTheWrongOne": ("core.actors", "3.1"),
    "LoopRefusesToCall": ("core.accepts", "3.4"),
    "LoopStops": ("core.answers", "3.4"),
}
CASES = {"FavoursTheKing": 500, "AlwaysDealsTheSame": 100}


@pytest.fixture
def certify(tmp_path, monkeypatch, capfd):
    monkeypatch.chdir(tmp_path)

    def run(name, *options, command="certify", what=str(KUHN)):
        first = ["certify", str(KUHN), "--profile", "smoke", "--cases", str(CASES.get(name, 20)),
                 "--report", "r.json", "--class", "core", "--class", "state", "--class", "robust"]
        words = first if command == "certify" else [command, what]
        monkeypatch.setattr(sys, "argv", ["ludex", *words, *options, "--", sys.executable,
                                          str(PROGRAM), name])
        with pytest.raises(SystemExit) as ended:
            main()
        out, err = capfd.readouterr()
        assert "Traceback (most" not in out
        path = Path("r.json")
        report = json.loads(path.read_text()) if path.exists() else None
        assert report is None or instance_errors(report, "report") == []
        return ended.value.code, report, " ".join((out + err).split())

    return run


@pytest.mark.parametrize("name", RIGHT)
def test_a_right_program_of_another_kind_conforms(name, certify):
    status, report, out = certify(name)
    assert (status, report["verdict"]) == (0, "conforms"), out
    assert set(report["classes"].values()) == {"pass"}
    if name == "DrawsItsOwn":
        # two cards in each of 20 games
        assert report["checks"]["core.chance"] >= 20
        assert report["checks"]["core.fair"] == 40
    if name == "KnowsWholeTurns":
        assert report["counts"]["unchecked"] > 20
        assert "positions inside turns were not compared" in out


@pytest.mark.parametrize("name", WRONG)
def test_a_wrong_program_of_another_kind_does_not(name, certify):
    status, report, out = certify(name)
    assert (status, report["verdict"]) == (1, "does not conform"), out
    finding = report["findings"][0]
    assert (finding["check"], finding["rule"]) == WRONG[name], out
    assert finding["reproduced"]


@pytest.mark.parametrize("name", ["DrawsItsOwn", "HoldsTheDeck"])
def test_try_plays_a_game_with_it(name, certify):
    status, _, out = certify(name, command="try")
    assert status == 0
    assert "answers are right" in out
    # who draws is sent null, and reports two cards; who holds the deck is told its order
    assert ('"chance": null' in out) == (name == "DrawsItsOwn")
    assert ('"order": {"deck": [' in out) == (name == "HoldsTheDeck")


def test_try_shows_what_a_program_that_draws_its_own_chance_does_wrong(certify):
    status, _, out = certify("ReportsAnAce", command="try")
    assert status == 1
    assert "core.chance: what the program says it has drawn is not possible" in out


# ---- failures of programs that draw their own chance --------------------------------------------

RECORD = ".ludex/kuhn-poker-state.table-3.2.jsonl"


def test_its_failures_are_replayed_as_far_as_it_draws_the_same(certify):
    certify("PaysTooMuch")
    again = {"command": "replay", "what": RECORD}
    status, _, out = certify("PaysTooMuch", "--game", str(KUHN), **again)
    assert (status, out.split()[-1]) == (1, "FAILED")
    # one deal in six is that of the record
    status, _, out = certify("DrawsItsOwn", "--game", str(KUHN), **again)
    assert (status, out.startswith("FIXED: ")) == (0, True), out


def test_what_it_does_not_draw_again_is_not_called_fixed(certify):
    certify("PaysTooMuch")
    record = Path(RECORD)
    lines = record.read_text().splitlines()
    head = json.loads(lines[0])
    for first, second in (("king", "queen"), ("queen", "king")):
        head["chance"][0]["draw"], head["chance"][1]["draw"] = first, second
        bet = {"actor": "p1", "move": "bet", "args": {}}
        record.write_text("".join(json.dumps(x) + "\n" for x in (head, bet)))
        status, _, out = certify("AlwaysDealsTheSame", "--game", str(KUHN), command="replay",
                                 what=RECORD)
        if status == 3:
            break
    # of two deals it draws one at most
    assert status == 3
    assert "NOT SEEN: the program draws its own chance" in out
    assert "drew what the record says 0 times" in out


def test_its_failures_are_tried_first_and_may_be_known(certify, tmp_path):
    certify("PaysTooMuch")
    status, report, out = certify("PaysTooMuch")
    assert "tried first: 1 game that failed in earlier runs; still failing: 1" in out
    assert (status, len(report["findings"])) == (1, 1)

    known = tmp_path / "known.json"
    known.write_text(json.dumps({"ludex_known_failures": 1, "game": "kuhn-poker", "failures": [
        {"check": "state.table", "rule": "3.2", "reason": "pays twice", "record": RECORD}]}))
    status, report, out = certify("PaysTooMuch", "--known", str(known))
    assert (status, report["verdict"]) == (0, "known failures"), out
    assert report["known"][0]["fails"]
    assert report["counts"]["known"] > 0
    # what did not come may come another time: that is no success, and no failure
    status, report, out = certify("DrawsItsOwn", "--known", str(known))
    assert (status, report["verdict"]) == (3, "inconclusive"), out
    assert "NOT SEEN state.table, rule 3.2" in out


# ---- the bet ------------------------------------------------------------------------------------


def die(fairness, faces, weights, rolls, seed):
    draw = random.Random(seed)
    chances = {str(f): 1 / faces for f in range(faces)}
    for _ in range(rolls):
        value = str(draw.choices(range(faces), weights)[0])
        fairness.add(("all", "first"), chances, value)


def test_the_stake_has_the_expected_value_one():
    """Exactly: over all sequences of three throws of a coin whose sides come 1 and 2 in 3."""
    chances = {"a": 1 / 3, "b": 2 / 3}
    total = 0.0
    for one in chances:
        for two in chances:
            for three in chances:
                fairness = Fairness(2)
                for index, value in enumerate((one, two, three)):
                    fairness.add(("all", index % 2), chances, value)
                weight = chances[one] * chances[two] * chances[three]
                total += weight * math.exp(fairness.log_stake)
    assert math.isclose(total, 1.0, rel_tol=1e-12)


@pytest.mark.parametrize("seed", range(20))
def test_a_fair_die_is_not_blamed(seed):
    fairness = Fairness(2)
    die(fairness, 6, [1] * 6, 3000, seed)
    assert not fairness.unfair
    assert fairness.outcomes == 3000


def test_a_loaded_die_is_noticed():
    fairness = Fairness(2)
    die(fairness, 6, [1, 1, 1, 1, 1, 2], 3000, 1)
    assert fairness.unfair
    assert fairness.oddest()[0] == "5"


def test_what_cannot_be_otherwise_says_nothing():
    fairness = Fairness(1)
    for _ in range(100):
        fairness.add(("all",), {"a": 1.0}, "a")
    assert (fairness.outcomes, fairness.log_stake) == (0, 0.0)


# ---- decks in order -----------------------------------------------------------------------------


def test_an_order_is_the_whole_pile_with_what_is_drawn_on_top():
    from kit.games import planned

    script = planned(3)
    orders = orders_of(script)
    drawn = [o["draw"] for tape in (script.chance, *(s.chance for s in script.steps if s.expected))
             for o in tape if "draw" in o]
    assert orders.keys() == {"draw_pile"}
    assert orders["draw_pile"][: len(drawn)] == drawn
    first = [o["draw"] for o in script.chance if "draw" in o]
    assert sorted(orders["draw_pile"]) == sorted(first + script.expected["state"]["draw_pile"])


def test_a_game_without_chance_is_known(document):
    from ludex.authoring.document import load_document

    assert has_chance(document)
    assert not has_chance(load_document(HERE.parent / "games" / "tic-tac-toe", "standard"))
