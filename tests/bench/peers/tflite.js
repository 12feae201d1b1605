// A graph as a LiteRT model: the tables of tensorflow/lite/schema/schema.fbs that it needs, each
// named here with its fields by number.
import { Builder } from 'flatbuffers';

/** @import { Graph, Operation, Value } from './graph.js' */

const [FLOAT32, INT32] = [0, 2]; // TensorType

/** BuiltinOperator, and the member of the union BuiltinOptions that goes with it (0: none). */
const OPERATORS = {
  matmul: { code: 126, options: 101 },
  transpose: { code: 39, options: 26 },
  softmax: { code: 25, options: 9 },
  tanh: { code: 28, options: 0 },
  add: { code: 0, options: 11 },
  subtract: { code: 41, options: 28 },
  multiply: { code: 18, options: 21 },
  rowSum: { code: 74, options: 27 },
  reshape: { code: 22, options: 0 },
};
const NAMES = /** @type {(keyof typeof OPERATORS)[]} */ (Object.keys(OPERATORS));

/**
 * @typedef {{ kind: 'offset' | 'int' | 'float' | 'byte', value: number }} Field
 * @type {Record<Field['kind'], (value: number) => Field>}
 */
const as = {
  offset: (value) => ({ kind: 'offset', value }),
  int: (value) => ({ kind: 'int', value }),
  float: (value) => ({ kind: 'float', value }),
  byte: (value) => ({ kind: 'byte', value }),
};

class Writer {
  constructor() {
    this.builder = new Builder(1024);
  }

  /** @param {Record<number, Field>} fields by number */
  table(fields) {
    const { builder } = this;
    builder.startObject(1 + Math.max(-1, ...Object.keys(fields).map(Number)));
    for (const [key, { kind, value }] of Object.entries(fields)) {
      const number = Number(key);
      if (kind === 'offset') builder.addFieldOffset(number, value, 0);
      else if (kind === 'int') builder.addFieldInt32(number, value, 0);
      else if (kind === 'float') builder.addFieldFloat32(number, value, 0);
      else builder.addFieldInt8(number, value, 0);
    }
    return as.offset(builder.endObject());
  }

  /** @param {number[]} numbers */
  ints(numbers) {
    this.builder.startVector(4, numbers.length, 4);
    for (const number of numbers.toReversed()) this.builder.addInt32(number);
    return as.offset(this.builder.endVector());
  }

  /** @param {Field[]} tables */
  vector(tables) {
    this.builder.startVector(4, tables.length, 4);
    for (const { value } of tables.toReversed()) this.builder.addOffset(value);
    return as.offset(this.builder.endVector());
  }

  /** @param {Uint8Array} data aligned to 16, as the schema requires */
  bytes(data) {
    this.builder.startVector(1, data.length, 16);
    for (const byte of data.toReversed()) this.builder.addInt8(byte);
    return as.offset(this.builder.endVector());
  }

  /** @param {string} text */
  string(text) {
    return as.offset(this.builder.createString(text));
  }
}

/** @param {Graph} graph @returns {Uint8Array} */
export function encodeTflite(graph) {
  const fused = withAxes(withoutTransposedKeys(graph));
  const w = new Writer();
  const operatorCodes = NAMES.map((name) => writeOperatorCode(w, OPERATORS[name].code));
  const { values } = fused;
  const constants = values.filter(({ data }) => data);
  const buffers = [w.table({}), ...constants.map(({ data }) => writeBuffer(w, data))];
  const tensors = values.map((value) => writeTensor(w, value, constants.indexOf(value) + 1));
  const operators = fused.operations.map((operation) => writeOperator(w, operation, values));
  const indices = (/** @type {Value[]} */ some) =>
    w.ints(some.map((value) => values.indexOf(value)));
  const subgraph = w.table({
    0: w.vector(tensors),
    1: indices(fused.inputs),
    2: indices(fused.outputs),
    3: w.vector(operators),
  });
  const model = w.table({
    0: as.int(3), // version of the schema
    1: w.vector(operatorCodes),
    2: w.vector([subgraph]),
    4: w.vector(buffers),
  });
  w.builder.finish(model.value, 'TFL3');
  return w.builder.asUint8Array();
}

