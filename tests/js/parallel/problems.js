/**
 * Problems of any shape and all options for the functions of a pool, drawn from a seed, and a pool that
 * cuts every call, however small, into a given number of parts.
 */
import { randomNormal, randomUniform } from '../../../web/attention/index.js';
import * as FUNCTIONS from '../../../web/attention/functions.js';
import { Pool } from '../../../web/parallel/pool.js';
import { drawMask } from '../attention/problems.js';

/** @typedef {{ name: string, args: any[], parts: number }} Problem */

/**
 * Returns a pool whose workers do every call, in as many parts as `parts.count` says.
 * @param {number} workers
 * @param {'auto' | 'simd' | 'relaxed' | 'js'} [backend]
 */
export function eagerPool(workers, backend = 'auto') {
  const parts = { count: 1 };
  /** @type {Omit<Pool, 'call'> & { call: (name: string, args: unknown[]) => Promise<any> }} */
  const pool = new Pool(workers, backend);
  pool.isSmall = () => false;
  pool.countOf = () => parts.count;
  return { pool, parts };
}

/** Returns a function that draws whole numbers and choices. @param {number} seed */
function drawer(seed) {
  let place = 0;
  const { data } = randomUniform([200], { seed, stream: 77 });
  const integer = (/** @type {number} */ least, /** @type {number} */ most) =>
    least + Math.floor(data[place++] * (most - least + 1));
  /** @template T @param {readonly T[]} choices @returns {T} */
  const choose = (choices) => choices[integer(0, choices.length - 1)];
  return { integer, choose };
}

/** Numbers of which some are not finite, in a part of the problems.
 *  @param {number[]} shape @param {number} seed @param {boolean} isWild */
function numbers(shape, seed, isWild) {
  const tensor = randomNormal(shape, { seed });
  if (!isWild) return tensor;
  const { data: places } = randomUniform(shape, { seed, stream: 5 });
  const wild = [NaN, Infinity, -Infinity, -0, 1e-42, 3e38];
  places.forEach((u, i) => u < 0.003 && (tensor.data[i] = wild[i % wild.length]));
  return tensor;
}

const FORWARD = ['weights', 'scores', 'cappedScores', 'maskedScores', 'meanWeights', 'logSumExp'];
const STATISTICS = [
  'entropy',
  'effectiveKeys',
  'scoreDeviation',
  'previousWeight',
  'receivedWeight',
];

/**
 * Returns a problem of attention: any leading axes, grouped heads, every option.
 * @param {number} seed
 * @param {'attention' | 'attentionScores' | 'attentionStatistics' | 'attentionMap' | 'attentionGradient'} name
 * @returns {Problem}
 */
export function attentionProblem(seed, name) {
  const { integer, choose } = drawer(seed);
  const isWild = integer(0, 3) === 0;
  const axes = integer(2, 4);
  const [batch, kvHeads] = [axes > 3 ? integer(1, 4) : 1, axes > 2 ? integer(1, 3) : 1];
  const heads = kvHeads * (axes > 2 ? integer(1, 3) : 1);
  const isMap = name === 'attentionMap'; // which is divided by blocks of queries where rows are so too
  const least = isMap ? 1 : 0;
  const isLong = integer(0, 3) === 0; // so long that queries are divided
  const longest = isMap ? 128 * integer(2, 5) : integer(256, 600);
  const [nQ, nK] = [
    isLong ? longest : integer(0, 9) === 0 ? integer(least, 3) : integer(1, 150),
    integer(0, 9) === 0 ? integer(least, 20) : integer(1, isLong ? 60 : 300),
  ];
  const [dK, dV] = [integer(1, 40), integer(0, 8) === 0 ? 0 : integer(1, 40)];
  const lead = (/** @type {number} */ count) => [batch, count].slice(4 - axes);
  const [query, key, value, dOutput] = [
    [...lead(heads), nQ, dK],
    [...lead(kvHeads), nK, dK],
    [...lead(kvHeads), nK, dV],
    [...lead(heads), nQ, dV],
  ].map((shape, i) => numbers(shape, seed * 4 + i, isWild)); // prettier-ignore
  const options = {
    ...scoring(integer, choose, { batch, heads, nQ, nK, axes, seed }),
    ...(integer(0, 2) === 0 && { softcap: 1.5 }),
    ...(integer(0, 3) === 0 && { scale: 0.3, temperature: 0.7 }),
    similarity: choose(['dot', 'dot', 'cosine']),
  };
  const isStatistics = name === 'attentionStatistics';
  const choices = isStatistics ? ['logSumExp', ...STATISTICS] : [...FORWARD, ...STATISTICS];
  const wanted = choices.filter(() => integer(0, 2) === 0);
  const extra = wanted.filter((extra) => name !== 'attentionScores' || extra !== 'scores');
  const parts = choose([1, 2, 3, 5, 8, 13, 40]);
  if (name === 'attentionGradient')
    return { name, args: [query, key, value, dOutput, options], parts };
  if (isMap) {
    const [rows, columns] = [choose([integer(1, nQ), Math.ceil(nQ / 8)]), integer(1, nK)];
    const grid = { rows, columns, pool: choose(['mean', 'max']) };
    return { name, args: [query, key, { ...options, ...grid }], parts };
  }
  const all = { ...options, returns: extra };
  return { name, args: [query, key, ...(name === 'attention' ? [value] : []), all], parts };
}

