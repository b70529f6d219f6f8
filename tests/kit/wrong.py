"""A program with one fault, chosen by name: the reference, and something done to its answers.

``python wrong.py FAULT [PLAYERS]`` speaks the protocol; `Wrong` does the same within a process.
"""

import contextlib
import copy
import json
import os
import sys
import time
from pathlib import Path

from ludex.authoring.document import load_document
from ludex.errors import InvalidMove
from ludex.protocol.messages import position
from ludex.protocol.server import Server
from ludex_tck.wire import Breach, Raw, judge

GAME = "poodle-taxi"
DOCUMENT = "LUDEX_TEST_DOCUMENT"
"""Name of the environment variable with the file of the game document, to start faster."""
FAULTS = {}


class Crash(Exception):
    """The process is to end."""


def fault(function):
    FAULTS[function.__name__.replace("_", "-")] = function
    return function


def read_request(line):
    """Return a request; None if it has not the form of one."""
    try:
        message = json.loads(line)
        return message if isinstance(message["params"].get("game_id", ""), str) else None
    except (ValueError, TypeError, KeyError, AttributeError, RecursionError):
        return None


class Wrong:
    """One process of the program.

    Attributes
    ----------
    last : dict
        Id of a game to its last position; `was` is the one before the present request.
    store : dict
        What the process remembers from game to game.
    """

    def __init__(self, document, name="right", players=(2,), process=1):
        self.server = Server(document, "1.0")
        self.fault = FAULTS[name]
        self.players = list(players)
        self.process = process
        self.count = 0
        self.last = {}
        self.was = None
        self.state = None
        self.store = {}

    def answer(self, line):
        """Return the answer to one line; None is silence."""
        self.count += 1
        message = read_request(line)
        if message is None:
            return self.server.answer(line)
        game = message["params"].get("game_id")
        self.was = self.last.get(game)
        state = self.server.games.get(game)
        self.state = state.clone() if state is not None else None
        reply = json.loads(self.server.answer(line))
        if "error" in reply:
            return json.dumps(reply).encode()
        if message["method"] == "hello":
            reply["result"]["games"][0]["players"] = self.players
        if "actors" in reply.get("result", ()):
            self.last[game] = copy.deepcopy(reply["result"])
        with contextlib.suppress(InvalidMove):  # a move that names nobody or nothing
            reply = self.fault(self, message, reply)
        return reply if reply is None or isinstance(reply, bytes) else json.dumps(reply).encode()


class Fake:
    """Takes the place of the kit's `Process`: the program runs within this one."""

    def __init__(self, document, name, players=(2,)):
        self.make = lambda number: Wrong(document, name, players, number)
        self.number = 0
        self.answered = 0
        self.breach = None
        self.program = None
        self.pairs = []

    @property
    def running(self):
        return self.program is not None

    def restart(self):
        self.close()
        self.breach = None

    def close(self):
        self.program = None

    def exchange(self, requests, *, more=False):
        assert self.breach is None
        if self.program is None:
            self.number += 1
            self.answered = 0
            self.program = self.make(self.number)
        replies = []
        for request in requests:
            number = self.answered + 1
            line, ids = self.encode(number, request)
            replies.append(self.reply(line, ids))
            if self.breach is not None:
                break
            self.answered = number
        return replies

    @staticmethod
    def encode(number, request):
        if isinstance(request, Raw):
            return request.line, request.ids
        return json.dumps({"jsonrpc": "2.0", "id": number, "params": {}, **request}).encode(), (
            number,
        )

    def reply(self, line, ids):
        try:
            answer = self.program.answer(line)
        except Crash:
            return self.fail("exit", "found the end of the process", line)
        if answer is None:
            return self.fail("silence", "found no answer", line)
        found = judge(answer, ids, self.answered, careful=False)
        if hasattr(found, "kind"):
            return self.fail(found.kind, found.message, line)
        return found

    def fail(self, kind, message, line):
        self.close()
        self.breach = Breach(kind, message, wire=("> " + line.decode(),), stderr="Traceback: oops")
        return self.breach

    def unasked(self):
        return None

    def wire(self):
        return []

    def stop(self, bye=True):
        if not bye:
            self.close()
            return None
        [reply] = self.exchange([{"method": "bye", "params": {}}])
        self.close()
        return reply if isinstance(reply, Breach) else None


