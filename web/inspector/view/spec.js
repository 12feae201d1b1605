// What <attn-view> computes and draws: every head small, one large, the largest weights of one query, and
// the diagnosis of each head.

import { picture } from '../../figures/kit/chart/chart.js';
import { blueLook } from '../../figures/kit/chart/looks.js';
import { choiceField, numberField } from '../../figures/kit/state/state.js';
import { spoken } from '../../figures/kit/state/verbatim.js';
import { line, say } from '../../figures/kit/state/words.js';
import { node } from '../../figures/kit/chart/svg.js';
import { Resumed } from '../../shared/resumed.js';
import { times } from '../../shared/times.js';
import { stripBytes } from '../../experiments/long-attention.js';
import { styles as bringStyles } from './bring.js';
import { numberOf } from '../picture/canvas.js';
import { courseOf, stepField } from '../course/course.js';
import { styles as courseStyles } from '../course/course-controls.js';
import {
  courseData,
  courseHeight,
  courseMap,
  courseNotes,
  courseRows,
  datedNow,
  hasCourse,
  statisticField,
} from '../course/course-map.js';
import { heldSteps, savedBytes } from '../course/course-saved.js';
import { exampleOf, load, NAMES } from './example.js';
import { addressField, headField, headOf } from './fields.js';
import {
  diagnoseHead,
  dotHistogram,
  pooled,
  sizes,
  topKeys,
  weightsOf,
  weightsOfQuery,
} from '../heads/heads.js';
import { large } from '../picture/large.js';
import { aspect, layoutOf } from '../picture/layout.js';
import { isLong, knownOf, mapOf, nameOf } from '../heads/long.js';
import { overlay, pick, styles as overlayStyles } from '../picture/overlay.js';
import { regionField, regionOf } from '../picture/region.js';
import { largestOf } from '../picture/shades.js';
import { BINS, dotProducts, thumbs, topBars } from '../picture/side.js';
import { diagnosed, hintOf, styles as tableStyles, summaryOf } from './table.js';
import { labelsOf } from '../heads/tokens.js';
import {
  canExplain,
  directionsOff,
  explain,
  isExplained,
  rowWithout,
  styles as whyStyles,
  withoutField,
} from '../why/why.js';
import { messages } from './words.js';

/**
 * @import { Diagnosis, Tensor } from '../../attention/index.js'
 * @import { Steps } from '../../shared/slices.js'
 * @import { TidyRow } from '../../figures/kit/chart/tidy-row.js'
 * @import { Context, DataOf, FigureSpec, ReadoutGroup, ViewOf } from '../../figures/kit/spec.js'
 * @import { StateOf } from '../../figures/kit/state/state.js'
 * @import { Histogram, Place, Shown } from '../heads/heads.js'
 * @import { CourseView } from '../course/course-map.js'
 * @typedef {Place & { thumb: Tensor, diagnosis: Diagnosis }} Measured
 * @typedef {Place & Partial<Measured>} Head  of a long text it is measured when it is looked at
 * @import { Example } from './example.js'
 * @typedef {StateOf<typeof fields>} State
 * @typedef {DataOf<typeof compute>} Data
 * @typedef {ViewOf<Data, typeof messages.en, State>} View
 */

/** The most layers, heads, queries and keys that a field names. */
const MOST = 99_999;
/** Rows and columns of a thumbnail, and those where there are many heads. */
const THUMB = { few: 24, many: 12, from: 17 };
/** The most weights that are drawn as bars. */
const MOST_BARS = 24;
/** The largest matrix whose every cell is among the data to save. */
const MOST_CELLS = 4096;
/** By how much a row of weights may exceed 1. */
const SLACK = 0.01;

const number = (/** @type {number} */ initial, min = 1) =>
  numberField({ initial, min, max: MOST, slider: false });

const fields = {
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
  statistic: statisticField,
  src: addressField,
};

/** What the data have of each head. @type {readonly ('entropyRatio' | 'effectiveKeys' | 'jacobianTrace')[]} */
const MEASURES = ['entropyRatio', 'effectiveKeys', 'jacobianTrace'];

// ---- computing ------------------------------------------------------------------------------

