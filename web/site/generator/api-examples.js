// Build step: the examples of the docstrings as programs. An example is a few statements; the value of
// each one-line expression with a comment behind it is printed:
//   softmax([1, 2, 3]).data; // Float32Array [0.0900, 0.2447, 0.6652]
// They run in Node when the page is built, and in the reader's browser from a module written here.
import * as attentionLab from '../../attention/index.js';
import { showValue } from '../scripts/show-value.js';

/** @typedef {{ name: string, source: string, program: string, output: string }} Example */

const NAMES = Object.keys(attentionLab);
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
  const used = NAMES.filter((each) => new RegExp(`(?<![.\\w])${each}\\(`).test(text));
  const source = `import { ${used.join(', ')} } from 'attention-lab';\n\n${text}`;
  /** @type {string[]} */
  const lines = [];
  const print = (/** @type {unknown} */ value) => lines.push(showValue(value));
  const backend = await attentionLab.init();
  try {
    await new AsyncFunction('print', ...NAMES, program)(print, ...Object.values(attentionLab));
  } catch (error) {
    throw new Error(`the example of ${name} fails`, { cause: error });
  }
  await attentionLab.init({ backend }); // the example may have chosen another one
  return { name, source, program, output: lines.join('\n') };
}

/** Returns the module that stands for web/site/scripts/reference-examples.js. @param {Example[]} examples */
export function examplesModule(examples) {
  const functions = examples.map(
    ({ name, program }) => `'${name}': async (print) => {\n${program}\n},`,
  );
  return `import { ${NAMES.join(', ')} } from 'attention-lab';
export const examples = {\n${functions.join('\n')}\n};`;
}
