// Parts of a chart: frames, axes and texts, as pictures (svg.js) in pixels. Marks are in marks/.

import { SERIF } from './palette.js';
import { node } from './svg.js';

/**
 * @import { SvgChild, SvgNode } from './svg.js'
 * @import { Palette } from './palette.js'
 * @import { Mapping } from './mapping.js'
 * @typedef {{ x: number, y: number, width: number, height: number }} Panel  with its title and axes
 * @typedef {{ left: number, right: number, top: number, bottom: number }} Box  inside of the axes
 * @typedef {{ fill?: string, anchor?: 'start' | 'middle' | 'end', size?: number, weight?: number,
 *   halo?: string, series?: string, within?: number }} TextLook
 */

/** Below this width, in CSS pixels, a figure is narrow: panels stack, unless two of them have room. */
export const STACK_BELOW = 600;
/** The width from which two panels with short labels have room side by side. */
export const PAIR_FROM = 460;
/** Stacked panels are as high as in a column of this width in any that is wider. */
export const HIGHEST_AT = 400;

/** Heights of a picture as shares of its width. @typedef {{ wide: number, narrow: number, below?: number, pair?: number }} Aspect
 *   below: the width below which panels stack, by default STACK_BELOW; pair: between PAIR_FROM and STACK_BELOW, where
 *   some of the panels pair there */

/** Returns whether a picture stacks its panels. @param {number} width  @param {Aspect} aspect */
export const isStacked = (width, { below = STACK_BELOW }) => width < below;

/**
 * Returns the panel that a narrow figure shows first, where it shows one at a time: the main one, if it is among them.
 * @param {readonly string[]} names
 * @param {string} [main]
 */
export const firstInTurn = (names, main) => names.find((name) => name === main) ?? names[0];

/**
 * Returns the width of which a picture's height is a share: between phone and page it stays the same, so that panels
 * in a narrow column become neither towers nor strips.
 * @param {number} width
 * @param {number} [below]  the width below which panels stack
 */
export const heightBase = (width, below = STACK_BELOW) =>
  width < below ? Math.min(width, HIGHEST_AT) : Math.max(width, STACK_BELOW);

/** Smallest text of any figure, in CSS pixels. */
export const SMALL = 12;
/** Least space between two labels of an axis; where two are closer, the left one is left out. */
const LABEL_GAP = 8;
const TITLE = 13;
const SUBSCRIPT = 9.5;
const ITALIC = { 'font-style': 'italic', 'font-family': SERIF };

/** Rounds to a tenth of a pixel. @param {number} value */
export const tenth = (value) => Math.round(value * 10) / 10;

/** Characters that take no room of their own: marks, joiners with what they join, isolates, shades of skin. */
const WIDTHLESS = /\u200d.|\p{M}|\p{Emoji_Modifier}|[\u2060-\u2069]/gu;

/** The share of the estimate that a text takes in usual fonts; none is stretched to more. */
const USUAL_SHARE = 0.85;

/**
 * Estimates the width of a text, from above, since a picture made without a document has no font to measure.
 * @param {string} content
 * @param {number} [size]  in pixels
 */
export function textWidth(content, size = SMALL) {
  let ems = 0;
  for (const character of content.replace(WIDTHLESS, '')) ems += character > '\u2e7f' ? 1 : 0.58;
  return ems * size;
}

/** Returns whether a text may follow a formula without a space. @param {string} text */
const startsWithPunctuation = (text) => /^[,.:;)，。：；）]/.test(text);

/** A letter and its index, as in `d_k`, `W_Q` and `d_model`; splits a text into these and the rest. */
export const SYMBOL = /(\b[a-zA-Z]_(?:model|eff|[a-zA-Z\d])\b)/;

/**
 * Returns a text with `d_k`-like symbols set as italic letter and subscript.
 * @param {string} text
 * @returns {SvgChild[]}
 */
function mathText(text) {
  /** @type {SvgChild[]} */
  const children = [];
  let lowered = false;
  text.split(SYMBOL).forEach((part, index) => {
    if (index % 2 === 1) {
      const lower = node('tspan', { dy: 3, 'font-size': SUBSCRIPT }, part.slice(2));
      children.push(node('tspan', { ...ITALIC, dy: lowered ? -3 : null }, part[0], lower));
      lowered = true;
    } else if (part) {
      const space = lowered && !startsWithPunctuation(part) ? 1 : null;
      children.push(lowered ? node('tspan', { dy: -3, dx: space }, part) : part);
      lowered = false;
    }
  });
  return children;
}

