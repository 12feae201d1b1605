// The program of a page that <attn-view> saved: shows the attention that stands in the page.
// web/build/embed-program.js bundles this file as text.

import { AttnView } from './element.js';
import { unpack } from './packed.js';

const { body } = document;
Object.assign(body.style, { margin: '0 auto', maxWidth: '60rem', padding: '0 1rem' });
const data = /** @type {HTMLElement} */ (document.querySelector('script[type="application/json"]'));
Object.assign(
  /** @type {HTMLElement} */ (document.querySelector('attn-view')),
  unpack(data.textContent ?? ''),
);
customElements.define('attn-view', AttnView);
