// Poo: The Card Game, for a game server. Seats are numbered from 0, clockwise; left is clockwise.

import { CARDS, fullDeck } from './cards.mjs';
import { Foul, findFoul, whatCanBeDone } from './referee.mjs';

export { Foul };

const HAND = 5;
const LIMIT = 15;
const AFTER_BANANA = 8;

/** What a table can agree on. The first of each is the usual way. */
export const HOUSE_RULES = {
  zero_discard: ['allowed', 'at_least_one'],
  draw_rule: ['up_to_five', 'one'],
  reaction_order: ['mishap_first', 'any_order'],
  slip_targets: ['spared', 'hit'],
  redirect_target: ['by_card', 'defender'],
  redirected_defence: ['allowed', 'none'],
  banana_order: ['clockwise', 'highest_total'],
  all_out: ['draw', 'shared'],
  reshuffle_clean: ['discard_pile', 'all_clean'],
  timer: ['off', 'on'],
};

const asUsual = Object.entries(HOUSE_RULES).map(([name, [first]]) => [name, first]);

/** Take a card from the shuffled deck, which is not kept in any order. */
const drawAny = (deck) => deck.splice(Math.floor(Math.random() * deck.length), 1)[0];
const anySeat = (seats) => seats[Math.floor(Math.random() * seats.length)];

export class Poo {
  /**
   * draw(deck, seat) removes the card that comes up from the array `deck` and returns it;
   * pickStarter(seats) says who begins.
   */
  constructor(size, rules = {}, draw = drawAny, pickStarter = anySeat) {
    const all = (value) => Array.from({ length: size }, () => value);
    this.rules = { ...Object.fromEntries(asUsual), ...rules };
    this.draw = draw;
    this.deck = fullDeck();
    this.pile = [];
    this.gone = []; // Clean cards that are out of the game
    this.air = null; // the card of the turn that is being carried out
    this.hands = all(0).map(() => []);
    this.poo = all(0);
    this.playing = all(true);
    this.skips = all(0);
    this.bananas = size < 5 ? 1 : 2;
    this.fling = null; // { card, flinger, undecided, mishap, shares, hits, forFlinger }
    this.leaving = []; // knocked out, not yet gone
    this.lastOut = []; // whom the last card that knocked anybody out did
    this.winners = null;
    for (const seat of this.seatsIn()) this.fill(seat);
    this.turn = pickStarter(this.seatsIn());
    this.startTurn();
  }

  // -- what can be seen ---------------------------------------------------------------------------

  seatsIn() {
    return [...this.playing.keys()].filter((seat) => this.playing[seat]);
  }

  /** Who has to decide something now. */
  waitingFor() {
    return [...this.playing.keys()].filter((seat) => this.momentsOf(seat).length);
  }

  /** What a player is asked for now. Never looks at a hand: that would tell others about it. */
  momentsOf(seat) {
    if (this.winners) return [];
    if (this.leaving.length) return this.leaving[0] === seat ? ['knockout'] : [];
    if (!this.fling) return this.turn === seat ? ['turn'] : [];
    const moments = this.fling.undecided.includes(seat) ? ['mishap'] : [];
    return this.defenders().includes(seat) ? [...moments, 'defence'] : moments;
  }

  /** Whose answer to a fling is awaited: one after the other, or whoever is first. */
  defenders() {
    const { undecided, shares } = this.fling;
    if (this.rules.reaction_order === 'any_order') return shares;
    return undecided.length ? [] : shares.slice(0, 1);
  }

  /** All that can be done now: [seat, verb, what]. */
  choices() {
    return this.waitingFor().flatMap((seat) =>
      whatCanBeDone(this, seat).map(([verb, what]) => [seat, verb, what]),
    );
  }

  /** The table as a player sees it, or with everything face up. */
  table(viewer) {
    const open = viewer === undefined;
    const show = (cards, seen) => (seen ? [...cards].sort() : { count: cards.length });
    return {
      deck: show(this.deck, open),
      hands: this.hands.map((hand, seat) => show(hand, open || seat === viewer)),
      pile: show(this.pile, true),
      gone: show(this.gone, true),
      air: this.air,
      poo: [...this.poo],
      playing: [...this.playing],
      skips: [...this.skips],
      bananas: this.bananas,
    };
  }

  // -- what players do ----------------------------------------------------------------------------

  /** What would be wrong with it: a Foul, or null. */
  foul(seat, verb, what) {
    return findFoul(this, seat, verb, what);
  }

