"""What both adapter helpers must do: one test body, driven over real pipes.

A test module per language subclasses `HelperBody` and gives the fixture ``command``. The games
are the toys of ``programs/toys.py`` and ``programs/toys.mjs``; expected values follow from their
rules by hand.
"""

import contextlib
import functools
import json
import re
import subprocess
import textwrap
import threading
from pathlib import Path

import pytest
from jsonschema import Draft202012Validator
from referencing import Registry, Resource

ROOT = Path(__file__).parents[2]
PROGRAMS = Path(__file__).parent / "programs"

# p1 gets amber, p2 emerald; p2 starts.
DEAL = [
    {"pick": "p2", "of": "first_player"},
    {"draw": "amber", "from": "pile", "to": "hand.p1"},
    {"draw": "emerald", "from": "pile", "to": "hand.p2"},
]


@functools.cache
def schema(name):
    """A validator of one of the protocol's schemas."""
    files = [*(ROOT / "spec/schemas/protocol").glob("*.schema.json")]
    texts = {file.name: json.loads(file.read_text()) for file in files}
    resources = [(text["$id"], Resource.from_contents(text)) for text in texts.values()]
    registry = Registry().with_resources(resources)
    return Draft202012Validator(texts[f"{name}.schema.json"], registry=registry)


def unpack_example(folder, *names):
    """Write the files that docs/adapters.md shows into a folder, as a reader would."""
    page = (ROOT / "docs/adapters.md").read_text()
    for name in names:
        (text,) = re.findall(rf'```\w+ title="{re.escape(name)}"\n(.*?) *```', page, re.DOTALL)
        (folder / name).write_text(textwrap.dedent(text))


class Child:
    """The process under test. It is killed after a minute, so that a hang is a failure."""

    def __init__(self, command, folder):
        self.stderr_file = folder / "stderr.txt"
        self.sink = self.stderr_file.open("wb")
        self.process = subprocess.Popen(
            command, cwd=folder, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=self.sink
        )
        self.watchdog = threading.Timer(60, self.process.kill)
        self.watchdog.start()
        self.count = 0

    def line(self, method, **params):
        self.count += 1
        request = {"jsonrpc": "2.0", "id": self.count, "method": method, "params": params}
        return json.dumps(request).encode() + b"\n"

    def send(self, data):
        self.process.stdin.write(data)
        self.process.stdin.flush()

    def read(self):
        line = self.process.stdout.readline()
        assert line.endswith(b"\n"), f"no whole line: {line!r}; stderr: {self.stderr()}"
        return json.loads(line)

    def raw(self, data):
        self.send(data)
        return self.read()

    def reply(self, method, **params):
        answer = self.raw(self.line(method, **params))
        assert answer["jsonrpc"] == "2.0"
        assert answer["id"] == self.count
        return answer

    def result(self, method, **params):
        answer = self.reply(method, **params)
        assert set(answer) == {"jsonrpc", "id", "result"}, answer
        schema(f"{method}.result").validate(answer["result"])
        return answer["result"]

    def error(self, method, **params):
        answer = self.reply(method, **params)
        assert set(answer) == {"jsonrpc", "id", "error"}, answer
        assert answer["error"]["message"]
        schema("error").validate(answer["error"])
        return answer["error"]

    def code(self, method, **params):
        return self.error(method, **params)["code"]

    def new(self, game, game_id="g", players=1, **more):
        more = {"rulings": {}, "options": {}, "components": {"id": "toy", "digest": "x"}, **more}
        return dict(game_id=game_id, game=game, edition="1", players=players, **more)

    def magpie(self, game_id="g", chance=DEAL, **more):
        about = {"rulings": {"starter": "table"}, "options": {"double": True}, **more}
        return self.new("magpie", game_id, **{"players": 2, **about}, chance=chance)

    def move(self, actor, move, args=None, game_id="g", **more):
        step = {"actor": actor, "move": move, "args": args or {}}
        return dict(game_id=game_id, move=step, **more)

    def apply(self, *args, **more):
        return self.result("apply", **self.move(*args, **more))

    def seen(self, move, chance):
        """One move of a one-player toy in a game of its own: what it saw, or the error."""
        game_id = f"solo{self.count}"
        self.result("new_game", **self.new("lab", game_id))
        answer = self.reply("apply", **self.move("p1", move, game_id=game_id, chance=chance))
        return answer["result"]["state"]["seen"] if "result" in answer else answer["error"]

    def stderr(self):
        return self.stderr_file.read_text(errors="replace")

    def end(self):
        """End the process by the end of its input; returns what it still said, and its code."""
        self.process.stdin.close()
        rest = self.process.stdout.read()
        return rest, self.process.wait()

    def close(self):
        self.watchdog.cancel()
        self.process.kill()
        self.process.wait()
        for stream in (self.process.stdin, self.process.stdout, self.sink):
            with contextlib.suppress(BrokenPipeError):  # buffered for a process that is gone
                stream.close()


