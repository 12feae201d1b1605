// Accessibility of whole pages, by axe-core.
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const AXE = readFileSync(fileURLToPath(import.meta.resolve('axe-core/axe.min.js')), 'utf8');

/** Whether text stands out from its background takes axe longest. */
const OPTIONS = {
  all: {},
  contrast: { runOnly: ['color-contrast'] },
  'all but contrast': { rules: { 'color-contrast': { enabled: false } } },
};

/**
 * Returns the violations that axe finds in a page: rules, each with the first place.
 * @param {import('playwright-core').Page} page
 * @param {keyof typeof OPTIONS} [rules]  contrast alone for a page that has only changed its colours
 * @returns {Promise<string[]>}
 */
export async function axeViolations(page, rules = 'all') {
  await page.evaluate(AXE);
  // Passed rules would take longer to send here than to find.
  return page.evaluate(async (options) => {
    // A page whose colours have just changed shows them in its next frame, and figures follow it there.
    for (let frame = 0; frame < 2; frame++) await new Promise(requestAnimationFrame);
    const axe = Reflect.get(globalThis, 'axe');
    const { violations } = await axe.run({ resultTypes: ['violations'], ...options });
    return violations.map(
      (/** @type {any} */ { id, nodes: [{ target, html }] }) =>
        `${id}: ${target.flat().join(' ')} ${html.slice(0, 120)}`,
    );
  }, OPTIONS[rules]);
}
