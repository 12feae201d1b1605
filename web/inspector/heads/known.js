// What has been computed for an attention, in one place: it is freed with the attention.

import { createMemo } from '../../shared/memo.js';
import { Resumed } from '../../shared/resumed.js';

/**
 * @import { Diagnosis, Tensor } from '../../attention/index.js'
 * @import { HeadDirections } from '../../diagnosis/why-this-key.js'
 * @import { Memo } from '../../shared/memo.js'
 * @import { Course } from '../course/course.js'
 * @import { Histogram, Place, Shown } from './heads.js'
 * @import { Reach } from './reach.js'
 * @typedef {Place & { thumb: Tensor, diagnosis: Diagnosis, reach?: Reach, second?: Measured }} Measured  reach: where
 *   weights can be held; second: the same head of what it is compared with
 *
 * @typedef {object} Overview  of the heads
 * @property {string} name  of the factor, and of the grid of the image
 * @property {Measured[]} heads  as far as they are computed: a computation that is interrupted goes on from there
 * @property {Measured[]} [whole]  all of them at the last factor that came to its end
 *
 * @typedef {object} Known
 * @property {Memo} memo  what the last state has asked for
 * @property {Overview} [overview]
 * @property {Resumed<Histogram>} histograms  by head
 * @property {Resumed<HeadDirections>} directions  by head
 * @property {Resumed<Measured[]>} differences  of the heads, by factor, grid and what they are compared with
 * @property {Map<string, Tensor>} maps  pictures of a long text, by head, factor and region
 * @property {Map<string, Diagnosis>} diagnoses  of a long text, by head and factor
 * @property {{ picture: string, map?: Tensor, fraction: number }} [part]  what is being measured, as far as it is
 * @property {WeakMap<Tensor, Tensor>} thumbs  of pictures
 * @property {Course} [course]  of training, of which it is a step
 * @property {string} [label]  the name of its file, or its address
 * @property {Shown} [second]  what it is compared with
 * @property {number} id
 */

/** @type {WeakMap<Shown, Known>} */
const all = new WeakMap();
let count = 0;

/** Returns what is known of some attention. @param {Shown} attention @returns {Known} */
export function knownOf(attention) {
  const known = all.get(attention) ?? {
    memo: createMemo(),
    histograms: new Resumed(),
    directions: new Resumed(),
    differences: new Resumed(),
    maps: new Map(),
    diagnoses: new Map(),
    thumbs: new WeakMap(),
    id: (count += 1),
  };
  all.set(attention, known);
  return known;
}
