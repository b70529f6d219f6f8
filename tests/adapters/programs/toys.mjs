// Toy programs behind the JavaScript helper. toys.py has the same ones in Python.

import { Deck, Game, Illegal, Loop, ranked, seats, serve, tape } from './ludex-adapter.mjs';
import { execSync } from 'node:child_process';

console.log('the program greets at import');

const zero = (ids) => Object.fromEntries(ids.map((p) => [p, 0]));

class Magpie extends Game {
  static game = 'magpie';
  static players = [2, 3];
  static rulings = { starter: ['table', 'first_seat'] };
  static options = { double: [true, false] };
  static components = ['toy'];
  worth = { amber: 1, beryl: 2, coral: 3, diamond: 4, emerald: 5 };

  setup(players, rulings, options, components) {
    if (components.id !== 'toy') throw new Error('components');
    this.ids = seats(players);
    this.double = options.double;
    this.turn = rulings.starter === 'table' ? this.ids.indexOf(tape.pick('first_player', this.ids)) : 0;
    this.pile = Object.keys(this.worth);
    this.row = [];
    this.hand = Object.fromEntries(this.ids.map((p) => [p, [tape.draw('pile', `hand.${p}`, this.pile)]]));
    this.coins = zero(this.ids);
  }

  actors() {
    return [this.ids[this.turn]];
  }

  *legal() {
    const [who] = this.actors();
    yield [who, 'take', {}];
    for (const jewel of this.hand[who]) yield [who, 'lay', { jewel }];
  }

  play(actor, move, { jewel }) {
    const hand = this.hand[actor];
    if (move === 'take') {
      hand.push(tape.draw('pile', `hand.${actor}`, this.pile));
    } else if (move === 'lay') {
      if (!hand.includes(jewel)) throw new Illegal(`${jewel} is not in hand`, 'lay.owner');
      const [one, two] = tape.roll(2);
      hand.splice(hand.indexOf(jewel), 1);
      this.row.push(jewel);
      this.coins[actor] += this.worth[jewel] * (this.double && one === two ? 2 : 1);
    } else throw new Illegal('no such move');
    this.turn = (this.turn + 1) % this.ids.length;
  }

  state() {
    return { row: this.row, hand: this.hand, pile: { count: this.pile.length }, coins: this.coins };
  }

  view(player) {
    const hands = Object.entries(this.hand).map(([p, h]) => [p, p === player ? h : { count: h.length }]);
    return { ...this.state(), hand: Object.fromEntries(hands) };
  }

  outcome() {
    return this.pile.length ? null : ranked(this.coins);
  }
}

class Solo extends Game {
  static players = [1];
  seen = [];
  actors() {
    return ['p1'];
  }
  legal() {
    return [];
  }
  state() {
    return { seen: this.seen };
  }
  view() {
    return this.state();
  }
  outcome() {
    return undefined;
  }
}

class OwnError extends Error {
  rule = 'own.rule';
}

class Clumsy extends Solo {
  static game = 'clumsy';
  setup() {
    console.log('a print in setup');
  }
  async play(actor, move) {
    if (move === 'crash') throw new RangeError('on purpose');
    if (move === 'exit') throw null; // the nearest thing to it that can be caught
    if (move === 'print') {
      console.log('a stray print');
      process.stdout.write('raw bytes\n');
      console.info(execSync('echo from a child process').toString());
    }
    if (move === 'slow') {
      await new Promise((resolve) => setTimeout(resolve, 300));
      this.seen.push(tape.roll(1)[0]);
    }
    if (move === 'nan') this.seen.push(NaN);
    if (move === 'own_error') throw new OwnError('the program says no');
    if (move === 'swallow') {
      try {
        this.seen.push(tape.draw('bag', 'hand', ['a', 'b']));
      } catch {
        this.seen.push('swallowed');
      }
    }
  }
}

class Lab extends Solo {
  static game = 'lab';
  play(actor, move) {
    if (move === 'die') this.seen.push(tape.die(6, 2));
    else if (move === 'dice') this.seen.push(tape.die(6, 2), tape.die(6, 2));
    else if (move === 'deck') {
      const deck = new Deck('bag', ['a', 'b', 'c']);
      this.seen.push(deck.draw('hand'), deck.length);
    } else if (move === 'pick') this.seen.push(tape.pick('number', [1, 2, 3]));
    else if (move === 'shuffle') this.seen.push(...tape.shuffle('bag', ['a', 'b', 'c']));
    else if (move === 'random') {
      const random = tape.random(6, 2);
      const face = () => Math.floor(random() * 6) + 1;
      this.seen.push(face(), face(), tape.pick('first_player', ['p1', 'p2']));
    }
  }
}

class Parley extends Loop {
  static game = 'parley';
  static players = [2, 3];
  last = 0;
  async run(players) {
    const spoken = zero(seats(players));
    for (let who = 0; this.last < 10; ) {
      const { actor, move, args } = await this.ask(`p${who + 1}`);
      if (move === 'crash') throw new OwnError('inside run');
      if (move === 'roll') this.last += tape.roll(1)[0];
      else if (args.number <= this.last) {
        this.refuse('too small', 'say.more');
        continue;
      } else this.last = args.number;
      spoken[actor] += 1;
      who = (who + 1) % players;
    }
    return ranked(spoken);
  }
  legal() {
    const numbers = Array.from({ length: 10 }, (_, i) => i + 1).filter((n) => n > this.last);
    return numbers.map((number) => [this.actors()[0], 'say', { number }]);
  }
  state() {
    return { last: this.last };
  }
  view() {
    return this.state();
  }
}

class Turns extends Solo {
  static game = 'turns';
  play(actor, move) {
    this.seen.push(move);
  }
  async pending() {
    return this.seen.length % 2 === 1;
  }
}

serve(
  {
    name: 'toys', version: '1.2', url: 'https://example.org/toys', adapter_does: ['state'], illegal: [OwnError],
  },
  Magpie, Clumsy, Lab, Parley, Turns,
);
