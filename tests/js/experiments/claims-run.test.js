// @slow
// A run through the ledger: which claims it measures, in which order, and what is left when it is stopped.
import assert from 'node:assert/strict';
import { it } from 'node:test';
import {
  CLAIM_KEYS,
  measureClaim,
  measureClaims,
  numberOf,
} from '../../../web/experiments/claims.js';

/** @import { ClaimKey } from '../../../web/experiments/claims.js' */

it('hands out the rows of each chosen claim', async () => {
  /** @type {ClaimKey[]} */
  const order = [];
  /** @type {ClaimKey[]} */
  const claims = ['oneHot', 'heads'];
  const rows = await measureClaims({
    claims,
    onProgress: ({ rows: [row] }) => order.push(row.claim),
  });
  assert.deepEqual(order, claims);
  assert.equal(rows.length, 5);
});

it('stops when its signal aborts, with the claims that are complete', async () => {
  const controller = new AbortController();
  const onProgress = () => controller.abort();
  /** @type {ClaimKey[]} */
  const claims = ['expOfFifty', 'oneHot', 'keysAsValues'];
  const rows = await measureClaims({ claims, signal: controller.signal, onProgress });
  assert.deepEqual([...new Set(rows.map(({ claim }) => claim))], ['expOfFifty']);
  assert.deepEqual(await measureClaims({ claims, signal: AbortSignal.abort() }), []);
});

it('gives out no row of a claim that was cut short', async () => {
  let asked = 0;
  const signal = /** @type {AbortSignal} */ ({
    get aborted() {
      return ++asked > 3;
    },
  });
  /** @type {unknown[]} */
  const given = [];
  const rows = await measureClaims({
    claims: ['nearlyUniform'],
    signal,
    onProgress: (progress) => given.push(progress.rows),
  });
  assert.ok(asked > 3);
  assert.deepEqual([rows, given], [[], []]);
});

it('may be stopped at any moment, and no claim fails because a measurement is missing', async () => {
  for (const chances of [0, 1, 20]) {
    for (const claim of CLAIM_KEYS) {
      let asked = 0;
      const signal = /** @type {AbortSignal} */ ({
        get aborted() {
          return asked++ >= chances;
        },
      });
      const rows = await measureClaim({ claim, signal });
      assert.ok(rows.length > 0 && rows.every(({ value }) => typeof value === 'number'));
    }
  }
});

it('numbers the claims in the order of the ledger', () => {
  assert.deepEqual(
    CLAIM_KEYS.map(numberOf),
    CLAIM_KEYS.map((_, index) => index + 1),
  );
});
