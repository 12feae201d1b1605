// The map of a course of training: a statistic of every head at every step, above the picture of one step.

import { STACK_BELOW, text } from '../../figures/kit/chart/chart.js';
import { plotArea } from '../../figures/kit/chart/layout.js';
import { linear } from '../../figures/kit/chart/mapping.js';
import { blueLook, orangeLook } from '../../figures/kit/chart/looks.js';
import { curve } from '../../figures/kit/chart/marks/curve.js';
import { largestOf } from '../../figures/kit/chart/marks/cells.js';
import { node } from '../../figures/kit/chart/svg.js';
import { choiceField } from '../../figures/kit/state/state.js';
import { verbatim } from '../../figures/kit/state/verbatim.js';
import { reason, say } from '../../figures/kit/state/words.js';
import { diagnosisCourse } from '../../diagnosis/course.js';
import { keysOf } from '../../shared/keys.js';
import { times } from '../../shared/times.js';
import { knownOf } from '../heads/known.js';
import { indexOf } from './course.js';

/**
 * @import { DiagnosisRow, Measure } from '../../diagnosis/course.js'
 * @import { Frame, Panel } from '../../figures/kit/chart/panels.js'
 * @import { TidyRow } from '../../figures/kit/chart/tidy-row.js'
 * @import { Field, State } from '../../figures/kit/state/state.js'
 * @import { Course, Dated, Reports } from './course.js'
 * @import { Compared } from '../heads/compared.js'
 * @import { Place } from '../heads/heads.js'
 * @import { View } from '../view/data.js'
 *
 * @typedef {object} CourseData
 * @property {number[]} steps
 * @property {readonly number[]} shown  places of the steps that can be shown
 * @property {number} index  of the step that is
 * @property {Reports} reports  of the steps that are measured
 * @property {Reports} [others]  of the course that this one is compared with
 * @property {Losses} losses  of the steps that tell them
 * @property {Losses} [otherLosses]  of the other
 * @property {boolean} isDifference  the map is of the numbers without those of the other
 * @property {readonly Failure[]} failures
 * @property {{ now: Dated[], last: Dated[] } | undefined} dates  of the heads at the shown step and at the last, once
 *   every step is measured, or cannot be read
 *
 * @typedef {ReadonlyMap<number, number>} Losses  by step
 * @typedef {{ step: number, why: string }} Failure
 * @typedef {Omit<View, 'data'> & { data: View['data'] & { course: CourseData } }} CourseView
 */

/** The measures of a diagnosis by their names in the attribute. @type {Record<string, Measure>} */
export const MEASURES = {
  entropy: 'entropyRatio',
  deviation: 'dotDeviation',
  dimension: 'effectiveDimension',
  logit: 'largestScore',
  first: 'firstWeight',
};
const NAMES = keysOf(MEASURES);

/** Which statistic the map shows. @type {Field<string>} */
export const statisticField = {
  ...choiceField({ initial: 'entropy', options: NAMES }),
  kind: 'picture',
};

/** Rows of the map: more heads are shown a layer at a time. */
const MOST_HEADS = 288;
/** Heights of a row and of all of them, in pixels. */
const ROW = { least: 1, most: 16 };
const HEIGHT = { least: 48, most: 288 };
/** Around the rows: title, note and axis. */
const MARGIN = { left: 44, right: 8, top: 50 };
const AXIS = 46;
const GAP = 14;
/** The height of the plot of losses, and of its title. */
const LOSS = { title: 34, plot: 64, gap: 16 };
/** Pixels of a column, and between two labels of the axis. */
const LEAST_COLUMN = 2;
const BETWEEN_TICKS = { wide: 90, narrow: 70 };
/** The most numbers of a map in the table. */
const MOST_ROWS = 20_000;
/** The most heads whose dates are told in a sentence, and the most files that could not be read. */
const MOST_TOLD = 6;
const LONGEST_REASON = 300;

/**
 * Returns what is known of a course.
 * @param {Course} course
 * @param {string} step
 * @param {Compared} [compared]
 * @returns {CourseData}
 */
export function courseData(course, step, compared) {
  const { steps, shown, reports } = course;
  const index = indexOf({ steps, shown }, step);
  const others = compared && knownOf(compared.other).course?.reports;
  return {
    steps,
    shown,
    index,
    reports,
    others,
    losses: new Map(course.losses),
    otherLosses: compared && knownOf(compared.other).course?.losses,
    isDifference: Boolean(others && compared?.isDifference),
    failures: [...course.failures].map(([at, error]) => ({ step: at, why: reason(error) })),
    dates: course.isWhole
      ? { now: course.datesAt(index), last: course.datesAt(steps.length - 1) }
      : undefined,
  };
}

