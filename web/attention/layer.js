/**
 * Reads the arguments of a multi-head layer and compares their shapes.
 */
import { recordOf } from '../shared/keys.js';
import { reject, ShapeError } from './errors.js';
import { fail } from './heads.js';
import { expectKnown, expectRequired, readEntries, readInteger } from './options.js';
import { readTensor } from './read.js';
import { optionsWithout, readSettings } from './settings.js';
import { rejectShape, showShape } from './shape.js';
import { isTypedArray } from './typed-array.js';

/**
 * @import { Inputs } from './heads.js'
 * @import { Settings } from './settings.js'
 * @import { Tensor, TensorLike } from './tensor.js'
 */

/** @typedef {'query' | 'key' | 'value' | 'output'} Part */
/** @typedef {(typeof EXTRAS)[number]} LayerExtra */

/**
 * The map y = x weightᵀ + bias of all rows of a batch.
 *
 * @typedef {{ weight: Float32Array, bias: Float32Array | null, rows: number, dIn: number,
 *   dOut: number }} Projection
 */

/**
 * The arguments with a shape. x is [lead, n, d_model], and context is x by default; sizes are those of
 * attention in its heads.
 *
 * @typedef {{ x: Tensor, context: Tensor, isSelf: boolean, lead: number[],
 *   sizes: Omit<Inputs, 'query' | 'key' | 'value'>, projections: Record<Part, Projection> }} Layer
 */

/** @type {readonly Part[]} */
export const PARTS = ['query', 'key', 'value', 'output'];
const WEIGHTS = PARTS.map((part) => `${part}Weight`);
export const PARAMETERS = WEIGHTS.concat(PARTS.map((part) => `${part}Bias`));
const OPTIONS = ['heads', 'kvHeads', 'context', ...optionsWithout('similarity')];
const EXTRAS = /** @type {const} */ ([
  'weights',
  'meanWeights',
  'query',
  'key',
  'value',
  'concatenated',
]);

/**
 * Reads the arguments that have a shape, but for those of attention.
 *
 * @param {string} caller
 * @param {TensorLike} x
 * @param {unknown} parameters
 * @param {unknown} options
 * @returns {Layer}
 */
export function readLayer(caller, x, parameters, options) {
  const input = readTensor(caller, 'x', x);
  if (isTensor(parameters)) {
    const expected =
      'an object { queryWeight, … }: x is projected here; attention takes q, k and v';
    reject(caller, 'parameters', parameters, expected);
  }
  const all = readEntries(caller, parameters, 'parameters');
  const given = readEntries(caller, options);
  expectRequired(caller, all, WEIGHTS, PARAMETERS, 'parameter');
  expectRequired(caller, given, ['heads'], OPTIONS);
  const { weights, biases } = readParameters(caller, all);
  const isSelf = given.context === undefined || given.context === null;
  const context = isSelf ? input : readTensor(caller, 'context', given.context);
  expectInputs(caller, input.shape, context.shape);
  const { heads, kvHeads } = readHeads(caller, given);
  const { dK, dV } = expectWeights(caller, weights, {
    heads,
    kvHeads,
    contextName: isSelf ? 'x' : 'context',
    context: context.shape,
    x: input.shape,
  });
  const lead = input.shape.slice(0, -2);
  const [batch = 1] = lead;
  const [nQ, nK] = [input.shape, context.shape].map((shape) => shape[shape.length - 2]);
  const counts = { query: batch * nQ, key: batch * nK, value: batch * nK, output: batch * nQ };
  const projections = mapParts((part) => {
    const { data: weight, shape } = weights[part];
    const [dOut, dIn] = shape;
    const bias = biases[part];
    if (bias && showShape(bias.shape) !== showShape([dOut])) {
      fail(caller, `${part}Bias`, bias.shape, `[${dOut}]`, `${part}Weight`, shape);
    }
    return { weight, bias: bias && bias.data, rows: counts[part], dIn, dOut };
  });
  const sizes = {
    lead: [...lead, heads],
    batch,
    heads,
    kvHeads,
    nQ,
    nK,
    dQ: dK,
    dK,
    dV,
  };
  return { x: input, context, isSelf, lead, sizes, projections };
}

/**
 * Reads the options of attention in the heads, once all other shapes fit.
 *
 * @param {string} caller
 * @param {Layer} layer that of the same parameters and options
 * @param {unknown} parameters
 * @param {unknown} options
 * @returns {Settings<LayerExtra>}
 */
export function readLayerSettings(caller, layer, parameters, options) {
  const settings = readSettings(caller, layer.sizes, options, EXTRAS, OPTIONS);
  expectKnown(caller, readEntries(caller, parameters), PARAMETERS, 'parameter');
  return settings;
}

/**
 * Returns whether an argument looks like a tensor.
 *
 * @param {any} argument
 * @returns {boolean}
 */
