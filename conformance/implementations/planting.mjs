// Planted faults for programs in JavaScript: the twin of planting.py, which says how they work.
//
// A program that has some keeps them in `faults.mjs` beside its adapter, under `fault`, and exports
// `planted` from there. The adapter's only trace of it is `serve(..., planted(MyGame))`.

import fs from 'node:fs';

/** By name, in the order of the file: { rule, sentence, plant }. */
export const FAULTS = new Map();

/** Register a fault; `plant` is called with the class of the adapter, before any game. */
export function fault(name, rule, sentence, plant) {
  FAULTS.set(name, { rule, sentence, plant });
}

/**
 * Return the adapter's class, with the fault that the command line asks for, if any.
 *
 * `--list-faults` prints a line for each: name, rule and sentence, with tabs between.
 */
export function planted(adapter) {
  const [option, name, ...more] = process.argv.slice(2);
  if (option === undefined) return adapter;
  if (option === '--list-faults') {
    if (name !== undefined) stop('--list-faults takes nothing after it');
    const lines = [...FAULTS].map(([one, { rule, sentence }]) => `${one}\t${rule}\t${sentence}\n`);
    fs.writeSync(1, lines.join('')); // process.stdout is kept from programs by the adapter's helper
    process.exit(0);
  }
  if (option !== '--fault') {
    stop(`unknown argument ${option}`, option, ['--fault', '--list-faults']);
  }
  if (name === undefined || more.length) {
    stop('--fault takes one name; --list-faults prints all names');
  }
  if (!FAULTS.has(name)) stop(`there is no fault ${name}`, name, [...FAULTS.keys()]);
  FAULTS.get(name).plant(adapter);
  return adapter;
}

function stop(message, word = '', known = []) {
  const found = known.filter((one) => closeness(word, one) >= 0.6);
  const [best] = found.sort((a, b) => closeness(word, b) - closeness(word, a));
  const hint = best ? `did you mean ${best}?` : '--list-faults prints all faults';
  fs.writeSync(2, `${message}${known.length ? `; ${hint}` : ''}\n`);
  process.exit(2);
}

/** How alike two words are, from 0 to 1: the letters of their longest common subsequence. */
function closeness(a, b) {
  let row = Array(b.length + 1).fill(0);
  for (const letter of a) {
    row = row.reduce((next, length, at) => {
      if (!at) return [0];
      const same = letter === b[at - 1] ? row[at - 1] + 1 : 0;
      return [...next, Math.max(same, length, next[at - 1])];
    }, []);
  }
  return (2 * row[b.length]) / (a.length + b.length);
}
