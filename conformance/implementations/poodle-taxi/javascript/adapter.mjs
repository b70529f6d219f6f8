import { Game, Illegal, seats, serve, tape } from '../../../adapters/javascript/ludex-adapter.mjs';
import { cardNamed, choices, deal, play, result, seenFrom } from './poodle-taxi.mjs';

const MOVES = ['start', 'extend', 'cover']; // in the order of the game's SPOT
const STARTERS = { table: (all) => tape.pick('first_player', all), first_seat: ([first]) => first };

const draw = (stock, seat) => tape.draw('draw_pile', `hand.p${seat + 1}`, [...stock]);
const pile = (cards) => (Array.isArray(cards) ? cards.map(String).sort() : { count: cards });
const each = (piles) => Object.fromEntries(piles.map((one, seat) => [`p${seat + 1}`, pile(one)]));

class PoodleTaxi extends Game {
  static game = 'poodle-taxi';
  static players = [2, 3, 4];
  static rulings = { starter: ['table', 'first_seat'], flea_count: ['seen', 'hidden'] };

  setup = (players, { starter, flea_count }) =>
    (this.table = deal(seats(players), draw, STARTERS[starter], flea_count === 'seen'));
  actors = () => [this.table.names[this.table.turn]];
  outcome = (end = result(this.table)) => end && { winners: end.winners, returns: end.points };

  legal() {
    return choices(this.table).map(({ who, spot, ...args }) => [who, MOVES[spot], args]);
  }

  state({ stock, hands, row, fleas } = this.table) {
    return { draw_pile: pile(stock), hand: each(hands), row, fleas: each(fleas) };
  }

  view(player) {
    return this.state(seenFrom(this.table, this.table.names.indexOf(player)));
  }

  play(actor, move, { card, end }) {
    this.table = play(this.table, { card: cardNamed(card), spot: MOVES.indexOf(move), end }, draw);
    if (this.table.wrong) throw new Illegal(this.table.wrong.text, this.table.wrong.rule);
  }
}

serve({ name: 'poodle-taxi-js', version: '1.0.0' }, PoodleTaxi);