/** Draws which keys a query may see, and a sink. @param {(least: number, most: number) => number} integer
 *  @param {<T>(choices: readonly T[]) => T} choose @param {Record<string, number>} sizes */
function scoring(integer, choose, { batch, heads, nQ, nK, axes, seed }) {
  const kind = choose(/** @type {const} */ (['none', 'none', 'boolean', 'additive', 'dead']));
  const leads = [[], [1], [heads], [1, 1], [batch, 1], [1, heads], [batch, heads]];
  const lead = choose(leads.filter(({ length }) => length <= Math.max(axes - 2, 0)));
  const rows = choose([nQ, nQ, 1]);
  const { mask } = drawMask(kind, [...lead, rows, nK], seed);
  const isShared = integer(0, 1) === 0;
  const per = (/** @type {() => number} */ draw) => [...Array(batch)].map(draw);
  return {
    causal: choose([false, false, true, 'upper-left', 'lower-right']),
    mask,
    ...(integer(0, 2) === 0 && { window: [integer(-1, 40), integer(-1, 40)] }),
    ...(integer(0, 2) === 0 && { offset: isShared ? integer(-30, 60) : per(() => integer(-30, 60)) }),
    ...(integer(0, 2) === 0 && { keyLengths: per(() => integer(0, nK)) }),
    ...(integer(0, 2) === 0 && { sink: isShared ? 0.5 : randomNormal([heads], { seed, stream: 3 }) }),
  }; // prettier-ignore
}

/**
 * Returns a problem of additive attention.
 * @param {number} seed
 * @param {'additiveAttention' | 'additiveAttentionGradient'} name
 * @returns {Problem}
 */
export function additiveProblem(seed, name) {
  const { integer, choose } = drawer(seed);
  const isWild = integer(0, 3) === 0;
  const axes = integer(2, 4);
  const [batch, heads] = [axes > 3 ? integer(1, 3) : 1, axes > 2 ? integer(1, 3) : 1];
  const [nQ, nK, dQ, dK, dV, hidden] = [integer(0, 3) === 0 ? integer(256, 500) : integer(0, 90), integer(0, 60), ...[9, 9, 9, 12].map((most) => integer(1, most))]; // prettier-ignore
  const lead = [batch, heads].slice(4 - axes);
  const draw = (/** @type {number[]} */ shape, /** @type {number} */ i) =>
    numbers(shape, seed * 9 + i, isWild);
  const [query, key, value] = [draw([...lead, nQ, dQ], 0), draw([...lead, nK, dK], 1), draw([...lead, nK, dV], 2)]; // prettier-ignore
  const options = {
    ...scoring(integer, choose, { batch, heads, nQ, nK, axes, seed }),
    queryWeight: draw([hidden, dQ], 3),
    keyWeight: draw([hidden, dK], 4),
    scoreWeight: draw([hidden], 5),
    ...(integer(0, 1) === 0 && { bias: draw([hidden], 6) }),
    method: choose(['factored', 'factored', 'pairwise']),
  };
  const parts = choose([1, 2, 3, 5, 8]);
  if (name === 'additiveAttentionGradient') {
    return { name, args: [query, key, value, draw([...lead, nQ, dV], 7), options], parts };
  }
  const returns = ['weights', 'scores', 'logSumExp'].filter(() => integer(0, 1) === 0);
  return { name, args: [query, key, value, { ...options, returns }], parts };
}

/**
 * Returns a problem of a layer.
 * @param {number} seed
 * @param {'multiHeadAttention' | 'multiHeadAttentionGradient'} name
 * @returns {Problem}
 */
