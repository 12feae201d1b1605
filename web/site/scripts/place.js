// The places that addresses name: a section by its id, or a figure in some state (#attn=1&figure=…).

/**
 * Returns the name of the figure whose state a hash shares.
 * @param {string} hash  as in `location.hash`
 * @returns {string | undefined} undefined where it names something else
 */
export const sharedFigure = (hash) =>
  hash.startsWith('#attn=')
    ? new URLSearchParams(hash.slice(1)).get('figure')?.replace(/\..*/, '')
    : undefined;

/** Unfolds the list that holds the place, in browsers that do not. */
export function unfoldPlace() {
  const fold = document.getElementById(location.hash.slice(1))?.closest('details');
  if (!fold || fold.open) return;
  fold.open = true;
  document.getElementById(location.hash.slice(1))?.scrollIntoView();
}

/**
 * Leads to the page that has the place now, where the address is of the time when the article was one page.
 * @returns {boolean} whether it does
 */
export function followMovedPlace() {
  const { hash } = location;
  const figure = sharedFigure(hash);
  const place = figure === undefined ? hash.slice(1) : `figure-${figure}`;
  if (place === '' || document.getElementById(place)) return false;
  /** @type {NodeListOf<HTMLAnchorElement>} */
  const links = document.querySelectorAll('a[data-holds]');
  const link = [...links].find(({ dataset }) => dataset.holds?.split(' ').includes(place));
  if (link) location.replace(link.href + hash);
  return link !== undefined;
}
