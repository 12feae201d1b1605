/**
 * How calls are cut: no function and no setting can be forgotten on the way to a worker.
 */
import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import { afterEach, test } from 'node:test';
import { attention, randomNormal } from '../../../web/attention/index.js';
import { SCORING_CUTS } from '../../../web/attention/settings.js';
import { WORKS } from '../../../web/attention/works.js';
import { merge } from '../../../web/parallel/part.js';
import { planCall } from '../../../web/parallel/plan.js';
import { eagerPool } from './problems.js';

/**
 * @import { Scoring } from '../../../web/attention/settings.js'
 * @import { Cuts, Work } from '../../../web/attention/work.js'
 */

const { attention: original } = WORKS;
afterEach(() => {
  WORKS.attention = original;
});

/** Two items of six heads, of which two share one of key and value. */
const [query, key] = [
  randomNormal([2, 6, 16, 4], { seed: 1 }),
  randomNormal([2, 3, 9, 4], { seed: 2 }),
];

/**
 * Adds to attention a setting that has a number for each head.
 *
 * @param {object} cuts of the settings added
 * @param {(settings: any, inputs: any) => void} onCompute receives the settings of each part
 */
function addSetting(cuts, onCompute) {
  const work = /** @type {Required<Work>} */ (original);
  const settingCuts = /** @type {object} */ (work.cuts.settings);
  WORKS.attention = {
    ...work,
    prepare(caller, ...args) {
      const call = work.prepare(caller, ...args);
      const settings = { ...call.data.settings, slopes: Float32Array.of(0, 1, 2, 3, 4, 5) };
      return { ...call, data: { ...call.data, settings } };
    },
    compute(kernel, data, results) {
      onCompute(data.settings, data.inputs);
      return work.compute(kernel, data, results);
    },
    cuts: { ...work.cuts, settings: { ...settingCuts, ...cuts } },
  };
}

test('a new setting reaches each part, cut as it says', async () => {
  const { pool, parts } = eagerPool(0);
  parts.count = 12;
  /** @type {number[]} */
  const seen = [];
  const cut = (/** @type {Float32Array} */ slopes, /** @type {any} */ { heads }) =>
    slopes.slice(...heads);
  addSetting({ slopes: cut }, ({ slopes }, { heads }) => {
    assert.equal(slopes.length, heads);
    seen.push(...slopes);
  });
  const { output } = await pool.call('attention', [query, key, key]);
  assert.deepEqual(output.data, attention(query, key, key).output.data);
  assert.deepEqual(seen.sort(), [0, 0, 1, 1, 2, 2, 3, 3, 4, 4, 5, 5]);
  pool.dispose();
});

test('a setting that does not say how it is cut ends the call instead of being dropped', async () => {
  const { pool } = eagerPool(0);
  addSetting({}, () => assert.fail('a part was computed without the setting'));
  await assert.rejects(pool.call('attention', [query, key, key]), /slopes does not say/);
  pool.dispose();
});

test('the types refuse cuts that lack a setting', () => {
  /** @type {Cuts<Scoring & { slopes: Float32Array }>} */
  // @ts-expect-error: slopes are missing
  const cuts = SCORING_CUTS;
  assert.ok(!('slopes' in cuts));
});

test('every setting of attention reaches the workers, but for those of the thread that calls', () => {
  const options = { causal: true, mask: [Array(9).fill(true)], sink: 1, softcap: 2 };
  const [[part]] = planCall('attention', [query, key, key, options]).cut?.(2) ?? [];
  const { settings, inputs } = /** @type {any} */ (merge(part.shared, part.own));
  const call = original?.prepare('attention', query, key, key, options);
  const names = (/** @type {object} */ object) => Object.keys(object).sort();
  assert.ok(call);
  const { returns, into, limit, ...sent } = call.data.settings;
  assert.deepEqual([returns, into, limit], [[], undefined, undefined]);
  assert.deepEqual(names(settings), names(sent));
  assert.deepEqual(names(settings.scoring), names(sent.scoring));
  assert.deepEqual(
    names(inputs),
    names(call.data.inputs).filter((name) => name !== 'lead'),
  );
});

test('a map of one head is cut between blocks of queries, where a tile of the kernel ends too', () => {
  const queriesOf = (/** @type {number} */ n, /** @type {number} */ rows) => {
    const x = randomNormal([n, 4], { seed: 1 });
    const [parts] = planCall('attentionMap', [x, x, { rows, columns: 3 }]).cut?.(4) ?? [];
    return parts.map(({ own }) => /** @type {any} */ (own).inputs.nQ);
  };
  assert.deepEqual(queriesOf(64, 16), [16, 16, 16, 16]);
  assert.deepEqual(queriesOf(48, 4), [24, 24]);
  assert.deepEqual(queriesOf(61, 16), [61]);
});

test('every description beside a function is found', async () => {
  const folder = new URL('../../../web/attention/', import.meta.url);
  const files = readdirSync(folder).filter((name) => name.endsWith('.js'));
  const modules = await Promise.all(files.map((name) => import(new URL(name, folder).href)));
  const described = modules.flatMap(({ works = {} }) => Object.entries(works));
  assert.deepEqual(Object.fromEntries(described), WORKS);
  assert.ok(described.length > 15);
});
