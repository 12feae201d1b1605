// How long the frames of a figure take while its main slider is dragged on a phone's screen, at the full
// speed of the processor and at that of a phone.
import { readFileSync } from 'node:fs';
import { bundleFigures } from '../browser/bundle.js';
import { launch, serve, WHOLE } from '../browser/serve.js';
import { FIGURES } from '../../web/build/paths.js';

/**
 * @import { CDPSession, Page } from 'playwright-core'
 * @import { EngineReport } from './plan.js'
 * @import { Part } from './measure/results.js'
 */

const SCREEN = { viewport: { width: 390, height: 844 }, deviceScaleFactor: 2 };
/** Milliseconds that attention in plain JavaScript takes on a phone: 512 queries and keys of length 64. */
const PHONE = 124;
/** The modules with which a page measures it here. */
export const PLAIN = ['/tests/bench/peers/plain.js', '/web/experiments/plain-additive.js'];
/** Frames to drag through, and those at the start that do not count. */
const FRAMES = { all: 130, first: 10 };

const PAGE = `<!doctype html><html lang="en"><meta name="viewport" content="width=device-width">
<title>dragging</title><script type="module" src="/figures.js"></script>`;

/**
 * Runs in the page: moves the first slider of a figure in each frame.
 * @param {{ name: string, frames: typeof FRAMES }} options
 * @returns {Promise<number | undefined>} the 95th percentile of the frames in milliseconds; undefined
 *   without a slider
 */
async function drag({ name, frames }) {
  const root = document.querySelector(`attn-${name}`)?.shadowRoot;
  const slider = /** @type {HTMLInputElement | null} */ (
    root?.querySelector('input[type=range]') ?? null
  );
  if (!slider) return undefined;
  const [min, max] = [Number(slider.min), Number(slider.max)];
  const times = [];
  let last = 0;
  for (let i = 0; i <= frames.all; i++) {
    const time = await new Promise(requestAnimationFrame);
    if (i > frames.first) times.push(time - last);
    last = time;
    const share = Math.abs((2 * i) / frames.all - 1); // to the left and back
    slider.value = String(min + (max - min) * (0.05 + 0.9 * share));
    slider.dispatchEvent(new Event('input', { bubbles: true, composed: true }));
  }
  slider.dispatchEvent(new Event('change', { bubbles: true }));
  times.sort((a, b) => a - b);
  return times[Math.floor(0.95 * times.length)];
}

/** Runs in the page: measures that attention. @param {string} module @returns {Promise<number>} the least milliseconds of 9 calls */
export async function timePlain(module) {
  /** @type {typeof import('./peers/plain.js')} */
  const { plain } = await import(module);
  const draw = () => ({ data: Float32Array.from({ length: 512 * 64 }, (_, i) => Math.sin(i)) });
  const inputs = { query: draw(), key: draw(), value: draw() };
  const problem = /** @type {any} */ ({ task: 'forward', inputs, n: 512, d: 64, heads: 1 });
  const call = await plain.prepare(problem);
  const times = Array.from({ length: 9 }, () => {
    const start = performance.now();
    call();
    return performance.now() - start;
  });
  return Math.min(...times);
}

/**
 * @param {{ page: Page, session: CDPSession, origin: string }} browser
 * @param {string} name
 * @param {{ row: string, rate: number }} options the part of goals.js, and how many times slower the processor is made
 * @returns {Promise<Part[]>} none of a figure without a slider
 */
async function measureFigure({ page, session, origin }, name, { row, rate }) {
  await page.goto(`${origin}/page.html`);
  await page.evaluate(
    (figure) => document.body.append(document.createElement(figure)),
    `attn-${name}`,
  );
  await page.locator(`attn-${name} [part=plot] svg`).first().waitFor();
  await page.waitForTimeout(1000); // the full sample
  await session.send('Emulation.setCPUThrottlingRate', { rate });
  const value = await page.evaluate(drag, { name, frames: FRAMES });
  await session.send('Emulation.setCPUThrottlingRate', { rate: 1 });
  return value === undefined ? [] : [{ row, backend: 'simd', shape: name, value }];
}

/** Measures every figure with a slider. @returns {Promise<EngineReport>} */
export async function measureDragging() {
  /** @type {EngineReport} */
  const report = { name: 'Dragging in Chromium', notRun: [], parts: [] };
  const plain = PLAIN.map((path) => [path, readFileSync(`.${path}`, 'utf8')]);
  const files = { ...(await bundleFigures()), ...Object.fromEntries(plain), '/page.html': PAGE };
  const server = await serve(files);
  const browser = await launch([], { executablePath: WHOLE });
  const page = await (await browser.newContext(SCREEN)).newPage();
  const session = await page.context().newCDPSession(page);
  const given = { page, session, origin: server.origin };
  try {
    await page.goto(`${server.origin}/page.html`);
    const rate = Math.max(1, PHONE / (await page.evaluate(timePlain, PLAIN[0])));
    report.parts.push({ row: 'phone', backend: 'simd', shape: '512×64', value: rate });
    const rows = [
      { row: 'dragging', rate: 1 },
      { row: 'dragging-phone', rate },
    ];
    for (const name of FIGURES) {
      for (const options of rows) {
        const part = measureFigure(given, name, options);
        const found = await part.catch((thrown) => void report.notRun.push(`${name}: ${thrown}`));
        report.parts.push(...(found ?? []));
        process.stderr.write('.');
      }
    }
  } finally {
    await browser.close();
    await server.close();
  }
  return report;
}