/**
 * @typedef {Operation & { transposed?: boolean }} FusedOperation
 * @typedef {Omit<Graph, 'operations'> & { operations: FusedOperation[] }} FusedGraph
 */

/**
 * Removes transposes of keys: BATCH_MATMUL can take its second factor transposed, which is faster.
 * @param {Graph} graph
 * @returns {FusedGraph}
 */
function withoutTransposedKeys(graph) {
  const transposed = new Map(
    graph.operations
      .filter(({ operator }) => operator === 'transpose')
      .map(({ inputs, output }) => [output, inputs[0]]),
  );
  const operations = graph.operations.map((operation) => {
    const [a, b] = operation.inputs;
    const source = operation.operator === 'matmul' ? transposed.get(b) : undefined;
    return source ? { ...operation, inputs: [a, source], transposed: true } : operation;
  });
  const used = new Set(operations.flatMap(({ inputs }) => inputs));
  return {
    ...graph,
    operations: operations.filter(({ output }) => used.has(output) || graph.outputs.includes(output)),
  }; // prettier-ignore
}

/** Gives sums and transposes their axes as an input. @param {FusedGraph} graph @returns {FusedGraph} */
function withAxes(graph) {
  const values = [...graph.values];
  const operations = graph.operations.map((operation) => {
    const axes = axesOf(operation);
    if (!axes) return operation;
    const name = `axes${values.length}`;
    const value = { name, shape: [axes.length], data: Int32Array.from(axes) };
    values.push(value);
    return { ...operation, inputs: [...operation.inputs, value] };
  });
  return { ...graph, values, operations };
}

/** @param {Operation} operation @returns {number[] | undefined} */
function axesOf({ operator, output }) {
  const rank = output.shape.length;
  const lead = Array.from({ length: rank - 2 }, (_, axis) => axis);
  if (operator === 'rowSum') return [rank - 1];
  return operator === 'transpose' ? [...lead, rank - 1, rank - 2] : undefined;
}

/** @param {Writer} w @param {number} code */
const writeOperatorCode = (w, code) =>
  w.table({ 0: as.byte(Math.min(code, 127)), 2: as.int(1), 3: as.int(code) });

/** @param {Writer} w @param {Value['data']} data */
const writeBuffer = (w, data) =>
  w.table({ 0: w.bytes(new Uint8Array(/** @type {Float32Array} */ (data).slice().buffer)) });

/** @param {Writer} w @param {Value} value @param {number} buffer its number, 0 without data */
function writeTensor(w, { name, shape, data }, buffer) {
  const type = data instanceof Int32Array ? INT32 : FLOAT32;
  return w.table({ 0: w.ints(shape), 1: as.byte(type), 2: as.int(buffer), 3: w.string(name) });
}

/**
 * @param {Writer} w
 * @param {FusedOperation} operation
 * @param {Value[]} values
 */
function writeOperator(w, { operator, inputs, output, transposed }, values) {
  const { options } = OPERATORS[operator];
  /** @type {Record<number, Field>} */
  const fields = {
    0: as.int(NAMES.indexOf(operator)),
    1: w.ints(inputs.map((value) => values.indexOf(value))),
    2: w.ints([values.indexOf(output)]),
  };
  if (options) {
    fields[3] = as.byte(options);
    fields[4] = writeOptions(w, operator, transposed);
  }
  return w.table(fields);
}

/** @param {Writer} w @param {Operation['operator']} operator @param {boolean} [transposed] */
function writeOptions(w, operator, transposed) {
  if (operator === 'softmax') return w.table({ 0: as.float(1) }); // beta
  if (operator === 'rowSum') return w.table({ 0: as.byte(1) }); // keep_dims
  if (operator === 'matmul') return w.table({ 1: as.byte(transposed ? 1 : 0) }); // adj_y
  return w.table({});
}
