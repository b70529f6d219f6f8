import { Game, seats, serve, tape } from '../../../adapters/javascript/ludex-adapter.mjs'; // first
import { planted } from './faults.mjs'; // for tests of the kit: without arguments no change
import { Foul, HOUSE_RULES, Poo } from './poo.mjs';

const id = (seat) => seats(8)[seat];
const at = (player) => player && seats(8).indexOf(player);
const each = (list) => Object.fromEntries(list.map((one, seat) => [id(seat), one]));
const who = (name, { target, to, ...rest }) => ({ ...rest, target: name(target), to: name(to) });

class PooGame extends Game {
  static game = 'poo';
  static players = [2, 3, 4, 5, 6, 7, 8];
  static rulings = HOUSE_RULES;
  static components = ['standard'];
  setup(players, rulings) {
    const draw = (deck, seat) => tape.draw('deck', `hand.${id(seat)}`, deck);
    this.poo = new Poo(players, rulings, draw, (all) => tape.pick('first_player', all, id));
  }
  actors = () => this.poo.waitingFor().map(id);
  play = (actor, move, args) => this.poo.act(at(actor), move.replace('_', ' '), who(at, args));
  outcome = () => this.poo.winners && { winners: this.poo.winners.map(id) };
  legal() {
    return this.poo.choices().map(([n, verb, x]) => [id(n), verb.replace(' ', '_'), who(id, x)]);
  }
  view(player) {
    const { hands, pile, gone, poo, playing, skips, ...rest } = this.poo.table(at(player));
    const lists = { hand: each(hands), poo: each(poo), alive: each(playing), misses: each(skips) };
    return { ...rest, ...lists, discard: pile, removed: gone };
  }
}
PooGame.prototype.state = PooGame.prototype.view; // without a player: all that is there
serve({ name: 'poo-js', version: '1.0', illegal: [Foul] }, planted(PooGame));
