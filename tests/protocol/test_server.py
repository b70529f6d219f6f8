"""The reference as a program: every answer of the protocol page, and nothing else."""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from jsonschema import Draft202012Validator
from patched import patched
from referencing import Registry, Resource

import ludex
from ludex.authoring.document import load_document
from ludex.protocol.server import MAX_MESSAGE, Server

FOLDER = Path(__file__).resolve().parents[2] / "spec" / "schemas" / "protocol"
SCHEMAS = {
    path.name.removesuffix(".schema.json"): json.loads(path.read_text(encoding="utf-8"))
    for path in FOLDER.glob("*.schema.json")
}
REGISTRY: Any = Registry().with_resources(
    (schema["$id"], Resource.from_contents(schema)) for schema in SCHEMAS.values()
)
#: Every code of the table on the page.
CODES = {-32700, -32600, -32601, -32602, -32603, -32001, -32002, -32003, -32004, -32010, -32011,
         -32012, -32013}


@cache
def document() -> Any:
    return ludex.load("poodle-taxi").document


@cache
def validator(name: str) -> Draft202012Validator:
    return Draft202012Validator(SCHEMAS[name], registry=REGISTRY)


def faults(name: str, value: Any) -> list[str]:
    return [error.message for error in validator(name).iter_errors(value)]


#: Compiling takes longer than playing, so the servers of these tests share what they compile.
COMPILED: dict[Any, Any] = {}


def new_server(seed: int = 0) -> Server:
    server = Server(document(), "1.2.3", seed)
    server.compiled = COMPILED
    return server


def say(server: Server, line: bytes) -> dict[str, Any]:
    """Send a line, and return the answer; its form is checked."""
    raw = server.answer(line)
    assert b"\n" not in raw
    answer: dict[str, Any] = json.loads(raw)
    assert answer["jsonrpc"] == "2.0"
    assert faults("response", answer) == []
    assert ("result" in answer) != ("error" in answer)
    if "error" in answer:
        assert faults("error", answer["error"]) == []
        assert answer["error"]["code"] in CODES
        assert 0 < len(answer["error"]["message"]) <= MAX_MESSAGE
    return answer


def ask(server: Server, method: str, params: Any = None, number: int = 7) -> dict[str, Any]:
    message: dict[str, Any] = {"jsonrpc": "2.0", "id": number, "method": method}
    if params is not None:
        message["params"] = params
    answer = say(server, json.dumps(message).encode())
    assert answer["id"] == number
    if "result" in answer:
        assert faults(f"{method}.result", answer["result"]) == []
    return answer


def result(answer: dict[str, Any]) -> dict[str, Any]:
    assert "error" not in answer, answer
    found: dict[str, Any] = answer["result"]
    return found


def code(answer: dict[str, Any]) -> int:
    assert "result" not in answer, answer
    found: int = answer["error"]["code"]
    return found


SETUP = [
    {"draw": card, "from": "draw_pile", "to": f"hand.{player}"}
    for player, cards in {
        "p1": ["green-left", "pink-left", "red-right"],
        "p2": ["blue-left", "pink-left", "red-left"],
    }.items()
    for card in cards
]
PICK = {"pick": "p1", "of": "first_player"}


def new(game_id: str = "g1", **changes: Any) -> dict[str, Any]:
    params = {
        "game_id": game_id, "game": "poodle-taxi", "edition": "1", "players": 2,
        "components": {"id": "standard", "digest": document()["components"]["digest"]},
        "options": {}, "rulings": {"starter": "table", "flea_count": "seen"},
        "chance": [*SETUP, PICK],
    }
    return {k: v for k, v in {**params, **changes}.items() if v is not ...}


def move(name: str = "start", actor: str = "p1", **args: str) -> dict[str, Any]:
    return {"actor": actor, "move": name, "args": args or {"card": "green-left"}}


def drawn(card: str = "green-left", player: str = "p1") -> list[dict[str, Any]]:
    return [{"draw": card, "from": "draw_pile", "to": f"hand.{player}"}]


@pytest.fixture
def server() -> Server:
    return new_server(5)


@pytest.fixture
def playing(server: Server) -> Server:
    result(ask(server, "new_game", new()))
    return server


# -- what goes right -----------------------------------------------------------------------------


