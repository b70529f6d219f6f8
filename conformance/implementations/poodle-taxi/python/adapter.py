import sys  # All this file does is translate between the move protocol and poodle_taxi.py.

sys.path.append(sys.path[0] + "/../../../adapters/python")  # unless there is a copy beside us
from faults import planted  # for tests of the kit; without arguments it changes nothing
from ludex_adapter import Game, seats, serve, tape
from poodle_taxi import NotAllowed, Play, Table


RULINGS = {"starter": ["table", "first_seat"], "flea_count": ["seen", "hidden"]}


def shown(pile):
    return pile if isinstance(pile, list) else {"count": pile}


def each(piles):
    return {player: shown(pile) for player, pile in piles.items()}


class PoodleTaxi(Game):
    game, players, rulings = "poodle-taxi", (2, 3, 4), RULINGS

    def setup(self, players, rulings, options, components):
        beginner = (
            tape.pick("first_player", seats(players)) if rulings["starter"] == "table" else "p1"
        )
        self.table = Table(seats(players), fleas_countable=rulings["flea_count"] == "seen")
        self.table.deal(beginner, lambda pile, who: tape.draw("draw_pile", f"hand.{who}", pile))

    def actors(self):
        return [self.table.turn]

    def legal(self):
        return [(self.table.turn, *play.in_words()) for play in self.table.legal_plays()]

    def play(self, actor, move, args):
        self.table.play(actor, Play.from_words(move, args))

    def outcome(self):
        won = self.table.winners()
        return won and {"winners": won, "returns": self.table.points}

    def view(self, player=None):
        pile, hands, row, fleas = self.table.view(player)
        return {"draw_pile": shown(pile), "hand": each(hands), "row": row, "fleas": each(fleas)}

    state = view


serve(planted(PoodleTaxi), name="poodle-taxi-py", version="1.0", illegal=[NotAllowed])
