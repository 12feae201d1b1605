// A workbench for <attn-view>: pages that keep the errors it reports, and files that a reader brings.

import { readFileSync } from 'node:fs';
import { figureOn, useBench } from '../figures/bench.js';

/** @import { Page } from 'playwright-core' */

export const NAME = 'attn-view';
export const GOLDEN = new URL('../../golden/view/', import.meta.url);

/** Returns a workbench, and what opens a page with the figure, whose errors are in `errors` there. */
export function useView() {
  const bench = useBench();
  /** @param {string} [attributes] @param {Parameters<typeof bench.open>[1]} [options] */
  async function open(attributes = '', options = {}) {
    const tab = await bench.open(`<${NAME} ${attributes}></${NAME}>`, options);
    await tab.evaluate((name) => {
      const errors = /** @type {object[]} */ ([]);
      Object.assign(globalThis, { errors });
      document.addEventListener('attn-error', (event) =>
        errors.push(/** @type {CustomEvent} */ (event).detail),
      );
      return customElements.whenDefined(name).then(() => {});
    }, NAME);
    return figureOn(tab, NAME);
  }
  return { bench, open };
}

/** Returns the condition that the diagnosis has so many heads. @param {number} count */
export const rowsAre = (count) => `root?.querySelectorAll('[part=head]').length === ${count}`;

/** Chooses a file. @param {Page} tab @param {string} name @param {Buffer} [buffer] */
export const choose = (tab, name, buffer = readFileSync(new URL(name, GOLDEN))) =>
  tab.locator(`${NAME} input[type=file]`).setInputFiles({ name, mimeType: '', buffer });
