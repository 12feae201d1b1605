/** The kernels that engines with SIMD do not need. c/Makefile makes them. */
export const KERNELS = {
  of: 'package',
  budget: 'asset',
  files: {
    'kernel-relaxed': () => import('./generated/relaxed.js'),
    'kernel-fallback': () => import('./generated/fallback.js'),
  },
};
