// Loads kernels for an embed, in place of attention/kernel/load.js. From the opaque origin of a sandboxed
// frame no module file loads, but a classic script does.

const FILE = '../kernel-fallback.classic.js';

/**
 * The policy of an embed demands Trusted Types: an address to load comes from a policy that it
 * names.
 */
const trusted = Reflect.get(globalThis, 'trustedTypes')?.createPolicy('attention-lab', {
  createScriptURL: () => FILE,
});

/**
 * Loads the kernel without SIMD.
 * @returns {Promise<typeof import('../../attention/kernel/generated/fallback.js')>}
 */
export function loadFallback() {
  return new Promise((resolve, reject) => {
    const script = document.createElement('script');
    script.src = trusted?.createScriptURL(FILE) ?? FILE;
    script.onload = () => resolve(/** @type {any} */ (globalThis).attentionLabFallback);
    script.onerror = () => reject(new Error('the kernel for engines without SIMD did not load'));
    document.head.append(script);
  });
}

/** Refuses, since no figure uses the relaxed kernel. */
export const loadRelaxed = () => Promise.reject(new Error('not in this file'));
