/**
 * Every function of the package, with the arguments of any problem: for the contract of all functions, for
 * the bits of engines, where this runs unbundled in a page, and for those of the pool.
 */

/** @import { Kernel, Tensor } from '../../../web/attention/index.js' */

/**
 * What draws a problem. `has` is true once in `odds` draws; numbers of a wild problem are not all finite.
 *
 * @typedef {object} Draw
 * @property {number} seed
 * @property {(low: number, high: number) => number} integer
 * @property {<T>(choices: readonly T[]) => T} choose
 * @property {(odds: number) => boolean} has
 * @property {boolean} isWild
 * @property {number} std of tensors
 * @property {{ axes: number, batch: number, heads: number, kvHeads: number, nQ: number, nK: number,
 *   dK: number, dV: number, hidden: number }} sizes
 */

/**
 * Returns what draws the problem of a seed, the same in every engine.
 * @param {number} seed
 * @param {number} [longest] the most queries; beyond 255 some problems can be divided between queries
 * @returns {Draw}
 */
export function drawer(seed, longest = 40) {
  let state = seed;
  const integer = (/** @type {number} */ low, /** @type {number} */ high) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0; // Numerical Recipes
    return low + ((state >>> 8) % (high - low + 1));
  };
  for (let i = 0; i < 4; i++) integer(0, 0); // seeds in a row begin alike
  /** @template T @param {readonly T[]} choices @returns {T} */
  const choose = (choices) => choices[integer(0, choices.length - 1)];
  const has = (/** @type {number} */ odds) => integer(1, odds) === 1;
  const axes = integer(2, 4);
  const kvHeads = axes > 2 ? integer(1, 2) : 1;
  const isLong = longest > 255 && has(4);
  const nQ = isLong ? choose([integer(256, longest), 128 * integer(2, longest / 128)]) : integer(0, 40);
  const sizes = {
    axes,
    batch: axes > 3 ? integer(1, 3) : 1,
    heads: kvHeads * (axes > 2 ? integer(1, 3) : 1),
    kvHeads,
    nQ,
    nK: integer(0, 3) === 0 && !isLong ? integer(41, 140) : integer(0, 40),
    dK: integer(1, 40),
    dV: integer(0, 40),
    hidden: integer(1, 20),
  }; // prettier-ignore
  return { seed, integer, choose, has, isWild: has(4), std: choose([1, 1, 0.1, 8, 1e-20, 1e15]), sizes };
} // prettier-ignore

/** A small problem with every option. @type {Draw} */
export const EVERYTHING = {
  seed: 1,
  integer: (low, high) => Math.min(high, Math.max(low, 2)),
  choose: (choices) => choices[choices.length - 1],
  has: () => true,
  isWild: false,
  std: 1,
  sizes: { axes: 3, batch: 1, heads: 2, kvHeads: 1, nQ: 3, nK: 4, dK: 2, dV: 5, hidden: 6 },
};

/** Draws a tensor. @param {Kernel} lab @param {Draw} draw @param {number[]} shape @param {number} stream
 *  @param {number} [std] @returns {Tensor} */
function numbers(lab, { seed, isWild, std: usual }, shape, stream, std = usual) {
  const tensor = lab.randomNormal(shape, { seed, stream, std });
  if (!isWild) return tensor;
  const { data: places } = lab.randomUniform(shape, { seed, stream: stream + 50 });
  const wild = [NaN, Infinity, -Infinity, -0, 1e-42, 3e38];
  places.forEach((u, i) => u < 0.003 && (tensor.data[i] = wild[i % wild.length]));
  return tensor;
}

/** Draws a mask, which forbids whole rows in some problems. @param {Kernel} lab @param {Draw} draw
 *  @param {number} lead the most leading axes */
