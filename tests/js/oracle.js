/**
 * The independent truth of the JavaScript tests: the formulas in float64, one loop after another,
 * written to be read. A matrix is an array of rows.
 *
 * Beside each result stands its magnitude, the same formula with every term replaced by its
 * absolute value and first-order error factors: a float32 implementation is expected within a
 * small multiple of 2^-24 times that, also where the result is tiny through cancellation.
 */

/** @typedef {number[][]} Matrix */

export const EPSILON = 2 ** -24;

/**
 * The matrix of a head as rows.
 *
 * @param {{ data: Float32Array, shape: number[] }} tensor [..., rows, columns]
 * @param {number} [head]
 * @returns {Matrix}
 */
export function matrixOf({ data, shape }, head = 0) {
  const [rows, columns] = shape.slice(-2);
  return Array.from({ length: rows }, (_, i) => {
    const start = (head * rows + i) * columns;
    return [...data.subarray(start, start + columns)];
  });
}

/** @param {number[]} row @param {(x: number, i: number) => number} [term] */
export const sum = (row, term = (x) => x) => row.reduce((total, x, i) => total + term(x, i), 0);

/** @param {number[]} a @param {number[]} b */
export const dot = (a, b) => sum(a, (x, i) => x * b[i]);

/**
 * Softmax of z / T; 0 for a row that is −Infinity throughout.
 *
 * @param {number[]} z
 * @param {number} [temperature]
 */
export function softmax(z, temperature = 1) {
  const top = Math.max(...z);
  if (top === -Infinity) return z.map(() => 0);
  const exponentials = z.map((x) => Math.exp((x - top) / temperature));
  const total = sum(exponentials);
  return exponentials.map((e) => e / total);
}

/** @param {number[]} z @param {number} [temperature] */
export function logSumExp(z, temperature = 1) {
  const top = Math.max(...z);
  if (top === -Infinity) return -Infinity;
  return top / temperature + Math.log(sum(z, (x) => Math.exp((x - top) / temperature)));
}

/**
 * How far a float32 softmax of z / T may be off in each entry, in units of EPSILON: p_i times one
 * for its own exponential, and the rounding of its argument.
 *
 * @param {number[]} z
 * @param {number} [temperature]
 */
export function softmaxMagnitude(z, temperature = 1) {
  const top = Math.max(...z);
  const argument = z.map((x) => (x === -Infinity ? 0 : Math.abs(x - top) / temperature));
  const weights = softmax(z, temperature);
  return weights.map((p, i) => p * (2 + argument[i] + dot(weights, argument)));
}

/** −Σ p ln p, with 0 ln 0 = 0. @param {number[]} p */
export const entropy = (p) => -sum(p, (x) => (x === 0 ? 0 : x * Math.log(x)));

/** ∂p_i/∂x_j = p_i (δ_ij − p_j) / T. @param {number[]} z @param {number} [temperature] */
export function softmaxJacobian(z, temperature = 1) {
  const p = softmax(z, temperature);
  return p.map((pi, i) => p.map((pj, j) => (pi * ((i === j ? 1 : 0) - pj)) / temperature));
}

/**
 * Whether query i may attend to key j.
 *
 * @param {'all' | 'upper-left' | 'lower-right'} causal
 * @param {number} i
 * @param {number} j
 * @param {number} nQ
 * @param {number} nK
 */
function mayAttend(causal, i, j, nQ, nK) {
  if (causal === 'all') return true;
  return causal === 'upper-left' ? j <= i : j <= i + nK - nQ;
}

/**
 * What follows from scores, whatever made them: mask, softmax, mean of the values.
 *
 * @param {{ scores: Matrix, scoreMagnitude: Matrix, value: Matrix, valueSize?: Matrix,
 *   mask?: Matrix, causal?: 'all' | 'upper-left' | 'lower-right' }} problem mask is added to the
 *   scores
 */
