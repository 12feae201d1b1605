/** Dot-product attention of one head and its gradient, in float64. */
import { absolute, dot, mix, sum, times, transpose } from './matrices.js';
import { logSumExp, softmax } from './softmax.js';

/** @import { Matrix } from './matrices.js' */

/**
 * Returns whether query i may attend to key j.
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
 * Computes the steps after any kind of scores: mask, softmax, mean of the values.
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
  const weightsMagnitude = weights.map((p, i) => {
    const mean = dot(p, size[i]);
    return p.map((x, j) => x * (2 + size[i][j] + mean));
  });
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

/**
 * Inputs of one head. Sizes are their magnitudes where they are results themselves, else their
 * absolute values.
 *
 * @typedef {{ query: Matrix, key: Matrix, value: Matrix, scale: number, mask?: Matrix,
 *   causal?: 'all' | 'upper-left' | 'lower-right', querySize?: Matrix, keySize?: Matrix,
 *   valueSize?: Matrix }} Problem
 */

/** Computes scaled dot-product attention of one head. @param {Problem} problem */
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
 * Computes the gradients of L = Σ output ∘ dOutput from the results of `attend`: dS = P ∘ (dP −
 * rowsum(P ∘ dP)).
 * @param {ReturnType<typeof attend>} forward
 * @param {{ value: Matrix, valueSize?: Matrix, dOutput: Matrix, dOutputSize?: Matrix }} problem
 */
export function attendGradient({ weights, magnitude }, { value, dOutput, ...sizes }) {
  const { valueSize = absolute(value), dOutputSize = absolute(dOutput) } = sizes;
  const dWeights = mix(dOutput, transpose(value));
  const dWeightsSize = mix(dOutputSize, transpose(valueSize));
  return {
    dScores: weights.map((p, i) => {
      const mean = dot(p, dWeights[i]);
      return p.map((x, j) => x * (dWeights[i][j] - mean));
    }),
    dValue: mix(transpose(weights), dOutput),
    magnitude: {
      dScores: magnitude.weights.map((p, i) => {
        const mean = dot(weights[i], dWeightsSize[i]);
        return p.map((x, j) => x * (dWeightsSize[i][j] + mean));
      }),
      dValue: mix(transpose(magnitude.weights), dOutputSize),
    },
  };
}

/**
 * Computes the gradients of Σ output ∘ dOutput for one head of `attention`.
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
 * Turns the gradient of unitRows(x) into that of x: (d − u (u · d)) / |x|. The magnitude is that of
 * the same with absolute values.
 * @param {Matrix} x
 * @param {Matrix} dUnit
 * @param {Matrix} dUnitSize
 */
export function unitRowsGradient(x, dUnit, dUnitSize) {
  const norms = x.map((row) => Math.max(Math.hypot(...row), 1e-12));
  const unit = unitRows(x);
  return {
    dX: dUnit.map((d, i) => {
      const along = dot(unit[i], d);
      return d.map((y, c) => (y - unit[i][c] * along) / norms[i]);
    }),
    magnitude: dUnitSize.map((d, i) => {
      const u = unit[i].map(Math.abs);
      const along = dot(u, d);
      return d.map((y, c) => (y + u[c] * along) / norms[i]);
    }),
  };
}

/** Returns rows brought to length 1, lengths clamped at 1e-12. @param {Matrix} x */
export const unitRows = (x) =>
  x.map((row) => row.map((entry) => entry / Math.max(Math.hypot(...row), 1e-12)));
