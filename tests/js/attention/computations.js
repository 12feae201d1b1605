/**
 * Everything the package computes, on problems of any shape: the results that tests compare between
 * kernels and engines. Only the kernel that is given is used, so this runs unbundled in a page.
 */

/** @import { Kernel } from '../../../web/attention/index.js' */

/**
 * @typedef {object} Problem
 * @property {number} heads
 * @property {number} nQ
 * @property {number} nK
 * @property {number} dK
 * @property {number} dV
 * @property {number} hidden
 * @property {number} std  of the inputs
 * @property {false | 'upper-left' | 'lower-right'} causal
 * @property {boolean} masked
 * @property {boolean} cosine
 * @property {number} seed
 */

const EVERYTHING = /** @type {const} */ (['weights', 'scores', 'logSumExp']);
const MATRICES = /** @type {const} */ (['cappedScores', 'maskedScores', 'meanWeights']);

/** Returns numbers of all sizes, some of them not finite.
 *  @param {Kernel} kernel @param {number[]} shape @param {number} seed @param {number} std */
function numbers(kernel, shape, seed, std) {
  const t = kernel.randomNormal(shape, { seed, std });
  const places = kernel.randomUniform(shape, { seed: seed + 1 }).data;
  places.forEach((u, i) => {
    if (u < 0.002) t.data[i] = [NaN, Infinity, -Infinity, -0, 1e-42][i % 5];
  });
  return t;
}

/** @param {Kernel} kernel @param {Problem} problem */
function attend(kernel, problem) {
  const { query, key, value, options } = drawProblem(kernel, problem);
  return [
    kernel.attention(query, key, value, { ...options, returns: [...EVERYTHING, ...MATRICES] }),
    kernel.attentionScores(query, key, options),
  ];
}

/** @param {Kernel} kernel @param {Problem} problem */
function look(kernel, problem) {
  const { query, key, value, options } = drawProblem(kernel, problem);
  const { nQ, nK, seed } = problem;
  const grid = { rows: 1 + (seed % Math.max(nQ, 1)), columns: 1 + ((seed >> 8) % Math.max(nK, 1)) };
  const pool = /** @type {const} */ (['mean', 'max'])[seed % 2];
  const returns = /** @type {const} */ (['entropy', 'sinkWeight', 'receivedWeight']);
  return [
    kernel.attention(query, key, value, { ...options, returns }),
    kernel.attentionStatistics(query, key, options),
    nQ > 0 && nK > 0 ? kernel.attentionMap(query, key, { ...options, ...grid, pool }) : 0,
    kernel.scoreMoments(query, key),
    nQ > 0 && nK > 0 ? kernel.whyThisKey(query, key, { query: seed % nQ, key: seed % nK }) : 0,
  ];
}

/** @param {Kernel} kernel @param {Problem} problem */
function differentiate(kernel, problem) {
  const { query, key, value, options } = drawProblem(kernel, problem);
  const { heads, nQ, dV, seed } = problem;
  const dOutput = numbers(kernel, [heads, nQ, dV], seed + 30, 1);
  return kernel.attentionGradient(query, key, value, dOutput, options);
}

/** @param {Kernel} kernel @param {Problem} problem */
function drawProblem(kernel, { heads, nQ, nK, dK, dV, std, causal, masked, cosine, seed }) {
  const [query, key, value] = [[nQ, dK], [nK, dK], [nK, dV]].map((shape, i) =>
    numbers(kernel, [heads, ...shape], seed + 10 * i, std),
  ); // prettier-ignore
  const mask = masked ? numbers(kernel, [nQ, nK], seed + 40, 1) : null;
  mask?.data.forEach((x, i) => x > 1 && (mask.data[i] = -Infinity));
  /** @type {'cosine' | 'dot'} */
  const similarity = cosine ? 'cosine' : 'dot';
  const options = { causal, mask, similarity, ...modernOptions(kernel, heads, nK, seed) };
  return { query, key, value, options };
}

/** Caps, windows, offsets, lengths and sinks, each in half of the problems.
 *  @param {Kernel} kernel @param {number} heads @param {number} nK @param {number} seed */
