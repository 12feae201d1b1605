/**
 * Reads the options of dot-product attention.
 */
import { reject } from './errors.js';
import { EXTRAS } from './heads.js';
import { readHeadMask } from './mask.js';
import {
  expectKnown,
  readChoice,
  readChoices,
  readEntries,
  readNumber,
  readPositive,
} from './options.js';
import { readSinks } from './sink.js';
import { readSpans } from './visible.js';

/**
 * @import { Extra, Inputs } from './heads.js'
 * @import { HeadMask } from './mask.js'
 * @import { Sinks } from './sink.js'
 * @import { Span } from './structs.js'
 */

/**
 * How scores become weights. `factor` is scale / temperature, softcap is 0 for none, and there is a
 * span an item.
 *
 * @typedef {Sinks & { factor: number, temperature: number, softcap: number,
 *   spans: readonly Span[] }} Scoring
 */

/**
 * The options, checked.
 *
 * @template {string} [E=Extra]
 * @typedef {{ scoring: Scoring, mask: HeadMask | null, cosine: boolean, returns: E[],
 *   into: unknown, limit: unknown }} Settings
 */

/**
 * The options of attention, a row each. Where an option may hold an array, `axis` says of what it has an entry
 * each: of the items of a batch, of heads, or of pairs of query and key. Additive attention has none of those of dot
 * products.
 *
 * @type {readonly { name: string, axis?: 'items' | 'heads' | 'pairs', isOfDots?: true }[]}
 */
const ROWS = [
  { name: 'scale', isOfDots: true },
  { name: 'temperature', isOfDots: true },
  { name: 'softcap', isOfDots: true },
  { name: 'causal' },
  { name: 'window' },
  { name: 'offset', axis: 'items' },
  { name: 'keyLengths', axis: 'items' },
  { name: 'sink', axis: 'heads' },
  { name: 'mask', axis: 'pairs' },
  { name: 'similarity', isOfDots: true },
  { name: 'returns' },
  { name: 'into' },
  { name: 'limit' },
];

export const OPTIONS = ROWS.map(({ name }) => name);
/** The options that may hold arrays. */
export const ARRAYS = ROWS.filter(({ axis }) => axis).map(({ name }) => name);
/** The options that may have an entry a head. */
export const OF_HEADS = ROWS.filter(({ axis }) => axis === 'heads').map(({ name }) => name);

/** The options of dot products alone. */
export const OF_DOTS = ROWS.filter(({ isOfDots }) => isOfDots).map(({ name }) => name);

/** Returns the names of the options without some. @param {...string} others */
export const optionsWithout = (...others) => OPTIONS.filter((name) => !others.includes(name));

/**
 * Reads all options of attention.
 *
 * @template {string} [E=Extra]
 * @param {string} caller
 * @param {Pick<Inputs, 'lead' | 'batch' | 'heads' | 'nQ' | 'nK' | 'dK'>} inputs
 * @param {unknown} options
 * @param {readonly E[]} [choices] of `returns`
 * @param {readonly string[]} [known] names, where the caller has others
 * @returns {Settings<E>}
 */
export function readSettings(
  caller,
  inputs,
  options,
  choices = /** @type {readonly any[]} */ (EXTRAS),
  known = OPTIONS,
) {
  const given = readEntries(caller, options);
  const mask = readHeadMask(caller, given.mask, inputs);
  expectKnown(caller, given, known);
  const similarity = readChoice(caller, 'similarity', given.similarity, ['dot', 'cosine']);
  const cosine = similarity === 'cosine';
  const scoring = readScoring(caller, given, inputs, cosine ? 1 : 1 / Math.sqrt(inputs.dK));
  return {
    scoring,
    mask,
    cosine,
    returns: readChoices(caller, 'returns', given.returns, choices),
    into: given.into,
    limit: given.limit,
  };
}

/**
 * Reads the options that turn scores into weights.
 *
 * @param {string} caller
 * @param {Record<string, unknown>} given
 * @param {{ batch: number, heads: number, nQ: number, nK: number }} sizes
 * @param {number} scale the default
 * @returns {Scoring}
 */
function readScoring(caller, given, sizes, scale) {
  const multiplier = readNumber(caller, 'scale', given.scale, scale);
  const temperature = readPositive(caller, 'temperature', given.temperature, 1);
  const factor = multiplier / temperature;
  if (!Number.isFinite(Math.fround(factor))) {
    reject(caller, 'scale / temperature', factor, 'a finite float32 number');
  }
  const hasCap = given.softcap !== undefined && given.softcap !== null;
  const softcap = hasCap ? readPositive(caller, 'softcap', given.softcap, 1) : 0;
  const { sinks, hasSink, isSinkShared } = readSinks(caller, given.sink, sizes.heads);
  const spans = readSpans(caller, given, sizes);
  return { factor, temperature, softcap, sinks, hasSink, isSinkShared, spans };
}

/**
 * Returns a function that gives the settings of a head: its sink, and the span of its item.
 *
 * @param {Scoring} scoring
 * @param {number} heads
 */
export const headSettings =
  ({ factor, softcap, sinks, spans }, heads) =>
  (/** @type {number} */ head) => ({
    factor,
    softcap,
    sink: sinks[head % heads],
    span: spans[Math.floor(head / heads)],
  });
