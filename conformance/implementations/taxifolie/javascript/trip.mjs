// A trip: one client, one fare, and the chance cards that lie beside them. It knows which wishes
// are granted, whether something was not avoided, and what a space means for all that
// (chapters 5 and 7). It moves no card and no taxi.

/**
 * @typedef {import('./components.mjs').Space} Space
 * @typedef {import('./components.mjs').Client} Client
 * @typedef {import('./components.mjs').Fare} Fare
 * @typedef {{card: string, kind: 'visit'|'avoid', icon?: string, place?: string,
 *   sent?: boolean}} Order
 */

export class Trip {
  /** Icons that were passed or stopped on as the client asked. */
  passed = new Set();
  stopped = new Set();
  cameVia = false;

  /** Something that was to be avoided was not. */
  broken = false;

  /** Chance cards that lie before the player, the oldest first. @type {Order[]} */
  orders = [];

  /**
   * @param {Client} client
   * @param {Fare} fare
   * @param {Space|null} via the place through which the client wants to come
   */
  constructor(client, fare, via) {
    this.client = client;
    this.fare = fare;
    this.via = via;
  }

  /** Icons to pass that the client still waits for. An icon that a chance card forbids is void. */
  get openPass() {
    return this.client.pass.filter((icon) => !this.passed.has(icon) && !this.#forbids(icon));
  }

  /** Icons to stop on that the client still waits for. */
  get openStop() {
    return this.client.stop.filter((icon) => !this.stopped.has(icon) && !this.#forbids(icon));
  }

  /** The place through which the client still wants to come, or null. Void like an icon. */
  get openVia() {
    const open = this.via && !this.cameVia && !this.via.icons.some((icon) => this.#forbids(icon));
    return open ? this.via.id : null;
  }

  get hasOpenWish() {
    return this.openPass.length > 0 || this.openStop.length > 0 || this.openVia !== null;
  }

  /** Orders of chance cards that have to be carried out before the fare can end. */
  get visits() {
    return this.orders.filter(({ kind }) => kind === 'visit');
  }

  /**
   * Whether driving onto this space breaks a ban (rules 5.4, 5.5, 7.5). All bans rest where an
   * order is carried out, and on the whole way to a place to which a card sends the taxi.
   * @param {Space} space
   */
  breaks(space) {
    if (this.visits.some((order) => order.sent || Trip.fulfils(order, space))) return false;
    return (
      this.client.shuns.includes(space.district) ||
      space.icons.some((icon) => this.client.avoid.includes(icon) || this.#forbids(icon))
    );
  }

  /**
   * Whether coming to this space is arriving at the destination.
   * @param {Space} space
   * @param {boolean} stopUnpaid with an open wish, too (ruling wish_open_at_destination)
   */
  arrivesAt(space, stopUnpaid) {
    if (space.id !== this.fare.to || this.visits.length) return false;
    if (stopUnpaid) return true;
    const wants = this.openStop.filter((icon) => !space.icons.includes(icon));
    return !wants.length && !this.openPass.length && !this.openVia;
  }

  /**
   * The taxi drives onto a space.
   * @param {Space} space
   * @returns {Order[]} the orders that are carried out by it
   */
  driveOnto(space) {
    if (this.breaks(space)) this.broken = true;
    return this.comeTo(space);
  }

  /**
   * The taxi comes to a space, driven or sent: wishes are granted, orders carried out.
   * @param {Space} space
   * @returns {Order[]} the orders that are carried out by it
   */
  comeTo(space) {
    for (const icon of this.openPass) if (space.icons.includes(icon)) this.passed.add(icon);
    if (space === this.via) this.cameVia = true;
    const done = this.visits.filter((order) => Trip.fulfils(order, space));
    this.orders = this.orders.filter((order) => !done.includes(order));
    return done;
  }

  /** The taxi has come to a stop on a space. @param {Space} space */
  stopOn(space) {
    for (const icon of this.openStop) if (space.icons.includes(icon)) this.stopped.add(icon);
  }

  /**
   * Whether coming to a space carries out an order to visit.
   * @param {Omit<Order, 'card'>} order
   * @param {Space} space
   */
  static fulfils({ icon, place }, space) {
    return place === space.id || space.icons.includes(icon);
  }

  /**
   * Whether all that the fare still needs lies among these spaces.
   * @param {Space[]} spaces
   */
  canBePaidWithin(spaces) {
    const place = (id) => spaces.some((space) => space.id === id);
    const icon = (name) => spaces.some(({ icons }) => icons.includes(name));
    return (
      place(this.fare.to) &&
      [...this.openPass, ...this.openStop].every(icon) &&
      (!this.openVia || place(this.openVia)) &&
      this.visits.every((order) => (order.place ? place(order.place) : icon(order.icon)))
    );
  }

  #forbids(name) {
    return this.orders.some(({ kind, icon }) => kind === 'avoid' && icon === name);
  }
}
