// How long the frames of <attn-view> take: over a text of 16 384 tokens while the pointer moves, the reader zooms,
// goes through rows or asks why, and while a thousand steps of training with 144 heads come:
//   node tests/bench/viewing.js
import { readFileSync } from 'node:fs';
import { loadavg } from 'node:os';
import { pathToFileURL } from 'node:url';
import { bundleFigures } from '../browser/bundle.js';
import { launch, serve, STRICT_POLICY, WHOLE } from '../browser/serve.js';
import { PLAIN, timePlain } from './dragging.js';

/**
 * @import { Page } from 'playwright-core'
 * @import { EngineReport } from './plan.js'
 * @import { Part } from './measure/results.js'
 */

const SCREEN = { viewport: { width: 1280, height: 1400 } };
const PAGE = `<!doctype html><html lang="en"><meta name="viewport" content="width=device-width">
<title>viewing</title><script type="module" src="/figures.js"></script><attn-view></attn-view>`;
/** As on the site, where long work has a worker of its own. */
const POLICIES = { '/page.html': `${STRICT_POLICY}; worker-src blob:` };
const LONG = { n: 16_384, d: 64, causal: true };
const COURSE = { steps: 1000, layers: 12, heads: 12, n: 8 };
const MOVES = 120;
/** The longest wait, in milliseconds. */
const TIMEOUT = 300_000;

/** Runs in the page: makes queries and keys. @param {typeof LONG} options @returns {object} what the figure receives */
function makeLong({ n, d, causal }) {
  const noise = (/** @type {number} */ factor) =>
    Float32Array.from({ length: n * d }, (_, i) => 3 * Math.sin(factor * i * i));
  const [query, key] = [0.37, 0.11].map((factor) => ({ data: noise(factor), shape: [n, d] }));
  return { query, key, options: { causal } };
}

/** Runs in the page: gives the figure what was made. @param {any} made */
const show = (made) =>
  void Object.assign(/** @type {Element} */ (document.querySelector('attn-view')), made);

/** Runs in the page: whether the shown picture of a long text is whole. */
const isMeasured = () => {
  const { data } = /** @type {any} */ (document.querySelector('attn-view'));
  return data?.map !== undefined && data.fraction === undefined;
};

/**
 * Runs in the page: makes a course, [steps, layers, heads, n, n], as one file of .safetensors, or its weights step by
 * step; heads sharpen, each at its own pace.
 * @param {typeof COURSE & { isFile: boolean }} options
 * @returns {object} what the figure receives: a file, or a series
 */
function makeCourse({ steps, layers, heads, n, isFile }) {
  const [all, size] = [layers * heads, layers * heads * n * n];
  const weightsAt = (/** @type {number} */ step) => {
    const data = new Float32Array(size);
    for (let head = 0; head < all; head++) {
      const sharp = (step * (head + 1)) / (steps * all) + 0.02 * Math.sin(step * head);
      const p = Math.min(1, Math.max(1 / n, sharp));
      for (let i = 0; i < n; i++) {
        const row = (head * n + i) * n;
        data.fill((1 - p) / (n - 1), row, row + n);
        data[row + i] = p;
      }
    }
    return data;
  };
  const weights = Array.from({ length: steps }, (_, step) => weightsAt(step));
  if (!isFile) {
    const shape = [layers, heads, n, n];
    return { series: weights.map((data, step) => ({ step, weights: { data, shape } })) };
  }
  const offsets = [4 * steps, 4 * steps * (1 + size)];
  const header = JSON.stringify({
    steps: { dtype: 'F32', shape: [steps], data_offsets: [0, offsets[0]] },
    weights: { dtype: 'F32', shape: [steps, layers, heads, n, n], data_offsets: offsets },
  });
  const text = new TextEncoder().encode(header.padEnd(Math.ceil(header.length / 8) * 8));
  const numbers = Float32Array.from({ length: steps }, (_, step) => step);
  const parts = [new BigUint64Array([BigInt(text.length)]), text, numbers];
  return { file: new Blob([...parts, ...weights]) };
}

