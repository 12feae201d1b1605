/** Loads the modules that an engine with SIMD does not need, each from a separate file. */

export const loadRelaxed = () => import('./generated/relaxed.js');

export const loadFallback = () => import('./generated/fallback.js');
