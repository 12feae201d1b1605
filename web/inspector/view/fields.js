// The fields of <attn-view>.

import { choiceField, numberField } from '../../figures/kit/state/state.js';
import { stepField } from '../course/course.js';
import { statisticField } from '../course/course-map.js';
import { compareField } from '../heads/compared.js';
import { regionField } from '../picture/region.js';
import { GRID } from '../reading/grid.js';
import { withoutField } from '../why/why.js';
import { NAMES } from './example.js';

/**
 * @import { Field, StateOf } from '../../figures/kit/state/state.js'
 * @import { Place } from '../heads/heads.js'
 * @typedef {StateOf<typeof fields>} State
 */

/** The most layers, heads, queries and keys that a field names. */
const MOST = 99_999;
const LONGEST_ADDRESS = 1000;

/** A head as in `2.1`, or none. @type {Field<string>} */
const headField = {
  kind: 'list',
  initial: '',
  size: 6,
  /** @param {unknown} raw */
  parse(raw) {
    const text =
      typeof raw === 'string' || typeof raw === 'number' ? String(raw).trim() : undefined;
    return text === '' || /^[1-9]\d{0,4}\.[1-9]\d{0,4}$/.test(text ?? '?') ? text : undefined;
  },
};

/**
 * Returns the head that a text names.
 * @param {string} text  of a head field
 * @returns {Place | undefined} counted from 0
 */
export function headOf(text) {
  const [layer, head] = text.split('.').map((each) => Number(each) - 1);
  return text ? { layer, head } : undefined;
}

/** The address of a file, which is read when the figure comes near. @type {Field<string>} */
const addressField = {
  kind: 'picture',
  initial: '',
  /** @param {unknown} raw */
  parse: (raw) =>
    typeof raw === 'string' && raw.length <= LONGEST_ADDRESS ? raw.trim() : undefined,
};

/** Rows and columns of an image, as in `7x7` or `[7, 7]`, or those of the file. @type {Field<string>} */
const gridField = {
  kind: 'picture',
  initial: '',
  /** @param {unknown} raw */
  parse(raw) {
    const text = Array.isArray(raw) ? raw.join('x') : raw;
    return text === '' || (typeof text === 'string' && GRID.test(text)) ? text : undefined;
  },
};

const number = (/** @type {number} */ initial, min = 1) =>
  numberField({ initial, min, max: MOST, slider: false });

/** A text of a batch, counted from 1, whose control is there where there is a batch. @type {Field<number>} */
const textField = { ...number(1), kind: 'picture' };

export const fields = {
  layer: number(1),
  head: number(1),
  factor: numberField({ initial: 1, min: 0, max: 8, step: 0.05 }),
  row: number(11),
  column: number(0, 0),
  show: choiceField({ initial: 'matrix', options: ['matrix', 'lines'] }),
  minus: headField,
  example: choiceField({ initial: 'words', options: NAMES }),
  region: regionField,
  without: withoutField,
  step: stepField,
  text: textField,
  statistic: statisticField,
  compare: compareField,
  grid: gridField,
  src: addressField,
};
