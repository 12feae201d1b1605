/**
 * A model: its sizes and its parameters, and the start of both. The twin of c/language/language.c, in
 * whose order the parameters are.
 */
import { CapacityError, reject, ShapeError } from '../attention/errors.js';
import { ATTN_LANGUAGE } from '../attention/kernel/generated/structs.js';
import {
  expectKnown,
  readChoice,
  readEntries,
  readInteger,
  readNumber,
  readOptions,
} from '../attention/options.js';
import { readTensor } from '../attention/read.js';
import { allocate } from '../attention/results.js';
import { countOf, rejectShape, showShape } from '../attention/shape.js';
import { run } from './module.js';

/**
 * @import { Block } from '../attention/heads.js'
 * @import { Kernel } from '../attention/kernel/kernel.js'
 * @import { Tensor, TensorLike } from '../attention/tensor.js'
 */

/**
 * @typedef {object} Config
 * @property {number} vocabulary the number of tokens
 * @property {number} context the longest text, in tokens
 * @property {number} dModel numbers of the residual stream
 * @property {number} layers
 * @property {number} heads a layer
 * @property {number} dKey numbers of a query, key and value
 * @property {number} scale of the scores; where it is learned, its start
 * @property {true} [queryKeyNorm] where queries and keys are normalised
 * @property {true} [learnedScale] where each head learns its scale
 * @property {'keys'} [values] where keys serve as values
 */

/**
 * @typedef {Record<string, Tensor>} Parameters by name: `token` [vocabulary, dModel], `position`
 *   [context, dModel], `layers.N.norm1.weight`, `.norm1.bias`, `.queryWeight` [heads·dKey, dModel],
 *   `.keyWeight`, `.valueWeight` (unless keys serve as values), `.queryNorm.weight` [dKey] and
 *   `.keyNorm.weight` (with `queryKeyNorm`), `.logScale` [heads] (with `learnedScale`), `.outputWeight`
 *   [dModel, heads·dKey], `.norm2.weight`, `.norm2.bias`, `.upWeight` [4·dModel, dModel], `.upBias`,
 *   `.downWeight` [dModel, 4·dModel], `.downBias`, `norm.weight`, `norm.bias`
 */

/**
 * @typedef {object} Model
 * @property {Config} config
 * @property {Parameters} parameters
 */

/**
 * @typedef {object} ModelOptions
 * @property {number} vocabulary the number of tokens
 * @property {number} context the longest text, in tokens
 * @property {number} dModel numbers of the residual stream
 * @property {number} [layers] 2 by default
 * @property {number} [heads] a layer, 1 by default
 * @property {number} [dKey] numbers of a query, key and value, dModel / heads by default
 * @property {number} [scale] of the scores, 1/√dKey by default
 * @property {boolean} [queryKeyNorm] divides queries and keys of each head by their root mean square (Zhang &
 *   Sennrich, "Root mean square layer normalization", 2019; 1e-6 is added to the mean square) and multiplies
 *   them by a learned gain for each of their dKey numbers, the same for all heads of a layer
 * @property {number} [normGain] at which these gains start, 1 by default
 * @property {boolean} [learnedScale] lets each head learn its scale, which starts at `scale`: its logarithm is a
 *   parameter
 * @property {'keys'} [values] lets keys serve as values, as in the global layers of Gemma 4: as they are projected,
 *   before `queryKeyNorm`
 * @property {number} [seed] a non-negative safe integer; needed where there are no parameters
 * @property {Record<string, TensorLike>} [parameters] all of them, instead of a start from the seed
 */

const SIZES = ['vocabulary', 'context', 'dModel', 'layers', 'heads', 'dKey'];
/** Of a config, the names of what is a number, and of what may be left out. */
export const NUMBERS = [...SIZES, 'scale'];
export const VARIANTS = ['queryKeyNorm', 'learnedScale', 'values'];
const EMBEDDING_STD = 0.05;
const MOST_PARAMETERS = 2 ** 30; // float32 in 4 GiB
const WORD = 2 ** 32;

/**
 * Makes a model: a small transformer of pre-norm blocks with causal attention (Radford et al., "Language
 * models are unsupervised multitask learners", 2019), with 4·dModel hidden units and the tanh form of GELU (Hendrycks &
 * Gimpel, "Gaussian error linear units", 2016); 1e-5 is added to the variance of each norm. The start is that of the seed, the same bits in every
 * engine: queries, keys and values of unit variance, outputs smaller by √(2·layers), embeddings of standard
 * deviation .05.
 * @param {ModelOptions} options
 * @returns {Model}
 * @throws {ShapeError} for parameters of another shape
 * @throws {DTypeError} for sizes that are no positive integers, unknown options and parameters
 * @throws {CapacityError} for more parameters than fit in memory
 * @throws {BackendError} if no kernel can run
 * @example
 * const model = createModel({ vocabulary: 12, context: 8, dModel: 4, seed: 1 });
 * model.config.dKey; // 4
 * model.parameters.token.shape; // [12, 4]
 * model.parameters['layers.1.upWeight'].shape; // [16, 4]
 */
