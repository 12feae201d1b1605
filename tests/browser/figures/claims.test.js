// <attn-claims> in Chromium: every claim gets its number, in either language, without stopping the page.

import assert from 'node:assert/strict';
import { it } from 'node:test';
import { shadowText, useBench, until } from './bench.js';
import { waitUntil } from '../../wait.js';
import { FAMILIES, setFont } from './fonts.js';
import { CLAIM_KEYS, numberOf } from '../../../web/experiments/claims.js';

const NAME = 'attn-claims';
const ALL = `root?.querySelector('[role=status]')?.textContent.includes('All ${CLAIM_KEYS.length}')`;
const bench = useBench({ fonts: true });

/** @param {import('playwright-core').Page} tab @returns {Promise<string[]>} */
const outputs = (tab) =>
  tab
    .locator(`${NAME} [part=claim] output`)
    .evaluateAll((all) => all.map((output) => output.textContent?.trim() ?? ''));

/** Returns the number of a claim. @param {Parameters<typeof numberOf>[0]} key @param {string[]} all of the ledger */
const of = (key, all) => all[numberOf(key) - 1];

/** Returns the heights of the ledger in usual fonts, in windows of usual widths. @param {import('playwright-core').Page} tab */
async function heights(tab) {
  await until(tab, `root?.querySelectorAll('[part=claim]').length === ${CLAIM_KEYS.length}`, NAME);
  const found = [];
  for (const family of FAMILIES) {
    await setFont(tab, family);
    for (const width of [700, 390, 340, 320, 1000]) {
      await tab.setViewportSize({ width, height: 900 });
      found.push(await tab.locator(NAME).evaluate((ledger) => ledger.clientHeight));
    }
  }
  return found;
}

it('decides every claim, reports it once, and leaves the page its frames; it has the same numbers in both languages, and the height that it had before', async () => {
  const body = `<div class="far"></div><${NAME}></${NAME}>`;
  const other = await bench.open(body, { lang: 'zh' });
  const tab = await bench.open(body);
  const empty = [await heights(tab), await heights(other)];
  for (const page of [tab, other]) assert.ok((await outputs(page)).every((text) => text === ''));
  await other.close();
  const { said, frames } = await tab.evaluate(async ([name, all]) => {
    const ledger = document.querySelector(name);
    const found = new Set();
    const measured = () => Reflect.get(ledger ?? {}, 'results').size;
    let count = 0; // of frames while it measures
    const isOver = () => {
      if (measured() < all) count++;
      found.add(ledger?.shadowRoot?.querySelector('[role=status]')?.textContent);
      return found.size >= 2 && measured() === all;
    };
    ledger?.scrollIntoView();
    await waitUntil(isOver, 'a number for every claim', { frames: true });
    return { said: [...found], frames: count };
  }, /** @type {const} */ ([NAME, CLAIM_KEYS.length]));
  assert.ok(frames >= 20, String(frames));
  assert.deepEqual(said, [
    `Measuring ${CLAIM_KEYS.length} claims on this device.`,
    `All ${CLAIM_KEYS.length} claims measured on this device.`,
  ]);
  await until(tab, ALL, NAME);
  const english = await outputs(tab);
  assert.equal(english.length, CLAIM_KEYS.length);
  for (const text of english) assert.match(text, /\d/);
  // An output is spoken whenever it changes, unless it says that it is not to be.
  const spoken = tab.locator(`${NAME} output:not([aria-live=off])`);
  assert.equal(await spoken.count(), 0);
  assert.match(of('variance', english), /^±6\d\.\d/);
  assert.match(of('oneHot', english), /1\.57×10⁻²¹.* 0$/);
  assert.doesNotMatch(await shadowText(tab, NAME), /\p{Script=Han}/u);
  const full = [await heights(tab)];
  await tab.locator(`${NAME} select`).selectOption('zh');
  await until(tab, "root.textContent.includes('均已在本机测量')", NAME);
  assert.equal(await tab.locator(NAME).getAttribute('lang'), 'zh');
  const chinese = await outputs(tab);
  assert.equal(of('heads', english).match(/1,048,576/g)?.length, 3);
  assert.equal(of('heads', chinese).match(/1048576/g)?.length, 3);
  full.push(await heights(tab));
  assert.deepEqual(full, empty);
});

