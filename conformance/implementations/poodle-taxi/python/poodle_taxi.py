"""The card game Poodle Taxi, ready to be put behind a game server.

A `Table` is one game: it knows whose turn it is, which plays are allowed, what each player may see
and who has won. Players go by their names, listed clockwise. Chance enters through a function
that is handed to the table, so that a server, a test or a replay can decide what comes up.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from enum import Enum
from typing import NamedTuple

PLAYER_NUMBERS = (2, 3, 4)
HAND_SIZE = 3


class Colour(Enum):
    """The colour of a poodle. There are six, but the rulebook names only four."""

    GREEN = "green"
    PINK = "pink"
    RED = "red"
    BLUE = "blue"
    COLOUR_5 = "colour-5"
    COLOUR_6 = "colour-6"


class Side(Enum):
    """A direction of the row, the same for everybody at the table."""

    LEFT = "left"
    RIGHT = "right"


@dataclass(frozen=True)
class Card:
    """A poodle of some colour and the way it is heading."""

    colour: Colour
    arrow: Side

    def __str__(self) -> str:
        """Return the name of the card, for example ``green-left``."""
        return f"{self.colour.value}-{self.arrow.value}"


CARDS = tuple(Card(colour, arrow) for colour in Colour for arrow in Side)


class Spot(Enum):
    """Where in the middle of the table a card is laid, and what players say for it."""

    EMPTY_TABLE = ("start", {})
    LEFT_END = ("extend", {"end": "left"})
    RIGHT_END = ("extend", {"end": "right"})
    SAME_COLOUR = ("cover", {})


@dataclass(frozen=True)
class Play:
    """What a player does with a turn: lay this card there."""

    card: Card
    spot: Spot

    def in_words(self) -> tuple[str, dict[str, str]]:
        """Return how a player says it, for example ``("cover", {"card": "green-left"})``."""
        verb, details = self.spot.value
        return verb, {"card": str(self.card), **details}

    @staticmethod
    def from_words(verb: str, details: Mapping[str, object]) -> Play:
        """Return the play that a player speaks of, or raise NotAllowed if there is none."""
        for play in (Play(card, spot) for card in CARDS for spot in Spot):
            if play.in_words() == (verb, details):
                return play
        raise NotAllowed("there is no such play")


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
        position = self.place(card, spot)
        # The stack with the card itself stays, whatever lies in it.
        hit = slice(position) if card.arrow is Side.LEFT else slice(position + 1, None)
        fleas = [flea for stack in self.stacks[hit] for flea in stack]
        del self.stacks[hit]
        return fleas

    def place(self, card: Card, spot: Spot) -> int:
        """Lay the card at one of its spots, and return the position of its stack."""
        position = self.find(card.colour)
        if position is not None:
            self.stacks[position].insert(0, card)
        else:
            position = 0 if spot is Spot.LEFT_END else len(self.stacks)
            self.stacks.insert(position, [card])
        return position


@dataclass
class Player:
    """The cards of one player."""

    hand: list[Card] = field(default_factory=list)
    fleas: list[Card] = field(default_factory=list)


class View(NamedTuple):
    """What can be seen of a table: names of cards, or only how many there are, or None at all."""

    draw_pile: list[str] | int
    hand: dict[str, list[str] | int]
    row: list[list[str]]
    fleas: dict[str, list[str] | int | None]


# Removes a card from the pile for a player, and returns it. The order of the pile means nothing.
DrawCard = Callable[[list[Card], str], Card]


def draw_blindly(pile: list[Card], player: str) -> Card:
    """Draw any card: from a pile that nobody has seen, that is as good as the top one."""
    return pile.pop(random.randrange(len(pile)))


class Table:
    """One game, from the deal to the last card."""

    def __init__(self, names: Sequence[str], fleas_countable: bool = True) -> None:
        """Lay out the cards for these players.

        With `fleas_countable` all see how many fleas each of them has, else only their own.
        """
        if len(names) not in PLAYER_NUMBERS:
            raise ValueError(f"Poodle Taxi is for two, three or four players, not {len(names)}")
        # There are as many copies of each card as players; the others stay in the box.
        self.pile = [card for card in CARDS for _ in names]
        self.players = {name: Player() for name in names}
        self.row = Row()
        self.turn = names[0]
        self.fleas_countable = fleas_countable
        self._draw_card: DrawCard = draw_blindly

    def deal(self, beginner: str, draw_card: DrawCard = draw_blindly) -> None:
        """Deal the hands, and let the beginner begin. All later cards are drawn the same way."""
        self._draw_card = draw_card
        for name in self.players:
            self._fill_hand(name)
        self.turn = beginner

    @property
    def is_over(self) -> bool:
        """Whether all cards have been drawn and played."""
        return not self.pile and not any(player.hand for player in self.players.values())

    def legal_plays(self) -> list[Play]:
        """Return all that the player whose turn it is may do."""
        different = dict.fromkeys(self.players[self.turn].hand)
        return [Play(card, spot) for card in different for spot in self.row.spots_for(card)]

    def play(self, name: str, play: Play) -> None:
        """Take a whole turn: lay the card, take the fleas it costs, draw. Or raise NotAllowed."""
        self._check(name, play)
        player = self.players[name]
        player.hand.remove(play.card)
        player.fleas += self.row.lay(play.card, play.spot)
        self._fill_hand(name)
        # Nobody ever has to be skipped: all play equally many cards, so in the last round the
        # hands run dry in the order of play.
        self.turn = self._next(name)

    def view(self, viewer: str | None = None) -> View:
        """Return what that player sees. Without a player: all there is, for logs and referees."""
        everything = viewer is None
        return View(
            draw_pile=_names(self.pile) if everything else len(self.pile),
            hand={
                name: _names(player.hand) if everything or name == viewer else len(player.hand)
                for name, player in self.players.items()
            },
            row=[[str(card) for card in stack] for stack in self.row.stacks],
            fleas={
                name: _names(player.fleas) if everything else self._flea_count(name, viewer)
                for name, player in self.players.items()
            },
        )

    @property
    def points(self) -> dict[str, int]:
        """The points of each player: one negative point for each flea."""
        return {name: -len(player.fleas) for name, player in self.players.items()}

    def winners(self) -> list[str] | None:
        """Return who has won, all that share the victory; None until the game is over."""
        if not self.is_over:
            return None
        best = max(self.points.values())
        return [name for name, points in self.points.items() if points == best]

    def _next(self, name: str) -> str:
        names = list(self.players)
        return names[(names.index(name) + 1) % len(names)]

    def _fill_hand(self, name: str) -> None:
        hand = self.players[name].hand
        while self.pile and len(hand) < HAND_SIZE:
            hand.append(self._draw_card(self.pile, name))

    def _flea_count(self, owner: str, viewer: str | None) -> int | None:
        # Flea piles lie face down for their owners too, who can at best count them.
        known = self.fleas_countable or owner == viewer
        return len(self.players[owner].fleas) if known else None

    def _check(self, name: str, play: Play) -> None:
        """Raise NotAllowed, with the number of the broken rule, unless the play is allowed."""
        if self.is_over:
            raise NotAllowed("the game is over", "7.1")
        if name != self.turn:
            raise NotAllowed("it is another player's turn", "2.7")
        if play.card not in self.players[name].hand:
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


def _names(cards: Iterable[Card]) -> list[str]:
    return sorted(map(str, cards))
