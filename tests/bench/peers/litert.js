// LiteRT.js on WebAssembly (XNNPACK), one thread. It runs in browsers only.
import { loadAndCompile, loadLiteRt, Tensor } from '@litertjs/core';

import { GRAPHS } from './graph.js';
import { encodeTflite } from './tflite.js';

/** @import { Call, Contender, Problem } from '../problems.js' */

/**
 * @param {{ litert?: string }} files where its WebAssembly is served
 * @returns {Promise<Contender>}
 */
export async function openLiteRt({ litert }) {
  await loadLiteRt(litert);
  return { name: 'LiteRT', prepare };
}

/**
 * @param {Problem} problem
 * @returns {Promise<Call>}
 */
async function prepare({ inputs, ...problem }) {
  const graph = GRAPHS[problem.task]({ inputs, ...problem });
  const model = await loadAndCompile(encodeTflite(graph), { accelerator: 'wasm' });
  if (!model.isFullyAccelerated) throw new Error('LiteRT: the model is not fully accelerated');
  return async () => {
    const tensors = Object.values(inputs).map(({ data, shape }) => new Tensor(data, shape));
    const outputs = await model.run(tensors);
    const results = outputs.map((/** @type {any} */ output) => output.toTypedArray());
    for (const tensor of [...tensors, ...outputs]) tensor.delete();
    return results;
  };
}
