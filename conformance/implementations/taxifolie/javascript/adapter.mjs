// Lets taxifolie.mjs speak the Ludex move protocol. The game knows turns, legal moves, state and
// outcome itself; here they are only handed over, and its chance comes from the tape.

import { Game, seats, serve, tape } from '../../../adapters/javascript/ludex-adapter.mjs'; // first
import { SET_IDS } from './components.mjs';
import { PLAYERS, RULINGS, RuleBreak, Taxifolie } from './taxifolie.mjs';

const luck = {
  roll: () => tape.roll(2, 6),
  draw: (from, to, cards) => tape.draw(from, to, cards),
};

class TaxifolieGame extends Game {
  static game = 'taxifolie';
  static edition = '1';
  static players = PLAYERS;
  static rulings = RULINGS;
  static components = SET_IDS;

  setup(players, rulings, options, { id }) {
    this.game = new Taxifolie(seats(players), id, rulings, luck);
  }

  actors() { return this.game.actors(); }
  legal() { return this.game.legal().map(({ actor, move, args }) => [actor, move, args]); }
  play(actor, move, args) { this.game.play(actor, move, args); }
  state() { return this.game.state(); }
  view() { return this.game.view(); }

  outcome() {
    const winners = this.game.winners();
    return winners && { winners };
  }
}

serve({ name: 'taxifolie-clean-room', version: '1.0', illegal: [RuleBreak] }, TaxifolieGame);
