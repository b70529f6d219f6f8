"""Poodle Taxi written by hand: the peer of the engine's random play.

Straightforward Python of the kind that somebody writes who wants to play many games: no checks of
moves, a shuffled deck, small integers. It knows this one game, one reading of its rulings, and
nothing of a spec. Per move it does what the engine's public API does: list every legal move once,
change the position in place, say how the game ended.
"""

from __future__ import annotations

from collections.abc import Iterable
from random import Random
from typing import TypeAlias

__all__ = ["CARDS", "COLOURS", "LEFT", "RIGHT", "Card", "Move", "PoodleTaxi"]

LEFT, RIGHT = 0, 1
COLOURS = 6
HAND = 3

#: Colour and arrow.
Card: TypeAlias = tuple[int, int]
#: A card of the hand, and the end for it where there is one to choose.
Move: TypeAlias = tuple[Card, int | None]

CARDS: list[Card] = [(colour, arrow) for colour in range(COLOURS) for arrow in (LEFT, RIGHT)]


class PoodleTaxi:
    """One game, from the deal to the end.

    Parameters
    ----------
    players : int
        2 to 4.
    random : Random
        For the shuffle and the beginner.
    deck : iterable of (int, int), optional
        Cards in the order in which they are drawn, in place of a shuffle.
    beginner : int, optional
        In place of a random one.
    """

    def __init__(
        self,
        players: int,
        random: Random,
        deck: Iterable[Card] | None = None,
        beginner: int | None = None,
    ) -> None:
        if deck is None:
            self.deck = CARDS * players
            random.shuffle(self.deck)
        else:
            self.deck = list(deck)[::-1]
        self.players = players
        self.hands = [[self.deck.pop() for _ in range(HAND)] for _ in range(players)]
        self.fleas: list[list[Card]] = [[] for _ in range(players)]
        self.row: list[list[Card]] = []
        self.turn = random.randrange(players) if beginner is None else beginner
        self.over = False

    def legal_moves(self) -> list[Move]:
        """Return every legal move once."""
        hand = set(self.hands[self.turn])
        if not self.row:
            return [(card, None) for card in hand]
        in_row = {stack[-1][0] for stack in self.row}
        moves: list[Move] = []
        for card in hand:
            if card[0] in in_row:
                moves.append((card, None))
            else:
                moves.append((card, LEFT))
                moves.append((card, RIGHT))
        return moves

    def play(self, move: Move) -> None:
        """Carry out a legal move in place."""
        card, end = move
        colour, arrow = card
        row, hand, fleas = self.row, self.hands[self.turn], self.fleas[self.turn]
        hand.remove(card)
        if end == LEFT:
            at = 0
            row.insert(0, [card])
        elif end == RIGHT or not row:
            at = len(row)
            row.append([card])
        else:
            at = 0
            while row[at][-1][0] != colour:
                at += 1
            row[at].append(card)
        if arrow == LEFT:
            for stack in row[:at]:
                fleas.extend(stack)
            del row[:at]
        else:
            for stack in row[at + 1 :]:
                fleas.extend(stack)
            del row[at + 1 :]
        while self.deck and len(hand) < HAND:
            hand.append(self.deck.pop())
        self.turn = (self.turn + 1) % self.players
        self.over = not self.deck and not any(self.hands)

    def outcome(self) -> tuple[list[int], list[int]] | None:
        """Return the winners and what each player scores, or None while the game goes on."""
        if not self.over:
            return None
        counts = [len(pile) for pile in self.fleas]
        fewest = min(counts)
        winners = [player for player, count in enumerate(counts) if count == fewest]
        return winners, [-count for count in counts]
