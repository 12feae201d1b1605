// Linked highlighting: a series under the pointer, or pinned by a press of its name, stands out in
// the chart and in the read-out, and an event reports it to the page.

/** @import { FigureElement } from './figure.js' */

export class Highlight {
  #host;
  /** The series that the last event reported. */
  #announced = { series: '', pinned: '' };

  /** Keys of series; the empty string for none. */
  hovered = '';
  pinned = '';

  /** @param {FigureElement} host */
  constructor(host) {
    this.#host = host;
  }

  /** @param {string} series */
  hover(series) {
    if (series === this.hovered) return;
    this.hovered = series;
    this.#host.requestUpdate();
  }

  /** Pins a series, or releases it. @param {string} series */
  pin(series) {
    this.pinned = this.pinned === series ? '' : series;
    this.#host.requestUpdate();
  }

  /** Dims the other series, unless no item belongs to the lit one. */
  draw() {
    const series = this.hovered || this.pinned;
    this.#dim(series);
    const { pinned } = this;
    if (series === this.#announced.series && pinned === this.#announced.pinned) return;
    this.#announced = { series, pinned };
    this.#host.announce('attn-highlight', { series, pinned });
  }

  /** @param {string} series */
  #dim(series) {
    if (!series && !this.#announced.series) return;
    const { renderRoot } = this.#host;
    for (const place of ['.plot > svg [data-series]', '.readout > [data-series]']) {
      const parts = [...renderRoot.querySelectorAll(place)];
      const isLit = (/** @type {Element} */ part) => part.getAttribute('data-series') === series;
      const isFound = parts.some(isLit);
      for (const part of parts) part.classList.toggle('dim', isFound && !isLit(part));
    }
  }
}

/** Returns the key of the series under an event of pointer or focus. @param {Event} event */
export function seriesAt({ type, target }) {
  const isLeaving = type === 'pointerleave' || type === 'focusout';
  if (isLeaving || !(target instanceof Element)) return '';
  return target.closest('[data-series]')?.getAttribute('data-series') ?? '';
}
