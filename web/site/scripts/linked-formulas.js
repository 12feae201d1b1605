// Formulas of the text that name a series of a figure (data-linked="FIGURE:SERIES"). Under the
// pointer or with the focus they highlight it in chart and read-out, and a press keeps it until the
// next press, there or elsewhere, or Escape; the figure comes into view then, and highlights them in
// turn. Without script they are plain formulas.

import { messages as kitMessages } from '../../figures/kit/state/generated/words.js';
import { bringIntoView } from './into-view.js';

/** @import { FigureElement as Figure } from '../../figures/kit/element/figure.js' */

/**
 * Names a formula after its series, once the figure's words are there.
 * @param {HTMLElement} formula
 * @param {Figure} figure
 * @param {string} series
 */
async function name(formula, figure, series) {
  await customElements.whenDefined(figure.localName);
  const { language, spec } = figure;
  const words = /** @type {any} */ (spec.messages[language]);
  const label = words.series?.[series] ?? words[series] ?? words.options[series];
  const plain = label.replaceAll('_', '');
  const figureName = words.name.replaceAll('_', '');
  const named = kitMessages[language].linked(formula.dataset.name ?? '', plain, figureName);
  formula.setAttribute('aria-label', named);
}

/** Makes a formula a button. @param {HTMLElement} formula @param {Figure} figure @param {string} series */
function makeButton(formula, figure, series) {
  name(formula, figure, series);
  formula.tabIndex = 0;
  formula.setAttribute('role', 'button');
  formula.setAttribute('aria-label', formula.dataset.name ?? '');
  formula.setAttribute('aria-pressed', 'false');
}

/** Links a formula to its series. @param {HTMLElement} formula */
function link(formula) {
  const [element, series] = (formula.dataset.linked ?? '').split(':');
  /** @type {Figure | null} */
  const figure = document.querySelector(`attn-${element}`);
  if (!figure) return;
  formula.classList.add('live');
  // Nothing inside a formula can be a button, so that a part of one lights up under the pointer alone.
  if (!formula.closest('math')) makeButton(formula, figure, series);
  // Until the figure is live it has neither method.
  const light = () => figure.highlight?.(series);
  const leave = () => figure.highlight?.('');
  const press = () => {
    figure.pin?.(series);
    if (figure.pinned !== '') bringIntoView(figure);
  };
  formula.addEventListener('pointerenter', light);
  formula.addEventListener('focus', light);
  formula.addEventListener('pointerleave', leave);
  formula.addEventListener('blur', leave);
  formula.addEventListener('click', press);
  formula.addEventListener('keydown', (event) => {
    if (event.key !== 'Enter' && event.key !== ' ') return;
    event.preventDefault(); // the space bar would scroll
    press();
  });
  figure.addEventListener('attn-highlight', (event) => {
    const { detail } = /** @type {CustomEvent<{ series: string, pinned: string }>} */ (event);
    formula.classList.toggle('lit', detail.series === series);
    if (formula.tabIndex === 0)
      formula.setAttribute('aria-pressed', String(detail.pinned === series));
  });
}

/** Ends the highlight of a press, except in a figure that the reader is using. @param {Event} event */
function release(event) {
  const path = event.composedPath();
  for (const figure of document.querySelectorAll('.wide > *')) {
    const { pinned, pin } = /** @type {Partial<Figure>} */ (figure);
    if (pinned && (event.type === 'keydown' || !path.includes(figure))) pin?.call(figure, pinned);
  }
}

export function linkFormulas() {
  /** @type {NodeListOf<HTMLElement>} */
  const formulas = document.querySelectorAll('[data-linked]');
  formulas.forEach((formula) => link(formula));
  addEventListener('click', (event) => {
    if (![...formulas].some((formula) => event.composedPath().includes(formula))) release(event);
  });
  addEventListener('keydown', (event) => {
    if (event.key === 'Escape') release(event);
  });
}
