// Planted faults of Poo: each breaks one rule. See ../../planting.mjs for how it works.

import { fault } from '../../planting.mjs';
import { CARDS } from './cards.mjs';
import { Foul, Poo } from './poo.mjs';

export { planted } from '../../planting.mjs';

// -- tools ----------------------------------------------------------------------------------------

/** Replace a method of the game; `change` is given the right one, already bound, first. */
function replace(name, change) {
  const right = Poo.prototype[name];
  Poo.prototype[name] = function (...about) {
    return change.call(this, (...args) => right.apply(this, args), ...about);
  };
}

/** Do something to a game that has just been set up. */
function afterSetup(adapter, change) {
  const right = adapter.prototype.setup;
  adapter.prototype.setup = function (...about) {
    right.apply(this, about);
    change(this.poo);
  };
}

/** Allow what is forbidden. */
function allow(when) {
  replace('foul', function (right, seat, verb, what) {
    return when(this, seat, verb, what) ? null : right(seat, verb, what);
  });
}

/** Forbid what is allowed. */
function forbid(rule, when) {
  replace('foul', function (right, seat, verb, what) {
    const foul = right(seat, verb, what);
    return foul || (when(this, seat, verb, what) ? new Foul('that is not allowed', rule) : null);
  });
}

/** Change what a player sees; `change` is given that, all there is, and who looks. */
function show(change) {
  replace('table', function (right, viewer) {
    const seen = right(viewer);
    return viewer === undefined ? seen : { ...seen, ...change(seen, right(), viewer) };
  });
}

const holds = (game, seat, card, label) =>
  game.hands[seat].includes(card) && CARDS[card].label === label;
const inTurn = (game, seat) => game.momentsOf(seat).includes('turn');

// -- setup ----------------------------------------------------------------------------------------

fault('one-banana-for-eight', '2.1', 'One Golden Banana lies ready, not two.', (adapter) =>
  afterSetup(adapter, (game) => (game.bananas = 1)),
);

fault('hands-of-six', '2.3', 'Everybody is dealt six cards.', () =>
  replace('fill', function (right, seat) {
    if (this.turn === undefined) this.drawOne(seat);
    right(seat);
    if (this.turn === undefined) this.drawOne(seat);
  }),
);

fault('first-seat-begins', '2.6', 'The first seat begins, whoever was picked.', (adapter) =>
  afterSetup(adapter, (game) => (game.turn = 0)),
);

// -- turns ----------------------------------------------------------------------------------------

fault('counter-clockwise', '2.7', 'Turns go round counter-clockwise.', () => {
  const { next } = Poo.prototype;
  replace('next', (right, seat, direction = -1, except = null) => right(seat, direction, except));
  replace('neighbours', function () {
    return [next.call(this, this.turn), next.call(this, this.turn, -1)];
  });
});

fault('stop-before-a-card', '3.1', 'A turn may be ended before a card was played.', () =>
  allow((game, seat, verb) => verb === 'stop' && inTurn(game, seat)),
);

fault('discard-after-a-card', '3.1', 'Cards may be discarded in place of a further card.', () =>
  allow((game, seat, verb, { cards }) =>
    verb === 'discard' && inTurn(game, seat) && game.cardsPlayed && cards?.length === 1 &&
    game.hands[seat].includes(cards[0]),
  ),
);

fault('mishap-as-an-event', '3.2', 'A Mishap card may be played like an Event.', () =>
  allow((game, seat, verb, { card, target }) =>
    verb === 'event' && inTurn(game, seat) && holds(game, seat, card, 'mishap') &&
    target === undefined,
  ),
);

fault('turn-passes-early', '2.7', 'The turn passes on even if a further card may be played.', () =>
  replace('playInTurn', function (right, card) {
    const before = this.cardsAllowed;
    right(card);
    this.cardsAllowed = before;
  }),
);

fault('discard-one-at-least', '3.4', 'A player who discards has to discard a card.', () =>
  forbid('3.4', (game, seat, verb, { cards }) => verb === 'discard' && !cards.length),
);

