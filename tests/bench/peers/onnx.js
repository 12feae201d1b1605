// A graph as an ONNX model (https://onnx.ai/onnx/repo-docs/IR.html), of the messages of onnx.proto
// that it needs.
import protobuf from 'protobufjs';

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
    repeated string input = 1; repeated string output = 2; string op_type = 4;
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
const [FLOAT, INT64] = [1, 7]; // TensorProto.DataType
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
 * softmax unless the task is 'forward'.
 * @param {Problem} problem
 * @returns {Uint8Array}
 */
export function encodeOnnxAttention({ task, heads, n, d }) {
  const infoNamed = (/** @type {string} */ name) => infoOf({ name, shape: [1, heads, n, d] });
  const input = ['query', 'key', 'value'];
  const node = { op_type: 'Attention', input, output: ['output'] };
  const attribute = [{ name: 'qk_matmul_output_mode', type: INT, i: 3 }];
  const present = ['', '']; // key and value with a cache before them
  const wantsWeights = task !== 'forward';
  const weights = wantsWeights ? [infoOf({ name: 'weights', shape: [1, heads, n, n] })] : [];
  return encode({
    node: [wantsWeights ? { ...node, output: ['output', ...present, 'weights'], attribute } : node],
    input: input.map(infoNamed),
    output: [infoNamed('output'), ...weights],
  });
}

/** @param {Record<string, unknown>} graph */
function encode(graph) {
  const opset = [{ domain: '', version: OPSET }];
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