export function createModel(options) {
  const caller = 'createModel';
  const known = [...NUMBERS, ...VARIANTS, 'normGain', 'seed', 'parameters'];
  const { seed, parameters, normGain, ...sizes } = readOptions(caller, options, known);
  const config = readConfig(caller, sizes);
  if (normGain !== undefined && !config.queryKeyNorm) {
    reject(caller, 'normGain', normGain, 'queryKeyNorm with it');
  }
  const start = { normGain: readNumber(caller, 'normGain', normGain, 1) };
  if (parameters !== undefined) {
    const given = readParameters(caller, config, parameters);
    return {
      config,
      parameters: mapParameters(config, (name, shape) => copyOf(caller, given[name], shape)),
    };
  }
  const given = { ...config, ...start, seed: readInteger(caller, 'seed', seed, 0) };
  return {
    config,
    parameters: mapParameters(config, (...entry) => startOf(caller, given, ...entry)),
  };
}

/**
 * Reads sizes and scale.
 * @param {string} caller
 * @param {Record<string, unknown>} given
 * @returns {Config}
 */
export function readConfig(caller, given) {
  const read = (/** @type {string} */ name, /** @type {number} */ fallback) =>
    readInteger(caller, name, given[name], 1, fallback);
  const [vocabulary, context, dModel] = SIZES.slice(0, 3).map((name) =>
    readInteger(caller, name, given[name], 1),
  );
  const layers = read('layers', 2);
  const heads = read('heads', 1);
  if (given.dKey === undefined && dModel % heads !== 0) {
    throw new ShapeError(
      `${caller}: heads is ${heads}, expected a divisor of dModel ${dModel}, or dKey with it`,
    );
  }
  const dKey = read('dKey', dModel / heads);
  const scale = readNumber(caller, 'scale', given.scale, 1 / Math.sqrt(dKey));
  const { values } = given;
  if (values !== undefined && values !== 'keys') reject(caller, 'values', values, "'keys'");
  /** @type {Config} */
  const config = { vocabulary, context, dModel, layers, heads, dKey, scale };
  const flag = (/** @type {string} */ name) => readChoice(caller, name, given[name], [false, true]);
  if (flag('queryKeyNorm')) config.queryKeyNorm = true;
  if (flag('learnedScale')) config.learnedScale = true;
  if (config.learnedScale && !(Math.fround(scale) > 0)) {
    reject(caller, 'scale', scale, 'a positive float32 number, at which learnedScale starts');
  }
  if (values === 'keys') config.values = values;
  const count = parameterTotal(config);
  if (count <= MOST_PARAMETERS) return config;
  throw new CapacityError(
    `${caller}: the model has ${count} parameters, expected at most ${MOST_PARAMETERS}`,
  );
}

/** Returns the number of parameters without listing them. @param {Config} config */
export function parameterTotal({ vocabulary, context, dModel, layers, heads, dKey, ...variants }) {
  const { values, queryKeyNorm, learnedScale } = variants;
  const maps = values === 'keys' ? 3 : 4;
  const ofVariants = (queryKeyNorm ? 2 * dKey : 0) + (learnedScale ? heads : 0);
  const layer = maps * heads * dKey * dModel + 8 * dModel * dModel + 9 * dModel + ofVariants;
  return (vocabulary + context) * dModel + layers * layer + 2 * dModel;
}

/**
 * Returns the names and shapes of a model's parameters, in the order of c/language.h.
 * @param {Config} config
 * @returns {[name: string, shape: number[]][]}
 */
export function parameterShapes({ vocabulary, context, dModel, layers, heads, dKey, ...variants }) {
  const width = heads * dKey;
  const hidden = 4 * dModel;
  /** @type {(isThere: unknown, name: string, shape: number[]) => [string, number[]][]} */
  const where = (isThere, name, shape) => (isThere ? [[name, shape]] : []);
  /** @type {[string, number[]][]} */
  const ofLayer = [
    ['norm1.weight', [dModel]],
    ['norm1.bias', [dModel]],
    ['queryWeight', [width, dModel]],
    ['keyWeight', [width, dModel]],
    ...where(variants.values !== 'keys', 'valueWeight', [width, dModel]),
    ...where(variants.queryKeyNorm, 'queryNorm.weight', [dKey]),
    ...where(variants.queryKeyNorm, 'keyNorm.weight', [dKey]),
    ...where(variants.learnedScale, 'logScale', [heads]),
    ['outputWeight', [dModel, width]],
    ['norm2.weight', [dModel]],
    ['norm2.bias', [dModel]],
    ['upWeight', [hidden, dModel]],
    ['upBias', [hidden]],
    ['downWeight', [dModel, hidden]],
    ['downBias', [dModel]],
  ];
  /** @type {[string, number[]][]} */
  const shapes = [
    ['token', [vocabulary, dModel]],
    ['position', [context, dModel]],
  ];
  for (let layer = 0; layer < layers; layer++) {
    for (const [name, shape] of ofLayer) shapes.push([`layers.${layer}.${name}`, shape]);
  }
  shapes.push(['norm.weight', [dModel]], ['norm.bias', [dModel]]);
  return shapes;
}

