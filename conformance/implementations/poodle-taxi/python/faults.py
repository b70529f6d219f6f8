"""Planted faults of Poodle Taxi: each breaks one rule. See planting.py for how it works."""

from __future__ import annotations

import sys
from typing import Any

sys.path.append(sys.path[0] + "/../..")
import poodle_taxi
from planting import fault, planted
from poodle_taxi import Card, NotAllowed, Play, Row, Side, Spot, Table, View

__all__ = ["planted"]


# -- setup -------------------------------------------------------------------------------------


@fault("1.3", "With three players there are only two copies of each card of the sixth colour.")
def cards_missing_for_three(adapter: Any) -> None:
    right = Table.__init__

    def init(table: Table, *about: Any, **more: Any) -> None:
        right(table, *about, **more)
        if len(table.players) == 3:
            for arrow in Side:
                table.pile.remove(Card(poodle_taxi.Colour.COLOUR_6, arrow))

    Table.__init__ = init


@fault("2.2", "Everybody is dealt four cards.")
def hands_of_four(adapter: Any) -> None:
    right = Table.deal

    def deal(table: Table, *about: Any) -> None:
        poodle_taxi.HAND_SIZE = 4
        try:
            right(table, *about)
        finally:
            poodle_taxi.HAND_SIZE = 3

    Table.deal = deal


@fault("2.6", "The first seat begins, whoever was picked.")
def beginner_ignored(adapter: Any) -> None:
    right = Table.deal
    Table.deal = lambda table, beginner, draw: right(table, next(iter(table.players)), draw)


@fault("2.6", "The beginner is always picked, even if the first seat is to begin.")
def beginner_always_picked(adapter: Any) -> None:
    right = adapter.setup
    adapter.setup = lambda game, players, rulings, *about: right(
        game, players, {**rulings, "starter": "table"}, *about
    )


# -- turns -------------------------------------------------------------------------------------


@fault("2.7", "Turns go round counter-clockwise.")
def counter_clockwise(adapter: Any) -> None:
    def previous(table: Table, name: str) -> str:
        names = list(table.players)
        return names[names.index(name) - 1]

    Table._next = previous


@fault("2.7", "A player who takes three cards or more misses the next turn.")
def long_taking_skips(adapter: Any) -> None:
    right, clockwise = Table.play, Table._next

    def play(table: Table, name: str, play: Play) -> None:
        fleas = len(table.players[name].fleas)
        right(table, name, play)
        if len(table.players[name].fleas) - fleas >= 3:
            table.skipped = name
        if getattr(table, "skipped", None) == table.turn != name:
            table.skipped, table.turn = None, clockwise(table, table.turn)

    Table.play = play


@fault("2.7", "Whoever covers a card has another turn.")
def covering_again(adapter: Any) -> None:
    right = Table.play

    def play(table: Table, name: str, play: Play) -> None:
        right(table, name, play)
        if play.spot is Spot.SAME_COLOUR and table.players[name].hand:
            table.turn = name

    Table.play = play


@fault("2.7", "Everybody may move at any time.")
def anybodys_turn(adapter: Any) -> None:
    right = Table.play

    def play(table: Table, name: str, play: Play) -> None:
        table.turn = name
        right(table, name, play)

    Table.play = play
    adapter.actors = lambda game: list(game.table.players)


# -- placing a card ----------------------------------------------------------------------------


@fault("4.1", "A card that is still in the draw pile may be played instead of one of the hand.")
def card_from_the_pile(adapter: Any) -> None:
    right = Table.play

    def play(table: Table, name: str, play: Play) -> None:
        hand = table.players[name].hand
        if play.card not in hand and play.card in table.pile:
            table.pile.remove(play.card)
            table.pile.append(hand.pop())
            hand.append(play.card)
        right(table, name, play)

    Table.play = play


@fault("4.3", "The first card, too, is placed at the left or the right end.")
def first_card_at_an_end(adapter: Any) -> None:
    right = Row.spots_for
    Row.spots_for = lambda row, card: (
        right(row, card) if row.stacks else [Spot.LEFT_END, Spot.RIGHT_END]
    )


@fault("4.3", "The first card may be placed at an end as well, without being listed there.")
def first_card_accepted_at_an_end(adapter: Any) -> None:
    _accept(Spot.LEFT_END, lambda row, card: not row.stacks)


@fault("4.4", "A new colour must go to the end that its arrow points out of.")
def end_forced_by_the_arrow(adapter: Any) -> None:
    _limit_ends(lambda row, card: [_free_end(card)])


@fault("4.4", "A new colour must go to the right end.")
def right_end_only(adapter: Any) -> None:
    _limit_ends(lambda row, card: [Spot.RIGHT_END])


