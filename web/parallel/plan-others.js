/**
 * Plans calls of the functions beside attention: those of rows, linear maps, rotations, layers, and those
 * that one worker does whole.
 */
import * as FUNCTIONS from '../attention/functions.js';
import { withKernel } from '../attention/kernel/active.js';
import { computeLayer, differentiateLayer } from '../attention/layer-kernel.js';
import { PARTS } from '../attention/layer.js';
import { prepareLayer, prepareLayerGradient } from '../attention/multihead.js';
import { readTensor } from '../attention/read.js';
import { countOf } from '../attention/shape.js';
import { writeSinkGradient } from '../attention/sink.js';
import { maskOf, piecesOf } from './box.js';
import { numbersOf, omit, putAll, shapesOf } from './results.js';

/**
 * @import { Kernel } from '../attention/kernel/active.js'
 * @import { Layer } from '../attention/layer.js'
 * @import { Tensor } from '../attention/tensor.js'
 * @import { Part, Plan } from './plan-attention.js'
 * @import { Data } from './work.js'
 */

/** A kernel that computes nothing, so that a function only checks its arguments and makes its results. */
const IDLE = /** @type {Kernel} */ (/** @type {unknown} */ ({ run: () => {} }));

/** Calls a function on a kernel. @param {Kernel} kernel @param {string} caller @param {any[]} args */
const callOn = (kernel, caller, args) =>
  withKernel(kernel, () => Reflect.get(FUNCTIONS, caller)(...args));

/** Returns arguments by their places, as the work `call` takes them. @param {any[]} args @returns {Data} */
const byPlace = (args) => Object.fromEntries(args.map((value, i) => [i, value]));

/** Returns options without `into`, of which workers know nothing. @param {any} options */
const withoutInto = (options) => omit(options, 'into');

/**
 * Returns a plan of a call that one worker does whole.
 *
 * @param {string} caller
 * @param {any[]} args whose tensors have been read
 * @param {number} operations
 * @param {any} [results] to fill; by default the result is the value of the worker
 * @returns {Plan}
 */
function whole(caller, args, operations, results) {
  let result = results;
  const plain = args.map((arg, i) => (results && i === args.length - 1 ? withoutInto(arg) : arg));
  /** @type {Part} */
  const part = {
    work: 'call',
    shared: {},
    own: { caller, args: byPlace(plain) },
    isResult: !results,
    store(value) {
      if (!results) result = value;
      else if (results.data) results.data.set(value.data);
      else putAll(results, value);
    },
  };
  return {
    operations,
    numbers: 0,
    compute: (kernel) => callOn(kernel, caller, args),
    cut: () => [[part]],
    finish: () => result,
  };
}

/** Operations for a number of the input, about as many as of a matrix product in the same time. */
const PER_NUMBER = /** @type {Record<string, number>} */ ({
  softmax: 40,
  logSoftmax: 40,
  logSumExp: 30,
  softmaxGradient: 60,
  entropy: 100,
  effectiveKeys: 30,
  jacobianTrace: 30,
  roundToFloat16: 20,
  roundToBFloat16: 20,
  softmaxFloat16: 150,
  rotary: 100,
});
const PER_RANDOM_NUMBER = 100;
const PER_DESCRIBED_NUMBER = 100;
const PER_DIAGNOSED_PAIR = 1000;

/** Plans a function of rows. @param {string} caller @param {any[]} args x, or x and dOutput, and options
 *  @returns {Plan} */
export function planRows(caller, args) {
  const options = args[args.length - 1];
  const names = args.length === 3 ? ['x', 'dOutput'] : [PROBABILITIES.has(caller) ? 'p' : 'x'];
  const tensors = names.map((name, i) => readTensor(caller, name, args[i]));
  const result = callOn(IDLE, caller, [...tensors, options]);
  const { shape } = tensors[0];
  const numbers = Math.max(countOf(shape), result.data.length);
  return inRows(caller, tensors, [options], result, numbers * (PER_NUMBER[caller] ?? 10));
}

const PROBABILITIES = new Set(['entropy', 'effectiveKeys', 'jacobianTrace']);

