// Styles of the elements: a quiet printed page in which the figures are the only colour. Adopted
// style sheets only, so a policy without 'unsafe-inline' allows them.

import { css, unsafeCSS } from 'lit';
import { keysOf } from '../../../shared/keys.js';
import { HIGHEST_AT, STACK_BELOW } from '../chart/chart.js';
import { COMPACT_HEIGHT } from '../chart/layout.js';
import { dark, light, live, SERIF, themed } from '../chart/palette.js';
import { modeStyles } from './mode-styles.js';
import { readoutStyles } from './readout-styles.js';
import { optionStyles } from './option-buttons.js';
import { sliderStyles } from './slider.js';
import { stayingStyles } from './staying.js';
import { BESIDE, isBelow, isNarrow, isPaired, isTight, pixel } from './text-size.js';

/** @import { Aspect } from '../chart/chart.js' */

const colours = keysOf(live);

// Without light-dark() the light palette stands; with it the page's colour scheme decides.
const tokens = unsafeCSS(colours.map((key) => `--${key}: ${themed(key, light[key])};`).join('\n'));
const schemeTokens = unsafeCSS(
  colours
    .filter((key) => light[key] !== dark[key])
    .map((key) => `--${key}: ${live[key]};`)
    .join('\n'),
);
const forcedTokens = unsafeCSS(
  Object.entries({
    CanvasText: ['ink', 'muted', 'unscaled', 'unscaled-text', 'third-text', 'folk', 'folk-text'],
    GrayText: ['faint', 'third'],
    Canvas: ['paper'],
    LinkText: ['scaled', 'scaled-text'],
  })
    .flatMap(([colour, keys]) => keys.map((key) => `--attn-${key}: ${colour}!important;`))
    .join('\n'),
);

/** Room for what is not the plot, in pixels of text. @typedef {{ wide: number, narrow: number }} Room */

/**
 * Reserves the height of a whole figure before it is drawn.
 * @param {Aspect} aspect  height of the plot as a share of its width, as heightBase has it
 * @param {Room} room
 * @param {{ part: import('lit').CSSResult, waiting: import('lit').CSSResult }} selectors  part: knows the sizes;
 *   waiting: itself or in it, has the height
 */
const reserveWhole = ({ wide, narrow, below = STACK_BELOW, pair }, room, { part, waiting }) => css`
  ${part} {
    --base: max(100cqi, ${STACK_BELOW} * var(--px));
    --rest: ${room.wide};
    --share: ${wide};
  }
  ${waiting} {
    min-height: calc(var(--share) * var(--base) + var(--rest) * var(--px));
  }
  @container attn ${isNarrow} {
    ${part} {
      --rest: ${room.narrow};
    }
  }
  @container attn ${isBelow(below)} {
    ${part} {
      --base: min(100cqi, ${HIGHEST_AT} * var(--px));
      --share: ${narrow};
    }
  }
  ${
    pair
      ? css`
          @container attn ${isPaired} {
            ${part} {
              --share: ${pair};
            }
          }
        `
      : css``
  }
`;

/**
 * Reserves room for the plot and the whole figure before they are drawn, so that the page moves once at most:
 * when the element is defined.
 * @param {Aspect} aspect
 * @param {Room} room
 */
export const reserve = (aspect, room) => css`
  ${reserveWhole(aspect, room, { part: css`figure`, waiting: css`.waiting` })}
  .plot.empty {
    height: calc(var(--wide, ${aspect.wide}) * var(--base));
  }
  @container attn ${isNarrow} {
    .waiting .title {
      min-height: 5.4em; /* four lines, as most have on a phone */
    }
  }
  @container attn ${isBelow(aspect.below ?? STACK_BELOW)} {
    .plot.empty {
      height: calc(var(--narrow, ${aspect.narrow}) * var(--base));
    }
    .turns {
      display: flex;
    }
  }
  ${
    aspect.pair
      ? css`
          @container attn ${isPaired} {
            .plot.empty {
              height: calc(var(--narrow, ${aspect.pair}) * var(--base));
            }
          }
        `
      : css``
  }
`;

/** What the page has cut to another size has a height of its own. */
const UNCUT = ':not(:defined, [compact], [controls], [panels], [hidden])';

/**
 * Returns the style by which a page reserves the height of its figures until their script comes: `figures.min.css`.
 * A picture inside of them lies in that room.
 * @param {readonly { name: string, aspect: Aspect, room: Room }[]} specs
 */
