// A course of training in <attn-view>: its steps, and the diagnoses of every head at each of them, which are
// measured apart from the page, once a step. The arrays of two steps are in memory at most: of the one that
// is shown, and of the one that is being measured. Steps may be added at any time.

import { diagnoseHeads } from '../../experiments/diagnose-heads.js';
import { inOneWorker } from '../../experiments/in-worker.js';
import { oneShape } from '../reading/series.js';
import { now } from '../../shared/pause.js';
import { times } from '../../shared/times.js';
import { copied, givenOf, sizes } from '../heads/heads.js';
import { knownOf } from '../heads/known.js';

/**
 * @import { Attention, AttentionStep } from '../reading/index.js'
 * @import { Diagnosis } from '../../attention/index.js'
 * @import { DiagnosisRow, HeadReport } from '../../diagnosis/course.js'
 * @import { GivenHead } from '../../experiments/diagnose-heads.js'
 * @import { Field } from '../../figures/kit/state/state.js'
 * @import { Shown } from '../heads/heads.js'
 *
 * @typedef {{ step: number, read?: AttentionStep['read'] }} CourseStep  a saved page has the numbers of every
 *   step, and can read some
 * @typedef {{ tokens?: unknown, keyTokens?: unknown, scale?: unknown, options?: unknown }} Extras  what the page
 *   gives for all steps
 * @typedef {ReadonlyMap<number, readonly HeadReport[]>} Reports  the heads of all layers, by step
 * @typedef {{ verdict: DiagnosisRow['verdict'], since: number }} Dated
 *
 * @typedef {object} GivenCourse
 * @property {readonly CourseStep[]} steps  in order
 * @property {ReadonlyMap<number, unknown>} [items]  what the page gave of each step, which tells whether it is the same
 * @property {Extras} [extras]
 * @property {Reports} [reports]  what is known of steps already
 * @property {ReadonlyMap<number, number>} [losses]  the same
 */

/** The time between two drawings of what was measured. */
const DRAWN_MILLISECONDS = 250;

/** A step of the course, or the last that there is. @type {Field<string>} */
export const stepField = {
  kind: 'picture',
  initial: '',
  /** @param {unknown} raw */
  parse(raw) {
    const text = typeof raw === 'string' || typeof raw === 'number' ? String(raw).trim() : '?';
    return /^(-?\d{1,15}(\.\d{1,9})?)?$/.test(text) ? text : undefined;
  },
};

/**
 * Returns the place of the step that the field names, among those that can be shown: the nearest, or the last.
 * @param {{ steps: readonly number[], shown: readonly number[] }} course
 * @param {string} step
 */
export function indexOf({ steps, shown }, step) {
  if (step === '') return shown[shown.length - 1];
  const far = shown.map((index) => Math.abs(steps[index] - Number(step)));
  return shown[far.indexOf(Math.min(...far))];
}

/** What a worker receives a copy of. */
const TENSORS = ['weights', 'query', 'key'];

/** Returns what is diagnosed of a step. @param {Shown} attention */
function headsOf(attention) {
  const { layers, heads } = sizes(attention);
  return times(layers * heads, (index) => {
    const place = { layer: Math.floor(index / heads), head: index % heads };
    const given = givenOf(attention, place, 1);
    const tensors = Object.entries(given).filter(([name]) => TENSORS.includes(name));
    const own = tensors.map(([name, tensor]) => [name, tensor && copied(tensor)]);
    return /** @type {GivenHead} */ ({ ...given, ...Object.fromEntries(own) });
  });
}

/** Returns whether two objects have the same entries. @param {unknown} one @param {unknown} other */
function hasSameEntries(one, other) {
  const [first, second] = [Object(one), Object(other)];
  const names = new Set([...Object.keys(first), ...Object.keys(second)]);
  return [...names].every((name) => first[name] === second[name]);
}

export class Course {
  #steps;
  #items;
  #extras;
  #complete;
  /** @type {Map<number, readonly HeadReport[]>} */
  #reports;
  /** The reports as they were last asked for, which change no more. @type {Reports | undefined} */
  #snapshot;
  /** The dates of the heads, by the place of a step. @type {Map<number, Dated[]>} */
  #dates = new Map();
  /** The step that is shown. @type {{ at: CourseStep, attention: Shown } | undefined} */
  #held;
  #expectShape = oneShape();
  /** @type {AbortController | undefined} */
  #run;

  /** The losses that the steps tell which were read. @type {Map<number, number>} */
  losses = new Map();
  /** What could not be read, by step. @type {Map<number, unknown>} */
  failures = new Map();

  /**
   * @param {GivenCourse} given
   * @param {(attention: Attention, extras: Extras) => Shown} complete  adds what the page gives for all steps
   */
  constructor({ steps, items = new Map(), extras = {}, reports = new Map(), losses }, complete) {
    this.losses = new Map(losses);
    this.#steps = steps;
    this.#items = items;
    this.#extras = extras;
    this.#reports = new Map(reports);
    this.#complete = complete;
  }

  /** @returns {number[]} */
  get steps() {
    return this.#steps.map(({ step }) => step);
  }