def test_hello(server: Server) -> None:
    said = result(ask(server, "hello", {"protocol": 1, "kit": {"name": "k", "version": "0"}}))
    assert said["protocol"] == 1
    assert said["implementation"]["version"] == "1.2.3"
    assert said["games"] == [{
        "game": "poodle-taxi", "edition": "1", "components": ["standard"], "players": [2, 3, 4],
        "options": {}, "rulings": {"starter": ["table", "first_seat"],
                                   "flea_count": ["seen", "hidden"]},
    }]
    assert set(said["capabilities"]) == {
        "legal", "state", "observations", "chance:tape", "chance:report"
    }


@pytest.mark.parametrize("protocol", [0, 2, "1", None, True])
def test_hello_in_another_protocol(server: Server, protocol: Any) -> None:
    assert code(ask(server, "hello", {"protocol": protocol})) == -32602
    assert code(ask(server, "hello", {})) == -32602


def test_a_position(playing: Server) -> None:
    said = result(ask(playing, "apply", {"game_id": "g1", "move": move(), "chance": drawn()}))
    assert said == {
        "actors": ["p2"],
        "outcome": None,
        "legal": [
            {"actor": "p2", "move": "extend", "args": {"card": card, "end": end}}
            for card in ("pink-left", "red-left", "blue-left") for end in ("left", "right")
        ],
        "state": {
            "draw_pile": without(["green-left", "green-left", "pink-left", "pink-left",
                                  "red-right", "blue-left", "red-left"]),
            "hand": {"p1": ["green-left", "pink-left", "red-right"],
                     "p2": ["blue-left", "pink-left", "red-left"]},
            "row": [["green-left"]],
            "fleas": {"p1": [], "p2": []},
        },
        "observations": said["observations"],
    }
    assert said["observations"]["p1"]["hand"] == {
        "p1": ["green-left", "pink-left", "red-right"], "p2": {"count": 3}
    }


def without(cards: list[str]) -> list[str]:
    """Return the pile of a game for two without these cards."""
    pile = sorted(f"{c}-{a}" for c in ("green", "pink", "red", "blue", "colour-5", "colour-6")
                  for a in ("left", "right") for _ in range(2))
    for card in cards:
        pile.remove(card)
    return pile


def test_a_refusal_changes_nothing_and_uses_no_chance(playing: Server) -> None:
    params = {"game_id": "g1", "move": move("extend", card="green-left", end="left"),
              "chance": drawn()}
    refused = result(ask(playing, "apply", params))
    assert refused["illegal"]["rule"] == "4.3"
    assert refused["illegal"]["reason"] == "the row is empty, so there is no end to choose"
    result(ask(playing, "apply", {"game_id": "g1", "move": move(), "chance": drawn()}))


@pytest.mark.parametrize(
    "bad",
    [{}, {"actor": "p1"}, {"actor": "p9", "move": "start", "args": {}},
     {"actor": ["p1"], "move": "start", "args": {}}, {"actor": {}, "move": {}, "args": {}},
     {"actor": "p1", "move": "pass", "args": {}}, {"actor": "p1", "move": "start"},
     {"actor": "p1", "move": "start", "args": []},
     {"actor": "p1", "move": "start", "args": {"card": "x"}},
     {"actor": "p1", "move": "start", "args": {"card": None}},
     {"actor": "p1", "move": "start", "args": {"card": ["green-left"]}},
     {"actor": "p1", "move": "x" * 100_000, "args": {}}],
)
def test_what_is_no_move_is_refused(playing: Server, bad: dict[str, Any]) -> None:
    said = result(ask(playing, "apply", {"game_id": "g1", "move": bad, "chance": []}))
    assert said["illegal"]["reason"]
    assert "rule" not in said["illegal"]
    result(ask(playing, "apply", {"game_id": "g1", "move": move(), "chance": drawn()}))


def test_games_do_not_influence_each_other(server: Server) -> None:
    for name in ("a", "b"):
        result(ask(server, "new_game", new(name)))
    result(ask(server, "apply", {"game_id": "a", "move": move(), "chance": drawn()}))
    first = result(ask(server, "apply", {"game_id": "b", "move": move(card="pink-left"),
                                         "chance": drawn()}))
    assert first["state"]["row"] == [["pink-left"]]
    assert ask(server, "end_game", {"game_id": "a"}) == {"jsonrpc": "2.0", "id": 7, "result": {}}
    result(ask(server, "apply", {"game_id": "b", "move": move("cover", "p2", card="pink-left"),
                                 "chance": drawn("red-right", "p2")}))
    result(ask(server, "end_game", {"game_id": "b"}))


