// Makes the figures of a page live, each from a file of its own: the first one at once, the others when they come
// near the viewport, or when there is nothing else to do, whichever is first. So a figure is live before a reader
// has scrolled to it, and none delays the first.
import { classNameOf } from '../../figures/list.js';
import { sharedFigure } from './place.js';
import { whenIdle } from './when-idle.js';

/** How far outside the viewport a figure makes its file load, which is before it starts to work. */
const NEAR = '1000px 0px';

/**
 * Makes a figure live. Where its file fails to load (the reader is offline), it stays as it is.
 * @param {Element} figure
 */
function start({ localName }) {
  const name = localName.replace('attn-', '');
  const define = (/** @type {Record<string, CustomElementConstructor>} */ module) => {
    if (!customElements.get(localName)) customElements.define(localName, module[classNameOf(name)]);
  };
  import(`../../figures/${name}/element.js`).then(define, () => {});
}

/** @param {Element[]} figures */
function startWhenNear(figures) {
  const observer = new IntersectionObserver(
    (entries) => {
      for (const { isIntersecting, target } of entries) {
        if (!isIntersecting) continue;
        observer.unobserve(target);
        start(target);
      }
    },
    { rootMargin: NEAR },
  );
  for (const figure of figures) observer.observe(figure);
}

/** @param {Element[]} figures */
async function startWhenIdle(figures) {
  for (const figure of figures) {
    await whenIdle();
    start(figure);
  }
}

export function startFigures() {
  const figures = [...document.querySelectorAll('.wide > :not(:defined)')];
  // A link to a figure in some state: that figure scrolls into view as soon as it is live.
  const shared = `attn-${sharedFigure(location.hash)}`;
  const isFirst = (/** @type {Element} */ figure, /** @type {number} */ i) =>
    i === 0 || figure.localName === shared;
  figures.filter(isFirst).forEach(start);
  startWhenNear(figures);
  if (document.readyState === 'complete') startWhenIdle(figures);
  else addEventListener('load', () => startWhenIdle(figures), { once: true });
}
