// Taxifolie: the course of the game. Who may do what, and what follows from it. Numbers in
// comments are those of the rules. Chance comes from outside (see Luck in deck.mjs), so that the
// same moves and the same luck make the same game. Who uses a game needs the first methods only,
// up to `play`, and `state` and `view`; the rest is for the game itself.

import { reachable, waysOn } from './board.mjs';
import { Table } from './table.mjs';
import { Trip } from './trip.mjs';

/**
 * @typedef {import('./deck.mjs').Luck} Luck
 * @typedef {import('./table.mjs').Driver} Driver
 * @typedef {{avoided_icon: 'unpaid'|'illegal',
 *   wish_open_at_destination: 'pass_through'|'stop_unpaid',
 *   forced_stop_on_chance: 'draw'|'no_draw', go_to: 'relocation'|'detour',
 *   end_at_250: 'round'|'at_once'}} Rulings
 * @typedef {{actor: string, move: 'throw'|'roll'|'drive', args: {to?: string}}} Move
 */

/** Every ruling with its readings, the default first. */
export const RULINGS = {
  avoided_icon: ['unpaid', 'illegal'],
  wish_open_at_destination: ['pass_through', 'stop_unpaid'],
  forced_stop_on_chance: ['draw', 'no_draw'],
  go_to: ['relocation', 'detour'],
  end_at_250: ['round', 'at_once'],
};

export const PLAYERS = [2, 3, 4, 5, 6];

const EXACT_BONUS = 20;

/** A move that the rules forbid; `rule` is a rule that it breaks. Nothing has changed. */
export class RuleBreak extends Error {
  constructor(reason, rule = null) {
    super(reason);
    this.rule = rule;
  }
}

export class Taxifolie {
  /** What has to be done now. @type {'throw'|'roll'|'drive'|'over'} */
  phase = 'throw';

  /** Who rolls for the first turn, and what they have rolled so far (2.5, 2.6). */
  contenders;
  thrown = new Map();

  first = 0; // seat of the one who went first
  turn = 0; // seat of the one whose turn it is
  spaces = 0; // still to drive in this roll
  again = false; // roll once more after this roll
  winner = null;

  /**
   * @param {string[]} ids the players, clockwise
   * @param {string} components id of the component set
   * @param {Rulings} rulings
   * @param {Luck} luck
   */
  constructor(ids, components, rulings, luck) {
    this.table = new Table(ids, components);
    this.rulings = rulings;
    this.luck = luck;
    this.contenders = [...this.table.drivers];
  }

  /** @returns {string[]} who may act now */
  actors() {
    if (this.phase === 'over') return [];
    if (this.phase !== 'throw') return [this.driver.id];
    return this.contenders.filter((one) => !this.thrown.has(one)).map(({ id }) => id);
  }

  /** @returns {Move[]} */
  legal() {
    const moves = this.phase === 'drive' ? this.ways().map((to) => ({ to })) : [{}];
    return this.actors().flatMap((actor) =>
      moves.map((args) => ({ actor, move: this.phase, args })),
    );
  }

  /** @returns {string[]|null} the winners, or null while the game goes on */
  winners() {
    return this.winner && [this.winner.id];
  }

  /**
   * Make a move, and all that follows without a decision.
   * @param {string} actor
   * @param {string} move
   * @param {{to?: string}} args
   * @throws {RuleBreak} before anything has changed
   */
  play(actor, move, args) {
    if (!this.actors().includes(actor)) throw new RuleBreak(`${actor} is not to move`);
    this.checkPhase(move);
    if (move === 'throw') this.throwDice(this.table.drivers.find(({ id }) => id === actor));
    else if (move === 'roll') this.roll();
    else {
      this.checkWay(args.to);
      this.drive(args.to);
    }
  }

  get driver() {
    return this.table.drivers[this.turn];
  }

  get over() {
    return this.phase === 'over';
  }

  // ---- What is allowed ---------------------------------------------------------------------------

  checkPhase(move) {
    if (!['throw', 'roll', 'drive'].includes(move)) throw new RuleBreak(`there is no move ${move}`);
    if (move === this.phase) return;
    if (this.phase === 'throw') throw new RuleBreak('it is not known yet who goes first', '2.5');
    if (move === 'throw') throw new RuleBreak('it is known who goes first', '2.6');
    if (move === 'roll') throw new RuleBreak('there are spaces left to drive', '4.8');
    throw new RuleBreak('the dice have not been rolled', '4.1');
  }

