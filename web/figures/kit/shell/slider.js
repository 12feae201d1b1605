// A slider: a native range input that keeps its value, its keys and its name, over a track and a thumb
// drawn here. A field that spans decades is even in ratios, as the axis of a chart is, so the thumb
// stands where no native one could, and pointer and arrow keys follow the drawing.

import { css, html, nothing, svg } from 'lit';
import { linear, logarithmic } from '../chart/mapping.js';

/**
 * @import { Field } from '../state/state.js'
 * @import { Mapping } from '../chart/mapping.js'
 * @import { From } from './controls.js'
 */

/** From this ratio of its ends on, a field is even in ratios. */
const WIDE = 64;
/** Half the width of the thumb, in pixels: the input is so much longer than the track at either end. */
const THUMB = 8;
/** Steps of the arrow keys in a doubling; PageUp and PageDown take a whole one. */
const STEPS = 8;

/** @type {Record<string, { up: boolean, steps: number }>} */
const KEYS = {
  ArrowRight: { up: true, steps: STEPS },
  ArrowUp: { up: true, steps: STEPS },
  PageUp: { up: true, steps: 1 },
  ArrowLeft: { up: false, steps: STEPS },
  ArrowDown: { up: false, steps: STEPS },
  PageDown: { up: false, steps: 1 },
};

/**
 * The places of the pointers that hold a slider.
 * @type {WeakMap<HTMLInputElement, number>}
 */
const held = new WeakMap();

/** Returns whether a field is even in ratios. @param {Field} field  @returns {boolean} */
export const isLogarithmic = ({ min = 0, max = 0 }) => min > 0 && max / min >= WIDE;

/** Returns the mapping of a field to the percentage of its track. @param {Field} field  @returns {Mapping} */
const trackOf = (field) =>
  (isLogarithmic(field) ? logarithmic : linear)([field.min ?? 0, field.max ?? 1], [0, 100]);

/**
 * Returns the next value of a field that is even in ratios: a fraction of a doubling away, or the next
 * that the field can take; powers of two are among them.
 * @param {Field<number>} field
 * @param {number} value
 * @param {{ up: boolean, steps: number }} by
 */
export function nextValue({ min = 1, max = 1, parse }, value, { up, steps }) {
  const way = up ? 1 : -1;
  const at = Math.log2(value) * steps;
  let next = value;
  for (let k = up ? Math.floor(at) + 1 : Math.ceil(at) - 1; next === value; k += way) {
    const aim = 2 ** (k / steps);
    next = parse(aim) ?? value;
    if (aim <= min || aim >= max) break;
  }
  return next;
}

/**
 * Returns the value under a pointer.
 * @param {HTMLInputElement} input
 * @param {Field} field
 * @param {number} clientX
 */
function valueAt(input, field, clientX) {
  const { left, width } = input.getBoundingClientRect();
  const share = (clientX - left - THUMB) / (width - 2 * THUMB);
  return String(field.parse(trackOf(field).invert(100 * Math.min(1, Math.max(0, share)))));
}

/**
 * Gives the slider a value as the browser does: events tell the figure.
 * @param {HTMLInputElement} input
 * @param {unknown} value
 * @param {boolean} isSettled  false while the pointer holds it
 */
function give(input, value, isSettled) {
  input.value = String(value);
  const composed = { bubbles: true, composed: true };
  input.dispatchEvent(new Event('input', composed));
  if (isSettled) input.dispatchEvent(new Event('change', { bubbles: true }));
}

/**
 * Moves the slider with the pointer that holds it.
 * @param {PointerEvent & From<HTMLInputElement>} event
 * @param {Field} field
 */
function point(event, field) {
  const { target: input, type, pointerId, clientX, button } = event;
  if (type === 'pointerdown') {
    if (button !== 0) return;
    event.preventDefault(); // a mouse would move the native thumb
    input.focus({ preventScroll: true });
    input.setPointerCapture(pointerId);
  } else if (!held.has(input)) return;
  held.set(input, clientX);
  give(input, valueAt(input, field, clientX), type === 'pointerup');
  if (type === 'pointerup') held.delete(input);
}

/**
 * Undoes the move of the native thumb by a finger, which is even in differences.
 * @param {From<HTMLInputElement>} event  input, before the figure reads the value
 * @param {Field} field
 */
function correct({ target: input, isTrusted }, field) {
  const clientX = held.get(input);
  if (isTrusted && clientX !== undefined) input.value = valueAt(input, field, clientX);
}

