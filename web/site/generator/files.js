// Build step: the table of the recipes that says which files a figure loads.
import * as list from '../../assets/list.js';
import { ELEMENTS } from '../../build/paths.js';

/** @import { AssetGroup } from '../../figures/kit/element/facts.js' */

/** @type {Record<string, AssetGroup[]>} */
const GROUPS = Object.fromEntries(
  await Promise.all(
    ELEMENTS.map(async (name) => {
      const { facts } = await import(`../../figures/${name}/facts.js`);
      return [name, facts.assets ?? []];
    }),
  ),
);

/** What is loaded at once, and what only when it is asked for or an engine lacks WebAssembly. */
const AT_ONCE = ['MODELS', 'CURVES'];

/**
 * Lists the files that a figure loads, besides its script and `kernel-*.min.js`.
 * @param {string} name of the figure
 * @param {(group: string) => boolean} [isWanted]
 */
export const filesOf = (name, isWanted = () => true) =>
  GROUPS[name].filter(isWanted).flatMap((group) => Object.keys(list[group]));

/** Lists the files that a figure cannot do without. @param {string} name of the figure */
export const neededBy = (name) => filesOf(name, (group) => AT_ONCE.includes(group));

/** Returns files as a cell of Markdown. @param {string[]} names */
const cell = (names) => names.map((name) => `\`${name}.min.js\``).join(', ') || '–';

/** Returns the table in Markdown, with those figures that load anything. @param {...string} headings three */
export const fileTable = (...headings) =>
  [
    headings,
    headings.map(() => '---'),
    ...ELEMENTS.filter((name) => GROUPS[name].length > 0).map((name) => [
      `\`<attn-${name}>\``,
      cell(neededBy(name)),
      cell(filesOf(name, (group) => !AT_ONCE.includes(group))),
    ]),
  ]
    .map((row) => `| ${row.join(' | ')} |`)
    .join('\n');
