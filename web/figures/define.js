// Registers every element once; a name that is taken already, by a second copy of this script, is left alone.

import * as figures from './index.js';
import { classNameOf, ELEMENTS } from './list.js';

/** @type {Record<string, CustomElementConstructor>} */
const classes = figures;

for (const name of ELEMENTS) {
  const tag = `attn-${name}`;
  if (!customElements.get(tag)) customElements.define(tag, classes[classNameOf(name)]);
}