class HelperBody:
    @pytest.fixture
    def child(self, command, tmp_path):
        child = Child(command, tmp_path)
        yield child
        child.close()

    # -- the conversation ----------------------------------------------------------------------

    def test_hello_tells_what_the_program_defines(self, child, language):
        told = child.result("hello", protocol=1, kit={"name": "k", "version": "0"})
        assert told["protocol"] == 1
        assert told["implementation"] == {
            "name": "toys",
            "version": "1.2",
            "language": language,
            "url": "https://example.org/toys",
        }
        assert set(told["capabilities"]) == {
            "legal", "state", "observations", "chance:tape", "chance:report",
        }  # fmt: skip
        assert told["adapter_does"] == ["state"]
        assert told["games"][0] == {
            "game": "magpie",
            "edition": "1",
            "players": [2, 3],
            "rulings": {"starter": ["table", "first_seat"]},
            "options": {"double": [True, False]},
            "components": ["toy"],
        }
        assert "components" not in told["games"][1]

    def test_hello_of_another_protocol_is_answered_with_1(self, child):
        assert child.result("hello", protocol=7, later="field")["protocol"] == 1
        assert child.code("hello", protocol="1") == -32602

    def test_end_of_input_ends_it_and_an_unfinished_last_line_counts(self, child):
        child.send(child.line("hello", protocol=1).rstrip(b"\n"))
        rest, code = child.end()
        assert json.loads(rest)["result"]["protocol"] == 1
        assert code == 0

    def test_bye_ends_it_though_the_input_stays_open(self, child):
        child.send(child.line("bye") + child.line("hello", protocol=1))
        assert child.read() == {"jsonrpc": "2.0", "id": 1, "result": {}}
        assert child.process.stdout.read() == b""
        assert child.process.wait() == 0

    def test_a_line_may_come_in_pieces(self, child):
        line = child.line("hello", protocol=1, text="ä" * 50_000)
        for at in range(0, len(line), 33_333):  # cuts inside a character, too
            child.send(line[at : at + 33_333])
        assert child.read()["result"]["protocol"] == 1

    @pytest.mark.parametrize(("count", "size"), [(2000, 100), (60, 100_000)])
    def test_2000_requests_without_reading_between(self, child, count, size):
        child.send(child.line("new_game", **child.magpie()))
        for _ in range(count):
            child.send(child.line("apply", **child.move("p1", "take", padding="x" * size)))
        answers = [child.read() for _ in range(count + 1)]
        assert [answer["id"] for answer in answers] == list(range(1, count + 2))
        assert answers[0]["result"]["actors"] == ["p2"]
        assert all(set(answer["result"]) == {"illegal"} for answer in answers[1:])

    def test_answers_larger_than_a_pipe_do_not_stop_the_reading(self, child):
        games = 300  # each answer is some 400 bytes: more than the 64 KiB that a pipe holds
        for i in range(games):
            child.send(child.line("new_game", **child.magpie(f"g{i}")))
            child.send(child.line("nothing" + "x" * 400))
        answers = [child.read() for _ in range(2 * games)]
        assert [answer["id"] for answer in answers] == list(range(1, 2 * games + 1))

    # -- a game ----------------------------------------------------------------------------------

    def test_a_whole_game(self, child):
        start = child.result("new_game", **child.magpie())
        hands = {"p1": ["amber"], "p2": ["emerald"]}
        assert start == {
            "actors": ["p2"],
            "legal": [
                {"actor": "p2", "move": "take", "args": {}},
                {"actor": "p2", "move": "lay", "args": {"jewel": "emerald"}},
            ],
            "state": {
                "row": [],
                "hand": hands,
                "pile": {"count": 3},
                "coins": {"p1": 0, "p2": 0},
            },
            "observations": {
                player: {
                    "row": [],
                    "hand": {p: hands[p] if p == player else {"count": 1} for p in hands},
                    "pile": {"count": 3},
                    "coins": {"p1": 0, "p2": 0},
                }
                for player in hands
            },
            "outcome": None,
        }
        laid = child.apply("p2", "lay", {"jewel": "emerald"}, chance=[{"roll": [3, 3]}])
        assert laid["state"]["coins"] == {"p1": 0, "p2": 10}  # 5, doubled
        for actor, jewel in (("p1", "coral"), ("p2", "beryl"), ("p1", "diamond")):
            draw = {"draw": jewel, "from": "pile", "to": f"hand.{actor}"}
            last = child.apply(actor, "take", chance=[draw])
        assert last["outcome"] == {"winners": ["p2"], "returns": {"p1": 0, "p2": 10}}
        assert (last["actors"], last["legal"]) == ([], [])
        assert child.code("apply", **child.move("p2", "take")) == -32004
        assert child.result("end_game", game_id="g") == {}
        assert child.code("end_game", game_id="g") == -32003

    def test_rulings_and_options_reach_the_program(self, child):
        start = child.magpie(
            chance=DEAL[1:], rulings={"starter": "first_seat"}, options={"double": False}
        )
        assert child.result("new_game", **start)["actors"] == ["p1"]
        laid = child.apply("p1", "lay", {"jewel": "amber"}, chance=[{"roll": [3, 3]}])
        assert laid["state"]["coins"]["p1"] == 1

    def test_two_open_games_do_not_meet(self, child):
        child.result("new_game", **child.magpie("a"))
        child.result("new_game", **child.magpie("b"))
        draw = [{"draw": "coral", "from": "pile", "to": "hand.p2"}]
        a = child.apply("p2", "take", game_id="a", chance=draw)
        b = child.apply("p2", "lay", {"jewel": "emerald"}, game_id="b", chance=[{"roll": [1, 2]}])
        assert a["state"]["hand"]["p2"] == ["emerald", "coral"]
        assert b["state"]["hand"]["p2"] == []
        assert b["state"]["pile"] == {"count": 3}
        child.result("end_game", game_id="a")
        assert child.apply("p1", "take", game_id="b", chance=[{**draw[0], "to": "hand.p1"}])

    def test_an_illegal_move_changes_nothing(self, child):
        start = child.result("new_game", **child.magpie())
        roll = [{"roll": [1, 2]}]
        refused = child.apply("p2", "lay", {"jewel": "amber"}, chance=roll)
        assert refused == {"illegal": {"rule": "lay.owner", "reason": "amber is not in hand"}}
        assert child.apply("p2", "fly") == {"illegal": {"reason": "no such move"}}
        assert child.apply("p1", "take") == {"illegal": {"reason": "p1 is not to move"}}
        assert child.apply("p9", "take")["illegal"]
        laid = child.apply("p2", "lay", {"jewel": "emerald"}, chance=roll)
        assert laid["state"]["row"] == ["emerald"]
        assert laid["state"]["pile"] == start["state"]["pile"]

    def test_the_programs_own_exception_can_mean_illegal(self, child):
        child.result("new_game", **child.new("clumsy"))
        refused = child.apply("p1", "own_error")
        assert refused == {"illegal": {"rule": "own.rule", "reason": "the program says no"}}

    def test_inside_a_turn_a_program_may_answer_pending(self, child):
        child.result("new_game", **child.new("turns"))
        assert child.apply("p1", "one") == {"pending": True, "actors": ["p1"]}
        assert child.apply("p1", "two")["state"] == {"seen": ["one", "two"]}

    def test_a_program_that_owns_its_loop(self, child):
        start = child.result("new_game", **child.new("parley", players=2))
        assert start["actors"] == ["p1"]
        assert len(start["legal"]) == 10
        assert child.apply("p1", "say", {"number": 4})["actors"] == ["p2"]
        refused = child.apply("p2", "say", {"number": 4})
        assert refused == {"illegal": {"rule": "say.more", "reason": "too small"}}
        assert child.apply("p2", "roll", chance=[{"roll": [5]}])["state"] == {"last": 9}
        assert child.apply("p2", "say", {"number": 10})["illegal"]
        over = child.apply("p1", "say", {"number": 10})
        assert over["outcome"] == {"winners": ["p1"], "returns": {"p1": 2, "p2": 1}}
        assert (over["actors"], over["legal"]) == ([], [])

    def test_loops_are_independent_and_one_that_crashes_is_lost(self, child):
        for game_id in ("a", "b", "c"):
            child.result("new_game", **child.new("parley", game_id, players=2))
        # The error class is one that means "illegal", but nobody is left to play on.
        assert child.code("apply", **child.move("p1", "crash", game_id="a")) == -32603
        assert child.code("apply", **child.move("p1", "say", game_id="a")) == -32003
        wrong = child.move("p1", "roll", game_id="c", chance=[{"roll": [7]}])
        assert child.code("apply", **wrong) == -32012
        assert child.apply("p1", "say", {"number": 3}, game_id="b")["state"] == {"last": 3}

    # -- chance ----------------------------------------------------------------------------------

    def test_outcomes_may_come_in_any_order(self, child):
        first = child.result("new_game", **child.magpie("a"))
        assert child.result("new_game", **child.magpie("b", chance=DEAL[::-1])) == first

    def test_null_means_the_programs_own_chance_and_it_is_reported(self, child):
        made = child.result("new_game", **child.magpie("a", chance=None))
        assert [sorted(one) for one in made["chance"]] == [
            ["of", "pick"],
            ["draw", "from", "to"],
            ["draw", "from", "to"],
        ]
        told = made.pop("chance")
        replayed = child.result("new_game", **child.magpie("b", chance=told))
        assert replayed == made
        hand = made["state"]["hand"]
        actor = made["actors"][0]
        move = child.move(actor, "lay", {"jewel": hand[actor][0]}, game_id="a", chance=None)
        (roll,) = child.result("apply", **move)["chance"]
        assert len(roll["roll"]) == 2
        assert set(roll["roll"]) <= set(range(1, 7))

    def test_the_programs_own_chance_varies(self, child):
        starters = set()
        for i in range(64):  # all alike: 1 in 2**63
            made = child.result("new_game", **child.magpie(f"g{i}", chance=None))
            starters.add(made["actors"][0])
        assert starters == {"p1", "p2"}

    def test_absent_means_no_chance(self, child):
        request = child.magpie()
        del request["chance"]
        assert child.code("new_game", **request) == -32010

    def test_too_short_says_what_was_wanted(self, child):
        error = child.error("new_game", **child.magpie(chance=DEAL[:2]))
        assert error["code"] == -32010
        assert error["data"]["wanted"] == {"kind": "draw", "from": "pile", "to": "hand.p2"}

    @pytest.mark.parametrize(
        ("chance", "code"),
        [
            ([{"draw": "coral", "from": "pile", "to": "hand.p2"}], -32011),
            ([{"roll": [1]}], -32012),
            ([{"roll": [1, 2, 3]}], -32012),
            ([{"roll": [0, 6]}], -32012),
            ([{"roll": [1, 7]}], -32012),
            ([{"roll": [True, 2]}], -32012),
            ([{"roll": ["1", 2]}], -32012),
            ([{"roll": 3}], -32012),
            ([{"roll": None}], -32012),
            ([{"roll": [[1], {}]}], -32012),
            ([], -32010),
            ([{"roll": [1, 2]}, {"roll": [1, 2]}], -32013),
            ([{"roll": [1, 2]}, {}], -32013),
        ],
    )
    def test_after_a_tape_that_does_not_fit_the_game_is_lost(self, child, chance, code):
        child.result("new_game", **child.magpie("a"))
        child.result("new_game", **child.magpie("b"))
        lay = child.move("p2", "lay", {"jewel": "emerald"}, game_id="a", chance=chance)
        assert child.code("apply", **lay) == code
        assert child.code("apply", **lay) == -32003
        assert child.code("end_game", game_id="a") == -32003
        assert child.apply(
            "p2", "lay", {"jewel": "emerald"}, game_id="b", chance=[{"roll": [1, 2]}]
        )

    def test_a_component_that_is_not_there(self, child):
        twice = [DEAL[0], DEAL[1], {**DEAL[2], "draw": "amber"}]
        assert child.code("new_game", **child.magpie(chance=twice)) == -32012
        odd = [DEAL[0], DEAL[1], {**DEAL[2], "draw": ["amber"]}]
        assert child.code("new_game", **child.magpie(chance=odd)) == -32012
        assert child.code("apply", **child.move("p1", "take")) == -32003
        nobody = [{"pick": "p3", "of": "first_player"}, *DEAL[1:]]
        assert child.code("new_game", **child.magpie(chance=nobody)) == -32012

    def test_a_malformed_chance_is_refused_and_the_game_goes_on(self, child):
        child.result("new_game", **child.magpie())
        for chance in (5, "roll", {"roll": [1]}, [5], [None], False):
            assert child.code("apply", **child.move("p2", "take", chance=chance)) == -32602
        assert child.apply("p2", "lay", {"jewel": "emerald"}, chance=[{"roll": [1, 2]}])

    def test_a_tape_error_shows_though_the_program_swallows_it(self, child):
        child.result("new_game", **child.new("clumsy"))
        assert child.code("apply", **child.move("p1", "swallow")) == -32010
        assert child.code("apply", **child.move("p1", "other")) == -32003

    def test_stand_ins(self, child):
        def draw(one):
            return {"draw": one, "from": "bag", "to": "hand"}

        assert child.seen("dice", [{"roll": [3, 4]}]) == [3, 4]
        assert child.seen("die", [{"roll": [3, 4]}])["code"] == -32013  # the 4 is left over
        assert child.seen("die", [{"roll": [3]}])["code"] == -32012
        assert child.seen("deck", [draw("b")]) == ["b", 2]
        order = [{"shuffle": ["c", "a", "b"], "of": "bag"}]
        assert child.seen("shuffle", order) == ["c", "a", "b"]
        for wrong in (["c", "a"], ["c", "a", "a"], ["c", "a", "b", "d"], "cab", None):
            assert child.seen("shuffle", [{"shuffle": wrong, "of": "bag"}])["code"] == -32012
        assert child.seen("pick", [{"pick": 3, "of": "number"}]) == [3]
        assert child.seen("pick", [{"pick": "3", "of": "number"}])["code"] == -32012
        chance = [{"pick": "p2", "of": "first_player"}, {"roll": [6, 1]}]
        assert child.seen("random", chance) == [6, 1, "p2"]

    def test_own_shuffle_is_reported_as_done(self, child):
        child.result("new_game", **child.new("lab"))
        made = child.apply("p1", "shuffle", chance=None)
        assert made["chance"] == [{"shuffle": made["state"]["seen"], "of": "bag"}]
        assert sorted(made["state"]["seen"]) == ["a", "b", "c"]

    # -- what is refused -------------------------------------------------------------------------

    @pytest.mark.parametrize(
        ("more", "code"),
        [
            ({"game": "chess"}, -32001),
            ({"edition": "2"}, -32001),
            ({"players": 4}, -32002),
            ({"players": 2.5}, -32602),
            ({"players": "2"}, -32602),
            ({"players": True}, -32602),
            ({"rulings": {"starter": "youngest"}}, -32002),
            ({"players": 0}, -32602),
            ({"players": -2}, -32602),
            ({"rulings": {"other": "table"}}, -32602),
            ({"rulings": {}}, -32602),
            ({"rulings": []}, -32602),
            ({"options": {"double": 1}}, -32002),
            ({"options": {"toString": True}}, -32602),
            ({"components": {"id": "box", "digest": "x"}}, -32002),
            ({"components": {}}, -32602),
            ({"components": None}, -32602),
            ({"game_id": 5}, -32602),
            ({"game_id": ["a"]}, -32602),
            ({"game_id": "open"}, -32602),
        ],
    )
    def test_games_that_cannot_be_set_up(self, child, more, code):
        child.result("new_game", **child.magpie("open"))
        assert child.code("new_game", **{**child.magpie("g"), **more}) == code
        assert child.result("new_game", **child.magpie("g", unknown="field"))

    def test_a_ruling_that_the_class_does_not_name_comes_with_its_default(self, child):
        rulings = {"starter": "first_seat", "other": "default"}
        start = child.magpie(chance=DEAL[1:], rulings=rulings)
        assert child.result("new_game", **start)["actors"] == ["p1"]

    def test_any_component_set_goes_if_none_is_named(self, child):
        assert child.result("new_game", **child.new("clumsy", components={"id": "whatever"}))

    @pytest.mark.parametrize(
        "params",
        [
            {},
            {"move": []},
            {"move": {}},
            {"move": {"actor": "p2"}},
            {"move": {"actor": 2, "move": "take", "args": {}}},
            {"move": {"actor": "p2", "move": None, "args": {}}},
            {"move": {"actor": "p2", "move": "take", "args": [1]}},
        ],
    )
    def test_a_malformed_move_is_refused_and_the_game_goes_on(self, child, params):
        child.result("new_game", **child.magpie())
        assert child.code("apply", game_id="g", chance=[], **params) == -32602
        assert child.apply("p2", "lay", {"jewel": "emerald"}, chance=[{"roll": [1, 2]}])

    def test_a_missing_argument_is_refused_and_the_game_goes_on(self, child):
        child.result("new_game", **child.magpie())
        answer = child.reply("apply", **child.move("p2", "lay"))
        refused = answer.get("result", {}).get("illegal") or answer["error"]["code"] == -32602
        assert refused
        assert child.apply("p2", "lay", {"jewel": "emerald"}, chance=[{"roll": [1, 2]}])

    def test_unknown_games(self, child):
        assert child.code("apply", **child.move("p1", "take")) == -32003
        assert child.code("end_game", game_id="g") == -32003
        assert child.code("end_game") == -32602
        assert child.code("end_game", game_id={}) == -32602

    def test_unknown_methods(self, child):
        for method in ("undo", "", "__init__", "toString", "answer", "on_hello"):
            assert child.code(method) == -32601

    @pytest.mark.parametrize(
        "data",
        [
            b"",
            b"no json",
            b'{"jsonrpc":"2.0","id":1,"method":"hello","params":{"protocol":1}',
            b'{"jsonrpc":"2.0","id":1,"method":"hello","params":{"protocol":NaN}}',
            b'{"jsonrpc":"2.0","id":1,"method":"hello","params":{"protocol":-Infinity}}',
            b'{"jsonrpc":"2.0","id":1,"method":"hello","params":{"x":"\xff"}}',
            b'{"jsonrpc":"2.0","id":1,"method":"hello","params":{"x":"\xed\xa0\x80"}}',
            b"\xef\xbb\xbf{}",
            '{"jsonrpc":"2.0","id":1,"method":"hello"}'.encode("utf-16"),
            b"\0",
        ],
    )
    def test_what_is_not_json(self, child, data):
        answer = child.raw(data + b"\n")
        assert (answer["id"], answer["error"]["code"]) == (None, -32700)
        assert child.result("hello", protocol=1)

    @pytest.mark.parametrize(
        "request_",
        [
            [],
            [{"jsonrpc": "2.0", "id": 1, "method": "bye"}],
            5,
            None,
            {},
            {"jsonrpc": "2.0", "method": "bye"},
            {"jsonrpc": "2.0", "id": 0, "method": "bye"},
            {"jsonrpc": "2.0", "id": "1", "method": "bye"},
            {"jsonrpc": "2.0", "id": 1.5, "method": "bye"},
            {"jsonrpc": "2.0", "id": True, "method": "bye"},
            {"jsonrpc": "2.0", "id": None, "method": "bye"},
        ],
    )
    def test_what_is_no_request(self, child, request_):
        answer = child.raw(json.dumps(request_).encode() + b"\n")
        assert (answer["id"], answer["error"]["code"]) == (None, -32600)
        assert child.result("hello", protocol=1)

    @pytest.mark.parametrize("wrong", [{"jsonrpc": "1.0"}, {"jsonrpc": 2}, {"method": 5}])
    def test_the_id_is_echoed_if_it_is_one(self, child, wrong):
        request = {"jsonrpc": "2.0", "id": 41, "method": "hello", **wrong}
        answer = child.raw(json.dumps(request).encode() + b"\n")
        assert (answer["id"], answer["error"]["code"]) == (41, -32600)

    @pytest.mark.parametrize("params", [[], "x", 5, None])
    def test_params_must_be_an_object(self, child, params):
        request = {"jsonrpc": "2.0", "id": 41, "method": "hello", "params": params}
        answer = child.raw(json.dumps(request).encode() + b"\n")
        assert (answer["id"], answer["error"]["code"]) == (41, -32602)

    @pytest.mark.parametrize("bracket", ["[]", ("{\"a\":", "}")])
    @pytest.mark.parametrize("inside", [False, True])
    def test_deep_json(self, child, bracket, inside):
        deep = bracket[0] * 100_000 + ("" if bracket == "[]" else "1") + bracket[1] * 100_000
        if inside:
            deep = f'{{"jsonrpc":"2.0","id":1,"method":"hello","params":{{"x":{deep}}}}}'
        answer = child.raw(deep.encode() + b"\n")
        assert answer["error"]["code"] in (-32700, -32600)
        assert child.result("hello", protocol=1)

    def test_a_long_line_takes_linear_time(self, child):
        child.send(b'{"jsonrpc":"2.0","id":1,"method":"hello","params":{"protocol":1,"x":"')
        for _ in range(300):
            child.send(b"x" * 100_000)
        assert child.raw(b'"}}\n')["result"]["protocol"] == 1

    # -- bad habits ------------------------------------------------------------------------------

    @pytest.mark.parametrize("habit", ["crash", "exit", "nan"])
    def test_a_failing_program_loses_this_game_only(self, child, habit):
        child.result("new_game", **child.new("clumsy", "a"))
        child.result("new_game", **child.new("clumsy", "b"))
        assert child.code("apply", **child.move("p1", habit, game_id="a")) == -32603
        assert child.code("apply", **child.move("p1", "fine", game_id="a")) == -32003
        assert child.apply("p1", "fine", game_id="b")["outcome"] is None

    def test_prints_go_to_stderr(self, child):
        child.result("new_game", **child.new("clumsy"))
        assert child.apply("p1", "print")["outcome"] is None
        rest, code = child.end()
        assert (rest, code) == (b"", 0)
        for text in ("greets at import", "print in setup", "stray print", "raw bytes", "child pro"):
            assert text in child.stderr()

    # -- the worked example of the docs ------------------------------------------------------------

    def test_the_example_of_the_docs(self, example, tmp_path):
        pig = example("pig")
        assert len((tmp_path / pig[-1]).read_text().splitlines()) <= 30
        child = Child(pig, tmp_path)
        try:
            start = child.result("new_game", **child.new("pig", players=2))
            assert [entry["move"] for entry in start["legal"]] == ["roll"]
            assert child.apply("p1", "hold") == {"illegal": {"reason": "nothing to hold"}}
            assert child.apply("p1", "fly")["illegal"]
            assert child.apply("p1", "roll", chance=[{"roll": [6]}])["state"]["pot"] == 6
            lost = child.apply("p1", "roll", chance=[{"roll": [1]}])
            assert lost["state"] == {"score": {"p1": 0, "p2": 0}, "pot": 0}
            for face in (6, 5, 6, 4):
                assert child.apply("p2", "roll", chance=[{"roll": [face]}])["actors"] == ["p2"]
            over = child.apply("p2", "hold")
            assert over["outcome"] == {"winners": ["p2"], "returns": {"p1": 0, "p2": 21}}
            own = child.result("new_game", **child.new("pig", "own", players=2))
            assert own["actors"] == ["p1"]
            (roll,) = child.apply("p1", "roll", game_id="own", chance=None)["chance"]
            assert roll["roll"][0] in range(1, 7)
        finally:
            child.close()

    def test_the_loop_of_the_docs(self, example, tmp_path):
        child = Child(example("count"), tmp_path)
        try:
            assert child.result("hello", protocol=1)["capabilities"] == [
                "chance:tape",
                "chance:report",
            ]
            start = child.result("new_game", **child.new("count", players=2))
            assert start == {"actors": ["p1", "p2"], "outcome": None}
            assert child.apply("p2", "say", {"number": 9})["outcome"] is None
            assert child.apply("p2", "say", {"number": 9})["illegal"]["rule"] == "say.more"
            over = child.apply("p1", "say", {"number": 10})
            assert over == {"actors": [], "outcome": {"winners": ["p1"]}}
        finally:
            child.close()
