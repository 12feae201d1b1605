/**
 * The exact distribution of one score, factor·(q·k), for independent q and k with d_k iid
 * N(0, entrySize²) entries: the dot product of two Gaussian vectors, or a normal whose deviation
 * is |q| (a variance-gamma law).
 */
import { reject } from '../attention/errors.js';
import { checkOptions } from './check.js';
import { checkLaw } from './law.js';
import { normNodes, shiftedNodes } from './norm.js';
import { logBesselK, logGamma, normalTail } from './special.js';

/**
 * Returns the density of a score:
 *   f(s) = |s|^ν K_ν(|s|) / (√π Γ(d/2) 2^ν), ν = (d − 1)/2,
 * for unit entries and factor 1; otherwise s is in units of factor·entrySize². At s = 0 it is
 * Γ(ν) / (2√π Γ(d/2)), infinite for d = 1.
 * @param {number} s
 * @param {number} dK
 * @param {{ entrySize?: number, factor?: number }} [options] 1 and 1
 * @returns {number} per unit of the score
 * @throws {DTypeError} for an unknown option, a d_k below 0.01, a negative factor or size
 */
export function scoreDensity(s, dK, options = {}) {
  checkOptions('scoreDensity', options, 'entrySize, factor');
  const { entrySize = 1, factor = 1 } = options;
  if (typeof s !== 'number') reject('scoreDensity', 's', s, 'a number');
  checkLaw('scoreDensity', { dK, factor, entrySize });
  const unit = factor * entrySize ** 2;
  const x = Math.abs(s) / unit;
  if (x === Infinity) return 0;
  const nu = (dK - 1) / 2;
  const logSqrtPi = 0.5 * Math.log(Math.PI);
  if (x === 0) {
    if (nu === 0) return Infinity;
    return Math.exp(logGamma(nu) - logGamma(dK / 2) - logSqrtPi) / (2 * unit);
  }
  const logDensity =
    nu * Math.log(x / 2) + logBesselK(nu, x) - logSqrtPi - logGamma(dK / 2) - Math.log(unit);
  return Math.exp(logDensity);
}

/**
 * Returns the probability that a score lies in [low, high]. Unlike the density it is finite at
 * d_k = 1, and it stays right for bins that are wide against the peak. Given q, the score is normal.
 * @param {number} low
 * @param {number} high
 * @param {number} dK
 * @param {{ entrySize?: number, factor?: number, mean?: number }} [options] 1, 1, and 0; `mean` of an entry, in sizes
 * @returns {number}
 */
export function scoreProbability(low, high, dK, { entrySize = 1, factor = 1, mean = 0 } = {}) {
  const unit = factor * entrySize ** 2;
  const { radius, weight, along } = mean === 0 ? normNodes(dK) : shiftedNodes(dK, mean);
  let sum = 0;
  for (let i = 0; i < radius.length; i++) {
    const middle = along ? mean * Math.sqrt(dK) * along[i] : 0;
    const [from, to] = [low, high].map((end) => (end / unit - middle) / radius[i]);
    // On the side of the nearer tail, so that tails are not lost against 1.
    const isAbove = from + to > 0;
    const tails = isAbove ? normalTail(from) - normalTail(to) : normalTail(-to) - normalTail(-from);
    sum += weight[i] * tails;
  }
  return sum;
}
