// Build step: the examples of the docstrings as programs. An example is a few statements; the value
// of each expression with a comment behind it is printed:
//   softmax([1, 2, 3]).data; // Float32Array [0.0900, 0.2447, 0.6652]
// They run in Node when the page is built, and in the reader's browser from a module written here.
import { parseSync } from 'vite';
import * as attentionLab from '../attention/index.js';
import { showValue } from '../page/show-value.js';

/**
 * @typedef {object} Example
 * @property {string} name unique on the page
 * @property {string} source as a reader would write it: with its import
 * @property {string} program the statements, with calls of `print`
 */

const PACKAGE = 'attention-lab';
const AsyncFunction = /** @type {FunctionConstructor} */ ((async () => {}).constructor);

/**
 * @param {import('./api-read.js').Entry} entry
 * @returns {Example[]}
 */
export function examplesOf({ name, examples }) {
  return examples.map((text, i) => {
    const program = printing(name, text);
    const used = Object.keys(attentionLab).filter((each) =>
      new RegExp(`(?<![.\\w])${each}\\(`).test(text),
    );
    const source = `import { ${used.join(', ')} } from '${PACKAGE}';\n\n${text}`;
    return { name: i === 0 ? name : `${name}-${i + 1}`, source, program };
  });
}

/**
 * The text with each commented expression inside a call of `print`.
 * @param {string} name
 * @param {string} text
 * @returns {string}
 */
function printing(name, text) {
  const { program, errors } = parseSync('example.mjs', text);
  if (errors.length > 0) throw new Error(`the example of ${name}: ${errors[0].message}`);
  const shown = program.body.filter(
    ({ type, end }) => type === 'ExpressionStatement' && /^ *\/\/ /.test(text.slice(end)),
  );
  if (shown.length === 0) throw new Error(`the example of ${name} shows no value`);
  return shown.reduceRight((rest, statement) => {
    const { start, end } = /** @type {any} */ (statement).expression;
    return `${rest.slice(0, start)}print(${rest.slice(start, end)})${rest.slice(end)}`;
  }, text);
}

/**
 * What each example prints in Node, one line a value.
 * @param {Example[]} examples
 * @returns {Promise<Map<string, string>>} by name
 */
export async function runExamples(examples) {
  const [names, values] = [Object.keys(attentionLab), Object.values(attentionLab)];
  const backend = await attentionLab.init();
  const outputs = new Map();
  for (const { name, program } of examples) {
    /** @type {string[]} */
    const lines = [];
    const print = (/** @type {unknown} */ value) => lines.push(showValue(value));
    await attentionLab.init({ backend }); // an example may have chosen another one
    await new AsyncFunction('print', ...names, program)(print, ...values);
    outputs.set(name, lines.join('\n'));
  }
  return outputs;
}

/**
 * The module that stands for web/page/reference-examples.js.
 * @param {Example[]} examples
 * @returns {string}
 */
export function examplesModule(examples) {
  const functions = examples.map(
    ({ name, program }) => `${JSON.stringify(name)}: async (print) => {\n${program}\n},`,
  );
  return `import { ${Object.keys(attentionLab).join(', ')} } from '${PACKAGE}';
export const examples = {\n${functions.join('\n')}\n};`;
}