  /** Returns the places of the steps that can be shown. */
  get shown() {
    return times(this.#steps.length, (index) => index).filter((index) => {
      const { step, read } = this.#steps[index];
      return read && !this.failures.has(step);
    });
  }

  /** Returns what is measured so far. */
  get reports() {
    this.#snapshot ??= new Map(this.#reports);
    return this.#snapshot;
  }

  /** How many steps are measured. */
  get known() {
    return this.#reports.size;
  }

  /** Whether all steps are measured that can be. */
  get isWhole() {
    return this.#nextUnknown() === undefined;
  }

  #nextUnknown() {
    return this.#steps.find(({ step }) => !this.#reports.has(step) && !this.failures.has(step));
  }

  /** Forgets what was made of the reports, which have changed. */
  #changed() {
    this.#snapshot = undefined;
    this.#dates.clear();
  }

  // ---- steps that come ------------------------------------------------------------------------

  /**
   * Returns whether a page goes on with this course: it gives some of its steps again, to be measured alike.
   * @param {GivenCourse} given
   */
  isContinuedBy({ items = new Map(), extras = {} }) {
    const { scale, options } = this.#extras;
    return (
      scale === extras.scale &&
      hasSameEntries(options, extras.options) &&
      [...items].some(([step, item]) => this.#items.get(step) === item)
    );
  }

  /**
   * Goes on with the steps that the page gives now. What is known of a step stays where its item is the same.
   * @param {GivenCourse} given
   */
  update({ steps, items = new Map(), extras = {} }) {
    const before = new Map(this.#steps.map((each) => [each.step, each]));
    const knownOf = (/** @type {number} */ step) =>
      items.get(step) === this.#items.get(step) ? before.get(step) : undefined;
    this.#steps = steps.map((each) => knownOf(each.step) ?? each);
    for (const [step, each] of before) {
      if (this.#steps.includes(each)) continue;
      this.#reports.delete(step);
      this.failures.delete(step);
      this.losses.delete(step);
    }
    if (!hasSameEntries(this.#extras, extras)) this.#held = undefined;
    this.#items = items;
    this.#extras = extras;
    this.#changed();
  }

  // ---- the step that is shown -----------------------------------------------------------------

  /** Reads a step. @param {CourseStep} at @returns {Promise<Shown>} */
  async #read(at) {
    if (this.#held?.at === at) return this.#held.attention;
    const { step, read } = at;
    if (!read) throw new TypeError(`step ${step} has no arrays`);
    const found = await read();
    if (found.loss !== undefined) this.losses.set(step, found.loss);
    const attention = this.#complete(found, this.#extras);
    return this.#expectShape({ step, name: `step ${step}` }, attention);
  }

  /** Reads the step at a place. @param {number} index */
  read(index) {
    return this.#read(this.#steps[index]);
  }

  /**
   * Returns the attention of the step that a field names, or of the nearest that can be read, and keeps it.
   * @param {string} step
   * @returns {Promise<Shown>}
   */
  async show(step) {
    while (this.shown.length > 0) {
      const at = this.#steps[indexOf(this, step)];
      try {
        const attention = await this.#read(at);
        knownOf(attention).course = this;
        this.#held = { at, attention };
        return attention;
      } catch (error) {
        this.failures.set(at.step, error);
      }
    }
    const [first] = this.failures.values();
    throw first;
  }

  // ---- measuring ------------------------------------------------------------------------------

  cancel() {
    this.#run?.abort();
    this.#run = undefined;
  }

  /**
   * Measures the steps that are not yet known, also those that come meanwhile.
   * @param {() => void} changed  called when more is known
   */
  async measure(changed) {
    if (this.#run || this.isWhole) return;
    const { signal } = (this.#run = new AbortController());
    const measure = inOneWorker('heads', diagnoseHeads, signal);
    let drawn = -Infinity;
    for (let at = this.#nextUnknown(); at; at = this.#nextUnknown()) {
      const { step } = at;
      try {
        const heads = await this.#diagnose(at, measure);
        if (signal.aborted) return;
        if (this.#steps.includes(at)) this.#reports.set(step, heads);
      } catch (error) {
        if (this.#steps.includes(at)) this.failures.set(step, error);
      }
      this.#changed();
      if (now() - drawn < DRAWN_MILLISECONDS) continue;
      drawn = now();
      changed();
    }
    this.cancel();
    changed();
  }

  /**
   * Diagnoses every head at a step.
   * @param {CourseStep} at
   * @param {(given: { heads: readonly GivenHead[] }) => Promise<Diagnosis[]>} measure
   * @returns {Promise<HeadReport[]>}
   */
  async #diagnose(at, measure) {
    const attention = await this.#read(at);
    const { heads } = sizes(attention);
    const diagnoses = await measure({ heads: headsOf(attention) });
    return diagnoses.map((diagnosis, i) => {
      const { verdict, entropyRatio, firstWeight } = diagnosis;
      const { dotDeviation, effectiveDimension, largestScore } = diagnosis;
      const ofPairs = { dotDeviation, effectiveDimension, largestScore };
      const place = { batch: Math.floor(i / heads), head: i % heads };
      return { ...place, verdict, entropyRatio, firstWeight, ...ofPairs };
    });
  }

  /**
   * Returns the verdicts of the heads at a step, each with the first of the measured steps up to it at all of which
   * the head has this verdict.
   * @param {number} index  of the step
   * @returns {Dated[]} of all layers; none if the step is not measured
   */
  datesAt(index) {
    const known = this.#dates.get(index);
    if (known) return known;
    const upTo = this.steps.slice(0, index + 1).filter((step) => this.#reports.has(step));
    const reports = upTo.map((step) => this.#reports.get(step) ?? []);
    const last = upTo.length - 1;
    const isMeasured = last >= 0 && upTo[last] === this.#steps[index].step;
    const dates = (isMeasured ? reports[last] : []).map((report, head) => {
      const { verdict } = report;
      let first = last;
      while (first > 0 && reports[first - 1][head].verdict === verdict) first -= 1;
      return { verdict, since: upTo[first] };
    });
    this.#dates.set(index, dates);
    return dates;
  }
}
