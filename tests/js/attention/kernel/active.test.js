// Which kernel is in charge: start-up, backends, modules, memory, where WebAssembly is missing.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  attention,
  backend,
  init,
  roundToFloat16,
  softmax,
} from '../../../../web/attention/index.js';
import { run, withKernel } from '../../../../web/attention/kernel/active.js';
import { openKernel } from '../../../../web/attention/kernel/backends.js';
import { decode } from '../../../../web/attention/kernel/decode.js';
import '../../../../web/build/relaxed-simd.js';
import { isolated } from './isolated.js';

const EMPTY = new WebAssembly.Module(Uint8Array.of(0, 97, 115, 109, 1, 0, 0, 0));

test('importing compiles nothing and leaves no global behind', async () => {
  const seen = await isolated(async (load) => {
    const before = new Set(Reflect.ownKeys(globalThis));
    /** @type {string[]} */
    const used = [];
    globalThis.WebAssembly = new Proxy(WebAssembly, {
      get(target, key) {
        used.push(String(key));
        return Reflect.get(target, key);
      },
    });
    const { backend } = await load.index();
    const added = Reflect.ownKeys(globalThis).filter((key) => !before.has(key));
    return { used, added: added.map(String), backend: backend() ?? 'none yet' };
  });
  assert.deepEqual(seen, { used: [], added: [], backend: 'none yet' });
});

test('starts without the features that Chrome 91 and Firefox 89 lack', async () => {
  const seen = await isolated(async (load) => {
    const typedArray = Object.getPrototypeOf(Uint8Array.prototype);
    for (const { prototype } of [Array, String, { prototype: typedArray }]) {
      for (const name of ['at', 'findLast', 'findLastIndex', 'toSorted', 'with']) {
        Reflect.deleteProperty(prototype, name);
      }
    }
    Reflect.deleteProperty(Object, 'hasOwn');
    Reflect.deleteProperty(globalThis, 'structuredClone');
    const { attention, backend, softmax } = await load.index();
    const x = { data: Float32Array.of(1, 2), shape: [2, 1] };
    const mask = [[true, false]];
    const p = [...softmax([0, 0]).data, ...attention([[1]], x, x, { mask }).output.data];
    return { p, backend: backend() };
  });
  assert.deepEqual(seen, { p: [0.5, 0.5, 1], backend: 'simd' });
});

test('a call while init is under way starts the kernel, and init keeps that one', async () => {
  // After four turns init has seen that there is no kernel, and opens one.
  const same = await Promise.all(
    [0, 4].map((turns) =>
      isolated(async (load, wait) => {
        const { run } = await load.active();
        const { init } = await load.index();
        const starting = init();
        for (let i = 0; i < wait; i++) await null;
        const early = run('test', (kernel) => kernel);
        await starting;
        return run('test', (kernel) => kernel) === early;
      }, turns),
    ),
  );
  assert.deepEqual(same, [true, true]);
});