/**
 * The heads of an attention at a factor, as far as they are computed, and all of them at the last factor
 * that came to its end. A computation that is interrupted goes on from there.
 * @type {WeakMap<Shown, { factor: number, heads: Measured[], whole?: Measured[] }>}
 */
const overviews = new WeakMap();

/**
 * Computes thumbnail and diagnosis of every head; while the reader drags, those of the last factor do.
 * @param {Shown} attention
 * @param {number} factor
 * @param {boolean} coarse
 * @returns {Steps<Measured[]>}
 */
function* overviewOf(attention, factor, coarse) {
  const known = overviews.get(attention);
  if (coarse && known?.whole) return known.whole;
  const overview = known?.factor === factor ? known : { factor, heads: [], whole: known?.whole };
  overviews.set(attention, overview);
  const { layers, heads, nQ, nK } = sizes(attention);
  const side = layers * heads < THUMB.from ? THUMB.few : THUMB.many;
  for (let index = overview.heads.length; index < layers * heads; index++) {
    const place = { layer: Math.floor(index / heads), head: index % heads };
    const thumb = pooled(weightsOf(attention, place, factor), nQ, nK, side);
    overview.heads.push({ ...place, thumb, diagnosis: diagnoseHead(attention, place, factor) });
    yield;
  }
  overview.whole = overview.heads;
  return overview.heads;
}

/** The thumbnail of each picture of a long head, so that a pointer on its way pools none again. @type {WeakMap<Tensor, Tensor>} */
const thumbnails = new WeakMap();

/** Returns the thumbnail of a picture. @param {Tensor} map @param {number} side */
function thumbnailOf(map, side) {
  const thumb = thumbnails.get(map) ?? pooled(map.data, map.shape[0], map.shape[1], side);
  thumbnails.set(map, thumb);
  return thumb;
}

/**
 * Returns what is known of the heads of a long text.
 * @param {Shown} attention
 * @param {number} factor
 * @returns {Head[]}
 */
function knownHeads(attention, factor) {
  const { layers, heads } = sizes(attention);
  const known = knownOf(attention);
  const side = layers * heads < THUMB.from ? THUMB.few : THUMB.many;
  return times(layers * heads, (index) => {
    const place = { layer: Math.floor(index / heads), head: index % heads };
    const name = nameOf(place, factor);
    const map = mapOf(known, `${name} `);
    const thumb = map && thumbnailOf(map, side);
    return { ...place, thumb, diagnosis: known.diagnoses.get(name) };
  });
}

/** The histogram of each head that was shown. @type {Resumed<Histogram>} */
const histograms = new Resumed();

/** Returns the range of the sums of rows. @param {Float32Array} weights @param {number} nK */
function rowSums(weights, nK) {
  let [low, high] = [Infinity, -Infinity];
  for (let at = 0; at < weights.length; at += nK) {
    let sum = 0;
    for (let j = 0; j < nK; j++) sum += weights[at + j];
    [low, high] = [Math.min(low, sum), Math.max(high, sum)];
  }
  return { low, high };
}

/** Returns a difference. @param {Float32Array} a @param {Float32Array} b */
const minus = (a, b) => a.map((value, i) => value - b[i]);

/** Returns the head that is there. @param {Place} place @param {{ layers: number, heads: number }} counts @returns {Place} */
const clamped = ({ layer, head }, { layers, heads }) => ({
  layer: Math.min(layer, layers - 1),
  head: Math.min(head, heads - 1),
});

/**
 * Computes the data of a state.
 * @param {State} state
 * @param {Context<Shown, Example>} context
 */
