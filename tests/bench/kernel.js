// Speed of the raw kernel in this engine, as a share of what the engine can reach.
//   node tests/bench/kernel.js [--json] [--quick]
// The peak is measured in the same process, in turn with the kernel, by a loop of 13 independent
// multiply-add chains in registers. Times are of the processor, so waiting for it does not count,
// and each is the best of many short rounds, because other processes can only slow a round down.
import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';

import { decode } from '../../web/attention/kernel/decode.js';
import { heapBase, text } from '../../web/attention/kernel/generated/simd.js';
import { peakFunction, PEAK_FLOP } from './peak.js';

const quick = process.argv.includes('--quick');
const ROUNDS = quick ? 6 : 25;
const SAMPLE_MILLISECONDS = 10;

/** Shapes of the table: [n, d]. */
const FORWARD = [
  [512, 64],
  [1024, 64],
  [2048, 64],
  [4096, 64],
  [512, 128],
  [8, 512],
  [128, 64],
];
const BACKWARD = [
  [512, 64],
  [2048, 64],
  [128, 64],
];
const ADDITIVE = [
  [256, 64],
  [512, 128],
];

// ---- the kernel, and memory handed out from the end of its own --------------------------------

const { instance } = await WebAssembly.instantiate(decode(text), {});
const kernel = /** @type {Record<string, Function>} */ (/** @type {unknown} */ (instance.exports));
const memory = /** @type {WebAssembly.Memory} */ (instance.exports.memory);
let top = heapBase;

/**
 * Bytes of memory from `top` on, aligned to 64; they are given back by setting `top`.
 * @param {number} bytes
 */
function take(bytes) {
  const start = Math.ceil(top / 64) * 64;
  top = start + bytes;
  const missing = top - memory.buffer.byteLength;
  if (missing > 0) memory.grow(Math.ceil(missing / 65536));
  return start;
}

let seed = 1;
function uniform() {
  seed = (Math.imul(seed, 1664525) + 1013904223) >>> 0;
  return seed / 2 ** 31 - 1;
}

/**
 * count numbers, uniform on (-limit, limit).
 * @param {number} count
 */
function takeUniform(count, limit = 1) {
  const start = take(count * 4);
  const floats = new Float32Array(memory.buffer, start, count);
  for (let i = 0; i < count; i++) floats[i] = limit * uniform();
  return start;
}

// ---- timing -------------------------------------------------------------------------------------

/** Milliseconds that this process has computed. */
function processorTime() {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}

/**
 * How often to run for one sample.
 * @param {() => void} run
 */
function repetitionsFor(run) {
  for (let repetitions = 1; ; repetitions *= 2) {
    const begin = processorTime();
    for (let i = 0; i < repetitions; i++) run();
    const elapsed = processorTime() - begin;
    if (elapsed > SAMPLE_MILLISECONDS / 2) {
      return Math.ceil((repetitions * SAMPLE_MILLISECONDS) / elapsed);
    }
  }
}

/**
 * Best milliseconds of each of the functions, measured in turn.
 * @param {(() => void)[]} runs
 */
function bestOf(runs) {
  const repetitions = runs.map(repetitionsFor);
  const best = runs.map(() => Infinity);
  for (let round = 0; round < ROUNDS; round++) {
    runs.forEach((run, i) => {
      const begin = processorTime();
      for (let r = 0; r < repetitions[i]; r++) run();
      best[i] = Math.min(best[i], (processorTime() - begin) / repetitions[i]);
    });
  }
  return best;
}

// ---- what is measured ---------------------------------------------------------------------------

/**
 * A call of the forward pass of one head; causal as in attn.h.
 * @param {number} n
 * @param {number} d
 */
