// Loads the language model for attention-lab.html, in place of language/load.js. That file needs an engine
// with SIMD for its trained models: the module without SIMD would be a sixth of it.

const refuse = () => Promise.reject(new Error('not in this file'));

export const loadWorker = () => import('../../language/generated/worker.js');
export const loadFallback = refuse;
export const loadRelaxed = refuse;
