"""Poodle Taxi once more, straight from the rulebook, to compare the engine with.

Nothing here comes from the spec of the game but the words of the answers. A card is a pair
(colour, arrow); the row is a list of stacks from left to right, each from its lowest card up.
"""

from __future__ import annotations

from collections import Counter
from typing import Any

COLOURS = ["green", "pink", "red", "blue", "colour-5", "colour-6"]
ARROWS = ["left", "right"]

Card = tuple[str, str]


def card(text: str) -> Card:
    colour, _, arrow = text.rpartition("-")
    assert colour in COLOURS
    assert arrow in ARROWS
    return colour, arrow


def word(card_: Card) -> str:
    return "-".join(card_)


class Table:
    """A table with players who follow the rulebook."""

    def __init__(self, players: int, tape: list[dict[str, Any]]) -> None:
        # Number of cards: per colour and arrow as many as there are players
        self.pile = Counter({(c, a): players for c in COLOURS for a in ARROWS})
        self.players = [f"p{i + 1}" for i in range(players)]
        self.hands: dict[str, list[Card]] = {p: [] for p in self.players}
        self.fleas: dict[str, list[Card]] = {p: [] for p in self.players}
        self.row: list[list[Card]] = []
        self.turn = self.players[0]
        for outcome in tape:
            if "pick" in outcome:
                assert outcome["of"] == "first_player"
                self.turn = outcome["pick"]
            else:
                self.draw(outcome)
        # Setup: three cards for each player
        assert all(len(hand) == 3 for hand in self.hands.values())

    def draw(self, outcome: dict[str, Any]) -> None:
        assert outcome["from"] == "draw_pile"
        drawn = card(outcome["draw"])
        assert self.pile[drawn] > 0
        self.pile[drawn] -= 1
        self.hands[outcome["to"].removeprefix("hand.")].append(drawn)

    def place_of(self, colour: str) -> int | None:
        """Return which stack has this colour, if any."""
        for index, stack in enumerate(self.row):
            if stack[0][0] == colour:
                return index
        return None

    def legal(self) -> list[dict[str, Any]]:
        if self.over():
            return []
        moves = []
        for held in sorted(set(self.hands[self.turn])):
            args = {"card": word(held)}
            if not self.row:
                moves.append(("start", args))
            elif self.place_of(held[0]) is None:
                moves += [("extend", {**args, "end": end}) for end in ("left", "right")]
            else:
                moves.append(("cover", args))
        return [{"actor": self.turn, "move": m, "args": a} for m, a in moves]

    def play(self, move: dict[str, Any], tape: list[dict[str, Any]]) -> None:
        assert move in self.legal()
        played = card(move["args"]["card"])
        me = self.turn
        self.hands[me].remove(played)
        at = self.place_of(played[0])
        if at is not None:
            self.row[at].append(played)
        elif move["args"].get("end") == "left":
            self.row.insert(0, [played])
            at = 0
        else:
            self.row.append([played])
            at = len(self.row) - 1
        # the arrow says on which side everything is taken
        if played[1] == "right":
            taken, self.row = self.row[at + 1 :], self.row[: at + 1]
        else:
            taken, self.row = self.row[:at], self.row[at:]
        for stack in taken:
            self.fleas[me] += stack
        # Drawing: back to three cards, if there are any
        expected = min(3 - len(self.hands[me]), self.pile.total())
        assert len(tape) == expected
        for outcome in tape:
            assert outcome["to"] == f"hand.{me}"
            self.draw(outcome)
        self.turn = self.players[(self.players.index(me) + 1) % len(self.players)]

    def over(self) -> bool:
        return self.pile.total() == 0 and not any(self.hands.values())

    def actors(self) -> list[str]:
        return [] if self.over() else [self.turn]

    def outcome(self) -> dict[str, Any] | None:
        if not self.over():
            return None
        fewest = min(len(f) for f in self.fleas.values())
        return {
            "winners": [p for p in self.players if len(self.fleas[p]) == fewest],
            "returns": {p: -len(self.fleas[p]) for p in self.players},
        }

    # -- in canonical form ---------------------------------------------------------------------

    def state(self) -> dict[str, Any]:
        return {
            "draw_pile": sorted(map(word, self.pile.elements())),
            "hand": {p: sorted(map(word, self.hands[p])) for p in self.players},
            "row": [[word(c) for c in reversed(stack)] for stack in self.row],
            "fleas": {p: sorted(map(word, self.fleas[p])) for p in self.players},
        }

    def view(self, player: str, flea_count: str) -> dict[str, Any]:
        """What one player sees, under one reading of who counts the fleas."""
        whole = self.state()
        return {
            "draw_pile": {"count": self.pile.total()},
            "row": whole["row"],
            "hand": {
                p: cards if p == player else {"count": len(cards)}
                for p, cards in whole["hand"].items()
            },
            "fleas": {
                p: {"count": len(cards) if flea_count == "seen" or p == player else None}
                for p, cards in whole["fleas"].items()
            },
        }