export function pageStyles(specs) {
  const tags = `:is(${specs.map(({ name }) => `attn-${name}`).join()})`;
  const all = unsafeCSS(`${tags}:not(:defined)`);
  const rooms = specs.map(({ name, aspect, room }) => {
    const part = unsafeCSS(`attn-${name}${UNCUT}::before`);
    return reserveWhole(aspect, room, { part, waiting: part });
  });
  return String(css`
    ${all}:not([hidden]) {
      display: grid;
      box-sizing: border-box;
      container: attn / inline-size;
      width: 100%;
      max-width: 100%;
      margin-block: var(--attn-margin, 1.5rem);
      contain-intrinsic-inline-size: 320px;
    }
    ${all}::before {
      --px: ${pixel};
      content: '';
    }
    ${all}::before, ${all} > * {
      grid-area: 1 / 1;
      min-width: 0;
    }
    ${unsafeCSS(tags)} :is(img, svg) {
      max-width: 100%;
      height: auto;
    }
    ${unsafeCSS(rooms.join(''))}
  `);
}

export const styles = css`
  :host {
    all: initial !important;
    display: block !important;
    box-sizing: border-box !important;
    direction: ltr !important;
    unicode-bidi: isolate !important;
    color-scheme: inherit !important;
    visibility: inherit !important;
    pointer-events: inherit !important;
    container: attn / inline-size !important;
    isolation: isolate !important; /* what stays in view lies below what the page keeps in front */
    width: 100% !important;
    max-width: 100% !important;
    margin-block: var(--attn-margin, 1.5rem) !important;
    contain-intrinsic-inline-size: 320px !important; /* in a box as wide as its content */
  }
  :host([hidden]),
  :host([style*='display:none']),
  :host([style*='display: none']) {
    display: none !important;
  }
  :host([compact]) {
    font-size: inherit !important; /* of the slide, which its text follows */
  }
  :host([theme='light']) {
    color-scheme: light !important;
  }
  :host([theme='dark']) {
    color-scheme: dark !important;
  }

  figure,
  .rest {
    --px: ${pixel};
    ${tokens}
  }
  figure {
    position: relative; /* or visually hidden elements would lie outside the boxes that scroll the figure */
    margin: 0;
    color: var(--ink);
    font: 400 calc(15 * var(--px)) / 1.45 var(--font);
    font-variant-numeric: tabular-nums;
    text-align: start;
    overflow-wrap: break-word;
  }
  @supports (color: light-dark(#000, #fff)) {
    figure,
    .rest {
      ${schemeTokens}
    }
  }
  @media (forced-colors: active) {
    :host {
      ${forcedTokens}
    }
  }

  /* The caption stands at the end of the room that is reserved. */
  .waiting {
    display: flex;
    flex-direction: column;
  }
  .waiting figcaption {
    margin-top: auto;
  }
  /* All that a reader uses; disabled as one until the figure is live. */
  .parts {
    display: contents;
  }
  .parts:disabled > :is(.controls, .run, .lead, .turns, .actions) {
    opacity: 0.6;
  }

  p {
    margin: 0;
  }
  i {
    font-family: ${unsafeCSS(SERIF)};
    line-height: 0; /* or a line would be as high as two fonts */
  }
  i span {
    font-size: 0; /* copied with the text, yet not seen */
  }
  sub {
    font-size: 0.72em;
    line-height: 0;
    vertical-align: -0.25em;
  }
  .nowrap {
    white-space: nowrap;
  }
  .visually-hidden {
    position: absolute;
    width: 1px;
    height: 1px;
    overflow: hidden;
    clip-path: inset(50%);
    white-space: nowrap;
  }

  .title {
    font-size: calc(18 * var(--px));
    font-weight: 600;
    line-height: 1.35;
    text-wrap: pretty;
    min-height: 2.7em;
    align-content: end; /* one line stands by its controls */
  }
  .compact .title {
    min-height: 0;
  }
  .compact .plot.empty,
  .compact ::slotted(:is(svg, img)) {
    max-height: calc(${COMPACT_HEIGHT} * var(--px));
    object-fit: contain;
  }
  /* The title of a compact figure stands above its picture, all else beside it. */
  .beside {
    display: grid;
    grid-template: repeat(8, auto) 1fr / ${100 * BESIDE}% 1fr;
    column-gap: calc(24 * var(--px));
  }
  .beside > .title {
    grid-column: 1 / -1;
  }
  .beside > figcaption,
  .beside > .parts > * {
    grid-column: 2;
  }
  .beside > .parts > .plot {
    grid-area: 2 / 1 / -1;
  }

  .controls {
    display: flex;
    flex-wrap: wrap;
    gap: 8px 28px;
    align-items: center;
    margin-top: 10px;
  }
  .field {
    display: flex;
    align-items: center;
    gap: 8px;
    min-height: 32px;
  }
  .field > :first-child {
    flex: none;
  }
  .field textarea {
    width: min(100%, 34em);
  }
  .field:has(> [type='text']) {
    flex-wrap: wrap;
  }
  select,
  [type='text'] {
    min-width: 0;
  }
  input,
  select,
  button,
  textarea {
    font: inherit;
    color: inherit;
    accent-color: var(--scaledText);
  }
  ${sliderStyles}
  ${optionStyles}
  input:not([type='range'], [type='radio']),
  select,
  textarea {
    box-sizing: border-box;
    min-height: 28px;
    padding: 1px 4px;
    border: 1px solid var(--folk);
    border-radius: 3px;
    background: transparent;
  }
  select option {
    color: var(--ink);
    background: var(--paper);
  }
  input[type='number'] {
    width: 4.6em;
  }
  :focus-visible {
    outline: 2px solid var(--scaledText);
    outline-offset: 2px;
  }
  details {
    flex-basis: 100%;
    min-width: 0; /* as narrow as the figure: sliders in it can shrink */
  }
  details[open] .fields {
    display: flex;
    flex-wrap: wrap;
    gap: 4px 28px;
    padding-top: 4px;
  }
  summary {
    width: fit-content; /* at most the figure's */
    min-height: 24px;
    color: var(--muted);
    font-size: calc(14 * var(--px));
    cursor: pointer;
  }

  .lead {
    margin-top: 8px;
  }
  .turns {
    display: none;
    flex-wrap: wrap;
    gap: 6px 8px;
    margin-top: 12px;
  }
  .plot {
    position: relative;
    margin-top: 16px;
    overflow: hidden;
  }
  .plot:not(.empty) {
    display: flex;
    flex-wrap: wrap;
    justify-content: space-between; /* the panels have room for the gutter */
    align-items: start;
  }
  .plot > svg {
    display: block;
    overflow: visible;
    user-select: none;
    max-width: 100%;
  }
  .plot ::slotted(svg),
  .plot ::slotted(img) {
    display: block;
    width: 100%;
    height: auto;
  }
  .rest {
    color: var(--ink);
    font: 400 1rem/1.5 var(--font);
  }

  ${readoutStyles}

  .note {
    margin-top: 6px;
    color: var(--muted);
    font-size: calc(13.5 * var(--px));
  }

  button {
    min-height: 28px;
    padding: 2px 8px;
    border: 1px solid var(--folk);
    border-color: color-mix(in srgb, var(--folk) 60%, transparent);
    border-radius: 3px;
    background: none;
    text-align: start;
    cursor: pointer;
  }
  button.series {
    display: flex;
    align-items: center;
    flex-wrap: wrap;
    gap: 0 6px;
    padding: 2px 4px;
    margin-inline-start: -4px;
    font-weight: 600;
  }
  button.series svg {
    flex: none;
  }
  button.series .formula {
    color: var(--muted);
    font-weight: 400;
  }
  button.series[aria-pressed='true'],
  .turns [aria-pressed='true'] {
    border-color: currentColor;
  }
  .turns [aria-pressed='true'] {
    font-weight: 600;
  }
  button.primary {
    border-color: currentColor;
    padding: 3px 14px;
    font-weight: 600;
  }
  button[aria-disabled='true'] {
    color: var(--muted);
    cursor: default;
  }
  /* The Cancel button stays after the run ends as long as it has keyboard focus. */
  .primary:not([aria-disabled]) + [part='cancel']:not(:focus-visible) {
    display: none;
  }
  .actions {
    display: flex;
    flex-wrap: wrap;
    gap: 6px 8px;
    margin-top: 10px;
    color: var(--muted);
    font-size: calc(13.5 * var(--px));
  }
  .actions button:hover,
  summary:hover {
    color: var(--ink);
    text-decoration: underline;
    text-underline-offset: 3px;
  }
  .run {
    display: flex;
    flex-wrap: wrap;
    align-items: center;
    gap: 8px 14px;
    min-height: 36px;
    margin-top: 8px;
  }

  figcaption {
    margin-top: 8px;
    color: var(--muted);
    font-size: calc(14 * var(--px));
  }

  @container attn ${isNarrow} {
    .field {
      width: 100%;
    }
    .field > :first-child {
      min-width: 4.2em;
    }
    .slider {
      flex: 1;
    }
  }

  @container attn ${isTight} {
    .field {
      flex-wrap: wrap;
    }
  }

  ${stayingStyles}

  ${modeStyles}
`;
