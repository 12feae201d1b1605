// The controls of a figure: native inputs with labels, made from its fields.

import { html, nothing } from 'lit';
import { prose } from './prose.js';
import { optionButtons } from './option-buttons.js';
import { slider } from './slider.js';
import { attributeName } from '../state/state.js';

/**
 * @import { Field } from '../state/state.js'
 * @import { KitMessages } from '../state/words.js'
 * @typedef {(key: string, value: unknown, settled: boolean) => void} Change
 *   settled: the reader let go (`change`), not merely moved (`input`)
 */

/** An event whose target is an element of a type.
 *  @template {Element} Target
 *  @typedef {Event & { target: Target }} From */

/**
 * Passes a value on, unless it is a half-typed number: that waits for `change`, which clamps it,
 * because a reader who types "1" of "128" does not mean 1.
 * @param {From<HTMLInputElement>} event
 * @param {string} key
 * @param {Change} change
 */
function moved({ target: input }, key, change) {
  if (input.value !== '' && input.validity.valid) change(key, input.value, false);
}

/**
 * Draws a number field.
 * @param {{ key: string, field: Field, value: string | number, label?: string, change: Change }} options
 *   label: the accessible name, where no label element points here
 */
const numberInput = ({ key, field, value, label, change }) =>
  html`<input
    type="number"
    id=${label ? nothing : `field-${attributeName(key)}`}
    aria-label=${label ?? nothing}
    min=${field.min ?? nothing}
    max=${field.max ?? nothing}
    step=${field.step ?? nothing}
    data-value=${value}
    @input=${(/** @type {From<HTMLInputElement>} */ event) => moved(event, key, change)}
    @change=${(/** @type {From<HTMLInputElement>} */ { target }) => change(key, target.value, true)}
  />`;

/**
 * Draws a slider, and the number field that goes with it.
 * @param {{ key: string, field: Field, value: string | number, label: string, change: Change }} options
 *   label: the accessible name of the number field
 */
const sliderAndNumber = ({ key, field, value, label, change }) => [
  slider({
    id: `field-${attributeName(key)}`,
    field,
    value: Number(value),
    onInput: (event) => moved(event, key, change),
    onChange: ({ target }) => change(key, target.value, true),
  }),
  numberInput({ key, field, value, label, change }),
];

/**
 * Draws a list of options.
 * @param {{ key: string, field: Field, value: string | number, change: Change, options: Record<string, string> }} options
 */
const selectInput = ({ key, field, value, change, options }) =>
  html`<select
    id=${`field-${attributeName(key)}`}
    data-value=${value}
    @change=${(/** @type {From<HTMLSelectElement>} */ { target }) => change(key, target.value, true)}
  >
    ${field.options?.map(
      (option) =>
        html`<option value=${option} ?selected=${option === value}>
          ${options[option] ?? option}
        </option>`,
    )}
  </select>`;

/**
 * Draws a text field for a list of numbers, or a text.
 * @param {{ key: string, field: Field, value: string | number, change: Change, hint?: string }} options
 *   hint: the text that an empty field stands for
 */
const listInput = ({ key, field, value, change, hint }) =>
  html`<input
    type="text"
    id=${`field-${attributeName(key)}`}
    size=${field.size ?? 16}
    placeholder=${hint ?? nothing}
    autocomplete="off"
    data-value=${value}
    @change=${(/** @type {From<HTMLInputElement>} */ { target }) => change(key, target.value, true)}
  />`;

/**
 * Draws a field for a text of several lines.
 * @param {{ key: string, field: Field, value: string | number, change: Change, hint?: string }} options
 */
const pasteInput = ({ key, field, value, change, hint }) =>
  html`<textarea
    id=${`field-${attributeName(key)}`}
    rows=${field.lines ?? nothing}
    placeholder=${hint ?? nothing}
    data-value=${value}
    @change=${(/** @type {From<HTMLTextAreaElement>} */ { target }) => change(key, target.value, true)}
  ></textarea>`;

/** The look of the main control; columns: in CSS, where it lies along its axis. @typedef {{ stays: boolean, columns?: string }} Main */

/**
 * Draws one labelled field; a slider comes with a number field.
 * @param {string} key
 * @param {{ field: Field, value: string | number, label: string, hint?: string,
 *   options: Record<string, string>, kit: KitMessages, change: Change, main?: Main }} context  main: of the
 *   main control
 */
export function control(key, { field, value, label, hint, options, kit, change, main }) {
  const input = { key, field, value, change };
  const plain = label.replaceAll('_', '');
  const classes = ['field', main && 'main', main?.stays && 'stays', main?.columns && 'aligned'];
  return html`<div class=${classes.filter(Boolean).join(' ')} .style=${main?.columns ?? ''}>
    ${
      field.buttons
        ? html`<span>${prose(label)}</span>`
        : html`<label for=${`field-${attributeName(key)}`}>${prose(label)}</label>`
    }
    ${
      field.kind === 'choice'
        ? (field.buttons ? optionButtons : selectInput)({ ...input, label: plain, options })
        : field.kind === 'list'
          ? (field.lines ? pasteInput : listInput)({ ...input, hint })
          : field.slider
            ? sliderAndNumber({ ...input, label: kit.value(plain) })
            : numberInput(input)
    }
  </div>`;
}