# ---- what the faults share ----------------------------------------------------------------------


def on_position(change):
    """Make a fault that changes positions: `change(program, message, position)`, in place."""

    def function(program, message, reply):
        if "actors" in reply.get("result", ()):
            change(program, message, reply["result"])
        return reply

    function.__name__ = change.__name__
    return function


def position_fault(change):
    return fault(on_position(change))


def on_hello(change):
    def function(program, message, reply):
        if message["method"] == "hello":
            change(reply["result"])
        return reply

    function.__name__ = change.__name__
    return fault(function)


def played(message):
    """Return the card that a request plays, or None."""
    return message["params"]["move"]["args"].get("card") if message["method"] == "apply" else None


def is_cover(message):
    return message["method"] == "apply" and message["params"]["move"]["move"] == "cover"


def refused(reply):
    return "illegal" in reply.get("result", ())


def error(reply, code):
    return {"jsonrpc": "2.0", "id": reply["id"], "error": {"code": code, "message": "no"}}


def result(reply, value):
    return {"jsonrpc": "2.0", "id": reply["id"], "result": value}


def accepting(name, part, rule):
    """Make a fault: a move is carried out although it breaks this part of it, by this rule."""

    def function(program, message, reply):
        if refused(reply):
            broken = program.state.broken(
                program.state.game.action_from_json(message["params"]["move"])
            )
            if part in broken[0].clause and broken[0].rule == rule:
                return result(reply, position(program.state))
        return reply

    function.__name__ = name
    return fault(function)


def without(name, *capabilities):
    """Make a program that claims less and answers less."""

    def function(program, message, reply):
        if message["method"] == "hello":
            found = reply["result"]["capabilities"]
            reply["result"]["capabilities"] = [c for c in found if c not in capabilities]
        elif "actors" in reply.get("result", ()):
            for field in capabilities:
                reply["result"].pop(field, None)
        return reply

    function.__name__ = name
    return fault(function)


# ---- programs that are right --------------------------------------------------------------------


@fault
def right(program, message, reply):
    return reply


@fault
def extra_fields(program, message, reply):
    found = reply.get("result", {})
    reply["mood"] = "good"
    found["mood"] = "good"
    if refused(reply):
        found["illegal"]["mood"] = "good"
    for move in found.get("legal", ()):
        move["mood"] = "good"
    if found.get("outcome"):
        found["outcome"]["mood"] = "good"
    if message["method"] == "hello":
        found["games"][0]["mood"] = "good"
        found["capabilities"] += ["x-mood"]
    return reply


@position_fault
def other_order(program, message, found):
    found["legal"] = found["legal"][::-1] + found["legal"][:1]
    found["actors"].reverse()
    if found["outcome"]:
        found["outcome"]["winners"].reverse()


@on_hello
def one_reading(found):
    found["games"][0]["rulings"] = {"starter": ["first_seat"]}


@fault
def refuses_without_rule(program, message, reply):
    return result(reply, {"illegal": {}}) if refused(reply) else reply


without("no_legal", "legal")
without("no_state", "state")
without("no_observations", "observations")
without("bare", "legal", "state", "observations")


# ---- hello --------------------------------------------------------------------------------------


@on_hello
def wrong_protocol(found):
    found["protocol"] = 2


@on_hello
def malformed_hello(found):
    del found["implementation"]


@on_hello
def misspelt_capability(found):
    found["capabilities"] += ["obsevrations"]


@on_hello
def unknown_game(found):
    found["games"][0]["game"] = "blue-pebble"