  /** Do it, or throw a Foul. what: { card, cards, target, to }, as far as the verb needs them. */
  act(seat, verb, what = {}) {
    const foul = this.foul(seat, verb, what);
    if (foul) throw foul;
    const { card, cards } = what;
    const printed = CARDS[card];
    switch (verb) {
      case 'fling':
        this.playInTurn(card);
        return this.startFling(printed, what.target);
      case 'clean':
        this.playInTurn(card);
        return this.wash(printed);
      case 'event':
        this.playInTurn(card);
        return this.happen(printed, what.target);
      case 'discard':
        for (const one of cards) this.toPile(seat, one);
        this.fill(seat);
        return this.endTurn();
      case 'stop':
      case 'timeout':
        return this.endTurn();
      case 'mishap':
        this.answerWith(seat, card);
        return this.suffer(printed);
      case 'no mishap':
        this.fling.undecided = this.fling.undecided.filter((one) => one !== seat);
        return this.checkFling();
      case 'block':
        this.answerWith(seat, card);
        this.takeShare(seat);
        return this.checkFling();
      case 'redirect':
        this.answerWith(seat, card);
        return this.sendOn(seat, printed, what.to);
      case 'take it':
        this.fling.hits.push(this.takeShare(seat));
        return this.checkFling();
      case 'farewell':
        return this.leave(seat, printed.poo);
      case 'go quietly':
        return this.leave(seat, 0);
    }
  }

  // -- turns --------------------------------------------------------------------------------------

  startTurn() {
    this.cardsPlayed = 0;
    this.cardsAllowed = 1;
  }

  endTurn() {
    this.cardsAllowed = 0;
    this.goOn();
  }

  /** The next decision: of somebody who leaves, of the same player, or of the next one. */
  goOn() {
    if (this.leaving.length) return;
    const left = this.seatsIn();
    if (left.length < 2) {
      this.winners = left.length || this.rules.all_out === 'draw' ? left : this.lastOut;
    } else if (!this.playing[this.turn] || this.cardsPlayed >= this.cardsAllowed) {
      this.turn = this.next(this.turn);
      while (this.skips[this.turn]) {
        this.skips[this.turn] -= 1;
        this.turn = this.next(this.turn);
      }
      this.startTurn();
    }
  }

  /** Whoever is in the game and sits next in a direction: 1 is left, -1 is right. */
  next(seat, direction = 1, except = null) {
    const size = this.playing.length;
    do seat = (seat + direction + size) % size;
    while (!this.playing[seat] || seat === except);
    return seat;
  }

  /** All seats clockwise from the player whose turn it is, who comes last. */
  roundTheTable() {
    const size = this.playing.length;
    return [...this.playing.keys()].map((step) => (this.turn + 1 + step) % size);
  }

  neighbours() {
    return [this.next(this.turn), this.next(this.turn, -1)];
  }

  // -- cards --------------------------------------------------------------------------------------

  takeFrom(seat, card) {
    this.hands[seat].splice(this.hands[seat].indexOf(card), 1);
  }

  toPile(seat, card) {
    this.takeFrom(seat, card);
    this.pile.push(card);
  }

  playInTurn(card) {
    this.takeFrom(this.turn, card);
    this.air = card;
    this.cardsPlayed += 1;
    this.cardsAllowed += CARDS[card].more;
    this.replace(this.turn);
  }

  /** A card that answers is in use while its player draws: a reshuffle then does not find it. */
  answerWith(seat, card) {
    this.takeFrom(seat, card);
    this.replace(seat);
    this.pile.push(card);
  }

  /** Draw after playing a card. */
  replace(seat) {
    if (this.rules.draw_rule === 'one') this.drawOne(seat);
    else this.fill(seat);
  }

  fill(seat) {
    while (this.hands[seat].length < HAND && this.drawOne(seat));
  }

  drawOne(seat) {
    if (!this.deck.length) this.reshuffle();
    if (!this.deck.length) return false;
    this.hands[seat].push(this.draw(this.deck, seat));
    return true;
  }

  reshuffle() {
    const isClean = (card) => CARDS[card].label === 'clean';
    const sort = (cards) => {
      this.gone.push(...cards.filter(isClean));
      return cards.filter((card) => !isClean(card));
    };
    this.deck = sort(this.pile);
    this.pile = [];
    if (this.rules.reshuffle_clean === 'all_clean') this.hands = this.hands.map(sort);
  }

  // -- flings -------------------------------------------------------------------------------------

  startFling(printed, target) {
    const flinger = this.turn;
    const others = this.roundTheTable().filter((seat) => this.playing[seat] && seat !== flinger);
    const targets = {
      one: [target],
      neighbours: [...new Set(this.neighbours())],
      everyone: others,
    }[printed.aim];
    this.fling = {
      card: printed,
      flinger,
      undecided: printed.unstoppable ? [] : [...others],
      mishap: null,
      shares: printed.unstoppable ? [] : targets, // not yet answered, in the order of asking
      hits: printed.unstoppable ? targets : [],
      forFlinger: printed.price,
    };
    this.checkFling();
  }