function* compute(state, { language, memo, result, coarse, loaded }) {
  const { sentence } = messages[language];
  const attention =
    result ??
    (yield* memo('example', [language, state.example], () => exampleOf(loaded, sentence)));
  const all = sizes(attention);
  const { nQ, nK } = all;
  const place = clamped({ layer: state.layer - 1, head: state.head - 1 }, all);
  const query = Math.min(state.row, nQ) - 1;
  const course = courseOf(attention);
  const common = {
    attention,
    course: course && courseData(course, state.step),
    ...all,
    ...place,
    query,
    region: regionOf(state.region, all),
    histogram: all.dK
      ? yield* histograms.get(attention, `${place.layer}.${place.head}`, () =>
          dotHistogram(attention, place, BINS, isLong(all)),
        )
      : undefined,
    labels: yield* memo('labels', numberOf(attention), () => labelsOf(attention.tokens, nQ)),
    keyLabels: yield* memo('key labels', numberOf(attention), () =>
      labelsOf(attention.keyTokens, nK),
    ),
    scale: attention.scale ?? attention.options?.scale,
    example: result ? undefined : state.example,
  };
  const measured = isLong(all)
    ? yield* longData(attention, { place, state, query, memo })
    : yield* wholeData(attention, { place, state, query, coarse, memo });
  const [strongest] = topKeys(measured.row, 1);
  const key = state.column === 0 ? (strongest?.key ?? 0) : Math.min(state.column, nK) - 1;
  const why =
    state.without &&
    canExplain(attention) &&
    !measured.other &&
    (!coarse || isExplained(attention, place))
      ? yield* explain(attention, place, state.factor, { query, key })
      : undefined;
  const off = why ? directionsOff(state.without) : [];
  const before = measured.row[key];
  const row = why && off.length > 0 ? rowWithout(measured.row, why, off) : measured.row;
  return {
    ...common,
    ...measured,
    row,
    top: topKeys(row, MOST_BARS),
    key,
    why,
    off,
    before,
  };
}

/**
 * What is measured of the shown head and of the others.
 * @typedef {object} MeasuredData
 * @property {Place} [other]  the head that is subtracted
 * @property {Head[]} overview
 * @property {Tensor} [matrix]  all weights, or their difference, where they are few enough
 * @property {Tensor} [map]  else a picture of the region, as far as it is known
 * @property {number} [fraction]  of it that is measured, while it is
 * @property {Float32Array} row  of the chosen query
 * @property {number} largest
 * @property {{ low: number, high: number }} sums  of the rows
 */

/**
 * Measures heads whose weights can be held.
 * @param {Shown} attention
 * @param {{ place: Place, state: State, query: number, coarse: boolean, memo: Context['memo'] }} context
 * @returns {Steps<MeasuredData>}
 */
function* wholeData(attention, { place, state, query, coarse, memo }) {
  const { layers, heads, nQ, nK } = sizes(attention);
  const { factor } = state;
  const inputs = [numberOf(attention), factor, place];
  const weights = yield* memo('weights', inputs, () => weightsOf(attention, place, factor));
  const named = headOf(state.minus);
  const other = named && clamped(named, { layers, heads });
  const shown = other
    ? yield* memo('difference', [...inputs, other], () =>
        minus(weights, weightsOf(attention, other, factor)),
      )
    : weights;
  return {
    other,
    overview: yield* overviewOf(attention, factor, coarse),
    matrix: { data: shown, shape: [nQ, nK] },
    row: shown.subarray(query * nK, (query + 1) * nK),
    largest: yield* memo('largest', numberOf(shown), () => largestOf(shown)),
    sums: yield* memo('sums', numberOf(weights), () => rowSums(weights, nK)),
  };
}

/**
 * Returns what is known of a long text, and the chosen row exactly.
 * @param {Shown} attention
 * @param {{ place: Place, state: State, query: number, memo: Context['memo'] }} context
 * @returns {Steps<MeasuredData>}
 */
function* longData(attention, { place, state, query, memo }) {
  const { factor, region } = state;
  const row = yield* memo('row', [numberOf(attention), factor, place, query], () =>
    weightsOfQuery(attention, place, factor, query),
  );
  const known = knownOf(attention);
  const map = mapOf(known, `${nameOf(place, factor)} ${region}`);
  const largest = largestOf(map?.data ?? row);
  return {
    overview: knownHeads(attention, factor),
    map,
    fraction: known.part?.fraction,
    row,
    largest,
    sums: { low: 0, high: 1 },
  };
}

// ---- words ------------------------------------------------------------------------------------

/** Returns the head of the data. @param {View} view @returns {Head} */
const headNow = ({ data }) =>
  /** @type {Head} */ (
    data.overview.find(({ layer, head }) => layer === data.layer && head === data.head)
  );

/** Names a head. @param {View} view @param {Place} place */
const placeOf = (view, { layer, head }) =>
  say(view, view.text.place, { layer: layer + 1, head: head + 1 });

/** Writes the chosen weight. @param {View} view */
const weightAt = ({ data }) => data.row[data.key];