def test_bye(server: Server) -> None:
    assert not server.finished
    assert result(ask(server, "bye", {})) == {}
    assert server.finished


def test_params_may_be_left_out_where_there_are_none(server: Server) -> None:
    assert result(ask(server, "bye")) == {}


def test_report_mode(server: Server) -> None:
    said = result(ask(server, "new_game", new(chance=None)))
    # three draws for each of two seats, then the beginner
    assert [list(o) for o in said["chance"]] == [["draw", "from", "to"]] * 6 + [["pick", "of"]]
    hand: dict[str, list[str]] = {"p1": [], "p2": []}
    for outcome in said["chance"][:6]:
        hand[outcome["to"].removeprefix("hand.")].append(outcome["draw"])
    assert said["state"]["hand"] == {p: sorted(cards) for p, cards in hand.items()}
    assert said["actors"] == [said["chance"][6]["pick"]]
    # the same game on a tape gives the same position
    taped = result(ask(server, "new_game", new("g2", chance=said["chance"])))
    assert {**taped, "chance": said["chance"]} == said
    played = said["legal"][0]
    after = result(ask(server, "apply", {"game_id": "g1", "move": played, "chance": None}))
    assert [list(o) for o in after["chance"]] == [["draw", "from", "to"]]
    taped = result(ask(server, "apply", {"game_id": "g2", "move": played,
                                         "chance": after["chance"]}))
    assert {**taped, "chance": after["chance"]} == after
    # a refusal reports nothing
    refused = result(ask(server, "apply", {"game_id": "g1", "move": played, "chance": None}))
    assert list(refused) == ["illegal"]


def test_other_seeds_report_other_outcomes() -> None:
    said = [result(ask(new_server(seed), "new_game", new(chance=None)))["chance"]
            for seed in (1, 1, 2)]
    assert said[0] == said[1] != said[2]


def test_a_ruling_changes_the_setup_and_the_views(server: Server) -> None:
    rulings = {"starter": "first_seat", "flea_count": "hidden"}
    said = result(ask(server, "new_game", new(rulings=rulings, chance=SETUP)))
    assert said["actors"] == ["p1"]
    assert said["observations"]["p1"]["fleas"] == {"p1": {"count": 0}, "p2": {"count": None}}


# -- every code of the table -----------------------------------------------------------------------


@pytest.mark.parametrize(
    "line",
    [b"", b"{", b"not json", b"\xff", b'{"a":1,"a":2}', b'{"id":1.5}', b'{"id":NaN}',
     b'{"id":9007199254740992}', b"[" * 300 + b"]" * 300, b'"\\ud800"', b"\xef\xbb\xbf{}"],
)
def test_not_json(server: Server, line: bytes) -> None:
    answer = say(server, line)
    assert code(answer) == -32700
    assert answer["id"] is None


@pytest.mark.parametrize(
    ("message", "number"),
    [([], None), (1, None), (None, None), ("x", None), ([{"jsonrpc": "2.0", "id": 1}], None),
     ({}, None), ({"id": "1"}, None), ({"id": None}, None), ({"id": True}, None),
     ({"id": [1]}, None), ({"id": 1}, 1), ({"jsonrpc": "2.0", "id": 1}, 1),
     ({"jsonrpc": "1.0", "id": 2, "method": "hello"}, 2),
     ({"jsonrpc": "2.0", "id": 3, "method": 4}, 3),
     ({"jsonrpc": "2.0", "id": 3, "method": ["hello"]}, 3)],
)
def test_not_a_request(server: Server, message: Any, number: int | None) -> None:
    answer = say(server, json.dumps(message).encode())
    assert code(answer) == -32600
    assert answer["id"] == number


def test_unknown_method(server: Server) -> None:
    assert code(ask(server, "load", {})) == -32601
    assert code(ask(server, "", {})) == -32601


