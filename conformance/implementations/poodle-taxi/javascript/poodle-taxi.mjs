// Poodle Taxi: poodles queue in one row, and every new one may send others to your flea pile.
//
// A table is a frozen object; play() returns the next one. Seats count from 0, clockwise.
// What a game shows on the screen is seenFrom(); what can be clicked is choices().

/**
 * @typedef {'left' | 'right'} Side
 *
 * @typedef {object} Choice a card and where it goes
 * @property {Card} card
 * @property {number} spot one of SPOT
 * @property {Side} [end] of the row, only with SPOT.END
 *
 * @typedef {object} Objection
 * @property {string} text for the player
 * @property {string} [rule] the number of the rule that forbids it
 *
 * @typedef {object} Table
 * @property {string[]} names of the players, by seat
 * @property {Card[]} stock not drawn yet; which card comes next is settled when it is drawn
 * @property {Card[][]} hands by seat
 * @property {Card[][]} row stacks from left to right, the top card of each first
 * @property {Card[][]} fleas by seat
 * @property {number | null} turn the seat that has to play; null when the game is over
 * @property {boolean} openFleas whether everybody may count everybody's fleas
 * @property {Objection | null} wrong why the play just tried did not happen
 *
 * @callback Draw picks the card that goes from the stock to the hand of a seat
 * @param {readonly Card[]} stock
 * @param {number} seat
 * @returns {Card}
 */

const HAND_SIZE = 3;

// The rulebook names four of its six colours.
const COLOURS = ['green', 'pink', 'red', 'blue', 'colour-5', 'colour-6'];

class Card {
  constructor(colour, arrow) {
    this.colour = colour;
    this.arrow = arrow;
  }

  toString() {
    return `${this.colour}-${this.arrow}`;
  }

  /** A card is saved by its name. */
  toJSON() {
    return String(this);
  }
}

/** The twelve different cards. Copies are one object, for nothing tells them apart. */
export const CARDS = deepFreeze(
  COLOURS.flatMap((colour) => [new Card(colour, 'left'), new Card(colour, 'right')]),
);

/** Where a card can go: on the empty table, at an end of the row, on top of its colour. */
export const SPOT = deepFreeze({ FIRST: 0, END: 1, TOP: 2 });

const OBJECTIONS = deepFreeze({
  gameOver: { text: 'The game is over.' },
  noSuchSpot: { text: 'There is no such spot for a card.' },
  notInHand: { text: 'That card is not in your hand.', rule: '4.1' },
  emptyRow: { text: 'The first card starts the row, and there is no end to choose.', rule: '4.3' },
  startedRow: { text: 'The row has been started already.', rule: '4.3' },
  newColour: { text: 'A new colour goes to the left or the right end of the row.', rule: '4.4' },
  sameColour: { text: 'The card goes on top of its colour and nowhere else.', rule: '4.6' },
});

/** @returns {Card | undefined} */
export function cardNamed(name) {
  return CARDS.find((card) => String(card) === name);
}

/**
 * Deal a new game.
 *
 * @param {string[]} names of the players, clockwise
 * @param {Draw} [draw]
 * @param {(names: readonly string[]) => string} [chooseStarter]
 * @param {boolean} [openFleas]
 * @returns {Table}
 */
export function deal(names, draw = anyOf, chooseStarter = anyOf, openFleas = true) {
  if (names.length < 2 || names.length > 4) throw new RangeError('Two to four can play.');
  let stock = CARDS.flatMap((card) => names.map(() => card)); // as many copies as players
  const hands = names.map((_, seat) => {
    const dealt = refill([], stock, seat, draw);
    stock = dealt.stock;
    return dealt.hand;
  });
  const fleas = names.map(() => []);
  const turn = names.indexOf(chooseStarter(names));
  return deepFreeze({
    names: [...names],
    stock,
    hands,
    row: [],
    fleas,
    turn,
    openFleas,
    wrong: null,
  });
}

/**
 * All that the player whose turn it is can do, each thing once even if the hand holds a card twice.
 *
 * @param {Table} table
 * @returns {(Choice & { who: string })[]}
 */
export function choices({ names, hands, row, turn }) {
  if (turn === null) return [];
  const different = [...new Set(hands[turn])];
  return different.flatMap((card) =>
    spotsFor(card, row).map((place) => ({ who: names[turn], card, ...place })),
  );
}

/**
 * Play one whole turn: put the card down, take what its arrow says, draw.
 *
 * If the rules forbid the choice, all stays as it is, and `wrong` says why.
 *
 * @param {Table} table
 * @param {Choice} choice
 * @param {Draw} [draw]
 * @returns {Table}
 */
