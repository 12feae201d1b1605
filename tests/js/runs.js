/**
 * How many cases a property is tried on: as many as the test says, times PROPERTY_FACTOR, which
 * `./build.sh properties` sets for a long run, and tests/mutation for many short ones. Only the long
 * run tries others each time: a test that passed once must not fail in a later change.
 */
const FACTOR = Number(process.env.PROPERTY_FACTOR ?? 1);
let total = 0;
if (FACTOR > 1) process.on('exit', () => console.log(`${total} property cases`));

/** @param {number} count in an ordinary run */
export function runs(count) {
  const numRuns = Math.ceil(count * FACTOR);
  total += numRuns;
  return FACTOR > 1 ? { numRuns } : { numRuns, seed: 1 };
}
