// Shapes, lengths, types and numbers that a caller may get wrong.

import { foreignFloats, memoryOf } from './broken-memory.js';
import { any, filled, refusal, written } from './case-values.js';

/** @import { Case } from './case-values.js' */

/** @type {Record<string, Case>} */
export const INPUT = {
  'a wrong shape or length is named, with the expected one': {
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
};