function forwardCall(n, d, causal = 0) {
  const [query, key, value] = [0, 0, 0].map(() => takeUniform(n * d));
  const [output, lse] = [take(n * d * 4), take(n * 4)];
  const scratch = take(kernel.attn_attention_forward_scratch(n, n, d, d));
  const scale = 1 / Math.sqrt(d);
  return () => {
    const status = kernel.attn_attention_forward(
      query, key, value, 0, n, n, d, d, scale, causal, output, lse, scratch,
    ); // prettier-ignore
    if (status !== 0) throw new Error(`attn_attention_forward returned ${status}`);
  };
}

/**
 * A call of the gradient of one head, which needs no forward pass.
 * @param {number} n
 * @param {number} d
 */
function backwardCall(n, d) {
  const [query, key, value, dOutput] = [0, 0, 0, 0].map(() => takeUniform(n * d));
  const [dQuery, dKey, dValue] = [0, 0, 0].map(() => takeUniform(n * d));
  const dScale = take(8);
  const scratch = take(kernel.attn_attention_backward_scratch(n, n, d, d));
  const scale = 1 / Math.sqrt(d);
  return () => {
    const status = kernel.attn_attention_backward(
      query, key, value, 0, dOutput, n, n, d, d, scale, 0, dQuery, dKey, dValue, dScale, scratch,
    ); // prettier-ignore
    if (status !== 0) throw new Error(`attn_attention_backward returned ${status}`);
  };
}

/**
 * A call of the factored additive forward pass with d_hidden = d, projections of unit variance.
 * @param {number} n
 * @param {number} d
 */
function additiveCall(n, d) {
  const inputs = Array.from({ length: 3 }, () => takeUniform(n * d));
  const projections = Array.from({ length: 2 }, () => takeUniform(d * d, 3 / Math.sqrt(d)));
  const [scoreWeight, bias] = [takeUniform(d), takeUniform(d)];
  const record = take(60);
  new Uint32Array(memory.buffer, record, 15).set([
    ...inputs,
    0,
    ...projections,
    scoreWeight,
    bias,
    n,
    n,
    d,
    d,
    d,
    d,
    0,
  ]);
  const [output, lse] = [take(n * d * 4), take(n * 4)];
  const scratch = take(kernel.attn_additive_forward_scratch(record));
  return () => {
    const status = kernel.attn_additive_forward(record, output, lse, 0, 0, scratch);
    if (status !== 0) throw new Error(`attn_additive_forward returned ${status}`);
  };
}

/**
 * Runs `measure` and gives back the memory it took.
 * @template T
 * @param {() => T} measure
 */
function scoped(measure) {
  const mark = top;
  const result = measure();
  top = mark;
  return result;
}

const peak = peakFunction();
const PEAK_ITERATIONS = 1e6;
const runPeak = () => peak(PEAK_ITERATIONS);
/** @type {(flop: number, milliseconds: number) => number} */
const gigaflops = (flop, milliseconds) => flop / milliseconds / 1e6;

/**
 * Speed of a call, and what share of the peak it is.
 * @param {(n: number, d: number) => () => void} call
 * @param {number} flop in units of n² d
 * @param {number[]} shape
 */
function measureShare(call, flop, [n, d]) {
  const [kernelTime, peakTime] = scoped(() => bestOf([call(n, d), runPeak]));
  const speed = gigaflops(flop * n * n * d, kernelTime);
  const peakSpeed = gigaflops(PEAK_FLOP * PEAK_ITERATIONS, peakTime);
  return { n, d, milliseconds: kernelTime, gigaflops: speed, shareOfPeak: speed / peakSpeed };
}

/**
 * @param {number} n
 * @param {number} d
 */
function measureCausal(n, d) {
  const [causal, full] = scoped(() => bestOf([forwardCall(n, d, 1), forwardCall(n, d)]));
  return { n, d, ratio: causal / full };
}

/**
 * A shape one off a multiple of the tile against the next larger aligned one.
 * @param {number[]} odd [n, d]
 * @param {number[]} aligned
 */
