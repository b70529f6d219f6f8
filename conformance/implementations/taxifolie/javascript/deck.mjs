// A deck: a shuffled part, and below it the cards that were put under the deck, in a known order
// (rules 2.2, 3.4). Chance decides only what comes from the shuffled part.

/**
 * Where chance comes from. `draw` removes the drawn member from `cards` and returns it.
 * @typedef {{roll: () => number[], draw: (from: string, to: string, cards: string[]) => string}} Luck
 */

export class Deck {
  /** Cards in unknown order. */
  #shuffled;

  /** Cards whose place is known; the first of them is drawn first. */
  #under = [];

  /**
   * @param {string} zone the name of the deck
   * @param {string[]} cards
   */
  constructor(zone, cards) {
    this.zone = zone;
    this.#shuffled = [...cards];
  }

  get size() {
    return this.#shuffled.length + this.#under.length;
  }

  /** All cards in the deck; their order means nothing. */
  get contents() {
    return [...this.#shuffled, ...this.#under];
  }

  /**
   * Take the top card.
   * @param {Luck} luck
   * @param {string} to the zone it goes to
   */
  draw(luck, to) {
    if (this.#shuffled.length) return luck.draw(this.zone, to, this.#shuffled);
    return this.#under.shift();
  }

  putUnder(card) {
    this.#under.push(card);
  }

  /** Shuffle these cards into an empty deck. */
  refill(cards) {
    this.#shuffled = [...cards];
  }
}
