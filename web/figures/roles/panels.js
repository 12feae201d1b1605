// The panels of <attn-roles>: where an adjective looks, right answers, all adjectives, and maps of the nouns.

import { spread } from '../../experiments/statistics.js';
import { times } from '../../shared/times.js';
import { segment, text } from '../kit/chart/chart.js';
import { blueLook, greyLook, orangeLook, scaleLook } from '../kit/chart/looks.js';
import { symbols } from '../kit/chart/marks/symbols.js';
import { linear } from '../kit/chart/mapping.js';
import { points } from '../kit/chart/series.js';
import { node } from '../kit/chart/svg.js';
import { say } from '../kit/state/words.js';

/**
 * @import { RolesRow } from '../../experiments/roles.js'
 * @import { NounKind } from '../../experiments/roles-language.js'
 * @import { NounMap, NounRow, QueryRow } from '../../experiments/roles-looks.js'
 * @import { Look } from '../kit/chart/looks.js'
 * @import { Frame, Panel } from '../kit/chart/panels.js'
 * @import { Palette } from '../kit/chart/palette.js'
 * @import { View } from './element.js'
 */

/** Returns the looks of the kinds of nouns. @param {Palette} palette @returns {Look<NounKind>[]} */
const kindLooks = (palette) => [
  blueLook(palette, 'beings'),
  orangeLook(palette, 'places'),
  greyLook(palette, 'foods'),
  { ...greyLook(palette, 'tools'), colour: palette.ink, marker: 'triangle' },
];

/** Returns the word at a place, or the name of the start. @param {View} view @param {string} word @param {number} [place] */
const shown = ({ text: words }, word, place = word === '<' ? 0 : 1) =>
  place === 0 ? words.start : word;

// ---- where the adjective looks --------------------------------------------------------------

/** Sizes of the list of words, in pixels; its rows fill the panel, up to this height of one. */
const TOP = 62;
const ROW = 28;
const WORD_WIDTH = 66;
const GAP = 8;
const BAR = 14;
/** The least weight whose number is written. */
const WRITTEN = 0.05;

/**
 * Draws a sentence as a list of words, and beside each the weight on it, a column a scale and adjective.
 * @param {View} view
 * @param {Frame} frame
 */
function sentenceMarks(view, { place }) {
  const { data, palette, format } = view;
  const top = place.y + TOP;
  const columns = data.sentences.flatMap(({ sentence, looks }) =>
    looks.map((look) => ({ ...look, sentence })),
  );
  const width = (place.width - WORD_WIDTH - 2) / columns.length - GAP;
  const left = (/** @type {number} */ i) => place.x + WORD_WIDTH + GAP + i * (width + GAP);
  const { words } = data.sentences[0].sentence;
  const step = Math.min(ROW, (place.height - TOP) / words.length);
  const down = (/** @type {number} */ row) => top + row * step;
  return [
    data.sentences.map(({ sentence }, i) => {
      const end = left(2 * i + 1) + width;
      const adjective = `… ${sentence.words[sentence.at]}`;
      return [
        text(left(2 * i), place.y + 40, adjective, { fill: palette.ink, weight: 600, size: 14 }),
        segment({ x1: left(2 * i), x2: end, y1: place.y + 46, y2: place.y + 46 }, palette.faint),
      ];
    }),
    columns.map(({ scale }, i) => {
      const { key, textColour } = scaleLook(palette, scale);
      return text(left(i), place.y + 60, view.text.models[scale], {
        within: width,
        fill: textColour,
        series: key,
      });
    }),
    words.map((word, row) => {
      const y = down(row);
      const isNoun = data.sentences.some(({ sentence }) => sentence.noun === row);
      const isAsking = row === words.length - 1;
      return text(place.x, y + step / 2 + 5, isAsking ? view.text.itself : shown(view, word, row), {
        fill: row === 0 || isAsking ? palette.muted : palette.ink,
        weight: isNoun ? 600 : 400,
        within: WORD_WIDTH,
      });
    }),
    columns.map(({ scale, weights, sentence }, i) => {
      const { key, colour } = scaleLook(palette, scale);
      return [...weights].map((weight, row) => {
        const y = down(row);
        return [
          row === sentence.noun &&
            node('rect', {
              x: left(i) - 2,
              y: y + 0.5,
              width: width + 4,
              height: step - 1,
              rx: 3,
              fill: 'none',
              stroke: palette.folk,
              'stroke-dasharray': '3 2',
            }),
          node('rect', {
            x: left(i),
            y: y + (step - BAR) / 2,
            width: Math.max(1, weight * width),
            height: BAR,
            fill: colour,
            'fill-opacity': 0.45,
            'data-series': key,
          }),
          weight >= WRITTEN &&
            text(left(i) + width - 3, y + step / 2 + 4, format.percent(weight), {
              fill: palette.ink,
              anchor: 'end',
              series: key,
            }),
        ];
      });
    }),
  ];
}

