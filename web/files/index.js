/**
 * attention-lab/files: attention that people bring, as data: files of other programs, and tensors of other
 * libraries. No side effects, no requests.
 */
export { toAttention } from './attention.js';
export { readAttention } from './read.js';

/**
 * @typedef {import('./attention.js').Attention} Attention
 * @typedef {import('./attention.js').GivenAttention} GivenAttention
 */
