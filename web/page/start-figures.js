// Makes the figures of an article live. The first comes with the page's script. Each of the others is
// a file of its own, which is loaded when the figure comes near the viewport, or when there is
// nothing else to do, whichever is first: so a figure is live before a reader has scrolled to it, and
// none delays the first.
import { AttnSaturation } from '../figures/saturation.js';
import { whenIdle } from './when-idle.js';

/** @type {Record<string, () => Promise<CustomElementConstructor>>} in the order of the article */
const later = {
  'attn-gradient': async () => (await import('../figures/gradient.js')).AttnGradient,
  'attn-precision': async () => (await import('../figures/precision.js')).AttnPrecision,
  'attn-scale': async () => (await import('../figures/scale.js')).AttnScale,
  'attn-training': async () => (await import('../figures/training.js')).AttnTraining,
  'attn-cost': async () => (await import('../figures/cost.js')).AttnCost,
  'attn-flow': async () => (await import('../figures/flow.js')).AttnFlow,
  'attn-asymmetry': async () => (await import('../figures/asymmetry.js')).AttnAsymmetry,
  'attn-values': async () => (await import('../figures/values.js')).AttnValues,
  'attn-heads': async () => (await import('../figures/heads.js')).AttnHeads,
  'attn-claims': async () => (await import('../figures/claims.js')).AttnClaims,
};

/** How far outside the viewport a figure's file is loaded, which is before the figure starts to work. */
const NEAR = '1000px 0px';

/** @param {string} name of an element; loads it once */
async function start(name) {
  const load = later[name];
  delete later[name];
  if (load) customElements.define(name, await load());
}

/** A file that did not come (the reader has gone offline) leaves its figure as it was. */
const startIfPossible = (/** @type {string} */ name) => start(name).catch(() => {});

/** Loads what comes near the viewport. */
function watch() {
  const observer = new IntersectionObserver(
    (entries) => {
      for (const { target, isIntersecting } of entries) {
        if (!isIntersecting) continue;
        observer.unobserve(target);
        startIfPossible(target.localName);
      }
    },
    { rootMargin: NEAR },
  );
  const names = Object.keys(later).join(',');
  for (const element of document.querySelectorAll(names)) observer.observe(element);
}

/** Loads the rest, one after the other. */
async function startRest() {
  for (const name of Object.keys(later)) {
    await whenIdle();
    await startIfPossible(name);
  }
}

export function startFigures() {
  customElements.define('attn-saturation', AttnSaturation);
  watch();
  // A link to a figure in some state: that figure scrolls into view as soon as it is live.
  if (location.hash.startsWith('#attn=')) Object.keys(later).forEach(startIfPossible);
  if (document.readyState === 'complete') startRest();
  else addEventListener('load', startRest, { once: true });
}
