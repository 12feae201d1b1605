// The fastest that this engine can multiply and add float32, in two instructions or fused into one,
// and that it can read memory: WebAssembly loops written byte by byte, so no compiler can change them.

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
const LOOP = [0x03, 0x40];
const END = [0x0b];
const FIRST_LANE = [...simd(0x1f), 0];

/** chain · factor + addend, from the stack. */
const MULTIPLY_ADD = {
  simd: [...get(FACTOR), ...MULTIPLY, ...get(ADDEND), ...ADD],
  relaxed: [...get(FACTOR), ...get(ADDEND), ...RELAXED_MADD],
};

/** Decrements and goes back to the loop's start. @param {number} local */
function repeatUntilZero(local) {
  return [...get(local), 0x41, 1, 0x6b, 0x22, local, 0x0d, 0];
}

/** @param {number[]} locals */
function firstLaneOfSum([first, ...others]) {
  return [...get(first), ...others.flatMap((local) => [...get(local), ...ADD]), ...FIRST_LANE];
}

/** Loads a vector, aligned to its size, from the address on the stack. @param {number} offset */
function loadAt(offset) {
  return [...simd(0x00), 4, ...leb(offset)];
}

const chains = Array.from({ length: CHAINS }, (_, i) => i + 1);
/** @param {number[]} multiplyAdd */
const loopOf = (multiplyAdd) =>
  [
    [1, CHAINS + 2, V128], // locals
    [...float(0.999), ...SPLAT, ...set(FACTOR), ...float(0.001), ...SPLAT, ...set(ADDEND)],
    LOOP,
    chains.flatMap((chain) => [...get(chain), ...multiplyAdd, ...set(chain)]),
    repeatUntilZero(0),
    END,
    firstLaneOfSum(chains),
    END,
  ].flat();

/** Bytes that one iteration of the reading loop reads. */
const LINE = 128;
/** Locals: 0 the address, 1 counts iterations, the rest take a vector each of a line. */
const sums = Array.from({ length: LINE / 16 }, (_, i) => i + 2);
const readingLoop = [
  [1, sums.length, V128], // locals
  LOOP,
  sums.flatMap((sum, i) => [...get(sum), ...get(0), ...loadAt(16 * i), ...ADD, ...set(sum)]),
  [...get(0), 0x41, ...leb(LINE), 0x6a, ...set(0)], // address += LINE
  repeatUntilZero(1),
  END,
  firstLaneOfSum(sums),
  END,
].flat();

/** The magic number of WebAssembly, and version 1. */
const PREAMBLE = [0, 0x61, 0x73, 0x6d, 1, 0, 0, 0];

/** @type {(id: number, bytes: number[]) => number[]} */
const section = (id, bytes) => [id, ...leb(bytes.length), ...bytes];

/**
 * A module that exports one function p.
 * @param {number} parameters of type i32
 * @param {number[]} body
 * @param {number[]} [imports] sections between types and functions
 */
const moduleOf = (parameters, body, imports = []) =>
  new WebAssembly.Module(
    new Uint8Array([
      ...PREAMBLE,
      ...section(1, [1, 0x60, parameters, ...Array(parameters).fill(I32), 1, F32]),
      ...imports,
      ...section(3, [1, 0]),
      ...section(7, [1, 1, 'p'.charCodeAt(0), 0, 0]),
      ...section(10, [1, ...leb(body.length), ...body]),
    ]),
  );

/** A memory m of a module m. */
const MEMORY_IMPORT = section(2, [1, 1, 'm'.charCodeAt(0), 1, 'm'.charCodeAt(0), 2, 0, 0]);

/**
 * Returns a function that runs the loop a given number of times.
 * @param {'simd' | 'relaxed'} backend
 * @returns {(iterations: number) => number}
 */
export function peakFunction(backend) {
  const module = moduleOf(1, loopOf(MULTIPLY_ADD[backend]));
  return /** @type {any} */ (new WebAssembly.Instance(module).exports).p;
}

/**
 * Returns a function that reads a number of bytes, a multiple of 128, from an address on.
 * @param {WebAssembly.Memory} m
 * @returns {(address: number, bytes: number) => number} the sum of every fourth number
 */
export function readFunction(m) {
  const module = moduleOf(2, readingLoop, MEMORY_IMPORT);
  const { p } = /** @type {any} */ (new WebAssembly.Instance(module, { m: { m } }).exports);
  return (address, bytes) => p(address, bytes / LINE);
}
