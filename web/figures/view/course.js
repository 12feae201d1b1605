// A course of training in <attn-view>: its steps, and the diagnoses of every head at each of them, which are
// measured apart from the page, once a step. The arrays of two steps are in memory at most: of the one that
// is shown, and of the one that is being measured.

import { diagnoseHeads, diagnosisCourse } from '../../experiments/diagnosis-course.js';
import { inOneWorker } from '../../experiments/in-worker.js';
import { now } from '../../shared/pause.js';
import { times } from '../../shared/times.js';
import { headAt, matrixOf, sizes } from './heads.js';

/**
 * @import { Attention, AttentionStep } from '../../files/index.js'
 * @import { Diagnosis } from '../../attention/index.js'
 * @import { GivenHead } from '../../experiments/diagnosis-course.js'
 * @import { DiagnosisRow, StepReport } from '../../experiments/index.js'
 * @import { Field } from '../kit/state/state.js'
 * @import { Shown } from './heads.js'
 */

/** Drawing what was measured takes at most this share of the time, and is done at most this often. */
const MOST_DRAWING = 0.1;
const LEAST_MILLISECONDS = 250;

/** A step of the course, or the last that there is. @type {Field<string>} */
export const stepField = {
  kind: 'picture',
  initial: '',
  /** @param {unknown} raw */
  parse: (raw) =>
    /^(-?\d{1,15}(\.\d{1,9})?)?$/.test(String(raw).trim()) ? String(raw).trim() : undefined,
};

/** Returns the place of the step that the field names: the nearest, or the last. @param {readonly number[]} steps @param {string} step */
export function indexOf(steps, step) {
  if (step === '') return steps.length - 1;
  const far = steps.map((each) => Math.abs(each - Number(step)));
  return far.indexOf(Math.min(...far));
}

/** The course that each shown attention is a step of. @type {WeakMap<Shown, Course>} */
const courses = new WeakMap();

/** Returns the course of which some attention is a step. @param {Shown} attention */
export const courseOf = (attention) => courses.get(attention);

/** Returns what is diagnosed of a step. @param {Shown} attention */
function headsOf(attention) {
  const { layers, heads, nQ, nK } = sizes(attention);
  return times(layers * heads, (index) => {
    const place = { layer: Math.floor(index / heads), head: index % heads };
    if (!attention.weights) return headAt(attention, place, 1);
    const { data } = matrixOf(attention.weights, place, heads);
    return { weights: { data, shape: [nQ, nK] } };
  });
}

export class Course {
  #steps;
  #complete;
  #items;
  /** @type {Map<number, StepReport>} */
  #reports = new Map();
  /** The step that is shown. @type {{ index: number, attention: Shown } | undefined} */
  #held;
  /** @type {AbortController | undefined} */
  #run;
  /** @type {DiagnosisRow[] | undefined} */
  #rows;

  /** What could not be read, by step. @type {Map<number, unknown>} */
  failures = new Map();

  /**
   * @param {readonly AttentionStep[]} steps
   * @param {(attention: Attention) => Shown} complete  adds what the page gives for all steps
   * @param {ReadonlyMap<number, unknown>} [items]  what the page gave of each step, which tells whether it is the same
   */
  constructor(steps, complete, items = new Map()) {
    this.#steps = steps;
    this.#complete = complete;
    this.#items = items;
  }

  /** @returns {number[]} */
  get steps() {
    return this.#steps.map(({ step }) => step);
  }

  /** How many steps are measured. */
  get known() {
    return this.#reports.size;
  }

  /** The diagnoses so far, as rows. */
  get rows() {
    this.#rows ??= diagnosisCourse([...this.#reports.values()]);
    return this.#rows;
  }

  /** Whether all steps are measured that can be. */
  get isWhole() {
    return this.#reports.size + this.failures.size >= this.#steps.length;
  }

  /** Takes over what is known of steps that another course has, too. @param {Course} other */
  take(other) {
    for (const [step, report] of other.#reports) {
      const item = this.#items.get(step);
      if (item !== undefined && item === other.#items.get(step)) this.#reports.set(step, report);
    }
  }

  /** Reads a step. @param {number} index @returns {Promise<Shown>} */
  async #read(index) {
    if (this.#held?.index === index) return this.#held.attention;
    return this.#complete(await this.#steps[index].read());
  }

  /** Returns the attention of the step that a field names, and keeps it. @param {string} step */
  async show(step) {
    const index = indexOf(this.steps, step);
    const attention = await this.#read(index);
    courses.set(attention, this);
    this.#held = { index, attention };
    return attention;
  }

  cancel() {
    this.#run?.abort();
    this.#run = undefined;
  }

  /**
   * Measures the steps that are not yet known.
   * @param {() => void} changed  called when more is known
   */
  async measure(changed) {
    if (this.#run || this.isWhole) return;
    const { signal } = (this.#run = new AbortController());
    const measure = inOneWorker('heads', diagnoseHeads, signal);
    let next = 0;
    for (const [index, { step }] of Object.entries(this.#steps)) {
      if (this.#reports.has(step) || this.failures.has(step)) continue;
      try {
        const diagnoses = await this.#diagnose(Number(index), measure);
        if (signal.aborted) return;
        this.#reports.set(step, { step, diagnoses });
      } catch (error) {
        this.failures.set(step, error);
      }
      this.#rows = undefined;
      if (now() < next) continue;
      const start = now();
      changed();
      const { rows } = this;
      const took = rows.length > 0 ? now() - start : 0;
      next = now() + Math.max(LEAST_MILLISECONDS, took / MOST_DRAWING);
    }
    this.cancel();
    changed();
  }

  /**
   * Diagnoses every head at a step.
   * @param {number} index
   * @param {(given: { heads: readonly GivenHead[] }) => Promise<Diagnosis[]>} measure
   */
  async #diagnose(index, measure) {
    const attention = await this.#read(index);
    const { heads } = sizes(attention);
    const diagnoses = await measure({ heads: headsOf(attention) });
    return diagnoses.map((diagnosis, i) => ({
      ...diagnosis,
      batch: Math.floor(i / heads),
      head: i % heads,
    }));
  }
}
