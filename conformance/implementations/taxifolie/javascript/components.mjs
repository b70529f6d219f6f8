// The component sets: boards and cards, read from components.json (made from the YAML files).
// Nothing here changes during a game, so all games share it.

import fs from 'node:fs';

/**
 * @typedef {{id: string, district: string, icons: string[], next: string[], start: boolean,
 *   terminal: boolean}} Space
 * @typedef {{id: string, avoid: string[], pass: string[], stop: string[], shuns: string[],
 *   via?: string, copies: number}} Client
 * @typedef {{id: string, to: string, euros: number, copies: number}} Fare
 * @typedef {{id: string, order: string, euros: number, turns: number, icon?: string,
 *   place?: string, copies: number}} Chance
 * @typedef {{id: string, spaces: Map<string, Space>, clients: Map<string, Client>,
 *   fares: Map<string, Fare>, chances: Map<string, Chance>, start: string}} ComponentSet
 */

const DATA = JSON.parse(fs.readFileSync(new URL('./components.json', import.meta.url), 'utf8'));
const KINDS = ['spaces', 'clients', 'fares', 'chances'];

/** Ids of all component sets. */
export const SET_IDS = Object.keys(DATA);

/** @type {Map<string, ComponentSet>} */
const SETS = new Map(SET_IDS.map((id) => [id, build(id)]));

/**
 * @param {string} id
 * @returns {ComponentSet}
 */
export function componentSet(id) {
  const found = SETS.get(id);
  if (!found) throw new RangeError(`unknown component set ${id}`);
  return found;
}

/** Every card of a table as its id, one entry for each copy. */
export function copies(table) {
  return [...table.values()].flatMap((card) => Array(card.copies).fill(card.id));
}

function build(id) {
  const set = { id };
  for (const kind of KINDS) {
    const rows = Object.entries(DATA[id][kind]);
    set[kind] = new Map(rows.map(([name, row]) => [name, Object.freeze({ id: name, ...row })]));
  }
  set.start = [...set.spaces.values()].find((space) => space.start).id;
  return Object.freeze(set);
}
