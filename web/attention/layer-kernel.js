/**
 * Runs a multi-head layer on the kernel: the linear maps of linear.js and the attention of
 * attention-kernel.js, one after the other.
 */
import { attendHeads, differentiateHeads } from './attention-kernel.js';
import { computeLinear, differentiateLinear } from './linear.js';
import { allocate } from './results.js';

/**
 * @import { Inputs } from './heads.js'
 * @import { Kernel } from './kernel/active.js'
 * @import { Layer, Part } from './layer.js'
 * @import { LayerResults, MultiHeadGradients } from './multihead.js'
 * @import { Settings } from './settings.js'
 * @import { Tensor } from './tensor.js'
 */

/** Returns the name of a gradient, dQueryWeight and so on. @param {Part} part @param {'Weight' | 'Bias'} kind */
export const nameOf = (part, kind) =>
  /** @type {'dQueryWeight'} */ (`d${part[0].toUpperCase()}${part.slice(1)}${kind}`);

/**
 * Computes the results of a layer.
 *
 * @param {Kernel} kernel
 * @param {Layer} layer
 * @param {Settings<string>} settings
 * @param {LayerResults} results filled
 */
export function computeLayer(kernel, layer, settings, results) {
  const inputs = projectInputs(kernel, layer, results);
  const concatenated = attend(kernel, inputs, settings, results);
  results.concatenated?.data.set(concatenated);
  project(kernel, layer, 'output', concatenated, results.output);
}

/**
 * Projects x and the context, and splits the projections into heads.
 *
 * @param {Kernel} kernel
 * @param {Layer} layer
 * @param {Partial<LayerResults>} [results] the projections among them are filled
 * @returns {Inputs}
 */
function projectInputs(kernel, layer, results = {}) {
  const { x, context, sizes } = layer;
  const { heads, kvHeads, nQ, nK, dK, dV } = sizes;
  const query = project(kernel, layer, 'query', x.data, results.query);
  const key = project(kernel, layer, 'key', context.data, results.key);
  const value = project(kernel, layer, 'value', context.data, results.value);
  return {
    ...sizes,
    query: swapAxes(kernel, query, nQ, heads, dK),
    key: swapAxes(kernel, key, nK, kvHeads, dK),
    value: swapAxes(kernel, value, nK, kvHeads, dV),
  };
}

/**
 * Projects rows.
 *
 * @param {Kernel} kernel
 * @param {Layer} layer
 * @param {Part} part
 * @param {Float32Array} x [rows, dIn]
 * @param {Tensor} [output] filled; a fresh one by default
 * @returns {Float32Array} [rows, dOut]
 */
function project(kernel, { projections }, part, x, output) {
  const { rows, dOut } = projections[part];
  const y = output ?? zeros(kernel, [rows, dOut]);
  kernel.within(() => computeLinear(kernel, { x, ...projections[part] }, { output: y }));
  return y.data;
}

/**
 * Attends in all heads and puts their outputs side by side.
 *
 * @param {Kernel} kernel
 * @param {Inputs} inputs
 * @param {Settings<string>} settings
 * @param {Partial<LayerResults>} results their weights and meanWeights are filled
 * @returns {Float32Array} [batch, nQ, heads · dV]
 */
function attend(kernel, inputs, settings, { weights, meanWeights }) {
  const { batch, heads, nQ, dV } = inputs;
  const output = zeros(kernel, [batch, heads, nQ, dV]);
  const wanted = { output, weights, meanWeights };
  kernel.within(() => attendHeads(kernel, inputs, settings, wanted));
  return swapAxes(kernel, output.data, heads, nQ, dV);
}

/**
 * Computes the gradients of a layer: from the output back to the projections, through a forward pass
 * that the weights of the output need, and from these to the inputs.
 *
 * @param {Kernel} kernel
 * @param {Layer} layer
 * @param {Settings<string>} settings
 * @param {Float32Array} upstream ∂L/∂output
 * @param {MultiHeadGradients} gradients zero throughout; filled, but for dSink
 * @returns {Float64Array} ∂L/∂sink of each head of the batch
 */
