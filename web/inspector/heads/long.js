// Heads of texts so long that their weights are never whole in memory: pictures and diagnoses are measured
// apart from the page, those that are seen first. The latest wish wins.

import { inWorker } from '../../experiments/in-worker.js';
import { measureLongHead } from '../../experiments/long-attention.js';
import { copied, headAt } from './heads.js';
import { knownOf } from './known.js';

/**
 * @import { Tensor } from '../../attention/index.js'
 * @import { Known } from './known.js'
 * @import { Shown, Sizes } from './heads.js'
 * @import { Data } from '../view/data.js'
 * @import { State } from '../view/fields.js'
 */

/** The most weights of a head that are held as a matrix: 16 MB of them. */
const MOST_WHOLE = 2 ** 22;
/** Rows and columns of a measured picture. */
const SIDE = 512;
/** How long a wish has to last, so that dragging starts no work. */
const WAIT_MILLISECONDS = 150;

/** Returns whether the weights of a head are too many to hold. @param {Sizes} sizes */
export const isLong = ({ nQ, nK, dK }) => dK !== undefined && nQ * nK > MOST_WHOLE;

/** Returns a picture, as far as it is known. @param {Known} known @param {string} picture */
export const mapOf = ({ maps, part }, picture) =>
  maps.get(picture) ?? (part?.picture === picture ? part.map : undefined);

/** Returns the name of a head at a factor. @param {{ layer: number, head: number }} place @param {number} factor */
export const nameOf = ({ layer, head }, factor) => `${layer}.${head} ${factor}`;

/** Measures what a figure shows, one thing at a time. */
export class LongHeads {
  #changed;
  #wish = '';
  /** Of what it is wanted. @type {Shown | undefined} */
  #attention;
  #run = new AbortController();
  /** Of which every head is wanted, after the shown one. @type {{ attention: Shown, factor: number } | undefined} */
  #all;

  /** @param {() => void} changed  called when more is known */
  constructor(changed) {
    this.#changed = changed;
  }

  cancel() {
    this.#run.abort();
    this.#wish = '';
    this.#all = undefined;
  }

  /** Returns whether every head is being measured, or is known. @param {Data} data @param {State} state */
  hasAll(data, { factor }) {
    const isKnown = data.overview.every(({ diagnosis }) => diagnosis);
    return isKnown || (this.#all?.attention === data.attention && this.#all.factor === factor);
  }

  /** Measures every head at a factor, the shown one first, as soon as it is wanted again. @param {Data} data @param {State} state */
  measureAll({ attention }, { factor }) {
    this.#all = { attention, factor };
    this.#changed();
  }

  /**
   * Returns what is to be measured: the shown head until it is known; then, where every head is wanted, the next.
   * @param {Data} data
   * @param {State} state
   */
  #next(data, state) {
    const { diagnoses, maps } = knownOf(data.attention);
    const { factor, region: text } = state;
    const { layer, head, region, nQ, nK } = data;
    const isKnown = maps.has(`${nameOf(data, factor)} ${text}`);
    const isAsked = isKnown && this.hasAll(data, state);
    const next = data.overview.find((each) => !diagnoses.has(nameOf(each, factor)));
    if (!isAsked || !next) return { layer, head, text, region };
    const whole = { rows: { from: 0, to: nQ }, columns: { from: 0, to: nK } };
    return { layer: next.layer, head: next.head, text: '', region: whole };
  }

  /** Measures the picture and the diagnosis of the shown head, unless they are known. @param {Data} data @param {State} state */
  async want(data, state) {
    const { attention } = data;
    if (!isLong(data)) return;
    const { factor } = state;
    const known = knownOf(attention);
    const { text, region, ...place } = this.#next(data, state);
    const name = nameOf(place, factor);
    const picture = `${name} ${text}`;
    const diagnoses = !known.diagnoses.has(name);
    const isKnown = known.maps.has(picture) && !diagnoses;
    const wish = isKnown ? '' : picture;
    if (wish === this.#wish && (isKnown || attention === this.#attention)) return;
    this.#run.abort();
    this.#wish = wish;
    this.#attention = attention;
    known.part = undefined;
    if (isKnown) return this.#changed();
    const { signal } = (this.#run = new AbortController());
    await new Promise((resolve) => setTimeout(resolve, WAIT_MILLISECONDS));
    if (signal.aborted) return;
    known.part = { picture, fraction: 0 };
    const { query, key, options } = headAt(attention, place, factor);
    const head = { query: copied(query), key: copied(key), options };
    const given = { ...head, region, most: SIDE, diagnoses };
    const onProgress = (/** @type {{ fraction: number, rows: { map: Tensor }[] }} */ progress) => {
      if (signal.aborted) return;
      known.part = { picture, map: progress.rows[0].map, fraction: progress.fraction };
      this.#changed();
    };
    const [row] = await inWorker('head', measureLongHead, given, { signal, onProgress });
    if (signal.aborted) return;
    known.part = undefined;
    known.maps.set(picture, row.map);
    if (row.diagnosis) known.diagnoses.set(name, row.diagnosis);
    this.#wish = '';
    this.#changed();
  }
}