/** Returns whether a view has a course to draw. @param {View} view @returns {view is CourseView} */
export const hasCourse = (view) => view.data.course !== undefined && !view.compact;

/** Returns the measures that the heads have. @param {CourseView} view */
export const offered = ({ data }) => (data.dK ? NAMES : ['entropy', 'first']);

/** Returns the measure that is shown. @param {CourseView} view @param {State} [state] */
export function shownName(view, { statistic } = view.state) {
  return offered(view).includes(statistic) ? statistic : 'entropy';
}

/** Returns the heads of the map, in the order of its rows. @param {CourseView} view */
export function headsOf({ data }) {
  const { layers, heads } = data;
  const isAll = layers * heads <= MOST_HEADS;
  return times(isAll ? layers * heads : heads, (index) => ({
    layer: isAll ? Math.floor(index / heads) : data.layer,
    head: index % heads,
  }));
}

/** Returns the height of the map with all that belongs to it. @param {View} view */
export function courseHeight(view) {
  if (!hasCourse(view)) return 0;
  return lossHeight(view) + MARGIN.top + heightOfRows(headsOf(view).length) + AXIS + GAP;
}

/** Returns whether some step tells its loss. @param {CourseView} view */
export const hasLosses = ({ data: { course } }) =>
  course.losses.size + (course.otherLosses?.size ?? 0) > 0;

/** Returns the height of their plot. @param {CourseView} view */
const lossHeight = (view) => (hasLosses(view) ? LOSS.title + LOSS.plot + LOSS.gap : 0);

/** @param {number} count */
function heightOfRows(count) {
  const row = Math.max(ROW.least, Math.min(ROW.most, Math.floor(HEIGHT.most / count)));
  return Math.min(HEIGHT.most, Math.max(HEIGHT.least, row * count));
}

/** Returns the places of the steps that have a column: all of them, or some at equal distances and the last. @param {CourseView} view */
export function columnsOf({ data, width }) {
  const { length } = data.course.steps;
  const most = Math.floor((width - MARGIN.left - MARGIN.right) / LEAST_COLUMN);
  const count = Math.min(length, Math.max(1, most));
  return times(count, (i) => Math.ceil(((i + 1) * length) / count) - 1);
}

/** Returns the index of a head among those of all layers. @param {CourseView} view @param {Place} place */
const indexOfHead = ({ data }, { layer, head }) => layer * data.heads + head;

/** Returns the dates of a head at the shown step, once all steps are known. @param {CourseView} view @param {Place} place */
export const datedNow = (view, place) => view.data.course.dates?.now[indexOfHead(view, place)];

/**
 * @typedef {object} Numbers
 * @property {[rows: number, columns: number]} shape
 * @property {Float32Array} data  NaN where a head is not measured, or is NaN
 * @property {Float32Array} measured  1 where there is a number, which stands on grey, so that 0 differs from what is
 *   missing
 * @property {number} largest
 */

/** The numbers that were shown last of some reports, so that a pointer on its way counts none again. @type {WeakMap<Reports, { key: string, others?: Reports, numbers: Numbers }>} */
const counted = new WeakMap();

/** Returns the measure of each head of the map at each of its columns. @param {CourseView} view @returns {Numbers} */
function numbersOf(view) {
  const { reports, others, steps, isDifference } = view.data.course;
  const measure = MEASURES[shownName(view)];
  const heads = headsOf(view);
  const columns = columnsOf(view);
  const key = JSON.stringify([measure, heads[0], columns, isDifference]);
  const known = counted.get(reports);
  if (known?.key === key && known.others === others) return known.numbers;
  const data = new Float32Array(heads.length * columns.length).fill(NaN);
  const first = indexOfHead(view, heads[0]);
  let largestOther = 0;
  columns.forEach((column, j) => {
    const report = reports.get(steps[column]) ?? [];
    const other = others?.get(steps[column]) ?? [];
    for (let i = 0; i < heads.length; i++) {
      const [value, than] = [report, other].map((all) => all[first + i]?.[measure] ?? NaN);
      data[i * columns.length + j] = isDifference ? value - than : value;
      if (!isDifference && others && Math.abs(than) > largestOther) largestOther = Math.abs(than);
    }
  });
  const measured = data.map((x) => Number(Number.isFinite(x)));
  /** @type {Numbers} */
  const numbers = {
    shape: [heads.length, columns.length],
    data,
    measured,
    largest: Math.max(largestOf(data), largestOther),
  };
  counted.set(reports, { key, others, numbers });
  return numbers;
}

