"""Which rule is named: one case for each row of the table in ``blame``, derived by hand.

The game of these tests: p1 begins with red-right; p2 puts blue-left at the right end, whose arrow
takes the red card; p1 covers it with blue-right, which takes nothing.
"""

import copy

import pytest
from kit.games import game

from ludex.engine import Tape
from ludex.protocol.messages import position
from ludex_tck.blame import Blame, blame
from ludex_tck.compare import compare
from ludex_tck.scripts import Script, Step
from ludex_tck.wire import Answer, RpcError

ALL = ("legal", "state", "observations")
SETUP = [
    *({"draw": c, "from": "draw_pile", "to": "hand.p1"}
      for c in ("blue-right", "green-left", "red-right")),
    *({"draw": c, "from": "draw_pile", "to": "hand.p2"}
      for c in ("blue-left", "green-right", "pink-left")),
    {"pick": "p1", "of": "first_player"},
]
GAME = [
    (("p1", "start", {"card": "red-right"}), "pink-right"),
    (("p2", "extend", {"card": "blue-left", "end": "right"}), "pink-left"),
    (("p1", "cover", {"card": "blue-right"}), "red-left"),
]
BEGIN, TAKE, COVER = 0, 1, 2


def draw(card, player):
    return [{"draw": card, "from": "draw_pile", "to": f"hand.{player}"}]


def script():
    g = game(2)
    state = g.initial_state(Tape(SETUP))
    made = Script(g, SETUP, position(state))
    for (actor, name, args), card in GAME:
        move, tape = {"actor": actor, "move": name, "args": args}, draw(card, actor)
        state.play(move, tape)
        made.steps.append(Step(move, tape, (), position(state)))
    return made


WHOLE = script()


def right(at):
    return copy.deepcopy(WHOLE.expected if at < 0 else WHOLE.steps[at].expected)


def rule(at, answered):
    """Return the rule of the first difference of an answer to a step."""
    reply = answered if isinstance(answered, Answer) else Answer(answered)
    step = WHOLE.steps[at] if at >= 0 else None
    difference = compare(reply, step, right(at), ALL)[0]
    return blame(WHOLE.cut(at + 1), at, difference, reply.result)


def test_the_game_is_the_one_that_is_told():
    assert right(BEGIN)["state"]["row"] == [["red-right"]]
    assert right(TAKE)["state"]["row"] == [["blue-left"]]
    assert right(TAKE)["state"]["fleas"] == {"p1": [], "p2": ["red-right"]}
    assert right(COVER)["state"]["row"] == [["blue-right", "blue-left"]]


# ---- the table ----------------------------------------------------------------------------------


def with_state(at, **change):
    found = right(at)
    for key, value in change.items():
        name, _, player = key.partition("__")
        if player:
            found["state"][name][player] = value
        else:
            found["state"][name] = value
    return found


def test_another_argument():
    # blue-left at the left end takes nothing: the table of a program that mixes up the ends
    found = with_state(TAKE, row=[["blue-left"], ["red-right"]], fleas__p2=[])
    assert rule(TAKE, found) == "4.4"


def test_an_if_that_goes_the_other_way():
    # at the right end a right arrow takes nothing: what `arrow == 'left'` decides is rule 5.1 ...
    found = with_state(TAKE, row=[["red-right"], ["blue-left"]], fleas__p2=[])
    assert rule(TAKE, found) == "5.1"


def test_who_begins():
    # ... and the setup's `if` is no move's
    assert rule(-1, {**right(-1), "actors": ["p2"]}) == "2.6"


@pytest.mark.parametrize(
    ("at", "change", "wanted"),
    [
        (-1, {"hand__p1": ["blue-right", "green-left"]}, "2.2"),
        (-1, {"fleas__p1": ["red-left"]}, "5.7"),  # nothing ever changed it
        (-1, {"row": [["red-left"]]}, "3.2"),
        (TAKE, {"fleas__p2": []}, "5.3"),  # taken to nowhere
        (TAKE, {"fleas__p1": ["red-right"], "fleas__p2": []}, "5.3"),  # to another's pile
        (COVER, {"row": [["blue-left", "blue-right"]]}, "4.6"),
        # the drawn card comes from the pile: the clause that writes both and nothing else
        (COVER, {"hand__p1": ["green-left", "pink-right"], "draw_pile": ["red-left"]}, "6.1"),
    ],
)
def test_the_clause_that_writes_what_is_wrong(at, change, wanted):
    assert rule(at, with_state(at, **change)) == wanted