/**
 * Returns a plan that cuts tensors of the same shape by rows.
 *
 * @param {string} caller
 * @param {Tensor[]} tensors the first arguments
 * @param {any[]} rest the other arguments, of which options are the last
 * @param {Tensor} result
 * @param {number} operations
 * @returns {Plan}
 */
function inRows(caller, tensors, rest, result, operations) {
  const { shape } = tensors[0];
  const rows = countOf(shape.slice(0, -1));
  const args = [...tensors, ...rest];
  const plain = [...rest.slice(0, -1), withoutInto(rest[rest.length - 1])];
  if (shape.length < 2 || rows < 2) return whole(caller, args, operations, result);
  const [columns, each] = [shape[shape.length - 1], result.data.length / rows];
  const holes = tensors.map(() => undefined);
  const shared = { args: byPlace([...holes, ...plain]) };
  return {
    operations,
    numbers: result.data.length,
    compute: (kernel) => callOn(kernel, caller, args),
    cut: (count) => [
      piecesOf([0, rows], count).map(([first, end]) => {
        const some = tensors.map(({ data }) => ({
          data: data.subarray(first * columns, end * columns),
          shape: [end - first, columns],
        }));
        const store = (/** @type {Tensor} */ value) => result.data.set(value.data, first * each);
        return { work: 'call', shared, own: { caller, args: byPlace(some) }, store };
      }),
    ],
    finish: () => result,
  };
}

/** @param {string} caller @param {any[]} args @returns {Plan} */
export function planLinear(caller, [x, weight, bias, options]) {
  const input = readTensor(caller, 'x', x);
  const matrix = readTensor(caller, 'weight', weight);
  const added = bias === undefined || bias === null ? bias : readTensor(caller, 'bias', bias);
  const result = callOn(IDLE, caller, [input, matrix, added, options]);
  const operations = 2 * input.data.length * (matrix.shape[0] ?? 0);
  return inRows(caller, [input], [matrix, added, options], result, operations);
}

/** @param {string} caller @param {any[]} args @returns {Plan} */
export function planLinearGradient(caller, [x, weight, dOutput, options]) {
  const tensors = [
    readTensor(caller, 'x', x),
    readTensor(caller, 'weight', weight),
    readTensor(caller, 'dOutput', dOutput),
  ];
  const results = callOn(IDLE, caller, [...tensors, options]);
  const operations = 4 * tensors[0].data.length * (tensors[1].shape[0] ?? 0);
  return whole(caller, [...tensors, options], operations, results);
}

/** @param {string} caller @param {any[]} args @returns {Plan} */
export function planRotary(caller, [x, options]) {
  const input = readTensor(caller, 'x', x);
  const result = callOn(IDLE, caller, [input, options]);
  const [n, d] = input.shape.slice(-2);
  const matrices = input.data.length / (n * d);
  const operations = input.data.length * PER_NUMBER.rotary;
  if (!(matrices > 1)) return whole(caller, [input, options], operations, result);
  const plan = whole(caller, [input, options], operations, result);
  const shared = { args: byPlace([undefined, withoutInto(options)]) };
  return {
    ...plan,
    numbers: result.data.length,
    cut: (count) => [
      piecesOf([0, matrices], count).map(([first, end]) => {
        const data = input.data.subarray(first * n * d, end * n * d);
        const own = { caller, args: byPlace([{ data, shape: [end - first, n, d] }]) };
        const store = (/** @type {Tensor} */ value) => result.data.set(value.data, first * n * d);
        return { work: 'call', shared, own, store };
      }),
    ],
  };
}

/** @param {string} caller @param {any[]} args @returns {Plan} */
export function planRandom(caller, [shape, options]) {
  const result = callOn(IDLE, caller, [shape, options]);
  const operations = result.data.length * PER_RANDOM_NUMBER;
  return whole(caller, [result.shape, options], operations, result);
}

/** @param {string} caller @param {any[]} args @returns {Plan} */
export function planDescribe(caller, [x]) {
  const input = readTensor(caller, 'x', x);
  return whole(caller, [input], input.data.length * PER_DESCRIBED_NUMBER);
}

