// Tools of the cases: refusals in words, numbers as JSON, broken memory. The files of this folder import
// nothing but one another, so that a browser loads them as they are.

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

/** Returns the memory of the shared kernel. @param {Load} load @returns {Promise<WebAssembly.Memory>} */
export async function memoryOf(load) {
  const { run } = await load.active();
  return run('test', (kernel) => any(kernel.current().memory));
}

/** Returns numbers as JSON can hold them. @param {{ data: Float32Array }} tensor */
export const written = ({ data }) => Array.from(data, (x) => (Object.is(x, -0) ? '-0' : String(x)));

/** @param {number} n @param {number} d @param {number} value */
export const filled = (n, d, value) => ({
  data: new Float32Array(n * d).fill(value),
  shape: [n, d],
});

/** Returns a typed array of another realm: of another frame, or of another context in Node. */
export async function foreignFloats() {
  if (!globalThis.document) {
    const { runInNewContext } = await import(/** @type {string} */ ('node:vm'));
    return runInNewContext('Float32Array.of(1, 2)');
  }
  const frame = document.body.appendChild(document.createElement('iframe'));
  return any(frame.contentWindow).Float32Array.of(1, 2);
}

/**
 * Makes the `nth` allocation from now on fail, and with `forever` all that follow: growth of the kernel's memory,
 * and typed arrays that allocate. The function that it returns undoes this, and returns whether one has failed.
 * @param {number} nth
 * @param {boolean} forever
 */
export function failAllocation(nth, forever) {
  let count = 0;
  const fails = () => {
    count += 1;
    return forever ? count >= nth : count === nth;
  };
  const { grow } = WebAssembly.Memory.prototype;
  WebAssembly.Memory.prototype.grow = function (pages) {
    if (fails()) throw new RangeError('injected');
    return grow.call(this, pages);
  };
  const arrays = { Float32Array, Uint8Array };
  for (const [name, Real] of Object.entries(arrays)) {
    const construct = (/** @type {any} */ target, /** @type {any[]} */ args) => {
      if (!isBuffer(args[0]) && fails()) throw new RangeError('injected');
      return Reflect.construct(target, args);
    };
    any(globalThis)[name] = new Proxy(Real, { construct });
  }
  return () => {
    WebAssembly.Memory.prototype.grow = grow;
    Object.assign(globalThis, arrays);
    return count >= nth;
  };
}

/** @param {unknown} value */
const isBuffer = (value) => /ArrayBuffer\]$/.test(Object.prototype.toString.call(value));