fault('discard-draws-one', '3.4', 'After a discard one card is drawn, however many went.', () =>
  replace('act', function (right, seat, verb, what) {
    this.fill = verb === 'discard' ? this.drawOne : Poo.prototype.fill;
    return right(seat, verb, what);
  }),
);

fault('late-draw', '3.5', 'A card that was played is replaced at the end of the turn only.', () => {
  replace('playInTurn', function (right, card) {
    this.replace = () => {};
    right(card);
    delete this.replace;
  });
  replace('startTurn', function (right) {
    right();
    for (const seat of this.seatsIn()) this.fill(seat);
  });
});

fault('answers-not-replaced', '3.5', 'Defense and Mishap cards are not replaced.', () =>
  replace('answerWith', function (right, seat, card) {
    this.toPile(seat, card);
  }),
);

fault('further-card-forced', '3.7', 'A further card that is allowed has to be played.', () =>
  forbid('3.7', (game, seat, verb) => verb === 'stop'),
);

// -- flinging -------------------------------------------------------------------------------------

fault('at-oneself', '4.1', 'A player may fling at themselves.', () =>
  allow((game, seat, verb, { card, target }) =>
    verb === 'fling' && inTurn(game, seat) && target === seat && holds(game, seat, card, 'poo'),
  ),
);

fault('at-the-fallen', '7.6', 'Poo may be flung at a player who is out.', () => {
  const may = (game, seat, card, target) =>
    inTurn(game, seat) && holds(game, seat, card, 'poo') && game.playing[target] === false;
  allow((game, seat, verb, { card, target }) => verb === 'fling' && may(game, seat, card, target));
  replace('choices', function (right) {
    const more = [...this.playing.keys()].flatMap((target) =>
      [...new Set(this.hands[this.turn])]
        .filter((card) => may(this, this.turn, card, target))
        .map((card) => [this.turn, 'fling', { card, target }]),
    );
    return [...right(), ...more];
  });
});

fault('pile-at-once', '4.2', 'The card that is played goes to the discard pile at once.', () =>
  replace('table', (right, viewer) => {
    const seen = right(viewer);
    return seen.air ? { ...seen, air: null, pile: [...seen.pile, seen.air].sort() } : seen;
  }),
);

fault('devil-spares-the-next', '4.3', 'A Devil Poo passes over the player on the left.', () =>
  replace('startFling', function (right, printed, target) {
    right(printed, target);
    if (this.fling && printed.aim === 'everyone' && this.fling.shares.length > 1) {
      this.fling.shares = this.fling.shares.slice(1);
    }
  }),
);

fault('no-price', '4.5', 'Cards give no Poo to the player who plays them.', () => {
  const free = (right, printed, target) => right({ ...printed, price: 0 }, target);
  replace('startFling', free);
  replace('happen', free);
});

fault('snake-goes-right', '4.6', 'A Snake is flung at the next two players on the right.', () =>
  replace('neighbours', function (right) {
    const first = this.next(this.turn, -1);
    const second = this.next(first, -1, this.turn);
    return this.air === 'snake' && this.seatsIn().length > 2 ? [second, first] : right();
  }),
);

// -- Mishaps --------------------------------------------------------------------------------------

fault('second-mishap', '5.2', 'In free order a target may play a second Mishap.', () =>
  replace('momentsOf', function (right, seat) {
    const moments = right(seat);
    const free = this.rules.reaction_order === 'any_order';
    return free && this.fling?.mishap && moments.length ? ['mishap', ...moments] : moments;
  }),
);

fault('slip-comes-to-nothing', '5.4', 'A Slip gives nothing to the flinger.', () =>
  replace('suffer', (right, mishap) =>
    right(mishap.trouble === 'turn back' ? { ...mishap, trouble: null } : mishap),
  ),
);

fault('slip-for-each-target', '7.2', 'A Slip gives the base once for each target.', () =>
  replace('suffer', function (right, mishap) {
    const { card, shares } = this.fling;
    if (mishap.trouble === 'turn back') this.fling.forFlinger += card.poo * (shares.length - 1);
    right(mishap);
  }),
);

