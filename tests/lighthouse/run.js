// Lighthouse on the built article, as a phone on a slow network: three runs a language, the median
// against the project's goals. Also prints when the first figure is live.
//   ./build.sh lighthouse [observed]
// Lighthouse loads the page at full speed and calculates the times of a slow phone; `live` is then as
// it was at full speed. With `observed`, network and processor are really slowed down, and no goal is
// judged. Both say little while the machine has other work.
import lighthouse from 'lighthouse';
import { launch } from 'puppeteer-core';
import { serve } from '../../web/build/serve.js';
import { LANGUAGE_KEYS } from '../../web/shared/languages.js';

const LIVE = 'first figure live';
const GOALS = { performance: 95, accessibility: 100, live: 1000 };

const observed = process.argv[2] === 'observed';

/** In the page: notes when the first figure has been drawn by the kernel and takes input. */
function watch(/** @type {string} */ name) {
  const look = () => {
    const figure = [...document.querySelectorAll('*')].find((each) =>
      each.localName.startsWith('attn-'),
    );
    if (figure?.shadowRoot?.querySelector('[part=plot] > svg text')) performance.mark(name);
    else requestAnimationFrame(look);
  };
  look();
}

/**
 * @param {import('puppeteer-core').Browser} browser
 * @param {string} url
 * @param {'simulate' | 'devtools'} throttlingMethod
 */
async function measure(browser, url, throttlingMethod) {
  const page = await browser.newPage();
  await page.evaluateOnNewDocument(watch, LIVE);
  const flags = { throttlingMethod, onlyCategories: ['performance', 'accessibility'] };
  const result = await lighthouse(url, flags, undefined, page);
  await page.close();
  if (!result || result.lhr.runtimeError) throw new Error(result?.lhr.runtimeError?.message);
  const { audits, categories } = result.lhr;
  const value = (/** @type {string} */ audit) => audits[audit].numericValue ?? NaN;
  const timings = /** @type {any} */ (audits['user-timings'].details)?.items ?? [];
  return {
    performance: Math.round(100 * (categories.performance.score ?? NaN)),
    accessibility: Math.round(100 * (categories.accessibility.score ?? NaN)),
    shift: value('cumulative-layout-shift'),
    live: timings.find((/** @type {any} */ { name }) => name === LIVE)?.startTime ?? NaN,
    FCP: value('first-contentful-paint'),
    LCP: value('largest-contentful-paint'),
    blocking: value('total-blocking-time'),
    SI: value('speed-index'),
  };
}

/** @typedef {Awaited<ReturnType<typeof measure>>} Measured */

/** @param {Measured[]} runs  @returns {Measured} the middle of each figure by itself */
function median(runs) {
  const names = /** @type {(keyof Measured)[]} */ (Object.keys(runs[0]));
  const middle = (/** @type {keyof Measured} */ name) =>
    runs.map((run) => run[name]).sort((a, b) => a - b)[Math.floor(runs.length / 2)];
  return /** @type {Measured} */ (Object.fromEntries(names.map((name) => [name, middle(name)])));
}

const show = (/** @type {string} */ name, /** @type {Measured} */ measured) =>
  console.log(
    [name, ...Object.entries(measured).map(([key, value]) => `${key} ${+value.toFixed(3)}`)].join(
      '  ',
    ),
  );

/** @param {Measured} measured @returns {string[]} the goals that are missed */
const missed = ({ performance, accessibility, shift, live }) =>
  [
    performance < GOALS.performance && `performance ${performance} < ${GOALS.performance}`,
    accessibility < GOALS.accessibility && `accessibility ${accessibility}`,
    shift > 0 && `layout shift ${shift}`,
    !(live <= GOALS.live) && `first figure live after ${live.toFixed(0)} ms > ${GOALS.live} ms`,
  ].filter((each) => typeof each === 'string');

const { url, close } = await serve();
const browser = await launch({
  executablePath: process.env.CHROMIUM,
  args: ['--no-sandbox', '--disable-gpu', '--headless'],
});
try {
  for (const lang of LANGUAGE_KEYS) {
    const runs = [];
    for (let run = 1; run <= 3; run++) {
      const measured = await measure(
        browser,
        `${url}/${lang}/`,
        observed ? 'devtools' : 'simulate',
      );
      show(`/${lang}/ run ${run}`, measured);
      runs.push(measured);
    }
    const middle = median(runs);
    show(`/${lang}/ median`, middle);
    for (const miss of observed ? [] : missed(middle)) {
      console.error(`/${lang}/ ${miss}`);
      process.exitCode = 1;
    }
  }
} finally {
  await browser.close();
  close();
}
