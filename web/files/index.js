// Attention that people bring: files as data, and tensors of other libraries.

export { sizesOf, toAttention } from './attention.js';
export { readAttention } from './read.js';

/**
 * @typedef {import('./attention.js').Attention} Attention
 * @typedef {import('./attention.js').Given} Given
 */