/** Plans a layer, which is cut by items. @param {string} caller @param {any[]} args @returns {Plan} */
export function planLayer(caller, [x, parameters, options]) {
  const { layer, results, operations } = prepareLayer(caller, x, parameters, options);
  const { batch } = layer;
  /** @type {Record<string, Tensor | undefined>} */
  const tensors = results;
  return {
    operations,
    numbers: numbersOf(tensors),
    compute(kernel) {
      kernel.run(caller, () => computeLayer(kernel, layer, results));
      return results;
    },
    cut: (count) =>
      piecesOf([0, Math.max(batch, 1)], count).map(([first, end]) => {
        const items = /** @type {[number, number]} */ ([first, Math.min(end, batch)]);
        const { own, shared } = itemsOf(layer, items);
        const shapes = Object.fromEntries(
          Object.entries(tensors).map(([name, result]) => [name, shapeOfItems(result, own.lead)]),
        );
        const store = (/** @type {any} */ value) => {
          for (const name of Object.keys(tensors)) {
            const { data } = /** @type {Tensor} */ (tensors[name]);
            data.set(value[name].data, (data.length / Math.max(batch, 1)) * first);
          }
        };
        return [{ work: 'layer', shared, own: { caller, layer: own, shapes }, store }];
      }),
    finish: () => results,
  };
}

/** Returns the shape of a result for some items. @param {Tensor | undefined} result @param {number[]} lead */
const shapeOfItems = (result, lead) => [...lead, ...(result?.shape.slice(lead.length) ?? [])];

/**
 * Returns some items of a layer.
 *
 * @param {Layer} layer
 * @param {[number, number]} items
 */
function itemsOf(layer, items) {
  const { batch, heads, nQ, lead, mask, spans, projections } = layer;
  const count = items[1] - items[0];
  const some = (/** @type {Tensor} */ { data, shape }) => {
    const each = batch === 0 ? 0 : data.length / batch;
    return { data: data.subarray(items[0] * each, items[1] * each), shape };
  };
  const rows = Object.fromEntries(
    PARTS.map((part) => [
      part,
      { ...projections[part], rows: batch === 0 ? 0 : (projections[part].rows / batch) * count },
    ]),
  );
  const own = {
    ...omit(layer, 'projections', 'into', 'limit', 'returns'),
    x: some(layer.x),
    context: some(layer.context),
    lead: lead.length ? [count] : lead,
    batch: count,
    mask: maskOf(mask, layer, { items, heads: [0, heads], rows: [0, nQ] }),
    spans: batch === 0 ? spans : spans.slice(...items),
  };
  return { own, shared: { layer: { projections: rows } } };
}

/** @param {string} caller @param {any[]} args @returns {Plan} */
export function planLayerGradient(caller, [x, parameters, dOutput, options]) {
  const prepared = prepareLayerGradient(caller, x, parameters, dOutput, options);
  const { layer, upstream, gradients, operations } = prepared;
  /** @type {Float64Array} */
  let dSinks = new Float64Array(0);
  const finish = () => {
    writeSinkGradient(gradients.dSink, dSinks, layer.heads);
    return gradients;
  };
  return {
    operations,
    numbers: 0,
    compute(kernel) {
      dSinks = kernel.run(caller, () => differentiateLayer(kernel, layer, upstream, gradients));
      return finish();
    },
    cut() {
      const written = omit(gradients, 'dSink');
      const { own, shared } = itemsOf(layer, [0, layer.batch]);
      const shapes = shapesOf(written);
      const store = (/** @type {any} */ value) => {
        putAll(written, value);
        dSinks = value.dSinks;
      };
      const data = { caller, layer: own, upstream, shapes };
      return [[{ work: 'differentiateLayer', shared, own: data, store }]];
    },
    finish,
  };
}

/** @param {string} caller @param {any[]} args @returns {Plan} */
export function planDiagnose(caller, [query, key, options]) {
  if (key === undefined && query?.weights !== undefined) {
    const weights = readTensor(caller, 'weights', query.weights);
    return whole(caller, [{ weights }], weights.data.length * PER_DIAGNOSED_PAIR);
  }
  const [q, k] = [readTensor(caller, 'query', query), readTensor(caller, 'key', key)];
  const pairs =
    (q.data.length / (q.shape[q.shape.length - 1] || 1)) * (k.shape[k.shape.length - 2] ?? 0);
  return whole(caller, [q, k, options], pairs * PER_DIAGNOSED_PAIR);
}
