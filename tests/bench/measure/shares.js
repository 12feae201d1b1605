// The kernel's speed as a share of the engine's peak of multiply and add, and its growth with n.
import { bestOf } from '../clock.js';
import { peakFunction, PEAK_FLOP, readFunction } from '../peak.js';
import { openOwn } from '../peers/own.js';
import { makeProblem } from '../problems.js';
import { openRawKernel } from '../raw-kernel.js';
import { shapeName } from './results.js';

/**
 * @import { Contender } from '../problems.js'
 * @import { RawKernel } from '../raw-kernel.js'
 * @import { Backend, Options, Part } from './results.js'
 */

/** Floating-point operations in units of n²d. */
const FLOP = { forward: 4, backward: 10 };
const PEAK_ITERATIONS = 2e5;

/** @type {{ row: string, direction: 'forward' | 'backward', shapes: [number, number][] }[]} */
const ROWS = [
  { row: 'forward-64', direction: 'forward', shapes: [[512, 64], [1024, 64], [2048, 64], [4096, 64]] },
  { row: 'forward-128', direction: 'forward', shapes: [[512, 128], [2048, 128]] },
  { row: 'backward', direction: 'backward', shapes: [[512, 64], [2048, 64]] },
  { row: 'short-wide-kernel', direction: 'forward', shapes: [[8, 512]] },
  { row: 'forward-1024', direction: 'forward', shapes: [[512, 1024]] },
]; // prettier-ignore
const GROWTH = [512, 1024, 2048, 4096, 8192];
/** Keys and values are together more than a second-level cache holds. */
const DECODING = { keys: 16384, d: 64 };
const ADDITIVE = /** @type {const} */ ([[256, 64], [512, 128]]); // prettier-ignore

/**
 * @param {Options & { backend: Backend }} options
 * @returns {Promise<Part[]>} none where the engine lacks the backend
 */
export default async function measureShares({ backend, ...options }) {
  const fresh = await openOwn(backend);
  const reusing = await openOwn(backend, true);
  if (!fresh || !reusing) return [];
  const measure = new Shares(backend, await openRawKernel(backend), options);
  const parts = [];
  for (const { row, direction, shapes } of ROWS) {
    for (const [n, d] of shapes) parts.push(await measure.kernel(row, direction, n, d));
  }
  parts.push(await measure.endToEnd('end-to-end', reusing, 128, 64));
  parts.push(await measure.endToEnd('end-to-end-fresh', fresh, 128, 64));
  parts.push(await measure.shortWide(reusing, 8, 512));
  parts.push(await measure.decoding(DECODING));
  for (const [n, d] of ADDITIVE) parts.push(await measure.additive(n, d));
  parts.push(await measure.growth(GROWTH.slice(0, options.quick ? 3 : undefined), 64));
  return parts;
}

class Shares {
  /**
   * @param {Backend} backend
   * @param {RawKernel} kernel
   * @param {Options} options
   */
  constructor(backend, kernel, { seconds }) {
    // An engine that spills in the fused loop (Firefox 153) multiplies and adds faster in two steps.
    const loops = /** @type {Backend[]} */ (backend === 'relaxed' ? ['relaxed', 'simd'] : ['simd']);
    this.backend = backend;
    this.raw = kernel;
    this.seconds = seconds;
    this.peaks = loops.map(peakFunction).map((peak) => () => peak(PEAK_ITERATIONS));
  }

  /**
   * @param {string} row
   * @param {string} shape
   * @param {() => unknown} run
   * @param {number} flop
   * @returns {Promise<Part>}
   */
  async share(row, shape, run, flop) {
    const [milliseconds, ...peakTimes] = await bestOf([run, ...this.peaks], this.seconds);
    const peak = (PEAK_FLOP * PEAK_ITERATIONS) / Math.min(...peakTimes) / 1e6;
    const gigaflops = flop / milliseconds / 1e6;
    const value = gigaflops / peak;
    return { row, backend: this.backend, shape, value, milliseconds, gigaflops, peak };
  }

  /**
   * @param {string} row
   * @param {'forward' | 'backward'} direction
   * @param {number} n
   * @param {number} d
   */
  kernel(row, direction, n, d) {
    return this.raw.scoped(() => {
      const run = this.raw[direction](n, d);
      return this.share(row, shapeName(n, d), run, FLOP[direction] * n * n * d);
    });
  }

  /**
   * @param {string} row
   * @param {Contender} contender
   * @param {number} n
   * @param {number} d
   */
  async endToEnd(row, contender, n, d) {
    const run = await contender.prepare(makeProblem('forward', { n, d }));
    return this.share(row, shapeName(n, d), run, FLOP.forward * n * n * d);
  }

  /**
   * Measures a call that computes less than it copies, minus the time of its four copies.
   * @param {Contender} contender
   * @param {number} n
   * @param {number} d
   * @returns {Promise<Part>}
   */
  async shortWide(contender, n, d) {
    const problem = makeProblem('forward', { n, d });
    const call = await contender.prepare(problem);
    const inside = new Float32Array(n * d);
    const arrays = [...Object.values(problem.inputs).map(({ data }) => data), inside];
    const copy = () => arrays.forEach((data) => inside.set(data));
    const times = await bestOf([call, copy, ...this.peaks], this.seconds);
    const milliseconds = times[0] - times[1];
    const peak = (PEAK_FLOP * PEAK_ITERATIONS) / Math.min(...times.slice(2)) / 1e6;
    const gigaflops = (FLOP.forward * n * n * d) / milliseconds / 1e6;
    const [shape, value] = [shapeName(n, d), gigaflops / peak];
    return {
      row: 'short-wide',
      backend: this.backend,
      shape,
      value,
      milliseconds,
      gigaflops,
      peak,
    };
  }

  /**
   * Measures one query: the time of reading its keys and values alone, as a share of its own.
   * @param {typeof DECODING} sizes
   */
  decoding({ keys, d }) {
    return this.raw.scoped(async () => {
      const run = this.raw.forward(keys, d, 1);
      const bytes = 2 * 4 * keys * d;
      const read = readFunction(this.raw.memory);
      const start = this.raw.allocateUniform(bytes / 4);
      const [milliseconds, reading] = await bestOf([run, () => read(start, bytes)], this.seconds);
      const shape = `1 query, ${shapeName(keys, d)}`;
      return {
        row: 'decoding',
        backend: this.backend,
        shape,
        value: reading / milliseconds,
        milliseconds,
      };
    });
  }

  /**
   * Measures additive attention against the dot product of the same shape.
   * @param {number} n
   * @param {number} d
   */
  additive(n, d) {
    return this.raw.scoped(async () => {
      const runs = [this.raw.additive(n, d), this.raw.forward(n, d)];
      const [milliseconds, dot] = await bestOf(runs, this.seconds);
      const shape = shapeName(n, d);
      return { row: 'additive-dot', backend: this.backend, shape, value: milliseconds / dot, milliseconds }; // prettier-ignore
    });
  }

  /** Measures the spread of time / n². @param {number[]} sizes @param {number} d */
  growth(sizes, d) {
    return this.raw.scoped(async () => {
      const runs = sizes.map((n) => this.raw.forward(n, d));
      const times = await bestOf(runs, 2 * this.seconds);
      const rates = times.map((time, i) => time / sizes[i] ** 2);
      const value = Math.max(...rates) / Math.min(...rates);
      const shape = `${sizes[0]} … ${sizes.at(-1)}×${d}`;
      return { row: 'growth', backend: this.backend, shape, value };
    });
  }
}
