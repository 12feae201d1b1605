// Links of the text that set fields of the figure to which they lead ({% try %} in web/site/generator/prose.js).
// Without script they lead to it.

import { bringIntoView } from './into-view.js';

export function enableTryLinks() {
  /** @type {NodeListOf<HTMLAnchorElement>} */
  const links = document.querySelectorAll('a[data-set]');
  for (const link of links) {
    const figure = document.getElementById(link.hash.slice(1))?.lastElementChild;
    link.addEventListener('click', (event) => {
      if (!figure) return;
      event.preventDefault();
      for (const [field, value] of new URLSearchParams(link.dataset.set)) {
        figure.setAttribute(field, value);
      }
      bringIntoView(figure);
    });
  }
}