/** Runs in the page: gives the figure the steps of a series, one by one. @param {any} made */
async function bring({ series }) {
  const figure = /** @type {any} */ (document.querySelector('attn-view'));
  for (let count = 1; count <= series.length; count++) {
    figure.series = series.slice(0, count);
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
}

/** Runs in the page: whether the course is measured. @param {number} steps */
const isCourseWhole = (steps) => {
  const { data } = /** @type {any} */ (document.querySelector('attn-view'));
  return data?.course?.reports.size === steps && data.course.dates !== undefined;
};

/** Runs in the page: keeps the times of its frames in `frameTimes`, until it is called again. */
const watchFrames = () => {
  const frameTimes = /** @type {number[]} */ ([]);
  Object.assign(window, { frameTimes });
  let last = performance.now();
  const next = (/** @type {number} */ time) => {
    frameTimes.push(time - last);
    last = time;
    if (Reflect.get(window, 'frameTimes') === frameTimes) requestAnimationFrame(next);
  };
  requestAnimationFrame(next);
};

/**
 * Measures the frames while something is done.
 * @param {Page} page
 * @param {string} shape
 * @param {() => Promise<unknown>} act
 * @returns {Promise<Part[]>}
 */
async function framesOf(page, shape, act) {
  await page.evaluate(watchFrames);
  await act();
  /** @type {number[]} */
  const times = await page.evaluate(() => Reflect.get(window, 'frameTimes'));
  times.sort((a, b) => a - b);
  const at = (/** @type {number} */ share) => times[Math.floor(share * (times.length - 1))];
  return [
    { row: 'viewing-median', backend: 'simd', shape, value: at(0.5) },
    { row: 'viewing-95', backend: 'simd', shape, value: at(0.95) },
    { row: 'viewing', backend: 'simd', shape, value: at(1) },
  ];
}

/** What a reader does with a long text. @param {Page} page @returns {Record<string, () => Promise<unknown>>} */
function actsOnLong(page) {
  const whole = () => page.waitForFunction(isMeasured, undefined, { timeout: TIMEOUT });
  const settled = () => page.waitForTimeout(600);
  const hover = async () => {
    const box = await page.locator('attn-view canvas.cells').boundingBox();
    if (!box) throw new Error('there is no picture');
    for (let i = 0; i < MOVES; i++) {
      const [x, y] = [Math.sin(i / 9), Math.cos(i / 7)].map((share) => 0.5 + 0.45 * share);
      await page.mouse.move(box.x + x * box.width, box.y + y * box.height);
    }
    await settled();
  };
  const zoom = async (/** @type {number} */ button) => {
    await page.locator('attn-view .zoom button').nth(button).click();
    await page.waitForTimeout(300);
    await whole();
  };
  const set = (/** @type {object} */ state) =>
    page.locator('attn-view').evaluate((figure, given) => void Object.assign(figure, given), state);
  return {
    hover,
    zoom: async () => {
      for (const button of [0, 0, 1, 1]) await zoom(button);
    },
    row: async () => {
      for (let i = 0; i < MOVES; i++) {
        await set({ row: 1 + 131 * i });
        await page.waitForTimeout(16);
      }
      await settled();
    },
    why: async () => {
      await set({ without: '0' });
      await page.locator('attn-view .why tbody tr').first().waitFor();
      await hover();
    },
  };
}

/** @returns {Promise<EngineReport>} */
export async function measureViewing() {
  /** @type {EngineReport} */
  const report = { name: 'Viewing in Chromium', notRun: [], parts: [] };
  const plain = PLAIN.map((path) => [path, readFileSync(`.${path}`, 'utf8')]);
  const files = { ...(await bundleFigures()), ...Object.fromEntries(plain), '/page.html': PAGE };
  const server = await serve(files, POLICIES);
  const browser = await launch([], { executablePath: WHOLE });
  const page = await (await browser.newContext(SCREEN)).newPage();
  const open = async () => {
    await page.goto(`${server.origin}/page.html`);
    await page.locator('attn-view [part=plot] svg').first().waitFor();
  };
  const add = async (/** @type {string} */ shape, /** @type {() => Promise<unknown>} */ act) => {
    const found = await framesOf(page, shape, act).catch(
      (thrown) => void report.notRun.push(`${shape}: ${thrown}`),
    );
    report.parts.push(...(found ?? []));
    process.stderr.write('.');
  };
  try {
    await open();
    const value = await page.evaluate(timePlain, PLAIN[0]);
    report.parts.push({ row: 'viewing-plain', backend: 'simd', shape: '512×64', value });
    const text = await page.evaluateHandle(makeLong, LONG);
    await add('a text comes', async () => {
      await page.evaluate(show, text);
      await page.waitForFunction(isMeasured, undefined, { timeout: TIMEOUT });
    });
    for (const [shape, act] of Object.entries(actsOnLong(page))) await add(shape, act);
    for (const isFile of [false, true]) {
      await open();
      const course = await page.evaluateHandle(makeCourse, { ...COURSE, isFile });
      await add(isFile ? 'steps in one file' : 'steps one by one', async () => {
        await (isFile ? page.evaluate(show, course) : page.evaluate(bring, course));
        const options = { timeout: TIMEOUT };
        await page.waitForFunction(isCourseWhole, COURSE.steps, options);
      });
    }
  } finally {
    await browser.close();
    await server.close();
  }
  return report;
}

if (process.argv[1] && import.meta.url === pathToFileURL(process.argv[1]).href) {
  const [load] = loadavg();
  const { parts, notRun } = await measureViewing();
  console.log(`\nload ${load.toFixed(1)}`);
  for (const { row, shape, value } of parts) console.log(`${row} ${shape}: ${value.toFixed(1)} ms`);
  for (const what of notRun) console.log(`not run: ${what}`);
}