export function play(table, choice, draw = anyOf) {
  const wrong = objectionTo(choice, table);
  if (wrong) return deepFreeze({ ...table, wrong });

  const { card } = choice;
  const { turn } = table;
  const { row, taken } = followArrow(card, put(choice, table.row));
  const { hand, stock } = refill(without(table.hands[turn], card), table.stock, turn, draw);
  const hands = replaced(table.hands, turn, hand);
  const fleas = replaced(table.fleas, turn, [...table.fleas[turn], ...taken]);
  return deepFreeze({ ...table, stock, hands, row, fleas, turn: nextTurn(hands, turn), wrong });
}

/**
 * How the game ended. Cards left in the row count for nobody.
 *
 * @param {Table} table
 * @returns {{ winners: string[], points: Record<string, number> } | null} null while it goes on
 */
export function result({ names, fleas, turn }) {
  if (turn !== null) return null;
  const points = fleas.map((pile) => 0 - pile.length); // a plain minus would make a -0
  const best = Math.max(...points);
  return {
    winners: names.filter((_, seat) => points[seat] === best),
    points: Object.fromEntries(names.map((name, seat) => [name, points[seat]])),
  };
}

/**
 * The table as one player sees it. Cards that lie face down are replaced by their number, or by
 * null where the player cannot count them. Nobody looks through fleas, not even their owner.
 *
 * @param {Table} table
 * @param {number} viewer a seat
 */
export function seenFrom(table, viewer) {
  const { stock, hands, fleas, openFleas } = table;
  return deepFreeze({
    ...table,
    stock: stock.length,
    hands: hands.map((hand, seat) => (seat === viewer ? hand : hand.length)),
    fleas: fleas.map((pile, seat) => (openFleas || seat === viewer ? pile.length : null)),
  });
}

// What is allowed

/** The arrow has no say in this: a card may go where it costs the whole row. */
function spotsFor(card, row) {
  if (!row.length) return [{ spot: SPOT.FIRST }];
  if (stackOf(card, row) >= 0) return [{ spot: SPOT.TOP }];
  return ['left', 'right'].map((end) => ({ spot: SPOT.END, end }));
}

/** @returns {Objection | null} */
function objectionTo({ card, spot, end }, { hands, row, turn }) {
  if (turn === null) return OBJECTIONS.gameOver;
  if (!Object.values(SPOT).includes(spot)) return OBJECTIONS.noSuchSpot;
  if (!hands[turn].includes(card)) return OBJECTIONS.notInHand;
  const fits = (place) => place.spot === spot && place.end === end;
  if (spotsFor(card, row).some(fits)) return null;
  if (!row.length) return OBJECTIONS.emptyRow;
  if (spot === SPOT.FIRST) return OBJECTIONS.startedRow;
  return stackOf(card, row) >= 0 ? OBJECTIONS.sameColour : OBJECTIONS.newColour;
}

// The steps of a turn

function put({ card, spot, end }, row) {
  if (spot === SPOT.TOP) {
    const at = stackOf(card, row);
    return replaced(row, at, [card, ...row[at]]);
  }
  return end === 'left' ? [[card], ...row] : [...row, [card]];
}

/** The stack of the card just put down stays, with all that lies under it and behind it. */
function followArrow(card, row) {
  const at = stackOf(card, row);
  return card.arrow === 'left'
    ? { taken: row.slice(0, at).flat(), row: row.slice(at) }
    : { taken: row.slice(at + 1).flat(), row: row.slice(0, at + 1) };
}

/** Draw until the hand is full, or the stock is used up. */
function refill(hand, stock, seat, draw) {
  if (hand.length >= HAND_SIZE || !stock.length) return { hand, stock };
  const card = draw(stock, seat);
  return refill([...hand, card], without(stock, card), seat, draw);
}

/** The next seat clockwise that holds a card. If none does, the stock is used up as well. */
function nextTurn(hands, seat) {
  const clockwise = hands.map((_, step) => (seat + 1 + step) % hands.length);
  return clockwise.find((next) => hands[next].length) ?? null;
}

// Helpers

function stackOf({ colour }, row) {
  return row.findIndex(([top]) => top.colour === colour);
}

function without(cards, card) {
  const at = cards.indexOf(card);
  if (at < 0) throw new Error(`${card} is not among ${cards}`);
  return cards.filter((_, index) => index !== at);
}

function replaced(list, at, item) {
  return list.map((old, index) => (index === at ? item : old));
}

function anyOf(items) {
  return items[Math.floor(Math.random() * items.length)];
}

function deepFreeze(value) {
  if (typeof value !== 'object' || value === null || Object.isFrozen(value)) return value;
  Object.values(value).forEach(deepFreeze);
  return Object.freeze(value);
}
