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
 * Returns a hash as it is written now: what measure and across are about has left attn-scale for attn-scales.
 * @param {string} hash  as in `location.hash`
 */
function currentHash(hash) {
  const query = new URLSearchParams(hash.slice(1));
  const figure = query.get('figure') ?? '';
  const isMoved =
    query.get('attn') !== null &&
    /^scale(\.|$)/.test(figure) &&
    (/^(maxWeight|trace)$/.test(query.get('measure') ?? '') || query.get('across') === 'dK');
  if (!isMoved) return hash;
  query.set('figure', figure.replace('scale', 'scales'));
  return `#${query}`;
}

/**
 * Leads to the page that has the place now, where the address is of the time when the article was one page.
 * @returns {boolean} whether it does
 */
export function followMovedPlace() {
  const hash = currentHash(location.hash);
  const figure = sharedFigure(hash);
  const place = figure === undefined ? hash.slice(1) : `figure-${figure}`;
  const isHere = place === '' || document.getElementById(place) !== null;
  /** @type {NodeListOf<HTMLAnchorElement>} */
  const links = document.querySelectorAll('a[data-holds]');
  const link = [...links].find(
    ({ dataset }) => !isHere && dataset.holds?.split(' ').includes(place),
  );
  if (link || hash !== location.hash) location.replace((link?.href ?? '') + hash);
  return link !== undefined;
}
