import sys  # All this file does is translate between the move protocol and taxi_wildlife.py.

sys.path.append(sys.path[0] + "/../../../adapters/python")  # unless there is a copy beside us
from components import SETS
from faults import planted  # for tests of the kit; without arguments it changes nothing
from ludex_adapter import Game, serve, tape
from taxi_wildlife import CHOICES, VARIANT, IllegalMove, Readings, TaxiWildlife


class TaxiWildlifeGame(Game):
    game, players, components = "taxi-wildlife", (2, 3, 4), tuple(SETS)
    options, rulings = VARIANT, CHOICES

    def setup(self, players, rulings, options, components):
        readings = Readings(options["two_player_variant"], **rulings)
        self.table = TaxiWildlife(players, SETS[components["id"]], readings, tape)

    def actors(self):
        return self.table.actors()

    def legal(self):
        return self.table.legal_moves()

    def play(self, actor, move, args):
        self.table.play(actor, move, args)

    def outcome(self):
        return self.table.outcome()

    def state(self):
        return self.table.state()

    def view(self, player):
        return self.table.view()


serve(planted(TaxiWildlifeGame), name="taxi-wildlife-py", version="1.0", illegal=[IllegalMove])
