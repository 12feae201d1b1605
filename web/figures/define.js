// Registers every element once. A name that a second copy of this script has registered stays as it
// is.

import * as figures from './index.js';
import { classNameOf, ELEMENTS } from './list.js';

/** @type {Record<string, CustomElementConstructor>} */
const classes = figures;

for (const name of ELEMENTS) {
  const tag = `attn-${name}`;
  if (!customElements.get(tag)) customElements.define(tag, classes[classNameOf(name)]);
}
