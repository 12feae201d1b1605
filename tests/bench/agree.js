// Whether two contenders computed the same: only then are they timed.

/** Of the largest value: far more than float32 loses, far less than any other formula differs by. */
const TOLERANCE = 1e-4;

/**
 * @param {string} who for the message
 * @param {Float32Array[]} results
 * @param {Float32Array[]} expected
 */
export function expectAgreement(who, results, expected) {
  if (results.length !== expected.length) {
    throw new Error(`${who} gives ${results.length} results, expected ${expected.length}`);
  }
  for (const [i, reference] of expected.entries()) expectClose(`${who}, result ${i}`, results[i], reference); // prettier-ignore
}

/**
 * @param {string} what
 * @param {Float32Array} result
 * @param {Float32Array} expected
 */
function expectClose(what, result, expected) {
  if (result.length !== expected.length) {
    throw new Error(`${what} has ${result.length} numbers, expected ${expected.length}`);
  }
  let largest = 0;
  for (const number of expected) largest = Math.max(largest, Math.abs(number));
  for (let i = 0; i < expected.length; i++) {
    const difference = Math.abs(result[i] - expected[i]);
    if (!(difference <= TOLERANCE * largest)) {
      throw new Error(`${what} has ${result[i]} at ${i}, expected ${expected[i]}`);
    }
  }
}
