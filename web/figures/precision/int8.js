// What <attn-precision> shows of int8: how far rounded queries and keys move scores, exponentials and weights, and what
// it helps to take the mean key off first.

import { int8Errors } from '../../experiments/int8.js';
import { DIMENSIONS } from '../../experiments/factors.js';
import { linear, logarithmic } from '../kit/chart/mapping.js';
import { points } from '../kit/chart/series.js';
import { line, say } from '../kit/state/words.js';
import { dkScale } from '../../shared/dk-scales.js';
import { nameOf, seriesOf } from '../common/factors.js';
import { byPlace, lastWhole, queriesNow } from '../common/sampling.js';

/**
 * @import { Int8Row } from '../../experiments/int8.js'
 * @import { Panel } from '../kit/chart/panels.js'
 * @import { Context, ReadoutGroup, ViewOf } from '../kit/spec.js'
 * @import { Steps } from '../../shared/slices.js'
 * @import { State } from './element.js'
 * @import { messages } from './generated/words.js'
 * @typedef {{ now: Int8Row[], curve: Int8Row[], sharing: Int8Row[] }} Int8Data
 * @typedef {ViewOf<{ int8: Int8Data }, typeof messages.en, State>} View
 */

/** The vector that all keys share, where d_k is on the axis, in deviations of the keys' own entries. */
const SHARED = 2;
const SIZES = [0, 1, 2, 4, 8, 16];
/** Scores measured at each place while the reader drags. */
const COARSE_SCORES = 2048;

/** Computes the rows of a state. @param {State} state @param {Context} context @returns {Steps<Int8Data>} */
export function* computeInt8(state, context) {
  const { memo } = context;
  const { dK, keys, entrySize, seed, queries: all } = state;
  const setting = { keys, entrySize, factor: dkScale(state.scale).name, seed };
  const queries = queriesNow(state, context, COARSE_SCORES);
  const sample = { ...setting, queries };
  const here = { ...setting, queries: queriesNow(state, context), dK };
  const curve = () =>
    byPlace(memo, 'int8', { inputs: [sample], places: DIMENSIONS }, (at) =>
      int8Errors({ ...sample, dK: at, shared: SHARED }),
    );
  return {
    now: yield* memo('int8 now', [here], () => int8Errors({ ...here, shared: SHARED })),
    sharing: yield* byPlace(memo, 'shared', { inputs: [sample, dK], places: SIZES }, (shared) =>
      int8Errors({ ...sample, dK, shared }),
    ),
    curve: yield* lastWhole(context, { name: 'int8', inputs: [setting, all] }, curve),
  };
}

/** Returns the rows of a series. @param {readonly Int8Row[]} rows @param {string} scaling @param {boolean} centred */
const rowsOf = (rows, scaling, centred) =>
  rows.filter((row) => row.scaling === scaling && row.centred === centred);

/**
 * Declares the four series of a measure; those without the mean key are hollow.
 * @param {View} view
 * @param {{ rows: readonly Int8Row[], chosen: readonly Int8Row[], x: 'dK' | 'shared', y: 'scoreError' | 'expError' | 'weightError' }} of
 */
function seriesOfErrors(view, { rows, chosen, x, y }) {
  const words = view.text.int8;
  return [false, true].flatMap((centred) =>
    seriesOf(view.palette).map((look) => {
      const [measured, ring] = [rows, chosen].map((each) =>
        points(rowsOf(each, look.key, centred), { x, y }),
      );
      const label = centred ? words.centred : nameOf(view, look.key);
      return {
        look,
        label: centred && look.key === 'scaled' ? undefined : label,
        name: nameOf(view, look.key),
        table: centred ? words.ofCentred.replace('{title}', words[TITLES[y]]) : words[TITLES[y]],
        measured,
        chosen: ring[0],
        joined: true,
        size: 3,
        hollow: centred,
        dash: centred ? '4 3' : undefined,
      };
    }),
  );
}
const TITLES = /** @type {const} */ ({
  scoreError: 'scores',
  expError: 'exponentials',
  weightError: 'weights',
});

