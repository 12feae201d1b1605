// What <attn-view> computes: every head small, one large, the largest weights of one query, and the diagnosis of each
// head.

import { withDuplicates } from '../../diagnosis/hint.js';
import { largestOf } from '../../figures/kit/chart/marks/cells.js';
import { times } from '../../shared/times.js';
import { courseData } from '../course/course-map.js';
import { comparedOf, differences, minus } from '../heads/compared.js';
import {
  diagnoseHead,
  dotHistogram,
  pooled,
  sizes,
  topKeys,
  weightsOf,
  weightsOfQuery,
} from '../heads/heads.js';
import { knownOf } from '../heads/known.js';
import { isLong, mapOf, nameOf } from '../heads/long.js';
import { reachOf } from '../heads/reach.js';
import { labelsOf } from '../heads/tokens.js';
import { patchesOfHeads } from '../picture/image.js';
import { regionOf } from '../picture/region.js';
import { namesOfPlaces, readGrid } from '../reading/grid.js';
import { BINS } from '../picture/side.js';
import { canExplain, directionsOff, explain, isExplained, rowWithout } from '../why/why.js';
import { exampleOf } from './example.js';
import { headOf } from './fields.js';
import { messages } from './generated/words.js';

/**
 * @import { Tensor } from '../../attention/index.js'
 * @import { Context, DataOf, ViewOf } from '../../figures/kit/spec.js'
 * @import { Steps } from '../../shared/slices.js'
 * @import { Compared } from '../heads/compared.js'
 * @import { Place, Shown } from '../heads/heads.js'
 * @import { Known, Measured, Overview } from '../heads/known.js'
 * @import { Grid } from '../reading/grid.js'
 * @import { Example } from './example.js'
 * @import { State } from './fields.js'
 * @typedef {Place & Partial<Measured>} Head  of a long text it is measured when it is looked at
 * @typedef {DataOf<typeof compute>} Data
 * @typedef {ViewOf<Data, typeof messages.en, State>} View
 */

/** Rows and columns of a thumbnail, and those where there are many heads. */
const THUMB = { few: 24, many: 12, from: 17 };
/** The most weights that are drawn as bars. */
const MOST_BARS = 24;

/** Names the heads at a factor, whose distances are those of a grid. @param {number} factor @param {Grid} [grid] */
const nameOfOverview = (factor, grid) => `${factor} ${grid?.join('x') ?? ''}`;

/**
 * Computes thumbnail and diagnosis of every head; while the reader drags, those of the last factor do.
 * @param {Shown} attention
 * @param {{ factor: number, grid?: Grid, coarse?: boolean }} at
 * @returns {Steps<Measured[]>}
 */
function* overviewOf(attention, { factor, grid, coarse }) {
  const known = knownOf(attention);
  const { overview: last } = known;
  if (coarse && last?.whole) return last.whole;
  const name = nameOfOverview(factor, grid);
  /** @type {Overview} */
  const overview = last?.name === name ? last : { name, heads: [], whole: last?.whole };
  known.overview = overview;
  const { layers, heads, nQ, nK } = sizes(attention);
  const side = layers * heads < THUMB.from ? THUMB.few : THUMB.many;
  for (let index = overview.heads.length; index < layers * heads; index++) {
    const place = { layer: Math.floor(index / heads), head: index % heads };
    const weights = weightsOf(attention, place, factor);
    const thumb = pooled(weights, nQ, nK, side);
    const reach = reachOf(weights, { nQ, nK }, { ...attention, grid });
    overview.heads.push({
      ...place,
      thumb,
      diagnosis: diagnoseHead(attention, place, factor),
      reach,
    });
    yield;
  }
  if (overview.whole === overview.heads) return overview.heads;
  const diagnoses = withDuplicates(overview.heads.map(({ diagnosis }) => diagnosis));
  overview.heads = overview.heads.map((head, i) =>
    head.diagnosis === diagnoses[i] ? head : { ...head, diagnosis: diagnoses[i] },
  );
  overview.whole = overview.heads;
  return overview.heads;
}

/**
 * Returns the heads of A beside those of B; while the reader drags, those of the last factor.
 * @param {Compared} compared
 * @param {Measured[]} heads
 * @param {{ factor: number, grid?: Grid, coarse: boolean }} at
 * @returns {Steps<Measured[]>}
 */
function* comparedHeads(compared, heads, { factor, grid, coarse }) {
  const known = knownOf(compared.first);
  const name = `${nameOfOverview(factor, grid)} ${knownOf(compared.second).id}`;
  if (coarse && !known.differences.has(name)) return heads;
  const others = yield* overviewOf(compared.second, { factor, grid });
  return yield* known.differences.get(name, () => differences(compared, { heads, others, factor }));
}

/**
 * Returns the thumbnail of a picture of a long head, so that a pointer on its way pools none again.
 * @param {Known} known
 * @param {Tensor} map
 * @param {number} side
 */