  suffer(mishap) {
    const { fling } = this;
    fling.mishap = mishap.id;
    fling.undecided = [];
    const turned = mishap.trouble === 'turn back';
    if (turned) fling.forFlinger += fling.card.poo;
    if (mishap.trouble === 'soil') fling.forFlinger += mishap.poo;
    if (mishap.trouble === 'miss') this.skips[fling.flinger] += 1;
    if (turned ? this.rules.slip_targets === 'spared' : mishap.callsOff) {
      fling.shares = [];
      fling.hits = [];
    }
    this.checkFling();
  }

  /** A share of this player is dealt with; all shares of a fling are alike. */
  takeShare(seat) {
    const { shares } = this.fling;
    return shares.splice(shares.indexOf(seat), 1)[0];
  }

  /** Whether the defender says where the Poo goes. */
  mayChoose(printed) {
    return printed.sends === 'anywhere' || this.rules.redirect_target === 'defender';
  }

  sendOn(seat, printed, chosen) {
    const { fling } = this;
    this.takeShare(seat);
    const to = this.mayChoose(printed)
      ? chosen
      : this.next(seat, printed.sends === 'left' ? 1 : -1, fling.flinger);
    (this.rules.redirected_defence === 'none' ? fling.hits : fling.shares).push(to);
    this.checkFling();
  }

  checkFling() {
    const { card, flinger, undecided, shares, hits, forFlinger } = this.fling;
    if (undecided.length || shares.length) return;
    const given = this.nothing();
    for (const seat of hits) given[seat] += card.poo;
    given[flinger] += forFlinger;
    this.fling = null;
    this.finishCard(given);
  }

  // -- other cards --------------------------------------------------------------------------------

  wash(printed) {
    this.rinse(this.turn, printed.poo);
    const given = this.nothing();
    given[this.turn] += printed.price;
    for (const seat of this.neighbours()) given[seat] += printed.shares;
    this.finishCard(given);
  }

  rinse(seat, points) {
    this.poo[seat] = Math.max(0, this.poo[seat] - points);
  }

  happen(printed, target) {
    const { hands, turn } = this;
    const given = this.nothing();
    given[turn] += printed.price;
    if (printed.does === 'swap') {
      [hands[turn], hands[target]] = [hands[target], hands[turn]];
    } else if (printed.does === 'redeal') {
      this.redeal();
    } else if (printed.does === 'rinse') {
      for (const seat of this.seatsIn()) this.rinse(seat, printed.poo);
    } else if (printed.does === 'storm') {
      for (const seat of this.seatsIn()) if (seat !== turn) given[seat] += printed.poo;
    }
    this.finishCard(given);
  }

  redeal() {
    for (const seat of this.seatsIn()) this.pile.push(...this.hands[seat].splice(0));
    const others = this.roundTheTable().slice(0, -1);
    for (const seat of [this.turn, ...others]) if (this.playing[seat]) this.fill(seat);
  }

  // -- getting hit --------------------------------------------------------------------------------

  nothing() {
    return this.playing.map(() => 0);
  }

  finishCard(given) {
    this.pile.push(this.air);
    this.air = null;
    this.hit(given);
    this.goOn();
  }

  /** Add all that one card gives, at once; then see who is out. */
  hit(given) {
    given.forEach((points, seat) => (this.poo[seat] += points));
    const full = this.roundTheTable().filter((one) => this.playing[one] && this.poo[one] >= LIMIT);
    const byPoo = (a, b) => this.poo[b] - this.poo[a]; // sorting keeps the order of equals
    const queue = this.rules.banana_order === 'highest_total' ? [...full].sort(byPoo) : full;
    const saved = queue.slice(0, this.bananas);
    this.bananas -= saved.length;
    for (const seat of saved) this.poo[seat] = AFTER_BANANA;
    const out = full.filter((seat) => !saved.includes(seat));
    for (const seat of out) {
      this.playing[seat] = false;
      this.skips[seat] = 0;
    }
    this.leaving.push(...out);
    if (out.length) this.lastOut = out;
  }

  /** Somebody who was knocked out goes, perhaps with a bang. */
  leave(seat, points) {
    this.leaving.shift();
    this.pile.push(...this.hands[seat].splice(0));
    this.hit(this.playing.map((left) => (left ? points : 0)));
    this.goOn();
  }
}
