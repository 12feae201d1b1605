/** The part of a figure, or of the window if that is less, that counts as in view. */
const ENOUGH = 0.5;

/**
 * Scrolls to a figure unless enough of it is in view, smoothly if the reader does not mind motion. Back undoes it.
 * @param {Element} figure
 */
export function bringIntoView(figure) {
  const { top, bottom, height } = figure.getBoundingClientRect();
  const seen = Math.min(bottom, innerHeight) - Math.max(top, 0);
  if (seen >= ENOUGH * Math.min(height, innerHeight)) return;
  history.pushState(history.state, '');
  const isCalm = matchMedia('(prefers-reduced-motion: reduce)').matches;
  figure.scrollIntoView({ block: 'start', behavior: isCalm ? 'auto' : 'smooth' });
}
