/**
 * The expected weights of a row whose scores are iid with any law, as caps, cosines and sinks make them:
 * the integrals of moments.js, with the law as nodes in place of the normal one.
 */
import { normalDensity } from './special.js';
import { times } from '../shared/times.js';

/** The nodes of a law, equally spaced in a variable of which the score is an increasing function.
 *  @typedef {{ score: Float64Array, weight: Float64Array }} Law */

/** Normal deviates reach so far: beyond is 1e-16 of them. */
const REACH = 8.3;
/** Steps at which the trapezoidal rule gives six digits: of the score, of a normal deviate and of ln t. */
const SCORE_STEP = 0.45;
const DEVIATE_STEP = 0.14;
const STEP = 0.5;
/** The integrand is below 1e-9 so far under the least ln t that counts. */
const BELOW = 21;
/** From this far below 0, or above 4, k(y) = e^{y − e^y} is nothing. */
const KERNEL_REACH = 30;
const KERNEL_TOP = 4;
/** Where the other keys leave less, the rest of the integral is left out. */
const LEFT_OUT = 1e-14;
/** The most steps of ln t, at which scores would differ by a thousand. */
const MOST = 4096;

/**
 * Returns the law of an increasing function of a normal deviate.
 * @param {(deviate: number) => number} score
 * @param {number} slope the greatest of the function
 * @returns {Law}
 */
export function normalLaw(score, slope) {
  const step = Math.min(DEVIATE_STEP, SCORE_STEP / slope);
  const half = Math.ceil(REACH / step);
  const deviates = times(2 * half + 1, (i) => (i - half) * step);
  return lawOf(deviates.map(score), deviates.map(normalDensity));
}

/**
 * Returns the law of gain·cos(q, k) for independent q and k of d ≥ 2 entries, where the density of the
 * cosine x = tanh ζ is proportional to (1 − x²)^{(d − 3)/2}.
 * @param {number} d
 * @param {number} gain
 * @returns {Law}
 */
export function cosineLaw(d, gain) {
  const reach = REACH / Math.sqrt(d - 1) + 4 / (d - 1);
  const step = Math.min(DEVIATE_STEP / Math.sqrt(d), SCORE_STEP / gain);
  const half = Math.ceil(reach / step);
  const zetas = times(2 * half + 1, (i) => (i - half) * step);
  return lawOf(
    zetas.map((zeta) => gain * Math.tanh(zeta)),
    zetas.map((zeta) => Math.cosh(zeta) ** (1 - d)),
  );
}

/** Brings densities to a sum of 1. @param {number[]} scores @param {number[]} densities @returns {Law} */
function lawOf(scores, densities) {
  const total = densities.reduce((a, b) => a + b);
  return {
    score: Float64Array.from(scores),
    weight: Float64Array.from(densities, (density) => density / total),
  };
}

/**
 * @typedef {object} RowMoments
 * @property {number} entropy E H in nats, where a sink counts as one more key
 * @property {number} maxWeight E of the largest weight of a key
 * @property {number} sumOfSquares E Σp² over keys
 * @property {number} sum E Σp over keys: 1, or less with a sink
 */

/**
 * Returns the expectations for p_j = e^{s_j}/(e^z + Σ e^{s_i}), of iid scores s and a sink z. With
 * x = e^s, t = e^u and φ(t) = E e^{−t x}, E Σp^m = n/Γ(m) ∫ E[(t x)^m e^{−t x}] φ^{n−1} e^{−t e^z} du, and
 * E max p the same for m = 1 with φ over smaller scores only. Four digits for scores that differ by less
 * than 400.
 * @param {Law} law
 * @param {{ keys: number, sink?: number, isLargest?: boolean }} options `sink` is z, by default −∞, which is none;
 *   isLargest: false leaves E max p at 0 and saves its time
 * @returns {RowMoments}
 */
