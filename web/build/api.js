// Build step: the reference of the package, from its docstrings to the pages en/api and zh/api.
import { fileURLToPath } from 'node:url';
import { examplesModule, examplesOf, runExamples } from './api-examples.js';
import { gapsOf, openSources } from './api-read.js';

const WEB = fileURLToPath(new URL('..', import.meta.url));
const STAND_IN = 'page/reference-examples.js';

/** The entries of the package, and whether each function of it has to show an example. */
const INDEXES = [
  { path: 'attention/index.js', example: true },
  { path: 'theory/index.js', example: false },
  { path: 'experiments/index.js', example: false },
];

/**
 * Reads all docstrings and runs their examples.
 * @returns {Promise<import('./api-page.js').Reference & { examplesModule: string }>}
 */
export async function readReference() {
  const sources = openSources(WEB);
  /** @type {string[]} */
  const gaps = [];
  const entries = INDEXES.flatMap(({ path, example }) => {
    const found = sources.entries(path);
    for (const entry of found) {
      gaps.push(...gapsOf(entry, { example }).map((gap) => `${entry.file}: ${entry.name} ${gap}`));
    }
    return found;
  });
  if (gaps.length > 0) throw new Error(`the reference has gaps:\n  ${gaps.join('\n  ')}`);
  const programs = new Map(entries.map((entry) => [entry, examplesOf(entry)]));
  const all = [...programs.values()].flat();
  const outputs = await runExamples(all);
  const shown = (/** @type {import('./api-examples.js').Example[]} */ examples) =>
    examples.map((example) => ({ example, output: outputs.get(example.name) ?? '' }));
  return {
    entries,
    header: sources.header,
    examples: new Map([...programs].map(([entry, examples]) => [entry, shown(examples)])),
    examplesModule: examplesModule(all),
  };
}

/**
 * Gives the pages their examples as a module.
 * @param {string} source
 * @returns {import('vite').Plugin}
 */
export const examplesPlugin = (source) => ({
  name: 'reference-examples',
  load: (id) => (id.endsWith(STAND_IN) ? source : undefined),
});
