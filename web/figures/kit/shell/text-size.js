// The reader's text size, or that of a slide. Sizes of text are those of a root text of 16 pixels, the usual one,
// and grow with it; a drawing is laid out for fewer pixels and shown larger, so that its labels grow, too.

import { css } from 'lit';
import { PAIR_FROM, STACK_BELOW } from '../chart/chart.js';

const USUAL = 16;
/** A drawing keeps this width, in pixels of its own, since its labels would meet on a smaller one. */
const NARROWEST = 300;
/** The width of a name and three numbers of usual text, in pixels. */
const TIGHT = 260;

/** The text of a compact figure as a share of that around it, since a slide's is larger than labels need to be. */
const ON_SLIDE = 0.5;

/** The width of a compact figure's picture as a share of the figure's, where its words stand beside it. */
export const BESIDE = 0.58;

/**
 * Returns how many times larger than usual the text of a figure is: that of its page, or of the slide on which a
 * compact figure stands. Smaller text is taken as usual.
 * @param {Element & { compact: boolean }} figure
 */
export function textScale(figure) {
  const { defaultView, documentElement } = figure.ownerDocument;
  const sizeOf = (/** @type {Element} */ element) =>
    parseFloat(defaultView?.getComputedStyle(element).fontSize ?? '');
  const size = Math.max(sizeOf(documentElement), figure.compact ? ON_SLIDE * sizeOf(figure) : 0);
  return size > USUAL ? size / USUAL : 1;
}

/**
 * Returns the width of a drawing, in pixels of its own.
 * @param {number} width  on the page
 * @param {number} scale  of the text
 */
export const drawnWidth = (width, scale) =>
  Math.floor(width / Math.min(scale, Math.max(1, width / NARROWEST)));

/** A pixel of text, which is larger where the reader's text is. */
export const pixel = css`max(1px, ${1 / USUAL}rem)`;

/** Holds of a container below a width, in pixels of text. @param {number} width */
export const isBelow = (width) => css`(max-width: max(${width - 1}px, ${(width - 1) / USUAL}rem))`;

/** Holds of a container in which a figure is narrow. */
export const isNarrow = isBelow(STACK_BELOW);

/** Holds of a container in which a figure is narrow, and some of its panels may have room side by side. */
export const isPaired = css`(min-width: max(${PAIR_FROM}px, ${PAIR_FROM / USUAL}rem)) and ${isNarrow}`;

/** Holds of a container in which a name and three numbers have no room beside one another. */
export const isTight = css`(max-width: max(${TIGHT}px, ${TIGHT / USUAL}rem))`;