/** Describes the panel of the sentence. @param {View} view @returns {Panel} */
export function sentencePanel(view) {
  const { data, text: words } = view;
  return {
    title: words.sentencePanel,
    marks: (frame) => sentenceMarks(view, frame),
    rows: data.sentences.flatMap(({ sentence, looks }) =>
      looks.flatMap(({ scale, weights }) =>
        [...weights].map((measured, i) => ({
          panel: say(view, words.sentenceTable, {
            adjective: sentence.words[sentence.at],
            scale: words.models[scale],
          }),
          series: shown(view, sentence.words[i], i),
          across: words.place,
          x: i,
          measured,
        })),
      ),
    ),
  };
}

// ---- right answers --------------------------------------------------------------------------

/** Returns the seeds of rows, each once. @param {readonly RolesRow[]} rows */
const seedsOf = (rows) => [...new Set(rows.map(({ seed }) => seed))];

/** Describes the panel of right answers. @param {View} view @returns {Panel} */
export function rightPanel(view) {
  const { data, state, text: words, palette, format } = view;
  const seeds = data.seeds.length;
  return {
    title: words.rightPanel,
    note: seeds > 1 ? say(view, words.seedsNote, { seeds }) : undefined,
    x: { ends: [0, data.steps], ticks: [0, data.steps / 2, data.steps], name: words.stepAxis },
    y: { ends: [0, 1], ticks: [0, 0.5, 1], format: format.percent },
    margin: { left: 44, top: seeds > 1 ? 46 : 32 },
    now: state.step,
    picks: (at) => ({ step: at }),
    series: data.courses.flatMap(({ scale, rows }) => {
      const look = scaleLook(palette, scale);
      const lines = seedsOf(rows).map((seed) => ({
        look,
        name: `${words.models[scale]}, ${words.fields.seed} ${seed}`,
        measured: points(
          rows.filter((row) => row.seed === seed),
          { x: 'step', y: 'right' },
        ),
        joined: true,
        size: seeds > 1 ? 0 : 2.2,
        width: seeds > 1 ? 0.75 : 1,
      }));
      const last = Math.max(...rows.map(({ step }) => step));
      const ends = rows.filter(({ step }) => step === last).map(({ right }) => right);
      return [{ look, label: words.models[scale], end: { y: spread(ends).middle } }, ...lines];
    }),
    rows: /** @type {const} */ (['directions', 'size']).flatMap((column) =>
      data.matrices.map(({ scale, step: x, [column]: measured }) => ({
        panel: words[column],
        series: words.models[scale],
        across: words.stepAxis,
        x,
        measured,
      })),
    ),
  };
}

// ---- the adjectives -------------------------------------------------------------------------

/** Returns what an adjective looks at, in words. @param {View} view @param {View['data']['adjectives'][0]['rows'][0]} row */
const topOf = (view, { top, word }) =>
  top === 'word' ? shown(view, word) : top === 'noun' ? view.text.itsNoun : view.text.otherNoun;

