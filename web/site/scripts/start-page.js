// The script of an article: makes the figures live and computes the numbers of the text. Without it
// the page still has all its content, with the numbers of the build.
import { init } from 'attention-lab';
import { siteFolder } from '../../assets/site.js';
import { keepContentsAtHand } from './contents.js';
import { enableCopyButtons } from './copy-buttons.js';
import { openGlossaryInPlace } from './glossary.js';
import { linkFormulas } from './linked-formulas.js';
import { startFigures } from './start-figures.js';
import { formatLive } from './live.js';
import { linkOtherLanguages } from './other-language.js';
import { enablePanelWords } from './panel-words.js';
import { followMovedPlace, unfoldPlace } from './place.js';
import { enableTryButtons } from './try-buttons.js';
import { whenIdle } from './when-idle.js';

/** Parts laid out at a time: a few milliseconds, of which the page around them takes most. */
const PARTS = 6;

/** Returns whether a part is in view. @param {Element} part */
function isInView(part) {
  const { top, bottom } = part.getBoundingClientRect();
  return bottom > 0 && top < innerHeight;
}

/**
 * Lays out the parts that the style has left for later (base.css). Parts in view have been laid out
 * and must not change, since a browser anchors the scroll position to them.
 */
async function layOutRest() {
  const parts = [...document.querySelectorAll('.wide ~ *')];
  while (parts.length > 0) {
    await whenIdle();
    const unseen = parts.splice(0, PARTS).filter((part) => !isInView(part));
    for (const part of unseen) part.classList.add('laid-out');
  }
}

async function computeNumbers() {
  for (const element of document.querySelectorAll('[data-live]')) {
    await whenIdle();
    const { live = '' } = /** @type {HTMLElement} */ (element).dataset;
    element.textContent = formatLive(live);
    element.classList.add('computed');
  }
}

/** Writes the address of this site where the text shows how to embed from it; a file has none. */
function fillAddresses() {
  if (location.protocol === 'file:') return;
  const { href } = siteFolder() ?? location;
  for (const element of document.querySelectorAll('[data-site]')) element.textContent = href;
}

/** Does the work that can wait until the first figure is drawn. */
async function continueInPauses() {
  await layOutRest();
  await init();
  await computeNumbers();
  if (!document.querySelector('[data-output-of]')) return;
  const { runExample } = await import('./example-console.js');
  await runExample('effective-keys', () => import('../examples/effective-keys.js'));
}

export function startPage() {
  if (followMovedPlace()) return;
  unfoldPlace();
  addEventListener('hashchange', followMovedPlace);
  addEventListener('hashchange', unfoldPlace);
  fillAddresses();
  linkOtherLanguages();
  linkFormulas();
  enableTryButtons();
  enablePanelWords();
  enableCopyButtons();
  openGlossaryInPlace();
  keepContentsAtHand();
  startFigures();
  continueInPauses().catch(() => {
    // Without a kernel the numbers of the build stay, and the figures show the error.
  });
}
