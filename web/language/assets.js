/** The language model for engines without SIMD, and with fused multiply-add. c/Makefile makes both. */
export const LANGUAGE_KERNELS = {
  of: 'package',
  budget: 'asset',
  files: {
    'language-relaxed': () => import('./generated/relaxed.js'),
    'language-fallback': () => import('./generated/fallback.js'),
  },
};

/** The worker of `trainApart`, as text. web/build/texts.js makes it. */
export const LANGUAGE_WORKER = {
  of: 'package',
  budget: 'asset',
  isInFile: true,
  files: { 'language-worker': () => import('./generated/worker.js') },
};
