// What lies on the table: taxis, money, cards and decks, and how cards and money move between
// them. When something moves is decided in taxifolie.mjs.

import { componentSet, copies } from './components.mjs';
import { Deck } from './deck.mjs';
import { Trip } from './trip.mjs';

/**
 * @typedef {import('./deck.mjs').Luck} Luck
 * @typedef {import('./trip.mjs').Order} Order
 * @typedef {{id: string, at: string, came: string|null, money: number, trip: Trip|null,
 *   done: string[], completed: number, misses: number}} Driver
 */

export const GOAL = 250;
const FIRST_MONEY = 30;

export class Table {
  /** The chance card that is being carried out. @type {string|null} */
  drawn = null;

  /** Drivers who have had 250 euros at some time, the first one first. @type {Driver[]} */
  reached = [];

  /**
   * @param {string[]} ids the players, clockwise
   * @param {string} components id of the component set
   */
  constructor(ids, components) {
    this.set = componentSet(components);
    this.clients = new Deck('clients', copies(this.set.clients));
    this.fares = new Deck('fares', copies(this.set.fares));
    this.chances = new Deck('chances', copies(this.set.chances));
    /** @type {Driver[]} */
    this.drivers = ids.map((id) => ({
      id, at: this.set.start, came: null, money: FIRST_MONEY, trip: null, done: [], completed: 0,
      misses: 0,
    }));
  }

  /** @param {Driver} driver */
  spaceOf(driver) {
    return this.set.spaces.get(driver.at);
  }

  /** Draw a client and a fare (3.1, 6.8). @param {Driver} driver @param {Luck} luck */
  drawTrip(driver, luck) {
    const client = this.set.clients.get(this.clients.draw(luck, `client.${driver.id}`));
    if (!this.fares.size) this.#reuseFares();
    const fare = this.set.fares.get(this.fares.draw(luck, `fare.${driver.id}`));
    driver.trip = new Trip(client, fare, this.set.spaces.get(client.via) ?? null);
  }

  /** The fare is completed: its card counts and is kept (6.6). @param {Driver} driver */
  keepFare(driver) {
    driver.done.push(driver.trip.fare.id);
    driver.completed += 1;
    driver.trip.fare = null;
  }

  /**
   * The fare has ended: what is left of its cards goes under the decks (6.5, 6.7, 7.12, 7.13).
   * @param {Driver} driver
   */
  clearTrip(driver) {
    const { client, fare, orders } = driver.trip;
    if (fare) this.fares.putUnder(fare.id);
    this.clients.putUnder(client.id);
    this.discard(orders);
    driver.trip = null;
  }

  /** Turn up a chance card, if there is one. @param {Luck} luck */
  turnUpChance(luck) {
    if (this.chances.size) this.drawn = this.chances.draw(luck, 'drawn');
  }

  /** The card that was turned up has been carried out (7.13). */
  discardDrawn() {
    this.chances.putUnder(this.drawn);
    this.drawn = null;
  }

  /**
   * The card that was turned up lies before the driver from now on (7.9).
   * @param {Driver} driver
   * @param {Omit<Order, 'card'>} order
   */
  layDown(driver, order) {
    driver.trip.orders.push({ card: this.drawn, ...order });
    this.drawn = null;
  }

  /** Chance cards go under their deck, the oldest first. @param {Order[]} orders */
  discard(orders) {
    for (const { card } of orders) this.chances.putUnder(card);
  }

  /** @param {Driver} driver @param {number} euros */
  receive(driver, euros) {
    driver.money += euros;
    if (driver.money >= GOAL && !this.reached.includes(driver)) this.reached.push(driver);
  }

  /**
   * Pay what there is, at most `euros` (7.10).
   * @param {Driver} driver
   * @param {number} euros
   * @returns {number} what was paid
   */
  pay(driver, euros) {
    const paid = Math.min(driver.money, euros);
    driver.money -= paid;
    return paid;
  }

  /** The fares that players keep become the new deck (6.10). */
  #reuseFares() {
    this.fares.refill(this.drivers.flatMap(({ done }) => done));
    for (const driver of this.drivers) driver.done = [];
  }
}
