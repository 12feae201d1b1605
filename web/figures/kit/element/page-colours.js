// The colours of an element on the page around it, whatever way the page is made dark: a class, a data
// attribute, the reader's preference or a black slide. The background decides, where it is a plain
// colour; else the colour of the text. Text is moved towards black or white until it has a contrast of
// 4.5:1, and marks until they have 3:1 (WCAG 2.2, 1.4.3 and 1.4.11).

import { keysOf } from '../../../shared/keys.js';
import { dark, light, themed } from '../chart/palette.js';
import { composedParent } from '../state/language.js';

/** @import { Palette } from '../chart/palette.js' */
/** @typedef {readonly number[]} Colour  red, green and blue, 0 to 255 */

const BLACK = [0, 0, 0];
const WHITE = [255, 255, 255];

const TEXT = 4.5;
const MARK = 3;
/** The strongest tint of a cell, as a share of the third series' colour. */
const TINT = 0.5;
/** Text of a higher luminance is meant for a dark page. */
const LIGHT_TEXT = 0.35;
/** The grid, as a share of ink on the background. */
const FAINT = { light: 0.125, dark: 0.15 };

/** @type {Partial<Record<keyof Palette, number>>} */
const CONTRASTS = {
  ink: TEXT,
  thirdText: TEXT,
  muted: TEXT,
  scaledText: TEXT,
  unscaledText: TEXT,
  folkText: TEXT,
  scaled: MARK,
  unscaled: MARK,
  folk: MARK,
};

/** Returns the relative luminance of WCAG. @param {Colour} colour */
function luminance(colour) {
  const [r, g, b] = colour.map((part) => {
    const share = part / 255;
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
}

/** Returns the contrast of WCAG, 1 to 21. @param {Colour} one  @param {Colour} other */
export function contrast(one, other) {
  const [a, b] = [luminance(one) + 0.05, luminance(other) + 0.05];
  return Math.max(a / b, b / a);
}

/** Mixes two colours. @param {Colour} from  @param {Colour} to  @param {number} share  of the second */
const mix = (from, to, share) => from.map((part, i) => part + share * (to[i] - part));

/** Adds a share of a colour to another one. @param {Colour} one  @param {Colour} other  @param {number} share */
const sum = (one, other, share) => one.map((part, i) => part + share * other[i]);

/** Reads a colour of a palette. @param {string} hex */
const fromHex = (hex) => [1, 3, 5].map((at) => parseInt(hex.slice(at, at + 2), 16));

/** @param {Colour} colour */
const toRgb = (colour) => `rgb(${colour.map(Math.round).join(' ')})`;

/**
 * Moves a colour towards another one until it stands out from the background.
 * @param {Colour} colour
 * @param {{ towards: Colour, background: Colour, least: number }} options
 */
function moved(colour, { towards, background, least }) {
  let share = 0;
  while (share < 1 && contrast(mix(colour, towards, share).map(Math.round), background) < least) {
    share = Math.min(1, share + 0.05);
  }
  return mix(colour, towards, share);
}

/** Returns whether a background calls for white text. @param {Colour} background */
const isDark = (background) => contrast(WHITE, background) > contrast(BLACK, background);

/** Returns the palette for a background. @param {Colour} background @returns {Palette} */
export function paletteOn(background) {
  const scheme = isDark(background) ? 'dark' : 'light';
  const [ink, opposite] = scheme === 'dark' ? [WHITE, BLACK] : [BLACK, WHITE];
  const [near, far] = scheme === 'dark' ? [dark, light] : [light, dark];
  const mark = { towards: ink, background, least: MARK };
  const thirds = [moved(fromHex(near.third), mark), moved(background, mark)];
  const third = thirds.find((each) => contrast(ink, mix(background, each, TINT)) >= TEXT);
  // On the greys in the middle, marks lie on the other side of the background than ink.
  const [marks, towards] = third ? [near, ink] : [far, opposite];
  const palette = { ...near, paper: toRgb(background) };
  palette.third = toRgb(third ?? moved(fromHex(far.third), { ...mark, towards }));
  for (const key of keysOf(CONTRASTS)) {
    const least = CONTRASTS[key] ?? 1;
    const options = { ...mark, least };
    if (least === MARK) options.towards = towards;
    // Numbers stand on tinted cells, too.
    if (key === 'ink' && third) options.background = mix(background, third, TINT);
    palette[key] = toRgb(moved(fromHex((least === MARK ? marks : near)[key]), options));
  }
  palette.faint = toRgb(mix(background, fromHex(near.ink), FAINT[scheme]));
  return palette;
}

/** Returns the parent in the tree that is drawn, through slots and shadow roots. @param {Element} element */
export const drawnParent = (element) => element.assignedSlot ?? composedParent(element);

/**
 * Returns a computed colour in sRGB, into which the engine converts those that are not `rgb()`.
 * @param {string} colour
 * @param {ShadowRoot} root  in which to do so
 */
function inSrgb(colour, root) {
  if (/^rgb/.test(colour)) return colour;
  const probe = root.ownerDocument.createElement('i');
  probe.style.color = `color-mix(in srgb, ${colour}, ${colour})`;
  root.append(probe);
  const converted = getComputedStyle(probe).color;
  probe.remove();
  return converted;
}

/**
 * Reads a computed colour as red, green, blue and opacity.
 * @param {string} computed
 * @param {ShadowRoot} root
 */
function parsed(computed, root) {
  const text = inSrgb(computed, root);
  const [r, g, b, alpha = 1] = (text.match(/-?[\d.]+(e-?\d+)?/g) ?? BLACK).map(Number);
  const unit = /^rgb/.test(text) ? 1 : 255;
  return { colour: [r, g, b].map((part) => Math.min(255, Math.max(0, unit * part))), alpha };
}

/**
 * Returns the background that an element is drawn on: the plain colours behind it, down to an opaque
 * one. Where a picture or nothing lies there, the paper that suits the text.
 * @param {Element} element
 * @param {ShadowRoot} root  of the element
 * @returns {Colour}
 */
export function backgroundOf(element, root) {
  const parent = drawnParent(element) ?? element;
  const text = parsed(getComputedStyle(parent).color, root);
  const paper = luminance(text.colour) > LIGHT_TEXT ? fromHex(dark.paper) : WHITE;
  let seen = BLACK;
  let left = 1;
  /** @type {Element | null} */
  let at = parent;
  for (; at && left > 0; at = drawnParent(at)) {
    const { backgroundColor, backgroundImage } = getComputedStyle(at);
    const { colour, alpha } = parsed(backgroundColor, root);
    const isPicture = !/^(none)?$/.test(backgroundImage);
    if (isPicture && (alpha < 1 || isDark(colour) !== isDark(paper))) break;
    seen = sum(seen, colour, left * alpha);
    left *= 1 - alpha;
  }
  return sum(seen, paper, left);
}

/**
 * Returns the style sheet of a background. Paper is white, so it holds on screens alone.
 * @param {Colour} background
 */
export function stylesOn(background) {
  const palette = paletteOn(background);
  const colours = keysOf(palette).filter((key) => key !== 'font');
  const tokens = colours.map((key) => `--${key}: ${themed(key, palette[key])};`);
  const scheme = isDark(background) ? 'dark' : 'light';
  return `@media screen { figure, .rest { color-scheme: ${scheme}; ${tokens.join('')} } }`;
}
