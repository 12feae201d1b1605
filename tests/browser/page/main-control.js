// The main control of a figure, as embeds and links set it.
import { attributeName } from '../../../web/figures/kit/state/state.js';

/**
 * Returns the main control of a figure, and a value that it does not have from the start.
 * @param {string} name
 * @returns {Promise<{ key: string, attribute: string, value: string | number }>}
 */
export async function mainControl(name) {
  const { spec } = await import(`../../../web/figures/${name}/element.js`);
  const keys = Object.keys(spec.fields);
  const key = keys.find((field) => spec.fields[field].slider) ?? keys[0];
  const { min, options, parse } = spec.fields[key];
  return { key, attribute: attributeName(key), value: parse(min ?? options.at(-1)) };
}