test('a kernel that fails its known-answer test is not accepted', async () => {
  const seen = await isolated(async (load) => {
    const { instantiate } = WebAssembly;
    WebAssembly.instantiate = /** @type {any} */ (
      async (/** @type {WebAssembly.Module} */ module) => {
        const { exports } = await instantiate(module);
        return { exports: { ...exports, attn_attention_forward: () => 0 } };
      }
    );
    const { init } = await load.index();
    const asked = await init({ backend: 'simd' }).catch((/** @type {Error} */ e) => e.message);
    return { asked, auto: await init() };
  });
  assert.match(seen.asked, /no backend works \(simd: init: the kernel fails its known-answer test/);
  assert.equal(seen.auto, 'js');
});

test('each backend can be chosen, one after another', async () => {
  const seen = await isolated(async (load) => {
    await load.relaxedSimd();
    const { init, backend, softmax } = await load.index();
    const all = [];
    for (const name of /** @type {const} */ (['js', 'auto', 'simd', 'relaxed', 'js', 'simd'])) {
      all.push([name, await init({ backend: name }), backend(), softmax([0, 0]).data[0]]);
    }
    const both = await Promise.all([init({ backend: 'js' }), init({ backend: 'simd' })]);
    const three = ['js', 'simd', 'js'].map((name) => init({ backend: /** @type {any} */ (name) }));
    return { all, both, then: backend(), three: await Promise.all(three), last: backend() };
  });
  assert.deepEqual(seen.all, [
    ['js', 'js', 'js', 0.5],
    ['auto', 'js', 'js', 0.5],
    ['simd', 'simd', 'simd', 0.5],
    ['relaxed', 'relaxed', 'relaxed', 0.5],
    ['js', 'js', 'js', 0.5],
    ['simd', 'simd', 'simd', 0.5],
  ]);
  // One follows another; the last one decides.
  assert.deepEqual([seen.both, seen.then], [['js', 'simd'], 'simd']);
  assert.deepEqual([seen.three, seen.last], [['js', 'simd', 'js'], 'js']);
});

test('relaxed is simd, and stays that instance, where the engine lacks it', async () => {
  const seen = await isolated(async (load) => {
    await load.relaxedSimd();
    const { compile } = WebAssembly;
    let compiled = 0;
    WebAssembly.compile = (/** @type {any} */ bytes) => {
      if (compiled++ === 0) return Promise.reject(new WebAssembly.CompileError('unknown opcode'));
      return compile(bytes);
    };
    const { init, backend, softmax } = await load.index();
    const { run } = await load.active();
    const first = await init({ backend: 'relaxed' });
    const kernel = run('test', (active) => active);
    const again = await init({ backend: 'relaxed' });
    const same = run('test', (active) => active) === kernel;
    return { first, again, same, compiled, now: backend(), p: softmax([0, 0]).data[0] };
  });
  assert.deepEqual(seen, { first: 'simd', again: 'simd', same: true, compiled: 2, now: 'simd', p: 0.5 });
}); // prettier-ignore

test('a call before init({ relaxed }) does not keep it from the relaxed kernel', async () => {
  const seen = await isolated(async (load) => {
    await load.relaxedSimd();
    const { init, backend, softmax } = await load.index();
    softmax([0, 0]);
    const before = backend();
    const asked = await init({ backend: 'relaxed' });
    return { before, asked, auto: await init(), now: backend(), p: softmax([0, 0]).data[0] };
  });
  assert.deepEqual(seen, {
    before: 'simd',
    asked: 'relaxed',
    auto: 'relaxed',
    now: 'relaxed',
    p: 0.5,
  });
});

test('a precompiled module is the backend that it is given for', async () => {
  const { text: relaxed } = await import('../../../../web/attention/kernel/generated/relaxed.js');
  const module = await WebAssembly.compile(decode(relaxed));
  assert.equal(await init({ backend: 'relaxed', module }), 'relaxed');
  assert.equal(await init({ backend: 'simd' }), 'simd');
  assert.equal(await init({ backend: 'relaxed', module }), 'relaxed');
  assert.deepEqual([...softmax([0, 0]).data], [0.5, 0.5]);
  await init({ backend: 'simd' });
});

test('a module of the other backend is refused, since its bits are others', async () => {
  const { text: simd } = await import('../../../../web/attention/kernel/generated/simd.js');
  const { text: relaxed } = await import('../../../../web/attention/kernel/generated/relaxed.js');
  for (const [text, options, expected] of /** @type {const} */ ([
    [relaxed, {}, 'simd: module is another one, expected kernel.wasm'],
    [relaxed, { backend: 'simd' }, 'simd: module is another one, expected kernel.wasm'],
    [simd, { backend: 'relaxed' }, 'relaxed: module is another one, expected kernel-relaxed.wasm'],
  ])) {
    const module = await WebAssembly.compile(decode(text));
    const message = `init: no backend works (${expected} of this package)`;
    await assert.rejects(init({ ...options, module }), { name: 'BackendError', message });
    assert.equal(backend(), 'simd');
    assert.deepEqual([...softmax([0, 0]).data], [0.5, 0.5]);
  }
});

test('a precompiled module is used instead of the inline one', async () => {
  const { text } = await import('../../../../web/attention/kernel/generated/simd.js');
  const module = await WebAssembly.compile(decode(text));
  assert.equal(await init({ module }), 'simd');
  const kernel = run('test', (active) => active);
  assert.equal(await init({ module }), 'simd');
  assert.equal(
    run('test', (active) => active),
    kernel,
  );
});

test('wrong options of init are named', async () => {
  const cases = /** @type {[any, string][]} */ ([
    [{ backend: 'gpu' }, "init: backend is 'gpu', expected one of 'auto', 'simd', 'relaxed', 'js'"],
    [{ backand: 'js' }, "init: unknown option 'backand' (did you mean 'backend'?), expected one of backend, module"],
    [{ module: new Uint8Array(8) }, 'init: module is a Uint8Array, expected a compiled WebAssembly.Module'],
    [{ module: EMPTY, backend: 'js' }, "init: backend 'js' takes no module, expected 'simd' or 'relaxed'"],
    [3, 'init: options is 3, expected an object'],
  ]); // prettier-ignore
  for (const [options, message] of cases) {
    await assert.rejects(init(options), { name: 'DTypeError', message });
  }
});

test('withKernel puts another kernel in charge, until the work ends or throws', async () => {
  const own = await openKernel('test', 'js');
  assert.equal(
    withKernel(own, () => backend()),
    'js',
  );
  assert.throws(() =>
    withKernel(own, () => {
      throw new Error('mine');
    }),
  );
  assert.notEqual(
    run('test', (kernel) => kernel),
    own,
  );
});

const memoryOf = () => run('test', (kernel) => kernel.current().memory.buffer.byteLength);
const KEPT = 2 ** 26;

/** Returns a query, keys and values, of which keys are a number of floats, all in memory during a call. @param {number} floats */
const largeKeys = (floats) =>
  /** @type {const} */ ([
    [new Array(64).fill(1)],
    { data: new Float32Array(floats), shape: [floats / 64, 64] },
    { data: new Float32Array(floats / 64).fill(1), shape: [floats / 64, 1] },
  ]);

test('memory beyond 64 MB is given back after a call, and below it stays', () => {
  const large = new Float32Array(2 ** 24);
  roundToFloat16(large);
  assert.ok(memoryOf() < KEPT, 'rows pass through in portions');
  const before = memoryOf();
  assert.deepEqual([...attention(...largeKeys(2 ** 24)).output.data], [1]);
  assert.ok(memoryOf() < KEPT && memoryOf() <= before, `${memoryOf()}`);
  assert.deepEqual([...softmax([0, 0]).data], [0.5, 0.5]);
  attention(...largeKeys(2 ** 22));
  assert.ok(memoryOf() > 2 ** 24 && memoryOf() < KEPT, `${memoryOf()}`);
});

test('memory is freed after an error too, and the memory of a call stays while it runs', () => {
  const error = new Error('mine');
  assert.throws(
    () =>
      run('test', (kernel) => {
        const block = kernel.floats(2 ** 24);
        kernel.clear(block, 2 ** 24);
        throw error;
      }),
    error,
  );
  assert.ok(memoryOf() < KEPT);
});

test('a kernel of one’s own keeps its memory', async () => {
  const own = await openKernel('test', 'simd');
  withKernel(own, () => attention(...largeKeys(2 ** 24)));
  assert.ok(own.current().memory.buffer.byteLength > KEPT);
  own.dispose();
});

test('where the engine refuses a second instance, the first one goes on with its memory', async () => {
  const seen = await isolated(async (load) => {
    const { attention, softmax } = await load.index();
    const { run } = await load.active();
    softmax([0]);
    WebAssembly.Instance = /** @type {any} */ (
      class {
        constructor() {
          throw new RangeError('too large to instantiate at once');
        }
      }
    );
    const data = new Float32Array(2 ** 24);
    const query = { data: data.subarray(0, 64), shape: [1, 64] };
    const { output } = attention(
      query,
      { data, shape: [2 ** 18, 64] },
      { data, shape: [2 ** 18, 64] },
    );
    const bytes = run('test', (kernel) => kernel.current().memory.buffer.byteLength);
    return { length: output.data.length, isKept: bytes > 2 ** 26, p: [...softmax([0, 0]).data] };
  });
  assert.deepEqual(seen, { length: 64, isKept: true, p: [0.5, 0.5] });
});
