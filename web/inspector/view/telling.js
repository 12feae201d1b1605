// What <attn-view> says: its claim, the numbers beside theory and the remarks under them.

import { stripBytes } from '../../experiments/long-attention.js';
import { blueLook } from '../../figures/kit/chart/looks.js';
import { spoken, verbatim } from '../../figures/kit/state/verbatim.js';
import { line, say } from '../../figures/kit/state/words.js';
import { courseNotes, datedNow, hasCourse } from '../course/course-map.js';
import { heldSteps, savedBytes } from '../course/course-saved.js';
import { knownOf } from '../heads/known.js';
import { diagnosed, hintOf, inBoth, summaryOf } from './table.js';

/**
 * @import { Cause } from '../../diagnosis/hint.js'
 * @import { Diagnosis } from '../../attention/index.js'
 * @import { ReadoutGroup } from '../../figures/kit/spec.js'
 * @import { CourseView } from '../course/course-map.js'
 * @import { Place, Shown } from '../heads/heads.js'
 * @import { Measured } from '../heads/known.js'
 * @import { Head, View } from './data.js'
 */

/** The causes that weights are none. @type {readonly Cause[]} */
const NO_WEIGHTS = ['unweighted', 'columns', 'rowSums'];
/** The most characters of the name of a file. */
const LONGEST_LABEL = 80;
/** By how much a row of weights may exceed 1. */
const SLACK = 0.01;

/** Returns the head of the data. @param {View} view @returns {Head} */
const headNow = ({ data }) =>
  /** @type {Head} */ (
    data.overview.find(({ layer, head }) => layer === data.layer && head === data.head)
  );

/** Names a head. @param {View} view @param {Place} place */
export const placeOf = (view, { layer, head }) =>
  say(view, view.text.place, { layer: layer + 1, head: head + 1 });

/** Names a head with the recording that it is of, where there are two. @param {View} view @param {Place} head @param {boolean} [isOther]  it is subtracted */
function placeOfTwo(view, head, isOther = false) {
  const { compared } = view.data;
  const place = placeOf(view, head);
  if (!compared) return place;
  const isSecond = compared.isDifference ? isOther : compared.shown === compared.second;
  return say(view, view.text.placeOfTwo, { place, run: isSecond ? 'B' : 'A' });
}

/** Writes the chosen weight. @param {View} view */
const weightAt = ({ data }) => data.row[data.key];

/** Returns the claim, with its live number. @param {View} view @returns {string} */
export function title(view) {
  const { data, text: words, format } = view;
  const [query, key] = [data.labels[data.query], data.keyLabels[data.key]];
  const values = { place: placeOfTwo(view, data), query, key };
  if (data.other) {
    const other = placeOfTwo(view, data.other, true);
    return say(view, words.differenceTitle, {
      ...values,
      other,
      value: signed(view, weightAt(view)),
    });
  }
  const { diagnosis } = headNow(view);
  const weight = format.percent(weightAt(view));
  if (data.off.length > 0) {
    const off = data.off.map((index) => index + 1).join(words.comma);
    return say(view, words.withoutTitle, {
      ...values,
      off,
      weight,
      before: format.percent(data.before),
    });
  }
  if (!diagnosis) return say(view, words.pendingTitle, { ...values, weight });
  if (NO_WEIGHTS.includes(diagnosis.cause)) {
    return say(view, words.unweightedTitle, { ...values, ...sumsOf(view) });
  }
  const verdict = words.verdicts[diagnosis.verdict];
  const dated = hasCourse(view) ? datedTitle(view, { ...values, verdict, weight }) : undefined;
  return dated ?? say(view, words.title, { ...values, verdict, weight });
}

/**
 * Returns the claim about a step of training, with the date of the verdict once it is known.
 * @param {CourseView} view
 * @param {Record<string, string>} values
 */
function datedTitle(view, values) {
  const { data, text: words, state } = view;
  const { steps, index } = data.course;
  const since = state.factor === 1 ? datedNow(view, data)?.since : undefined;
  const step = steps[index];
  return since === undefined
    ? say(view, words.stepTitle, { ...values, step })
    : say(view, words.sinceStepTitle, { ...values, step, since });
}

/** Writes the range of the sums of rows. @param {View} view */
const sumsOf = ({ data, format }) => ({
  from: format.significant(data.sums.low, 3),
  to: format.significant(data.sums.high, 3),
});

/** Writes a difference of weights. @param {View} view @param {number} value */
const signed = ({ format }, value) => `${value > 0 ? '+' : ''}${format.fixed(value, 3)}`;

/** Returns what screen readers say. @param {View} view */
export const status = (view) => spoken(statusOf(view));

/** Returns the same with formulas. @param {View} view */
function statusOf(view) {
  const { diagnosis } = headNow(view);
  if (!diagnosis) return title(view);
  return say(view, view.text.status, {
    title: title(view),
    hint: ended(
      view,
      inBoth(/** @type {Measured} */ (headNow(view)), (one) => hintOf(view, one), ' → '),
    ),
    summary: summaryOf(view),
  });
}

/** Ends a sentence, unless it is a question. @param {View} view @param {string} sentence */
const ended = ({ text: words }, sentence) =>
  /[?？]$/.test(sentence) ? sentence : sentence + words.stop;

/** Returns the numbers of a diagnosis; of a head that is compared, how much larger they are than in B. @param {Measured} head */
function numbersOf(head) {
  const { diagnosis, second } = head;
  if (!second) return diagnosis;
  const numbers = Object.entries(diagnosis).flatMap(([name, value]) =>
    typeof value === 'number' ? [[name, value - Reflect.get(second.diagnosis, name)]] : [],
  );
  return /** @type {Diagnosis} */ (Object.fromEntries(numbers));
}