export function differentiateLayer(kernel, layer, settings, upstream, gradients) {
  const { x, context, sizes } = layer;
  const { batch, heads, kvHeads, nQ, nK, dK, dV } = sizes;
  const inputs = projectInputs(kernel, layer);
  const concatenated = attend(kernel, inputs, settings, {});
  const dConcatenated = differentiate(kernel, layer, 'output', concatenated, upstream, gradients);
  const dHeads = swapAxes(kernel, dConcatenated, nQ, heads, dV);
  const dQuery = zeros(kernel, [batch, heads, nQ, dK]);
  const dKey = zeros(kernel, [batch, kvHeads, nK, dK]);
  const dValue = zeros(kernel, [batch, kvHeads, nK, dV]);
  const { dSinks } = kernel.within(() =>
    differentiateHeads(kernel, inputs, dHeads, settings, { dQuery, dKey, dValue }),
  );
  const dContext = gradients.dContext ?? gradients.dX;
  /** @type {[part: Part, source: Tensor, dHeads: Tensor, dSource: Tensor][]} */
  const steps = [
    ['query', x, dQuery, gradients.dX],
    ['key', context, dKey, dContext],
    ['value', context, dValue, dContext],
  ];
  for (const [part, source, { data, shape }, dSource] of steps) {
    const dY = swapAxes(kernel, data, shape[1], shape[2], shape[3]);
    const rows = activeRows(source.data, dY, layer.projections[part]);
    const dRows = differentiate(kernel, layer, part, rows, dY, gradients);
    dRows.forEach((d, i) => (dSource.data[i] += d));
  }
  return dSinks;
}

/**
 * Differentiates a projection.
 *
 * @param {Kernel} kernel
 * @param {Layer} layer
 * @param {Part} part
 * @param {Float32Array} x [rows, dIn]
 * @param {Float32Array} dOutput [rows, dOut]
 * @param {MultiHeadGradients} gradients those of weight and bias are filled
 * @returns {Float32Array} ∂L/∂x
 */
function differentiate(kernel, { projections }, part, x, dOutput, gradients) {
  const { rows, dIn } = projections[part];
  const dX = zeros(kernel, [rows, dIn]);
  const dWeight = gradients[nameOf(part, 'Weight')];
  const dBias = gradients[nameOf(part, 'Bias')];
  const data = { x, dOutput, ...projections[part] };
  kernel.within(() => differentiateLinear(kernel, data, { dX, dWeight, dBias }));
  return dX.data;
}

/**
 * Returns x with zeros in rows that nothing attends to, where dY is 0: their gradients are 0 even if
 * entries of x are not finite.
 *
 * @param {Float32Array} x [rows, dIn]
 * @param {Float32Array} dY [rows, dOut]
 * @param {{ rows: number, dIn: number, dOut: number }} sizes
 * @returns {Float32Array}
 */
function activeRows(x, dY, { rows, dIn, dOut }) {
  const active = x.slice();
  for (let row = 0; row < rows; row++) {
    const isIdle = dY.subarray(row * dOut, (row + 1) * dOut).every((d) => d === 0);
    if (isIdle) active.fill(0, row * dIn, (row + 1) * dIn);
  }
  return active;
}

/**
 * Swaps two axes, between the order of projections [n, heads, d] and that of attention [heads, n, d].
 *
 * @param {Kernel} kernel
 * @param {Float32Array} x [batch, a, b, d]
 * @param {number} a
 * @param {number} b
 * @param {number} d
 * @returns {Float32Array} [batch, b, a, d]
 */
function swapAxes(kernel, x, a, b, d) {
  const y = allocate(kernel.caller, [x.length]);
  for (let item = 0; item < x.length; item += a * b * d) {
    for (let i = 0; i < a; i++) {
      for (let j = 0; j < b; j++) {
        const [from, to] = [item + (i * b + j) * d, item + (j * a + i) * d];
        for (let c = 0; c < d; c++) y[to + c] = x[from + c];
      }
    }
  }
  return y;
}

/** Makes a tensor for an intermediate result. @param {Kernel} kernel @param {number[]} shape @returns {Tensor} */
const zeros = (kernel, shape) => ({ data: allocate(kernel.caller, shape), shape });