/** Describes the panel of a measure by d_k. @param {'scoreError' | 'weightError'} y @param {View} view @returns {Panel} */
function byDimension(y, view) {
  const { data, state, text: words, format } = view;
  const { now, curve } = data.int8;
  const isOfWeights = y === 'weightError';
  return {
    title: words.int8[TITLES[y]],
    note: say(view, words.int8.atShared, { shared: String(SHARED) }),
    x: { mapping: logarithmic, ends: [1, 1024], ticks: [1, 16, 256], name: 'd_k' },
    y: {
      mapping: logarithmic,
      ends: isOfWeights ? [1e-3, 1] : [1e-3, 10],
      ticks: isOfWeights ? [1e-3, 0.01, 0.1, 1] : [1e-3, 0.1, 10],
      format: isOfWeights ? format.percent : format.plain,
    },
    margin: { left: 46, top: 52 },
    now: state.dK,
    picks: (dK) => ({ dK }),
    series: seriesOfErrors(view, { rows: curve, chosen: now, x: 'dK', y }),
  };
}

/** Describes the panel by the size of what all keys share. @param {View} view @returns {Panel} */
function bySharing(view) {
  const { data, text: words, format } = view;
  const { now, sharing } = data.int8;
  return {
    title: words.int8.exponentials,
    note: say(view, words.int8.atDimension, {}),
    x: { mapping: linear, ends: [0, 16], ticks: [0, 8, 16], name: words.int8.size },
    y: {
      mapping: logarithmic,
      ends: [1e-3, 1],
      ticks: [1e-3, 0.01, 0.1, 1],
      format: format.percent,
    },
    margin: { left: 46, top: 52 },
    series: seriesOfErrors(view, { rows: sharing, chosen: now, x: 'shared', y: 'expError' }),
  };
}

/** The panels, by the names of those of other formats. */
export const INT8_PANELS = {
  products: (/** @type {View} */ view) => byDimension('scoreError', view),
  exponentials: bySharing,
  weights: (/** @type {View} */ view) => byDimension('weightError', view),
};

/** Returns the errors of a series, with the mean key and without. @param {readonly Int8Row[]} rows @param {string} scaling */
const bothOf = (rows, scaling) => [false, true].map((centred) => rowsOf(rows, scaling, centred)[0]);

/** Returns the errors of weights of a series in words. @param {View} view @param {readonly Int8Row[]} rows @param {string} scaling */
function inWords({ format }, rows, scaling) {
  const [kept, off] = bothOf(rows, scaling).map(({ weightError }) => format.percent(weightError));
  return { kept, off };
}

/** Returns the claim, with its live numbers. @param {View} view @returns {string} */
export function int8Title(view) {
  const words = view.text.int8;
  const { now } = view.data.int8;
  return say(view, words.title, {
    ...inWords(view, now, 'unscaled'),
    scaled:
      view.state.scale === 'none' ? '' : say(view, words.withScale, inWords(view, now, 'scaled')),
  });
}

/** Says what was assumed. @param {View} view */
export const int8Caption = (view) => say(view, view.text.int8.caption, { shared: String(SHARED) });

/** Says when the mean key need not be taken off. @param {View} view */
export const int8Note = (view) =>
  say(view, view.text.int8.note, inWords(view, view.data.int8.sharing, 'scaled'));

/**
 * Returns the numbers of both series.
 * @param {View} view
 * @param {Record<State['scale'], string>} formulas
 * @returns {ReadoutGroup[]}
 */
export function int8Readout(view, formulas) {
  const { state, data, text: words, format, palette } = view;
  const ofScores = (/** @type {number} */ error) => format.significant(error, 2);
  return seriesOf(palette).map((series) => {
    const [kept, off] = bothOf(data.int8.now, series.key);
    return {
      series,
      label: nameOf(view, series.key),
      formula: formulas[series.key === 'scaled' ? state.scale : 'none'],
      rows: [
        line(words.int8.kept, format.percent, kept.weightError),
        line(words.int8.off, format.percent, off.weightError),
        line(words.int8.keptScores, ofScores, kept.scoreError),
        line(words.int8.offScores, ofScores, off.scoreError),
      ],
    };
  });
}