/**
 * Describes the map.
 * @param {CourseView} view
 * @returns {Panel}
 */
export function coursePanel(view) {
  const { data, text: words, format, palette, width } = view;
  const { steps, index, reports, isDifference } = data.course;
  const columns = columnsOf(view);
  const measure = MEASURES[shownName(view)];
  const heads = headsOf(view);
  const numbers = numbersOf(view);
  const between = width < STACK_BELOW ? BETWEEN_TICKS.narrow : BETWEEN_TICKS.wide;
  const every = Math.ceil((columns.length * between) / width);
  const title = say(view, words.courseTitle, {
    measure: words.measures[measure] + (isDifference ? ' (A − B)' : ''),
  });
  const isWhole = reports.size === steps.length && !isDifference; // a difference has no bars
  const note = say(view, isWhole ? words.courseNote : words.courseMeasuring, {
    largest: format.significant(numbers.largest, 3),
    known: reports.size,
    steps: steps.length,
  });
  return {
    title,
    note,
    margin: MARGIN,
    x: {
      ends: [0, columns.length],
      ticks: columns.flatMap((_, i) => ((columns.length - 1 - i) % every ? [] : [i + 0.5])),
      format: (tick) => format.plain(steps[columns[Math.floor(tick)]]),
      name: words.stepAxis,
    },
    series: [
      {
        look: blueLook(palette, 'weights'),
        cells: {
          rows: heads.length,
          columns: columns.length,
          matrix: numbers,
          under: [{ data: numbers.measured, shape: numbers.shape }],
          largest: numbers.largest,
          less: palette.unscaled,
          rowNames: heads.map(({ layer, head }) => `${layer + 1}.${head + 1}`),
          chosen: {
            row: heads.findIndex(({ layer, head }) => layer === data.layer && head === data.head),
            column: columns.findIndex((column) => column >= index),
            along: 'column',
          },
        },
      },
    ],
    marks: (frame) => frozenMarks(view, frame, { heads, columns }),
    get rows() {
      return rowsOfMap(view, { title, measure, heads });
    },
  };
}

/**
 * Describes the losses above the map, over the same steps.
 * @param {CourseView} view
 * @returns {Panel}
 */
function lossPanel(view) {
  const { data, palette, text: words } = view;
  const { steps, losses, otherLosses } = data.course;
  const columns = columnsOf(view);
  const names = data.compared?.shown === data.compared?.first ? ['A', 'B'] : ['B', 'A'];
  const lines = [losses, otherLosses].flatMap((known, i) => {
    const points = columns.map((column, j) => ({
      x: j + 0.5,
      y: known?.get(steps[column]) ?? NaN,
    }));
    const look = i ? orangeLook(palette, 'otherLoss') : blueLook(palette, 'loss');
    return known?.size
      ? [{ look, points, known, name: data.compared ? names[i] : words.loss }]
      : [];
  });
  const all = lines.flatMap(({ points }) => points.map(({ y }) => y)).filter(Number.isFinite);
  const ends = /** @type {const} */ ([Math.min(0, ...all), Math.max(...all, 1e-9)]);
  return {
    title: words.loss,
    plot: ({ x, y, width }) => ({
      left: x + MARGIN.left,
      right: x + width - MARGIN.right,
      top: y + LOSS.title,
      bottom: y + LOSS.title + LOSS.plot,
    }),
    y: { ends, ticks: [ends[0], ends[1]], format: (tick) => view.format.significant(tick, 3) },
    marks: ({ box, y }) => {
      const x = linear([0, columns.length], [box.left, box.right]);
      return lines.flatMap(({ points, look, name }) => {
        const known = points.filter((point) => Number.isFinite(point.y));
        const last = known[known.length - 1];
        const at = last && { x: x(last.x) - 4, y: y(last.y) - 4 };
        return [
          curve(points, { x, y, look }),
          data.compared && at && text(at.x, at.y, name, { fill: look.textColour, anchor: 'end' }),
        ];
      });
    },
    rows: lines.flatMap(({ known, name }) =>
      [...known].map(([x, measured]) => ({
        panel: words.loss,
        series: name,
        across: words.stepAxis,
        x,
        measured,
      })),
    ),
  };
}

