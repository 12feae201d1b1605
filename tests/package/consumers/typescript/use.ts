// Right uses of every entry, and wrong ones that the compiler has to reject.
import {
  attention,
  diagnose,
  randomNormal,
  softmax,
  ShapeError,
  type AttentionOptions,
  type Tensor,
} from 'attention-lab';
import 'attention-lab/define';
import { rows } from 'attention-lab/experiments';
import { AttnSaturation } from 'attention-lab/figures';
import { staticSvg } from 'attention-lab/figures/saturation.js';
import { createPool } from 'attention-lab/parallel';
import { freezingDimension } from 'attention-lab/theory';
import { answer } from './answer.js';

const query: Tensor = randomNormal([4, 8], { seed: 1 });
const data: Float32Array = attention(query, query, query).output.data;
export const blob = new Blob([softmax([1, 2]).data]);
const shape: number[] = softmax([1, 2, 3], { temperature: 2 }).shape;
const [{ measured }] = rows('saturation', { dK: 64, keys: 64 });
const freezing: number = freezingDimension(64);
const svg: string = staticSvg({ dK: 64 });
export const results = { data, shape, measured, freezing, svg, Class: AttnSaturation, ShapeError };

export function listen(page: Document) {
  const figure = page.querySelector('attn-saturation');
  if (!figure) return;
  figure.dK = 128;
  figure.addEventListener('attn-change', ({ detail }) => console.log(detail.state.dK));
  // @ts-expect-error no such field
  figure.addEventListener('attn-change', ({ detail }) => console.log(detail.state.rho));
  page.addEventListener('attn-change', ({ detail }) => console.log(detail.figure));
  // @ts-expect-error no such scale
  figure.scale = 'cubic';
}

// @ts-expect-error the seed is required
export const unseeded = () => randomNormal([4, 8], {});
// @ts-expect-error a misspelt option
export const misspelt = () => attention(query, query, query, { scales: 1 });

export const diagnosed = (weights: Tensor) =>
  diagnose(query, query).concat(diagnose({ weights }), diagnose({ weights, query, key: query }));
// @ts-expect-error queries without keys, or weights without their name
export const keyless = () => diagnose(new Float32Array(4));

const options: AttentionOptions = { returns: ['weights'] };
const asked = attention(query, query, query, { returns: ['weights'] });
export const sure: Tensor = asked.weights;
// @ts-expect-error a list in a variable may be empty
export const unsure: Tensor = attention(query, query, query, options).weights;

const variable = { causal: true, returns: ['weights'] };
export const perhaps: Tensor | undefined = attention(query, query, query, variable).weights;
// @ts-expect-error no such result
export const unnamed = () => attention(query, query, query, { returns: ['wieghts'] });
const pool = createPool();
export const pooled: Promise<Tensor> = pool
  .attention(query, query, query, { returns: ['weights'] })
  .then(({ weights }) => weights);
export const apart = pool.attention(query, query, query, variable);
// @ts-expect-error no such result
export const lost = () => pool.attention(query, query, query, { returns: ['wieghts'] });

console.log(answer());
