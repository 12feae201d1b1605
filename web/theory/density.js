/**
 * The exact distribution of one score, factor·(q·k), for independent q and k with d_k iid
 * N(0, entrySize²) entries: the dot product of two Gaussian vectors, or a normal whose deviation
 * is |q| (a variance-gamma law).
 */
import { reject } from '../attention/errors.js';
import { checkOptions } from './check.js';
import { checkLaw } from './law.js';
import { normNodes } from './norm.js';
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
 * d_k = 1, and it stays right for bins that are wide against the peak.
 * @param {number} low
 * @param {number} high
 * @param {number} dK
 * @param {{ entrySize?: number, factor?: number }} [options] 1 and 1
 * @returns {number}
 */
export function scoreProbability(low, high, dK, { entrySize = 1, factor = 1 } = {}) {
  const unit = factor * entrySize ** 2;
  // Each part lies on one side of 0, so that tails are not lost against 1; the law is symmetric.
  if (low < 0 && high > 0) return upper(0, -low / unit, dK) + upper(0, high / unit, dK);
  const [from, to] = low < 0 ? [-high, -low] : [low, high];
  return upper(from / unit, to / unit, dK);
}

/**
 * Returns P(from < q·k < to), an average over |q|, given which q·k is normal.
 * @param {number} from ≥ 0, in units of the score
 * @param {number} to
 * @param {number} d
 */
function upper(from, to, d) {
  const { radius, weight } = normNodes(d);
  let sum = 0;
  for (let i = 0; i < radius.length; i++) {
    sum += weight[i] * (normalTail(from / radius[i]) - normalTail(to / radius[i]));
  }
  return sum;
}
