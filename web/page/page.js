// The script of both articles: registers the figures and computes the numbers of the text. Without
// it the page still says everything, with the numbers of the build.
import { init } from 'attention-lab';
import '../figures/define.js';
import { formatLive } from './live.js';

function computeNumbers() {
  for (const element of document.querySelectorAll('[data-live]')) {
    const { live = '' } = /** @type {HTMLElement} */ (element).dataset;
    element.textContent = formatLive(live);
    element.classList.add('computed');
  }
}

/** Writes the address of this site where the text shows how to embed from it. */
function fillAddresses() {
  const base = new URL('../', location.href).href;
  for (const element of document.querySelectorAll('[data-site]')) element.textContent = base;
}

fillAddresses();
init().then(computeNumbers, () => {
  // Without a kernel the numbers of the build stand, and the figures say what is wrong.
});
