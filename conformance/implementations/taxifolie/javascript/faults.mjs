// Planted faults of Taxifolie: each breaks one rule. See ../../planting.mjs for how it works.

import { fault } from '../../planting.mjs';
import { Table } from './table.mjs';
import { RuleBreak, Taxifolie } from './taxifolie.mjs';
import { Trip } from './trip.mjs';

export { planted } from '../../planting.mjs';

// -- tools ----------------------------------------------------------------------------------------

/** Replace a method; `change` is given the right one, already bound, first. */
function replace(part, name, change) {
  const right = part.prototype[name];
  part.prototype[name] = function (...about) {
    return change.call(this, (...args) => right.apply(this, args), ...about);
  };
}

/** Replace a getter; `change` is given the right value. */
function reread(part, name, change) {
  const { get } = Object.getOwnPropertyDescriptor(part.prototype, name);
  Object.defineProperty(part.prototype, name, {
    get() { return change.call(this, get.call(this)); },
  });
}

/** Carry out cards of one order as if they were printed otherwise. */
function misprint(order, change) {
  replace(Taxifolie, 'obey', function (right, card) {
    return right(card.order === order ? { ...card, ...change } : card);
  });
}

/** Change what a player sees; `change` is given that, all there is, and who looks. */
function show(adapter, change) {
  adapter.prototype.view = function (viewer) {
    const seen = this.game.view();
    return viewer === undefined ? seen : { ...seen, ...change(seen, this.game.state(), viewer) };
  };
}

const others = (map, viewer, hidden) =>
  Object.fromEntries(Object.entries(map).map(([id, it]) => [id, id === viewer ? it : hidden]));

// -- the first turn -------------------------------------------------------------------------------

fault('forty-euros', '2.1', 'Each player begins with 40 euros.', (adapter) =>
  replace(adapter, 'setup', function (right, ...about) {
    right(...about);
    for (const driver of this.game.table.drivers) driver.money = 40;
  }),
);

fault('one-throws-after-the-other', '2.5', 'Players throw in the order of their seats only.', () =>
  replace(Taxifolie, 'actors', function (right) {
    return this.phase === 'throw' ? right().slice(0, 1) : right();
  }),
);

fault('tie-for-the-first-seat', '2.6', 'Of those who are tied the first seat begins.', () =>
  replace(Taxifolie, 'throwDice', function (right, driver) {
    right(driver);
    if (this.phase !== 'throw' || this.thrown.size) return;
    this.first = this.turn = this.table.drivers.indexOf(this.contenders[0]);
    this.beginTurn();
  }),
);

fault('tie-for-everybody', '2.6', 'After a tie all players throw again.', () =>
  replace(Taxifolie, 'throwDice', function (right, driver) {
    right(driver);
    if (this.phase === 'throw' && !this.thrown.size) this.contenders = [...this.table.drivers];
  }),
);

fault('counter-clockwise', '2.7', 'Counter-clockwise from the second round on.', () =>
  replace(Taxifolie, 'endTurn', function (right) {
    const seats = this.table.drivers.length;
    if (this.table.drivers.every(({ trip }) => trip)) this.turn = (this.turn + seats - 2) % seats;
    right();
  }),
);

fault('own-client-only', '3.3', 'Players see their own client only.', (adapter) =>
  show(adapter, (seen, all, viewer) => ({ client: others(seen.client, viewer, null) })),
);

fault('fares-shown', '3.4', 'Everybody sees which cards the fare deck holds.', (adapter) =>
  show(adapter, (seen, all) => ({ fares: all.fares })),
);

// -- driving --------------------------------------------------------------------------------------

fault('one-die', '4.8', 'Of two dice that differ only the higher one is driven.', () =>
  replace(Taxifolie, 'roll', function (right) {
    const { roll } = this.luck;
    this.luck = { ...this.luck, roll: () => this.faces = roll() };
    right();
    this.luck.roll = roll;
    const [one, two] = this.faces;
    if (one !== two) this.spaces = Math.max(one, two);
  }),
);

fault('jumps', '4.2', 'A taxi may also go to a space that is two steps away.', () => {
  replace(Taxifolie, 'ways', function (right) {
    const { spaces } = this.table.set;
    const far = right().flatMap((id) => spaces.get(id).next);
    return [...new Set([...right(), ...far])].filter((id) => id !== this.driver.at);
  });
  replace(Taxifolie, 'checkWay', function (right, to) {
    if (!this.ways().includes(to)) right(to);
  });
});

/** Allow the way back, when it is said so. */
function allowBack(when) {
  const back = (game) => when(game, game.driver) && game.driver.came;
  replace(Taxifolie, 'ways', function (right) {
    return [...new Set([...right(), back(this)])].filter(Boolean);
  });
  replace(Taxifolie, 'checkWay', function (right, to) {
    if (to !== back(this)) right(to);
  });
}

fault('turns-back', '4.3', 'A taxi may turn back anywhere.', () => allowBack(() => true));

