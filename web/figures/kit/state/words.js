// How words and numbers come together, and formulas, which are the same in every language.

/**
 * @import { DkScaleKey } from '../../../shared/dk-scales.js'
 * @import { AnyView, ReadoutRow } from '../spec.js'
 * @typedef {typeof import('./en/words.js').words} KitMessages  what the kit says itself
 */

/**
 * Returns a text with its {holes} filled; numbers are written as short as possible.
 * @param {Pick<AnyView, 'state' | 'format'>} view
 * @param {string} text
 * @param {Record<string, string | number>} [values] by the names of the holes; others are taken from
 *   the state
 */
export const say = ({ state, format }, text, values = {}) =>
  text.replace(/\{(\w+)\}/g, (_, name) => {
    const value = values[name] ?? state[name];
    return typeof value === 'number' ? format.plain(value) : value;
  });

/** Factors in running text; options of a select cannot hold a subscript. */
export const factors = { sqrt: '1/√d_k', 'half-sqrt': '1/(2√d_k)', linear: '1/d_k' };

/** The attention that a factor makes. @type {Record<DkScaleKey, string>} */
export const formulas = {
  none: 'softmax(q·k)',
  sqrt: 'softmax(q·k / √d_k)',
  'half-sqrt': 'softmax(q·k / 2√d_k)',
  linear: 'softmax(q·k / d_k)',
};

/**
 * A line of the read-out.
 * @param {string} quantity
 * @param {(value: number) => string} format
 * @param {number} measured
 * @param {number} [theory]  left out where there is none
 * @returns {ReadoutRow}
 */
export const line = (quantity, format, measured, theory = NaN) => ({
  quantity,
  format,
  measured,
  theory,
});

/** Returns the reason of a failure. @param {unknown} error @returns {string} the thrown value in words */
export const reason = (error) => (error instanceof Error ? error.message : String(error));