@on_hello
def other_edition(found):
    found["games"][0]["edition"] = "7"


@on_hello
def other_components(found):
    found["games"][0]["components"] = ["deluxe"]


@on_hello
def nine_players(found):
    found["games"][0]["players"] = [9]


without("no_tape", "chance:tape", "chance:report")


@fault
def hello_fails(program, message, reply):
    return error(reply, -32602) if message["method"] == "hello" else reply


@fault
def hello_crashes(program, message, reply):
    raise Crash


# ---- legal moves --------------------------------------------------------------------------------


@position_fault
def no_right_end(program, message, found):
    found["legal"] = [m for m in found["legal"] if m["args"].get("end") != "right"]


@position_fault
def no_first_card(program, message, found):
    if found["state"]["row"] == [] and found["legal"]:
        card = found["legal"][0]["args"]["card"]
        found["legal"] = [m for m in found["legal"] if m["args"]["card"] != card]


@position_fault
def no_cover(program, message, found):
    found["legal"] = [m for m in found["legal"] if m["move"] != "cover"]


def listing(found, like, **change):
    """Add a move that is made of the first legal one of this name."""
    for move in found["legal"]:
        if move["move"] == like:
            found["legal"].append({**move, **change})
            return


@position_fault
def lists_start_again(program, message, found):
    for move in found["legal"]:
        if move["move"] != "start":
            args = {"card": move["args"]["card"]}
            found["legal"].append({**move, "move": "start", "args": args})
            return


@position_fault
def lists_known_colour_at_end(program, message, found):
    for move in found["legal"]:
        if move["move"] == "cover":
            args = {**move["args"], "end": "left"}
            found["legal"].append({**move, "move": "extend", "args": args})
            return


@position_fault
def lists_cover_of_new_colour(program, message, found):
    for move in found["legal"]:
        if move["move"] == "extend":
            args = {"card": move["args"]["card"]}
            found["legal"].append({**move, "move": "cover", "args": args})
            return


@position_fault
def lists_foreign_card(program, message, found):
    hand = found["state"]["hand"].get(found["actors"][0] if found["actors"] else None, [])
    listing(found, "start", args={"card": next(
        c for c in found["state"]["draw_pile"] + ["red-left"] if c not in hand
    )})


@position_fault
def lists_for_another(program, message, found):
    if found["legal"]:
        other = {"p1": "p2", "p2": "p1"}[found["actors"][0]]
        found["legal"].append({**found["legal"][0], "actor": other})


@position_fault
def claims_legal(program, message, found):
    del found["legal"]


# ---- turn and end -------------------------------------------------------------------------------


@position_fault
def everybody_may_act(program, message, found):
    found["actors"] = found["actors"] and ["p1", "p2"]


@position_fault
def nobody_may_act(program, message, found):
    found["actors"] = []


@position_fault
def everybody_wins(program, message, found):
    if found["outcome"]:
        found["outcome"]["winners"] = ["p1", "p2"]


@position_fault
def fleas_are_good(program, message, found):
    if found["outcome"]:
        returns = found["outcome"]["returns"]
        found["outcome"]["returns"] = {k: -v for k, v in returns.items()}


@position_fault
def no_returns(program, message, found):
    if found["outcome"]:
        del found["outcome"]["returns"]


@position_fault
def never_ends(program, message, found):
    if found["outcome"]:
        found.update(outcome=None, actors=["p1"])


@position_fault
def ends_with_the_pile(program, message, found):
    if not found["state"]["draw_pile"]:
        found.update(outcome={"winners": ["p1"], "returns": {"p1": 0, "p2": -1}}, actors=[],
                     legal=[])


# ---- the table ----------------------------------------------------------------------------------


def losing_fleas(arrow):
    def change(program, message, found):
        card = played(message)
        if card and card.endswith(arrow):
            found["state"]["fleas"] = program.was["state"]["fleas"]

    change.__name__ = f"{arrow}_fleas_lost"
    position_fault(change)