function maskOf(lab, { seed, choose, sizes: { batch, heads, nQ, nK } }, lead) {
  const kind = choose(['none', 'none', 'dead', 'boolean', 'additive']);
  if (kind === 'none') return null;
  const leads = [[batch, heads], [1, heads], [batch, 1], [1, 1], [heads], [1], []];
  const own = choose(leads.filter(({ length }) => length <= lead));
  const shape = [...own, choose([1, nQ, nQ]), nK];
  const { data } = lab.randomUniform(shape, { seed, stream: 20 });
  const rows = lab.randomUniform([data.length / Math.max(nK, 1)], { seed, stream: 21 }).data;
  const isOpen = (/** @type {number} */ u, /** @type {number} */ i) =>
    u > 0.3 && !(kind === 'dead' && rows[Math.floor(i / nK)] < 0.4);
  if (kind !== 'additive') return { data: Uint8Array.from(data, (u, i) => Number(isOpen(u, i))), shape };
  return { data: data.map((u, i) => (isOpen(u, i) ? 2 * u - 1 : -Infinity)), shape };
} // prettier-ignore

/** Draws which keys a query may see, and a sink. @param {Kernel} lab @param {Draw} draw @param {number} lead */
function visible(lab, draw, lead) {
  const { integer, choose, has, sizes } = draw;
  const { batch, heads, nK } = sizes;
  const perItem = (/** @type {() => number} */ make) => Array.from({ length: batch }, make);
  return {
    causal: choose(['upper-left', true, false, false, 'lower-right']),
    mask: maskOf(lab, draw, lead),
    ...(has(3) && { window: [integer(-1, 40), integer(-1, 40)] }),
    ...(has(3) && { offset: choose([integer(-30, 60), perItem(() => integer(-30, 60))]) }),
    ...(has(3) && { keyLengths: perItem(() => Math.min(nK, integer(0, nK))) }),
    ...(has(3) && { sink: choose([0.5, lab.randomNormal([heads], { seed: draw.seed, stream: 22 })]) }),
  };
} // prettier-ignore

/** Draws how dot products become weights. @param {Kernel} lab @param {Draw} draw @param {number} lead */
const scoring = (lab, draw, lead) => ({
  ...visible(lab, draw, lead),
  ...(draw.has(3) && { softcap: 1.5 }),
  ...(draw.has(4) && { scale: 0.3, temperature: 0.7 }),
});

/** Options of attention. @param {Kernel} lab @param {Draw} draw */
const attentionOptions = (lab, draw) => ({
  ...scoring(lab, draw, draw.sizes.axes - 2),
  similarity: draw.choose(['dot', 'dot', 'cosine']),
});

/** Draws some of the names. @param {Draw} draw @param {readonly string[]} names */
const some = ({ has }, names) => names.filter(() => has(3));

const MATRICES = ['weights', 'cappedScores', 'maskedScores', 'meanWeights'];
const STATISTICS = [
  'logSumExp',
  'entropy',
  'effectiveKeys',
  'jacobianTrace',
  'largestWeight',
  'largestScore',
  'scoreMean',
  'scoreDeviation',
  'visibleKeys',
  'firstWeight',
  'previousWeight',
  'sinkWeight',
  'receivedWeight',
];

/** Draws queries, keys, values and ∂L/∂output, by the heads of the keys. @param {Kernel} lab @param {Draw} draw
 *  @param {number} [kvHeads] @param {number} [dQ] */
function tensorsOf(lab, draw, kvHeads = draw.sizes.kvHeads, dQ = draw.sizes.dK) {
  const { axes, batch, heads, nQ, nK, dK, dV } = draw.sizes;
  const lead = (/** @type {number} */ count) => [batch, count].slice(4 - axes);
  const shapes = [
    [...lead(heads), nQ, dQ],
    [...lead(kvHeads), nK, dK],
    [...lead(kvHeads), nK, dV],
    [...lead(heads), nQ, dV],
  ];
  return shapes.map((shape, i) => numbers(lab, draw, shape, i));
}

/** Arguments of additive attention. @param {Kernel} lab @param {Draw} draw */
function additive(lab, draw) {
  const { axes, dK, hidden, heads } = draw.sizes;
  const dQ = draw.integer(1, 9);
  const [query, key, value, dOutput] = tensorsOf(lab, draw, heads, dQ);
  const options = {
    queryWeight: numbers(lab, draw, [hidden, dQ], 5, 1),
    keyWeight: numbers(lab, draw, [hidden, dK], 6, 1),
    scoreWeight: numbers(lab, draw, [hidden], 7, 1),
    ...(draw.has(2) && { bias: numbers(lab, draw, [hidden], 8, 1) }),
    ...visible(lab, draw, axes - 2),
    method: draw.choose(['factored', 'pairwise', 'factored']),
  };
  return { query, key, value, dOutput, options };
}

