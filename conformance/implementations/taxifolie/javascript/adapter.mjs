import { Game, seats, serve, tape } from '../../../adapters/javascript/ludex-adapter.mjs'; // first
import { SET_IDS } from './components.mjs';
import { planted } from './faults.mjs'; // for tests of the kit: without arguments no change
import { PLAYERS, RULINGS, RuleBreak, Taxifolie } from './taxifolie.mjs';

const luck = { roll: () => tape.roll(2, 6), draw: (from, to, cards) => tape.draw(from, to, cards) };

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
  outcome() { return this.game.winners() && { winners: this.game.winners() }; }
}

serve({ name: 'taxifolie-js', version: '1.0', illegal: [RuleBreak] }, planted(TaxifolieGame));
