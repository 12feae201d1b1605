// Heads of texts so long that their weights are never whole in memory: pictures and diagnoses are measured
// apart from the page, those that are seen first. The latest wish wins.

import { inWorker } from '../../experiments/in-worker.js';
import { measureLongHead } from '../../experiments/long-attention.js';
import { headAt } from './heads.js';

/**
 * @import { Tensor } from '../../attention/index.js'
 * @import { Shown, Sizes } from './heads.js'
 * @import { Data, Head, State } from './spec.js'
 */

/** The most weights of a head that are held as a matrix: 16 MB of them. */
const MOST_WHOLE = 2 ** 22;
/** Rows and columns of a measured picture. */
const SIDE = 512;
/** How long a wish has to last, so that dragging starts no work. */
const WAIT_MILLISECONDS = 150;

/** Returns whether the weights of a head are too many to hold. @param {Sizes} sizes */
export const isLong = ({ nQ, nK, dK }) => dK !== undefined && nQ * nK > MOST_WHOLE;

/** @typedef {{ maps: Map<string, Tensor>, diagnoses: Map<string, Head['diagnosis']>, fraction?: number }} Known */

/** What is known of each attention: pictures by head, factor and region, diagnoses by head and factor. @type {WeakMap<Shown, Known>} */
const all = new WeakMap();

/** Returns what is known of the heads of some attention. @param {Shown} attention @returns {Known} */
export function knownOf(attention) {
  const known = all.get(attention) ?? { maps: new Map(), diagnoses: new Map() };
  all.set(attention, known);
  return known;
}

/** Returns the name of a head at a factor. @param {{ layer: number, head: number }} place @param {number} factor */
export const nameOf = ({ layer, head }, factor) => `${layer}.${head} ${factor}`;

/** Returns a matrix of its own: a worker receives all of the memory that a view is of. @param {Tensor} matrix */
const copied = ({ data, shape }) => ({ data: data.slice(), shape });

/** Measures what a figure shows, one thing at a time. */
export class LongHeads {
  #changed;
  #wish = '';
  #run = new AbortController();

  /** @param {() => void} changed  called when more is known */
  constructor(changed) {
    this.#changed = changed;
  }

  cancel() {
    this.#run.abort();
    this.#wish = '';
  }

  /** Measures the picture and the diagnosis of the shown head, unless they are known. @param {Data} data @param {State} state */
  async want(data, { factor, region: text }) {
    const { attention, region } = data;
    if (!isLong(data)) return;
    const known = knownOf(attention);
    const name = nameOf(data, factor);
    const picture = `${name} ${text}`;
    if (picture === this.#wish) return; // its picture may be there in part
    const diagnoses = !known.diagnoses.has(name);
    const wish = known.maps.has(picture) && !diagnoses ? '' : picture;
    if (wish === this.#wish) return;
    this.#run.abort();
    this.#wish = wish;
    known.fraction = undefined;
    if (!wish) return this.#changed();
    const { signal } = (this.#run = new AbortController());
    await new Promise((resolve) => setTimeout(resolve, WAIT_MILLISECONDS));
    if (signal.aborted) return;
    known.fraction = 0;
    const { query, key, options } = headAt(attention, data, factor);
    const head = { query: copied(query), key: copied(key), options };
    const given = { ...head, region, most: SIDE, diagnoses };
    const onProgress = (/** @type {{ fraction: number, rows: { map: Tensor }[] }} */ progress) => {
      if (signal.aborted) return;
      known.fraction = progress.fraction;
      known.maps.set(picture, progress.rows[0].map);
      this.#changed();
    };
    const [row] = await inWorker('head', measureLongHead, given, { signal, onProgress });
    if (signal.aborted) return known.maps.delete(picture);
    known.fraction = undefined;
    known.maps.set(picture, row.map);
    if (row.diagnosis) known.diagnoses.set(name, row.diagnosis);
    this.#wish = '';
    this.#changed();
  }
}