export function attend({ scores, scoreMagnitude, value, valueSize, mask, causal = 'all' }) {
  const [nQ, nK] = [scores.length, value.length];
  const masked = scores.map((row, i) =>
    row.map((s, j) => (mayAttend(causal, i, j, nQ, nK) ? s + (mask ? mask[i][j] : 0) : -Infinity)),
  );
  const size = scoreMagnitude.map((row, i) =>
    row.map((s, j) => {
      const added = mask ? Math.abs(mask[i][j]) : 0;
      return masked[i][j] === -Infinity ? 0 : s + added;
    }),
  );
  const weights = masked.map((row) => softmax(row));
  const weightsMagnitude = weights.map((p, i) =>
    p.map((x, j) => x * (2 + size[i][j] + dot(p, size[i]))),
  );
  const columns = value.length > 0 ? value[0].length : 0;
  const lse = masked.map((row) => logSumExp(row));
  return {
    scores,
    weights,
    output: mix(weights, value, columns),
    logSumExp: lse,
    magnitude: {
      scores: scoreMagnitude,
      weights: weightsMagnitude,
      output: mix(weightsMagnitude, valueSize ?? absolute(value), columns),
      logSumExp: lse.map((x, i) =>
        x === -Infinity ? 0 : Math.abs(x) + 1 + dot(weights[i], size[i]),
      ),
    },
  };
}

/** weights · value. A weight of 0 contributes nothing, whatever the value holds.
 *  @param {Matrix} weights @param {Matrix} value @param {number} [columns] of value */
const mix = (weights, value, columns = value[0].length) =>
  weights.map((p) =>
    Array.from({ length: columns }, (_, c) => sum(p, (x, j) => (x === 0 ? 0 : x * value[j][c]))),
  );

/** @param {Matrix} x */
const absolute = (x) => x.map((row) => row.map(Math.abs));
/** @param {Matrix} x with at least one row */
export const transpose = (x) => x[0].map((_, c) => x.map((row) => row[c]));
/** @param {number} factor @param {Matrix} x */
const times = (factor, x) => x.map((row) => row.map((entry) => factor * entry));
/** @param {...Matrix} terms */
const add = (...terms) =>
  terms[0].map((row, i) => row.map((_, c) => sum(terms.map((x) => x[i][c]))));

/**
 * Inputs of one head. Sizes are their magnitudes where they are results themselves, else their
 * absolute values.
 *
 * @typedef {{ query: Matrix, key: Matrix, value: Matrix, scale: number, mask?: Matrix,
 *   causal?: 'all' | 'upper-left' | 'lower-right', querySize?: Matrix, keySize?: Matrix,
 *   valueSize?: Matrix }} Problem
 */

/**
 * Scaled dot-product attention of one head.
 *
 * @param {Problem} problem
 */
export function attention({ query, key, value, scale, mask, causal, ...sizes }) {
  const { querySize = absolute(query), keySize = absolute(key), valueSize } = sizes;
  return attend({
    scores: query.map((q) => key.map((k) => scale * dot(q, k))),
    scoreMagnitude: querySize.map((q) => keySize.map((k) => Math.abs(scale) * dot(q, k))),
    value,
    valueSize,
    mask,
    causal,
  });
}

/**
 * Gradients of L = Σ output ∘ dOutput, from what `attend` gives: dS = P ∘ (dP − rowsum(P ∘ dP)).
 *
 * @param {ReturnType<typeof attend>} forward
 * @param {{ value: Matrix, valueSize?: Matrix, dOutput: Matrix, dOutputSize?: Matrix }} problem
 */
function attendGradient({ weights, magnitude }, { value, dOutput, ...sizes }) {
  const { valueSize = absolute(value), dOutputSize = absolute(dOutput) } = sizes;
  const dWeights = mix(dOutput, transpose(value));
  const dWeightsSize = mix(dOutputSize, transpose(valueSize));
  return {
    dScores: weights.map((p, i) => p.map((x, j) => x * (dWeights[i][j] - dot(p, dWeights[i])))),
    dValue: mix(transpose(weights), dOutput),
    magnitude: {
      dScores: magnitude.weights.map((p, i) =>
        p.map((x, j) => x * (dWeightsSize[i][j] + dot(weights[i], dWeightsSize[i]))),
      ),
      dValue: mix(transpose(magnitude.weights), dOutputSize),
    },
  };
}

