"""Kuhn poker as programs of other kinds play it; the command line names which.

Some draw their own cards, some hold the deck in order, some know whole turns only, some own their
loop. Beside each kind that is right stand some that are wrong.
"""

import sys

from kuhn import ABOUT, RANKS, Illegal, Kuhn, seats, serve, tape
from ludex_adapter import Loop, _own, _Server

KINDS = {}


def kind(*chance):
    """Register a game with the ways in which it takes chance."""

    def register(game):
        KINDS[game.__name__] = game, chance
        return game

    return register


# ---- draws its own cards ------------------------------------------------------------------------


@kind("chance:report")
class DrawsItsOwn(Kuhn):
    pass


@kind("chance:report")
class AlwaysDealsTheSame(Kuhn):
    def setup(self, *about):
        _own.seed(1)
        super().setup(*about)


@kind("chance:report")
class FavoursTheKing(Kuhn):
    """The king comes first in half of the games, not in a third."""

    def setup(self, *about):
        choose = _own.choice
        _own.choice = lambda items: choose([*items, *(i for i in items if i == "king")])
        try:
            super().setup(*about)
        finally:
            _own.choice = choose


@kind("chance:report")
class ReportsAnotherCard(Kuhn):
    def setup(self, *about):
        super().setup(*about)
        self.hand["p1"], self.deck[0] = self.deck[0], self.hand["p1"]


@kind("chance:report")
class ReportsAnAce(Kuhn):
    def setup(self, *about):
        super().setup(*about)
        tape.log[0]["draw"] = "ace"


@kind("chance:report")
class ReportsNothing(Kuhn):
    def setup(self, *about):
        super().setup(*about)
        tape.log.clear()


@kind("chance:report")
class PaysTooMuch(Kuhn):
    def play(self, actor, move, args):
        super().play(actor, move, args)
        self.paid[actor] += move == "bet"


# ---- holds the deck in order --------------------------------------------------------------------


@kind("chance:deck")
class HoldsTheDeck(Kuhn):
    top = 0

    def setup(self, players, rulings, options, components):
        pile = list(_Server.order["deck"])
        self.paid = dict.fromkeys(seats(2), 1)
        self.hand = {p: pile.pop(self.top) for p in seats(2)}
        self.deck = pile
        self.moves = []
        self.folded = None


@kind("chance:deck")
class DealsFromTheBottom(HoldsTheDeck):
    top = -1


# ---- knows whole turns only ---------------------------------------------------------------------


@kind("chance:tape")
class KnowsWholeTurns(Kuhn):
    """As if the whole hand were one turn."""

    def pending(self):
        return bool(self.moves) and not self.over()


@kind("chance:tape")
class ForgetsTheFold(KnowsWholeTurns):
    def outcome(self):
        found = super().outcome()
        if found and self.folded:
            best = max(seats(2), key=lambda p: RANKS[self.hand[p]])
            found["winners"] = [best]
        return found


@kind("chance:tape")
class PendingForTheWrongOne(KnowsWholeTurns):
    def actors(self):
        return ["p1"]


# ---- owns its loop ------------------------------------------------------------------------------


@kind("chance:tape")
class OwnsItsLoop(Loop, Kuhn):
    def run(self, players, rulings, options, components):
        Kuhn.setup(self, players, rulings, options, components)
        while not self.over():
            who, move, _ = self.ask(*Kuhn.actors(self))
            try:
                self.make(who, move)
            except Illegal as error:
                self.refuse(str(error), error.rule)
        return Kuhn.outcome(self)

    def make(self, who, move):
        Kuhn.play(self, who, move, {})


@kind("chance:tape")
class LoopRefusesToCall(OwnsItsLoop):
    def make(self, who, move):
        if move == "call":
            raise Illegal("no", "3.4")
        super().make(who, move)


@kind("chance:tape")
class LoopStops(OwnsItsLoop):
    def make(self, who, move):
        if move == "fold":
            raise ZeroDivisionError("a fold")
        super().make(who, move)


def main():
    game, chance = KINDS[sys.argv[1]]
    if sys.argv[1] == "FavoursTheKing":
        _own.seed(1)  # or the test would take more games now and then
    hello, new_game = _Server.on_hello, _Server.on_new_game

    def on_hello(server, params):
        found = hello(server, params)
        shown = [c for c in found["capabilities"] if not c.startswith("chance:")]
        return {**found, "capabilities": [*shown, *chance]}

    def on_new_game(server, params):
        _Server.order = params.get("order")
        return new_game(server, params)

    _Server.on_hello, _Server.on_new_game = on_hello, on_new_game
    serve(game, **ABOUT)


if __name__ == "__main__":
    main()
