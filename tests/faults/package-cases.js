/**
 * Faults of the package that every engine can be made to have. Each case gets a realm of its own
 * (a process, or a page), breaks something in it, and returns what a caller sees; what the caller
 * should see stands beside it. The cases import nothing, so that a browser loads this file as it is.
 */

/**
 * @typedef {typeof import('../../web/attention/index.js')} Package
 * @typedef {typeof import('../../web/attention/kernel/active.js')} Active
 * @typedef {{ index: () => Promise<Package>, active: () => Promise<Active> }} Load
 * @typedef {{ run: (load: Load) => Promise<unknown>, seen: unknown }} Case  `seen`: as JSON
 */

/** Anything, for arguments of the wrong type. @param {unknown} value @returns {any} */
const any = (value) => value;

/** What a call that should fail says; engines' own words, in brackets, are left out.
 *  @param {() => unknown} call */
function refusal(call) {
  try {
    call();
    return 'works';
  } catch (error) {
    const { name, message } = /** @type {Error} */ (error);
    return `${name}: ${message.replace(/ \([^]*\)/, '')}`;
  }
}

/** The same of a promise. @param {Promise<unknown>} promise */
const rejection = (promise) =>
  promise.then(
    () => 'works',
    (error) =>
      refusal(() => {
        throw error;
      }),
  );

/** The memory of the shared kernel. @param {Load} load @returns {Promise<WebAssembly.Memory>} */
async function memoryOf(load) {
  const { run } = await load.active();
  return run('test', (kernel) => any(kernel.current().memory));
}

/** Numbers as JSON can hold them. @param {{ data: Float32Array }} tensor */
const written = ({ data }) => Array.from(data, (x) => (Object.is(x, -0) ? '-0' : String(x)));

/** @param {number} n @param {number} d @param {number} value */
const filled = (n, d, value) => ({ data: new Float32Array(n * d).fill(value), shape: [n, d] });

/** A typed array of another realm: of another frame, or of a context of Node's. */
async function foreignFloats() {
  if (!globalThis.document) {
    const { runInNewContext } = await import(/** @type {string} */ ('node:vm'));
    return runInNewContext('Float32Array.of(1, 2)');
  }
  const frame = document.body.appendChild(document.createElement('iframe'));
  return any(frame.contentWindow).Float32Array.of(1, 2);
}

/** Makes the `nth` allocation from now on fail, and with `forever` all that follow: growth of the
 *  kernel's memory, and typed arrays with memory of their own. Returns what undoes it.
 *  @param {number} nth @param {boolean} forever */
function failAllocation(nth, forever) {
  let count = 0;
  const fails = () => {
    count += 1;
    return forever ? count >= nth : count === nth;
  };
  const { grow } = WebAssembly.Memory.prototype;
  WebAssembly.Memory.prototype.grow = function (pages) {
    if (fails()) throw new RangeError('injected');
    return grow.call(this, pages);
  };
  const arrays = { Float32Array, Uint8Array };
  for (const [name, Real] of Object.entries(arrays)) {
    const construct = (/** @type {any} */ target, /** @type {any[]} */ args) => {
      if (!isBuffer(args[0]) && fails()) throw new RangeError('injected');
      return Reflect.construct(target, args);
    };
    any(globalThis)[name] = new Proxy(Real, { construct });
  }
  return () => {
    WebAssembly.Memory.prototype.grow = grow;
    Object.assign(globalThis, arrays);
    return count >= nth;
  };
}

/** @param {unknown} value */
const isBuffer = (value) => /ArrayBuffer\]$/.test(Object.prototype.toString.call(value));

