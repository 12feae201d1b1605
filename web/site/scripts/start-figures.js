// Makes the figures of an article live. The first two come with the page's script; the others are one
// file more, which is loaded when one of them comes near the viewport, or when there is nothing else
// to do, whichever is first: so a figure is live before a reader has scrolled to it, and none delays
// the first.
import { AttnSaturation } from '../../figures/saturation/element.js';
import { AttnWords } from '../../figures/words/element.js';
import { whenIdle } from './when-idle.js';

/** How far outside the viewport a figure makes its file load, which is before it starts to work. */
const NEAR = '1000px 0px';

/**
 * Starts the other figures. Where the file fails to load (the reader is offline), they stay as they
 * are.
 */
const startOthers = () => import('../../figures/define.js').catch(() => {});

function startOthersWhenNear() {
  const observer = new IntersectionObserver(
    (entries) => {
      if (!entries.some(({ isIntersecting }) => isIntersecting)) return;
      observer.disconnect();
      startOthers();
    },
    { rootMargin: NEAR },
  );
  for (const figure of document.querySelectorAll(':not(:defined)')) observer.observe(figure);
}

async function startOthersWhenIdle() {
  await whenIdle();
  startOthers();
}

export function startFigures() {
  customElements.define('attn-words', AttnWords);
  customElements.define('attn-saturation', AttnSaturation);
  // A link to a figure in some state: that figure scrolls into view as soon as it is live.
  if (location.hash.startsWith('#attn=')) startOthers();
  startOthersWhenNear();
  if (document.readyState === 'complete') startOthersWhenIdle();
  else addEventListener('load', startOthersWhenIdle, { once: true });
}