/**
 * Gradients of Σ output ∘ dOutput for one head of `attention`.
 *
 * @param {Problem & { dOutput: Matrix, dOutputSize?: Matrix }} problem
 */
export function attentionGradient(problem) {
  const { query, key, scale } = problem;
  const { querySize = absolute(query), keySize = absolute(key) } = problem;
  const { dScores, dValue, magnitude } = attendGradient(attention(problem), problem);
  const size = Math.abs(scale);
  const products = (/** @type {Matrix} */ d, /** @type {Matrix} */ q, /** @type {Matrix} */ k) =>
    sum(d.map((row, i) => sum(row, (x, j) => x * dot(q[i], k[j]))));
  return {
    dQuery: times(scale, mix(dScores, key)),
    dKey: times(scale, mix(transpose(dScores), query)),
    dValue,
    dScale: products(dScores, query, key),
    magnitude: {
      dQuery: times(size, mix(magnitude.dScores, keySize)),
      dKey: times(size, mix(transpose(magnitude.dScores), querySize)),
      dValue: magnitude.dValue,
      dScale: products(magnitude.dScores, querySize, keySize),
    },
  };
}

/**
 * From the gradient of unitRows(x) to that of x: (d − u (u · d)) / |x|. The magnitude is that of
 * the same with absolute values.
 *
 * @param {Matrix} x
 * @param {Matrix} dUnit
 * @param {Matrix} dUnitSize
 */
export function unitRowsGradient(x, dUnit, dUnitSize) {
  const norms = x.map((row) => Math.max(Math.hypot(...row), 1e-12));
  const unit = unitRows(x);
  return {
    dX: dUnit.map((d, i) => d.map((y, c) => (y - unit[i][c] * dot(unit[i], d)) / norms[i])),
    magnitude: dUnitSize.map((d, i) =>
      d.map((y, c) => (y + Math.abs(unit[i][c]) * dot(unit[i].map(Math.abs), d)) / norms[i]),
    ),
  };
}

/** x weightᵀ + bias. @param {Matrix} x @param {Matrix} weight @param {number[] | undefined} bias */
const linear = (x, weight, bias) =>
  x.map((row) => weight.map((w, o) => dot(w, row) + (bias ? bias[o] : 0)));

/** Columns first … first + count. @param {Matrix} x @param {number} first @param {number} count */
const columnsOf = (x, first, count) => x.map((row) => row.slice(first, first + count));

/** Matrices side by side. @param {Matrix[]} parts */
const beside = (parts) => parts[0].map((_, i) => parts.flatMap((part) => part[i]));

/** @typedef {'query' | 'key' | 'value' | 'output'} Part */
/**
 * A multi-head layer; a mask for each head.
 *
 * @typedef {{ x: Matrix, context?: Matrix, weights: Record<Part, Matrix>,
 *   biases: Partial<Record<Part, number[]>>, heads: number, kvHeads: number, scale: number,
 *   masks?: Matrix[], causal?: 'all' | 'upper-left' | 'lower-right' }} Layer
 */

