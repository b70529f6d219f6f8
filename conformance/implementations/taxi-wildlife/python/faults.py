"""Planted faults of Taxi Wildlife: each breaks one rule. See planting.py for how it works."""

from __future__ import annotations

import sys
from dataclasses import replace
from typing import Any

sys.path.append(sys.path[0] + "/../..")
import taxi_wildlife
from components import PILES, RouteCard
from planting import fault, planted
from route import Route
from taxi_wildlife import IllegalMove, TaxiWildlife

__all__ = ["planted"]


# -- setup -------------------------------------------------------------------------------------


@fault("2.1", "Each pouch is given three figures of every kind.")
def three_of_a_kind(adapter: Any) -> None:
    taxi_wildlife.PER_POUCH = 3


@fault("2.2", "A card of the second pile lies in the first one.")
def piles_mixed_up(adapter: Any) -> None:
    def mix(table: TaxiWildlife) -> None:
        table.piles["one"].append(table.piles["two"].pop())

    _before("_deal", mix)


@fault("2.5", "The rounds are counted from 0.")
def rounds_from_zero(adapter: Any) -> None:
    def back(table: TaxiWildlife) -> None:
        table.round = 0

    _after("_deal", back)


@fault("2.8", "All twelve duel cards are in use, whoever plays.")
def all_duel_cards(adapter: Any) -> None:
    def take_all(table: TaxiWildlife) -> None:
        if not table.variant:
            table.duel_deck += table.unused_duels
            table.unused_duels = []

    _after("_deal", take_all)


# -- the duel ----------------------------------------------------------------------------------


@fault("4.2", "The paw marks the opponent.")
def paw_of_the_opponent(adapter: Any) -> None:
    def swap(table: TaxiWildlife) -> None:
        if table.duel is not None:
            table.challenger, table.opponent = table.opponent, table.challenger
            table.active = [table.challenger]

    _after("_begin_duel", swap)


@fault("4.4", "The challenger gets the pouch that was not chosen.")
def the_other_pouch(adapter: Any) -> None:
    def swap(table: TaxiWildlife, *move: Any) -> None:
        for player in table.active:
            table.has[player] = _other(table.has[player])

    _after("_choose_pouch", swap)


@fault("4.5", "Both duelists have the pouch that the challenger has chosen.")
def one_pouch_for_both(adapter: Any) -> None:
    def share(table: TaxiWildlife, *move: Any) -> None:
        table.has[table.opponent] = table.has[table.challenger]

    _after("_choose_pouch", share)


@fault("4.8", "A drawn figure may be exchanged for another one.")
def figure_exchanged(adapter: Any) -> None:
    _before("_draw", lambda table, player, args: _put_back(table, player))


@fault("4.9", "Who has drawn nothing may call; that counts as a mistake.")
def call_without_a_figure(adapter: Any) -> None:
    right = TaxiWildlife._call

    def call(table: TaxiWildlife, player: str, args: Any) -> None:
        if table.held[player] is None and table.has[player] is not None and not table.calls:
            table.calls = 1
            table.active = [p for p in (table.challenger, table.opponent) if p != player]
        else:
            right(table, player, args)

    TaxiWildlife._call = call


@fault("4.11", "A drawn figure may be put back by giving up.")
def gives_up_with_a_figure(adapter: Any) -> None:
    def put_back(table: TaxiWildlife, player: str, args: Any) -> None:
        if table.won is None:
            _put_back(table, player)

    _before("_give_up", put_back)


@fault("4.11", "A duel is over when one duelist gives up.")
def one_gives_up_for_both(adapter: Any) -> None:
    def stop(table: TaxiWildlife, *move: Any) -> None:
        if len(table.active) == 1 and not table.calls and table.has[table.active[0]]:
            table._finish_duel()

    _after("_give_up", stop)


# -- what a call brings ------------------------------------------------------------------------


@fault("5.4", "A mistake ends the duel.")
def no_second_try(adapter: Any) -> None:
    def stop(table: TaxiWildlife, *move: Any) -> None:
        if table.calls == 1 and table.won is None and table.active:
            table._finish_duel()

    _after("_call", stop)


@fault("5.4", "Who has given up has no second try.")
def no_try_after_giving_up(adapter: Any) -> None:
    right = TaxiWildlife._call

    def call(table: TaxiWildlife, player: str, args: Any) -> None:
        alone = table.active == [player] and not table.calls
        right(table, player, args)
        if alone and table.calls == 1 and table.active and table.won is None:
            table._finish_duel()

    TaxiWildlife._call = call


@fault("5.4", "A misfit never leaves the other duelist a try.")
def misfit_never_leaves_a_try(adapter: Any) -> None:
    _reading(adapter, misfit="duel_over")


