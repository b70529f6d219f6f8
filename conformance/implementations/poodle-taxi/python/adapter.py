import sys  # All this file does is translate between the move protocol and poodle_taxi.py.

sys.path.append(sys.path[0] + "/../../../adapters/python")  # unless there is a copy beside us
from faults import planted  # for tests of the kit; without arguments it changes nothing
from ludex_adapter import Game, seats, serve, tape
from poodle_taxi import NotAllowed, Play, Table

RULINGS = {"starter": ["table", "first_seat"], "flea_count": ["seen", "hidden"]}


def shown(seen):  # the piles of all players, or one pile, or only how many cards are in it
    if isinstance(seen, dict):
        return {player: shown(pile) for player, pile in seen.items()}
    return seen if isinstance(seen, list) else {"count": seen}


class PoodleTaxi(Game):
    game, players, rulings = "poodle-taxi", (2, 3, 4), RULINGS

    def setup(self, players, rulings, options, components):
        names, picked = seats(players), rulings["starter"] == "table"
        beginner = tape.pick("first_player", names) if picked else names[0]
        self.table = Table(names, fleas_countable=rulings["flea_count"] == "seen")
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
        return {zone: shown(seen) for zone, seen in self.table.view(player)._asdict().items()}

    state = view


serve(planted(PoodleTaxi), name="poodle-taxi-py", version="1.0", illegal=[NotAllowed])
