// Loads files for an embed, in place of attention/kernel/load.js. From the opaque origin of a sandboxed
// frame no module file loads, but a classic script does.

/**
 * The policy of an embed demands Trusted Types: an address to load comes from a policy that it
 * names, and only our files have one.
 */
const trusted = Reflect.get(globalThis, 'trustedTypes')?.createPolicy('attention-lab', {
  createScriptURL: (/** @type {string} */ name) => addressOf(name),
});

/** Returns the address of a file. @param {string} name */
const addressOf = (name) => `../${name.replace(/[^\w/-]/g, '')}.classic.js`;

/**
 * Loads a classic script.
 * @param {string} name
 * @returns {Promise<unknown>} resolved when it has run
 */
export function loadScript(name) {
  return new Promise((resolve, reject) => {
    const script = document.createElement('script');
    script.src = trusted?.createScriptURL(name) ?? addressOf(name);
    script.onload = resolve;
    script.onerror = () => reject(new Error(`${name} did not load`));
    document.head.append(script);
  });
}

/**
 * Loads the kernel without SIMD.
 * @returns {Promise<typeof import('../../attention/kernel/generated/fallback.js')>}
 */
export async function loadFallback() {
  await loadScript('kernel-fallback');
  return Reflect.get(globalThis, 'attentionLabFallback');
}

/** Refuses, since no figure uses the relaxed kernel. */
export const loadRelaxed = () => Promise.reject(new Error('not in this file'));