/**
 * Moves a slider that is even in ratios by its keys.
 * @param {KeyboardEvent & From<HTMLInputElement>} event
 * @param {Field} field
 */
function press(event, field) {
  const by = KEYS[event.key];
  if (!by || !isLogarithmic(field) || event.ctrlKey || event.altKey || event.metaKey) return;
  event.preventDefault();
  give(event.target, nextValue(field, Number(event.target.value), by), true);
}

/** Ends the hold of a pointer whose gesture has become a scroll. @param {From<HTMLInputElement>} event */
const release = ({ target }) => held.delete(target);

/** Returns the powers of two in a field that is even in ratios. @param {Field} field  @returns {number[]} */
function powersOf(field) {
  if (!isLogarithmic(field)) return [];
  const { min = 1, max = 1 } = field;
  const powers = [];
  for (let k = Math.ceil(Math.log2(min)); 2 ** k <= max; k++) powers.push(2 ** k);
  return powers;
}

/** Draws the track with ticks at powers of two, and the thumb. @param {Field} field @param {number} value */
function track(field, value) {
  const at = trackOf(field);
  const place = `${Math.round(100 * at(value)) / 100}%`;
  const ticks = powersOf(field).map((power) => {
    const x = `${Math.round(100 * at(power)) / 100}%`;
    return svg`<line class="tick" x1=${x} x2=${x} y1="50%" y2="80%" />`;
  });
  return html`<svg class="track" aria-hidden="true">
    ${svg`${ticks}<line x2="100%" y1="50%" y2="50%" />
      <line class="reached" x2=${place} y1="50%" y2="50%" /><circle cx=${place} cy="50%" r=${THUMB} />`}
  </svg>`;
}

/**
 * Draws a slider.
 * @param {{ id: string, field: Field, value: number, spoken?: string,
 *   onInput: (event: From<HTMLInputElement>) => void, onChange: (event: From<HTMLInputElement>) => void }} options
 *   spoken: the value in words
 */
export function slider({ id, field, value, spoken, onInput, onChange }) {
  const hold = (/** @type {PointerEvent & From<HTMLInputElement>} */ event) => point(event, field);
  return html`<span class="slider">
    ${track(field, value)}
    <input
      type="range"
      id=${id}
      min=${field.min}
      max=${field.max}
      step=${field.step}
      data-value=${value}
      aria-valuetext=${spoken ?? nothing}
      @pointerdown=${hold}
      @pointermove=${hold}
      @pointerup=${hold}
      @pointercancel=${release}
      @keydown=${(/** @type {KeyboardEvent & From<HTMLInputElement>} */ event) => press(event, field)}
      @input=${(/** @type {From<HTMLInputElement>} */ event) => {
        correct(event, field);
        onInput(event);
      }}
      @change=${onChange}
    />
  </span>`;
}

export const sliderStyles = css`
  .slider {
    position: relative;
    display: block;
    width: 148px;
    height: 28px;
    min-width: 3rem; /* beside a long label on a phone */
  }
  .slider input {
    display: block;
    appearance: none;
    box-sizing: border-box;
    width: 100%;
    height: 28px;
    margin: 0;
    background: none;
    opacity: 0;
    cursor: ew-resize;
    touch-action: pan-y;
  }
  .track {
    position: absolute;
    left: ${THUMB}px;
    width: calc(100% - ${2 * THUMB}px);
    height: 28px;
    overflow: visible;
    pointer-events: none;
  }
  .track line {
    stroke: var(--folk);
    stroke-width: 2px;
  }
  .track .tick {
    stroke-width: 1px;
  }
  .track .reached {
    stroke: var(--scaledText);
  }
  .track circle {
    fill: var(--scaledText);
  }
  .parts:disabled .track :is(.reached, circle) {
    stroke: var(--folk);
    fill: var(--folk);
  }
  .aligned {
    display: grid;
    grid-template-columns: var(--left, max-content) var(--across, 1fr) minmax(0, max-content);
    gap: 0;
  }
  .aligned .slider {
    width: auto;
    margin-inline: -${THUMB}px;
  }
  .aligned [type='number'] {
    max-width: 100%;
    margin-inline-start: 14px;
  }
  .slider:has(:focus-visible) {
    outline: 2px solid var(--scaledText);
    outline-offset: 2px;
    border-radius: 3px;
  }
`;
