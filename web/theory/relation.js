/**
 * How well a relation can be learned when queries and keys are the same vectors (Q = K): scores
 * S = QQᵀ are then symmetric and positive semidefinite, so nothing can attend to another more than
 * it is attended to.
 */

import { checkRange } from './check.js';
import { times } from '../shared/times.js';

const ITERATIONS = 60;
const GOLDEN = (Math.sqrt(5) - 1) / 2;

/** Returns the smallest value of a convex function between 0 and 1. @param {(x: number) => number} f */
function minimum(f) {
  let [low, high] = [0, 1];
  for (let i = 0; i < ITERATIONS; i++) {
    const step = GOLDEN * (high - low);
    if (f(high - step) < f(low + step)) high = low + step;
    else low = high - step;
  }
  return f((low + high) / 2);
}

/**
 * Returns the least cross-entropy, in nats, of "each of n in a ring attends to the next" with Q = K:
 *   min over r ≥ 0 of −r·cos(2π/n) + ln Σ_k e^{r·cos(2πk/n)}
 * The loss is convex in S and does not change under turns of the ring, so that a circulant S is among
 * the best; its strongest part is the slowest wave. The result is ln 3 for three and 1.4890 for eight.
 * For two, where the ring is a swap (also of many pairs at once), it is ln 2.
 * @param {number} n at least 2
 * @returns {number}
 * @throws {DTypeError} for a smaller n
 */
export function tiedRingFloor(n) {
  checkRange('tiedRingFloor', { n }, 2);
  if (n === 2) return Math.LN2; // with more pairs, only vectors that grow without end approach it
  const waves = times(n, (k) => Math.cos((2 * Math.PI * k) / n));
  // The best r grows like n², so that is its unit. Subtracting the next one's wave avoids overflow.
  return minimum((x) =>
    Math.log(waves.reduce((sum, wave) => sum + Math.exp(x * n * n * (wave - waves[1])), 0)),
  );
}
