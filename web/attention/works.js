/**
 * How functions work in steps, by their names, each described beside the function. A function that is not
 * here is one part of a worker: its whole call.
 */
import { works as additive } from './additive.js';
import { works as attentionMap } from './attention-map.js';
import { works as attentionStatistics } from './attention-statistics.js';
import { works as attention } from './attention.js';
import { works as half } from './half.js';
import { works as linear } from './linear.js';
import { works as random } from './random.js';
import { works as rotary } from './rotary.js';
import { works as softmax } from './softmax.js';
import { works as statistics } from './statistics.js';

/**
 * @import * as FUNCTIONS from './functions.js'
 * @import { Work } from './work.js'
 */

/** @type {Partial<Record<keyof typeof FUNCTIONS, Work>>} */
export const WORKS = {
  ...additive,
  ...attention,
  ...attentionMap,
  ...attentionStatistics,
  ...half,
  ...linear,
  ...random,
  ...rotary,
  ...softmax,
  ...statistics,
};
