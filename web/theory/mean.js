/** What one head can read of two words: a single mean of their values. */

/**
 * Returns what is lost of two values in the mean w·v₁ + (1 − w)·v₂, as shares of their variances: what no linear
 * map recovers from the mean, for independent values of the same variance. Whatever w is, the two shares sum to 1.
 * @param {number} weight w
 * @returns {{ first: number, second: number }}
 */
export function lostInMean(weight) {
  const [first, second] = [weight ** 2, (1 - weight) ** 2];
  return { first: second / (first + second), second: first / (first + second) };
}