fault('fling-goes-on', '5.5', 'No Mishap calls the fling off.', () =>
  replace('suffer', (right, mishap) => right({ ...mishap, callsOff: false })),
);

fault('flinger-stays-clean', '5.6', 'A Mishap gives none of its own Poo.', () =>
  replace('suffer', (right, mishap) => right({ ...mishap, poo: 0 })),
);

fault('no-turn-missed', '5.7', 'Nobody ever misses a turn.', () =>
  replace('suffer', (right, mishap) =>
    right(mishap.trouble === 'miss' ? { ...mishap, trouble: null } : mishap),
  ),
);

fault('one-no-for-all', '5.8', 'When a player declines, no other Mishap may come.', () =>
  replace('act', function (right, seat, verb, what) {
    const foul = this.foul(seat, verb, what);
    if (!foul && verb === 'no mishap') this.fling.undecided = [seat];
    return right(seat, verb, what);
  }),
);

fault('holders-asked-only', '5.1', 'Only players who hold a Mishap card are asked for one.', () =>
  replace('startFling', function (right, printed, target) {
    right(printed, target);
    if (!this.fling) return;
    const holders = (seat) => this.hands[seat].some((card) => CARDS[card].label === 'mishap');
    this.fling.undecided = this.fling.undecided.filter(holders);
    this.checkFling();
  }),
);

// -- Defense --------------------------------------------------------------------------------------

fault('duck-goes-left', '6.2', 'A card that sends Poo to the right sends it to the left.', () =>
  replace('sendOn', (right, seat, printed, chosen) =>
    right(seat, printed.sends === 'right' ? { ...printed, sends: 'left' } : printed, chosen),
  ),
);

fault('back-to-the-flinger', '6.3', 'Poo may be redirected to the player who flung it.', () =>
  allow((game, seat, verb, { card, to }) =>
    verb === 'redirect' && game.momentsOf(seat).includes('defence') &&
    game.hands[seat].includes(card) && CARDS[card].sends === 'anywhere' &&
    game.seatsIn().length > 2 && to === game.fling.flinger,
  ),
);

fault('redirected-cannot-be-blocked', '6.1', 'Redirected Poo cannot be blocked.', () => {
  replace('sendOn', function (right, ...about) {
    right(...about);
    if (this.fling) this.fling.redirected = this.fling.shares.at(-1);
  });
  forbid('6.1', (game, seat, verb) => verb === 'block' && game.fling.redirected === seat);
});

fault('free-order-one-by-one', '6.1', 'In free order targets wait for each other.', () =>
  replace('defenders', (right) => right().slice(0, 1)),
);

// -- getting hit ----------------------------------------------------------------------------------

fault('weak-hit', '7.2', 'A hit adds one Poo less than the card says.', () =>
  replace('checkFling', function (right) {
    const { fling } = this;
    const hits = !fling.undecided.length && !fling.shares.length && fling.hits.length;
    if (hits) fling.card = { ...fling.card, poo: fling.card.poo - 1 };
    right();
  }),
);

fault('out-at-fourteen', '7.3', 'Without a Golden Banana a player with 14 Poo is out.', () =>
  replace('hit', function (right, given) {
    right(given);
    if (this.bananas) return;
    for (const seat of this.seatsIn().filter((one) => this.poo[one] === 14)) {
      this.playing[seat] = false;
      this.leaving.push(seat);
    }
  }),
);

fault('hand-leaves-the-game', '7.4', 'The hand of a player who is out leaves the game.', () =>
  replace('leave', function (right, seat, points) {
    this.gone.push(...this.hands[seat].splice(0));
    right(seat, points);
  }),
);

fault('farewell-in-time', '7.5', 'A farewell card may be played like any Event.', () =>
  allow((game, seat, verb, { card, target }) =>
    verb === 'event' && inTurn(game, seat) && game.hands[seat].includes(card) &&
    CARDS[card].last && target === undefined,
  ),
);