/** Returns the panels of a course and their places: the losses that there are, and the map. @param {CourseView} view */
export function coursePanels(view) {
  const high = lossHeight(view);
  const losses = { place: { x: 0, y: 0, width: view.width, height: high }, panel: lossPanel(view) };
  const map = { place: placeOfCourse(view), panel: coursePanel(view) };
  return high ? [losses, map] : [map];
}

/**
 * Marks the step from which on a head is frozen to the end.
 * @param {CourseView} view
 * @param {Frame} frame
 * @param {{ heads: ReturnType<typeof headsOf>, columns: number[] }} map
 */
function frozenMarks(view, { box, x }, { heads, columns }) {
  const { steps, dates, isDifference } = view.data.course;
  if (isDifference) return null;
  const high = (box.bottom - box.top) / heads.length;
  return heads.map((place, i) => {
    const dated = dates?.last[indexOfHead(view, place)];
    if (dated?.verdict !== 'frozen') return null;
    const at = columns.findIndex((column) => steps[column] >= dated.since);
    const [left, y] = [x(at), box.top + i * high];
    return node('rect', { x: left, y, width: 2, height: high, fill: view.palette.ink });
  });
}

/**
 * Returns the numbers of the map and the dates of the verdicts as rows of the table; of very many those of the
 * chosen head.
 * @param {CourseView} view
 * @param {{ title: string, measure: Measure, heads: ReturnType<typeof headsOf> }} map
 * @returns {TidyRow[]}
 */
function rowsOfMap(view, { title, measure, heads }) {
  const { data, text: words } = view;
  const { steps, reports, index, dates } = data.course;
  const isAll = heads.length * steps.length <= MOST_ROWS;
  const places = isAll ? heads : [{ layer: data.layer, head: data.head }];
  const rows = diagnosisCourse(
    [...reports].map(([step, all]) => ({
      step,
      diagnoses: places.flatMap((place) => all[indexOfHead(view, place)] ?? []),
    })),
  );
  const dated = (dates?.now ?? []).map(({ verdict, since }, i) => ({
    panel: say(view, words.sinceTitle, { step: steps[index] }),
    series: words.verdicts[verdict],
    across: words.headNumber,
    x: i + 1,
    measured: since,
  }));
  return [
    ...rows.map((row) => ({
      panel: title,
      series: `${row.layer + 1}.${row.head + 1}`,
      across: words.stepAxis,
      x: row.step,
      measured: numberOfRow(view, row, measure),
    })),
    ...dated,
  ];
}

/** Returns a number of a step; of two courses that are compared, how much larger it is than at the same step of B. @param {CourseView} view @param {DiagnosisRow} row @param {Measure} measure */
function numberOfRow(view, row, measure) {
  const { isDifference, others } = view.data.course;
  if (!isDifference) return row[measure] ?? NaN;
  const other = others?.get(row.step)?.[indexOfHead(view, row)];
  return (row[measure] ?? NaN) - (other?.[measure] ?? NaN);
}

/** Returns the place of the map. @param {CourseView} view */
const placeOfCourse = (view) => ({
  x: 0,
  y: lossHeight(view),
  width: view.width,
  height: courseHeight(view) - GAP - lossHeight(view),
});

/** Returns the place of its cells. @param {CourseView} view */
export const boxOfCourse = (view) => plotArea(placeOfCourse(view), MARGIN);

/** Tells which heads are frozen at the shown step, and since when. @param {CourseView} view */
function frozenNow(view) {
  const { data, text: words } = view;
  const { dates, isDifference } = data.course;
  if (!dates || isDifference) return '';
  const frozen = dates.now.flatMap(({ verdict, since }, i) =>
    verdict === 'frozen'
      ? [{ layer: Math.floor(i / data.heads) + 1, head: (i % data.heads) + 1, since }]
      : [],
  );
  if (frozen.length === 0) return say(view, words.noneFrozen);
  const told = frozen.slice(0, MOST_TOLD).map((each) => say(view, words.frozenSince, each));
  const more =
    frozen.length > MOST_TOLD
      ? say(view, words.moreFrozen, { count: frozen.length - MOST_TOLD })
      : '';
  return say(view, words.frozenHeads, { list: told.join(words.comma) + more });
}

/** Returns the remarks on the course. @param {View} view */
export function courseNotes(view) {
  if (!hasCourse(view)) return [];
  const { failures } = view.data.course;
  const [first] = failures;
  const why = first && verbatim(first.why.slice(0, LONGEST_REASON));
  return [
    frozenNow(view),
    first && say(view, view.text.stepsUnread, { count: failures.length, step: first.step, why }),
  ].filter(Boolean);
}