@pytest.mark.parametrize(
    ("method", "params"),
    [("hello", {}), ("hello", []), ("new_game", {}), ("new_game", "x"),
     ("new_game", new(game_id=1)), ("new_game", new(game_id=...)), ("new_game", new(players="2")),
     ("new_game", new(players=True)), ("new_game", new(players=...)), ("new_game", new(game=None)),
     ("new_game", new(edition=1)), ("new_game", new(chance="x")), ("new_game", new(chance={})),
     ("new_game", new(chance=[1])), ("new_game", new(rulings=[])), ("new_game", new(options="x")),
     ("new_game", new(components=["standard"])), ("apply", {}), ("apply", {"game_id": "g1"}),
     ("apply", {"game_id": "g1", "move": "start"}), ("apply", {"game_id": ["g1"], "move": {}}),
     ("apply", {"game_id": "g1", "move": move(), "chance": "x"}),
     ("apply", {"game_id": "g1", "move": move(), "chance": [[]]}),
     ("end_game", {}), ("end_game", {"game_id": None}), ("bye", [])],
)
def test_wrong_parameters(playing: Server, method: str, params: Any) -> None:
    if method == "new_game" and isinstance(params, dict) and "game_id" in params:
        params = {**params, "game_id": "g2" if params["game_id"] == "g1" else params["game_id"]}
    assert code(ask(playing, method, params)) == -32602
    assert not playing.finished
    # nothing has been lost
    result(ask(playing, "apply", {"game_id": "g1", "move": move(), "chance": drawn()}))
    assert code(ask(playing, "end_game", {"game_id": "g2"})) == -32003


def test_a_game_id_is_used_once(playing: Server) -> None:
    assert code(ask(playing, "new_game", new())) == -32602


@pytest.mark.parametrize("change", [{"game": "poodle"}, {"edition": "2"}, {"edition": ""}])
def test_unknown_game(server: Server, change: dict[str, Any]) -> None:
    assert code(ask(server, "new_game", new(**change))) == -32001
    assert code(ask(server, "end_game", {"game_id": "g1"})) == -32003


@pytest.mark.parametrize(
    "change",
    [{"players": 1}, {"players": 5}, {"players": -2}, {"options": {"fast": True}},
     {"rulings": {"stater": "table"}}, {"rulings": {"starter": "anybody"}},
     {"rulings": {"starter": ["table"]}}, {"rulings": {"starter": {}}},
     {"components": {"id": "small"}}, {"components": {"id": None}}],
)
def test_unsupported_settings(server: Server, change: dict[str, Any]) -> None:
    assert code(ask(server, "new_game", new(**change))) == -32002
    assert code(ask(server, "end_game", {"game_id": "g1"})) == -32003


def test_unknown_game_id(server: Server) -> None:
    for method, params in (("apply", {"game_id": "g9", "move": move()}),
                           ("end_game", {"game_id": "g9"})):
        assert code(ask(server, method, params)) == -32003
    result(ask(server, "new_game", new()))
    result(ask(server, "end_game", {"game_id": "g1"}))
    assert code(ask(server, "end_game", {"game_id": "g1"})) == -32003


def test_the_game_is_over(server: Server) -> None:
    said = result(ask(server, "new_game", new(chance=None)))
    plies = 0
    while said["outcome"] is None:
        played = said["legal"][0]
        said = result(ask(server, "apply", {"game_id": "g1", "move": played, "chance": None}))
        plies += 1
    assert plies == 24
    assert said["actors"] == said["legal"] == []
    for wrong in (played, {}, move("pass")):
        params = {"game_id": "g1", "move": wrong, "chance": []}
        assert code(ask(server, "apply", params)) == -32004
    result(ask(server, "end_game", {"game_id": "g1"}))


TAPES = [
    (-32010, []),
    (-32011, drawn(player="p2")),
    (-32011, [PICK]),
    (-32012, drawn("violet-left")),
    (-32012, drawn("pink-left")),
    (-32013, drawn() + drawn("red-left")),
]


@pytest.mark.parametrize(("number", "tape"), TAPES)
def test_a_tape_that_does_not_fit_loses_this_game_only(
    playing: Server, number: int, tape: list[dict[str, Any]]
) -> None:
    result(ask(playing, "new_game", new("other")))
    params = {"game_id": "g1", "move": move(), "chance": tape}
    assert code(ask(playing, "apply", params)) == number
    # requests for a lost game are answered, in whatever way; all others go on
    ask(playing, "apply", params)
    result(ask(playing, "apply", {"game_id": "other", "move": move(), "chance": drawn()}))