/** Projections of a layer and the inputs of its heads. @param {Layer} layer */
function headsOf({ x, context = x, weights, biases, heads, kvHeads, scale, masks, causal }) {
  const size = (/** @type {number[] | undefined} */ bias) => bias?.map(Math.abs);
  const project = (/** @type {Part} */ part, /** @type {Matrix} */ input) => ({
    y: linear(input, weights[part], biases[part]),
    ySize: linear(absolute(input), absolute(weights[part]), size(biases[part])),
  });
  const [q, k, v] = [project('query', x), project('key', context), project('value', context)];
  const dK = q.y[0].length / heads;
  const dV = v.y[0].length / kvHeads;
  const problems = Array.from({ length: heads }, (_, h) => {
    const group = Math.floor(h / (heads / kvHeads));
    return {
      query: columnsOf(q.y, h * dK, dK),
      querySize: columnsOf(q.ySize, h * dK, dK),
      key: columnsOf(k.y, group * dK, dK),
      keySize: columnsOf(k.ySize, group * dK, dK),
      value: columnsOf(v.y, group * dV, dV),
      valueSize: columnsOf(v.ySize, group * dV, dV),
      scale,
      ...(masks && { mask: masks[h] }),
      causal,
    };
  });
  const outputs = problems.map(attention);
  return {
    query: q.y,
    key: k.y,
    value: v.y,
    problems,
    dK,
    dV,
    weights: outputs.map((head) => head.weights),
    concatenated: beside(outputs.map((head) => head.output)),
    magnitude: {
      query: q.ySize,
      key: k.ySize,
      value: v.ySize,
      weights: outputs.map((head) => head.magnitude.weights),
      concatenated: beside(outputs.map((head) => head.magnitude.output)),
    },
  };
}

/** Multi-head attention of one item of a batch. @param {Layer} layer */
export function multiHeadAttention(layer) {
  const { weights, biases } = layer;
  const { magnitude, ...results } = headsOf(layer);
  const bias = biases.output?.map(Math.abs);
  return {
    ...results,
    output: linear(results.concatenated, weights.output, biases.output),
    magnitude: {
      ...magnitude,
      output: linear(magnitude.concatenated, absolute(weights.output), bias),
    },
  };
}

/**
 * Gradients of Σ output ∘ dOutput. dX is through the queries only, dContext through keys and
 * values: for self-attention the sum is wanted.
 *
 * @param {Layer & { dOutput: Matrix }} layer
 */
export function multiHeadAttentionGradient({ dOutput, ...layer }) {
  const { x, context = x, weights, heads, kvHeads } = layer;
  const { problems, concatenated, magnitude, dV } = headsOf(layer);
  const dConcatenated = mix(dOutput, weights.output);
  const dConcatenatedSize = mix(absolute(dOutput), absolute(weights.output));
  const gradients = problems.map((problem, h) =>
    attentionGradient({
      ...problem,
      dOutput: columnsOf(dConcatenated, h * dV, dV),
      dOutputSize: columnsOf(dConcatenatedSize, h * dV, dV),
    }),
  );
  const shared = heads / kvHeads;
  /** Sums over the heads that share one. @param {Matrix[]} parts */
  const grouped = (parts) =>
    beside(
      Array.from({ length: kvHeads }, (_, g) => add(...parts.slice(g * shared, (g + 1) * shared))),
    );
  const magnitudes = gradients.map((head) => head.magnitude);
  const sides = {
    query: [beside(gradients.map((h) => h.dQuery)), beside(magnitudes.map((h) => h.dQuery))],
    key: [grouped(gradients.map((h) => h.dKey)), grouped(magnitudes.map((h) => h.dKey))],
    value: [grouped(gradients.map((h) => h.dValue)), grouped(magnitudes.map((h) => h.dValue))],
    output: [dOutput, absolute(dOutput)],
  };
  const inputs = {
    query: [x, absolute(x)],
    key: [context, absolute(context)],
    value: [context, absolute(context)],
    output: [concatenated, magnitude.concatenated],
  };
  const parts = /** @type {const} */ (['query', 'key', 'value', 'output']);
  /** @param {0 | 1} side results or their magnitudes */
  const collect = (side) => {
    const w = side === 0 ? weights : mapValues(weights, absolute);
    const back = (/** @type {Part} */ part) => mix(sides[part][side], w[part]);
    return {
      dX: back('query'),
      dContext: add(back('key'), back('value')),
      ...Object.fromEntries(
        parts.flatMap((part) => {
          const name = `d${part[0].toUpperCase()}${part.slice(1)}`;
          const dY = transpose(sides[part][side]);
          return [
            [`${name}Weight`, mix(dY, inputs[part][side])],
            [`${name}Bias`, [dY.map((column) => sum(column))]],
          ];
        }),
      ),
    };
  };
  return { gradients: collect(0), magnitude: collect(1) };
}

