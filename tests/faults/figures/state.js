// Attributes and hashes of rubbish.

import { FIGURE } from './case-pages.js';

/** @import { Case } from './case-pages.js' */
/** @import { Tools } from './page-tools.js' */

const RUBBISH = {
  'd-k': '1e9',
  keys: '<img src=x onerror=alert(1)>',
  scale: '__proto__',
  seed: 'NaN',
  'entry-size': 'x'.repeat(2 ** 20),
  queries: '64; constructor',
};
const DEFAULTS = {
  dK: 64,
  keys: 64,
  scale: 'sqrt',
  start: 'unit',
  entrySize: 1,
  mean: 0,
  queries: 256,
  seed: 5,
};

/** @param {Record<string, string>} attributes */
const withAttributes = (attributes) =>
  Object.entries(attributes)
    .map(([name, value]) => ` ${name}="${value.replaceAll('<', '&lt;')}"`)
    .join('');

/** Reads the state and the note of a figure, and whether anything of its input became markup. @param {Tools} tools */
async function stateOf({ drawn }) {
  const figure = await drawn('attn-saturation');
  const root = /** @type {ShadowRoot} */ (figure.shadowRoot);
  return {
    state: Reflect.get(figure, 'state'),
    note: root.querySelector('[part~=notice]')?.textContent?.trim() ?? '',
    markup: root.querySelectorAll('img, script, iframe, [onerror]').length,
    polluted: Reflect.has({}, 'polluted'),
  };
}

/** @type {Record<string, Case>} */
export const STATE = {
  'attributes of rubbish are clamped or ignored with a note, and none becomes markup': {
    body: `<attn-saturation${withAttributes(RUBBISH)} __proto__="1"></attn-saturation>`,
    look: stateOf,
    seen: {
      state: { ...DEFAULTS, dK: 512 },
      note: 'Not understood and left at a usable value: keys (2 … 512), scale (sqrt | none | half-sqrt | linear), seed (0 … 999999), entry-size (0.25 … 3), queries (16 … 1024).',
      markup: 0,
      polluted: false,
    },
  },

  'a hash of a megabyte gives the default state and a note': {
    body: FIGURE,
    hash: `#attn=1&figure=saturation&d-k=7&keys=${'8'.repeat(2 ** 20 - 200)}`,
    look: stateOf,
    seen: {
      state: DEFAULTS,
      note: 'Not understood and left at a usable value: attn.',
      markup: 0,
      polluted: false,
    },
  },
};
