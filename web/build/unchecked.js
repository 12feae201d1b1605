// Build step: bundles of figures without the checks of theory and experiments. Those are for programs
// that call them; figures bring what readers set within bounds before they compute.

const CHECKS = '/web/theory/check.js';

/**
 * A plugin: each check does nothing, so that its calls fall away too.
 * @type {import('vite').Plugin}
 */
export const unchecked = {
  name: 'unchecked',
  transform: (code, id) =>
    id.endsWith(CHECKS)
      ? {
          code: [...code.matchAll(/^export (?:function|const) (\w+)/gm)]
            .map(([, name]) => `/* @__NO_SIDE_EFFECTS__ */ export function ${name}() {}\n`)
            .join(''),
          map: null,
        }
      : undefined,
};