  checkWay(to) {
    const { at, came } = this.driver;
    const { spaces } = this.table.set;
    if (!spaces.has(to)) throw new RuleBreak(`there is no space ${to}`);
    if (!spaces.get(at).next.includes(to)) throw new RuleBreak(`${to} is not next to ${at}`, '4.2');
    if (!waysOn(spaces, at, came).includes(to)) throw new RuleBreak(`${to} is the way back`, '4.3');
    if (!this.ways().includes(to)) throw new RuleBreak(`${to} is to be avoided`, '5.4');
  }

  /** Where the next step may go. */
  ways() {
    const { at, came } = this.driver;
    const ways = waysOn(this.table.set.spaces, at, came);
    return this.rulings.avoided_icon === 'illegal' ? this.withoutBarred(ways) : ways;
  }

  /** The ruling avoided_icon = illegal: bars steps as long as the fare can be paid without them. */
  withoutBarred(ways) {
    const { at, trip } = this.driver;
    const { spaces } = this.table.set;
    if (trip.broken) return ways;
    const clean = (space) => !trip.breaks(space);
    const open = ways.filter((id) => clean(spaces.get(id)));
    const payable = open.length > 0 && trip.canBePaidWithin(reachable(spaces, at, clean));
    return payable ? open : ways;
  }

  // ---- Whose turn it is --------------------------------------------------------------------------

  /** Roll for the first turn (2.5, 2.6). @param {Driver} driver */
  throwDice(driver) {
    const [one, two] = this.luck.roll();
    this.thrown.set(driver, one + two);
    if (this.thrown.size < this.contenders.length) return;
    const best = Math.max(...this.thrown.values());
    this.contenders = this.contenders.filter((one) => this.thrown.get(one) === best);
    this.thrown.clear();
    if (this.contenders.length > 1) return;
    this.first = this.turn = this.table.drivers.indexOf(this.contenders[0]);
    this.beginTurn();
  }

  beginTurn() {
    if (!this.driver.trip) this.table.drawTrip(this.driver, this.luck);
    this.phase = 'roll';
  }

  /** The next one clockwise who does not miss this turn (2.7, 7.11); or the end (8.2). */
  endTurn() {
    const seats = this.table.drivers.length;
    for (;;) {
      this.turn = (this.turn + 1) % seats;
      if (this.turn === this.first && this.table.reached.length) return this.decide();
      if (!this.driver.misses) return this.beginTurn();
      this.driver.misses -= 1;
    }
  }

  /** Most fares among those who have reached the goal; if equal, the first of them (8.3, 8.4). */
  decide() {
    const { reached } = this.table;
    const most = Math.max(...reached.map(({ completed }) => completed));
    this.win(reached.find(({ completed }) => completed === most));
  }

  win(driver) {
    this.winner = driver;
    this.phase = 'over';
  }

  // ---- Driving -----------------------------------------------------------------------------------

  roll() {
    const [one, two] = this.luck.roll();
    this.spaces = one + two;
    this.again = one === two;
    this.phase = 'drive';
  }

  drive(to) {
    const driver = this.driver;
    driver.came = driver.at;
    driver.at = to;
    this.spaces -= 1;
    const space = this.table.spaceOf(driver);
    this.table.discard(driver.trip.driveOnto(space));
    if (this.arrives()) this.arrive();
    else if (this.spaces) return;
    else this.stop();
    this.endRoll();
  }

  /** The roll is used up on a space where the fare does not end. */
  stop() {
    const space = this.table.spaceOf(this.driver);
    this.driver.trip.stopOn(space);
    if (space.icons.includes('chance')) this.table.turnUpChance(this.luck); // 7.1
    this.carryOut();
  }

  endRoll() {
    if (this.over) return;
    this.spaces = 0;
    if (this.again) this.phase = 'roll';
    else this.endTurn();
  }

  // ---- Arriving ----------------------------------------------------------------------------------

  arrives() {
    const stopUnpaid = this.rulings.wish_open_at_destination === 'stop_unpaid';
    return this.driver.trip.arrivesAt(this.table.spaceOf(this.driver), stopUnpaid);
  }

  /** Arriving at the end of a drive: chapter 6, with a chance card for the next fare (7.2, 7.4). */
  arrive() {
    const exact = this.spaces === 0;
    const space = this.table.spaceOf(this.driver);
    this.driver.trip.stopOn(space);
    this.settle(exact ? EXACT_BONUS : 0);
    this.table.clearTrip(this.driver);
    if (this.over) return;
    const comesToRest = exact || this.rulings.forced_stop_on_chance === 'draw';
    if (space.icons.includes('chance') && comesToRest) this.table.turnUpChance(this.luck);
    this.table.drawTrip(this.driver, this.luck);
    this.carryOut();
  }