/** @template T @param {Record<Part, T>} record @param {(value: T) => T} map
 *  @returns {Record<Part, T>} */
const mapValues = (record, map) =>
  /** @type {any} */ (Object.fromEntries(Object.entries(record).map(([k, v]) => [k, map(v)])));

/**
 * ∂loss/∂x by central differences, entry by entry; x is as it was afterwards.
 *
 * @param {() => number} loss a float64 function of x
 * @param {Matrix} x
 * @param {number} [step]
 * @returns {Matrix} right to about 1e-9 of the loss where that varies over lengths of 1
 */
export const differences = (loss, x, step = 2 ** -17) =>
  x.map((row) =>
    row.map((entry, c) => {
      row[c] = entry + step;
      const above = loss();
      row[c] = entry - step;
      const below = loss();
      row[c] = entry;
      return (above - below) / (2 * step);
    }),
  );

/** Rows brought to length 1, lengths clamped at 1e-12. @param {Matrix} x */
export const unitRows = (x) =>
  x.map((row) => row.map((entry) => entry / Math.max(Math.hypot(...row), 1e-12)));

/**
 * Additive attention of one head: scores_ij = v · tanh(W1 q_i + W2 k_j + b).
 *
 * @param {{ query: Matrix, key: Matrix, value: Matrix, queryWeight: Matrix, keyWeight: Matrix,
 *   scoreWeight: number[], bias?: number[], mask?: Matrix,
 *   causal?: 'all' | 'upper-left' | 'lower-right' }} problem
 */
export function additiveAttention(problem) {
  const { query, key, value, queryWeight, keyWeight, scoreWeight, bias, mask, causal } = problem;
  const projected = (/** @type {Matrix} */ x, /** @type {Matrix} */ weight) =>
    x.map((row) => weight.map((w) => dot(w, row)));
  const queries = projected(query, queryWeight);
  const keys = projected(key, keyWeight);
  // The derivative of tanh is at most 1, so an error of its argument arrives at most undiminished.
  const sizes = (/** @type {Matrix} */ x, /** @type {Matrix} */ weight) =>
    x.map((row) => weight.map((w) => dot(w.map(Math.abs), row.map(Math.abs))));
  const [querySizes, keySizes] = [sizes(query, queryWeight), sizes(key, keyWeight)];
  return attend({
    scores: queries.map((q) =>
      keys.map((k) =>
        sum(scoreWeight, (v, h) => v * Math.tanh(q[h] + k[h] + (bias ? bias[h] : 0))),
      ),
    ),
    scoreMagnitude: querySizes.map((q) =>
      keySizes.map((k) =>
        sum(scoreWeight, (v, h) => Math.abs(v) * (2 + q[h] + k[h] + Math.abs(bias ? bias[h] : 0))),
      ),
    ),
    value,
    mask,
    causal,
  });
}

/**
 * Gradients of Σ output ∘ dOutput for one head of `additiveAttention`; of vectors as one row.
 *
 * @param {Parameters<typeof additiveAttention>[0] & { dOutput: Matrix }} problem
 */
