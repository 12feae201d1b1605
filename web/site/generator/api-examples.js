// Build step: the examples of the docstrings as programs. An example is a few statements; the value of
// each one-line expression with a comment behind it is printed:
//   softmax([1, 2, 3]).data; // Float32Array [0.0900, 0.2447, 0.6652]
// They run in Node when the page is built, and in the reader's browser from a module written here.
import * as attentionLab from '../../attention/index.js';
import * as files from '../../inspector/reading/index.js';
import * as language from '../../language/index.js';
import * as parallel from '../../parallel/index.js';
import { showValue } from '../scripts/show-value.js';

/** @typedef {{ name: string, source: string, program: string, output: string }} Example */

/** What examples may call, by the entry that has it. */
const ENTRIES = {
  'attention-lab': attentionLab,
  'attention-lab/parallel': parallel,
  'attention-lab/files': files,
  'attention-lab/language': language,
};
const EXPORTS = Object.assign({}, ...Object.values(ENTRIES));
const AsyncFunction = /** @type {FunctionConstructor} */ ((async () => {}).constructor);

/**
 * Runs the example of a function.
 * @param {string} name of the function
 * @param {string} text
 * @returns {Promise<Example>} its source as a reader would write it, with an import; the statements with
 *   calls of `print`; and the output, one line a value
 */
export async function runExample(name, text) {
  const program = text.replace(/^(?!const |let )(\S.*); (\/\/ .*)$/gm, 'print($1); $2');
  if (program === text) throw new Error(`the example of ${name} shows no value`);
  const isUsed = (/** @type {string} */ each) => new RegExp(`(?<![.\\w])${each}\\(`).test(text);
  const source = `${importsOf(isUsed)}\n${text}`;
  /** @type {string[]} */
  const lines = [];
  const print = (/** @type {unknown} */ value) => lines.push(showValue(value));
  const backend = await attentionLab.init();
  try {
    const names = Object.keys(EXPORTS);
    await new AsyncFunction('print', ...names, program)(print, ...Object.values(EXPORTS));
  } catch (error) {
    throw new Error(`the example of ${name} fails`, { cause: error });
  }
  await attentionLab.init({ backend }); // the example may have chosen another one
  return { name, source, program, output: lines.join('\n') };
}

/** Returns the imports of some exports. @param {(name: string) => boolean} isWanted */
function importsOf(isWanted) {
  const lines = Object.entries(ENTRIES).map(([entry, exported]) => {
    const names = Object.keys(exported).filter(isWanted);
    return names.length > 0 ? `import { ${names.join(', ')} } from '${entry}';\n` : '';
  });
  return lines.join('');
}

/** Returns the module that stands for web/site/scripts/reference-examples.js. @param {Example[]} examples */
export function examplesModule(examples) {
  const functions = examples.map(
    ({ name, program }) => `'${name}': async (print) => {\n${program}\n},`,
  );
  return `${importsOf(() => true)}export const examples = {\n${functions.join('\n')}\n};`;
}