const isTensor = (argument) => Array.isArray(argument) || isTypedArray(argument?.data ?? argument);

/**
 * Returns an object with an entry for each part of the layer.
 *
 * @template T
 * @param {(part: Part) => T} entry
 * @returns {Record<Part, T>}
 */
const mapParts = (entry) => recordOf(PARTS, entry);

/**
 * Reads the weights and biases.
 *
 * @param {string} caller
 * @param {Record<string, unknown>} given
 * @returns {{ weights: Record<Part, Tensor>, biases: Record<Part, Tensor | null> }}
 */
function readParameters(caller, given) {
  const weights = mapParts((part) => {
    const name = `${part}Weight`;
    const weight = readTensor(caller, name, given[name]);
    if (weight.shape.length === 2) return weight;
    rejectShape(caller, name, weight.shape, '[out, in]');
  });
  const biases = mapParts((part) => {
    const name = `${part}Bias`;
    const bias = given[name];
    return bias === undefined || bias === null ? null : readTensor(caller, name, bias);
  });
  return { weights, biases };
}

/**
 * Expects x and context of two or three axes, and the same batch.
 * @param {string} caller
 * @param {number[]} x
 * @param {number[]} context shapes
 */
function expectInputs(caller, x, context) {
  if (x.length !== 2 && x.length !== 3) {
    rejectShape(caller, 'x', x, '[n, d_model] or [b, n, d_model]');
  }
  if (context.length !== x.length) {
    fail(caller, 'context', context, `${x.length} axes`, 'x', x);
  }
  if (x.length === 3 && context[0] !== x[0]) {
    fail(caller, 'context', context, `batch ${x[0]}`, 'x', x);
  }
}

/**
 * Reads the numbers of heads: of queries, and of keys and values.
 *
 * @param {string} caller
 * @param {Record<string, unknown>} given
 */
export function readHeads(caller, given) {
  const heads = readInteger(caller, 'heads', given.heads, 1);
  const kvHeads = readInteger(caller, 'kvHeads', given.kvHeads, 1, heads);
  if (heads % kvHeads === 0) return { heads, kvHeads };
  throw new ShapeError(`${caller}: kvHeads is ${kvHeads}, expected a divisor of heads ${heads}`);
}

/**
 * Expects queryWeight [heads·dK, d_model], keyWeight [kvHeads·dK, d_context], valueWeight
 * [kvHeads·dV, d_context], outputWeight [any, heads·dV].
 *
 * @param {string} caller
 * @param {Record<Part, Tensor>} weights
 * @param {{ heads: number, kvHeads: number, contextName: string, context: number[],
 *   x: number[] }} expected
 * @returns {{ dK: number, dV: number }} sizes of one head
 */
function expectWeights(caller, { query, key, value, output }, expected) {
  const { heads, kvHeads, contextName, context, x } = expected;
  expectColumns(caller, 'queryWeight', query.shape, 'x', x);
  expectColumns(caller, 'keyWeight', key.shape, contextName, context);
  expectColumns(caller, 'valueWeight', value.shape, contextName, context);
  const dK = splitRows(caller, 'queryWeight', query.shape, 'heads', heads);
  if (dK === 0) {
    rejectShape(caller, 'queryWeight', query.shape, 'rows above 0');
  }
  if (key.shape[0] !== kvHeads * dK) {
    const rows = `${kvHeads * dK} rows (${kvHeads} heads of ${dK})`;
    fail(caller, 'keyWeight', key.shape, rows, 'queryWeight', query.shape);
  }
  const dV = splitRows(caller, 'valueWeight', value.shape, 'kvHeads', kvHeads);
  if (output.shape[1] !== heads * dV) {
    const columns = `last axis ${heads * dV} (${heads} heads of ${dV})`;
    fail(caller, 'outputWeight', output.shape, columns, 'valueWeight', value.shape);
  }
  return { dK, dV };
}

/**
 * Expects a weight with as many columns as its input.
 *
 * @param {string} caller
 * @param {string} name
 * @param {number[]} shape of a weight
 * @param {string} otherName
 * @param {number[]} other shape of its input
 */
function expectColumns(caller, name, shape, otherName, other) {
  const columns = other[other.length - 1];
  if (shape[1] !== columns) fail(caller, name, shape, `last axis ${columns}`, otherName, other);
}

/** Divides the rows of a weight among heads. @param {string} caller @param {string} name @param
 *  {number[]} shape
 *  @param {string} headsName @param {number} heads */
function splitRows(caller, name, [rows, columns], headsName, heads) {
  if (rows % heads === 0) return rows / heads;
  throw new ShapeError(
    `${caller}: ${name} is [${rows}, ${columns}], expected rows that ${headsName} ${heads} divides`,
  );
}
