// ruvector-attention-wasm: one query a call, and with each call all keys and values as arrays of numbers,
// which are faster there than typed arrays.
import { initSync, scaled_dot_attention } from 'ruvector-attention-wasm';

/** @import { Call, Contender, Problem } from '../problems.js' */

/** Pairs of a query and a key beyond which a call takes more than five seconds. */
const MOST_PAIRS = 512 ** 2;

/**
 * @param {{ ruvector?: string }} files where its WebAssembly is served; undefined in Node
 * @returns {Promise<Contender>}
 */
export async function openRuvector({ ruvector }) {
  initSync({ module: await readModule(ruvector) });
  return { name: 'ruvector-attention-wasm', prepare };
}

/**
 * @param {string | undefined} folder
 * @returns {Promise<ArrayBuffer | Uint8Array>}
 */
async function readModule(folder) {
  const name = 'ruvector_attention_wasm_bg.wasm';
  if (folder) return (await fetch(folder + name)).arrayBuffer();
  const { readFile } = await import('node:fs/promises');
  return readFile(new URL(name, import.meta.resolve('ruvector-attention-wasm')));
}

/**
 * @param {Problem} problem
 * @returns {Call}
 */
function prepare({ task, heads, n, d, inputs }) {
  if (task !== 'forward' || heads > 1) throw new Error(`ruvector: computes one head's output only`);
  if (n * n > MOST_PAIRS)
    throw new Error(`ruvector: ${n} queries would take more than five seconds`);
  const { query, key, value } = inputs;
  return () => {
    const output = new Float32Array(n * d);
    const [keys, values] = [key, value].map(({ data }) => rowsOf(data, n, d));
    for (let i = 0; i < n; i++) {
      const row = query.data.subarray(i * d, (i + 1) * d);
      output.set(scaled_dot_attention(row, keys, values, 1 / Math.sqrt(d)), i * d);
    }
    return [output];
  };
}

/** @param {Float32Array} data @param {number} n @param {number} d @returns {number[][]} */
const rowsOf = (data, n, d) =>
  Array.from({ length: n }, (_, i) => [...data.subarray(i * d, (i + 1) * d)]);
