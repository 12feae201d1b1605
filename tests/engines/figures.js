// A figure in any engine comes to rest with numbers in its read-out, and gives other numbers when its main control
// moves.

import { until } from './driver.js';

/** @import { Evaluate } from './evaluate.js' */

/** Returns the number of claims that an engine has to measure: an interpreter has time for one.
 *  @param {{ interpreted?: boolean }} engine */
export const claimsOf = ({ interpreted }) => (interpreted ? 1 : 26);

/**
 * Runs in the page: returns whether a figure is at rest, with numbers to read.
 * @param {string} name
 * @param {number} claims  the claims that the ledger has to have measured
 */
export function isAtRest(name, claims) {
  const figure = /** @type {any} */ (document.querySelector(`attn-${name}`));
  if (figure?.failure) throw new Error(`${name}: ${figure.failure}`);
  if (name === 'claims') return figure?.results?.size >= claims;
  const readout = figure?.shadowRoot?.querySelector('[part=readout]');
  const drawn = figure?.shadowRoot?.querySelector('[part~=plot] > svg text');
  return figure?.data !== undefined && !figure.busy && drawn && /\d/.test(readout?.textContent);
}

/**
 * Runs in the page: returns the numbers of a figure, read and spoken, or the sentences of the ledger, if they differ
 * from `before`. (The read-out of a layer's heads alone would not: their parameters stay the same.)
 * @param {string} name
 * @param {unknown} before
 */
function readOther(name, before) {
  const root = document.querySelector(`attn-${name}`)?.shadowRoot;
  const texts = [...(root?.querySelectorAll('ol, [part=readout] td, [role=status]') ?? [])];
  const all = texts.map((element) => element.textContent).join(' ');
  const now = name === 'claims' ? all : all.match(/[\d.]+/g)?.join(' ');
  return now === before ? undefined : now;
}

/** Runs in the page: touches a figure, which ends its film. @param {string} name */
const touch = (name) =>
  document.querySelector(`attn-${name}`)?.dispatchEvent(new Event('pointerdown'));

/** Runs in the page: moves the first slider of a figure to its start, or takes the next choice.
 *  @param {string} name */
function move(name) {
  const controls = document.querySelector(`attn-${name}`)?.shadowRoot?.querySelector('.controls');
  const slider = /** @type {HTMLInputElement} */ (controls?.querySelector('input[type=range]'));
  const choice = /** @type {HTMLSelectElement} */ (controls?.querySelector('select'));
  if (slider?.value === slider?.min) slider?.stepUp();
  else if (slider) slider.value = slider.min;
  if (!slider) choice.selectedIndex = (choice.selectedIndex + 1) % choice.length;
  const control = slider ?? choice;
  control.dispatchEvent(new Event('input', { bubbles: true }));
  control.dispatchEvent(new Event('change', { bubbles: true }));
}

/** Moves the main control of a figure at rest, and waits for other numbers.
 *  @param {Evaluate} evaluate @param {string} name @param {number} claims */
export async function exercise(evaluate, name, claims) {
  await evaluate(touch, name);
  await until(evaluate, isAtRest, name, claims);
  const before = await evaluate(readOther, name, '');
  await evaluate(move, name);
  await until(evaluate, readOther, name, before);
  await until(evaluate, isAtRest, name, claims);
}
