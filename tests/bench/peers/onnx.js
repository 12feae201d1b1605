// A graph as an ONNX model (https://onnx.ai/onnx/repo-docs/IR.html), of the messages of onnx.proto
// that it needs.
import protobuf from 'protobufjs';
import { addedTo } from '../problems.js';
import { WITH_WEIGHTS } from './graph.js';

/**
 * @import { Problem } from '../problems.js'
 * @import { Graph, Operation, Value } from './graph.js'
 */

const { root } = protobuf.parse(`
  syntax = "proto3";
  message ModelProto {
    int64 ir_version = 1; GraphProto graph = 7; repeated OperatorSetIdProto opset_import = 8;
  }
  message OperatorSetIdProto { string domain = 1; int64 version = 2; }
  message GraphProto {
    repeated NodeProto node = 1; string name = 2; repeated TensorProto initializer = 5;
    repeated ValueInfoProto input = 11; repeated ValueInfoProto output = 12;
  }
  message NodeProto {
    repeated string input = 1; repeated string output = 2; string op_type = 4; string domain = 7;
    repeated AttributeProto attribute = 5;
  }
  message AttributeProto { string name = 1; int64 i = 3; repeated int64 ints = 8; int32 type = 20; }
  message TensorProto {
    repeated int64 dims = 1; int32 data_type = 2; string name = 8; bytes raw_data = 9;
  }
  message ValueInfoProto { string name = 1; TypeProto type = 2; }
  message TypeProto { Tensor tensor_type = 1; message Tensor { int32 elem_type = 1; Shape shape = 2; } }
  message Shape { repeated Dimension dim = 1; }
  message Dimension { int64 dim_value = 1; }`, { keepCase: true }); // prettier-ignore
const Model = root.lookupType('ModelProto');

const OPSET = 23; // the first that has Attention
const IR_VERSION = 11;
const CONTRIBUTED = 'com.microsoft'; // the domain of operators that are ONNX Runtime's alone
const MATRICES = ['query', 'key', 'value'];
const [FLOAT, INT32, INT64] = [1, 6, 7]; // TensorProto.DataType
const [INT, INTS] = [2, 7]; // AttributeProto.AttributeType

const OPERATORS = {
  matmul: 'MatMul',
  transpose: 'Transpose',
  softmax: 'Softmax',
  tanh: 'Tanh',
  add: 'Add',
  subtract: 'Sub',
  multiply: 'Mul',
  rowSum: 'ReduceSum',
  reshape: 'Reshape',
};

/** @param {Graph} graph @returns {Uint8Array} */
export function encodeOnnx(graph) {
  const constants = graph.values.filter(({ data }) => data).map(initializerOf);
  const lastAxis = { dims: [1], data_type: INT64, name: 'lastAxis', raw_data: int64([-1]) };
  const hasSums = graph.operations.some(({ operator }) => operator === 'rowSum');
  return encode({
    node: graph.operations.map(nodeOf),
    initializer: hasSums ? [...constants, lastAxis] : constants,
    input: graph.inputs.map(infoOf),
    output: graph.outputs.map(infoOf),
  });
}

/**
 * Encodes the operator Attention, which scales by 1/√d itself; with its result qk_matmul_output after
 * softmax where the task wants weights, and is_causal instead of a mask.
 * @param {Problem} problem
 * @returns {Uint8Array}
 */
export function encodeOnnxAttention({ task, heads, n, d, visible }) {
  const infoNamed = (/** @type {string} */ name) => infoOf({ name, shape: [1, heads, n, d] });
  const present = ['', '']; // key and value with a cache before them
  const wantsWeights = WITH_WEIGHTS.includes(task);
  const weights = wantsWeights ? [infoOf({ name: 'weights', shape: [1, heads, n, n] })] : [];
  const mask = task === 'masked' && visible ? [{ name: 'mask', shape: [n, n], data: addedTo(visible) }] : []; // prettier-ignore
  const node = {
    op_type: 'Attention',
    input: [...MATRICES, ...mask.map(({ name }) => name)],
    output: wantsWeights ? ['output', ...present, 'weights'] : ['output'],
    attribute: [
      { name: 'qk_matmul_output_mode', type: INT, i: wantsWeights ? 3 : 0 },
      { name: 'is_causal', type: INT, i: +(task === 'causal') },
    ],
  };
  return encode({
    node: [node],
    initializer: mask.map(initializerOf),
    input: MATRICES.map(infoNamed),
    output: [infoNamed('output'), ...weights],
  });
}

/**
 * Encodes ONNX Runtime's operator GroupQueryAttention, which is causal, with one head and no cache of keys.
 * @param {Problem} problem
 * @returns {Uint8Array}
 */
export function encodeOnnxGroupQuery({ n, d }) {
  const infoNamed = (/** @type {string} */ name) => infoOf({ name, shape: [1, n, d] });
  const past = ['', '']; // keys and values before these
  const count = (/** @type {string} */ name, /** @type {number} */ number) =>
    ({ name, dims: [1], data_type: INT32, raw_data: new Uint8Array(Int32Array.of(number).buffer) }); // prettier-ignore
  const node = {
    op_type: 'GroupQueryAttention',
    domain: CONTRIBUTED,
    input: [...MATRICES, ...past, 'last', 'total'],
    output: ['output'],
    attribute: ['num_heads', 'kv_num_heads'].map((name) => ({ name, type: INT, i: 1 })),
  };
  return encode({
    node: [node],
    initializer: [count('last', n - 1), count('total', n)],
    input: MATRICES.map(infoNamed),
    output: [infoNamed('output')],
  });
}

/** @param {Record<string, unknown>} graph */
function encode(graph) {
  const opset = [
    { domain: '', version: OPSET },
    { domain: CONTRIBUTED, version: 1 },
  ];
  const model = { ir_version: IR_VERSION, opset_import: opset, graph: { name: 'bench', ...graph } };
  return Model.encode(Model.fromObject(model)).finish();
}

/** @param {Operation} operation */
function nodeOf({ operator, inputs, output }) {
  const names = inputs.map(({ name }) => name);
  const node = { op_type: OPERATORS[operator], input: names, output: [output.name] };
  if (operator === 'rowSum') names.push('lastAxis');
  return { ...node, attribute: attributesOf(operator, output.shape.length) };
}

/** @param {Operation['operator']} operator @param {number} rank */
function attributesOf(operator, rank) {
  if (operator === 'softmax') return [{ name: 'axis', type: INT, i: -1 }];
  if (operator !== 'transpose') return [];
  const axes = Array.from({ length: rank }, (_, axis) => axis);
  return [{ name: 'perm', type: INTS, ints: [...axes.slice(0, -2), rank - 1, rank - 2] }];
}

/** @param {Value} value */
function initializerOf({ name, shape, data }) {
  const isFloat = data instanceof Float32Array;
  const raw = isFloat ? new Uint8Array(data.slice().buffer) : int64(data ?? []);
  return { name, dims: shape, data_type: isFloat ? FLOAT : INT64, raw_data: raw };
}

/** @param {Iterable<number>} numbers */
const int64 = (numbers) => new Uint8Array(BigInt64Array.from([...numbers].map(BigInt)).buffer);

/** @param {{ name: string, shape: number[] }} value */
const infoOf = ({ name, shape }) => ({
  name,
  type: {
    tensor_type: { elem_type: FLOAT, shape: { dim: shape.map((size) => ({ dim_value: size })) } },
  },
});
