// The picture of <attn-words>: the sentence as lines of words, with a shade and bars below each.

import { heightBase, STACK_BELOW, text, textWidth } from '../kit/chart/chart.js';
import { bars } from '../kit/chart/marks/bars.js';
import { symbols } from '../kit/chart/marks/symbols.js';
import { linear } from '../kit/chart/mapping.js';
import { node } from '../kit/chart/svg.js';
import { say } from '../kit/state/words.js';

/**
 * @import { Weighed } from './attend.js'
 * @import { View } from './element.js'
 * @import { Look } from '../kit/chart/looks.js'
 * @import { SvgNode } from '../kit/chart/svg.js'
 * @typedef {{ x: number, y: number, width: number, height: number }} Cell  of a word, in units
 */

/** Sizes at the width for which the picture is designed, to which others are in proportion. */
const DESIGNED = { wide: 720, narrow: 340 };
const SIZE = 17;
/** Heights of a word, of a weight of 1 below it, and of the number under that. */
const WORD = 28;
const FULL = 50;
const NUMBER = 18;
/** The height of a gloss, which a weight of 1 leaves to it. */
const GLOSS = 14;
const LINE = WORD + FULL + NUMBER + 9;
/** The height of a line that stands after the chosen word, and so has no weights. */
const UNREAD = WORD + 6;
/** Between words. */
const GAP = 8;
const LEGEND = 20;
const LEGEND_HEIGHT = 4 * LEGEND + 29;
/** Narrower cells have no room for bars and a number. */
const NARROWEST = 36;
/** The least weight whose number is written. */
const SHOWN = 0.01;

/**
 * The height of the picture as a share of its width, for the sentence of the beginning: whole pixels at the
 * usual widths, so that nothing moves when the figure becomes live.
 */
export const aspect = { wide: 327 / DESIGNED.wide, narrow: 432 / DESIGNED.narrow };

/** Returns the pixels of a unit; a compact picture is not enlarged. @param {{ width: number, compact?: boolean }} view */
function unitOf({ width, compact }) {
  const unit = heightBase(width) / (width >= STACK_BELOW ? DESIGNED.wide : DESIGNED.narrow);
  return compact ? Math.min(1, unit) : unit;
}

/**
 * Places the words, line by line.
 * @param {{ data: { words: readonly { text: string }[], seen: number }, width: number, compact?: boolean }} view
 *   seen: the number of words with a weight; width: in pixels
 * @returns {{ cells: Cell[], height: number, unit: number }} cells and height in units
 */
export function layOut(view) {
  const { words, seen } = view.data;
  const unit = unitOf(view);
  let [x, y, height] = [0, 8, LINE];
  const cells = words.map((word, index) => {
    const wide = Math.max(NARROWEST, textWidth(word.text, SIZE) + 10);
    if (x > 0 && x + wide > view.width / unit) {
      [x, y] = [0, y + height];
      height = index < seen ? LINE : UNREAD;
    }
    const cell = { x, y, width: wide, height };
    x += wide + GAP;
    return cell;
  });
  return { cells, height: y + height, unit };
}

/** Writes the divisor of the scores, and what it is of d_k. @param {View} view */
export function divisorText({ state, data, format }) {
  const value = format.plain(Number(data.divisor.toPrecision(3)));
  if (state.power === 0.5) return `√${data.dK} = ${value}`;
  return state.power === 1 ? `d_k = ${value}` : value;
}

/**
 * Returns what stands under a word: what a foreign one means, or that the model does not know it.
 * @param {View} view
 * @param {Weighed} word
 */
function glossOf({ data, text: words }, { text: word, isUnknown }) {
  if (isUnknown) return words.unknown;
  if (data.parameters !== undefined) return undefined;
  const gloss = words.glosses[/** @type {keyof typeof words.glosses} */ (word)];
  return gloss === word ? undefined : gloss;
}

/**
 * Draws one word: shaded by its weight, framed if it asks, with two bars below.
 * @param {View} view
 * @param {number} index
 * @param {Cell} cell
 * @param {readonly [Look, Look]} series
 */