it('begins only near the viewport, stops when it leaves, and then goes on', async () => {
  const tab = await bench.open(
    `<div class="far"></div>${'<attn-claims></attn-claims>'}<div class="far"></div>`,
  );
  await tab.waitForTimeout(300);
  assert.ok((await outputs(tab)).every((text) => text === ''));
  // In the page, since from outside it might be seen to begin when it is all over.
  const left = await tab.evaluate(async (all) => {
    const ledger = /** @type {Element} */ (document.querySelector('attn-claims'));
    const next = /** @type {Element} */ (ledger.nextElementSibling);
    const results = /** @type {Map<string, unknown>} */ (Reflect.get(ledger, 'results'));
    const sets = Object.assign(globalThis, { sets: /** @type {string[]} */ ([]) }).sets;
    results.set = (claim, values) => {
      sets.push(claim);
      return Map.prototype.set.call(results, claim, values);
    };
    let aborts = 0;
    const { abort } = AbortController.prototype;
    AbortController.prototype.abort = function (...args) {
      aborts++;
      abort.apply(this, args);
    };
    const comes = (/** @type {() => boolean} */ condition) =>
      waitUntil(condition, `${condition}`, { frames: true });
    const more = () => {
      const known = results.size;
      return comes(() => results.size > known);
    };
    ledger.scrollIntoView();
    await more();
    scrollTo(0, 0);
    // The page hears of its leaving a frame later, and the worker may measure much in a frame.
    await comes(() => aborts > 0 || results.size === all);
    const counts = [aborts];
    ledger.scrollIntoView();
    await more();
    ledger.remove();
    counts.push(aborts);
    next.before(ledger);
    return { counts, size: results.size };
  }, CLAIM_KEYS.length);
  assert.deepEqual(left.counts, [1, 2]);
  assert.ok(left.size < CLAIM_KEYS.length, 'it stopped before the end');
  await tab.locator(NAME).scrollIntoViewIfNeeded();
  await until(tab, ALL, NAME);
  const sets = /** @type {string[]} */ (await tab.evaluate('sets'));
  assert.deepEqual(
    sets.toSorted(),
    CLAIM_KEYS.toSorted(), // each of them once
  );
});

it('shows why it stopped, keeps its numbers, and goes on after Retry', async () => {
  const tab = await bench.open(`<div class="far"></div><attn-claims></attn-claims>`);
  await tab.evaluate(() => {
    const { Worker } = globalThis;
    Reflect.deleteProperty(globalThis, 'Worker'); // the clock of a worker goes on
    const read = performance.now.bind(performance);
    const ledger = document.querySelector('attn-claims') ?? {};
    performance.now = () => {
      if (Reflect.get(ledger, 'results').size > 2) throw new Error('the clock has stopped');
      return read();
    };
    const repair = () => {
      performance.now = read;
      Object.assign(globalThis, { Worker }); // the page alone would take minutes for the rest on a busy machine
    };
    Object.assign(globalThis, { repair });
  });
  await tab.locator(NAME).scrollIntoViewIfNeeded();
  await tab.locator(`${NAME} [part~=retry]`).waitFor();
  const failure = await tab.locator(`${NAME} [part~=failure] p`).textContent();
  assert.equal(failure, 'The measurements stopped: the clock has stopped');
  assert.equal(await tab.locator(`${NAME} [role=status]`).textContent(), failure);
  const known = (await outputs(tab)).filter((text) => text !== '');
  assert.ok(known.length > 0 && known.length < CLAIM_KEYS.length, String(known.length));
  await tab.evaluate('repair()');
  // Scrolling away and back is no retry: a failure that is shown is not over.
  await tab.evaluate(() => scrollTo(0, 0));
  await tab.waitForTimeout(200);
  await tab.locator(NAME).scrollIntoViewIfNeeded();
  await tab.waitForTimeout(500);
  assert.equal((await outputs(tab)).filter((text) => text !== '').length, known.length);
  assert.equal(await tab.locator(`${NAME} [part~=failure]`).count(), 1);
  await tab.locator(`${NAME} [part~=retry]`).click();
  await until(tab, ALL, NAME);
  assert.equal(await tab.locator(`${NAME} [part~=failure]`).count(), 0);
});
