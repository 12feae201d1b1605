// The shape of a case, and how it shows refusals and numbers as JSON. The files of this folder import nothing but
// one another, so that a browser loads them as they are.

/**
 * @typedef {typeof import('../../../web/attention/index.js')} Package
 * @typedef {typeof import('../../../web/attention/kernel/active.js')} Active
 * @typedef {typeof import('../../../web/language/index.js')} Language
 * @typedef {{ index: () => Promise<Package>, active: () => Promise<Active>,
 *   language: () => Promise<Language> }} Load
 */
/**
 * A case breaks something in its realm and returns everything that a caller sees; `seen` is that as JSON.
 * @typedef {{ run: (load: Load) => Promise<unknown>, seen: unknown }} Case
 */

/** Returns a value as of any type, for arguments of the wrong type. @param {unknown} value @returns {any} */
export const any = (value) => value;

/**
 * Returns the name and the message of the error that a call throws, without the engine's own words in brackets.
 * @param {() => unknown} call
 */
export function refusal(call) {
  try {
    call();
    return 'works';
  } catch (error) {
    const { name, message } = /** @type {Error} */ (error);
    return `${name}: ${message.replace(/ \([^]*\)/, '')}`;
  }
}

/** Returns the same of a promise. @param {Promise<unknown>} promise */
export const rejection = (promise) =>
  promise.then(
    () => 'works',
    (error) =>
      refusal(() => {
        throw error;
      }),
  );

/** Returns numbers as JSON can hold them. @param {{ data: Float32Array }} tensor */
export const written = ({ data }) => Array.from(data, (x) => (Object.is(x, -0) ? '-0' : String(x)));

/** @param {number} n @param {number} d @param {number} value */
export const filled = (n, d, value) => ({
  data: new Float32Array(n * d).fill(value),
  shape: [n, d],
});
