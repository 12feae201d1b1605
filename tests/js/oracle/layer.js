/** A multi-head layer and its gradient, in float64. */
import { attention, attentionGradient } from './attention.js';
import { absolute, add, linear, mix, sum, transpose } from './matrices.js';

/** @import { Matrix } from './matrices.js' */

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

/** Computes multi-head attention of one item of a batch. @param {Layer} layer */
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
 * Computes the gradients of Σ output ∘ dOutput. dX is through the queries only, dContext through keys
 * and values: for self-attention the sum is wanted.
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
  /** Returns sums over the heads that share one. @param {Matrix[]} parts */
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