losing_fleas("left")
losing_fleas("right")


@position_fault
def covers_underneath(program, message, found):
    if is_cover(message) and found["state"]["fleas"] == program.was["state"]["fleas"]:
        card = played(message)
        before = program.was["state"]["row"]
        colour = card.rpartition("-")[0]
        at = next(i for i, stack in enumerate(before) if stack[0].rpartition("-")[0] == colour)
        found["state"]["row"][at] = [*before[at], card]


@position_fault
def deals_another_card(program, message, found):
    if message["method"] == "new_game":
        hand = found["state"]["hand"]["p1"]
        hand[0] = "red-left" if hand[0] != "red-left" else "blue-left"


@position_fault
def draws_nothing(program, message, found):
    if message["method"] == "apply" and message["params"]["chance"]:
        drawn = message["params"]["chance"][0]["draw"]
        found["state"]["hand"][message["params"]["move"]["actor"]].remove(drawn)
        found["state"]["draw_pile"] = sorted([*found["state"]["draw_pile"], drawn])


@position_fault
def claims_state(program, message, found):
    del found["state"]


@position_fault
def forgets_fleas(program, message, found):
    del found["state"]["fleas"]


@position_fault
def knows_the_weather(program, message, found):
    found["state"]["weather"] = "fine"


# ---- views --------------------------------------------------------------------------------------


@position_fault
def leaks_hands(program, message, found):
    found["observations"]["p1"]["hand"]["p2"] = found["state"]["hand"]["p2"]


@position_fault
def hides_own_hand(program, message, found):
    found["observations"]["p1"]["hand"]["p1"] = {"count": 3}


@position_fault
def hides_the_row(program, message, found):
    found["observations"]["p2"]["row"] = {"count": len(found["state"]["row"])}


@position_fault
def shows_fleas(program, message, found):
    found["observations"]["p1"]["fleas"]["p1"] = found["state"]["fleas"]["p1"]


@position_fault
def counts_fleas_always(program, message, found):
    for seen in found["observations"].values():
        seen["fleas"] = {p: {"count": len(f)} for p, f in found["state"]["fleas"].items()}


@position_fault
def hides_pile_count(program, message, found):
    found["observations"]["p1"]["draw_pile"] = {"count": None}


@position_fault
def counts_in_floats(program, message, found):
    pile = found["observations"]["p1"]["draw_pile"]
    pile["count"] = float(pile["count"])


@position_fault
def forgets_an_observer(program, message, found):
    del found["observations"]["p2"]


# ---- moves that are made, refused, or neither ---------------------------------------------------


@fault
def refuses_cover(program, message, reply):
    return result(reply, {"illegal": {}}) if is_cover(message) else reply


@fault
def refuses_cover_unlisted(program, message, reply):
    return refuses_cover(program, message, FAULTS["no-legal"](program, message, reply))


@fault
def wants_more_chance(program, message, reply):
    return error(reply, -32010) if is_cover(message) and not refused(reply) else reply


@fault
def fails_on_cover(program, message, reply):
    return error(reply, -32603) if is_cover(message) and not refused(reply) else reply


@fault
def refuses_new_game(program, message, reply):
    return result(reply, {"illegal": {}}) if message["method"] == "new_game" else reply


accepting("accepts_start_again", "moves.start.requires", "4.3")
accepting("accepts_end_of_empty_row", "moves.extend.requires", "4.3")
accepting("accepts_known_colour_at_end", "moves.extend.requires", "4.6")
accepting("accepts_cover_of_new_colour", "moves.cover.requires", "4.4")
accepting("accepts_foreign_card", "params.card", "4.1")
accepting("accepts_out_of_turn", "steps.turn.actors", "2.7")


@fault
def refusal_costs_a_card(program, message, reply):
    if refused(reply):
        state = program.server.games[message["params"]["game_id"]]
        state.position[state.game.program.slots["fleas"]][0].append(0)
    return reply