export function layerProblem(seed, name) {
  const { integer, choose } = drawer(seed);
  const isWild = integer(0, 3) === 0;
  const axes = integer(2, 3);
  const batch = axes === 3 ? integer(0, 4) : 1;
  const [nQ, dModel, dContext, d] = [integer(0, 70), integer(1, 20), integer(1, 20), integer(1, 9)];
  const [kvHeads, shared] = [integer(1, 2), integer(1, 3)];
  const [heads, hasContext] = [kvHeads * shared, integer(0, 1) === 0];
  const nK = hasContext ? integer(0, 90) : nQ;
  const lead = [batch].slice(3 - axes);
  const draw = (/** @type {number[]} */ shape, /** @type {number} */ i) =>
    numbers(shape, seed * 11 + i, isWild);
  const width = hasContext ? dContext : dModel;
  const parameters = {
    queryWeight: draw([heads * d, dModel], 2),
    keyWeight: draw([kvHeads * d, width], 3),
    valueWeight: draw([kvHeads * d, width], 4),
    outputWeight: draw([dModel, heads * d], 5),
    ...(integer(0, 1) === 0 && { keyBias: draw([kvHeads * d], 6), outputBias: draw([dModel], 7) }),
  };
  const sizes = { batch, heads, nQ, nK, axes: axes + 1, seed };
  const options = {
    ...scoring(integer, choose, sizes),
    heads,
    kvHeads,
    ...(hasContext && { context: draw([...lead, nK, width], 8) }),
  };
  const parts = choose([1, 2, 3, 5, 8]);
  const x = draw([...lead, nQ, dModel], 0);
  if (name === 'multiHeadAttentionGradient') {
    return { name, args: [x, parameters, draw([...lead, nQ, dModel], 9), options], parts };
  }
  const extras = ['weights', 'meanWeights', 'query', 'key', 'value', 'concatenated'];
  return { name, args: [x, parameters, { ...options, returns: extras.filter(() => integer(0, 1) === 0) }], parts }; // prettier-ignore
}

/** Functions of rows. */
export const ROWS = Object.keys(FUNCTIONS).filter((name) =>
  /softmax|logSum|entropy|effective|trace|round/i.test(name),
);

/** Returns a problem of a function that cuts rows, or is not cut. @param {number} seed @param {string} name
 *  @returns {Problem} */
export function otherProblem(seed, name) {
  const { integer, choose } = drawer(seed);
  const isWild = integer(0, 3) === 0;
  const columns = integer(0, 60);
  const shape = choose([
    [columns],
    [integer(0, 40), columns],
    [integer(1, 4), integer(1, 30), columns],
  ]);
  const x = numbers(shape, seed, isWild);
  const parts = choose([1, 2, 3, 5, 8]);
  const dOutput = numbers(shape, seed + 1, isWild);
  const hasTemperature = /^(softmax|log)/.test(name) && name !== 'softmaxFloat16';
  const options = hasTemperature && integer(0, 1) ? { temperature: 0.7 } : undefined;
  if (ROWS.includes(name)) {
    return { name, args: name === 'softmaxGradient' ? [x, dOutput, options] : [x, options], parts };
  }
  const weight = numbers([integer(1, 30), columns], seed + 2, isWild);
  const even = numbers(
    [...shape.slice(0, -2), integer(0, 20), 2 * integer(1, 9)],
    seed + 3,
    isWild,
  );
  const n = even.shape[even.shape.length - 2];
  const y = [...shape.slice(0, -1), weight.shape[0]];
  const positions = integer(0, 1) ? [...Array(n)].map(() => integer(-50, 50)) : undefined;
  /** @type {Record<string, any[]>} */
  const args = {
    linear: [x, weight, integer(0, 1) ? numbers([weight.shape[0]], seed, false) : undefined],
    linearGradient: [x, weight, numbers(y, seed + 4, isWild)],
    rotary: [even, { positions, pairing: choose(['halves', 'neighbours']), inverse: integer(0, 1) === 1 }],
    randomNormal: [shape, { seed, stream: 3, std: 2 }],
    randomUniform: [shape, { seed, low: -1 }],
    describe: [x],
    tensor: [x, [x.data.length]],
    toNested: [x],
    rows: [x, ['item', 'query', 'key'].slice(3 - shape.length)],
    parameterCount: [{ dModel: 8 * integer(1, 9), heads: 4 }],
    scoreMoments: [numbers([2, 8, 4], seed, isWild), numbers([2, 9, 4], seed + 1, isWild)],
    whyThisKey: [numbers([2, 8, 4], seed, isWild), numbers([2, 9, 4], seed + 1, isWild), { query: integer(0, 7), key: integer(0, 8) }],
    diagnose: [numbers([2, 8, 4], seed, isWild), numbers([2, 9, 4], seed + 1, isWild), { causal: integer(0, 1) === 1 }],
  }; // prettier-ignore
  return { name, args: args[name], parts };
}
