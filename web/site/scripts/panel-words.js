// Words of the text that name a panel of a figure, [second panel](#figure-scale){data-panel=alignment}: where the
// figure shows one panel at a time, they open it. Without script they are links to the figure.

export function enablePanelWords() {
  /** @type {NodeListOf<HTMLAnchorElement>} */
  const links = document.querySelectorAll('a[data-panel]');
  for (const link of links) {
    const figure = document.getElementById(link.hash.slice(1))?.lastElementChild;
    // Until the figure is live it has no such method.
    link.addEventListener('click', () =>
      Reflect.get(figure ?? {}, 'showPanel')?.call(figure, link.dataset.panel),
    );
  }
}