@fault
def refusal_is_an_error(program, message, reply):
    return error(reply, -32602) if refused(reply) else reply


@fault
def refusal_malformed(program, message, reply):
    return result(reply, {"illegal": "no"}) if refused(reply) else reply


@fault
def names_no_such_rule(program, message, reply):
    return result(reply, {"illegal": {"rule": "9.9"}}) if refused(reply) else reply


@fault
def tells_other_hands(program, message, reply):
    if refused(reply):
        hands = json.dumps(program.state.table()["hand"])
        return result(reply, {"illegal": {"reason": f"I know your hands: {hands}"}})
    return reply


# ---- answers that are none ----------------------------------------------------------------------


@position_fault
def actors_as_text(program, message, found):
    found["actors"] = "p1"


@position_fault
def no_outcome(program, message, found):
    del found["outcome"]


@position_fault
def actor_twice(program, message, found):
    found["actors"] *= 2


@fault
def result_is_a_list(program, message, reply):
    return result(reply, []) if message["method"] == "new_game" else reply


@fault
def end_game_fails(program, message, reply):
    return error(reply, -32003) if message["method"] == "end_game" else reply


@fault
def crashes_on_cover(program, message, reply):
    if is_cover(message) and not refused(reply):
        raise Crash
    return reply


@fault
def silent_on_cover(program, message, reply):
    return None if is_cover(message) and not refused(reply) else reply


@fault
def babbles_on_cover(program, message, reply):
    return b"covering..." if is_cover(message) and not refused(reply) else reply


@fault
def crashes_after_hundred(program, message, reply):
    if program.count == 100:
        raise Crash
    return reply


@fault
def crashes_at_the_second_start(program, message, reply):
    if program.process > 1 or is_cover(message):
        raise Crash
    return reply


@fault
def crashes_on_bye(program, message, reply):
    if message["method"] == "bye":
        raise Crash
    return reply


# ---- turns of several steps ---------------------------------------------------------------------


def pending(name, change):
    def function(program, message, reply):
        if message["method"] == "apply" and "actors" in reply.get("result", ()):
            return result(reply, change(reply["result"]))
        return reply

    function.__name__ = name
    return fault(function)


pending("pending_for_ever", lambda found: {"pending": True, "actors": found["actors"] or ["p1"]})
pending("pending_for_the_wrong", lambda found: {
    "pending": True, "actors": ["p1" if found["actors"] == ["p2"] else "p2"]})
pending("pending_for_nobody", lambda found: {"pending": True})
pending("pending_until_the_end", lambda found: found if found["outcome"] else {
    "pending": True, "actors": found["actors"]})


# ---- faults that come and go --------------------------------------------------------------------


@fault
def remembers_fleas(program, message, reply):
    """Begin a game with the fleas of the one before."""
    if message["method"] == "end_game":
        last = program.last[message["params"]["game_id"]]
        program.store["fleas"] = last["state"]["fleas"]["p1"]
    if message["method"] == "new_game":
        found = reply["result"]["state"]["fleas"]
        found["p1"] = program.store.get("fleas", []) + found["p1"]
    return reply


@fault
def wrong_at_first(program, message, reply):
    return refuses_cover(program, message, reply) if program.process == 1 else reply


def main():
    """Serve on standard input and output."""
    name, players = sys.argv[1], [int(n) for n in (sys.argv[2:] or ["2"])]
    file = os.environ.get(DOCUMENT)
    document = json.loads(Path(file).read_text("utf-8")) if file else load_document(GAME)
    program = Wrong(document, name, players)
    for line in sys.stdin.buffer:
        try:
            answer = program.answer(line)
        except Crash:
            print("oops", file=sys.stderr, flush=True)
            sys.exit(3)
        while answer is None:
            time.sleep(3600)  # until the kit has had enough
        print(answer.decode(), flush=True)
        if program.server.finished:
            break


if __name__ == "__main__":
    main()