function drawWord(view, index, { x, y, width }, [scaled, unscaled]) {
  const { data, format, palette } = view;
  const word = data.words[index];
  const gloss = glossOf(view, word);
  const isAsking = index === data.chosen;
  const isSeen = index < data.seen;
  const middle = x + width / 2;
  const bottom = y + WORD + FULL;
  const top = bottom - FULL + (data.words.some((each) => glossOf(view, each)) ? GLOSS : 0);
  const box = { left: x, right: x + width, top, bottom };
  const map = {
    x: linear([0, width], [x, x + width]),
    y: linear([0, 1], [box.bottom, top]),
  };
  const bar = (/** @type {Look} */ of, /** @type {number} */ from, /** @type {number} */ y) =>
    bars(box, [{ from, to: from + 11, y }], { ...map, look: of });
  return [
    node('rect', {
      x,
      y,
      width,
      height: WORD - 2,
      rx: 3,
      fill: scaled.colour,
      'fill-opacity': isSeen ? 0.04 + 0.45 * word.weight : 0,
      stroke: isAsking && palette.ink,
      'stroke-width': isAsking && 2,
    }),
    text(middle, y + 19, word.text, {
      fill: isSeen && !word.isUnknown ? palette.ink : palette.muted,
      anchor: 'middle',
      size: SIZE,
    }),
    gloss && text(middle, y + WORD + 11, gloss, { fill: palette.muted, anchor: 'middle' }),
    isSeen && [
      bar(scaled, width / 2 - 12, word.weight),
      bar(unscaled, width / 2 + 1, word.unscaled),
      word.weight >= SHOWN &&
        text(middle, box.bottom + 14, format.percent(word.weight), {
          fill: scaled.textColour,
          anchor: 'middle',
          series: scaled.key,
        }),
    ],
  ];
}

/**
 * Draws the meaning of each mark.
 * @param {View} view
 * @param {number} y
 * @param {readonly [Look, Look]} series
 */
function legend(view, y, [scaled, unscaled]) {
  const { text: words, palette } = view;
  const box = (/** @type {number} */ row, /** @type {object} */ look) =>
    node('rect', { x: 2, y: y + row * LEGEND - 10, width: 16, height: 12, rx: 2, ...look });
  const line = (
    /** @type {number} */ row,
    /** @type {string} */ content,
    /** @type {string} */ fill,
  ) => text(26, y + row * LEGEND, content, { fill });
  return [
    box(0, { fill: 'none', stroke: palette.ink, 'stroke-width': 2 }),
    line(0, words.query, palette.ink),
    box(1, { fill: scaled.colour, 'fill-opacity': 0.35 }),
    line(1, words.key, palette.ink),
    symbols({ ...scaled, marker: 'square' }, [[10, y + 2 * LEGEND - 4]], 5),
    line(2, say(view, words.weight, { divisor: divisorText(view) }), scaled.textColour),
    symbols({ ...unscaled, marker: 'square' }, [[10, y + 3 * LEGEND - 4]], 5),
    line(3, words.unscaled, unscaled.textColour),
  ];
}

/**
 * Draws the sentence and the legend.
 * @param {View} view
 * @param {readonly [Look, Look]} series
 * @returns {{ height: number, marks: SvgNode }}
 */
export function sentence(view, series) {
  const { cells, height, unit } = layOut(view);
  const words = cells.map((cell, index) => drawWord(view, index, cell, series));
  return {
    height: (height + LEGEND_HEIGHT) * unit,
    marks: node(
      'g',
      { transform: `scale(${unit.toFixed(4)})` },
      words,
      legend(view, height + 26, series),
    ),
  };
}

/**
 * Returns the word at a place of the picture.
 * @param {View} view
 * @param {{ x: number, y: number }} point  in pixels
 * @returns {number} from 0; −1 where there is none
 */
export function wordAt(view, point) {
  const { cells, unit } = layOut(view);
  const [x, y] = [point.x / unit, point.y / unit];
  return cells.findIndex(
    (cell) => x >= cell.x && x <= cell.x + cell.width && y >= cell.y && y <= cell.y + cell.height,
  );
}
