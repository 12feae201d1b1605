/** What a caller of a pool sees: results, options, errors, aborted and dropped calls, workers that fail. */
import assert from 'node:assert/strict';
import { afterEach, test } from 'node:test';
import * as functions from '../../../web/attention/functions.js';
import * as lab from '../../../web/attention/index.js';
import { createPool } from '../../../web/parallel/index.js';
import { Memory } from '../../../web/parallel/memory.js';
import { callsOf } from '../attention/functions.js';
import { eagerPool } from './eager.js';

const FUNCTIONS = callsOf(lab);

/** @type {{ dispose: () => void }[]} */
const open = [];
afterEach(() => open.splice(0).forEach((pool) => pool.dispose()));

/** Returns an eager pool that is disposed of after the test. @param {number} [workers] */
function startEager(workers = 2) {
  const eager = eagerPool(workers);
  open.push(eager.pool);
  return eager;
}

/** Returns a pool that is disposed of after the test. @param {Parameters<typeof createPool>[0]} [options] */
function start(options) {
  const pool = createPool(options);
  open.push(pool);
  return pool;
}

const draw = (/** @type {number[]} */ ...shape) => lab.randomNormal(shape, { seed: 1 });
/** @type {[lab.Tensor, lab.Tensor, lab.Tensor]} */
const long = [draw(4, 600, 32), draw(4, 600, 32), draw(4, 600, 32)];
const whole = lab.attention(...long).output.data;

test('a pool has every function of the package, and returns the same results', async () => {
  const pool = start({ workers: 2 });
  assert.deepEqual(Object.keys(pool).sort(), [...Object.keys(functions), 'dispose', 'size'].sort());
  for (const [name, { call, args }] of Object.entries(FUNCTIONS)) {
    const result = await Reflect.get(pool, name)(...args);
    assert.deepEqual(result, call(...args), name);
  }
});

test('results and options have the types of the function of the same name', async () => {
  const pool = start({ workers: 1 });
  const x = draw(4, 2);
  const { signal } = new AbortController();
  const { weights } = await pool.attention(x, x, x, { returns: ['weights'], causal: true, signal });
  assert.deepEqual(weights.shape, [4, 4]);
  const { scores, logSumExp } = await pool.attentionScores(x, x, { returns: 'logSumExp' });
  assert.deepEqual([scores.shape, logSumExp.shape], [[4, 4], [4]]);
  assert.equal((await pool.describe(x, { signal })).count, 8);
  // @ts-expect-error: additive attention has weights among its options
  await assert.rejects(pool.additiveAttention(x, x, x), lab.DTypeError);
  // @ts-expect-error: no such result
  await assert.rejects(pool.attention(x, x, x, { returns: ['key'] }), lab.DTypeError);
});

test('options of the pool are checked', () => {
  const wrong = /** @type {any[]} */ ([
    { worker: 1 },
    { workers: -1 },
    { workers: 65 },
    { backend: 'gpu' },
  ]);
  for (const options of wrong) assert.throws(() => createPool(options), lab.DTypeError);
  assert.equal(start({ workers: 3 }).size, 3);
  assert.ok(start().size >= 1 && start().size <= 8);
});

test('errors keep their class, code and message', async () => {
  const pool = start({ workers: 1 });
  const [query, key] = [draw(4, 3), draw(4, 2)];
  await assert.rejects(pool.attention(query, key, key), {
    constructor: lab.ShapeError,
    message: /^attention: key is \[4, 2\], expected last axis 3/,
  });
  const unknown = /** @type {any} */ ({ is_causal: true });
  await assert.rejects(pool.attention(query, query, query, unknown), lab.DTypeError);
  await assert.rejects(
    pool.softmax([1, 2], /** @type {any} */ ({ signal: 'soon' })),
    lab.DTypeError,
  );
  const { pool: eager } = startEager();
  await assert.rejects(eager.call('diagnose', [query, key]), lab.ShapeError);
  await assert.rejects(eager.call('diagnose', [query, query, { mask: () => {} }]), lab.DTypeError);
});

test('a limit refuses a call before it starts', async () => {
  const x = draw(9999, 8);
  const call = start().attention(x, x, x, { limit: { milliseconds: 0.01 } });
  await assert.rejects(call, lab.CapacityError);
});

test('results are written to the arrays of `into`, which may not overlap inputs', async () => {
  const { pool, parts } = startEager();
  const [query, key, value] = long;
  const output = new Float32Array(query.data.length);
  for (parts.count of [1, 6]) {
    output.fill(0);
    const result = await pool.call('attention', [query, key, value, { into: { output } }]);
    assert.equal(result.output.data, output);
    assert.deepEqual(output, whole);
  }
  const overlapping = pool.call('attention', [query, key, value, { into: { output: query.data } }]);
  await assert.rejects(overlapping, lab.DTypeError);
});