export function rowMoments({ score, weight }, { keys, sink = -Infinity, isLargest = true }) {
  const last = score.length - 1;
  const top = Math.max(score[last], sink);
  const from = -top - BELOW - Math.log(keys);
  const count = Math.ceil((Math.max(-score[0], 0) + 4.5 - from) / STEP);
  const moments = { logSum: 0, scores: 0, maxWeight: 0, sumOfSquares: 0, sum: 0 };
  const nodes = nodesOf(weight);
  let isOver = false; // the other keys leave nothing at this t, nor at a greater one
  for (let i = 0; i < count; i++) {
    const u = from + i * STEP;
    moments.logSum += Math.exp(-Math.exp(u));
    if (isOver) continue;
    const held = Math.exp(-Math.exp(u + sink));
    const missing = decay({ score, weight, nodes }, u);
    const others = held * Math.exp((keys - 1) * Math.log1p(-Math.min(1, missing)));
    isOver = others < LEFT_OUT;
    if (isOver) continue;
    moments.logSum -= others * (1 - missing);
    addRow(moments, { score, nodes }, others);
    if (isLargest) moments.maxWeight += held * largest(nodes, keys, missing);
  }
  const unit = keys * STEP;
  const sum = unit * moments.sum;
  const sunk = sink > -Infinity ? sink * (1 - sum) : 0;
  return {
    entropy: STEP * moments.logSum - unit * moments.scores - sunk,
    maxWeight: unit * moments.maxWeight,
    sumOfSquares: unit * moments.sumOfSquares,
    sum,
  };
}

/**
 * Returns E (Σp)²/Σp² over n keys, the expected effective keys, for weights p_j in proportion to e^{s_j} of iid scores s.
 * With x = e^s, 1/Σx² = ∫ e^{−tΣx²} dt and t = e^u it is
 * 1 + n(n − 1) ∫ (E √t x e^{−t x²})² (E e^{−t x²})^{n−2} du. A sink cancels. Four digits.
 * @param {Law} law
 * @param {number} keys at least 2
 * @returns {number} 1 … n
 */
export function effectiveKeysOf({ score, weight }, keys) {
  let top = score.length - 1;
  let lost = 0; // the part of the scores above `top`, whose t x² is beyond the reach of e^{−t x²}
  let sum = 0;
  const to = 4.5 - 2 * Math.min(score[0], 0);
  for (let u = -2 * (score[top] + Math.log(keys)) - BELOW; u < to; u += STEP) {
    while (top >= 0 && 2 * score[top] + u > KERNEL_TOP) lost += weight[top--];
    let [missing, root] = [lost, 0];
    for (let i = top; i >= 0 && 2 * score[i] + u > -KERNEL_REACH; i--) {
      const power = Math.exp(2 * score[i] + u);
      const lost = lostOf(power);
      missing += weight[i] * lost;
      root += weight[i] * Math.sqrt(power) * (1 - lost);
    }
    const others = Math.max(0, 1 - missing) ** (keys - 2);
    if (others < 1e-14) break;
    sum += root * root * others;
  }
  return 1 + keys * (keys - 1) * STEP * sum;
}

/** Returns 1 − e^{−x}, which must not be lost where x is small; expm1 takes twice the time. @param {number} x */
const lostOf = (x) => (x < 1e-3 ? x * (1 - x / 2) : 1 - Math.exp(-x));

/** The nodes of a law at one t, from `first` on, where t x is more than nothing.
 *  @typedef {{ decays: Float64Array, powers: Float64Array, first: number }} Nodes */

/** e^{−40} is nothing beside 1. */
const NOTHING = -40;

/** Returns the nodes of a law at t = 0. @param {Float64Array} weight  @returns {Nodes} */
const nodesOf = (weight) => ({
  decays: weight.slice(),
  powers: new Float64Array(weight.length),
  first: weight.length,
});

/**
 * Writes the part of each node in φ(t), and t x, at a t that is greater than the last.
 * @param {Law & { nodes: Nodes }} law
 * @param {number} u ln t
 * @returns {number} 1 − φ(t)
 */
