/**
 * attention-lab/files: attention that people bring, as data: files of other programs, and tensors of other
 * libraries. No side effects, no requests.
 */
export { toAttention } from './attention.js';
export { readAttention } from './read.js';
export { readSeries, toSeries } from './series.js';

/**
 * @typedef {import('./attention.js').Attention} Attention
 * @typedef {import('./attention.js').GivenAttention} GivenAttention
 * @typedef {import('./series.js').AttentionStep} AttentionStep
 * @typedef {import('./series.js').GivenStep} GivenStep
 * @typedef {import('./series.js').NamedFile} NamedFile
 */