test('tensors of other libraries, whose fields are getters, and options of a class are read', async () => {
  const x = draw(300, 4);
  const foreign = Object.create({ data: x.data, dims: x.shape });
  const options = Object.assign(new (class {})(), { temperature: 2 });
  for (const workers of [2, 0]) {
    const { pool, parts } = startEager(workers);
    for (parts.count of [1, 2]) {
      const { output } = await pool.call('attention', [foreign, foreign, foreign]);
      assert.deepEqual(output, lab.attention(x, x, x).output);
      assert.deepEqual(await pool.call('softmax', [foreign, options]), lab.softmax(x, options));
    }
  }
});

test('copies are made in memory of their size that came back, of which 64 MB are kept', () => {
  const memory = new Memory();
  const some = memory.take(64);
  memory.keep([some]);
  assert.notEqual(memory.take(32), some);
  assert.equal(memory.take(64), some);
  memory.keep([new ArrayBuffer(2 ** 26), some]);
  assert.notEqual(memory.take(64), some);
});

test('inputs are as they were, and results own their memory', async () => {
  const { pool, parts } = startEager();
  parts.count = 5;
  const copies = long.map(({ data }) => data.slice());
  const first = await pool.call('attention', long);
  const kept = first.output.data.slice();
  for (let i = 0; i < 5; i++) await pool.call('attention', long.map((t) => ({ ...t, data: t.data.map((x) => x + i + 1) }))); // prettier-ignore
  assert.deepEqual(first.output.data, kept);
  long.forEach(({ data }, i) => assert.deepEqual(data, copies[i]));
});

for (const workers of [2, 0]) {
  const where = workers ? 'workers' : 'slices';
  test(`a signal ends a call before, during and after it (${where})`, async () => {
    const { pool, parts } = startEager(workers);
    parts.count = 40;
    const before = pool.call('attention', [...long, { signal: AbortSignal.abort() }]);
    await assert.rejects(before, { name: 'AbortError' });
    const during = new AbortController();
    const call = pool.call('attention', [...long, { signal: during.signal }]);
    setTimeout(() => during.abort(new Error('enough')), 10);
    await assert.rejects(call, /enough/);
    const after = new AbortController();
    const done = await pool.call('attention', [...long, { signal: after.signal }]);
    after.abort();
    assert.deepEqual(done.output.data, whole);
  });

  test(`of 1000 calls of a slider with a key the first and the last are computed (${where})`, async () => {
    const { pool, parts } = startEager(workers);
    parts.count = 8;
    const calls = [...Array(1000).keys()].map((i) =>
      pool.call('attention', [...long, { scale: i / 1000, latest: 'slider' }]),
    );
    const dropped = await Promise.all(
      calls.slice(0, -1).map((call) =>
        call.then(
          () => 'computed',
          ({ name }) => name,
        ),
      ),
    );
    assert.ok(dropped.filter((end) => end !== 'AbortError').length <= 1, `${new Set(dropped)}`);
    const { output } = await calls[999];
    assert.deepEqual(output.data, lab.attention(...long, { scale: 0.999 }).output.data);
  });

  test(`dispose rejects the calls that wait and those to come (${where})`, async () => {
    const { pool, parts } = startEager(workers);
    parts.count = 8;
    await pool.call('attention', long);
    const calls = [1, 2, 3].map(() => pool.call('attention', long));
    pool.dispose();
    for (const call of calls) await assert.rejects(call, lab.BackendError);
    await assert.rejects(pool.call('softmax', [[1, 2]]), lab.BackendError);
    pool.dispose();
    assert.equal(pool.size, 0);
  });
}

test('a worker that ends rejects its call and is replaced; the others go on', async () => {
  const { pool, parts } = startEager(2);
  parts.count = 8;
  await pool.call('attention', long);
  const x = draw(8, 3000, 32); // so long that the worker has not done its parts when it ends
  const call = pool.call('attention', [x, x, x]);
  const hands = pool.hands ?? [];
  while (hands[0].parts === 0) await new Promise((resolve) => setTimeout(resolve, 0));
  hands[0].worker.end(); // as if the system had
  await assert.rejects(call, lab.BackendError);
  assert.equal(pool.size, 2);
  assert.deepEqual((await pool.call('attention', long)).output.data, whole);
});

for (const backend of /** @type {const} */ (['simd', 'js'])) {
  test(`backend ${backend}: a pool gives its bits`, async () => {
    const pool = start({ workers: 2, backend });
    assert.deepEqual((await pool.attention(...long)).output.data, whole);
    assert.equal(pool.size, backend === 'js' ? 0 : 2);
  });
}
