/**
 * Reads the options of dot-product attention.
 */
import { reject } from './errors.js';
import { readCausal, readReturns } from './heads.js';
import { readHeadMask } from './mask.js';
import { expectKnown, readChoice, readEntries, readNumber, readPositive } from './options.js';

/**
 * @import { Extra, Inputs } from './heads.js'
 * @import { HeadMask } from './mask.js'
 */

/**
 * The options, checked. `factor` is scale / temperature.
 *
 * @typedef {{ factor: number, temperature: number, causal: number, mask: HeadMask | null,
 *   cosine: boolean, returns: Extra[], into: unknown, limit: unknown }} Settings
 */

const OPTIONS = [
  'scale',
  'temperature',
  'causal',
  'mask',
  'similarity',
  'returns',
  'into',
  'limit',
];

/**
 * @param {string} caller
 * @param {Inputs} inputs
 * @param {unknown} options
 * @returns {Settings}
 */
export function readSettings(caller, inputs, options) {
  const given = readEntries(caller, options);
  const mask = readHeadMask(caller, given.mask, inputs);
  expectKnown(caller, given, OPTIONS);
  const similarity = readChoice(caller, 'similarity', given.similarity, ['dot', 'cosine']);
  const cosine = similarity === 'cosine';
  return {
    ...readFactor(caller, given, cosine ? 1 : 1 / Math.sqrt(inputs.dK)),
    causal: readCausal(caller, given.causal),
    mask,
    cosine,
    returns: readReturns(caller, given.returns),
    into: given.into,
    limit: given.limit,
  };
}

/**
 * Reads what similarities are multiplied with.
 *
 * @param {string} caller
 * @param {Record<string, unknown>} given
 * @param {number} scale the default
 * @returns {{ factor: number, temperature: number }}
 */
export function readFactor(caller, given, scale) {
  const multiplier = readNumber(caller, 'scale', given.scale, scale);
  const temperature = readPositive(caller, 'temperature', given.temperature, 1);
  const factor = multiplier / temperature;
  if (Number.isFinite(Math.fround(factor))) return { factor, temperature };
  reject(caller, 'scale / temperature', factor, 'a finite float32 number');
}
