// The cards of the deck: what is printed on each of them, and how many copies there are.
//
// label: what kind of card it is
// poo: the number on it (hits, cleans or soils, as the label says)
// aim: whom a fling is for: 'one', 'neighbours' or 'everyone'
// unstoppable: nothing can be done about it
// more: further cards that it lets its player play; price: Poo for its own player
// sends: where a Defense card sends the Poo: 'left', 'right' or 'anywhere'
// trouble: what a Mishap does: 'turn back', 'soil' or 'miss'; callsOff: the fling is off
// shares: Poo that a Clean card hands to each neighbour
// does: what an Event does: 'swap', 'redeal', 'rinse' or 'storm'
// last: played only by somebody who has just been knocked out

const BLANK = {
  poo: 0,
  aim: null,
  unstoppable: false,
  more: 0,
  price: 0,
  sends: null,
  trouble: null,
  callsOff: false,
  shares: 0,
  does: null,
  last: false,
};

const deck = {};

function add(label, rows) {
  for (const [id, copies, printed] of rows) {
    deck[id] = Object.freeze({ ...BLANK, id, label, copies, ...printed });
  }
}

add('poo', [
  ['pellet-poo', 7, { poo: 1, aim: 'one' }],
  ['chim-chim-poo', 6, { poo: 2, aim: 'one' }],
  ['bonzo-poo', 6, { poo: 3, aim: 'one' }],
  ['baboon-poo', 6, { poo: 4, aim: 'one' }],
  ['king-kong-poo', 5, { poo: 5, aim: 'one' }],
  ['mandrill-poo', 3, { poo: 6, aim: 'one' }],
  ['gorilla-poo', 2, { poo: 7, aim: 'one' }],
]);
add('special poo', [
  ['devil-poo', 3, { poo: 3, aim: 'everyone' }],
  ['snake', 3, { poo: 3, aim: 'neighbours' }],
  ['double-handful', 3, { poo: 1, aim: 'one', more: 1 }],
  ['bare-hands', 3, { poo: 4, aim: 'one', unstoppable: true, price: 2 }],
]);
add('defense', [
  ['block', 10, {}],
  ['dodge', 6, { sends: 'left' }],
  ['duck', 3, { sends: 'right' }],
  ['buddys-face', 5, { sends: 'anywhere' }],
]);
add('mishap', [
  ['slip', 3, { trouble: 'turn back', callsOff: true }],
  ['just-a-fart', 3, { callsOff: true }],
  ['montezumas-revenge', 2, { trouble: 'soil', poo: 2, callsOff: true }],
  ['cramp', 2, { trouble: 'miss' }],
]);
add('clean', [
  ['dip-in-the-pool', 3, { poo: 4 }],
  ['found-a-towel', 4, { poo: 2 }],
  ['shimmy-shimmy-shake', 3, { poo: 2, shares: 1 }],
  ['quick-lick', 3, { poo: 1, more: 1 }],
]);
add('event', [
  ['reinforcements', 3, { does: 'swap' }],
  ['feeding-time', 3, { does: 'redeal' }],
  ['sprinkler', 3, { does: 'rinse', poo: 3 }],
  ['tiger-gets-loose', 3, { does: 'storm', poo: 2 }],
  ['poo-on-the-fan', 2, { does: 'storm', poo: 2, price: 2 }],
  ['blaze-of-glory', 2, { poo: 3, last: true }],
]);

export const CARDS = Object.freeze(deck);

/** All cards of the box, by id, without the Golden Bananas. */
export function fullDeck() {
  return Object.values(CARDS).flatMap(({ id, copies }) => Array(copies).fill(id));
}