@fault("5.7", "Figures go back into the other duelist's pouch.")
def figures_change_pouches(adapter: Any) -> None:
    def swap(table: TaxiWildlife) -> None:
        for player in (table.challenger, table.opponent):
            table.has[player] = _other(table.has[player])

    _before("_finish_duel", swap)


@fault("5.7", "The figure is kept when the card shows the animal, although it fits nowhere.")
def figure_kept_at_a_misfit(adapter: Any) -> None:
    right = TaxiWildlife._call

    def call(table: TaxiWildlife, player: str, args: Any) -> None:
        figure, pouch = table.held[player], table.has[player]
        card = table.box.routes.get(table.shown.get(args["stop"]))
        right(table, player, args)
        if card and card.shows_animal and figure == card.stop and table.held[player] is None:
            table.pouches[pouch].remove(figure)
            table.kept[player].append(figure)

    TaxiWildlife._call = call


@fault("5.7", "The figure is kept with every card that is won.")
def figure_always_kept(adapter: Any) -> None:
    _figures(lambda card: True)


@fault("5.8", "No figure is ever kept.")
def figure_never_kept(adapter: Any) -> None:
    _figures(lambda card: False)


# -- the route ---------------------------------------------------------------------------------


@fault("6.1", "Cards are attached at the right end, if they fit there.")
def right_end_if_possible(adapter: Any) -> None:
    right = Route.placements

    def placements(route: Route, card: RouteCard) -> list[Any]:
        found = right(route, card)
        return [p for p in found if p[0] == "right"] or found

    Route.placements = placements


@fault("6.1", "A card is put between the start card and the cards that are there.")
def next_to_the_start(adapter: Any) -> None:
    right = Route.attach

    def attach(route: Route, card: RouteCard, side: str, way: Any) -> None:
        right(route, card, side, way)
        route.arms[side].append(route.arms[side].pop(0))

    Route.attach = attach


@fault("6.2", "A card with equal edges may be turned, too.")
def equal_edges_turned(adapter: Any) -> None:
    right = taxi_wildlife.ways_of

    def ways(card: RouteCard) -> Any:
        return (*right(card), "turned") if card.left == card.right else right(card)

    sys.modules["route"].ways_of = taxi_wildlife.ways_of = ways


@fault("6.3", "Edges with unequal numbers of paths may touch.")
def dead_ends(adapter: Any) -> None:
    Route.fits = lambda route, card, side, way: True


@fault("6.3", "A route ends in the edge of the new card that touches the old one.")
def ends_inside(adapter: Any) -> None:
    right = Route.attach

    def attach(route: Route, card: RouteCard, side: str, way: Any) -> None:
        end = route.ends[side]
        right(route, card, side, way)
        route.ends[side] = end

    Route.attach = attach


# -- duels and rounds --------------------------------------------------------------------------


@fault("7.1", "A won card is replaced from the next pile.")
def refill_from_the_next(adapter: Any) -> None:
    def refill(table: TaxiWildlife) -> None:
        for place, pile in zip(PILES, (*PILES[1:], PILES[0])):
            if table.shown[place] is None and table.piles[pile]:
                table.shown[place] = table.chance.draw(
                    f"pile.{pile}", f"shown.{place}", table.piles[pile])

    _before("_begin_duel", refill)


@fault("7.3", "The duel cards are shuffled again after every duel.")
def deck_always_full(adapter: Any) -> None:
    def shuffle(table: TaxiWildlife) -> None:
        table.duel_deck, table.fought = table.duel_deck + table.fought, []

    _before("_begin_duel", shuffle)


@fault("7.5", "The round stays the same.")
def rounds_not_counted(adapter: Any) -> None:
    right = TaxiWildlife.state
    TaxiWildlife.state = lambda table: {**right(table), "round": 1}


# -- the end -----------------------------------------------------------------------------------


@fault("8.1", "The game has five rounds.")
def five_rounds(adapter: Any) -> None:
    taxi_wildlife.ROUNDS = 5


@fault("8.3", "Figures count nothing.")
def figures_count_nothing(adapter: Any) -> None:
    _points(lambda table, player: len(table.routes[player]))


@fault("8.4", "Of those who share the highest number of points, only the first in seat order wins.")
def no_shared_victory(adapter: Any) -> None:
    _outcome(lambda table, outcome: {**outcome, "winners": outcome["winners"][:1]})


# -- the variant -------------------------------------------------------------------------------


@fault("9.2", "In the variant the duel cards lie there, too.")
def variant_with_duel_cards(adapter: Any) -> None:
    def lay_down(table: TaxiWildlife) -> None:
        if table.variant:
            table.duel_deck, table.unused_duels = table.unused_duels, []

    _after("_deal", lay_down)


