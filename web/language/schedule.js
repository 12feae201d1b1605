/**
 * The learning rate of each step: a linear warm-up over at most a tenth of the steps, then the rate, or half
 * a cosine down to 0.
 */

/**
 * Returns cos(π x) for x from 0 to 1, by its series: Math.cos differs from engine to engine in the last
 * bits. The error is below 1e-15.
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
 * @param {{ learningRate: number, warmUp: number, schedule: 'cosine' | 'constant' }} settings
 * @param {number} step counted from 0
 * @param {number} steps in all; Infinity where a constant rate has no end
 * @returns {number}
 */
export function rateOf({ learningRate, warmUp, schedule }, step, steps) {
  const rise = Math.min(warmUp, Math.floor(steps / 10));
  const share = step < rise ? (step + 1) / rise : 1;
  const fall = schedule === 'constant' ? 1 : (1 + cosineOfTurn(Math.min(1, step / steps))) / 2;
  return learningRate * share * fall;
}