/**
 * Makes parameters by name.
 * @param {Config} config
 * @param {(name: string, shape: number[], index: number) => Tensor} make
 * @returns {Parameters}
 */
export function mapParameters(config, make) {
  /** @type {Parameters} */
  const parameters = {};
  parameterShapes(config).forEach(([name, shape], index) => {
    parameters[name] = make(name, shape, index);
  });
  return parameters;
}

/** Returns a parameter's start. Each has a stream of random numbers, so none depends on another.
 *  @param {string} caller @param {Config & { normGain: number, seed: number }} start @param {string} name
 *  @param {number[]} shape @param {number} index @returns {Tensor} */
function startOf(caller, { layers, scale, normGain, seed }, name, shape, index) {
  const data = allocate(caller, shape);
  if (/(query|key)Norm\.weight$/.test(name)) {
    data.fill(normGain);
  } else if (/norm[12]?\.weight$/.test(name)) {
    data.fill(1);
  } else if (name.endsWith('logScale')) {
    // Engines differ in the last bit of float64 at most, which rounding to float32 all but always takes away.
    data.fill(Math.log(scale));
  } else if (shape.length === 2) {
    const isEmbedding = index < 2;
    const isOutput = /(output|down)Weight$/.test(name);
    const spread = 1 / Math.sqrt(shape[1] * (isOutput ? 2 * layers : 1));
    const std = isEmbedding ? EMBEDDING_STD : spread;
    run(caller, (kernel) => {
      const block = kernel.floats(data.length);
      const key = [seed % WORD, Math.floor(seed / WORD)];
      kernel.call('attn_random_normal', key[0], key[1], index, 0, data.length, 0, std, block);
      kernel.read(block, data);
    });
  }
  return { data, shape: [...shape] };
}

/** Returns a copy of a parameter. @param {string} caller @param {Float32Array} data @param {number[]} shape */
function copyOf(caller, data, shape) {
  const copy = allocate(caller, shape);
  copy.set(data);
  return { data: copy, shape: [...shape] };
}

/**
 * Reads a model: whatever a caller gives as one.
 * @param {string} caller
 * @param {unknown} model
 * @returns {{ config: Config, parameters: Record<string, Float32Array> }}
 */
export function readModel(caller, model) {
  const { config: sizes, parameters } = readEntries(caller, model, 'model');
  const given = readEntries(caller, sizes, 'model.config');
  if (sizes === undefined) reject(caller, 'model', model, 'a model, as createModel returns it');
  const config = readConfig(caller, given);
  return { config, parameters: readParameters(caller, config, parameters) };
}

/**
 * Reads parameters and compares their shapes with the model's.
 * @param {string} caller
 * @param {Config} config
 * @param {unknown} parameters
 * @returns {Record<string, Float32Array>}
 */
function readParameters(caller, config, parameters) {
  const given = readEntries(caller, parameters, 'parameters');
  const shapes = parameterShapes(config);
  expectKnown(
    caller,
    given,
    shapes.map(([name]) => name),
    'parameter',
  );
  /** @type {Record<string, Float32Array>} */
  const read = {};
  for (const [name, shape] of shapes) {
    if (given[name] === undefined) {
      throw new ShapeError(
        `${caller}: parameters has no ${name}, expected one of ${showShape(shape)}`,
      );
    }
    const tensor = readTensor(caller, name, given[name]);
    if (showShape(tensor.shape) !== showShape(shape)) {
      rejectShape(caller, name, tensor.shape, `${showShape(shape)} to match the model's sizes`);
    }
    read[name] = tensor.data;
  }
  return read;
}

/* ---- in the kernel's memory ------------------------------------------------------------------ */

/** Allocates an attn_language. @param {Kernel} kernel @param {Config} config */
export const loadConfig = (kernel, { values, queryKeyNorm, learnedScale, ...sizes }) =>
  kernel.struct(ATTN_LANGUAGE, {
    ...sizes,
    keysAsValues: Number(values === 'keys'),
    queryKeyNorm: Number(queryKeyNorm === true),
    learnedScale: Number(learnedScale === true),
  });

/**
 * Allocates a model's parameters.
 * @param {Kernel} kernel
 * @param {ReturnType<typeof readModel>} model
 * @returns {Block}
 */
export function loadParameters(kernel, { config, parameters }) {
  const block = kernel.floats(parameterTotal(config));
  let place = 0;
  for (const [name] of parameterShapes(config)) {
    kernel.write(kernel.part(block, place), parameters[name]);
    place += parameters[name].length;
  }
  return block;
}

/**
 * Returns the parameters, or their gradients, that a block holds.
 * @param {Kernel} kernel
 * @param {Config} config
 * @param {Block} block
 * @returns {Parameters}
 */
export function takeParameters(kernel, config, block) {
  let place = 0;
  return mapParameters(config, (name, shape) => {
    const data = allocate(kernel.caller, shape);
    kernel.read(kernel.part(block, place), data);
    place += countOf(shape);
    return { data, shape: [...shape] };
  });
}
