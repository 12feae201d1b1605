// What <attn-values> says of a training that was stopped.

import assert from 'node:assert/strict';
import { it } from 'node:test';
import { measureRecall } from '../../../web/experiments/recall.js';
import { spec } from '../../../web/figures/values/element.js';
import { staticView } from '../../../web/figures/kit/chart/static.js';
import { viewAfter } from './view-after.js';

it('names the last of the early steps that its cosine is of', async () => {
  const view = /** @type {any} */ (staticView(spec, { lang: 'en' }));
  assert.match(spec.caption(view), /cosine over steps 51 to 200\./);
  const result = await measureRecall({ dimensions: [3], seeds: 1, steps: 150 });
  assert.match(spec.caption(viewAfter(spec, result, { dK: 3, seed: 1 })), /steps 51 to 150\./);
});
