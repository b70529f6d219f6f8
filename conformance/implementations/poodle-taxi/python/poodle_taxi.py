"""The card game Poodle Taxi, ready to be put behind a game server.

A `Table` is one game: it knows whose turn it is, which plays are allowed, what each seat may see
and who has won. Seats are numbered from 0, clockwise. Chance enters through two functions that
are handed to the table, so that a server, a test or a replay can decide what comes up.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from enum import Enum, auto
from typing import NamedTuple

SEAT_NUMBERS = (2, 3, 4)
HAND_SIZE = 3


class Colour(Enum):
    """The colour of a poodle. There are six, but the rulebook names only four."""

    GREEN = auto()
    PINK = auto()
    RED = auto()
    BLUE = auto()
    COLOUR_5 = auto()
    COLOUR_6 = auto()


class Side(Enum):
    """A direction of the row, the same for everybody at the table."""

    LEFT = auto()
    RIGHT = auto()


@dataclass(frozen=True)
class Card:
    """A poodle of some colour and the way it is heading."""

    colour: Colour
    arrow: Side


CARDS = tuple(Card(colour, arrow) for colour in Colour for arrow in Side)


class Spot(Enum):
    """Where in the middle of the table a card is laid."""

    EMPTY_TABLE = auto()
    LEFT_END = auto()
    RIGHT_END = auto()
    SAME_COLOUR = auto()


@dataclass(frozen=True)
class Play:
    """What a player does with a turn: lay this card there."""

    card: Card
    spot: Spot


class NotAllowed(Exception):
    """Raised for a play that the rules forbid. The table is as it was before."""

    def __init__(self, reason: str, rule: str | None = None) -> None:
        """Keep the number of the broken rule as well, for players who want to look it up."""
        super().__init__(reason)
        self.rule = rule


class Row:
    """The stacks in the middle of the table, from left to right, each with its top card first."""

    def __init__(self) -> None:
        """Begin without any stack."""
        self.stacks: list[list[Card]] = []

    def find(self, colour: Colour) -> int | None:
        """Return the position of the stack of that colour, if there is one."""
        for position, stack in enumerate(self.stacks):
            if stack[0].colour is colour:
                return position
        return None

    def spots_for(self, card: Card) -> list[Spot]:
        """Return where the card may be laid. Its arrow only matters for what that costs."""
        if not self.stacks:
            return [Spot.EMPTY_TABLE]
        if self.find(card.colour) is not None:
            return [Spot.SAME_COLOUR]
        return [Spot.LEFT_END, Spot.RIGHT_END]

    def lay(self, card: Card, spot: Spot) -> list[Card]:
        """Lay the card at one of its spots, and take away and return the fleas it costs."""
        position = self.find(card.colour)
        if position is not None:
            self.stacks[position].insert(0, card)
        else:
            position = 0 if spot is Spot.LEFT_END else len(self.stacks)
            self.stacks.insert(position, [card])
        # The stack with the card itself stays, whatever lies in it.
        hit = slice(position) if card.arrow is Side.LEFT else slice(position + 1, None)
        fleas = [flea for stack in self.stacks[hit] for flea in stack]
        del self.stacks[hit]
        return fleas


@dataclass
class Player:
    """The cards of one seat."""

    hand: list[Card] = field(default_factory=list)
    fleas: list[Card] = field(default_factory=list)


class View(NamedTuple):
    """What can be seen of a table: cards, or only their number, or None if not even that."""

    pile: list[Card] | int
    hands: list[list[Card] | int]
    row: list[list[Card]]
    fleas: list[list[Card] | int | None]


# Removes a card from the pile for a seat, and returns it. The order of the pile means nothing.
DrawCard = Callable[[list[Card], int], Card]
# Says which of the seats begins.
ChooseBeginner = Callable[[Sequence[int]], int]


def draw_blindly(pile: list[Card], seat: int) -> Card:
    """Draw any card: from a pile that nobody has seen, that is as good as the top one."""
    return pile.pop(random.randrange(len(pile)))


class Table:
    """One game, from the deal to the last card."""

    def __init__(
        self,
        seats: int,
        choose_beginner: ChooseBeginner = random.choice,
        fleas_countable: bool = True,
    ) -> None:
        """Lay out the cards for that many seats.

        With `fleas_countable` all see how many fleas each of them has, else only their own.
        """
        if seats not in SEAT_NUMBERS:
            raise ValueError(f"Poodle Taxi is for two, three or four players, not for {seats}")
        # There are as many copies of each card as players; the others stay in the box.
        self.pile = [card for card in CARDS for _ in range(seats)]
        self.players = [Player() for _ in range(seats)]
        self.row = Row()
        self.turn = 0
        self.fleas_countable = fleas_countable
        self._choose_beginner = choose_beginner
        self._draw_card: DrawCard = draw_blindly

    def deal(self, draw_card: DrawCard = draw_blindly) -> None:
        """Deal the hands, then settle who begins. All later cards are drawn in the same way."""
        self._draw_card = draw_card
        for seat in range(len(self.players)):
            self._fill_hand(seat)
        self.turn = self._choose_beginner(range(len(self.players)))

    @property
    def is_over(self) -> bool:
        """Whether all cards have been drawn and played."""
        return not self.pile and not any(player.hand for player in self.players)

    def legal_plays(self) -> list[Play]:
        """Return all that the seat whose turn it is may do."""
        different = dict.fromkeys(self.players[self.turn].hand)
        return [Play(card, spot) for card in different for spot in self.row.spots_for(card)]

    def play(self, seat: int, play: Play | None) -> None:
        """Take a whole turn: lay the card, take the fleas it costs, draw. Or raise NotAllowed.

        None is for a server that got a message from its player which is no play at all.
        """
        if play is None:
            raise NotAllowed("there is no such play")
        self._check(seat, play)
        player = self.players[seat]
        player.hand.remove(play.card)
        player.fleas += self.row.lay(play.card, play.spot)
        self._fill_hand(seat)
        # Nobody ever has to be skipped: all play equally many cards, so in the last round the
        # hands run dry in the order of play.
        self.turn = (seat + 1) % len(self.players)

    def view(self, seat: int | None = None) -> View:
        """Return what that seat sees. Without a seat: all there is, for logs and referees."""
        everything = seat is None
        return View(
            pile=list(self.pile) if everything else len(self.pile),
            hands=[
                list(player.hand) if everything or other == seat else len(player.hand)
                for other, player in enumerate(self.players)
            ],
            row=[list(stack) for stack in self.row.stacks],
            fleas=[
                list(player.fleas) if everything else self._flea_count(other, seat)
                for other, player in enumerate(self.players)
            ],
        )

    @property
    def points(self) -> list[int]:
        """The points of each seat: one negative point for each flea."""
        return [-len(player.fleas) for player in self.players]

    def winners(self) -> list[int] | None:
        """Return who has won, all that share the victory; None until the game is over."""
        if not self.is_over:
            return None
        best = max(self.points)
        return [seat for seat, points in enumerate(self.points) if points == best]

    def _fill_hand(self, seat: int) -> None:
        hand = self.players[seat].hand
        while self.pile and len(hand) < HAND_SIZE:
            hand.append(self._draw_card(self.pile, seat))

    def _flea_count(self, owner: int, viewer: int | None) -> int | None:
        # Flea piles lie face down for their owners too, who can at best count them.
        known = self.fleas_countable or owner == viewer
        return len(self.players[owner].fleas) if known else None

    def _check(self, seat: int, play: Play) -> None:
        """Raise NotAllowed, with the number of the broken rule, unless the play is allowed."""
        if self.is_over:
            raise NotAllowed("the game is over", "7.1")
        if seat != self.turn:
            raise NotAllowed("it is another player's turn", "2.7")
        if play.card not in self.players[seat].hand:
            raise NotAllowed("that card is not in your hand", "4.1")
        if play.spot in self.row.spots_for(play.card):
            return
        if not self.row.stacks:
            raise NotAllowed("the row is empty, so the card just begins it", "4.3")
        if play.spot is Spot.EMPTY_TABLE:
            raise NotAllowed("the row has been begun already", "4.3")
        if play.spot is Spot.SAME_COLOUR:
            raise NotAllowed("that colour is not in the row, so the card goes to an end", "4.4")
        raise NotAllowed("that colour is in the row, so the card goes on top of it", "4.6")