@fault("4.4", "A new colour must not go where it costs fleas, unless there are five stacks.")
def no_costly_end(adapter: Any) -> None:
    _limit_ends(
        lambda row, card: (
            [_free_end(card)] if len(row.stacks) < 5 else [Spot.LEFT_END, Spot.RIGHT_END]
        )
    )


@fault("4.4", "Left end and right end are exchanged.")
def ends_exchanged(adapter: Any) -> None:
    other = {Spot.LEFT_END: Spot.RIGHT_END, Spot.RIGHT_END: Spot.LEFT_END}
    right = Row.place
    Row.place = lambda row, card, spot: right(row, card, other.get(spot, spot))


@fault("4.4", "A player may cover a colour that is not there; the card then goes to the right end.")
def covering_nothing(adapter: Any) -> None:
    _accept(Spot.SAME_COLOUR, lambda row, card: row.stacks and row.find(card.colour) is None)


@fault("4.6", "A colour that lies in the row need not be covered, it may go to an end.")
def covering_is_free(adapter: Any) -> None:
    right, place = Row.spots_for, Row.place

    def spots_for(row: Row, card: Card) -> list[Spot]:
        spots = right(row, card)
        covers = spots == [Spot.SAME_COLOUR]
        return [*spots, Spot.LEFT_END, Spot.RIGHT_END] if covers else spots

    def placed(row: Row, card: Card, spot: Spot) -> int:
        if spot in (Spot.LEFT_END, Spot.RIGHT_END):
            position = 0 if spot is Spot.LEFT_END else len(row.stacks)
            row.stacks.insert(position, [card])
            return position
        return place(row, card, spot)

    Row.spots_for, Row.place = spots_for, placed


@fault("4.6", "A covered stack moves to the right end of the row, after what it costs is taken.")
def covered_stack_moves(adapter: Any) -> None:
    right = Row.lay

    def lay(row: Row, card: Card, spot: Spot) -> list[Card]:
        fleas = right(row, card, spot)
        if spot is Spot.SAME_COLOUR:
            position = row.find(card.colour)
            row.stacks.append(row.stacks.pop(position))
        return fleas

    Row.lay = lay


@fault("4.6", "A card that covers others is put under them.")
def covering_from_below(adapter: Any) -> None:
    right = Row.place

    def place(row: Row, card: Card, spot: Spot) -> int:
        position = right(row, card, spot)
        row.stacks[position].append(row.stacks[position].pop(0))
        return position

    Row.place = place


# -- taking ------------------------------------------------------------------------------------


@fault("5.1", "The arrow of the covered card counts, not that of the card on top.")
def covered_arrow_counts(adapter: Any) -> None:
    right = Row.lay

    def lay(row: Row, card: Card, spot: Spot) -> list[Card]:
        position = row.find(card.colour)
        arrow = card.arrow if position is None else row.stacks[position][0].arrow
        fleas = right(row, Card(card.colour, arrow), spot)
        row.stacks[row.find(card.colour)][0] = card
        return fleas

    Row.lay = lay


@fault("5.1", "Every arrow acts the other way round.")
def opposite_direction(adapter: Any) -> None:
    _taken(lambda row, position, card, name: (_other(card.arrow), position))


@fault("5.1", "For players on even seats, every arrow acts the other way round.")
def arrows_mirrored(adapter: Any) -> None:
    _taken(
        lambda row, position, card, name: (
            _other(card.arrow) if name in ("p2", "p4") else card.arrow,
            position,
        )
    )


@fault("5.2", "A right arrow takes the top card of each stack only.")
def only_top_cards(adapter: Any) -> None:
    right = Row.lay

    def lay(row: Row, card: Card, spot: Spot) -> list[Card]:
        if card.arrow is Side.LEFT:
            return right(row, card, spot)
        position = row.place(card, spot)
        fleas = [stack.pop(0) for stack in row.stacks[position + 1 :]]
        row.stacks = [stack for stack in row.stacks if stack]
        return fleas

    Row.lay = lay


@fault("5.2", "A right arrow takes the next stack only.")
def only_the_next_stack(adapter: Any) -> None:
    right = Row.lay

    def lay(row: Row, card: Card, spot: Spot) -> list[Card]:
        if card.arrow is Side.LEFT:
            return right(row, card, spot)
        position = row.place(card, spot)
        return row.stacks.pop(position + 1) if row.stacks[position + 1 :] else []

    Row.lay = lay


@fault("5.2", "What a right arrow takes goes to the next player's flea pile.")
def fleas_for_the_next(adapter: Any) -> None:
    right = Table.play

    def play(table: Table, name: str, play: Play) -> None:
        own = list(table.players[name].fleas)
        right(table, name, play)
        player = table.players[name]
        if play.card.arrow is Side.RIGHT:
            table.players[table._next(name)].fleas += player.fleas[len(own) :]
            player.fleas = own

    Table.play = play