function decay({ score, weight, nodes }, u) {
  const { decays, powers } = nodes;
  while (nodes.first > 0 && score[nodes.first - 1] + u > NOTHING) nodes.first--;
  let missing = 0;
  for (let i = nodes.first; i < score.length; i++) {
    const y = score[i] + u;
    const power = y < KERNEL_TOP ? Math.exp(y) : Infinity;
    const lost = lostOf(power);
    powers[i] = power;
    decays[i] = weight[i] * (1 - lost);
    missing += weight[i] * lost;
  }
  return missing;
}

/**
 * Adds one t to the integrals.
 * @param {{ scores: number, sumOfSquares: number, sum: number }} moments
 * @param {{ score: Float64Array, nodes: Nodes }} law
 * @param {number} others what the other keys and the sink leave
 */
function addRow(moments, { score, nodes }, others) {
  const { decays, powers } = nodes;
  let [first, second, scores] = [0, 0, 0];
  for (let i = nodes.first; i < score.length; i++) {
    // Beyond float64, the power is met by no decay.
    if (decays[i] === 0) continue;
    const each = powers[i] * decays[i];
    first += each;
    second += powers[i] * each;
    scores += score[i] * each;
  }
  moments.sum += others * first;
  moments.sumOfSquares += others * second;
  moments.scores += others * scores;
}

/**
 * Returns Σ t x e^{−t x} (E[e^{−t x'}; s' < s])^{n−1}.
 * @param {Nodes} nodes
 * @param {number} keys
 * @param {number} missing 1 − φ(t)
 */
function largest({ decays, powers, first }, keys, missing) {
  let sum = 0;
  // From the greatest score downwards, so that what is above it starts at nothing.
  let above = missing;
  for (let i = decays.length - 1; i >= first; i--) {
    const here = decays[i];
    // Half of the node's own part lies above it; the next term is that of Euler and Maclaurin.
    const bend = ((decays[i + 1] ?? 0) - (decays[i - 1] ?? 0)) / 24;
    const beyond = above + here / 2 + bend;
    above += here;
    if (here === 0 || powers[i] < 1e-14) continue;
    if ((keys - 1) * beyond > 40) break;
    sum += powers[i] * here * Math.exp((keys - 1) * Math.log1p(-Math.min(1, beyond)));
  }
  return sum;
}

/**
 * Returns the expected weight of a key whose own score is given, among n − 1 others whose scores follow
 * the law: ∫ k(u + a) φ^{n−1} e^{−t e^z} du with k(y) = e^{y − e^y}.
 * @param {Law} law
 * @param {{ keys: number, sink?: number }} options as of `rowMoments`
 * @returns {(score: number) => number}
 */
export function weightAmong({ score, weight }, { keys, sink = -Infinity }) {
  const nodes = nodesOf(weight);
  const from = -Math.max(score[score.length - 1], sink, 0) - BELOW - Math.log(keys);
  /** Of the others and the sink, at u = from + i·STEP. @type {number[]} */
  const others = [];
  for (let i = 0, left = 1; left > 1e-12 && others.length < MOST; i++) {
    const u = from + i * STEP;
    const missing = decay({ score, weight, nodes }, u);
    left = Math.exp((keys - 1) * Math.log1p(-Math.min(1, missing)) - Math.exp(u + sink));
    others.push(left);
  }
  return (own) => {
    // Below `from` nothing is lost to others: there is 1 − e^{−e^{from + own}} in all.
    let sum = 0;
    for (let i = 0; i < others.length; i++) {
      const y = from + i * STEP + own;
      if (y > -KERNEL_REACH && y < KERNEL_TOP) sum += STEP * Math.exp(y - Math.exp(y)) * others[i];
    }
    const before = from - STEP / 2 + own;
    return Math.min(1, sum + (before > -KERNEL_REACH ? -Math.expm1(-Math.exp(before)) : 0));
  };
}