function modernOptions(kernel, heads, nK, seed) {
  const has = (/** @type {number} */ bit) => ((seed >> bit) & 1) === 1;
  return {
    softcap: has(0) ? 1.5 : null,
    window: has(1) ? /** @type {const} */ ([seed % 20, (seed >> 5) % 20]) : null,
    offset: has(2) ? (seed % 30) - 10 : null,
    keyLengths: has(3) ? [seed % (nK + 1)] : null,
    sink: has(4) ? kernel.randomNormal([heads], { seed }) : null,
  };
}

/** @param {Kernel} kernel @param {Problem} problem */
function halve(kernel, { nQ, nK, std, seed }) {
  const x = numbers(kernel, [nQ, nK], seed, std);
  return [
    kernel.roundToFloat16(x),
    kernel.roundToBFloat16(x),
    kernel.softmaxFloat16(x),
    kernel.softmaxFloat16(x, { subtractMax: false }),
  ];
}

/** @param {Kernel} kernel @param {Problem} problem */
function layer(kernel, { heads, nQ, nK, dK, dV, std, causal, masked, seed }) {
  const draw = (/** @type {number[]} */ shape, /** @type {number} */ i, size = 0.3) =>
    numbers(kernel, shape, seed + 10 * i, size);
  const [x, context] = [draw([2, nQ, dK], 0, std), draw([2, nK, dV], 1, std)];
  const [d, kvHeads] = [1 + (dK % 9), heads % 2 ? 1 : 2];
  const parameters = {
    queryWeight: draw([heads * d, dK], 2),
    keyWeight: draw([kvHeads * d, dV], 3),
    valueWeight: draw([kvHeads * d, dV], 4),
    outputWeight: draw([dK, heads * d], 5),
    keyBias: draw([kvHeads * d], 6),
    outputBias: draw([dK], 7),
  };
  const mask = masked ? draw([nQ, nK], 8, 1) : null;
  const options = { heads, kvHeads, context, causal, mask };
  const dOutput = draw([2, nQ, dK], 9, 1);
  return [
    kernel.multiHeadAttention(x, parameters, { ...options, returns: ['weights', 'query'] }),
    kernel.multiHeadAttentionGradient(x, parameters, dOutput, options),
  ];
}

/** @param {Kernel} kernel @param {Problem} problem */
function mapLinearly(kernel, { nQ, dK, dV, std, seed }) {
  const x = numbers(kernel, [nQ, dK], seed, std);
  const weight = numbers(kernel, [dV, dK], seed + 10, 0.3);
  const bias = numbers(kernel, [dV], seed + 20, 1);
  const dOutput = numbers(kernel, [nQ, dV], seed + 30, 1);
  return [kernel.linear(x, weight, bias), kernel.linearGradient(x, weight, dOutput)];
}

/** Attends with few queries and keys and no subnormal numbers, since the pairwise form in JavaScript
 *  is slow.
 *  @param {Kernel} kernel @param {Problem} problem */
function attendAdditively(kernel, { dK, dV, hidden, std, causal, seed, ...counts }) {
  const [nQ, nK] = [counts.nQ % 13, counts.nK % 41];
  const draw = (/** @type {number[]} */ shape, /** @type {number} */ i) =>
    numbers(kernel, shape, seed + 10 * i, Math.min(Math.max(std, 0.1), 8));
  const [query, key, value] = [draw([nQ, dV + 1], 0), draw([nK, dK], 1), draw([nK, dV], 2)];
  const layer = {
    queryWeight: draw([hidden, dV + 1], 3),
    keyWeight: draw([hidden, dK], 4),
    scoreWeight: draw([hidden], 5),
    bias: draw([hidden], 6),
  };
  const options = { ...layer, causal, returns: EVERYTHING };
  const pairwise = { ...options, method: /** @type {const} */ ('pairwise') };
  return [
    kernel.additiveAttention(query, key, value, options),
    kernel.additiveAttention(query, key, value, pairwise),
    kernel.additiveAttentionGradient(query, key, value, draw([nQ, dV], 7), options),
  ];
}

