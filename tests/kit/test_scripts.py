"""Scripts and records; everything that the kit sends, and the server's answers, fit the schemas."""

import json

import pytest
from kit.games import planned, read_lines

from ludex.errors import RecordError
from ludex.protocol.server import Server
from ludex_tck.schemas import instance_errors
from ludex_tck.scripts import Script, record_of, requests_of

SETTINGS = [(2, {}), (3, {"starter": "first_seat"}), (4, {"flea_count": "hidden"})]


@pytest.mark.parametrize(("players", "rulings"), SETTINGS)
@pytest.mark.parametrize("seed", range(4))
def test_a_record_is_played_again_to_the_same_script(seed, players, rulings, document):
    script = planned(seed, players, **rulings)
    lines = json.loads(json.dumps(record_of(script)))
    again = read_lines(document, lines)
    assert again.steps == script.steps
    assert (list(again.chance), again.expected) == (list(script.chance), script.expected)
    assert record_of(again) == lines
    assert again.game.rulings == script.game.rulings
    for line in lines:
        assert instance_errors(line, "protocol/record") == []


def test_a_script_is_cut_and_knows_its_end():
    script = planned(1)
    assert script.over
    assert not script.cut(3).over
    assert script.cut(3).steps == script.steps[:3]
    assert not Script(script.game, script.chance, script.expected).over


@pytest.mark.parametrize(("players", "rulings"), SETTINGS)
@pytest.mark.parametrize("seed", range(4))
def test_requests_and_the_references_answers_fit_their_schemas(seed, players, rulings, document):
    script = planned(f"wire {seed}", players, **rulings)
    server = Server(document, "1")
    requests = requests_of(script, "g7")
    assert [r["method"] for r in requests] == [
        "new_game", *["apply"] * len(script.steps), "end_game"
    ]
    for number, request in enumerate(requests, start=1):
        method = request["method"]
        whole = {"jsonrpc": "2.0", "id": number, **request}
        assert instance_errors(request["params"], f"protocol/{method}.request") == []
        assert instance_errors(whole, "protocol/request") == []
        answer = json.loads(server.answer(json.dumps(whole).encode()))
        assert instance_errors(answer, "protocol/response") == []
        assert instance_errors(answer["result"], f"protocol/{method}.result") == []
        if 1 < number < len(requests):
            step = script.steps[number - 2]
            assert ("illegal" in answer["result"]) == step.refused
            if not step.refused:
                assert answer["result"] == step.expected


def wrong_record(change):
    lines = json.loads(json.dumps(record_of(planned(2))))
    change(lines)
    return lines


def legal_line(lines):
    return next(line for line in lines[1:] if "refused" not in line)


@pytest.mark.parametrize(
    ("change", "code", "words"),
    [
        (lambda ls: ls.clear(), "record.empty", "empty"),
        (lambda ls: ls.pop(0), "record.header", "'ludex'"),
        (lambda ls: ls[0].update(ludex=2), "record.header", "expected 1"),
        (lambda ls: ls[0].pop("players"), "record.header", "players"),
        (lambda ls: ls[0].update(players="2"), "record.header", "players"),
        (lambda ls: ls[0].update(players=5), "record.header", "2, 3, 4 players"),
        (lambda ls: ls[0].update(rulings=[]), "record.header", "rulings"),
        (lambda ls: ls[0].update(rulings={"flea_count": "seen"}), "record.header", "'starter'"),
        (lambda ls: ls[0]["rulings"].update(strater="table"), "record.header", "strater"),
        (lambda ls: ls[0].update(game="chess"), "record.other-rules", "chess"),
        (lambda ls: ls[0].update(edition="7"), "record.other-rules", "edition"),
        (lambda ls: ls[0].update(rules_digest="sha256:" + 64 * "0"), "record.other-rules",
         "another meaning"),
        (lambda ls: ls[0]["components"].update(id="small"), "record.other-components", "small"),
        (lambda ls: ls[0]["chance"].pop(), "tape.too-short", "first_player"),
        (lambda ls: ls[0].update(chance=5), "record.header", "chance"),
        (lambda ls: ls[0].update(mood="good"), "record.header", "mood"),
        (lambda ls: ls.append(dict(ls[0])), "record.line", "another header"),
        (lambda ls: legal_line(ls).update(args=5), "record.line", "args"),
        (lambda ls: legal_line(ls).update(chance=[5]), "record.line", "chance"),
        (lambda ls: legal_line(ls).update(mood="good"), "record.line", "mood"),
        (lambda ls: legal_line(ls).update(move="pass"), "move.unknown-move", "no move 'pass'"),
        (lambda ls: legal_line(ls).update(actor="p9"), "move.unknown-player", "no player"),
        (lambda ls: legal_line(ls).update(refused=True), "record.move", "is legal"),
        (lambda ls: ls.append(dict(legal_line(ls))), "record.move", "the game is over"),
        (lambda ls: ls.append({**legal_line(ls), "refused": True}), "record.move",
         "the game is over"),
    ],
)
def test_a_damaged_record_says_where_and_what(change, code, words, document):
    lines = wrong_record(change)
    with pytest.raises(RecordError) as caught:
        read_lines(document, lines, "game.jsonl")
    assert caught.value.code == code
    assert words in str(caught.value)
    assert caught.value.place.file == "game.jsonl"
    if code.startswith("move.") or code in ("record.line", "record.move"):
        assert caught.value.place.line > 1


def test_a_refused_line_is_no_move_of_the_game(document):
    script = planned(3)
    lines = record_of(script)
    without = [line for line in lines if "refused" not in line]
    assert len(without) < len(lines)
    again = read_lines(document, without)
    assert again.steps[-1].expected == [s for s in script.steps if not s.refused][-1].expected