/** Returns the claim, with its live number. @param {View} view @returns {string} */
function title(view) {
  const { data, text: words, format } = view;
  const [query, key] = [data.labels[data.query], data.keyLabels[data.key]];
  const values = { place: placeOf(view, data), query, key };
  if (data.other) {
    const other = placeOf(view, data.other);
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
  if (diagnosis.cause === 'unweighted') {
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
const status = (view) => spoken(statusOf(view));

/** Returns the same with formulas. @param {View} view */
function statusOf(view) {
  const { diagnosis } = headNow(view);
  if (!diagnosis) return title(view);
  return say(view, view.text.status, {
    title: title(view),
    hint: hintOf(view, diagnosis),
    summary: summaryOf(view),
  });
}

/** Returns the numbers of the shown head. @param {View} view @returns {ReadoutGroup[]} */
function readout(view) {
  const { data, text: words, format, palette, state } = view;
  const { diagnosis } = headNow(view);
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
      label: placeOf(view, data),
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
function note(view) {
  const { data, text: words, format } = view;
  const { low, high } = data.sums;
  const { layers, heads, nQ: queries, nK: keys } = data;
  const parts = [say(view, words.note, { layers, heads, queries, keys })];
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
  return [...parts, ...more.flat()].join(' ');
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

// ---- drawing ----------------------------------------------------------------------------------

/** Draws the picture. @param {View} view */
function draw(view) {
  const { width, palette, data } = view;
  const { matrix, sides, height } = layoutOf(view);
  const series = blueLook(palette, 'weights');
  const tops = data.top
    .slice(0, 5)
    .map(({ key, weight }) => `${data.keyLabels[key]} ${view.format.percent(weight)}`);
  const map = courseMap(view);
  const above = courseHeight(view);
  const description = `${map ? `${map.description}. ` : ''}${say(view, view.text.barsTitle, { query: data.labels[data.query] })}: ${tops.join(', ')}. ${summaryOf(view)}.`;
  const parts = [
    large(view, matrix),
    sides && [
      thumbs(view, sides.thumbs),
      topBars(view, sides.bars, series),
      dotProducts(view, sides.histogram, series),
    ],
  ];
  return picture(
    { width, height: height + above, palette, title: title(view), description },
    map ? [map.marks, node('g', { transform: `translate(0 ${above})` }, parts)] : parts,
  );
}

/** Returns the weights and the diagnosis as rows of a table. @param {View} view @returns {TidyRow[]} */
function rows(view) {
  const { data, text: words } = view;
  const isSmall = data.nQ * data.nK <= MOST_CELLS;
  const weights = [...data.labels.keys()]
    .filter((query) => (isSmall && data.matrix) || query === data.query)
    .flatMap((query) =>
      data.keyLabels.map((_, key) => ({
        panel: placeOf(view, data),
        series: `${query + 1} ${data.labels[query]}`,
        across: words.keys,
        x: key + 1,
        name: data.attention.keyTokens && data.keyLabels[key],
        measured: query === data.query ? data.row[key] : data.matrix?.data[query * data.nK + key],
      })),
    );
  const diagnoses = diagnosed(view).flatMap(({ layer, head, diagnosis }) =>
    MEASURES.map((measure) => ({
      panel: words[measure],
      series: words.verdicts[diagnosis.verdict],
      across: words.headNumber,
      x: layer * data.heads + head + 1,
      measured: diagnosis[measure],
    })),
  );
  return [...weights, ...diagnoses, ...courseRows(view)];
}

/** @type {FigureSpec<Data, typeof messages.en, State, Shown>} */
export const spec = {
  name: 'view',
  room: { wide: 700, narrow: 600 },
  fields,
  visible: ['layer', 'head', 'factor'],
  main: 'head',
  keeps: Object.keys(fields),
  messages,
  load,
  compute,
  aspect,
  title,
  status,
  caption: ({ data, text: words }) =>
    data?.example === 'words' || !data
      ? words.caption
      : (data.example ? words.minilmCaption : '') + words.ownCaption,
  draw,
  pick,
  follows: true,
  overlay,
  styles: [overlayStyles, tableStyles, bringStyles, whyStyles, courseStyles],
  readout,
  note,
  rows,
};
