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