@fault("9.3", "In the variant the challenge stays where it is while nobody wins a card.")
def variant_challenge_stays(adapter: Any) -> None:
    def stay(table: TaxiWildlife) -> None:
        if table.variant and all(table.shown.values()):
            table.challenger, table.opponent = table.opponent, table.challenger

    _before("_begin_duel", stay)


@fault("9.4", "The variant ends with eight cards.")
def variant_eight_cards(adapter: Any) -> None:
    taxi_wildlife.SEVEN = 8


@fault("8.4", "In the variant seven cards win, whatever the ruling says.")
def variant_seven_wins(adapter: Any) -> None:
    _reading(adapter, seven_cards="first_to_seven")


@fault("9.5", "The variant goes on although no card can be won any more.")
def variant_goes_on(adapter: Any) -> None:
    TaxiWildlife._nothing_to_win = lambda table, cards: False


@fault("9.5", "The variant is over when no card can be won, whatever the ruling says.")
def variant_without_new_cards(adapter: Any) -> None:
    _reading(adapter, no_card_fits="count")


# -- who sees what -----------------------------------------------------------------------------


@fault("3.2", "Everybody sees which cards lie in the piles.")
def piles_shown(adapter: Any) -> None:
    _seen(lambda table, seen: {**seen, "pile": table.state()["pile"]})


@fault("3.5", "A drawn figure is not seen.")
def figures_in_closed_hands(adapter: Any) -> None:
    _seen(lambda table, seen: {**seen, "held": dict.fromkeys(seen["held"])})


# -- refusals ----------------------------------------------------------------------------------


@fault("6.3", "Who tries to attach a card that does not fit there takes the figure back.")
def refused_place_costs_the_figure(adapter: Any) -> None:
    _at_refusal("6.3", _put_back)


@fault("4.11", "The refusal to give up with a figure names the rule for empty pouches.")
def wrong_rule_named(adapter: Any) -> None:
    def say(table: TaxiWildlife, player: str) -> None:
        raise IllegalMove("4.7", "there is something in the pouch")

    _at_refusal("4.11", say)


# -- tools -------------------------------------------------------------------------------------


def _other(pouch: Any) -> Any:
    return {"a": "b", "b": "a"}.get(pouch)


def _put_back(table: TaxiWildlife, player: str) -> None:
    """Put the figure of a player back into the pouch."""
    if table.held[player] is not None:
        table.pouches[table.has[player]].append(table.held[player])
        table.held[player] = None


def _before(name: str, then: Any) -> None:
    """Do something before a method of the game."""
    right = getattr(TaxiWildlife, name)

    def method(table: TaxiWildlife, *about: Any) -> Any:
        then(table, *about)
        return right(table, *about)

    setattr(TaxiWildlife, name, method)


def _after(name: str, then: Any) -> None:
    """Do something after a method of the game."""
    right = getattr(TaxiWildlife, name)

    def method(table: TaxiWildlife, *about: Any) -> None:
        right(table, *about)
        then(table, *about)

    setattr(TaxiWildlife, name, method)


def _reading(adapter: Any, **value: str) -> None:
    """Read a ruling in one way, whichever is asked for."""
    right = adapter.setup
    adapter.setup = lambda game, players, rulings, *about: right(
        game, players, {**rulings, **value}, *about
    )


def _figures(kept: Any) -> None:
    """Keep the figure with other cards than those that show the animal."""
    right = TaxiWildlife._attach

    def attach(table: TaxiWildlife, player: str, args: Any) -> None:
        card = table.won and table._card(table.won)
        if card:
            table.box.routes[card.id] = replace(card, shows_animal=kept(card))
        try:
            right(table, player, args)
        finally:
            if card:
                table.box.routes[card.id] = card

    TaxiWildlife._attach = attach


def _points(count: Any) -> None:
    TaxiWildlife.points = lambda table: {p: count(table, p) for p in table.players}


def _outcome(change: Any) -> None:
    right = TaxiWildlife.outcome

    def outcome(table: TaxiWildlife) -> Any:
        found = right(table)
        return found and change(table, found)

    TaxiWildlife.outcome = outcome


def _seen(change: Any) -> None:
    """Change what the players see."""
    right = TaxiWildlife.view
    TaxiWildlife.view = lambda table: change(table, right(table))


def _at_refusal(rule: str, then: Any) -> None:
    """Do something when a move is refused by a rule."""
    right = TaxiWildlife.play

    def play(table: TaxiWildlife, player: str, move: str, args: Any) -> None:
        try:
            right(table, player, move, args)
        except IllegalMove as error:
            if error.rule == rule:
                then(table, player)
            raise

    TaxiWildlife.play = play
