// Words of the text that name a panel of a figure, [second panel](#figure-scale){data-panel=alignment}: where the
// figure shows one panel at a time, they open it, as soon as the figure is live. Without script they are links to it.

/** @import { FigureElement } from '../../figures/kit/element/figure.js' */

/** @param {HTMLAnchorElement} link */
async function openPanel({ hash, dataset }) {
  const figure = document.getElementById(hash.slice(1))?.lastElementChild;
  if (!figure) return;
  await customElements.whenDefined(figure.localName);
  /** @type {FigureElement} */ (figure).showPanel(dataset.panel ?? '');
}

export function enablePanelWords() {
  /** @type {NodeListOf<HTMLAnchorElement>} */
  const links = document.querySelectorAll('a[data-panel][href^="#"]');
  for (const link of links) link.addEventListener('click', () => openPanel(link));
}
