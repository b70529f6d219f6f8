// Lets an existing game program speak the Ludex move protocol, version 1.
//
// Copy this one file beside your adapter and import it *before* the program: from then on what the
// program writes to process.stdout (console.log too) lands on stderr, and fd 1 is the protocol's.
// docs/adapters.md has a worked example. Node >= 18, no dependency.
// In this order: the streams, errors, chance (tape), what you extend (Game), serve.

import fs from 'node:fs';

process.stdout.write = process.stderr.write.bind(process.stderr);

const LOST = [-32603, -32010, -32011, -32012, -32013]; // errors after which the game is gone

/** Thrown by play() when the rules forbid the move. Throw it before changing anything. */
export class Illegal extends Error {
  constructor(reason = '', rule = null) {
    super(reason);
    this.rule = rule;
  }
}

/** A request that is answered with a JSON-RPC error. */
class Refusal extends Error {
  constructor(code, message, data) {
    super(message.slice(0, 500));
    Object.assign(this, { code, data });
  }
}

const isObject = (value) => typeof value === 'object' && value !== null && !Array.isArray(value);
const tooDeep = (value, left = 200) =>
  typeof value === 'object' && value !== null &&
  (left === 0 || Object.values(value).some((one) => tooDeep(one, left - 1)));
const show = (value) => String(JSON.stringify(value));

// -- chance --------------------------------------------------------------------------------------

const below = (n) => Math.floor(ownRandom() * n);
const ownRandom = Math.random; // kept, since an adapter may replace Math.random by tape.random()
const mixed = (items) => {
  const rest = [...items];
  return items.map(() => rest.splice(below(rest.length), 1)[0]);
};

/**
 * The chance outcomes of the request that is being answered.
 *
 * Each call takes the first unused outcome of its kind with the same places, so the order is free.
 * If the kit wants your own chance, each call makes an outcome and notes it.
 * `items` is the program's own array; `name` gives the id of a component in it.
 */
class Tape {
  #left = [];
  #faces = []; // rolled for a die, not handed out yet
  #error = null;

  /** Start a step (called by serve). null means: make your own outcomes. */
  load(chance) {
    if (chance !== null && !(Array.isArray(chance) && chance.every(isObject))) {
      throw new Refusal(-32602, 'chance: expected null or a list of objects');
    }
    this.free = chance === null;
    this.log = [];
    this.#left = [...(chance ?? [])];
    this.#faces = [];
    this.#error = null;
  }

