// Right uses where an element of an array may be undefined, and undefined is no value of an option.
import {
  attention,
  randomNormal,
  toNested,
  type AttentionOptions,
  type Tensor,
} from 'attention-lab';
import { init, softmax } from 'attention-lab/js';
import { rows } from 'attention-lab/experiments';

const query: Tensor = randomNormal([4, 8], { seed: 1 });
const options: AttentionOptions = { causal: true, window: [2, -1], returns: ['weights'] };
export const kept: Tensor | undefined = attention(query, query, query, options).weights;
const plain = { scale: 1, returns: 'scores' } as const;
export const scores: Tensor = attention(query, query, query, plain).scores;
const parts = { causal: true };
export const { output } = attention(query, query, query, { ...parts, scale: 0.5 });

export const nested: number | undefined = toNested<number[][]>(query)[0]?.[0];
// @ts-expect-error not any
toNested(query).anything;

const [row] = rows('saturation', { dK: 64, keys: 64 });
export const largest: number | undefined = row?.measured;
export const started: Promise<string> = init();
export const uniform: Tensor = softmax([0, 0]);
