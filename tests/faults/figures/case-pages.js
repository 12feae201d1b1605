// The parts that cases of figures share: their shape, their policy, and looks that several share.

import { STRICT_POLICY } from '../../browser/serve.js';
import { ELEMENTS } from '../../../web/figures/list.js';

/** @import { Tools } from './page-tools.js' */

/**
 * A page that does something wrong to figures. `look` runs in it as text, so it may use nothing but its argument.
 * @typedef {object} Case
 * @property {string} body
 * @property {string} [html]  attributes of the root element
 * @property {string} [before]  a script that runs before the figures come
 * @property {string} [script]  the address of the figures, by default `/figures.js`; {other} is another origin
 * @property {string} [policy]
 * @property {string} [hash]
 * @property {boolean} [complains]  whether the engine itself reports the fault
 * @property {(tools: Tools) => unknown} look
 * @property {unknown} seen  the result of `look`, as JSON
 */

/** The strictest policy in which figures promise to work, and an icon for the tab. */
export const POLICY = STRICT_POLICY.replace('img-src', 'img-src data:');

export const FIGURE = '<attn-saturation></attn-saturation>';
export const EVERY = ELEMENTS.map((name) => `<div><attn-${name}></attn-${name}></div>`).join('');
export const PICTURE = `<attn-saturation><svg id="still" slot="fallback" width="100" height="50" viewBox="0 0 10 5"></svg></attn-saturation>`;

/** Looks for the picture of a figure whose script did not come. @param {Tools} tools */
export async function stillThere({ sleep }) {
  await sleep(300);
  const { width, height } = document.querySelector('#still')?.getBoundingClientRect() ?? {};
  return { seen: Number(width) > 50 && Number(height) > 20, live: Boolean(customElements.get('attn-saturation')) }; // prettier-ignore
}

/** Recognises a figure at its defaults by a number of its read-out. @param {Tools} tools */
export async function works({ drawn }) {
  const figure = await drawn('attn-saturation');
  return figure.shadowRoot?.querySelector('[part=readout]')?.textContent?.includes('0.107');
}

/** Looks at every figure in turn, and returns those that fail, and whether <attn-saturation> works as above. @param {Tools} tools */
export async function allWork({ drawn }) {
  const failed = [];
  for (const { localName } of document.querySelectorAll('div > *')) {
    const figure = await drawn(localName);
    if (figure.shadowRoot?.querySelector('[part=failure]')) failed.push(localName);
  }
  const readout = document
    .querySelector('attn-saturation')
    ?.shadowRoot?.querySelector('[part=readout]');
  return { failed: failed.join(), right: readout?.textContent?.includes('0.107') };
}
