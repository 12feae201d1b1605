/**
 * Delivery by a classic script beside the page: from the opaque origin of a sandboxed frame no module
 * file loads, but a classic script does.
 */

/**
 * The policy of an embed demands Trusted Types: an address to load comes from a policy that it
 * names, and only our files have one.
 */
const trusted = Reflect.get(globalThis, 'trustedTypes')?.createPolicy('attention-lab', {
  createScriptURL: (/** @type {string} */ name) => addressOf(name),
});

/** Returns the address of an asset. @param {string} name */
const addressOf = (name) => `../${name.replace(/[^\w/-]/g, '')}.classic.js`;

/**
 * Delivers an asset.
 * @param {string} name
 * @returns {Promise<any>} the module that its script has left (web/build/forms.js)
 */
export function deliver(name) {
  return new Promise((resolve, reject) => {
    const script = document.createElement('script');
    script.src = trusted?.createScriptURL(name) ?? addressOf(name);
    script.onload = () => resolve(Reflect.get(globalThis, 'attentionLabAssets')[name]);
    script.onerror = () => reject(new Error(`${addressOf(name)} is missing`));
    document.head.append(script);
  });
}
