"""Lets `taxi_wildlife` speak the Ludex move protocol."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

sys.path.append(str(Path(__file__).resolve().parent / "../../../adapters/python"))

from ludex_adapter import Game, serve, tape  # noqa: E402 - before the program

from components import SETS  # noqa: E402
from taxi_wildlife import IllegalMove, Readings, TaxiWildlife  # noqa: E402


class TaxiWildlifeGame(Game):
    """One open game."""

    game, edition, players = "taxi-wildlife", "1", (2, 3, 4)
    components = tuple(SETS)
    options = {"two_player_variant": [False, True]}
    rulings = {
        "misfit": ["duel_over", "second_try"],
        "start_way": ["as_printed", "either_way"],
        "pile_end": ["all_played", "face_down_part"],
        "seven_cards": ["points", "first_to_seven"],
        "no_card_fits": ["count", "new_cards"],
    }

    def setup(self, players: int, rulings: Any, options: Any, components: Any) -> None:
        readings = Readings(options["two_player_variant"], **{n: rulings[n] for n in self.rulings})
        self.table = TaxiWildlife(players, SETS[components["id"]], readings, tape)

    def actors(self) -> Any:
        return self.table.actors()

    def legal(self) -> Any:
        return self.table.legal_moves()

    def play(self, actor: str, move: str, args: Any) -> None:
        self.table.play(actor, move, args)

    def outcome(self) -> Any:
        return self.table.outcome()

    def state(self) -> Any:
        return self.table.state()

    def view(self, player: str) -> Any:
        return self.table.view()


if __name__ == "__main__":
    serve(TaxiWildlifeGame, name="taxi-wildlife-clean-room", version="1.0", illegal=[IllegalMove])