@fault("5.3", "A left arrow takes the cards under the played card as well.")
def cards_below_too(adapter: Any) -> None:
    right = Row.lay

    def lay(row: Row, card: Card, spot: Spot) -> list[Card]:
        fleas = right(row, card, spot)
        stack = row.stacks[row.find(card.colour)]
        if card.arrow is Side.LEFT:
            fleas += stack[1:]
            del stack[1:]
        return fleas

    Row.lay = lay


@fault("5.3", "A left arrow takes its own stack as well, and the played card with it.")
def own_stack_too(adapter: Any) -> None:
    _taken(
        lambda row, position, card, name: (
            card.arrow,
            position + (card.arrow is Side.LEFT and len(row.stacks) > 1),
        )
    )


# -- drawing -----------------------------------------------------------------------------------


@fault("6.1", "Two cards are drawn for each one that is played.")
def two_cards_drawn(adapter: Any) -> None:
    right = Table.play

    def play(table: Table, name: str, play: Play) -> None:
        poodle_taxi.HAND_SIZE = len(table.players[name].hand) + 1
        try:
            right(table, name, play)
        finally:
            poodle_taxi.HAND_SIZE = 3

    Table.play = play


@fault("6.1", "The last card of the draw pile is not drawn.")
def last_card_stays(adapter: Any) -> None:
    right = Table._fill_hand

    def fill_hand(table: Table, name: str) -> None:
        if len(table.pile) != 1:
            right(table, name)

    Table._fill_hand = fill_hand


# -- the end -----------------------------------------------------------------------------------


@fault("7.1", "The game is over as soon as the draw pile is empty.")
def end_with_the_pile(adapter: Any) -> None:
    Table.is_over = property(lambda table: not table.pile)


@fault("7.1", "The game is over as soon as a player has no card left.")
def end_with_one_hand(adapter: Any) -> None:
    Table.is_over = property(
        lambda table: not all(player.hand for player in table.players.values())
    )


@fault("7.2", "Fleas count as positive points.")
def fleas_are_points(adapter: Any) -> None:
    right = Table.points.fget
    winners = Table.winners

    def outcome(game: Any) -> Any:
        won, points = winners(game.table), right(game.table)
        return won and {"winners": won, "returns": {n: -p for n, p in points.items()}}

    adapter.outcome = outcome


@fault("7.2", "What lies in the row at the end counts for the player of the last card.")
def row_counts_at_the_end(adapter: Any) -> None:
    right = Table.points.fget

    def points(table: Table) -> dict[str, int]:
        found = right(table)
        # the beginner would be next
        last = list(found)[list(found).index(table.turn) - 1]
        found[last] -= sum(map(len, table.row.stacks))
        return found

    Table.points = property(points)


@fault("7.2", "A flea pile of more than ten cards counts as ten.")
def at_most_ten_fleas(adapter: Any) -> None:
    right = Table.points.fget
    Table.points = property(
        lambda table: {name: max(-10, points) for name, points in right(table).items()}
    )


@fault("7.4", "Whoever has the most fleas wins.")
def most_fleas_win(adapter: Any) -> None:
    _winners(lambda points: [n for n in points if points[n] == min(points.values())])


@fault("7.4", "Of those who share the lowest number of fleas, only the first in seat order wins.")
def no_shared_victory(adapter: Any) -> None:
    _winners(lambda points: [max(points, key=lambda name: points[name])])


# -- what players see --------------------------------------------------------------------------


@fault("2.4", "Everybody sees which cards lie in the draw pile.")
def pile_shown(adapter: Any) -> None:
    _seen(lambda all_, seen, viewer: seen._replace(draw_pile=all_.draw_pile))


@fault("2.5", "The next player's hand is shown, too.")
def next_hand_shown(adapter: Any) -> None:
    def seen_too(all_: View, seen: View, viewer: str) -> View:
        names = list(all_.hand)
        shown = names[(names.index(viewer) + 1) % len(names)]
        return seen._replace(hand={**seen.hand, shown: all_.hand[shown]})

    _seen(seen_too)


@fault("2.5", "Players do not see their own hand.")
def own_hand_hidden(adapter: Any) -> None:
    _seen(
        lambda all_, seen, viewer: seen._replace(
            hand={name: len(hand) for name, hand in all_.hand.items()}
        )
    )


@fault("3.2", "Covered cards of the row are not shown to the players.")
def covered_cards_hidden(adapter: Any) -> None:
    _seen(lambda all_, seen, viewer: seen._replace(row=[stack[:1] for stack in seen.row]))