// -- Golden Bananas -------------------------------------------------------------------------------

fault('banana-stays', '8.3', 'A Golden Banana is never used up.', () =>
  replace('hit', function (right, given) {
    const { bananas } = this;
    right(given);
    this.bananas = bananas;
  }),
);

// -- Clean and Event cards ------------------------------------------------------------------------

fault('half-clean', '9.1', 'A Clean card takes one Poo less off than it says.', () =>
  replace('wash', (right, printed) => right({ ...printed, poo: printed.poo - 1 })),
);

fault('shimmy-for-oneself', '9.3', 'A Shimmy-Shimmy Shake gives nothing to the neighbours.', () =>
  replace('wash', (right, printed) => right({ ...printed, shares: 0 })),
);

fault('one-hand-for-two', '10.2', 'Of two who swap hands, one keeps the own hand.', () =>
  replace('happen', function (right, printed, target) {
    const { turn } = this;
    const own = this.hands[turn];
    right(printed, target);
    if (printed.does === 'swap') this.hands[turn] = own;
  }),
);

fault('new-hand-for-one', '10.3', 'New hands are dealt to all but the player of the card.', () =>
  replace('redeal', function (right) {
    const { turn } = this;
    const own = this.hands[turn].splice(0);
    this.hands[turn] = own;
    this.playing[turn] = false;
    right();
    this.playing[turn] = true;
  }),
);

fault('rinsed-alone', '10.4', 'A card that cleans everybody cleans its player only.', () =>
  replace('happen', function (right, printed, target) {
    if (printed.does !== 'rinse') return right(printed, target);
    this.rinse(this.turn, printed.poo);
    return right({ ...printed, does: null }, target);
  }),
);

fault('no-storm', '10.5', 'A card that hits all others hits nobody.', () =>
  replace('happen', (right, printed, target) =>
    right(printed.does === 'storm' ? { ...printed, does: null } : printed, target),
  ),
);

// -- the deck -------------------------------------------------------------------------------------

fault('clean-cards-stay', '11.1', 'At a reshuffle Clean cards stay on the discard pile.', () =>
  replace('reshuffle', function () {
    const isClean = (card) => CARDS[card].label === 'clean';
    this.deck = this.pile.filter((card) => !isClean(card));
    this.pile = this.pile.filter(isClean);
  }),
);

// -- the end --------------------------------------------------------------------------------------

fault('least-poo-wins', '12.1', 'When two players are left, the one with less Poo wins.', () =>
  replace('goOn', function (right) {
    right();
    const left = this.seatsIn();
    if (!this.winners && !this.leaving.length && left.length === 2 && this.playing.length > 2) {
      const [a, b] = left;
      this.winners = [this.poo[a] <= this.poo[b] ? a : b];
    }
  }),
);

fault('loser-wins', '12.1', 'The player who was knocked out last wins.', () =>
  replace('goOn', function (right) {
    right();
    if (this.winners) this.winners = this.lastOut;
  }),
);

// -- what players see -----------------------------------------------------------------------------

fault('next-hand-shown', '2.4', 'The hand of the next player is shown, too.', () =>
  show((seen, all, viewer) => {
    const next = (viewer + 1) % seen.hands.length;
    return { hands: seen.hands.map((hand, seat) => (seat === next ? all.hands[seat] : hand)) };
  }),
);

fault('deck-shown', '2.5', 'Everybody sees which cards are in the deck.', () =>
  show((seen, all) => ({ deck: all.deck })),
);

fault('pile-hidden', '11.4', 'Only the number of cards on the discard pile is shown.', () =>
  show((seen) => ({ pile: { count: seen.pile.length } })),
);

// -- refusals -------------------------------------------------------------------------------------

fault('refused-fling-is-lost', '4.1', 'A card flung at oneself is refused, and lost.', () =>
  replace('act', function (right, seat, verb, what) {
    try {
      return right(seat, verb, what);
    } catch (error) {
      if (error.rule === '4.1' && what.target === seat) this.toPile(seat, what.card);
      throw error;
    }
  }),
);