  /** Pay for the fare that has ended, if it is to be paid (6.2, 6.3, 6.5). */
  settle(bonus) {
    const { trip } = this.driver;
    if (trip.broken || trip.hasOpenWish) return;
    const { euros } = trip.fare;
    this.table.keepFare(this.driver);
    this.receive(euros + bonus);
  }

  receive(euros) {
    this.table.receive(this.driver, euros);
    const atOnce = this.rulings.end_at_250 === 'at_once';
    if (atOnce && this.table.reached.length) this.win(this.table.reached[0]);
  }

  // ---- Chance ------------------------------------------------------------------------------------

  /** Follow the instruction of the card that was turned up, if there is one (7.3). */
  carryOut() {
    if (!this.table.drawn) return;
    const card = this.table.set.chances.get(this.table.drawn);
    const detour = card.order === 'go-to' && this.rulings.go_to === 'detour';
    if (card.order === 'visit' || detour) this.visit(card);
    else if (card.order === 'avoid') {
      this.table.layDown(this.driver, { kind: 'avoid', icon: card.icon });
    } else {
      this.table.discardDrawn();
      this.obey(card);
    }
  }

  /** What has to be come to before the fare ends lies there, unless it is done already (7.9). */
  visit({ order, icon, place }) {
    if (Trip.fulfils({ icon, place }, this.table.spaceOf(this.driver))) this.table.discardDrawn();
    else {
      const sent = order === 'go-to';
      this.table.layDown(this.driver, { kind: 'visit', icon, place, sent });
    }
  }

  /** Instructions that are carried out in one go (7.6, 7.10 to 7.12). */
  obey({ order, euros, turns, place }) {
    const driver = this.driver;
    const { drivers } = this.table;
    if (order === 'pay') this.table.pay(driver, euros);
    else if (order === 'receive') this.receive(euros);
    else if (order === 'collect') {
      const others = drivers.filter((one) => one !== driver);
      this.receive(others.reduce((sum, one) => sum + this.table.pay(one, euros), 0));
    } else if (order === 'miss') driver.misses += turns;
    else if (order === 'again') this.again = true;
    else if (order === 'end-turn') this.again = false;
    else if (order === 'go-to') this.goTo(place);
    else if (order === 'lose-client') {
      this.table.clearTrip(driver);
      this.table.drawTrip(driver, this.luck);
    } else throw new Error(`unknown order ${order}`);
  }

  /** The taxi is put on a place (7.6 to 7.8). */
  goTo(place) {
    const { table } = this;
    const driver = this.driver;
    driver.at = place;
    driver.came = null; // 4.7
    const space = table.spaceOf(driver);
    table.discard(driver.trip.comeTo(space));
    driver.trip.stopOn(space);
    if (!this.arrives()) return;
    this.settle(0);
    table.clearTrip(driver);
    if (!this.over) table.drawTrip(driver, this.luck);
  }

  // ---- What can be seen --------------------------------------------------------------------------

  /** The whole table; decks and kept cards without order. */
  state() {
    const { clients, fares, chances, drawn } = this.table;
    const decks = { clients, fares, chances };
    const contents = Object.entries(decks).map(([name, deck]) => [name, deck.contents.sort()]);
    return { ...this.open(), ...Object.fromEntries(contents), drawn };
  }

  /** What any player sees: all but what the decks hold (3.3, 3.4). */
  view() {
    const { clients, fares, chances, drawn } = this.table;
    const decks = { clients, fares, chances };
    const counts = Object.entries(decks).map(([name, deck]) => [name, { count: deck.size }]);
    return { ...this.open(), ...Object.fromEntries(counts), drawn };
  }

  /** What lies open before the players; orders with the newest on top. */
  open() {
    const each = (read) => Object.fromEntries(this.table.drivers.map((one) => [one.id, read(one)]));
    return {
      at: each(({ at }) => at),
      came: each(({ came }) => came),
      money: each(({ money }) => money),
      client: each(({ trip }) => trip?.client.id ?? null),
      fare: each(({ trip }) => trip?.fare?.id ?? null),
      done: each(({ done }) => [...done].sort()),
      completed: each(({ completed }) => completed),
      orders: each(({ trip }) => (trip?.orders ?? []).map(({ card }) => card).reverse()),
      misses: each(({ misses }) => misses),
    };
  }
}
