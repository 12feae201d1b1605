// Shapes, lengths, types and numbers that a caller may get wrong.

import { foreignFloats, memoryOf } from './broken-memory.js';
import { any, filled, refusal, written } from './case-values.js';

/** @import { Case } from './case-values.js' */

/** @type {Record<string, Case>} */
export const INPUT = {
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
};
