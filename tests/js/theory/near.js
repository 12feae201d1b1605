/** Assertions shared by the tests of the theory. */
import assert from 'node:assert/strict';

/**
 * @param {number} actual
 * @param {number} expected
 * @param {number} relative greatest relative error
 * @param {number} [absolute] allowed besides
 */
export function assertNear(actual, expected, relative, absolute = 0) {
  const error = Math.abs(actual - expected);
  const bound = relative * Math.abs(expected) + absolute;
  assert.ok(error <= bound, `${actual} is not within ${bound} of ${expected}`);
}

/**
 * @param {ArrayLike<number>} actual
 * @param {ArrayLike<number>} expected
 * @param {number} [absolute] greatest error of an entry
 */
export function assertAllNear(actual, expected, absolute = 1e-6) {
  assert.equal(actual.length, expected.length);
  Array.from(expected, (each, i) => assertNear(actual[i], each, 0, absolute));
}

/**
 * Integrates by Simpson's rule.
 * @param {(x: number) => number} f
 * @param {number} from
 * @param {number} to
 * @param {number} intervals even
 */
export function integrate(f, from, to, intervals) {
  const step = (to - from) / intervals;
  let sum = f(from) + f(to);
  for (let i = 1; i < intervals; i++) sum += (i % 2 ? 4 : 2) * f(from + i * step);
  return (sum * step) / 3;
}
