// A course of training in a saved page: the numbers of every head at every step, and the arrays of as many steps
// as fit.

import { recordOf } from '../../shared/keys.js';
import { times } from '../../shared/times.js';
import { Course } from './course.js';
import { MEASURES } from './course-map.js';
import { sizes } from '../heads/heads.js';

/**
 * @import { Attention } from '../reading/index.js'
 * @import { HeadReport, Measure } from '../../diagnosis/course.js'
 * @import { CourseData } from './course-map.js'
 * @import { Shown } from '../heads/heads.js'
 *
 * @typedef {object} SavedCourse
 * @property {number[]} steps  that are measured
 * @property {Uint8Array} verdicts  [steps, heads of all layers]
 * @property {Partial<Record<Measure, Float64Array>>} measures  the same
 * @property {{ step: number, attention: Shown }[]} pictures
 * @property {[step: number, loss: number][]} losses
 */

/** The most bytes of arrays in a page. */
const MOST_BYTES = 2 ** 26;
/** The bytes of a character of base64, which is 6 bits. */
const BASE64 = 4 / 3;

/** @type {HeadReport['verdict'][]} */
const VERDICTS = ['frozen', 'sharp', 'spread', 'uniform', 'undefined'];
const NAMES = Object.values(MEASURES);

/** Returns the bytes of the arrays of a step. @param {Attention} attention */
const bytesOf = ({ weights, query, key }) =>
  [weights, query, key].reduce((sum, array) => sum + (array?.data.byteLength ?? 0), 0);

/**
 * Returns the places of the steps whose arrays a page holds: all that can be shown, or the shown one and others at
 * equal distances.
 * @param {CourseData} course
 * @param {Attention} attention  of the shown step
 */
export function heldSteps({ shown, index }, attention) {
  const most = Math.floor(MOST_BYTES / bytesOf(attention));
  if (shown.length <= most) return shown;
  const others = times(Math.max(0, most - 1), (i) => shown[Math.floor((i * shown.length) / most)]);
  return [...new Set([...others, index])].sort((a, b) => a - b);
}

/** Returns about how many bytes a course takes in a page. @param {CourseData} course @param {Attention} attention */
export function savedBytes(course, attention) {
  const { layers, heads } = sizes(attention);
  const ofHead = 1 + NAMES.length * Float64Array.BYTES_PER_ELEMENT;
  const numbers = course.reports.size * layers * heads * ofHead;
  return BASE64 * (numbers + heldSteps(course, attention).length * bytesOf(attention));
}

/**
 * Reads what a page holds of a course.
 * @param {Course} course
 * @param {CourseData} data
 * @param {Shown} attention  of the shown step
 * @returns {Promise<SavedCourse>}
 */
export async function savedCourse(course, data, attention) {
  const { steps, reports } = data;
  const pictures = [];
  for (const index of heldSteps(data, attention)) {
    pictures.push({ step: steps[index], attention: await course.read(index) });
  }
  const known = steps.filter((step) => reports.has(step));
  const all = known.flatMap((step) => reports.get(step) ?? []);
  /** @type {SavedCourse['measures']} */
  const measures = {};
  for (const name of NAMES.filter((each) => all[0]?.[each] !== undefined)) {
    measures[name] = Float64Array.from(all, (report) => report[name] ?? NaN);
  }
  const verdicts = Uint8Array.from(all, ({ verdict }) => VERDICTS.indexOf(verdict));
  return { steps: known, verdicts, measures, pictures, losses: [...course.losses] };
}

/** Returns the course of a saved page. @param {SavedCourse} saved */
export function courseFrom({ steps: known, verdicts, measures, pictures, losses }) {
  const { layers, heads } = sizes(pictures[0].attention);
  const names = NAMES.filter((name) => measures[name]);
  /** Returns the report of a head. @param {number} at @param {number} head over all layers @returns {HeadReport} */
  const reportOf = (at, head) => {
    const index = at * layers * heads + head;
    return {
      batch: Math.floor(head / heads),
      head: head % heads,
      verdict: VERDICTS[verdicts[index]],
      ...recordOf(names, (name) => measures[name]?.[index] ?? NaN),
    };
  };
  const reports = new Map(
    known.map((step, at) => [step, times(layers * heads, (head) => reportOf(at, head))]),
  );
  const attentions = new Map(pictures.map(({ step, attention }) => [step, attention]));
  const steps = [...new Set([...known, ...attentions.keys()])]
    .sort((a, b) => a - b)
    .map((step) => {
      const attention = attentions.get(step);
      return attention ? { step, read: async () => attention } : { step };
    });
  return new Course({ steps, reports, losses: new Map(losses) }, (attention) => attention);
}