fault('turns-back-with-a-new-roll', '4.3', 'A taxi may turn back when a roll begins.', () => {
  allowBack((game) => game.fresh);
  replace(Taxifolie, 'roll', function (right) {
    right();
    this.fresh = true;
  });
  replace(Taxifolie, 'drive', function (right, to) {
    this.fresh = false;
    right(to);
  });
});

fault('new-fare-new-direction', '4.4', 'With a new fare the taxi may go anywhere.', () =>
  replace(Table, 'drawTrip', (right, driver, luck) => {
    driver.came = null;
    right(driver, luck);
  }),
);

fault('stuck-at-a-dead-end', '4.8', 'At a dead end the rest of the roll is lost.', () =>
  replace(Taxifolie, 'drive', function (right, to) {
    if (this.table.set.spaces.get(to).next.length === 1) this.spaces = 1;
    right(to);
  }),
);

fault('turns-round-at-airports', '4.6', 'A taxi may turn back at all five named places.', () =>
  allowBack((game) => game.table.spaceOf(game.driver).terminal),
);

fault('keeps-its-direction', '4.7', 'A taxi that is sent still has a way back.', () =>
  replace(Taxifolie, 'goTo', function (right, place) {
    const { driver } = this;
    const { at } = driver;
    right(place);
    if (driver.came === null) driver.came = at;
  }),
);

fault('double-is-nothing', '4.9', 'A double gives no further roll.', () =>
  replace(Taxifolie, 'roll', function (right) {
    right();
    this.again = false;
  }),
);

// -- wishes ---------------------------------------------------------------------------------------

fault('passing-is-not-enough', '6.1', 'Every icon that a client asks for needs a stop.', () =>
  replace(Trip, 'comeTo', function (right, space) {
    const passed = new Set(this.passed);
    const done = right(space);
    this.passed = passed;
    return done;
  }),
);

fault('stops-in-passing', '4.8', 'Passing over an icon is enough where a stop is wished.', () =>
  replace(Trip, 'comeTo', function (right, space) {
    this.stopOn(space);
    return right(space);
  }),
);

fault('avoids-stopping-only', '6.5', 'What is to be avoided may be passed over.', () =>
  replace(Trip, 'driveOnto', function (right, space) {
    const { broken } = this;
    const done = right(space);
    this.broken = broken;
    return done;
  }),
);

// -- arriving -------------------------------------------------------------------------------------

fault('exact-arrival-only', '6.1', 'A fare ends only if the roll ends at the destination.', () =>
  replace(Taxifolie, 'arrives', function (right) {
    return this.spaces === 0 && right();
  }),
);

fault('rest-of-the-roll', '4.9', 'After arriving the rest of a double is driven first.', () =>
  replace(Taxifolie, 'endRoll', function (right) {
    if (this.over || !this.spaces) right();
  }),
);

fault('no-bonus', '6.2', 'Exact arrival brings nothing more.', () =>
  replace(Taxifolie, 'settle', (right) => right(0)),
);

fault('bonus-always', '6.2', 'Every arrival by driving brings 20 euros more.', () =>
  replace(Taxifolie, 'arrive', function (right) {
    const { spaces } = this;
    this.spaces = 0;
    right();
    this.spaces = spaces;
  }),
);

fault('ten-euros-more', '6.3', 'Fares are paid with 10 euros too many.', () =>
  replace(Taxifolie, 'settle', (right, bonus) => right(bonus + 10)),
);

fault('paid-all-the-same', '6.5', 'A fare is paid even if something was not avoided.', () =>
  replace(Taxifolie, 'settle', function (right, bonus) {
    this.driver.trip.broken = false;
    right(bonus);
  }),
);

fault('unpaid-fare-counts', '6.6', 'A fare that is not paid counts as completed.', () =>
  replace(Taxifolie, 'settle', function (right, bonus) {
    if (this.driver.trip.broken) this.driver.completed += 1;
    right(bonus);
  }),
);

fault('fare-goes-back', '6.6', 'The card of a completed fare goes under its deck.', () =>
  replace(Table, 'keepFare', function (right, driver) {
    right(driver);
    this.fares.putUnder(driver.done.pop());
  }),
);

fault('client-leaves', '6.7', 'The card of a client who has arrived leaves the game.', () =>
  replace(Table, 'clearTrip', function (right, driver) {
    const { clients } = this;
    this.clients = { putUnder() {} };
    right(driver);
    this.clients = clients;
  }),
);

// -- chance ---------------------------------------------------------------------------------------

fault('no-chance-after-a-double', '7.1', 'Doubles bring no chance card.', () =>
  replace(Taxifolie, 'stop', function (right) {
    const { table, again } = this;
    if (again) table.turnUpChance = () => {};
    right();
    delete table.turnUpChance;
  }),
);

fault('chance-for-the-sent', '7.1', 'Being put on a chance icon brings a card.', () =>
  replace(Taxifolie, 'goTo', function (right, place) {
    right(place);
    if (this.table.set.spaces.get(place).icons.includes('chance')) {
      this.table.turnUpChance(this.luck);
      this.carryOut();
    }
  }),
);

