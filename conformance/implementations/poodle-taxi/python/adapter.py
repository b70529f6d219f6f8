import sys  # All this file does is translate between the move protocol and poodle_taxi.py.

sys.path.append(sys.path[0] + "/../../../adapters/python")  # unless there is a copy beside us
from faults import planted  # for tests of the kit; without arguments it changes nothing
from ludex_adapter import Game, seats, serve, tape
from poodle_taxi import NotAllowed, Play, Table


def draw(pile, player):
    return tape.draw("draw_pile", f"hand.{player}", pile)


def shown(pile):
    return pile if isinstance(pile, list) else {"count": pile}


def each(piles):
    return {player: shown(pile) for player, pile in piles.items()}


class PoodleTaxi(Game):
    game, players = "poodle-taxi", (2, 3, 4)
    rulings = {"starter": ["table", "first_seat"], "flea_count": ["seen", "hidden"]}

    def setup(self, players, rulings, options, components):
        all_players, pick = seats(players), rulings["starter"] == "table"
        self.table = Table(all_players, fleas_countable=rulings["flea_count"] == "seen")
        self.table.deal(tape.pick("first_player", all_players) if pick else all_players[0], draw)

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