/** @type {Record<string, Case>} */
export const CASES = {
  // ---- input --------------------------------------------------------------------------------

  'a wrong shape or length is named, with what was expected': {
    run: async (load) => {
      const { attention, softmax } = await load.index();
      return [
        refusal(() => softmax({ data: new Float32Array(5), shape: [2, 3] })),
        refusal(() => attention(filled(4, 8, 0), filled(4, 6, 0), filled(4, 8, 0))),
        refusal(() => softmax([[1, 2], [3]])),
        written(softmax([0, 0])),
      ];
    },
    seen: [
      'ShapeError: softmax: x.data has length 5, expected 6 to match shape [2, 3]',
      'ShapeError: attention: key is [4, 6], expected last axis 8 to match query [4, 8]',
      'ShapeError: softmax: x[1] has length 1, expected an array of 2 to match x[0]',
      ['0.5', '0.5'],
    ],
  },

  'a shape whose size wraps around at 2³² or 2⁵³ is not taken for a small one': {
    run: async (load) => {
      const { softmax, tensor, randomNormal } = await load.index();
      const none = new Float32Array(0);
      return [
        refusal(() => softmax({ data: none, shape: [65536, 65536] })),
        refusal(() => tensor(none, [2 ** 31, 2 ** 31, 4])),
        refusal(() => randomNormal([65536, 65536], { seed: 1 })),
        refusal(() => softmax({ data: none, shape: [2 ** 32] })),
      ];
    },
    seen: [
      'ShapeError: softmax: x.data has length 0, expected 4294967296 to match shape [65536, 65536]',
      'ShapeError: tensor: data has 0 entries, expected 18446744073709552000 to match shape [2147483648, 2147483648, 4]',
      'CapacityError: randomNormal: a result of [65536, 65536] needs 17179869184 bytes, expected at most 4 GiB',
      'ShapeError: softmax: x.data has length 0, expected 4294967296 to match shape [4294967296]',
    ],
  },

  'no rows give empty or zero results, no values empty ones; no d_k is refused by name': {
    run: async (load) => {
      const { attention, softmax } = await load.index();
      const returns = any(['weights']);
      const shapesOf = (/** @type {any} */ result) =>
        Object.values(result).map(({ data, shape }) => `${shape}: ${data}`);
      return [
        softmax({ data: new Float32Array(0), shape: [0, 3] }).shape,
        shapesOf(attention(filled(0, 2, 0), filled(2, 2, 0), filled(2, 1, 0), { returns })),
        shapesOf(attention(filled(1, 2, 0), filled(0, 2, 0), filled(0, 2, 0), { returns })),
        shapesOf(attention(filled(1, 2, 0), filled(2, 2, 0), filled(2, 0, 0), { returns })),
        refusal(() => attention(filled(1, 0, 0), filled(2, 0, 0), filled(2, 1, 0))),
      ];
    },
    seen: [
      [0, 3],
      ['0,1: ', '0,2: '],
      ['1,2: 0,0', '1,0: '],
      ['1,0: ', '1,2: 0.5,0.5'],
      'ShapeError: attention: query is [1, 0], expected a last axis above 0',
    ],
  },

  'more than 4 GiB is refused before any memory is touched': {
    run: async (load) => {
      const { attention, softmax, softmaxJacobian } = await load.index();
      softmax([1]);
      const before = (await memoryOf(load)).buffer.byteLength;
      const many = filled(2 ** 20, 1, 0);
      const answers = [
        refusal(() => attention(many, many, many, { returns: ['weights'] })),
        refusal(() => softmaxJacobian(new Float32Array(70_000))),
        refusal(() => softmax({ data: new Float32Array(0), shape: [2 ** 40, 0] })),
      ];
      const grown = (await memoryOf(load)).buffer.byteLength - before;
      return { answers, grown, next: written(softmax([0, 0])) };
    },
    seen: {
      answers: [
        'CapacityError: attention: a result of [1048576, 1048576] needs 4398046511104 bytes, expected at most 4 GiB',
        'CapacityError: softmaxJacobian: a result of [70000, 70000] needs 19600000000 bytes, expected at most 4 GiB',
        'CapacityError: softmax: x.shape[0] is 1099511627776, expected at most 4294967295',
      ],
      grown: 0,
      next: ['0.5', '0.5'],
    },
  },

  'arrays of another realm, a subclass, shared, resizable and not aligned are read like any other':
    {
      run: async (load) => {
        const { tensor } = await load.index();
        class Own extends Float32Array {}
        const shared = new WebAssembly.Memory(any({ initial: 1, maximum: 1, shared: true }));
        new Float32Array(shared.buffer).set([1, 2]);
        const resizable = new Float32Array(new (any(ArrayBuffer))(8, { maxByteLength: 64 }));
        resizable.set([1, 2]);
        const shifted = Float32Array.of(0, 1, 2).subarray(1);
        const all = [
          await foreignFloats(),
          Own.of(1, 2),
          new Float32Array(shared.buffer, 0, 2),
          resizable,
          shifted,
        ];
        return all.map((data) => written(tensor(data)).join(' '));
      },
      seen: Array(5).fill('1 2'),
    },

  'a Proxy, a DataView and a detached array are refused, not misread': {
    run: async (load) => {
      const { softmax } = await load.index();
      const detached = new Float32Array(4);
      structuredClone(detached.buffer, { transfer: [detached.buffer] });
      const taken = new Float32Array(4);
      const options = {
        get temperature() {
          structuredClone(taken.buffer, { transfer: [taken.buffer] });
          return 1;
        },
      };
      return [
        refusal(() => softmax(any(new Proxy(new Float32Array(2), {})))),
        refusal(() => softmax(any(new DataView(new ArrayBuffer(8))))),
        refusal(() => softmax(detached)),
        refusal(() => softmax(taken, options)),
        refusal(() => softmax(any(new BigInt64Array(2)))),
      ];
    },
    seen: [
      'DTypeError: softmax: x is an object without data, expected a tensor',
      'DTypeError: softmax: x is a DataView, expected a tensor',
      'DTypeError: softmax: x is on a detached or shrunken buffer, expected one with data',
      'DTypeError: softmax: an input is on a detached or shrunken buffer, expected one with data',
      'DTypeError: softmax: x holds a BigInt64Array, expected numbers',
    ],
  },

  'inputs may be the same array, or overlap, and stay as they are': {
    run: async (load) => {
      const { attention, randomNormal } = await load.index();
      const { data } = randomNormal([48], { seed: 1 });
      const part = (/** @type {number} */ start) => ({
        data: data.subarray(start, start + 32),
        shape: [8, 4],
      });
      const own = (/** @type {any} */ { data: numbers, shape }) => ({
        data: numbers.slice(),
        shape,
      });
      const before = written({ data });
      const overlapping = attention(part(0), part(0), part(16)).output;
      const apart = attention(own(part(0)), own(part(0)), own(part(16))).output;
      const same = (/** @type {unknown} */ a, /** @type {unknown} */ b) =>
        JSON.stringify(a) === JSON.stringify(b);
      return [same(written(overlapping), written(apart)), same(written({ data }), before)];
    },
    seen: [true, true],
  },

  'NaN, ±∞, −0 and denormals stay where they belong': {
    run: async (load) => {
      const { attention, softmax, tensor } = await load.index();
      const key = tensor([[1], [NaN], [2]]);
      const { weights } = attention([[1], [0]], key, [[1], [1], [1]], {
        mask: [
          [true, false, true],
          [true, true, true],
        ],
        returns: ['weights'],
      });
      return [
        written(tensor([-0, 1e-45, NaN, Infinity])),
        written(softmax([-Infinity, 0, 0])),
        written(softmax([-0, 1e-45])),
        written(softmax([Infinity, 0])),
        written(weights).map((x) => x === 'NaN'),
      ];
    },
    seen: [
      ['-0', '1.401298464324817e-45', 'NaN', 'Infinity'],
      ['0', '0.5', '0.5'],
      ['0.5', '0.5'],
      ['NaN', 'NaN'],
      [false, false, false, true, true, true],
    ],
  },

  'a row that may attend nowhere has weights 0, output 0 and no gradient': {
    run: async (load) => {
      const { attention, attentionGradient } = await load.index();
      const mask = [[false, false]];
      const [q, k, v] = [[[1, 2]], filled(2, 2, 1), filled(2, 1, 1)];
      const { output, weights } = attention(q, k, v, { mask, returns: ['weights'] });
      const { dQuery, dKey } = attentionGradient(q, k, v, [[1]], { mask });
      return [output, weights, dQuery, dKey].map(written);
    },
    seen: [['0'], ['0', '0'], ['0', '0'], ['0', '0', '0', '0']],
  },

  'scores of ±1e38 neither overflow nor vanish, and ties share': {
    run: async (load) => {
      const { attention, softmax } = await load.index();
      const q = [[1e19]];
      const k = [[1e19], [-1e19], [1e19]];
      const { weights } = attention(q, k, k, { scale: 1, returns: ['weights'] });
      return [written(weights), written(softmax([-3e38, -3e38, 3e38, 3e38]))];
    },
    seen: [
      ['0.5', '0', '0.5'],
      ['0', '0', '0.5', '0.5'],
    ],
  },

  // ---- memory -------------------------------------------------------------------------------

  'memory that grows in mid-call changes no number': {
    run: async (load) => {
      const { attention, attentionGradient, randomNormal } = await load.index();
      const { run } = await load.active();
      const x = randomNormal([300, 64], { seed: 1 });
      const memory = await memoryOf(load);
      let growths = 0;
      run('test', (kernel) => {
        const arena = kernel.current();
        const { grow } = arena;
        arena.grow = (caller, end) => {
          growths += 1;
          return grow.call(arena, caller, end);
        };
      });
      const first = [attention(x, x, x).output, attentionGradient(x, x, x, x).dKey].map(written);
      const size = memory.buffer.byteLength;
      const second = [attention(x, x, x).output, attentionGradient(x, x, x, x).dKey].map(written);
      return {
        grew: growths > 1,
        steady: memory.buffer.byteLength === size,
        same: JSON.stringify(first) === JSON.stringify(second),
      };
    },
    seen: { grew: true, steady: true, same: true },
  },

  'growth that is refused is a CapacityError, and the next call works': {
    run: async (load) => {
      const { softmax } = await load.index();
      softmax([1]);
      const large = new Float32Array(5_000_000);
      const { grow } = WebAssembly.Memory.prototype;
      const outcomes = [];
      for (const refuse of [
        () => {
          throw new RangeError('refused');
        },
        () => {
          throw 'out of memory'; // as Firefox has it
        },
      ]) {
        WebAssembly.Memory.prototype.grow = refuse;
        outcomes.push(refusal(() => softmax(large)).replace(/\d{4,}/, 'N'));
        outcomes.push(written(softmax([0, 0])).join(' '));
      }
      WebAssembly.Memory.prototype.grow = grow;
      return [...outcomes, softmax(large).data.length];
    },
    seen: [
      'CapacityError: softmax: needs N bytes of kernel memory: the engine refuses to grow it',
      '0.5 0.5',
      'CapacityError: softmax: needs N bytes of kernel memory: the engine refuses to grow it',
      '0.5 0.5',
      5_000_000,
    ],
  },

  'whichever allocation fails, once or from then on, is a CapacityError, and the next call works': {
    run: async (load) => {
      const { attention, additiveAttention, createKernel, softmax } = await load.index();
      const x = { data: new Float64Array(400 * 64).fill(0.5), shape: [400, 64] };
      const weights = { data: new Float64Array(64 * 64).fill(0.01), shape: [64, 64] };
      const additive = {
        ...{ queryWeight: weights, keyWeight: weights },
        scoreWeight: new Float64Array(64),
      };
      const mask = { data: Array(400 * 400).fill(true), shape: [400, 400] };
      const calls = [
        (/** @type {any} */ lab) => lab.attention(x, x, x, { mask, returns: ['weights'] }),
        (/** @type {any} */ lab) => lab.attentionGradient(x, x, x, x),
        (/** @type {any} */ lab) => lab.additiveAttention(x, x, x, additive),
        (/** @type {any} */ lab) => lab.softmax({ data: x.data, shape: [1, 400 * 64] }),
      ];
      const expected = [attention(x, x, x).output, additiveAttention(x, x, x, additive).output];
      const answers = new Set();
      let injected = 0;
      for (const call of calls) {
        for (const forever of [false, true]) {
          for (let nth = 1; ; nth++) {
            const kernel = await createKernel(); // a small memory, so that it has to grow
            const restore = failAllocation(nth, forever);
            const [outcome] = refusal(() => call(kernel)).split(':');
            if (!restore()) break;
            injected += 1;
            answers.add(outcome);
            if (refusal(() => call(kernel)) !== 'works') answers.add('broken afterwards');
            kernel.dispose();
          }
        }
      }
      const again = [attention(x, x, x).output, additiveAttention(x, x, x, additive).output];
      return {
        answers: [...answers].sort(),
        enough: injected > 30,
        same: JSON.stringify(expected) === JSON.stringify(again),
        next: written(softmax([0, 0])),
      };
    },
    seen: { answers: ['CapacityError', 'works'], enough: true, same: true, next: ['0.5', '0.5'] },
  },

  'a trap inside the module discards the instance; the next call has a new one': {
    run: async (load) => {
      const { attention, init, softmax } = await load.index();
      const { run } = await load.active();
      const x = filled(8, 8, 0.5);
      const before = written(attention(x, x, x).output).join();
      const instance = () => run('test', (kernel) => kernel.exports);
      const trapped = instance();
      const trap = () =>
        run('test', (kernel) => {
          const block = kernel.floats(1);
          block.address = 2 ** 31; // far outside of memory
          kernel.call('attn_softmax_forward', block, 100, 100, 1, block);
        });
      const atOnce = [refusal(trap), written(softmax([0, 0])).join(' ')];
      const replaced = instance() !== trapped;
      const awaited = [refusal(trap), await init(), written(attention(x, x, x).output).join() === before]; // prettier-ignore
      return { atOnce, replaced, awaited };
    },
    seen: {
      atOnce: ['BackendError: test: the kernel failed; the next call starts a new one', '0.5 0.5'],
      replaced: true,
      awaited: [
        'BackendError: test: the kernel failed; the next call starts a new one',
        'simd',
        true,
      ],
    },
  },

  'a hundred thousand calls, failing ones among them, leave the memory as large as it was': {
    run: async (load) => {
      const { attention, attentionGradient, softmax } = await load.index();
      const x = filled(4, 4, 0.5);
      const round = (/** @type {number} */ i) => {
        softmax(x);
        attention(x, x, x, { causal: i % 2 === 0 });
        if (i % 5 === 0) attentionGradient(x, x, x, x);
        if (i % 7 === 0) refusal(() => attention(x, x, any([1, 2])));
      };
      for (let i = 0; i < 100; i++) round(i);
      const { run } = await load.active();
      const state = () =>
        run('test', (kernel) => {
          const { memory, top } = kernel.current();
          return [memory.buffer.byteLength, top].join();
        });
      const before = state();
      for (let i = 0; i < 50_000; i++) round(i);
      return state() === before;
    },
    seen: true,
  },

  // ---- life cycle ---------------------------------------------------------------------------

  'starting twice, and at the same time, makes one instance': {
    run: async (load) => {
      let instances = 0;
      const { instantiate } = WebAssembly;
      WebAssembly.instantiate = any((/** @type {WebAssembly.Module} */ module) => {
        instances += 1;
        return instantiate.call(WebAssembly, module);
      });
      const { init } = await load.index();
      const together = await Promise.all([init(), init(), init({ backend: 'simd' })]);
      return { together, again: [await init(), await init()], instances };
    },
    seen: { together: ['simd', 'simd', 'simd'], again: ['simd', 'simd'], instances: 1 },
  },

  'a start that failed can be tried again': {
    run: async (load) => {
      const { compile } = WebAssembly;
      WebAssembly.compile = any(() => Promise.reject('out of memory')); // a string, as in Firefox
      const { backend, init, softmax } = await load.index();
      const simd = any({ backend: 'simd' });
      const failed = await Promise.all([rejection(init(simd)), rejection(init(simd))]);
      const between = backend() ?? 'none';
      WebAssembly.compile = compile;
      return { failed, between, after: await init(simd), works: written(softmax([0, 0])) };
    },
    seen: {
      failed: Array(2).fill('BackendError: init: no backend works'),
      between: 'none',
      after: 'simd',
      works: ['0.5', '0.5'],
    },
  },

  'a kernel disposed of in flight computes no more, and harms no other': {
    run: async (load) => {
      const { createKernel, softmax } = await load.index();
      const kernel = await createKernel();
      const options = {
        get temperature() {
          kernel.dispose();
          return 1;
        },
      };
      const inFlight = refusal(() => kernel.softmax([1], options));
      const starting = createKernel();
      const later = refusal(() => kernel.softmax([1]));
      const other = await starting;
      return [inFlight, later, written(other.softmax([0, 0])), written(softmax([0, 0]))];
    },
    seen: [
      'BackendError: softmax: this kernel has been disposed of',
      'BackendError: softmax: this kernel has been disposed of',
      ['0.5', '0.5'],
      ['0.5', '0.5'],
    ],
  },

  // ---- environment --------------------------------------------------------------------------

  'without WebAssembly a call says what to do, and the js backend gives the same bits': {
    run: async (load) => {
      const { WebAssembly: real } = globalThis;
      Reflect.deleteProperty(globalThis, 'WebAssembly');
      const { attention, createKernel, init, randomNormal, softmax } = await load.index();
      const early = refusal(() => softmax([1]));
      const backend = await init();
      const x = randomNormal([20, 16], { seed: 1 });
      const plain = written(attention(x, x, x).output).join();
      globalThis.WebAssembly = real;
      const simd = await createKernel({ backend: 'simd' });
      return { early, backend, same: written(simd.attention(x, x, x).output).join() === plain };
    },
    seen: {
      early:
        'BackendError: softmax: the kernel cannot start at once here, expected `await init()` before the first call',
      backend: 'js',
      same: true,
    },
  },

  'globals that a page has patched change no number': {
    run: async (load) => {
      const add = (/** @type {any} */ target, /** @type {string} */ name, enumerable = true) =>
        Object.defineProperty(target, name, {
          configurable: true,
          enumerable, // so for…in meets it
          writable: true,
          value: () => {
            throw new Error(`${name} ran`);
          },
        });
      // WebKit's driver cannot read results that inherit what can be enumerated.
      for (const target of [Object, Function]) add(target.prototype, 'each', false);
      for (const target of [Array, String, Float32Array]) {
        add(target.prototype, 'each');
        add(target.prototype, 'toJSON');
      }
      const { random, exp, log, tanh } = Math;
      for (const name of ['random', 'exp', 'log', 'tanh']) add(Math, name);
      const { fetch, Promise: RealPromise } = globalThis;
      add(globalThis, 'fetch');
      globalThis.Promise = any(class extends any(RealPromise) {});
      try {
        const { attention, init, softmax } = await load.index();
        const backend = await init();
        const { output } = attention([[1, 2]], [[1, 2]], [[3, 4]], { returns: ['weights'] });
        return [backend, [...output.data].join(), written(softmax([0, 0])).join()].join(' ');
      } finally {
        Object.assign(Math, { random, exp, log, tanh });
        Object.assign(globalThis, { fetch, Promise: RealPromise });
        for (const target of [Array, Object, Function, String, Float32Array]) {
          delete any(target.prototype).each;
          delete any(target.prototype).toJSON;
        }
      }
    },
    seen: 'simd 3,4 0.5,0.5',
  },
};
