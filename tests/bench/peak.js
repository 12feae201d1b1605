// The fastest that this engine can multiply and add float32, in two instructions or fused into one:
// a WebAssembly loop written byte by byte, so no compiler can change it.

const CHAINS = 13; // with factor and addend, the 15 registers that V8 uses on x86

/** Floating-point operations of one iteration: a multiplication and an addition in four lanes. */
export const PEAK_FLOP = CHAINS * 2 * 4;

const FACTOR = CHAINS + 1; // local 0 counts iterations, 1 … CHAINS are the chains
const ADDEND = CHAINS + 2;
const F32 = 0x7d;
const V128 = 0x7b;
const I32 = 0x7f;

/** @type {(n: number) => number[]} an unsigned integer as WebAssembly writes it */
const leb = (n) => (n < 0x80 ? [n] : [(n & 0x7f) | 0x80, ...leb(n >> 7)]);
/** @type {(opcode: number) => number[]} */
const simd = (opcode) => [0xfd, ...leb(opcode)];
/** @type {(local: number) => number[]} */
const get = (local) => [0x20, local];
/** @type {(local: number) => number[]} */
const set = (local) => [0x21, local];
/** @type {(value: number) => number[]} */
const float = (value) => [0x43, ...new Uint8Array(new Float32Array([value]).buffer)];
const SPLAT = simd(0x13);
const ADD = simd(0xe4);
const MULTIPLY = simd(0xe6);
const RELAXED_MADD = simd(0x105);
const FIRST_LANE = [...simd(0x1f), 0];

/** chain · factor + addend, from the stack. */
const MULTIPLY_ADD = {
  simd: [...get(FACTOR), ...MULTIPLY, ...get(ADDEND), ...ADD],
  relaxed: [...get(FACTOR), ...get(ADDEND), ...RELAXED_MADD],
};

const chains = Array.from({ length: CHAINS }, (_, i) => i + 1);
/** @param {number[]} multiplyAdd */
const loopOf = (multiplyAdd) => [
  ...[1, CHAINS + 2, V128], // locals
  ...[...float(0.999), ...SPLAT, ...set(FACTOR), ...float(0.001), ...SPLAT, ...set(ADDEND)],
  ...[0x03, 0x40], // loop
  ...chains.flatMap((chain) => [...get(chain), ...multiplyAdd, ...set(chain)]),
  ...[...get(0), 0x41, 1, 0x6b, 0x22, 0, 0x0d, 0], // until --iterations is 0
  0x0b,
  ...get(1),
  ...chains.slice(1).flatMap((chain) => [...get(chain), ...ADD]),
  ...FIRST_LANE,
  0x0b,
];

/** @type {(id: number, bytes: number[]) => number[]} */
const section = (id, bytes) => [id, ...leb(bytes.length), ...bytes];
/** @param {number[]} body */
const moduleOf = (body) =>
  new Uint8Array([
    ...[0, 0x61, 0x73, 0x6d, 1, 0, 0, 0],
    ...section(1, [1, 0x60, 1, I32, 1, F32]),
    ...section(3, [1, 0]),
    ...section(7, [1, 1, 'p'.charCodeAt(0), 0, 0]),
    ...section(10, [1, ...leb(body.length), ...body]),
  ]);

/**
 * A function that runs the loop so many times.
 *
 * @param {'simd' | 'relaxed'} backend
 * @returns {(iterations: number) => number}
 */
export function peakFunction(backend) {
  const module = new WebAssembly.Module(moduleOf(loopOf(MULTIPLY_ADD[backend])));
  return /** @type {any} */ (new WebAssembly.Instance(module).exports).p;
}