function measureTail([n, d], aligned) {
  const [alignedN, alignedD] = aligned;
  const [time, alignedTime] = scoped(() =>
    bestOf([forwardCall(n, d), forwardCall(alignedN, alignedD)]),
  );
  return { n, d, aligned, ratio: time / alignedTime };
}

/** @param {number[]} shape */
function measureAdditive([n, d]) {
  const [additive, dot] = scoped(() => bestOf([additiveCall(n, d), forwardCall(n, d)]));
  return { n, d, milliseconds: additive, ratioToDot: additive / dot };
}

/** The first call of a long forward pass, against the best of some later ones. */
function firstCall() {
  const run = forwardCall(4096, 64);
  const times = Array.from({ length: 5 }, () => {
    const begin = processorTime();
    run();
    return processorTime() - begin;
  });
  return times[0] / Math.min(...times.slice(1));
}

/** The least of three fresh processes, in which no code has been optimised yet. */
function measureFirstCall() {
  const inFreshProcess = () =>
    Number(execFileSync(process.execPath, [fileURLToPath(import.meta.url), '--first-call']));
  return Math.min(...Array.from({ length: 3 }, inFreshProcess));
}

if (process.argv.includes('--first-call')) {
  console.log(firstCall());
  process.exit();
}

// ---- report -------------------------------------------------------------------------------------

const TAILS = [
  [[1, 1], [8, 4]],
  [[7, 63], [8, 64]],
  [[9, 33], [16, 36]],
  [[33, 33], [40, 36]],
  [[511, 64], [512, 64]],
  [[513, 65], [520, 68]],
]; // prettier-ignore

const report = {
  engine: `Node ${process.versions.node}, V8 ${process.versions.v8}`,
  peakGigaflops: gigaflops(PEAK_FLOP * PEAK_ITERATIONS, bestOf([runPeak])[0]),
  forward: FORWARD.map((shape) => measureShare(forwardCall, 4, shape)),
  backward: BACKWARD.map((shape) => measureShare(backwardCall, 10, shape)),
  firstCall: measureFirstCall(),
  causal: [measureCausal(1024, 64)],
  tails: TAILS.map(([odd, aligned]) => measureTail(odd, aligned)),
  additive: ADDITIVE.map(measureAdditive),
};

/**
 * @param {string} title
 * @param {ReturnType<typeof measureShare>[]} rows
 */
function printShares(title, rows) {
  console.log(`\n${title.padEnd(14)}        ms   GFLOP/s   of peak`);
  for (const row of rows) {
    const shape = `${row.n}×${row.d}`.padEnd(14);
    const milliseconds = row.milliseconds.toFixed(4).padStart(10);
    const speed = row.gigaflops.toFixed(1).padStart(10);
    const share = `${(100 * row.shareOfPeak).toFixed(1)} %`.padStart(10);
    console.log(`${shape}${milliseconds}${speed}${share}`);
  }
}

function print() {
  console.log(`${report.engine}; peak ${report.peakGigaflops.toFixed(1)} GFLOP/s`);
  printShares('forward 4 n²d', report.forward);
  printShares('gradient 10 n²d', report.backward);
  console.log('\ntime against');
  console.log(`first call    ${report.firstCall.toFixed(2).padStart(8)}  of later ones, 4096×64`);
  for (const { n, d, ratio } of report.causal) {
    console.log(`${`${n}×${d} causal`.padEnd(14)}${ratio.toFixed(2).padStart(8)}  of all keys`);
  }
  for (const { n, d, aligned, ratio } of report.tails) {
    console.log(
      `${`${n}×${d}`.padEnd(14)}${ratio.toFixed(2).padStart(8)}  of ${aligned.join('×')}`,
    );
  }
  for (const { n, d, ratioToDot } of report.additive) {
    console.log(
      `${`${n}×${d} additive`.padEnd(18)}${ratioToDot.toFixed(2).padStart(4)}  of dot product`,
    );
  }
}

if (process.argv.includes('--json')) console.log(JSON.stringify(report, null, 2));
else print();
