// The script of an article: makes the figures live and computes the numbers of the text. Without it
// the page still has all its content, with the numbers of the build.
import { init } from 'attention-lab';
import { siteFolder } from '../../assets/site.js';
import { keepContentsAtHand } from './contents.js';
import { copyFormulas } from './copied-formulas.js';
import { enableCopyButtons } from './copy-buttons.js';
import { openGlossaryInPlace } from './glossary.js';
import { linkFormulas } from './linked-formulas.js';
import { startFigures } from './start-figures.js';
import { formatLive } from './live.js';
import { linkOtherLanguages } from './other-language.js';
import { enablePanelWords } from './panel-words.js';
import { unfoldPlace } from './place.js';
import { enableTryLinks } from './try-links.js';
import { whenIdle } from './when-idle.js';

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
  await init();
  await computeNumbers();
  if (!document.querySelector('[data-output-of]')) return;
  const { runExample } = await import('./example-console.js');
  await runExample('one-query', () => import('../examples/one-query.js'));
}

export function startPage() {
  unfoldPlace();
  addEventListener('hashchange', unfoldPlace);
  fillAddresses();
  linkOtherLanguages();
  linkFormulas();
  enableTryLinks();
  enablePanelWords();
  enableCopyButtons();
  copyFormulas();
  openGlossaryInPlace();
  keepContentsAtHand();
  startFigures();
  continueInPauses().catch(() => {
    // Without a kernel the numbers of the build stay, and the figures show the error.
  });
}
