/** Results of a call as a whole: their shapes and numbers, and copies into them. */

/** @import { Tensor } from '../attention/tensor.js' */

/** @typedef {Record<string, Tensor | undefined>} Tensors */

/** Returns an object without some of its properties. @param {object | undefined} object @param {...string} names
 *  @returns {any} */
export const omit = (object, ...names) =>
  Object.fromEntries(Object.entries(object ?? {}).filter(([name]) => !names.includes(name)));

/** Counts the numbers of results. @param {Tensors} results */
export const numbersOf = (results) =>
  Object.values(results).reduce((sum, result) => sum + (result?.data.length ?? 0), 0);

/** Returns the shapes of results. @param {Tensors} results */
export const shapesOf = (results) =>
  Object.fromEntries(Object.entries(results).map(([name, result]) => [name, result?.shape]));

/** Copies whole results. @param {Tensors} results @param {any} value by the same names */
export function putAll(results, value) {
  for (const name of Object.keys(results)) results[name]?.data.set(value[name].data);
}