/** Arguments of a layer. @param {Kernel} lab @param {Draw} draw */
function layer(lab, draw) {
  const { axes, batch, heads, kvHeads, nQ, dK, dV } = draw.sizes;
  const hasContext = draw.has(2);
  const nK = hasContext ? draw.sizes.nK : nQ;
  const [d, width] = [draw.integer(1, 9), hasContext ? dV + 1 : dK];
  const lead = axes > 3 ? [batch] : [];
  const weight = (/** @type {number[]} */ shape, /** @type {number} */ stream) =>
    numbers(lab, draw, shape, stream, 0.3);
  const parameters = {
    queryWeight: weight([heads * d, dK], 5),
    keyWeight: weight([kvHeads * d, width], 6),
    valueWeight: weight([kvHeads * d, width], 7),
    outputWeight: weight([dK, heads * d], 8),
    ...(draw.has(2) && { queryBias: weight([heads * d], 9), keyBias: weight([kvHeads * d], 10) }),
    ...(draw.has(2) && { valueBias: weight([kvHeads * d], 11), outputBias: weight([dK], 12) }),
  };
  const options = {
    heads,
    kvHeads,
    ...(hasContext && { context: numbers(lab, draw, [...lead, nK, width], 1) }),
    ...scoring(lab, { ...draw, sizes: { ...draw.sizes, batch: lead[0] ?? 1, nK } }, lead.length + 1),
  };
  const x = numbers(lab, draw, [...lead, nQ, dK], 0);
  return { x, parameters, options, dOutput: numbers(lab, draw, [...lead, nQ, dK], 2) };
} // prettier-ignore

/** Draws rows. @param {Kernel} lab @param {Draw} draw @param {number} [stream] */
const rows = (lab, draw, stream = 0) =>
  numbers(lab, draw, [draw.sizes.heads, draw.sizes.nQ % 50, draw.sizes.nK].slice(3 - Math.min(draw.sizes.axes, 3)), stream); // prettier-ignore

/** Draws distributions. @param {Kernel} lab @param {Draw} draw */
const distributions = (lab, draw) => lab.softmax(rows(lab, draw), { temperature: 1.5 });

/** Draws queries and keys of two heads, without those of no number. @param {Kernel} lab @param {Draw} draw */
const pairs = (lab, draw) => [7, 9].map((n, i) => numbers(lab, draw, [2, n, draw.sizes.dK], i));

/** Draws a temperature. @param {Draw} draw @returns {{ temperature?: number }} */
const temperature = ({ has }) => (has(2) ? { temperature: 0.7 } : {});

/**
 * The arguments of each function, with their names in messages; `options` or `parameters` are no tensors.
 * `isPlain`: its numbers come from JavaScript, whose engines differ.
 *
 * @typedef {{ names: string[], args: (lab: Kernel, draw: Draw) => any[], isPlain?: boolean }} Problem
 * @type {Record<string, Problem>}
 */
