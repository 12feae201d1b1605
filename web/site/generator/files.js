// Build step: what the recipes say of the files that figures load, and of their sizes.
import { readFileSync } from 'node:fs';
import { GROUPS } from '../../build/assets.js';
import { FACTS } from '../../build/facts.js';
import { ELEMENTS } from '../../build/paths.js';

/** @import { ElementFacts } from '../../figures/kit/spec.js' */

/** @type {Record<string, number>} */
const BUDGETS = JSON.parse(
  readFileSync(new URL('../../../tests/budgets.json', import.meta.url), 'utf8'),
);

/** Returns the most that a download takes as transferred, which tests/size.js measures. @param {string} budget its name */
export const sizeOf = (budget) => `${BUDGETS[budget]} kB`;

/** @param {NonNullable<ElementFacts['assets']>} groups */
const namesOf = (groups) => groups.flatMap((group) => Object.keys(GROUPS[group].files));

/** Lists the files that a figure loads, besides its script and `kernel-*.min.js`. @param {string} name of the figure */
export const filesOf = (name) => namesOf(FACTS[name].assets ?? []);

/** Lists the files that a figure cannot do without. @param {string} name of the figure */
export const neededBy = (name) => namesOf(FACTS[name].needs ?? []);

/** Returns files as a cell of Markdown. @param {string[]} names */
const cell = (names) => names.map((name) => `\`${name}.min.js\``).join(', ') || '–';

/** Returns the table in Markdown, with those figures that load anything. @param {...string} headings three */
export const fileTable = (...headings) =>
  [
    headings,
    headings.map(() => '---'),
    ...ELEMENTS.filter((name) => filesOf(name).length > 0).map((name) => [
      `\`<attn-${name}>\``,
      cell(neededBy(name)),
      cell(filesOf(name).filter((file) => !neededBy(name).includes(file))),
    ]),
  ]
    .map((row) => `| ${row.join(' | ')} |`)
    .join('\n');
