// The problems as lists of operations, which onnx.js and tflite.js write down in the formats of ONNX
// Runtime and LiteRT. Shapes are known, so every tensor has one.

import { addedTo } from '../problems.js';

/** @import { Problem } from '../problems.js' */

/**
 * @typedef {{ name: string, shape: number[], data?: Float32Array | Int32Array }} Value
 * @typedef {'matmul' | 'transpose' | 'softmax' | 'tanh' | 'add' | 'subtract' | 'multiply'
 *   | 'rowSum' | 'reshape'} Operator
 * @typedef {{ operator: Operator, inputs: Value[], output: Value }} Operation
 * @typedef {{ values: Value[], operations: Operation[], inputs: Value[], outputs: Value[] }} Graph
 */

class Builder {
  constructor() {
    /** @type {Graph} */
    this.graph = { values: [], operations: [], inputs: [], outputs: [] };
  }

  /**
   * @param {string} name
   * @param {number[]} shape
   * @param {Value['data']} [data] of a constant
   */
  value(name, shape, data) {
    const value = { name, shape, data };
    this.graph.values.push(value);
    return value;
  }

  /**
   * @param {Problem['inputs']} inputs
   * @returns {Record<string, Value>}
   */
  inputs(inputs) {
    const entries = Object.entries(inputs).map(([name, { shape }]) => {
      const input = this.value(name, shape);
      this.graph.inputs.push(input);
      return [name, input];
    });
    return Object.fromEntries(entries);
  }

  /** @param {number} number */
  scalar(number) {
    return this.value(`constant${this.graph.values.length}`, [1], Float32Array.of(number));
  }

  /**
   * @param {Operator} operator
   * @param {Value[]} inputs
   * @param {number[]} shape of the result
   */
  apply(operator, inputs, shape) {
    const output = this.value(`value${this.graph.values.length}`, shape);
    this.graph.operations.push({ operator, inputs, output });
    return output;
  }

  /** @param {Value} x */
  transpose(x) {
    const lead = x.shape.slice(0, -2);
    return this.apply('transpose', [x], [...lead, x.shape.at(-1) ?? 0, x.shape.at(-2) ?? 0]);
  }

  /** @param {Value} a @param {Value} b */
  matmul(a, b) {
    return this.apply('matmul', [a, b], [...a.shape.slice(0, -1), b.shape.at(-1) ?? 0]);
  }

  /** @param {'add' | 'subtract' | 'multiply'} operator @param {Value} a @param {Value} b */
  broadcast(operator, a, b) {
    const lengthen = (/** @type {number[]} */ shape) =>
      Array(Math.max(0, a.shape.length - shape.length)).fill(1).concat(shape); // prettier-ignore
    const [left, right] = [a.shape, lengthen(b.shape)];
    return this.apply(operator, [a, b], left.map((size, axis) => Math.max(size, right[axis]))); // prettier-ignore
  }

  /** @param {Value} x */
  softmax(x) {
    return this.apply('softmax', [x], x.shape);
  }

  /** @param {Value} x @param {number[]} shape */
  reshape(x, shape) {
    const target = this.value(`shape${this.graph.values.length}`, [shape.length], Int32Array.from(shape)); // prettier-ignore
    return this.apply('reshape', [x, target], shape);
  }

  /** @param {Value[]} outputs */
  finish(outputs) {
    this.graph.outputs = outputs;
    return this.graph;
  }
}

/** The tasks for which attention gives its weights, too. @type {readonly Problem['task'][]} */
export const WITH_WEIGHTS = ['weights', 'statistics'];

/**
 * Returns the graph of softmax(QKᵀ/√d + mask) V, and of that softmax for 'weights' and 'statistics'.
 * @param {Problem} problem
 */
function forwardGraph({ task, inputs, n, d, visible }) {
  const g = new Builder();
  const { query, key, value } = g.inputs(inputs);
  const scaled = g.broadcast('multiply', query, g.scalar(1 / Math.sqrt(d)));
  const scores = g.matmul(scaled, g.transpose(key));
  const weights = g.softmax(
    visible ? g.broadcast('add', scores, g.value('mask', [n, n], addedTo(visible))) : scores,
  );
  const output = g.matmul(weights, value);
  return g.finish(WITH_WEIGHTS.includes(task) ? [output, weights] : [output]);
}

/** Returns the graph of `attentionGradient`, forward pass included. @param {Problem} problem */
function gradientGraph({ inputs, d }) {
  const g = new Builder();
  const { query, key, value, dOutput } = g.inputs(inputs);
  const scale = g.scalar(1 / Math.sqrt(d));
  const scaled = g.broadcast('multiply', query, scale);
  const weights = g.softmax(g.matmul(scaled, g.transpose(key)));
  const dWeights = g.matmul(dOutput, g.transpose(value));
  const product = g.broadcast('multiply', weights, dWeights);
  const sums = g.apply('rowSum', [product], [...product.shape.slice(0, -1), 1]);
  const dScores = g.broadcast('multiply', weights, g.broadcast('subtract', dWeights, sums));
  return g.finish([
    g.broadcast('multiply', g.matmul(dScores, key), scale),
    g.matmul(g.transpose(dScores), scaled),
    g.matmul(g.transpose(weights), dOutput),
  ]);
}

/** Returns the graph of softmax(v · tanh(W q_i + U k_j)) V, each projection once. @param {Problem} problem */
function additiveGraph({ inputs, n, d }) {
  const g = new Builder();
  const { query, key, value, queryWeight, keyWeight, scoreWeight } = g.inputs(inputs);
  const queries = g.reshape(g.matmul(query, g.transpose(queryWeight)), [n, 1, d]);
  const keys = g.reshape(g.matmul(key, g.transpose(keyWeight)), [1, n, d]);
  const sums = g.broadcast('add', queries, keys);
  const units = g.reshape(g.apply('tanh', [sums], sums.shape), [n * n, d]);
  const scores = g.reshape(g.matmul(units, g.reshape(scoreWeight, [d, 1])), [n, n]);
  return g.finish([g.matmul(g.softmax(scores), value)]);
}

/** Returns the graph of the softmax of each row. @param {Problem} problem */
function softmaxGraph({ inputs }) {
  const g = new Builder();
  return g.finish([g.softmax(g.inputs(inputs).x)]);
}

/** The graph of each task. */
export const GRAPHS = {
  forward: forwardGraph,
  causal: forwardGraph,
  masked: forwardGraph,
  weights: forwardGraph,
  statistics: forwardGraph,
  gradient: gradientGraph,
  additive: additiveGraph,
  softmax: softmaxGraph,
};