/** Returns the numbers of the shown head. @param {View} view @returns {ReadoutGroup[]} */
export function readout(view) {
  const { data, text: words, format, palette, state } = view;
  const head = headNow(view);
  const diagnosis = head.diagnosis && numbersOf(/** @type {Measured} */ (head));
  /** @type {Partial<Diagnosis>} */
  const { dotDeviation, ...ofPairs } = diagnosis ?? {};
  const { scoreDeviation, predictedDeviation, effectiveDimension } = ofPairs;
  const fixed = (/** @type {number} */ digits) => (/** @type {number} */ value) =>
    format.fixed(value, digits);
  const exact = (/** @type {number} */ value) => format.significant(value, 4);
  const values = { query: data.labels[data.query], key: data.keyLabels[data.key] };
  const cell = say(view, data.other ? words.cellDifference : words.cell, values);
  const ofScores =
    dotDeviation === undefined || scoreDeviation === undefined || effectiveDimension === undefined
      ? []
      : [
          line(words.scoreDeviation, fixed(2), scoreDeviation, predictedDeviation),
          line(words.dotDeviation, fixed(2), dotDeviation),
          line(words.effectiveDimension, fixed(1), effectiveDimension),
        ];
  const factor = state.factor === 1 ? '' : `${format.plain(state.factor)}·`;
  return [
    {
      series: blueLook(palette, 'weights'),
      label: data.compared?.isDifference
        ? say(view, words.placeOfTwo, { place: placeOf(view, data), run: 'A − B' })
        : placeOfTwo(view, data),
      formula: data.dK ? `softmax(${factor}c·q·k)` : `softmax(${factor}ln p)`,
      theoryAs: words.predictedAs,
      errorAs: words.differenceAs,
      rows: [
        line(cell, exact, weightAt(view)),
        ...(diagnosis
          ? [
              line(words.entropyRatio, fixed(3), diagnosis.entropyRatio),
              line(words.effectiveKeys, fixed(1), diagnosis.effectiveKeys),
            ]
          : []),
        ...ofScores,
      ],
    },
  ];
}

/** Returns the remark under the numbers. @param {View} view */
export function note(view) {
  const { data, text: words, format } = view;
  const { low, high } = data.sums;
  const { layers, heads, nQ: queries, nK: keys } = data;
  const label = data.label && verbatim(data.label.slice(0, LONGEST_LABEL));
  const parts = [
    ...(label && !data.compared ? [say(view, words.fileNote, { label })] : []),
    ...comparedNotes(view),
    say(view, words.note, { layers, heads, queries, keys }),
  ];
  if (data.dK) {
    const c = data.scale === undefined ? '1/√d_k' : format.significant(data.scale, 3);
    parts.push(say(view, words.scaleNote, { c, dK: data.dK }));
  }
  if (high > 1 + SLACK || low < -SLACK) {
    parts.push(say(view, words.noWeights, sumsOf(view)));
  }
  const { emptyRows = 0 } = headNow(view).diagnosis ?? {};
  if (emptyRows > 0) parts.push(say(view, words.emptyNote, { emptyRows }));
  const more = [courseNotes(view), ofRegion(view), ofLong(view), ofPage(view)];
  return [...parts, ...more.flat()].join(' ').replaceAll('。 ', '。'); // which needs no space behind it
}

/** Names a recording of two. @param {Shown} attention */
export const nameOfShown = (attention) =>
  verbatim(knownOf(attention).label?.slice(0, LONGEST_LABEL) ?? '–');

/** Says what is compared. @param {View} view */
function comparedNotes(view) {
  const { compared } = view.data;
  if (!compared) return [];
  const [first, second] = [compared.first, compared.second].map(nameOfShown);
  return [say(view, view.text.comparedNote, { first, second })];
}

/** Says what a saved page holds of a course of training, and how large it is. @param {View} view */
function ofPage(view) {
  if (!hasCourse(view)) return [];
  const { attention, course } = view.data;
  const size = view.format.plain(Math.ceil(savedBytes(course, attention) / 1e5) / 10);
  const steps = course.steps.length;
  const pictures = heldSteps(course, attention).length;
  return [say(view, view.text.savedNote, { size, steps, pictures })];
}

/** Says which part is shown. @param {View} view */
function ofRegion(view) {
  const { rows, columns, zoom } = view.data.region;
  if (zoom === 1) return [];
  const ends = {
    firstQuery: rows.from + 1,
    lastQuery: rows.to,
    firstKey: columns.from + 1,
    lastKey: columns.to,
  };
  return [say(view, view.text.regionNote, ends)];
}

/** Says what a long text takes, and how far its measurement is. @param {View} view */
function ofLong(view) {
  const { data, text: words, format } = view;
  if (data.matrix) return [];
  const megabytes = (/** @type {number} */ bytes) => format.significant(bytes / 1e6, 2);
  const memory = {
    whole: format.count(Math.round((4 * data.nQ * data.nK) / 1e6)),
    strip: megabytes(stripBytes(data.nK)),
    known: diagnosed(view).length,
    heads: data.overview.length,
  };
  const percent = data.fraction === undefined ? undefined : format.percent(data.fraction);
  return [
    say(view, words.longNote, memory),
    ...(percent === undefined ? [] : [say(view, words.pending, { percent })]),
  ];
}

/** Returns what the picture assumes. @param {View} view */
export function caption({ data, text: words }) {
  if (!data || data.example === 'words') return words.caption;
  if (!data.example) return words.ownCaption;
  const isOfOthers = data.example.startsWith('minilm');
  return (isOfOthers ? words.minilmCaption : words.symptomCaption) + words.ownCaption;
}