export const PROBLEMS = {
  softmax: ofRows(temperature),
  logSoftmax: ofRows(temperature),
  logSumExp: ofRows(temperature),
  softmaxJacobian: ofRows(temperature),
  softmaxGradient: {
    names: ['x', 'dOutput', 'options'],
    args: (lab, draw) => [rows(lab, draw), rows(lab, draw, 1), temperature(draw)],
  },
  roundToFloat16: ofRows(() => ({})),
  roundToBFloat16: ofRows(() => ({})),
  softmaxFloat16: ofRows(({ has }) => (has(2) ? { subtractMax: has(2) } : {})),
  entropy: ofDistributions(),
  effectiveKeys: ofDistributions(),
  jacobianTrace: ofDistributions(),
  describe: { names: ['x'], args: (lab, draw) => [rows(lab, draw)] },
  tensor: { names: ['data'], args: (lab, draw) => [rows(lab, draw)] },
  toNested: { names: ['t'], args: (lab, draw) => [rows(lab, draw)] },
  rows: {
    names: ['t', 'axes'],
    args(lab, draw) {
      const t = rows(lab, draw);
      return [t, ['item', 'query', 'key'].slice(3 - t.shape.length)];
    },
  },
  parameterCount: {
    names: ['options'],
    args: (_, { integer }) => [{ dModel: 8 * integer(1, 9), heads: 4 }],
  },
  linear: {
    names: ['x', 'weight', 'bias', 'options'],
    args: (lab, draw) => [rows(lab, draw), weightOf(lab, draw), biasOf(lab, draw), {}],
  },
  linearGradient: {
    names: ['x', 'weight', 'dOutput', 'options'],
    args(lab, draw) {
      const [x, weight] = [rows(lab, draw), weightOf(lab, draw)];
      return [x, weight, numbers(lab, draw, [...x.shape.slice(0, -1), weight.shape[0]], 3), {}];
    },
  },
  rotary: {
    names: ['x', 'options'],
    args(lab, draw) {
      const { choose, has, integer, sizes } = draw;
      const n = sizes.nQ % 50;
      const positions = has(2) ? [...Array(n)].map(() => integer(-50, 50)) : undefined;
      const x = numbers(lab, draw, [sizes.heads, n, 2 * sizes.dK], 0);
      const others = { base: integer(1, 1000), pairing: choose(['halves', 'neighbours']), inverse: has(2) };
      return [x, { positions, ...others }];
    },
  },
  randomNormal: {
    names: ['shape', 'options'],
    args: (_, { seed, sizes, std }) => [[sizes.nQ, sizes.nK], { seed, stream: sizes.dK * 2 ** 40 + 3, mean: std, std }],
  },
  randomUniform: {
    names: ['shape', 'options'],
    args: (_, { seed, sizes, std }) => [[sizes.nQ, sizes.nK], { seed, low: -std, high: 3 * std }],
  },
  attention: {
    names: ['query', 'key', 'value', 'options'],
    args(lab, draw) {
      const returns = some(draw, [...MATRICES, 'scores', ...STATISTICS]);
      return [...tensorsOf(lab, draw).slice(0, 3), { ...attentionOptions(lab, draw), returns }];
    },
  },
  attentionScores: {
    names: ['query', 'key', 'options'],
    args(lab, draw) {
      const returns = some(draw, [...MATRICES, ...STATISTICS]);
      return [...tensorsOf(lab, draw).slice(0, 2), { ...attentionOptions(lab, draw), returns }];
    },
  },
  attentionStatistics: {
    names: ['query', 'key', 'options'],
    args(lab, draw) {
      const returns = some(draw, STATISTICS);
      return [...tensorsOf(lab, draw).slice(0, 2), { ...attentionOptions(lab, draw), returns }];
    },
  },
  attentionMap: {
    names: ['query', 'key', 'options'],
    args(lab, given) {
      const { nQ, nK } = given.sizes;
      const draw = { ...given, sizes: { ...given.sizes, nQ: Math.max(nQ, 1), nK: Math.max(nK, 1) } };
      const { choose, integer, sizes } = draw;
      const grid = {
        rows: choose([Math.ceil(sizes.nQ / 8), integer(1, sizes.nQ)]),
        columns: integer(1, sizes.nK),
        pool: choose(['mean', 'max']),
      };
      return [...tensorsOf(lab, draw).slice(0, 2), { ...attentionOptions(lab, draw), ...grid }];
    },
  },
  attentionGradient: {
    names: ['query', 'key', 'value', 'dOutput', 'options'],
    args: (lab, draw) => [...tensorsOf(lab, draw), attentionOptions(lab, draw)],
  },
  additiveAttention: {
    names: ['query', 'key', 'value', 'options'],
    args(lab, draw) {
      const { query, key, value, options } = additive(lab, draw);
      const returns = some(draw, ['weights', 'scores', 'logSumExp']);
      return [query, key, value, { ...options, returns }];
    },
  },
  additiveAttentionGradient: {
    names: ['query', 'key', 'value', 'dOutput', 'options'],
    args(lab, draw) {
      const { query, key, value, dOutput, options } = additive(lab, draw);
      return [query, key, value, dOutput, options];
    },
  },
  multiHeadAttention: {
    names: ['x', 'parameters', 'options'],
    args(lab, draw) {
      const { x, parameters, options } = layer(lab, draw);
      const returns = some(draw, ['weights', 'meanWeights', 'query', 'key', 'value', 'concatenated']);
      return [x, parameters, { ...options, returns }];
    },
  },
  multiHeadAttentionGradient: {
    names: ['x', 'parameters', 'dOutput', 'options'],
    args(lab, draw) {
      const { x, parameters, dOutput, options } = layer(lab, draw);
      return [x, parameters, dOutput, options];
    },
  },
  scoreMoments: { names: ['query', 'key'], args: pairs },
  whyThisKey: {
    names: ['query', 'key', 'options'],
    args: (lab, draw) => [...pairs(lab, draw), { query: draw.integer(0, 6), key: draw.integer(0, 8), terms: 2 }],
  },
  diagnose: {
    names: ['query', 'key', 'options'],
    args: (lab, draw) => [...pairs(lab, draw), draw.has(2) ? {} : { causal: true }],
    isPlain: true,
  },
}; // prettier-ignore

