// Words that several figures use, and how words and numbers come together.

/**
 * @import { DkScaleKey } from '../../../shared/dk-scales.js'
 * @import { AnyView, ReadoutRow } from '../spec.js'
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

const en = {
  fields: {
    dK: 'd_k',
    keys: 'keys n',
    scale: 'scale',
    entrySize: 'size of entries',
    queries: 'queries',
    seed: 'seed',
  },
  options: {
    none: 'none',
    sqrt: '1/√dₖ',
    'half-sqrt': '1/(2√dₖ)',
    linear: '1/dₖ',
  },
  unscaled: 'unscaled',
  scaled: 'scaled',
  /** Follows the name of an axis. */
  logScale: ' (log scale)',
  byOne: 'factor 1',
  entropyRatio: 'entropy / ln n',
  deviation: 'σ of the scores',
  oneRun: 'one run',
  runs: 'median of {runs}',
};

/** @type {typeof en} */
const zh = {
  fields: {
    dK: 'd_k',
    keys: '键数 n',
    scale: '缩放系数',
    entrySize: '元素大小',
    queries: '查询数',
    seed: '种子',
  },
  options: { ...en.options, none: '不缩放' },
  unscaled: '不缩放',
  scaled: '缩放后',
  logScale: '（对数轴）',
  byOne: '系数为 1',
  entropyRatio: '熵 / ln n',
  deviation: '分数的标准差 σ',
  oneRun: '单次',
  runs: '{runs} 次的中位数',
};

export const shared = { en, zh };

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
