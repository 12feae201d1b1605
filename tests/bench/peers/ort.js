// ONNX Runtime Web on WebAssembly, one thread, as three contenders: ONNX's operator Attention, the
// graph of MatMul and Softmax, and ONNX Runtime's own GroupQueryAttention. Every run copies inputs in and results out.
import * as ort from 'onnxruntime-web/wasm';

import { GRAPHS } from './graph.js';
import { encodeOnnx, encodeOnnxAttention, encodeOnnxGroupQuery } from './onnx.js';

/** @import { Call, Contender, Problem } from '../problems.js' */

/** @param {string | undefined} files address of the library's files; undefined where it finds them */
function configure(files) {
  ort.env.wasm.numThreads = 1;
  if (files) ort.env.wasm.wasmPaths = files;
}

/**
 * @param {{ ort?: string }} files
 * @returns {Promise<Contender>}
 */
export async function openOrt({ ort: files }) {
  configure(files);
  return {
    name: 'ORT MatMul',
    prepare: (problem) => openSession(encodeOnnx(GRAPHS[problem.task](problem)), problem.inputs),
  };
}

/**
 * @param {{ ort?: string }} files
 * @returns {Promise<Contender>} for attention only
 */
export async function openOrtAttention({ ort: files }) {
  configure(files);
  return {
    name: 'ORT Attention',
    prepare(problem) {
      if (!['forward', 'causal', 'masked', 'weights', 'statistics'].includes(problem.task)) {
        throw new Error(`ONNX's Attention does not compute ${problem.task}`);
      }
      const batched = Object.entries(problem.inputs).map(
        ([name, { data, shape }]) => [name, { data, shape: [1, ...shape] }], // prettier-ignore
      );
      return openSession(encodeOnnxAttention(problem), Object.fromEntries(batched));
    },
  };
}

/**
 * @param {{ ort?: string }} files
 * @returns {Promise<Contender>} for 'causal' only
 */
export async function openOrtGroupQuery({ ort: files }) {
  configure(files);
  return {
    name: 'ORT GroupQueryAttention',
    prepare(problem) {
      if (problem.task !== 'causal' || problem.heads !== 1) {
        throw new Error('the model of GroupQueryAttention is causal with one head');
      }
      return openSession(encodeOnnxGroupQuery(problem), problem.inputs);
    },
  };
}

/**
 * @param {Uint8Array} model
 * @param {Problem['inputs']} inputs
 * @returns {Promise<Call>}
 */
async function openSession(model, inputs) {
  const session = await ort.InferenceSession.create(model, { executionProviders: ['wasm'] });
  const named = Object.entries(inputs);
  return async () => {
    const feeds = named.map(([name, { data, shape }]) => [name, new ort.Tensor('float32', data, shape)]);
    const results = await session.run(Object.fromEntries(feeds));
    return session.outputNames.map((/** @type {string} */ name) => /** @type {any} */ (results[name]).data);
  }; // prettier-ignore
}
