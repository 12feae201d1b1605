/** Loads the modules that most engines or programs do not need, each from a separate file. */

export const loadRelaxed = () => import('./generated/relaxed.js');

export const loadFallback = () => import('./generated/fallback.js');

/** Loads the worker of `trainApart`, as text. */
export const loadWorker = () => import('./generated/worker.js');
