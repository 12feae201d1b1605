// @slow
// Long experiments in a worker, against the same on this thread.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { inWorker } from '../../../web/experiments/in-worker.js';
import { measureClaims } from '../../../web/experiments/claims.js';
import { measureRecall } from '../../../web/experiments/recall.js';
import { measureTraining } from '../../../web/experiments/training.js';
import { NoWorker, runApart } from '../../../web/parallel/apart.js';

const TRAINING = { task: /** @type {const} */ ('retrieve'), dK: 16, repetitions: 1, steps: 60 };
const RECALL = { dimensions: [2], seeds: 1, steps: 200 };

describe('an experiment in a worker', () => {
  it('gives the rows that this thread gives, with progress on the way', async () => {
    /** @type {number[]} */
    const fractions = [];
    const onProgress = (/** @type {{ fraction: number }} */ { fraction }) =>
      fractions.push(fraction);
    const rows = await inWorker('training', measureTraining, TRAINING, { onProgress });
    assert.deepEqual(rows, await measureTraining(TRAINING));
    assert.deepEqual(await inWorker('recall', measureRecall, RECALL), await measureRecall(RECALL));
    assert.ok(fractions.length > 0 && fractions.every((each) => each > 0 && each <= 1));
  });

  it('passes on the rows of claim after claim', async () => {
    /** @type {unknown[]} */
    const seen = [];
    const onProgress = (/** @type {{ rows: unknown[] }} */ { rows }) => seen.push(...rows);
    const claims = /** @type {const} */ (['variance', 'oneHot']);
    const rows = await inWorker('claims', measureClaims, { claims }, { onProgress });
    assert.deepEqual(rows, await measureClaims({ claims }));
    assert.deepEqual(seen, rows);
  });

  it('ends with the rows so far when its signal aborts', async () => {
    const abort = new AbortController();
    /** @type {unknown[]} */
    let last = [];
    const rows = await inWorker(
      'training',
      measureTraining,
      { ...TRAINING, steps: 1e6 },
      {
        signal: abort.signal,
        onProgress: ({ rows: so }) => {
          last = so;
          abort.abort();
        },
      },
    );
    assert.equal(rows, last);
    const control = { signal: AbortSignal.abort() };
    assert.deepEqual(await inWorker('recall', measureRecall, RECALL, control), []);
  });

  it('rejects with the message of an experiment that fails', async () => {
    await assert.rejects(
      inWorker('recall', measureRecall, { ...RECALL, dimensions: [-1] }),
      /randomNormal: shape\[0\] is -\d+, expected a non-negative integer/,
    );
  });
});

describe('a job in a worker', () => {
  it('says that there is no worker, where its text fails or it ends by itself', async () => {
    await assert.rejects(runApart('throw new Error("refused")', {}), NoWorker);
    await assert.rejects(runApart('process.exit(3)', {}), NoWorker);
  });
});
