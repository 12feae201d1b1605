// Two recordings side by side, A and B: two checkpoints, or a model with and without its scale.

import { ShapeError } from '../../attention/errors.js';
import { choiceField } from '../../figures/kit/state/state.js';
import { pooled, sizes, weightsOf } from './heads.js';
import { knownOf } from './known.js';
import { isLong } from './long.js';

/**
 * @import { Steps } from '../../shared/slices.js'
 * @import { Shown, Sizes } from './heads.js'
 * @import { Measured } from './known.js'
 *
 * @typedef {object} Compared
 * @property {Shown} first
 * @property {Shown} second
 * @property {boolean} canSubtract  weights of both can be held
 * @property {boolean} isDifference
 * @property {Shown} shown  of a difference the first
 * @property {Shown} other
 */

/** Which of two recordings is shown. @type {import('../../figures/kit/state/state.js').Field<string>} */
export const compareField = {
  ...choiceField({ initial: 'difference', options: ['difference', 'first', 'second'] }),
  kind: 'picture',
};

/** Names the counts that two recordings share. @type {[name: keyof Sizes, plural: string][]} */
const COUNTS = [['layers', 'layers'], ['heads', 'heads'], ['nQ', 'queries'], ['nK', 'keys']]; // prettier-ignore

/** Expects that a second recording has as many layers, heads, queries and keys as the first. @param {Shown} first @param {Shown} second */
export function expectAlike(first, second) {
  const [all, others] = [sizes(first), sizes(second)];
  const different = COUNTS.filter(([name]) => all[name] !== others[name]);
  if (different.length === 0) return;
  const list = different.map(
    ([name, plural]) => `${others[name]} ${plural}, expected ${all[name]}`,
  );
  throw new ShapeError(`it has ${list.join('; ')}, as what it is compared with`);
}

/** Returns how some attention is compared with a second one, if there is one. @param {Shown} first @param {string} compare @returns {Compared | undefined} */
export function comparedOf(first, compare) {
  const { second } = knownOf(first);
  if (!second) return undefined;
  const canSubtract = ![first, second].some((each) => isLong(sizes(each)));
  const [shown, other] = compare === 'second' ? [second, first] : [first, second];
  const isDifference = compare === 'difference' && canSubtract;
  return { first, second, canSubtract, isDifference, shown, other };
}

/** Returns a difference. @param {Float32Array} a @param {Float32Array} b @returns {Float32Array} */
export const minus = (a, b) => a.map((value, i) => value - b[i]);

/**
 * Returns the heads of A with those of B beside them, and with pictures of the difference.
 * @param {Compared} compared
 * @param {{ heads: readonly Measured[], others: readonly Measured[], factor: number }} measured
 * @returns {Steps<Measured[]>}
 */
export function* differences({ first, second }, { heads, others, factor }) {
  const { nQ, nK } = sizes(first);
  /** @type {Measured[]} */
  const all = [];
  for (const head of heads) {
    const [a, b] = [first, second].map((each) => weightsOf(each, head, factor));
    const thumb = pooled(minus(a, b), nQ, nK, Math.max(...head.thumb.shape));
    all.push({ ...head, thumb, second: others[all.length] });
    yield;
  }
  return all;
}

/**
 * Returns a number of a head; of one that is compared, how much larger it is than in B.
 * @template {Measured} Head
 * @param {Head} head
 * @param {(head: Head) => number} value
 */
export const numberOf = (head, value) =>
  head.second ? value(head) - value(/** @type {Head} */ (head.second)) : value(head);