/** Describes the panel of all adjectives. @param {View} view @returns {Panel} */
export function adjectivePanel(view) {
  const { data, state, text: words, palette, format } = view;
  const [own, compared] = data.adjectives;
  const count = own.rows.length;
  /**
   * Returns the height of a row: a line each, and a little more between kinds, since the letters of two lines must
   * not meet where the panel is lowest.
   * @param {number} i
   */
  const level = (i) => -i - 0.3 * Math.floor(i / 4);
  const levels = times(count, level);
  const looks = data.adjectives.map(({ scale }) => scaleLook(palette, scale));
  return {
    title: words.adjectivePanel,
    note: say(view, words.adjectiveNote, { scale: words.comparedWith[state.compare] }),
    x: { ends: [0, 1], ticks: [0, 1], format: format.percent, name: words.nounWeight },
    y: {
      ends: [level(count - 1) - 0.5, 0.5],
      ticks: levels,
      format: (at) => own.rows[levels.indexOf(at)].adjective,
    },
    margin: { left: words.adjectiveWidth, right: 148, top: 46 },
    marks: ({ x, y, box }) => [
      data.adjectives.map(({ rows }, series) =>
        symbols(
          looks[series],
          rows.map((row, i) => [x(row.nounWeight), y(levels[i])]),
        ),
      ),
      compared.rows.map(
        (row, i) =>
          !row.found &&
          text(
            box.right + 10,
            y(levels[i]) + 4,
            say(view, words.looksAt, {
              word: topOf(view, row),
              weight: format.percent(row.topWeight),
              gradient: format.significant(row.gradient, 1),
            }),
            { fill: looks[1].textColour, series: looks[1].key, within: 138 },
          ),
      ),
    ],
    rows: data.adjectives.flatMap(({ scale, rows }) =>
      rows.flatMap((row, i) =>
        /** @type {const} */ ([
          [words.nounWeight, row.nounWeight],
          [words.topWeight, row.topWeight],
          [words.trace, row.jacobianTrace],
          [words.gradient, row.gradient],
        ]).map(([panel, measured]) => ({
          panel: `${panel}, ${words.models[scale]}`,
          series: `${row.adjective} → ${topOf(view, row)}`,
          across: words.place,
          x: i + 1,
          measured,
        })),
      ),
    ),
  };
}

// ---- the maps -------------------------------------------------------------------------------

/** The two maps. @type {readonly ('keys' | 'values')[]} */
const MAPS = ['keys', 'values'];
/** How far a map reaches, in root mean square distances. */
const REACH = 1.8;

/**
 * Draws one map of nouns.
 * @param {View} view
 * @param {NounMap} map
 * @param {{ x: number, y: number, size: number, title: string }} place
 */
function drawMap(
  { palette, format, text: words },
  { rows, queries = [], between },
  { x, y, size, title },
) {
  const looks = kindLooks(palette);
  const across = linear([-REACH, REACH], [x + 4, x + size - 4]);
  const down = linear([REACH, -REACH], [y + 4, y + size - 4]);
  const held = (/** @type {number} */ at) => Math.max(-REACH, Math.min(REACH, at));
  const placesOf = (/** @type {readonly (NounRow | QueryRow)[]} */ all, /** @type {Look} */ look) =>
    all
      .filter(({ kind }) => kind === look.key)
      .map((row) => /** @type {const} */ ([across(held(row.x)), down(held(row.y))]));
  return [
    text(x, y - 22, title, { fill: palette.ink, weight: 600, within: size }),
    text(x, y - 7, `${words.between} ${format.percent(between)}`, { fill: palette.muted }),
    node('rect', { x, y, width: size, height: size, fill: 'none', stroke: palette.faint }),
    looks.map((look) => [
      symbols(look, placesOf(rows, look), 4),
      symbols(look, placesOf(queries, look), 4, palette.paper),
    ]),
  ];
}

/** Describes the panel of maps. @param {View} view @returns {Panel} */
export function mapPanel(view) {
  const { data, text: words, palette } = view;
  const looks = kindLooks(palette);
  return {
    title: words.mapPanel,
    marks({ place }) {
      const size = Math.min((place.width - 16) / 2, place.height - 120);
      const y = place.y + 70;
      const beside = place.x + place.width - size;
      const below = y + size + 22;
      return [
        drawMap(view, data.maps.keys, { x: place.x, y, size, title: words.keys }),
        drawMap(view, data.maps.values, { x: beside, y, size, title: words.values }),
        looks.map((look, i) => {
          const x = place.x + (i * place.width) / looks.length;
          return [
            symbols(look, [[x + 5, below - 4]], 4),
            text(x + 14, below, words.kinds[look.key], { fill: palette.ink, series: look.key }),
          ];
        }),
      ];
    },
    rows: MAPS.flatMap((map) => [
      ...data.maps[map].rows.map(({ noun, kind, x, y: measured }) => ({
        panel: words[map],
        series: `${noun} (${words.kinds[kind]})`,
        x,
        measured,
      })),
      ...(data.maps[map].queries ?? []).map(({ adjective, kind, x, y: measured }) => ({
        panel: words.queries,
        series: `${adjective} (${words.kinds[kind]})`,
        x,
        measured,
      })),
      {
        panel: words.between,
        series: words[map],
        across: words.fields.step,
        x: data.step,
        measured: data.maps[map].between,
      },
    ]),
  };
}