/** @param {Kernel} kernel @param {Problem} problem */
function rows(kernel, { nQ, nK, std, seed }) {
  const x = numbers(kernel, [nQ, nK], seed, std);
  const dOutput = numbers(kernel, [nQ, nK], seed + 10, 1);
  const p = kernel.softmax(x, { temperature: 1.5 });
  return [
    p,
    kernel.logSoftmax(x, { temperature: 0.5 }),
    kernel.logSumExp(x),
    kernel.softmaxGradient(x, dOutput),
    kernel.softmaxJacobian(kernel.tensor(x.data.subarray(0, nK), [nQ === 0 ? 0 : nK])),
    kernel.entropy(p),
    kernel.effectiveKeys(p),
    kernel.jacobianTrace(p),
    kernel.describe(x),
  ];
}

/** Returns random numbers of two distributions.
 *  @param {Kernel} kernel @param {Problem} problem */
function draw(kernel, { nQ, nK, dK, std, seed }) {
  const options = { seed, stream: nQ * 2 ** 40 + nK };
  return [
    kernel.randomNormal([nK * dK], { ...options, mean: std, std }),
    kernel.randomUniform([nK * dK], { ...options, low: -std, high: 3 * std }),
    kernel.rotary(kernel.randomNormal([nQ, 2 * dK], options), { base: 1 + (seed % 1000) }),
  ];
}

/**
 * By the kind of computation.
 * @type {Record<string, (kernel: Kernel, problem: Problem) => unknown>}
 */
export const COMPUTATIONS = {
  attention: attend,
  'statistics and maps of attention': look,
  'gradients of attention': differentiate,
  'additive attention and its gradients': attendAdditively,
  'multi-head layers and their gradients': layer,
  'linear maps and their gradients': mapLinearly,
  '16-bit formats': halve,
  'functions of rows and statistics': rows,
  'numbers of random streams': draw,
};

/**
 * Returns a problem; its sizes, from low to high, follow from its index alone.
 * @param {number} index
 * @returns {Problem}
 */
function problemOf(index) {
  let state = index;
  const integer = (/** @type {number} */ low, /** @type {number} */ high) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0; // Numerical Recipes
    return low + ((state >>> 8) % (high - low + 1));
  };
  return {
    heads: integer(1, 3),
    nQ: integer(0, 20),
    nK: integer(0, 5) === 0 ? integer(41, 140) : integer(0, 40),
    dK: integer(1, 40),
    dV: integer(0, 40),
    hidden: integer(1, 40),
    std: [1e-20, 0.1, 1, 8, 1e15][integer(0, 4)],
    causal: /** @type {const} */ ([false, 'upper-left', 'lower-right'])[integer(0, 2)],
    masked: integer(0, 1) === 1,
    cosine: integer(0, 1) === 1,
    seed: integer(0, 2 ** 24 - 1),
  };
}

/**
 * Returns a hash of every bit of `count` results of each kind of computation, save of NaN: there one is like
 * another, because payloads are not promised.
 * @param {Kernel} kernel
 * @param {number} count
 * @returns {Record<string, string>} by kind
 */
export function hashComputations(kernel, count) {
  const hashes = Object.entries(COMPUTATIONS).map(([name, compute], kind) => {
    let hash = 0;
    for (let i = 0; i < count; i++)
      hash = mix(hash, compute(kernel, problemOf(kind * 2 ** 16 + i)));
    return [name, (hash >>> 0).toString(16)];
  });
  return Object.fromEntries(hashes);
}

const number = new Float64Array(1);
const words = new Uint32Array(number.buffer);

/** Mixes every number of a result into a hash, as the two words of a float64, which holds each float32.
 *  @param {number} hash @param {any} result @returns {number} */
function mix(hash, result) {
  if (typeof result === 'number') {
    number[0] = result;
    if (Number.isNaN(result)) words.set([0, 0x7ff80000]);
    for (let i = 0; i < 2; i++) {
      hash = Math.imul(hash ^ words[i], 0x9e3779b1); // one to one in either: no difference is lost
      hash ^= hash >>> 15;
    }
    return hash;
  }
  const parts = result.data ?? result;
  for (const part of parts[Symbol.iterator] ? parts : Object.values(parts)) hash = mix(hash, part);
  return hash;
}
