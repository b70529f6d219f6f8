"""Kuhn poker for the kit's tests, after the rules of ``tests/games/kuhn-poker``; it is right."""

import sys
from pathlib import Path

sys.path.append(str(Path(__file__).resolve().parents[3] / "conformance" / "adapters" / "python"))

from ludex_adapter import Deck, Game, Illegal, ranked, seats, serve, tape  # noqa: F401

RANKS = {"jack": 1, "queen": 2, "king": 3}
ABOUT = {"name": "kuhn", "version": "1.0"}


class Kuhn(Game):
    game, edition, players = "kuhn-poker", "1", (2,)
    components = ("standard",)

    def setup(self, players, rulings, options, components):
        self.deck = Deck("deck", RANKS)
        self.paid = dict.fromkeys(seats(2), 1)
        self.hand = {p: self.deck.draw(f"hand.{p}") for p in seats(2)}
        self.moves = []
        self.folded = None

    def over(self):
        return self.moves[-1:] in (["call"], ["fold"]) or self.moves == ["check", "check"]

    def actors(self):
        return [seats(2)[len(self.moves) % 2]]

    def choices(self):
        return ["call", "fold"] if self.moves[-1:] == ["bet"] else ["check", "bet"]

    def legal(self):
        return [(p, move, {}) for p in self.actors() for move in self.choices()]

    def play(self, actor, move, args):
        if move not in self.choices():
            rule = {"bet": "3.4", "check": "3.3"}[self.moves[-1]] if self.moves else "3.2"
            raise Illegal("not now", rule=rule)
        self.moves.append(move)
        if move in ("bet", "call"):
            self.paid[actor] += 1
        if move == "fold":
            self.folded = actor

    def outcome(self):
        if not self.over():
            return None
        if self.folded:
            winner = next(p for p in seats(2) if p != self.folded)
        else:
            winner = max(seats(2), key=lambda p: RANKS[self.hand[p]])
        loser = next(p for p in seats(2) if p != winner)
        gain = self.paid[loser]
        return {"winners": [winner], "returns": {winner: gain, loser: -gain}}

    def state(self):
        return {"deck": sorted(self.deck), "hand": dict(self.hand), "paid": dict(self.paid),
                "folded": self.folded}

    def view(self, player):
        hand = {p: card if p == player else {"count": 1} for p, card in self.hand.items()}
        return {**self.state(), "deck": {"count": 1}, "hand": hand}


if __name__ == "__main__":
    serve(Kuhn, **ABOUT)
