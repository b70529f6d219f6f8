"""Taxi Wildlife: the game itself, written from the texts of the rules.

`TaxiWildlife` holds one game. `legal_moves` lists what may be done, `play` does it or raises
`IllegalMove`, `state` and `view` show the table, `outcome` says how the game has ended. Numbers in
brackets are rule ids. What chance decides is asked of a `Chance`; nothing else is random.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Dict, Iterable, Iterator, List, Mapping, Optional, Protocol, Tuple

from components import PILES, ComponentSet, RouteCard
from route import SIDES, WAYS, Route, ways_of

POUCHES = ("a", "b")
ROUNDS = 4
SEVEN = 7  # length of a route that ends the variant
PER_POUCH = 2  # figures of each kind

Move = Tuple[str, str, Dict[str, str]]  # actor, move, arguments


class Chance(Protocol):
    """Where the random outcomes come from."""

    def draw(self, source: str, to: str, items: List[str]) -> str:
        """Remove a component from `items` and return it."""

    def pick(self, of: str, items: List[str]) -> str:
        """Return one of `items`."""


class IllegalMove(Exception):
    """A move that the rules forbid; `rule` is the id of a rule that it breaks."""

    def __init__(self, rule: str, reason: str) -> None:
        super().__init__(reason)
        self.rule = rule


VARIANT = {"two_player_variant": [False, True]}
CHOICES = {
    "misfit": ["duel_over", "second_try"],
    "start_way": ["as_printed", "either_way"],
    "pile_end": ["all_played", "face_down_part"],
    "seven_cards": ["points", "first_to_seven"],
    "no_card_fits": ["count", "new_cards"],
}


@dataclass(frozen=True)
class Readings:
    """The variant, and how the open points of the rulebook are read: see `CHOICES`."""

    variant: bool
    misfit: str
    start_way: str
    pile_end: str
    seven_cards: str
    no_card_fits: str


def _demand(holds: bool, rule: str, reason: str) -> None:
    if not holds:
        raise IllegalMove(rule, reason)


class TaxiWildlife:
    """One game, from the setup to the end."""

    def __init__(
        self, players: int, components: ComponentSet, readings: Readings, chance: Chance
    ) -> None:
        self.box, self.readings, self.chance = components, readings, chance
        self.variant = readings.variant and players == 2  # 9.1
        self.players = [f"p{i + 1}" for i in range(players)]
        self.piles: Dict[str, List[str]] = {pile: [] for pile in PILES}
        for card in components.routes.values():
            self.piles[card.pile].append(card.id)
        self.shown: Dict[str, Optional[str]] = dict.fromkeys(PILES)
        self.pouches = {pouch: list(components.animals) * PER_POUCH for pouch in POUCHES}
        self.held: Dict[str, Optional[str]] = dict.fromkeys(self.players)
        self.has: Dict[str, Optional[str]] = dict.fromkeys(self.players)
        self.kept: Dict[str, List[str]] = {player: [] for player in self.players}
        self.round = 1
        self.over = False
        # Of the duel that is being fought:
        self.challenger = self.opponent = ""
        self.active: List[str] = []  # who may act
        self.calls = 0
        self.won: Optional[str] = None  # the pile whose card has to be attached
        self._deal()
        self._begin_duel()

    # -- setup ---------------------------------------------------------------------------------

    def _deal(self) -> None:
        self.unused_starts = list(self.box.starts)
        starts = [self.chance.draw("unused_starts", f"start.{player}", self.unused_starts)
                  for player in self.players]  # 2.6
        self.owner = dict(zip(starts, self.players))
        self._turn_up_cards()  # 2.4
        self.duel: Optional[str] = None
        self.duel_deck: List[str] = []
        self.fought: List[str] = []
        if self.variant:  # 9.2, 9.3
            first = self.chance.pick("first_challenger", list(self.players))
            self.challenger, self.opponent = first, self._rival(first)
        else:
            self.duel_deck = [card.id for card in self.box.duels.values()
                              if {card.challenger, card.opponent} <= set(starts)]  # 2.8
        self.unused_duels = [duel for duel in self.box.duels if duel not in self.duel_deck]
        self.routes = {player: Route(self.box.starts[start], self._way_of_a_start())
                       for start, player in self.owner.items()}

    def _way_of_a_start(self) -> str:
        if self.readings.start_way == "either_way":
            return self.chance.pick("way", list(WAYS))
        return "straight"

    def _rival(self, player: str) -> str:
        """Return the other one of two players."""
        return next(other for other in self.players if other != player)

    # -- the course of the game ------------------------------------------------------------------

    def _begin_duel(self) -> None:
        self._turn_up_cards()  # 7.1
        if self._is_over_before_a_duel():
            self.over = True
            return
        if self.variant:
            if self._nothing_to_win(self._shown_cards()):
                self._exchange_cards()
        else:
            if not self.duel_deck:
                self.duel_deck, self.fought = self.fought, []  # 7.4
                self.round += 1
            self.duel = self.chance.draw("duel_deck", "duel", self.duel_deck)  # 4.1
            card = self.box.duels[self.duel]
            self.challenger, self.opponent = self.owner[card.challenger], self.owner[card.opponent]
        self.active, self.calls, self.won = [self.challenger], 0, None

    def _turn_up_cards(self) -> None:
        for pile in PILES:
            if self.shown[pile] is None and self.piles[pile]:
                self.shown[pile] = self.chance.draw(
                    f"pile.{pile}", f"shown.{pile}", self.piles[pile])

    def _exchange_cards(self) -> None:
        for pile, card in self.shown.items():
            if card is not None:
                self.piles[pile].append(card)
                self.shown[pile] = None
        self._turn_up_cards()

    def _shown_cards(self) -> List[str]:
        return [card for card in self.shown.values() if card is not None]

    def _nothing_to_win(self, cards: Iterable[str]) -> bool:
        """Say whether nobody could win any of these cards (9.5)."""
        figures = {animal for pouch in self.pouches.values() for animal in pouch}
        return not any(card.stop in figures and route.placements(card)
                       for card in map(self.box.routes.__getitem__, cards)
                       for route in self.routes.values())

    def _finish_duel(self) -> None:
        """Put everything back (5.7), then go on to the end, the next round or the next duel."""
        for player in (self.challenger, self.opponent):
            figure, pouch = self.held[player], self.has[player]
            if figure is not None and pouch is not None:
                self.pouches[pouch].append(figure)
            self.held[player] = self.has[player] = None
        if self.duel is not None:
            self.fought.append(self.duel)
            self.duel = None
        self.active, self.won = [], None
        self.over = self._is_over()
        if self.over:
            return
        if self.variant:
            self.challenger, self.opponent = self.opponent, self.challenger  # 9.3
        self._begin_duel()

    def _is_over(self) -> bool:
        """Say whether the game ends with the duel that has just been completed."""
        if any(self.shown[p] is None and not self.piles[p] for p in PILES):  # 8.2
            return True
        if self.variant:
            return bool(self._with_seven())  # 9.4
        return self.round == ROUNDS and not self.duel_deck  # 8.1

    def _is_over_before_a_duel(self) -> bool:
        """Say whether the game ends when the cards for the next duel lie there."""
        if self.readings.pile_end == "face_down_part" and not all(self.piles.values()):  # 8.2
            return True
        if not self.variant or not self._nothing_to_win(self._shown_cards()):  # 9.5
            return False
        below = [card for pile in self.piles.values() for card in pile]
        return self.readings.no_card_fits == "count" or self._nothing_to_win(below)

    def _with_seven(self) -> List[str]:
        return [player for player in self.players if len(self.routes[player]) >= SEVEN]

    # -- moves -----------------------------------------------------------------------------------

    def actors(self) -> List[str]:
        """Return who may act now."""
        return list(self.active)

    def legal_moves(self) -> Iterator[Move]:
        """Yield every move that somebody may make now."""
        for player in self.active:
            for move, args in self._options(player):
                yield player, move, args

    def _options(self, player: str) -> Iterator[Tuple[str, Dict[str, str]]]:
        pouch = self.has[player]
        if self.won is not None:
            for side, way in self.routes[player].placements(self._card(self.won)):
                yield "attach", {"side": side} if way is None else {"side": side, "way": way}
        elif pouch is None:
            for which in POUCHES:
                yield "choose_pouch", {"which": which}
        elif self.held[player] is not None:
            for stop in PILES:
                if self.shown[stop] is not None:
                    yield "call", {"stop": stop}
        else:
            for animal in self.box.animals:
                if animal in self.pouches[pouch]:
                    yield "draw", {"animal": animal}
            yield "give_up", {}

    def play(self, player: str, move: str, args: Mapping[str, Any]) -> None:
        """Make a move, or raise `IllegalMove` and leave everything as it is."""
        methods = {
            "choose_pouch": self._choose_pouch, "draw": self._draw, "call": self._call,
            "give_up": self._give_up, "attach": self._attach,
        }
        if move not in methods:
            raise IllegalMove("", f"there is no move {move}")
        if player not in self.active:
            raise IllegalMove(*self._why_idle(player))
        methods[move](player, args)

    def _why_idle(self, player: str) -> Tuple[str, str]:
        """Return the rule that keeps a player from acting, and the reason."""
        if self.over:
            return "", "the game is over"
        if player not in (self.challenger, self.opponent):
            return "4.2", f"{player} takes no part in this duel"
        if self.has[player] is None:
            return "4.4", "the challenger has not chosen a pouch yet"
        if self.won is not None:
            return "5.6", "the duel has been won"
        if self.calls:
            return "4.10", "there has been a call, and the second try is the other duelist's"
        return "4.11", f"{player} has given up"

    def _choose_pouch(self, player: str, args: Mapping[str, Any]) -> None:
        which = args["which"]
        _demand(which in POUCHES, "", f"there is no pouch {which}")
        _demand(self.has[player] is None, "4.5", "the pouches have been chosen for this duel")
        self.has[self.challenger] = which
        self.has[self.opponent] = "b" if which == "a" else "a"
        self.active = [self.challenger, self.opponent]

    def _draw(self, player: str, args: Mapping[str, Any]) -> None:
        animal, pouch = args["animal"], self.has[player]
        _demand(animal in self.box.animals, "", f"there is no animal {animal}")
        if pouch is None:
            raise IllegalMove("4.7", "there is no pouch to draw from yet")
        _demand(self.held[player] is None, "4.8", "one figure only may be drawn in a duel")
        _demand(animal in self.pouches[pouch], "4.7", f"there is no {animal} in pouch {pouch}")
        self.pouches[pouch].remove(animal)
        self.held[player] = animal

    def _give_up(self, player: str, args: Mapping[str, Any]) -> None:
        _demand(self.has[player] is not None, "4.11", "the search has not begun")
        _demand(self.won is None, "5.2", "a card that has been won cannot be declined")
        _demand(self.held[player] is None, "4.11", "a drawn figure has to be put on a stop")
        self.active.remove(player)
        if not self.active:
            self._finish_duel()

    def _call(self, player: str, args: Mapping[str, Any]) -> None:
        stop = args["stop"]
        _demand(stop in PILES, "", f"there is no stop {stop}")
        _demand(self.held[player] is not None, "4.9", "only a drawn figure can be put on a stop")
        _demand(self.won is None, "4.10", "the call has been made")
        _demand(self.shown[stop] is not None, "4.9", "no card lies there")
        self.calls += 1
        card = self._card(stop)
        matches = card.stop == self.held[player]  # 5.1
        if matches and self.routes[player].placements(card):
            self.active, self.won = [player], stop  # 5.2
        elif self.calls == 1 and (not matches or self.readings.misfit == "second_try"):
            rival = self.opponent if player == self.challenger else self.challenger
            self.active = [rival]  # 5.4, also after giving up
        else:
            self._finish_duel()  # 5.3, 5.5, 5.6

    def _attach(self, player: str, args: Mapping[str, Any]) -> None:
        side, way = args["side"], args.get("way")
        _demand(side in SIDES, "", f"there is no side {side}")
        _demand(way is None or way in WAYS, "", f"there is no way {way}")
        if self.won is None:
            raise IllegalMove("5.2", "no card has been won")
        card, route = self._card(self.won), self.routes[player]
        _demand(way in ways_of(card), "6.2",
                "turning is told of cards with unequal edges, and of these alone")
        _demand(route.fits(card, side, way), "6.3", "the edges that touch are unequal")
        route.attach(card, side, way)
        self.shown[self.won] = None
        figure = self.held[player]
        if card.shows_animal and figure is not None:  # 5.8
            self.kept[player].append(figure)
            self.held[player] = None
        self._finish_duel()

    def _card(self, pile: str) -> RouteCard:
        """Return the card that lies in front of a pile."""
        shown = self.shown[pile]
        assert shown is not None, pile
        return self.box.routes[shown]

    # -- the end, and what is seen ---------------------------------------------------------------

    def points(self) -> Dict[str, int]:
        """Return the points that the players have now (8.3)."""
        return {p: len(self.routes[p]) + len(self.kept[p]) for p in self.players}

    def outcome(self) -> Optional[Dict[str, Any]]:
        """Return None until the game is over, then who has won (8.4, 8.5) and all points."""
        if not self.over:
            return None
        points = self.points()
        winners = [player for player in self.players if points[player] == max(points.values())]
        if self.variant and self.readings.seven_cards == "first_to_seven":
            winners = self._with_seven() or winners
        return {"winners": winners, "returns": points}

    def state(self) -> Dict[str, Any]:
        """Return the whole table; what has no order is sorted."""
        return {
            "pile": {pile: sorted(cards) for pile, cards in self.piles.items()},
            "shown": dict(self.shown),
            "arm": {p: {side: list(arm) for side, arm in self.routes[p].arms.items()}
                    for p in self.players},
            "start": {p: self.routes[p].start.id for p in self.players},
            "ends": {p: dict(self.routes[p].ends) for p in self.players},
            "pouch": {pouch: sorted(figures) for pouch, figures in self.pouches.items()},
            "has": dict(self.has),
            "held": dict(self.held),
            "kept": {p: sorted(figures) for p, figures in self.kept.items()},
            "duel": self.duel,
            "duel_deck": sorted(self.duel_deck),
            "fought": sorted(self.fought),
            "round": self.round,
            "unused_starts": sorted(self.unused_starts),
            "unused_duels": sorted(self.unused_duels),
        }

    def view(self) -> Dict[str, Any]:
        """Return what every player sees: all but the piles and the duel deck (3.1 to 3.5)."""
        seen = self.state()
        seen["pile"] = {pile: {"count": len(cards)} for pile, cards in self.piles.items()}
        seen["duel_deck"] = {"count": len(self.duel_deck)}
        return seen
