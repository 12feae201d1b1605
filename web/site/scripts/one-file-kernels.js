// Loads kernels for attention-lab.html, in place of attention/kernel/load.js. It includes the kernel
// for engines without SIMD and leaves out the relaxed one, which no figure uses.

export const loadFallback = () => import('../../attention/kernel/generated/fallback.js');

export const loadRelaxed = () => Promise.reject(new Error('not in this file'));
