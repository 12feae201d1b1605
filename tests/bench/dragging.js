// How long the frames of a figure take while its main slider is dragged on a phone's screen, at the full
// speed of the processor and at a quarter of it.
import { bundleFigures } from '../browser/bundle.js';
import { launch, serve, WHOLE } from '../browser/serve.js';
import { FIGURES } from '../../web/build/paths.js';

/**
 * @import { CDPSession, Page } from 'playwright-core'
 * @import { EngineReport } from './plan.js'
 * @import { Part } from './measure/results.js'
 */

const SCREEN = { viewport: { width: 390, height: 844 }, deviceScaleFactor: 2 };
/** The parts of goals.js, with how many times slower than it is the processor is made. */
const ROWS = [
  { row: 'dragging', rate: 1 },
  { row: 'dragging-slow', rate: 4 },
];
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

/**
 * @param {{ page: Page, session: CDPSession, origin: string }} browser
 * @param {string} name
 * @param {typeof ROWS[0]} options
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
  const server = await serve({ ...(await bundleFigures()), '/page.html': PAGE });
  const browser = await launch([], { executablePath: WHOLE });
  const page = await (await browser.newContext(SCREEN)).newPage();
  const session = await page.context().newCDPSession(page);
  const given = { page, session, origin: server.origin };
  try {
    for (const name of FIGURES) {
      for (const options of ROWS) {
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