/**
 * Draws a line of text; settings that its look leaves out are those of the group around it. `within`
 * is the width available, in pixels: a longer text gets narrower letters.
 * @param {number} x
 * @param {number} y
 * @param {string} content
 * @param {TextLook} [look]
 * @returns {SvgNode}
 */
export function text(x, y, content, { fill, anchor, size, weight, halo, series, within } = {}) {
  const width = textWidth(content, size);
  const narrower = within !== undefined && width > within;
  return node(
    'text',
    {
      x,
      y,
      fill,
      'text-anchor': anchor,
      'font-size': size,
      'font-weight': weight,
      stroke: halo,
      'stroke-width': halo && 3,
      'stroke-linejoin': halo && 'round',
      'paint-order': halo && 'stroke',
      'data-series': series,
      textLength: narrower && tenth(Math.min(within, USUAL_SHARE * width)),
      lengthAdjust: narrower && 'spacingAndGlyphs',
    },
    mathText(content),
  );
}

/**
 * @param {{ x1: number, y1: number, x2: number, y2: number }} ends
 * @param {string} stroke
 * @param {{ width?: number, dash?: string, series?: string }} [look]
 */
export const segment = (ends, stroke, { width = 1, dash, series } = {}) =>
  node('line', {
    ...ends,
    stroke,
    'stroke-width': width,
    'stroke-dasharray': dash,
    'data-series': series,
  });

/** Draws a thin line. @param {string} d  @param {string} stroke */
const hairline = (d, stroke) => node('path', { d, stroke, fill: 'none' });

/**
 * Draws the horizontal axis: line, few ticks, its name below the middle.
 * @param {Box} box
 * @param {Mapping} map
 * @param {{ ticks: readonly number[], format: (value: number) => string, name: string, palette: Palette }} options
 */
export function bottomAxis({ left, right, bottom }, map, { ticks, format, name, palette }) {
  const marks = ticks.map((tick) => `M${tenth(map(tick))},${tenth(bottom)}v4`).join('');
  let free = Infinity;
  const labels = [...ticks].reverse().map((tick) => {
    const [label, x] = [format(tick), map(tick)];
    const half = textWidth(label) / 2;
    if (x + half > free) return false;
    free = x - half - LABEL_GAP;
    return text(x, bottom + 17, label);
  });
  return node(
    'g',
    { fill: palette.muted, 'text-anchor': 'middle' },
    hairline(`M${tenth(left)},${tenth(bottom)}H${tenth(right)}${marks}`, palette.muted),
    labels.reverse(),
    text((left + right) / 2, bottom + 34, name),
  );
}

/**
 * Draws the vertical axis: faint grid, tick labels, no line; its name is the panel's title.
 * @param {Box} box
 * @param {Mapping} map
 * @param {{ ticks: readonly number[], format: (value: number) => string, palette: Palette }} options
 */
export function leftAxis({ left, right }, map, { ticks, format, palette }) {
  const lines = ticks.map((tick) => `M${tenth(left)},${tenth(map(tick))}H${tenth(right)}`);
  return node(
    'g',
    { fill: palette.muted, 'text-anchor': 'end' },
    hairline(lines.join(''), palette.faint),
    ticks.map((tick) => text(left - 6, map(tick) + 4, format(tick))),
  );
}

/**
 * Draws the title of a panel, at its top left corner.
 * @param {{ x: number, y: number, width: number }} panel
 * @param {string} title
 * @param {Palette} palette
 */
export const panelTitle = ({ x, y, width }, title, palette) =>
  text(x, y + 18, title, { fill: palette.ink, size: TITLE, weight: 600, within: width });

/**
 * Draws the whole picture.
 * @param {{ width: number, height: number, title: string, description: string, palette: Palette, format: { tag: string } }} options
 * @param {...SvgChild} children
 */
export function picture({ width, height, title, description, palette, format }, ...children) {
  return node(
    'svg',
    {
      xmlns: 'http://www.w3.org/2000/svg',
      role: 'img',
      lang: format.tag,
      width: Math.round(width),
      height: Math.round(height),
      viewBox: `0 0 ${Math.round(width)} ${Math.round(height)}`,
      'font-family': palette.font,
      'font-size': SMALL,
      fill: 'currentColor',
    },
    node('title', {}, title),
    node('desc', {}, description),
    children,
  );
}