export function additiveAttentionGradient(problem) {
  const { query, key, queryWeight, keyWeight, scoreWeight, bias } = problem;
  const { dScores, dValue, magnitude } = attendGradient(additiveAttention(problem), problem);
  const [queries, keys] = [linear(query, queryWeight, bias), linear(key, keyWeight, undefined)];
  const sizes = [
    linear(absolute(query), absolute(queryWeight), bias?.map(Math.abs)),
    linear(absolute(key), absolute(keyWeight), undefined),
  ];
  /** A term of query i, key j and hidden unit h.
   *  @typedef {(i: number, j: number, h: number) => number} Term */
  const units = scoreWeight.map((_, h) => h);
  const overKeys = (/** @type {Term} */ term) =>
    query.map((_q, i) => units.map((h) => sum(key.map((_k, j) => term(i, j, h)))));
  const overQueries = (/** @type {Term} */ term) =>
    key.map((_k, j) => units.map((h) => sum(query.map((_q, i) => term(i, j, h)))));
  const overPairs = (/** @type {Term} */ term) => [
    units.map((h) => sum(query.map((_q, i) => sum(key.map((_k, j) => term(i, j, h)))))),
  ];
  /** @type {Term} */
  const tanh = (i, j, h) => Math.tanh(queries[i][h] + keys[j][h]);
  /** 1 − tanh², without cancellation. @type {Term} */
  const slope = (i, j, h) => Math.cosh(queries[i][h] + keys[j][h]) ** -2;
  /** The kernel takes a slope below 2⁻⁹⁰ as 0. @type {Term} */
  const slopeSize = (i, j, h) => (slope(i, j, h) < 2 ** -89 ? 2 ** -90 / EPSILON : slope(i, j, h));
  /** Roundings of tanh's argument. @type {Term} */
  const off = (i, j, h) => sizes[0][i][h] + sizes[1][j][h];
  /** @type {Term} */
  const dArgument = (i, j, h) => dScores[i][j] * scoreWeight[h] * slope(i, j, h);
  /** @type {Term} */
  const dArgumentSize = (i, j, h) =>
    Math.abs(scoreWeight[h]) *
    slopeSize(i, j, h) *
    (magnitude.dScores[i][j] + Math.abs(dScores[i][j]) * (3 + 2 * off(i, j, h)));
  /** @type {Term} */
  const dScoreWeight = (i, j, h) => dScores[i][j] * tanh(i, j, h);
  /** @type {Term} */
  const dScoreWeightSize = (i, j, h) =>
    magnitude.dScores[i][j] * Math.abs(tanh(i, j, h)) +
    Math.abs(dScores[i][j]) * (2 + slope(i, j, h) * off(i, j, h));
  /** @param {Matrix} dQueries @param {Matrix} dKeys @param {(x: Matrix) => Matrix} as */
  const back = (dQueries, dKeys, as) => ({
    dQuery: mix(dQueries, as(queryWeight)),
    dKey: mix(dKeys, as(keyWeight)),
    dQueryWeight: mix(transpose(dQueries), as(query)),
    dKeyWeight: mix(transpose(dKeys), as(key)),
  });
  return {
    ...back(overKeys(dArgument), overQueries(dArgument), (x) => x),
    dValue,
    dScoreWeight: overPairs(dScoreWeight),
    dBias: overPairs(dArgument),
    magnitude: {
      ...back(overKeys(dArgumentSize), overQueries(dArgumentSize), absolute),
      dValue: magnitude.dValue,
      dScoreWeight: overPairs(dScoreWeightSize),
      dBias: overPairs(dArgumentSize),
    },
  };
}

/**
 * The largest |got − expected| / (EPSILON · magnitude) of two flat lists. NaN and infinities must
 * be in the same places; what exceeds float32 is expected to be infinite.
 *
 * @param {ArrayLike<number>} got
 * @param {number[]} expected
 * @param {number | number[]} magnitude of all entries, or of each
 * @returns {number} Infinity where the places differ
 */
export function errorInUnits(got, expected, magnitude) {
  if (got.length !== expected.length) return Infinity;
  return expected.reduce((worst, x, i) => {
    const unit = EPSILON * (typeof magnitude === 'number' ? magnitude : magnitude[i]) + 2 ** -126;
    return Math.max(worst, distance(got[i], x, x) / unit);
  }, 0);
}

/**
 * How far a float32 number lies outside [low, high]; Infinity if only one side is finite, or only
 * one is NaN.
 *
 * @param {number} got
 * @param {number} low
 * @param {number} high
 */
export function distance(got, low, high) {
  if (Number.isFinite(got) && Number.isFinite(Math.fround(low))) {
    return Math.max(0, low - got, got - high);
  }
  return Object.is(got, Math.fround(low)) ? 0 : Infinity;
}