function thumbnailOf({ thumbs }, map, side) {
  const thumb = thumbs.get(map) ?? pooled(map.data, map.shape[0], map.shape[1], side);
  thumbs.set(map, thumb);
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
    const thumb = map && thumbnailOf(known, map, side);
    return { ...place, thumb, diagnosis: known.diagnoses.get(name) };
  });
}

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
export function* compute(state, { language, memo, result, coarse, loaded }) {
  const { sentence } = messages[language];
  const first =
    result ??
    (yield* memo('example', [language, state.example], () => exampleOf(loaded, sentence)));
  const compared = comparedOf(first, state.compare);
  const attention = compared?.shown ?? first;
  const all = sizes(attention);
  const { nQ, nK } = all;
  const place = clamped({ layer: state.layer - 1, head: state.head - 1 }, all);
  const query = Math.min(state.row, nQ) - 1;
  const known = knownOf(attention);
  // The example has no image.
  const ofPage = result && state.grid ? readGrid('attn-view', state.grid, nK) : undefined;
  const grid = ofPage ?? attention.grid;
  const places = grid && namesOfPlaces(grid, nK);
  const common = {
    attention,
    compared,
    course: known.course && courseData(known.course, state.step, compared),
    label: known.label,
    ...all,
    ...place,
    query,
    region: regionOf(state.region, all),
    histogram: all.dK
      ? yield* known.histograms.get(`${place.layer}.${place.head}`, () =>
          dotHistogram(attention, place, BINS, isLong(all)),
        )
      : undefined,
    grid,
    labels: yield* known.memo('labels', [nQ, grid], () =>
      labelsOf(attention.tokens ?? first.tokens ?? (nQ === nK ? places : undefined), nQ),
    ),
    keyLabels: yield* known.memo('key labels', [nK, grid], () =>
      labelsOf(attention.keyTokens ?? first.keyTokens ?? places, nK),
    ),
    scale: attention.layerScales?.[place.layer] ?? attention.scale ?? attention.options?.scale,
    example: result ? undefined : state.example,
  };
  const measured = isLong(all)
    ? yield* longData(attention, { place, state, query })
    : yield* wholeData(attention, { place, state, query, coarse, compared, grid });
  const asked = { query, factor: state.factor };
  const patches =
    grid && measured.matrix && !measured.other
      ? yield* known.memo('patches', [grid, asked], () =>
          patchesOfHeads(attention, { grid, ...asked }),
        )
      : undefined;
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
    patches,
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
 * @property {Place} [other]  the head that is subtracted, of what is compared where a difference is shown
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
 * @param {{ place: Place, state: State, query: number, coarse: boolean, compared?: Compared, grid?: Grid }} asked
 * @returns {Steps<MeasuredData>}
 */
function* wholeData(attention, { place, state, query, coarse, compared, grid }) {
  const { layers, heads, nQ, nK } = sizes(attention);
  const { memo } = knownOf(attention);
  const { factor } = state;
  const inputs = [factor, place];
  const weights = yield* memo('weights', inputs, () => weightsOf(attention, place, factor));
  const { isDifference = false, canSubtract, other: beside } = compared ?? {};
  const named = headOf(state.minus) ?? (isDifference ? place : undefined);
  const other = named && clamped(named, { layers, heads });
  const against = isDifference && beside ? beside : attention;
  const pair = [inputs, other, isDifference, beside && knownOf(beside).id];
  const shown = other
    ? yield* memo('difference', pair, () => minus(weights, weightsOf(against, other, factor)))
    : weights;
  const overview = yield* overviewOf(attention, { factor, grid, coarse });
  return {
    other,
    overview:
      isDifference && compared
        ? yield* comparedHeads(compared, overview, { factor, grid, coarse })
        : overview,
    matrix: { data: shown, shape: [nQ, nK] },
    row: shown.subarray(query * nK, (query + 1) * nK),
    largest: yield* memo('largest', pair, () =>
      beside && canSubtract && !other
        ? Math.max(largestOf(shown), largestOf(weightsOf(beside, place, factor)))
        : largestOf(shown),
    ),
    sums: yield* memo('sums', inputs, () => rowSums(weights, nK)),
  };
}

/**
 * Returns what is known of a long text, and the chosen row exactly.
 * @param {Shown} attention
 * @param {{ place: Place, state: State, query: number }} asked
 * @returns {Steps<MeasuredData>}
 */
function* longData(attention, { place, state, query }) {
  const { factor, region } = state;
  const known = knownOf(attention);
  const row = yield* known.memo('row', [factor, place, query], () =>
    weightsOfQuery(attention, place, factor, query),
  );
  const picture = `${nameOf(place, factor)} ${region}`;
  const map = mapOf(known, picture);
  const largest = largestOf(map?.data ?? row);
  return {
    overview: knownHeads(attention, factor),
    map,
    fraction: known.part?.picture === picture ? known.part.fraction : undefined,
    row,
    largest,
    sums: { low: 0, high: 1 },
  };
}