@fault("5.7", "Players see which fleas they have.")
def own_fleas_shown(adapter: Any) -> None:
    _seen(
        lambda all_, seen, viewer: seen._replace(fleas={**seen.fleas, viewer: all_.fleas[viewer]})
    )


@fault("5.7", "The number of fleas is never hidden.")
def flea_count_never_hidden(adapter: Any) -> None:
    _seen(
        lambda all_, seen, viewer: seen._replace(
            fleas={name: len(fleas) for name, fleas in all_.fleas.items()}
        )
    )


@fault("5.7", "The number of fleas of the others is always hidden.")
def flea_count_always_hidden(adapter: Any) -> None:
    _seen(
        lambda all_, seen, viewer: seen._replace(
            fleas={name: len(f) if name == viewer else None for name, f in all_.fleas.items()}
        )
    )


# -- refusals ----------------------------------------------------------------------------------


@fault("4.6", "A card that ought to cover its colour is refused at an end, and lost.")
def refused_card_is_lost(adapter: Any) -> None:
    def lose(table: Table, name: str, play: Play) -> None:
        if play.spot is not Spot.EMPTY_TABLE and play.card in table.players[name].hand:
            table.players[name].hand.remove(play.card)

    _at_refusal("4.6", lose)


@fault("4.1", "Who tries to play a card that is not in the hand loses the turn.")
def refused_card_ends_the_turn(adapter: Any) -> None:
    def pass_on(table: Table, name: str, play: Play) -> None:
        table.turn = table._next(name)

    _at_refusal("4.1", pass_on)


@fault("4.1", "A refusal of a card that is not in the hand names the rule that one must play.")
def wrong_rule_named(adapter: Any) -> None:
    def say(table: Table, name: str, play: Play) -> None:
        raise NotAllowed("that card is not in your hand", "4.2")

    _at_refusal("4.1", say)


@fault("2.5", "A refusal of a card that is not in the hand tells what the next player holds.")
def refusal_tells_a_hand(adapter: Any) -> None:
    def tell(table: Table, name: str, play: Play) -> None:
        hand = ", ".join(sorted(map(str, table.players[table._next(name)].hand)))
        raise NotAllowed(f"you do not hold it; the next player holds {hand}", "4.1")

    _at_refusal("4.1", tell)


# -- tools -------------------------------------------------------------------------------------


def _other(side: Side) -> Side:
    return Side.RIGHT if side is Side.LEFT else Side.LEFT


def _free_end(card: Card) -> Spot:
    return Spot.LEFT_END if card.arrow is Side.LEFT else Spot.RIGHT_END


def _limit_ends(ends: Any) -> None:
    """Let a new colour go only to some of the ends of the row."""
    right = Row.spots_for

    def spots_for(row: Row, card: Card) -> list[Spot]:
        spots = right(row, card)
        return ends(row, card) if spots == [Spot.LEFT_END, Spot.RIGHT_END] else spots

    Row.spots_for = spots_for


def _accept(spot: Spot, when: Any) -> None:
    """Accept plays at a spot that are not listed."""
    right = Table._check

    def check(table: Table, name: str, play: Play) -> None:
        mine = name == table.turn and play.card in table.players[name].hand
        if not (mine and play.spot is spot and when(table.row, play.card)):
            right(table, name, play)

    Table._check = check


def _taken(acts: Any) -> None:
    """Take as if the card had another arrow or stood at another position."""
    right = Table.play
    player = []

    def lay(row: Row, card: Card, spot: Spot) -> list[Card]:
        position = row.place(card, spot)
        arrow, position = acts(row, position, card, player[0])
        hit = slice(position) if arrow is Side.LEFT else slice(position + 1, None)
        fleas = [flea for stack in row.stacks[hit] for flea in stack]
        del row.stacks[hit]
        return fleas

    def play(table: Table, name: str, play: Play) -> None:
        player[:] = [name]
        right(table, name, play)

    Row.lay, Table.play = lay, play


def _winners(who: Any) -> None:
    """Let others win."""
    Table.winners = lambda table: who(table.points) if table.is_over else None


def _seen(change: Any) -> None:
    """Change what players see; `change` is given all there is, what they ought to see, and who."""
    right = Table.view

    def view(table: Table, viewer: str | None = None) -> View:
        seen = right(table, viewer)
        return seen if viewer is None else change(right(table), seen, viewer)

    Table.view = view


def _at_refusal(rule: str, then: Any) -> None:
    """Do something when a play is refused by a rule."""
    right = Table._check

    def check(table: Table, name: str, play: Play) -> None:
        try:
            right(table, name, play)
        except NotAllowed as error:
            if error.rule == rule:
                then(table, name, play)
            raise

    Table._check = check