@pytest.mark.parametrize(
    ("at", "path", "wanted"),
    [
        (TAKE, ("state", "fleas", "p2"), "5.3"),
        (COVER, ("state", "fleas", "p2"), "5.3"),  # a step ago
        (COVER, ("state", "fleas", "p1"), "5.7"),  # never: the variable itself
        (COVER, ("state", "hand", "p2"), "6.1"),
        (BEGIN, ("state", "hand", "p2"), "2.2"),
        (BEGIN, ("state", "row"), "4.3"),
        (COVER, ("state", "row"), "4.6"),
        (TAKE, ("state", "draw_pile"), "6.1"),
        (-1, ("state", "draw_pile"), "2.2"),
        (-1, ("state", "weather"), "2.4"),  # no variable: the first one
        (-1, ("state", "hand", "p7"), "2.2"),  # no player: the variable's last change
    ],
)
def test_the_last_writer_of_a_place(at, path, wanted):
    assert Blame(WHOLE.cut(at + 1), at)._last_change(path) == wanted


def test_a_refused_move_writes_nothing():
    refused = Step({"actor": "p1", "move": "start", "args": {"card": "red-right"}}, [],
                   ("anything",), None)
    longer = Script(WHOLE.game, SETUP, WHOLE.expected, [*WHOLE.steps[:2], refused])
    assert Blame(longer, 2)._last_change(("state", "row")) == "5.3"
    assert Blame(longer, 2).before.table() == right(TAKE)["state"]


# ---- legal moves --------------------------------------------------------------------------------


def move(actor, name, **args):
    return {"actor": actor, "move": name, "args": args}


@pytest.mark.parametrize(
    ("extra", "wanted"),
    [
        (move("p2", "start", card="green-right"), "4.3"),
        (move("p2", "extend", card="red-left", end="left"), "4.1"),
        (move("p2", "cover", card="green-right"), "4.4"),
        (move("p1", "cover", card="pink-right"), "2.7"),
        # no move of the game at all
        (move("p2", "pass"), "2.7"),
        (move("p2", "cover", card="joker"), "4.6"),
        (move("p7", "cover", card="green-right"), "4.6"),
    ],
)
def test_a_move_too_many(extra, wanted):
    found = right(BEGIN)
    found["legal"].append(extra)
    assert rule(BEGIN, found) == wanted


@pytest.mark.parametrize(
    ("left_out", "wanted"),
    [
        # one end of a card is listed, so the end is read too narrowly
        (lambda m: m["args"]["end"] == "right", "4.4"),
        # other cards are listed
        (lambda m: m["args"]["card"] == "pink-left", "4.1"),
        # no card at any end: the move itself
        (lambda m: True, "4.4"),
    ],
)
def test_a_move_too_few(left_out, wanted):
    found = right(BEGIN)
    found["legal"] = [m for m in found["legal"] if not left_out(m)]
    assert rule(BEGIN, found) == wanted


def test_a_legal_move_refused_is_the_move():
    assert rule(COVER, {"illegal": {"rule": "4.1"}}) == "4.6"


@pytest.mark.parametrize(
    ("at", "data", "wanted"),
    [
        (TAKE, None, "6.1"),
        (-1, None, "2.6"),  # the last that asks in the setup is the pick
        (-1, {"wanted": {"kind": "pick", "of": "first_player"}}, "2.6"),
        (-1, {"wanted": {"kind": "draw", "from": "draw_pile", "to": "hand.p1"}}, "2.2"),
        (-1, {"wanted": {"kind": "roll", "from": 7}}, "2.6"),
        (-1, {"wanted": "a card"}, "2.6"),
    ],
)
def test_outcomes_that_are_not_used(at, data, wanted):
    assert rule(at, Answer(None, RpcError(-32010, "more", data))) == wanted


# ---- the rest -----------------------------------------------------------------------------------


def test_too_many_actors_are_the_step_and_others_are_what_sets_them():
    assert rule(TAKE, {**right(TAKE), "actors": ["p1", "p2"]}) == "2.7"
    assert rule(TAKE, {**right(TAKE), "actors": ["p2"]}) == "2.7"
    assert rule(-1, {**right(-1), "actors": ["p1", "p2"]}) == "2.7"
    assert rule(-1, {**right(-1), "actors": []}) == "2.6"


@pytest.mark.parametrize(
    ("zone", "seen", "wanted"),
    [("hand", {"p1": {"count": 3}}, "2.5"), ("row", {"count": 1}, "3.2"),
     ("fleas", {}, "5.7"), ("draw_pile", {"count": None}, "2.4")],
)
def test_a_wrong_view_is_the_variable(zone, seen, wanted):
    found = right(TAKE)
    found["observations"]["p1"][zone] = seen
    assert rule(TAKE, found) == wanted


def test_an_error_in_the_setup_is_no_rule_of_play():
    assert rule(-1, Answer(None, RpcError(-32603, "oops"))) == "1.1"
