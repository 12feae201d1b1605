// Shapes that do not fill the kernel's tiles, against the next larger ones that do.
import { bestOf, wallClock } from '../clock.js';
import { openOwn } from '../peers/own.js';
import { openRawKernel } from '../raw-kernel.js';
import { shapeName } from './results.js';

/**
 * @import { RawKernel } from '../raw-kernel.js'
 * @import { Backend, Options, Part } from './results.js'
 */

/** Queries and columns of a tile. */
const TILE = { n: 8, d: 4 };
const SMALL = 33;
/** Beside all small shapes: one off a multiple of the tile. */
const LARGE = [[511, 64], [513, 64], [512, 63], [512, 65], [513, 65], [127, 128], [129, 127], [257, 31]]; // prettier-ignore

/** So short that many samples meet no other process. */
const SHORT = { clock: wallClock, sample: 1, warmUp: 2 };
/** The worst by a first look are looked at again for longer, because at a glance noise wins. */
const SECOND_LOOK = 24;
const TOLD = 6;

/**
 * @param {Options & { backend: Backend }} options
 * @returns {Promise<Part[]>} the worst shapes; none where the engine lacks the backend
 */
export default async function measureEdges({ backend, seconds, quick }) {
  if (!(await openOwn(backend))) return [];
  const kernel = await openRawKernel(backend);
  const seen = [];
  for (const group of groupsOf([...smallShapes(quick ? 4 : 1), ...LARGE])) {
    seen.push(...(await measureGroup(kernel, group, 0)));
  }
  const again = [];
  for (const { shape } of worstOf(seen, SECOND_LOOK)) {
    again.push(...(await measureGroup(kernel, [shape], seconds / 8)));
  }
  return worstOf(again, TOLD).map(({ shape, ratio }) => ({
    row: 'edges',
    backend,
    shape: shapeName(...shape),
    value: ratio,
  }));
}

/** @param {{ shape: number[], ratio: number }[]} seen @param {number} count */
const worstOf = (seen, count) => seen.toSorted((a, b) => b.ratio - a.ratio).slice(0, count);

/** @param {number} step @returns {number[][]} */
function smallShapes(step) {
  const sizes = Array.from({ length: SMALL }, (_, i) => i + 1);
  const shapes = sizes.flatMap((n) => sizes.map((d) => [n, d]));
  return shapes.filter((_, i) => i % step === 0);
}

/** @param {number[]} shape @returns {[number, number]} */
const alignedOf = ([n, d]) => [Math.ceil(n / TILE.n) * TILE.n, Math.ceil(d / TILE.d) * TILE.d];

/** Shapes, by the shapes that they are measured against. @param {number[][]} shapes */
function groupsOf(shapes) {
  /** @type {Record<string, number[][]>} */
  const groups = {};
  for (const shape of shapes) (groups[alignedOf(shape).join()] ??= []).push(shape);
  return Object.values(groups);
}

/**
 * @param {RawKernel} kernel
 * @param {number[][]} shapes with one aligned shape
 * @param {number} seconds
 */
function measureGroup(kernel, shapes, seconds) {
  const all = [alignedOf(shapes[0]), ...shapes];
  return kernel.scoped(async () => {
    const runs = all.map(([n, d]) => kernel.forward(n, d));
    const [aligned, ...times] = await bestOf(runs, seconds, SHORT);
    return shapes.map((shape, i) => ({ shape, ratio: times[i] / aligned }));
  });
}