fault('order-for-the-old-fare', '7.4', 'An order from a destination ends with the old fare.', () =>
  replace(Taxifolie, 'arrive', function (right) {
    right();
    const { trip } = this.driver;
    if (!trip) return;
    this.table.discard(trip.orders);
    trip.orders = [];
  }),
);

fault('client-before-chance', '6.5', 'A client pays for nothing that a chance card demanded.', () =>
  replace(Trip, 'breaks', function (right, space) {
    const { orders } = this;
    this.orders = orders.filter(({ kind }) => kind !== 'visit');
    const result = right(space);
    this.orders = orders;
    return result;
  }),
);

fault('wish-beyond-chance', '6.1', 'A client waits for an icon that a chance card forbids.', () =>
  reread(Trip, 'openStop', function () {
    return this.client.stop.filter((icon) => !this.stopped.has(icon));
  }),
);

fault('bonus-for-the-sent', '6.2', 'Who is sent to the destination gets the 20 euros.', () =>
  replace(Taxifolie, 'goTo', function (right, place) {
    this.settle = () => Taxifolie.prototype.settle.call(this, 20);
    right(place);
    delete this.settle;
  }),
);

fault('sent-in-vain', '7.8', 'Being put on the destination does not end the fare.', () =>
  replace(Taxifolie, 'goTo', function (right, place) {
    this.arrives = () => false;
    right(place);
    delete this.arrives;
  }),
);

fault('order-is-a-wish', '4.8', 'A taxi stops at its destination in spite of an open order.', () =>
  replace(Trip, 'arrivesAt', function (right, ...about) {
    const { orders } = this;
    this.orders = orders.filter(({ kind }) => kind !== 'visit');
    const result = right(...about);
    this.orders = orders;
    return result;
  }),
);

fault('debts', '7.10', 'Who has too little money for a card owes the rest.', () =>
  replace(Table, 'pay', (right, driver, euros) => {
    driver.money -= euros;
    return euros;
  }),
);

fault('bank-gives-presents', '7.10', 'What is collected comes from the bank.', () =>
  misprint('collect', { order: 'receive' }),
);

fault('never-misses', '7.11', 'Nobody ever misses a turn.', () => misprint('miss', { turns: 0 }));

fault('no-green-wave', '4.9', 'A card to roll again brings nothing.', () =>
  misprint('again', { order: 'miss', turns: 0 }),
);

fault('client-jumps-back', '7.12', 'Nobody loses a client.', () =>
  misprint('lose-client', { order: 'miss', turns: 0 }),
);

fault('orders-for-ever', '7.13', 'Orders stay when the fare ends.', () => {
  replace(Table, 'clearTrip', function (right, driver) {
    driver.kept = driver.trip.orders;
    driver.trip.orders = [];
    right(driver);
  });
  replace(Table, 'drawTrip', function (right, driver, luck) {
    right(driver, luck);
    driver.trip.orders = driver.kept ?? [];
  });
});

// -- the end --------------------------------------------------------------------------------------

fault('more-than-250', '8.2', 'The goal is more than 250 euros.', () =>
  replace(Table, 'receive', function (right, driver, euros) {
    const { reached } = this;
    const before = [...reached];
    right(driver, euros);
    if (driver.money === 250) this.reached = before;
  }),
);

fault('at-once', '8.2', 'The game is over as soon as somebody has 250 euros.', () =>
  replace(Taxifolie, 'receive', function (right, euros) {
    this.rulings = { ...this.rulings, end_at_250: 'at_once' };
    right(euros);
  }),
);

fault('richest-wins', '8.3', 'Of those who have reached 250 euros the richest one wins.', () =>
  replace(Taxifolie, 'decide', function () {
    const { reached } = this.table;
    const most = Math.max(...reached.map(({ money }) => money));
    this.win(reached.find(({ money }) => money === most));
  }),
);

fault('last-one-wins', '8.3', 'With equally many fares the last to reach 250 wins.', () =>
  replace(Taxifolie, 'decide', function (right) {
    this.table.reached.reverse();
    right();
  }),
);

fault('has-to-keep-them', '8.2', 'Who falls below 250 euros again has not reached them.', () =>
  replace(Table, 'pay', function (right, driver, euros) {
    const paid = right(driver, euros);
    if (driver.money < 250) this.reached = this.reached.filter((one) => one !== driver);
    return paid;
  }),
);

// -- refusals -------------------------------------------------------------------------------------

fault('refused-step-costs', '4.2', 'Who tries to drive too far pays 10 euros.', () =>
  replace(Taxifolie, 'checkWay', function (right, to) {
    try {
      right(to);
    } catch (error) {
      if (error.rule === '4.2') this.driver.money -= 10;
      throw error;
    }
  }),
);

fault('wrong-rule-named', '4.3', 'Who may not turn back is told the rule of chance.', () =>
  replace(Taxifolie, 'checkWay', function (right, to) {
    try {
      right(to);
    } catch (error) {
      throw error.rule === '4.3' ? new RuleBreak(error.message, '7.1') : error;
    }
  }),
);
