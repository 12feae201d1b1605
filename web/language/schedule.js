/**
 * The learning rate of each step: a linear warm-up, then the rate, or half a cosine down to 0.
 */

/**
 * Returns cos(π x) for x from 0 to 1, by its series: Math.cos differs from engine to engine in the last
 * bits. The error is below 1e-15.
 *
 * @param {number} x
 * @returns {number}
 */
export function cosineOfTurn(x) {
  if (x > 0.5) return -cosineOfTurn(1 - x);
  const square = (Math.PI * x) ** 2;
  let sum = 1;
  for (let k = 22; k > 0; k -= 2) sum = 1 - (square / (k * (k - 1))) * sum;
  return sum;
}

/**
 * Returns the rate of a step.
 *
 * @param {{ learningRate: number, warmUp: number, schedule: 'cosine' | 'constant' }} settings
 * @param {number} step counted from 0
 * @param {number} steps in all, of the cosine
 * @returns {number}
 */
export function rateOf({ learningRate, warmUp, schedule }, step, steps) {
  const share = step < warmUp ? (step + 1) / warmUp : 1;
  const fall = schedule === 'constant' ? 1 : (1 + cosineOfTurn(Math.min(1, step / steps))) / 2;
  return learningRate * share * fall;
}
