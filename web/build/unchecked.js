// Build step: bundles of figures without the checks of theory and experiments, and with their
// constants as they are, not frozen. Both are for programs that call them, which a bundle lets nobody;
// figures bring what readers set within bounds before they compute.

const CHECKS = '/web/theory/check.js';

/** @param {string} code  in which each check does nothing, so that its calls fall away too */
const withoutChecks = (code) =>
  [...code.matchAll(/^export (?:function|const) (\w+)/gm)]
    .map(([, name]) => `/* @__NO_SIDE_EFFECTS__ */ export function ${name}() {}\n`)
    .join('');

/** A plugin.  @type {import('vite').Plugin} */
export const unchecked = {
  name: 'unchecked',
  transform(code, id) {
    if (id.endsWith(CHECKS)) return { code: withoutChecks(code), map: null };
    if (!/\/web\/(theory|experiments)\//.test(id)) return undefined;
    return { code: `const loose=(x)=>x;${code.replaceAll('Object.freeze(', 'loose(')}`, map: null };
  },
};
