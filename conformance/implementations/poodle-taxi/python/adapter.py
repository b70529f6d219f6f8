import sys  # All this file does is translate between the move protocol and poodle_taxi.py.

sys.path.append(sys.path[0] + "/../../../adapters/python")  # unless there is a copy beside us
from ludex_adapter import Game, seats, serve, tape
from poodle_taxi import CARDS, NotAllowed, Play, Spot, Table

P, RULINGS = seats(4), {"starter": ["table", "first_seat"], "flea_count": ["seen", "hidden"]}
ID = {c: f"{c.colour.name}-{c.arrow.name}".lower().replace("_", "-") for c in CARDS}
FORMS = ("start", {}), ("extend", {"end": "left"}), ("extend", {"end": "right"}), ("cover", {})
MOVES = {Play(c, s): (m, {"card": ID[c], **end}) for c in CARDS for s, (m, end) in zip(Spot, FORMS)}
BEGIN = {"table": lambda who: tape.pick("first_player", who, P.__getitem__), "first_seat": min}


def show(pile):
    return sorted(map(ID.get, pile)) if isinstance(pile, list) else {"count": pile}


class PoodleTaxi(Game):
    def setup(self, players, rulings, options, components):
        self.table = Table(players, BEGIN[rulings["starter"]], rulings["flea_count"] == "seen")
        self.table.deal(lambda pile, i: tape.draw("draw_pile", f"hand.{P[i]}", pile, ID.get))

    def actors(self):
        return [P[self.table.turn]]

    def legal(self):
        return [(P[self.table.turn], *MOVES[play]) for play in self.table.legal_plays()]

    def play(self, actor, move, args):  # a malformed move is none of MOVES
        self.table.play(P.index(actor), next((p for p in MOVES if MOVES[p] == (move, args)), None))

    def outcome(self):
        won = self.table.winners()
        return won and {"winners": [P[i] for i in won], "returns": dict(zip(P, self.table.points))}

    def view(self, player=None):  # without a player: the whole state
        pile, hands, row, fleas = self.table.view(player and P.index(player))
        rest = {"draw_pile": show(pile), "row": [[ID[card] for card in stack] for stack in row]}
        return dict(rest, hand=dict(zip(P, map(show, hands))), fleas=dict(zip(P, map(show, fleas))))

    game, players, rulings, state = "poodle-taxi", (2, 3, 4), RULINGS, view


serve(PoodleTaxi, name="poodle-taxi-py", version="1.0", illegal=[NotAllowed])