@pytest.mark.parametrize(
    ("number", "tape"),
    [(-32010, SETUP), (-32011, [PICK, PICK, *SETUP[1:]]), (-32013, [*SETUP, PICK, PICK]),
     (-32012, [{**o, "draw": "green-left"} for o in SETUP] + [PICK]),
     (-32012, [*SETUP, {"pick": "p3", "of": "first_player"}]),
     (-32012, [*SETUP, {"pick": ["p1"], "of": "first_player"}])],
)
def test_a_setup_tape_that_does_not_fit(server: Server, number: int, tape: list[Any]) -> None:
    assert code(ask(server, "new_game", new(chance=tape))) == number
    result(ask(server, "new_game", new("g2")))


def test_absent_chance_is_an_empty_list(playing: Server) -> None:
    assert code(ask(playing, "new_game", new("g2", chance=...))) == -32010
    assert code(ask(playing, "apply", {"game_id": "g1", "move": move()})) == -32010


def test_a_failing_clause_loses_this_game_only(tmp_path: Path) -> None:
    folder = patched(tmp_path / "two-piles", (
        "game.yaml", '      - do: "keep(actor, card)"\n',
        '      - set: {turn: "players[card.points]"}\n      - do: "keep(actor, card)"\n',
    ))
    server = Server(load_document(folder), "0")
    settings_ = {"game": "two-piles", "edition": "1", "players": 2, "chance": []}
    for name in ("a", "b"):
        result(ask(server, "new_game", {"game_id": name, **settings_}))
    red, blue = ({"actor": "p1", "move": "take", "args": {"card": c}}
                 for c in ("red-two", "blue-one"))
    assert code(ask(server, "apply", {"game_id": "a", "move": red})) == -32603
    assert code(ask(server, "apply", {"game_id": "a", "move": blue})) == -32003
    result(ask(server, "apply", {"game_id": "b", "move": blue}))


# -- whatever is sent ------------------------------------------------------------------------------

json_values = st.recursive(
    st.one_of(st.none(), st.booleans(), st.integers(-3, 3), st.text(max_size=3), st.sampled_from(
        ["g1", "p1", "start", "green-left", "poodle-taxi", "1", "draw_pile", "hand.p1"])),
    lambda inner: st.one_of(
        st.lists(inner, max_size=3),
        st.dictionaries(st.sampled_from(
            ["game_id", "game", "edition", "players", "move", "actor", "args", "card", "chance",
             "draw", "from", "to", "pick", "of", "rulings", "starter", "components", "id",
             "options", "roll", "end"]), inner, max_size=5),
    ),
    max_leaves=15,
)
#: Right requests with one thing in them replaced.
requests = st.one_of(
    st.tuples(st.just("new_game"), st.sampled_from(sorted(new())), json_values).map(
        lambda t: (t[0], {**new("g2"), t[1]: t[2]})),
    st.tuples(st.sampled_from(["game_id", "move", "chance"]), json_values).map(
        lambda t: ("apply", {"game_id": "g1", "move": move(), "chance": drawn(), t[0]: t[1]})),
    st.tuples(st.sampled_from(["actor", "move", "args"]), json_values).map(
        lambda t: ("apply", {"game_id": "g1", "move": {**move(), t[0]: t[1]}, "chance": drawn()})),
    st.tuples(st.sampled_from(["draw", "from", "to"]), json_values).map(
        lambda t: ("apply", {"game_id": "g1", "move": move(),
                             "chance": [{**drawn()[0], t[0]: t[1]}]})),
    st.tuples(st.sampled_from(["hello", "new_game", "apply", "end_game", "bye", "x"]), json_values),
)


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(requests)
def test_whatever_is_sent_is_answered(request_: tuple[str, Any]) -> None:
    server = new_server()
    result(ask(server, "new_game", new()))
    result(ask(server, "new_game", new("other")))
    answer = ask(server, *request_)
    # nothing that is sent makes the program itself fail
    assert "error" not in answer or answer["error"]["code"] != -32603, answer
    if request_[1] != {"game_id": "other"}:
        result(ask(server, "apply", {"game_id": "other", "move": move(), "chance": drawn()}))


@given(st.binary(max_size=80))
def test_whatever_bytes_are_sent_are_answered(line: bytes) -> None:
    say(new_server(), line)
