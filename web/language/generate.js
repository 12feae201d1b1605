/** Text from a model, token by token. */
import { reject, ShapeError } from '../attention/errors.js';
import { readEntries, readInteger, readNumber, readOptions } from '../attention/options.js';
import { computeLogits } from './forward.js';
import { loadConfig, loadParameters, readModel } from './model.js';
import { run } from './module.js';
import { readTokens } from './tokens.js';

/**
 * @import { Kernel } from '../attention/kernel/kernel.js'
 * @import { Model } from './model.js'
 * @import { Tokenizer } from './tokenizer.js'
 */

/**
 * @typedef {object} GenerateOptions
 * @property {Pick<Tokenizer, 'encode' | 'decode'>} tokenizer
 * @property {number} [length] tokens to add, 100 by default
 * @property {number} [temperature] divides the logits, 1 by default; 0 takes the likeliest token
 * @property {number} [seed] a non-negative safe integer, 0 by default
 */

const WORD = 2 ** 32;
/** The high word of the streams of draws; those of a start and of windows are 0 and 1. */
const DRAWS = 2;

/**
 * Continues a text. Every token is drawn by its probability after the last `context` tokens; the same seed
 * gives the same text in every engine.
 *
 * Cost: that of `logits` for each token.
 * @param {Model} model
 * @param {string} prompt
 * @param {GenerateOptions} options
 * @returns {string} the prompt and what follows it
 * @throws {ShapeError} for a prompt without tokens
 * @throws {DTypeError} for a prompt that is no text, unknown options
 * @throws {CapacityError} if the arrays exceed the kernel's memory
 * @throws {BackendError} if no kernel can run
 * @example
 * const text = 'to be or not to be, that is the question: ';
 * const tokenizer = characters(text);
 * const model = createModel({ vocabulary: tokenizer.pieces.length, context: 16, dModel: 8, seed: 1 });
 * generate(model, 'to be', { tokenizer, length: 12 }).length; // 17
 */
export function generate(model, prompt, options) {
  const caller = 'generate';
  const read = readModel(caller, model);
  if (typeof prompt !== 'string') reject(caller, 'prompt', prompt, 'a string');
  const known = ['tokenizer', 'length', 'temperature', 'seed'];
  const given = readOptions(caller, options, known);
  const tokenizer = readTokenizer(caller, given.tokenizer);
  const length = readInteger(caller, 'length', given.length, 0, 100);
  const temperature = readNumber(caller, 'temperature', given.temperature, 1);
  if (temperature !== 0 && !(Math.fround(temperature) > 0)) {
    reject(caller, 'temperature', temperature, '0, or a positive float32 number');
  }
  const seed = readInteger(caller, 'seed', given.seed, 0, 0);
  const { vocabulary, context } = read.config;
  const tokens = [...readTokens(caller, 'prompt', tokenizer.encode(prompt), vocabulary)];
  if (tokens.length === 0) {
    throw new ShapeError(`${caller}: prompt has no tokens, expected at least one`);
  }
  const first = tokens.length;
  run(caller, (kernel) => {
    const config = loadConfig(kernel, read.config);
    const parameters = loadParameters(kernel, read);
    const draws = drawn(kernel, length, seed);
    for (let i = 0; i < length; i++) {
      const window = tokens.slice(-context);
      kernel.within(() => {
        const texts = { data: Int32Array.from(window), shape: [], batch: 1, n: window.length };
        const all = kernel.floats(window.length * vocabulary);
        computeLogits(kernel, config, parameters, texts, all);
        const last = kernel.part(all, (window.length - 1) * vocabulary);
        if (temperature > 0) {
          kernel.call('attn_softmax_forward', last, 1, vocabulary, temperature, last);
        }
        const row = new Float32Array(vocabulary);
        kernel.read(last, row);
        tokens.push(temperature > 0 ? choose(row, draws[i]) : likeliest(row));
      });
    }
  });
  return prompt + tokenizer.decode(tokens.slice(first));
}

/** Reads a tokenizer. @param {string} caller @param {unknown} given */
function readTokenizer(caller, given) {
  const { encode, decode } = readEntries(caller, given, 'tokenizer');
  if (typeof encode !== 'function' || typeof decode !== 'function') {
    reject(caller, 'tokenizer', given, 'a tokenizer, as createTokenizer returns it');
  }
  return /** @type {Tokenizer} */ (given);
}

/** Returns a uniform number for each token. @param {Kernel} kernel @param {number} count @param {number} seed */
function drawn(kernel, count, seed) {
  const draws = new Float32Array(count);
  const block = kernel.floats(count);
  const key = [seed % WORD, Math.floor(seed / WORD)];
  kernel.call('attn_random_uniform', key[0], key[1], 0, DRAWS, count, 0, 1, block);
  kernel.read(block, draws);
  return draws;
}

/** Returns the entry in which a share of the sum of weights lies. @param {Float32Array} weights @param {number} share */
function choose(weights, share) {
  const total = weights.reduce((sum, weight) => sum + weight, 0);
  let left = share * total;
  let last = 0;
  for (let i = 0; i < weights.length; i++) {
    if (!(weights[i] > 0)) continue;
    last = i;
    left -= weights[i];
    if (left < 0) break;
  }
  return last;
}

/** Returns the place of the largest number. @param {Float32Array} row */
const likeliest = (row) => row.reduce((best, x, i) => (x > row[best] ? i : best), 0);
