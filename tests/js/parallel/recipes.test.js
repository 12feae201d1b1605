/** The recipes of pools that run outside a notebook. */
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { attention, randomNormal } from '../../../web/attention/index.js';

const recipe = (/** @type {string} */ name) =>
  new URL(`../../../web/site/recipes/pool/${name}`, import.meta.url);

test('the script prints its shapes, and ends though its pool is open', () => {
  const path = fileURLToPath(recipe('script.js'));
  const printed = execFileSync(process.execPath, [path], { encoding: 'utf8', timeout: 120_000 });
  assert.match(printed, /8, 1024, 64 .* 8, 1024, 1024/);
});

test('the slider shows the number of its last value', async () => {
  const elements = /** @type {Record<string, any>} */ ({ input: { value: '1' }, output: {} });
  const document = { querySelector: (/** @type {string} */ name) => elements[name] };
  Object.assign(globalThis, { document });
  await import(recipe('slider.js').href);
  const moves = ['1', '2', '3', '4'].map((value) => {
    elements.input.value = value;
    return elements.input.oninput();
  });
  await Promise.all(moves);
  const [query, key, value] = [1, 2, 3].map((seed) => randomNormal([8000, 64], { seed }));
  const first = { ...query, data: query.data.slice(0, 64), shape: [1, 64] };
  const { logSumExp } = attention(first, key, value, { temperature: 4, returns: ['logSumExp'] });
  assert.ok(Math.abs(Number(elements.output.value) - logSumExp.data[0]) < 1e-3);
});
