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
export function mayAttend(causal, i, j, nQ, nK) {
  if (causal === 'all') return true;
  return causal === 'upper-left' ? j <= i : j <= i + nK - nQ;
}

/**
 * What follows from scores, whatever made them: mask, softmax, mean of the values.
 *
 * @param {{ scores: Matrix, scoreMagnitude: Matrix, value: Matrix, mask?: Matrix,
 *   causal?: 'all' | 'upper-left' | 'lower-right' }} problem mask is added to the scores
 */
export function attend({ scores, scoreMagnitude, value, mask, causal = 'all' }) {
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
      output: mix(
        weightsMagnitude,
        value.map((row) => row.map(Math.abs)),
        columns,
      ),
      logSumExp: lse.map((x, i) =>
        x === -Infinity ? 0 : Math.abs(x) + 1 + dot(weights[i], size[i]),
      ),
    },
  };
}

/** weights · value. A weight of 0 contributes nothing, whatever the value holds.
 *  @param {Matrix} weights @param {Matrix} value @param {number} columns */
const mix = (weights, value, columns) =>
  weights.map((p) =>
    Array.from({ length: columns }, (_, c) => sum(p, (x, j) => (x === 0 ? 0 : x * value[j][c]))),
  );

/**
 * Scaled dot-product attention of one head.
 *
 * @param {{ query: Matrix, key: Matrix, value: Matrix, scale: number, mask?: Matrix,
 *   causal?: 'all' | 'upper-left' | 'lower-right' }} problem
 */
export function attention({ query, key, value, scale, mask, causal }) {
  const absolute = (/** @type {number[]} */ row) => row.map(Math.abs);
  return attend({
    scores: query.map((q) => key.map((k) => scale * dot(q, k))),
    scoreMagnitude: query.map((q) =>
      key.map((k) => Math.abs(scale) * dot(absolute(q), absolute(k))),
    ),
    value,
    mask,
    causal,
  });
}

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
