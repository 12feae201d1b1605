// Registers every figure once; a name that is taken already (a second copy of this script) is left alone.

import { AttnClaims } from './claims.js';
import { AttnCost } from './cost.js';
import { AttnGradient } from './gradient.js';
import { AttnSaturation } from './saturation.js';
import { AttnPrecision } from './precision.js';
import { AttnScale } from './scale.js';
import { AttnTraining } from './training.js';
import { AttnValues } from './values.js';
import { AttnAsymmetry } from './asymmetry.js';
import { AttnFlow } from './flow.js';
import { AttnHeads } from './heads.js';

/** @type {[string, CustomElementConstructor][]} */
const elements = [
  ['attn-saturation', AttnSaturation],
  ['attn-gradient', AttnGradient],
  ['attn-training', AttnTraining],
  ['attn-precision', AttnPrecision],
  ['attn-scale', AttnScale],
  ['attn-cost', AttnCost],
  ['attn-heads', AttnHeads],
  ['attn-flow', AttnFlow],
  ['attn-asymmetry', AttnAsymmetry],
  ['attn-values', AttnValues],
  ['attn-claims', AttnClaims],
];

// Where a page is rendered ahead of time there is no registry.
const registry = globalThis.customElements;
for (const [name, element] of elements) {
  if (registry && !registry.get(name)) registry.define(name, element);
}
