// Fields of <attn-view> that no other figure has: a head by its numbers, and an address.

/**
 * @import { Field } from '../../figures/kit/state/state.js'
 * @import { Place } from '../heads/heads.js'
 */

const LONGEST_ADDRESS = 1000;

/** A head as in `2.1`, or none. @type {Field<string>} */
export const headField = {
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
export const addressField = {
  kind: 'picture',
  initial: '',
  /** @param {unknown} raw */
  parse: (raw) =>
    typeof raw === 'string' && raw.length <= LONGEST_ADDRESS ? raw.trim() : undefined,
};
