// The referee says what is wrong with something that a player wants to do, and what can be done.

import { CARDS } from './cards.mjs';

/** Thrown at a player who breaks a rule. The game is as it was. */
export class Foul extends Error {
  constructor(message, rule) {
    super(message);
    this.rule = rule;
  }
}

/** What can be done at each moment of the game. */
const MOMENTS = {
  turn: ['fling', 'clean', 'event', 'discard', 'stop', 'timeout'],
  mishap: ['mishap', 'no mishap'],
  defence: ['block', 'redirect', 'take it'],
  knockout: ['farewell', 'go quietly'],
};

const momentOf = (verb) => Object.keys(MOMENTS).find((moment) => MOMENTS[moment].includes(verb));

/** Return the Foul that it would be, or null. */
export function findFoul(game, seat, verb, what) {
  const moment = momentOf(verb);
  if (!moment) return new Foul(`nobody can ${verb}`);
  const now = game.momentsOf(seat);
  if (!now.length) return new Foul('nobody asks this player now');
  const found = now.includes(moment)
    ? CHECKS[verb](game, seat, what)
    : wrongMoment(game, seat, moment, now);
  return found ? new Foul(...found) : null;
}

function wrongMoment(game, seat, moment, [now]) {
  if (moment === 'knockout') return ['that is for players who have just been knocked out', '7.5'];
  if (now === 'knockout') return ['a player who is out takes no part', '7.6'];
  if (now === 'turn') return ['in a turn of your own there is nothing to answer', '3.2'];
  if (moment === 'turn') return ['it is not your turn', '3.8'];
  if (moment === 'mishap') {
    return game.fling.mishap
      ? ['there was a Mishap already', '5.2']
      : ['the time for Mishaps is over', '5.8'];
  }
  if (!game.fling.shares.includes(seat)) return ['nothing is on its way to you', '6.9'];
  return ['wait until all have declined a Mishap', '5.8'];
}

const holds = (game, seat, card) => game.hands[seat].includes(card);

/** The printed card if the player holds it and it has one of these labels. */
function held(game, seat, card, ...labels) {
  return holds(game, seat, card) && labels.includes(CARDS[card].label) ? CARDS[card] : null;
}

function wrongOpponent(game, seat, target, rule) {
  if (target === undefined) return ['name another player', rule];
  if (target === seat) return ['not yourself', rule];
  if (game.playing[target] === undefined) return ['there is no such player', rule];
  return game.playing[target] ? null : ['that player is out of the game', '7.6'];
}

const CHECKS = {
  fling(game, seat, { card, target }) {
    const printed = held(game, seat, card, 'poo', 'special poo');
    if (!printed) return ['that is no Poo card in your hand', '3.2'];
    if (printed.aim === 'one') return wrongOpponent(game, seat, target, '4.1');
    if (target === undefined) return null;
    return ['this card has its own targets', printed.aim === 'neighbours' ? '4.6' : '4.3'];
  },

  clean(game, seat, { card }) {
    return held(game, seat, card, 'clean') ? null : ['that is no Clean card in your hand', '3.2'];
  },

  event(game, seat, { card, target }) {
    const printed = held(game, seat, card, 'event');
    if (!printed) return ['that is no Event card in your hand', '3.2'];
    if (printed.last) return ['only for a player who is knocked out', '7.5'];
    if (printed.does === 'swap') return wrongOpponent(game, seat, target, '10.2');
    return target === undefined ? null : ['this card names nobody', '10.1'];
  },

  discard(game, seat, { cards }) {
    if (game.cardsPlayed) return ['play or discard, not both', '3.1'];
    if (!Array.isArray(cards)) return ['say which cards', '3.4'];
    const rest = [...game.hands[seat]];
    for (const card of cards) {
      const at = rest.indexOf(card);
      if (at < 0) return ['you do not hold these cards', '3.4'];
      rest.splice(at, 1);
    }
    const tooFew = game.rules.zero_discard === 'at_least_one' && !cards.length && rest.length;
    return tooFew ? ['discard at least one card', '3.4'] : null;
  },

  stop(game) {
    return game.cardsPlayed ? null : ['play a card or discard', '3.1'];
  },

  timeout(game) {
    if (game.rules.timer === 'off') return ['nobody counts', '3.6'];
    return game.cardsPlayed ? ['a card was played in time', '3.6'] : null;
  },

  mishap(game, seat, { card }) {
    return held(game, seat, card, 'mishap') ? null : ['that is no Mishap in your hand', '5.1'];
  },

  block(game, seat, { card }) {
    const printed = held(game, seat, card, 'defense');
    if (!printed) return ['that is no Defense card in your hand', '6.1'];
    if (!printed.sends || game.seatsIn().length === 2) return null;
    return ['this card sends the Poo on', '6.2'];
  },

  redirect(game, seat, { card, to }) {
    const printed = held(game, seat, card, 'defense');
    if (!printed) return ['that is no Defense card in your hand', '6.1'];
    if (!printed.sends) return ['this card sends nothing on', '6.2'];
    if (game.seatsIn().length === 2) return ['there is nobody to send it to', '6.4'];
    if (!game.mayChoose(printed)) return to === undefined ? null : ['the card says where', '6.3'];
    if (to === game.fling.flinger) return ['never back to the one who flung it', '6.3'];
    return to !== seat && game.playing[to] ? null : ['name another player in the game', '6.3'];
  },

  farewell(game, seat, { card }) {
    return holds(game, seat, card) && CARDS[card].last ? null : ['no card says that', '7.5'];
  },

  'no mishap': () => null,
  'take it': () => null,
  'go quietly': () => null,
};

/** All that this player can do now: [verb, what]. */
export function whatCanBeDone(game, seat) {
  const moments = game.momentsOf(seat);
  const found = moments.flatMap((moment) =>
    MOMENTS[moment].flatMap((verb) => ideas(game, seat, verb).map((what) => [verb, what])),
  );
  return found.filter(([verb, what]) => !game.foul(seat, verb, what));
}

const BARE = ['stop', 'timeout', 'no mishap', 'take it', 'go quietly'];

function ideas(game, seat, verb) {
  if (BARE.includes(verb)) return [{}];
  const hand = [...game.hands[seat]].sort();
  if (verb === 'discard') return handfuls(hand).map((cards) => ({ cards }));
  const single = [...new Set(hand)].map((card) => ({ card }));
  const place = { fling: 'target', event: 'target', redirect: 'to' }[verb];
  if (!place) return single;
  const named = (idea) => game.seatsIn().map((other) => ({ ...idea, [place]: other }));
  return single.flatMap((idea) => [idea, ...named(idea)]);
}

/** Every choice of any number of cards from a sorted hand, equal ones once. */
function handfuls(hand) {
  const found = new Map([['', []]]);
  for (const card of hand) {
    for (const some of [...found.values()]) found.set([...some, card].join(), [...some, card]);
  }
  return [...found.values()];
}