/** Describes a function of rows. @param {(draw: Draw) => object} options @returns {Problem} */
function ofRows(options) {
  return { names: ['x', 'options'], args: (lab, draw) => [rows(lab, draw), options(draw)] };
}

/** Describes a function of distributions. @returns {Problem} */
function ofDistributions() {
  return { names: ['p', 'options'], args: (lab, draw) => [distributions(lab, draw), {}] };
}

/** Draws the weight of a linear map of `rows`. @param {Kernel} lab @param {Draw} draw */
const weightOf = (lab, draw) => numbers(lab, draw, [draw.sizes.hidden, draw.sizes.nK], 1, 0.3);

/** Draws its bias. @param {Kernel} lab @param {Draw} draw */
const biasOf = (lab, draw) =>
  draw.has(2) ? numbers(lab, draw, [draw.sizes.hidden], 2, 1) : undefined;

/** The path of a tensor among arguments, [0] or [1, 'queryWeight']. @typedef {(string | number)[]} Path */

/**
 * Lists the tensors among arguments, by their names in messages.
 * @param {readonly string[]} names
 * @param {readonly any[]} args
 * @returns {[path: Path, name: string][]}
 */
export const tensorsAmong = (names, args) =>
  args.flatMap((arg, i) => {
    if (arg?.data) return [[[i], names[i]]];
    const entries = Object.keys(arg ?? {}).filter((name) => arg[name]?.data);
    return entries.map((name) => /** @type {[Path, string]} */ ([[i, name], name]));
  });

/**
 * Returns a call of each function that takes a tensor, with every option.
 * @param {any} lab the package, or a kernel
 */
export function callsOf(lab) {
  const calls = Object.entries(PROBLEMS).map(([name, { names, args: make }]) => {
    const args = make(lab, EVERYTHING);
    /** @type {(...args: any[]) => any} */
    const call = lab[name];
    const place = names.indexOf('options');
    const options = place < 0 ? undefined : place;
    return { name, call, args, tensors: tensorsAmong(names, args), options };
  });
  const entries = calls.filter(({ tensors }) => tensors.length > 0);
  return Object.fromEntries(entries.map((call) => [call.name, call]));
}

/** Returns the arguments with another one at a path. @param {any[]} args @param {Path} path
 *  @param {unknown} value @returns {any[]} */
export function replace(args, [at, name], value) {
  const copy = [...args];
  copy[Number(at)] = name === undefined ? value : { ...args[Number(at)], [name]: value };
  return copy;
}

/** @param {any[]} args @param {Path} path @returns {Tensor} */
export const at = (args, path) => path.reduce((/** @type {any} */ value, key) => value[key], args);
