// Driving on the board: which ways lead on from a space, and what can be come to.

/** @typedef {import('./components.mjs').Space} Space */

/**
 * The spaces to which a taxi may take its next step, by the ban on going back alone
 * (rules 4.2 to 4.7).
 * @param {Map<string, Space>} spaces
 * @param {string} at where the taxi is
 * @param {string|null} left the space it has just left; null when there is none
 * @returns {string[]}
 */
export function waysOn(spaces, at, left) {
  const { next, terminal } = spaces.get(at);
  const onward = next.filter((id) => id !== left);
  return onward.length || !terminal ? onward : next;
}

/**
 * The spaces that can be come to from `at` over spaces that are all `clean`; `at` is among them
 * only if the taxi could leave it and come back. In which direction the taxi drives now is left
 * out of account.
 * @param {Map<string, Space>} spaces
 * @param {string} at
 * @param {(space: Space) => boolean} clean
 * @returns {Space[]}
 */
export function reachable(spaces, at, clean) {
  const found = new Set();
  const open = [at];
  for (const from of open) {
    for (const id of spaces.get(from).next) {
      if (found.has(id) || !clean(spaces.get(id))) continue;
      found.add(id);
      open.push(id);
    }
  }
  return [...found].map((id) => spaces.get(id));
}
