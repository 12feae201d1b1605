// Buttons of the text that set fields of a figure and show it ({% try %} in web/site/generator/prose.js).
// Without script they are plain text.

import { bringIntoView } from './into-view.js';

export function enableTryButtons() {
  /** @type {NodeListOf<HTMLButtonElement>} */
  const buttons = document.querySelectorAll('button[data-set]');
  for (const button of buttons) {
    const { figure: name, set } = button.dataset;
    const figure = document.querySelector(`attn-${name}`);
    if (!figure) continue;
    button.disabled = false;
    button.addEventListener('click', () => {
      for (const [field, value] of new URLSearchParams(set)) figure.setAttribute(field, value);
      bringIntoView(figure);
    });
  }
}