  /** Remove the drawn component from items and return it. */
  draw(from, to, items, name = String) {
    const want = this.#take('draw', () => name(items[below(items.length)]), { from, to });
    return items.splice(this.#find(want, items, name), 1)[0];
  }

  /** Return the faces, each 1 to `faces`, of `count` dice rolled together. */
  roll(count = 1, faces = 6) {
    const got = this.#take('roll', () => Array.from({ length: count }, () => below(faces) + 1), {});
    const fits = (face) => Number.isInteger(face) && face >= 1 && face <= faces;
    if (!Array.isArray(got) || got.length !== count || !got.every(fits)) {
      throw this.#fail(-32012, `${show(got)} is no roll of ${count} dice with ${faces} faces`);
    }
    return [...got];
  }

  /** Return the member of items (ids, or numbers) that chance picks. */
  pick(of, items, name = (item) => item) {
    const want = this.#take('pick', () => name(items[below(items.length)]), { of });
    return items[this.#find(want, items, name)];
  }

  /** Order items in place, top first. */
  shuffle(of, items, name = String) {
    const order = this.#take('shuffle', () => mixed(items).map((item) => name(item)), { of });
    if (!Array.isArray(order) || order.length !== items.length) {
      throw this.#fail(-32012, `${show(order)} does not order the ${items.length} of ${of}`);
    }
    const rest = [...items];
    const sorted = order.map((one) => rest.splice(this.#find(one, rest, name), 1)[0]);
    items.splice(0, items.length, ...sorted);
    return items;
  }

  /** Return one face. If the rules roll several `dice` together, a call gives the next. */
  die(faces = 6, dice = 1) {
    if (!this.#faces.length) this.#faces = this.roll(dice, faces);
    return this.#faces.shift();
  }

  /** Return a stand-in for Math.random in programs that say Math.floor(Math.random() * faces). */
  random(faces = 6, dice = 1) {
    return () => (this.die(faces, dice) - 0.5) / faces;
  }

  /** End a step (called by serve): after a move nothing may be left over. */
  finish(moved = true) {
    if (this.#error) throw this.#error; // again, for a program that swallows every exception
    const left = [...this.#left, ...this.#faces.map((face) => ({ roll: [face] }))];
    if (left.length && moved) throw this.#fail(-32013, `left over: ${show(left)}`);
  }

  #take(kind, make, places) {
    if (this.free) {
      this.log.push({ [kind]: make(), ...places });
      return this.log.at(-1)[kind];
    }
    const there = (one) => Object.keys(places).every((key) => one[key] === places[key]);
    const at = this.#left.findIndex((one) => Object.hasOwn(one, kind) && there(one));
    if (at >= 0) return this.#left.splice(at, 1)[0][kind];
    const wanted = { kind, ...places };
    const [code, found] = this.#left.length ? [-32011, show(this.#left)] : [-32010, 'its end'];
    throw this.#fail(code, `wanted ${show(wanted)}, found ${found}`, { wanted });
  }

  #find(want, items, name) {
    const names = items.map((item) => name(item));
    const at = names.indexOf(want);
    if (at < 0) throw this.#fail(-32012, `${show(want)} is not among ${show(names)}`);
    return at;
  }

  #fail(code, message, data) {
    this.#error = new Refusal(code, `tape: ${message}`, data);
    return this.#error;
  }
}

export const tape = new Tape();

/** A shuffled pile: what is in it is known, the order is the tape's. */
export class Deck {
  constructor(zone, items, name = String) {
    Object.assign(this, { zone, items: [...items], name });
  }

  get length() {
    return this.items.length;
  }

  /** Remove and return the component that goes to the zone `to`. */
  draw(to) {
    return tape.draw(this.zone, to, this.items, this.name);
  }
}

// -- what an adapter extends ---------------------------------------------------------------------

/** The ids of n players, clockwise. */
export const seats = (n) => Array.from({ length: n }, (_, i) => `p${i + 1}`);

/** The outcome in which the highest (or lowest) score wins, shared if equal. */
export function ranked(score, lowest = false) {
  const best = Math[lowest ? 'min' : 'max'](...Object.values(score));
  return { winners: Object.keys(score).filter((p) => score[p] === best), returns: { ...score } };
}

/**
 * One open game. Extend it and wrap the program. Every method may be async.
 *
 * You write actors(), who may move now; play(actor, move, args), which makes the move or throws
 * Illegal before changing anything; outcome(), null or at the end { winners: [...], returns: {} }.
 * Define these too if the program knows the answer; each turns on a capability:
 * legal(), an iterable of [actor, move, args] for all who are to move; state(), the table in the
 * spelling of `ludex describe`; view(player), what that player sees of it.
 * pending(): whether the turn is unfinished, for a program that knows whole turns only.
 */
export class Game {
  static game = '?';
  static edition = '1';
  static players = [2];
  static rulings = {}; // name: the values you support; leave a name out for its default only
  static options = {}; // the same
  static components = []; // ids of the component sets you support; [] is any

  /** Start a game of seats(players). */
  setup(players, rulings, options, components) {}

  /** Tidy up: the game has ended or is lost. */
  close() {}
}

/** For a program that owns its main loop: write `async run(players, ...)`, and `await ask()`. */
export class Loop extends Game {
  #who = [];
  #end = null;
  #bad = null;
  #answer = null; // gives the program its move
  #asked = null; // tells us that the program waits again, or has stopped

  /** Wait for a move of one of `actors`: { actor, move, args }. */
  ask(...actors) {
    this.#who = actors;
    this.#asked.resolve();
    return new Promise((resolve) => (this.#answer = resolve));
  }

  /** Say that the move just given is illegal; then ask again. */
  refuse(reason = '', rule = null) {
    this.#bad = new Illegal(reason, rule);
  }

  setup(...about) {
    return this.#untilAsked(() => this.#main(about));
  }

  async play(actor, move, args) {
    this.#bad = null;
    await this.#untilAsked(() => this.#answer({ actor, move, args }));
    if (this.#bad) throw this.#bad;
  }

  actors() {
    return this.#who;
  }

  outcome() {
    return this.#end;
  }

  async #main(about) {
    try {
      this.#end = await this.run(...about);
      this.#asked.resolve();
    } catch (error) { // of whatever kind: the program takes no more moves
      const stopped = () => new Error(`run() stopped: ${error?.message ?? error}`, { cause: error });
      this.#asked.reject(error instanceof Refusal ? error : stopped()); // a tape that does not fit
    }
  }

  #untilAsked(start) {
    return new Promise((resolve, reject) => {
      this.#asked = { resolve, reject };
      start();
    });
  }
}

// -- the conversation ----------------------------------------------------------------------------

/**
 * Answer requests about games of these kinds until "bye" or the end of input.
 *
 * about: name, version, url? of the program; adapter_does? (any of turn, legal, state, outcome:
 * what you added to it); illegal? (the error classes that it throws at a forbidden move).
 */
export function serve({ adapter_does = [], illegal = [], ...about }, ...kinds) {
  const server = new Server(kinds, about, adapter_does, [Illegal, ...illegal]);
  const lines = []; // whole lines, not answered yet
  let part = []; // the beginning of a line
  let busy = false;
  let ended = false;

  async function answerAll() {
    if (busy) return;
    busy = true;
    while (lines.length && !server.bye) {
      // All that came in one read is answered with one write.
      let text = '';
      for (const line of lines.splice(0)) if (!server.bye) text += await server.answer(line);
      unsent = Buffer.concat([unsent, Buffer.from(text)]);
      send();
    }
    busy = false;
    stopping = server.bye || ended;
    if (stopping) send();
  }

  process.stdin.on('data', (chunk) => {
    let start = 0;
    for (let at; (at = chunk.indexOf(10, start)) >= 0; start = at + 1) {
      lines.push(Buffer.concat([...part, chunk.subarray(start, at)]));
      part = [];
    }
    if (start < chunk.length) part.push(chunk.subarray(start));
    answerAll();
  });
  process.stdin.on('end', () => {
    if (part.length) lines.push(Buffer.concat(part));
    ended = true;
    answerAll();
  });
}

// fs.write works beside us: a kit that sends much before it reads does not keep us from reading.
let unsent = Buffer.alloc(0);
let writing = false;
let stopping = false;

function send() {
  if (writing) return;
  if (!unsent.length) {
    if (stopping) process.exit(0);
    return;
  }
  writing = true;
  fs.write(1, unsent, (error, count) => {
    if (error && error.code !== 'EAGAIN') process.exit(1); // nobody reads any more
    writing = false;
    unsent = unsent.subarray(count ?? 0);
    if (error) setTimeout(send, 1); // the pipe is full
    else send();
  });
}

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
const TYPES = {
  string: (value) => typeof value === 'string',
  integer: Number.isSafeInteger,
  object: isObject,
};

/** Return fields, each of its type; an object may be absent. */
function read(fields, kinds) {
  return Object.entries(kinds).map(([key, kind]) => {
    const value = Object.hasOwn(fields, key) ? fields[key] : kind === 'object' ? {} : undefined;
    if (!TYPES[kind](value)) throw new Refusal(-32602, `${key}: expected ${kind}`);
    return value;
  });
}

function supported(what, asked, known) {
  // What the class does not name comes with its default.
  for (const [key, values] of Object.entries(known)) {
    if (!Object.hasOwn(asked, key)) throw new Refusal(-32602, `${what}: ${key} is missing`);
    if (values.includes(asked[key])) continue;
    throw new Refusal(-32002, `${what}: ${key} = ${show(asked[key])} is not among ${show(values)}`);
  }
}

/** One line. JSON.stringify would write null for a number that is none. */
function encode(message) {
  return `${JSON.stringify(message, (key, value) => {
    if (typeof value === 'number' && !Number.isFinite(value)) throw new Error(`${key} is ${value}`);
    return value;
  })}\n`;
}

/** Answers a line with a line. */
class Server {
  bye = false;
  #games = new Map(); // game_id -> { game, players, found: the last position }

  constructor(kinds, about, adapter_does, illegal) {
    Object.assign(this, { kinds, about, adapter_does, illegal });
    this.shows = ['legal', 'state', 'view'].filter((m) => kinds.every((kind) => m in kind.prototype));
    this.methods = new Map([
      ['hello', (params) => this.hello(params)],
      ['new_game', (params) => this.newGame(params)],
      ['apply', (params) => this.apply(params)],
      ['end_game', (params) => this.endGame(params)],
      ['bye', () => ((this.bye = true), {})],
    ]);
  }

  async answer(line) {
    let id = null;
    let params = {};
    let wrong;
    try {
      let request;
      try {
        request = JSON.parse(utf8.decode(line));
      } catch (error) {
        throw new Refusal(-32700, `not JSON: ${error.message}`);
      }
      if (!isObject(request) || tooDeep(request)) {
        throw new Refusal(-32600, 'expected an object, not nested deeply');
      }
      if (Number.isSafeInteger(request.id) && request.id > 0) id = request.id;
      const name = request.method;
      if (!id || request.jsonrpc !== '2.0' || typeof name !== 'string') {
        throw new Refusal(-32600, 'expected jsonrpc 2.0, a positive integer id, a method');
      }
      const method = this.methods.get(name);
      if (!method) throw new Refusal(-32601, `unknown method ${name}`);
      [params] = read(request, { params: 'object' });
      return encode({ jsonrpc: '2.0', id, result: await method(params) });
    } catch (error) {
      if (error instanceof Refusal) {
        wrong = { code: error.code, message: error.message, data: error.data };
      } else {
        console.error(error);
        wrong = { code: -32603, message: `the program failed: ${error?.message ?? error}`.slice(0, 500) };
      }
    }
    if (LOST.includes(wrong.code)) await this.forget(params.game_id).catch(console.error);
    return encode({ jsonrpc: '2.0', id, error: wrong });
  }

  hello(params) {
    read(params, { protocol: 'integer' }); // whatever it is, we speak 1: the kit decides
    const games = this.kinds.map(({ game, edition, players, rulings, options, components }) => ({
      game, edition, players, rulings, options, ...(components.length && { components }),
    }));
    const shows = this.shows.map((m) => (m === 'view' ? 'observations' : m));
    return {
      protocol: 1, implementation: { language: 'JavaScript', ...this.about }, games,
      capabilities: [...shows, 'chance:tape', 'chance:report'], adapter_does: this.adapter_does,
    };
  }

  async newGame(params) {
    const [id, name, edition, players, rulings, options, components] = read(params, {
      game_id: 'string', game: 'string', edition: 'string', players: 'integer',
      rulings: 'object', options: 'object', components: 'object',
    });
    if (this.#games.has(id)) throw new Refusal(-32602, `game_id ${id} is in use`);
    const Kind = this.kinds.find((kind) => kind.game === name && kind.edition === edition);
    if (!Kind) throw new Refusal(-32001, `unknown game ${name}, edition ${edition}`);
    if (players < 1) throw new Refusal(-32602, 'players: expected a positive number');
    supported('players', { number: players }, { number: Kind.players });
    supported('rulings', rulings, Kind.rulings);
    supported('options', options, Kind.options);
    supported('components', components, Kind.components.length ? { id: Kind.components } : {});
    tape.load(params.chance === undefined ? [] : params.chance);
    const game = new Kind();
    await game.setup(players, rulings, options, components);
    tape.finish();
    return this.position(id, game, players);
  }

  async apply(params) {
    const { id, game, players, found } = this.find(params);
    const [asked] = read(params, { move: 'object' });
    const [actor, move, args] = read(asked, { actor: 'string', move: 'string', args: 'object' });
    tape.load(params.chance === undefined ? [] : params.chance);
    if (found.outcome) throw new Refusal(-32004, 'the game is over');
    if (!found.actors.includes(actor)) return { illegal: { reason: `${actor} is not to move` } };
    try {
      await game.play(actor, move, args);
    } catch (error) {
      tape.finish(false);
      if (!this.illegal.some((kind) => error instanceof kind)) throw error;
      const reason = String(error.message).slice(0, 2000);
      const rule = String(error.rule ?? '').slice(0, 200);
      return { illegal: { ...(reason && { reason }), ...(rule && { rule }) } };
    }
    tape.finish();
    return this.position(id, game, players);
  }

  async endGame(params) {
    await this.forget(this.find(params).id);
    return {};
  }

  find(params) {
    const [id] = read(params, { game_id: 'string' });
    if (!this.#games.has(id)) throw new Refusal(-32003, `game_id ${id} is unknown, ended or lost`);
    return { id, ...this.#games.get(id) };
  }

  async forget(id) {
    const game = this.#games.get(id)?.game;
    this.#games.delete(id);
    await game?.close();
  }

  async position(id, game, players) {
    const outcome = (await game.outcome()) ?? null;
    const found = { actors: outcome ? [] : [...(await game.actors())] };
    if (await game.pending?.()) {
      found.pending = true;
    } else {
      found.outcome = outcome;
      if (this.shows.includes('legal')) {
        const moves = outcome ? [] : [...(await game.legal())];
        found.legal = moves.map(([actor, move, args]) => ({ actor, move, args }));
      }
      if (this.shows.includes('state')) found.state = await game.state();
      if (this.shows.includes('view')) {
        found.observations = {};
        for (const player of seats(players)) found.observations[player] = await game.view(player);
      }
    }
    if (tape.free) found.chance = tape.log;
    this.#games.set(id, { game, players, found });
    return found;
  }
}
