/**
 * Plans calls of attention and additive attention and their gradients: reads the arguments, makes the
 * results, and cuts the work by items, heads and blocks of queries where that leaves every bit as it is.
 *
 * Queries are independent of each other, so blocks of them only have to begin where the kernel's own blocks
 * do. Gradients of keys and values are sums over all queries of a head and of the heads that share them,
 * which stay together; those of the weights of additive attention are sums over everything.
 */
import {
  attendHeads as attendAdditively,
  differentiateHeads as differentiateAdditively,
} from '../attention/additive-kernel.js';
import { prepareAdditive, prepareAdditiveGradient } from '../attention/additive.js';
import { attendHeads, differentiateHeads } from '../attention/attention-kernel.js';
import {
  finishAttentionGradient,
  prepareAttention,
  prepareAttentionGradient,
} from '../attention/attention.js';
import { gradientShapes, isEmpty, resultShapes } from '../attention/heads.js';
import { writeSinkGradient } from '../attention/sink.js';
import { maskOf, piecesOf, putBox, takeBox, wholeOf } from './box.js';
import { numbersOf, omit, putAll, shapesOf } from './results.js';

/**
 * @import { Inputs } from '../attention/heads.js'
 * @import { Kernel } from '../attention/kernel/active.js'
 * @import { Span } from '../attention/structs.js'
 * @import { Tensor } from '../attention/tensor.js'
 * @import { Box } from './box.js'
 * @import { Data, Work } from './work.js'
 */

/**
 * A part of a call. `shared` has the arguments that other parts of its group have too, so that a worker
 * keeps them; `store` writes the value to its place in the results, unless `isResult`: then the arrays of
 * the value become the results.
 *
 * @typedef {{ work: Work, shared: Data, own: Data, store: (value: any) => void,
 *   isResult?: boolean }} Part
 */

/**
 * How to do a call: at once on a kernel, or in parts, in groups that share arguments. `finish` returns the
 * result once all parts are stored. `numbers` counts those of the results that can be cut.
 *
 * @typedef {{ operations: number, numbers: number, compute: (kernel: Kernel) => any, cut: (count: number) => Part[][],
 *   finish: () => any }} Plan
 */

/** Blocks of queries begin at multiples of the kernel's: c/attention_tiles.c has tiles of 8, c/additive.c of 32. */
const QUERIES = { dot: 8, additive: 32 };

/** @param {string} caller @param {any[]} args @returns {Plan} */
export const planAttention = (caller, [query, key, value, options]) =>
  forward(caller, 'dot', options?.into, prepareAttention(caller, query, key, value, options));

/** @param {string} caller @param {any[]} args @returns {Plan} */
export const planScores = (caller, [query, key, options]) =>
  forward(caller, 'dot', options?.into, prepareAttention(caller, query, key, null, options));

/** @param {string} caller @param {any[]} args @returns {Plan} */
export const planAdditive = (caller, [query, key, value, options]) =>
  forward(caller, 'additive', options?.into, prepareAdditive(caller, query, key, value, options));

/**
 * Plans a forward pass.
 *
 * @param {string} caller
 * @param {'dot' | 'additive'} kind
 * @param {unknown} into
 * @param {{ inputs: Inputs, settings: any, results: any, operations: number }} prepared
 * @returns {Plan}
 */
function forward(caller, kind, into, { inputs, settings, results, operations }) {
  const attend = kind === 'dot' ? attendHeads : attendAdditively;
  const names = /** @type {('output' | 'weights' | 'meanWeights')[]} */ (Object.keys(results));
  const steps = { queries: QUERIES[kind], keepsHeads: names.includes('meanWeights') };
  return {
    operations,
    numbers: numbersOf(results),
    compute(kernel) {
      if (!isEmpty(inputs)) kernel.run(caller, () => attend(kernel, inputs, settings, results));
      return results;
    },
    cut(count) {
      const groups = isEmpty(inputs) ? [] : boxesOf(inputs, count, steps);
      const isWhole = into === undefined && groups.length === 1 && groups[0].length === 1;
      return groups.map((boxes) => {
        const shared = sharedOf(inputs, settings, boxes[0]);
        return boxes.map((box) => {
          const part = partOf(inputs, settings, box);
          const shapes = resultShapes(part.inputs, names);
          const own = { caller, additive: kind === 'additive', shapes, ...part };
          const store = (/** @type {any} */ value) => {
            for (const name of names) {
              const result = results[name];
              if (isWhole) result.data = value[name].data;
              else putResult(name, inputs, box, result, value[name]);
            }
          };
          return { work: 'attend', shared, own, store, isResult: isWhole };
        });
      });
    },
    finish: () => results,
  };
}

/** Writes a result of a box to its place. @param {string} name @param {Inputs} inputs @param {Box} box
 *  @param {Tensor} result @param {Tensor} value */
function putResult(name, { heads, nQ, nK, dV }, box, result, value) {
  const isMean = name === 'meanWeights';
  const d = name === 'output' ? dV : name === 'logSumExp' ? 1 : nK;
  /** @type {Box} */
  const place = isMean ? { ...box, heads: [0, 1] } : box;
  putBox(result.data, isMean ? 1 : heads, nQ, d, place, value.data);
}

/** @param {string} caller @param {any[]} args @returns {Plan} */
export function planAttentionGradient(caller, [query, key, value, dOutput, options]) {
  const prepared = prepareAttentionGradient(caller, query, key, value, dOutput, options);
  const { inputs, upstream, settings, gradients, operations } = prepared;
  const { batch, heads, kvHeads, nQ, nK, dQ, dK, dV } = inputs;
  const [dFactors, dSinks] = [1, 2].map(() => new Float64Array(batch * heads));
  return {
    operations,
    numbers: numbersOf(gradients),
    compute(kernel) {
      if (isEmpty(inputs)) return finishAttentionGradient(prepared, { dFactors, dSinks });
      const sums = kernel.run(caller, () =>
        differentiateHeads(kernel, inputs, upstream, settings, gradients),
      );
      return finishAttentionGradient(prepared, sums);
    },
    cut(count) {
      const groups = isEmpty(inputs) ? [] : wholeGroupsOf(inputs, count);
      return groups.map((box) => {
        const part = partOf(inputs, settings, box);
        const shapes = gradientShapes(part.inputs);
        const rows = takeBox(upstream, heads, nQ, dV, box);
        const own = { caller, additive: false, shapes, upstream: rows, ...part };
        const store = (/** @type {any} */ value) => {
          const keys = keysOf(inputs, box);
          putBox(gradients.dQuery.data, heads, nQ, dQ, box, value.dQuery.data);
          putBox(gradients.dKey.data, kvHeads, nK, dK, keys, value.dKey.data);
          putBox(gradients.dValue.data, kvHeads, nK, dV, keys, value.dValue.data);
          const places = { ...box, rows: /** @type {[number, number]} */ ([0, 1]) };
          putBox(dFactors, heads, 1, 1, places, value.dFactors);
          putBox(dSinks, heads, 1, 1, places, value.dSinks);
        };
        return [{ work: 'differentiate', shared: sharedOf(inputs, settings, box), own, store }];
      });
    },
    finish: () => finishAttentionGradient(prepared, { dFactors, dSinks }),
  };
}

/** @param {string} caller @param {any[]} args @returns {Plan} */
export function planAdditiveGradient(caller, [query, key, value, dOutput, options]) {
  const prepared = prepareAdditiveGradient(caller, query, key, value, dOutput, options);
  const { inputs, upstream, settings, gradients, operations } = prepared;
  /** @type {Float64Array} */
  let dSinks = new Float64Array(0);
  const finish = () => {
    writeSinkGradient(gradients.dSink, dSinks, inputs.heads);
    return gradients;
  };
  return {
    operations,
    numbers: 0,
    compute(kernel) {
      if (!isEmpty(inputs)) {
        dSinks = kernel.run(caller, () =>
          differentiateAdditively(kernel, inputs, upstream, settings, gradients),
        );
      }
      return finish();
    },
    cut() {
      if (isEmpty(inputs)) return [];
      const written = omit(gradients, 'dSink');
      const box = wholeOf(inputs);
      const own = {
        caller,
        additive: true,
        shapes: shapesOf(written),
        upstream,
        ...partOf(inputs, settings, box),
      };
      const store = (/** @type {any} */ value) => {
        putAll(written, value);
        dSinks = value.dSinks;
      };
      return [[{ work: 'differentiate', shared: sharedOf(inputs, settings, box), own, store }]];
    },
    finish,
  };
}

/**
 * Cuts a call into about `count` boxes, in groups that share keys and values.
 *
 * @param {Inputs} inputs
 * @param {number} count
 * @param {{ queries: number, keepsHeads: boolean }} steps
 * @returns {Box[][]}
 */
function boxesOf(inputs, count, { queries, keepsHeads }) {
  const { batch, heads, kvHeads, nQ } = inputs;
  const whole = wholeOf(inputs);
  if (count <= batch) return piecesOf(whole.items, count).map((items) => [{ ...whole, items }]);
  const perItem = Math.ceil(count / batch);
  const items = piecesOf(whole.items, batch);
  if (keepsHeads) {
    const blocks = piecesOf(whole.rows, perItem, queries);
    return items.map((item) => blocks.map((rows) => ({ ...whole, items: item, rows })));
  }
  if (perItem <= kvHeads) return wholeGroupsOf(inputs, count).map((box) => [box]);
  const perGroup = Math.ceil(perItem / kvHeads);
  const shared = heads / kvHeads;
  const blocks = piecesOf([0, nQ], Math.ceil(perGroup / shared), queries);
  return items.flatMap((item) =>
    piecesOf(whole.heads, kvHeads).map((group) =>
      piecesOf(group, Math.min(shared, perGroup)).flatMap((some) =>
        some[1] - some[0] > 1
          ? [{ items: item, heads: some, rows: whole.rows }]
          : blocks.map((rows) => ({ items: item, heads: some, rows })),
      ),
    ),
  );
}

/**
 * Cuts a call into about `count` boxes, at most one for each head of key and value.
 *
 * @param {Inputs} inputs
 * @param {number} count
 * @returns {Box[]}
 */
function wholeGroupsOf(inputs, count) {
  const { batch, heads, kvHeads } = inputs;
  const whole = wholeOf(inputs);
  if (count <= batch) return piecesOf(whole.items, count).map((items) => ({ ...whole, items }));
  const pieces = piecesOf(whole.heads, Math.ceil(count / batch), heads / kvHeads);
  return piecesOf(whole.items, batch).flatMap((items) =>
    pieces.map((some) => ({ ...whole, items, heads: some })),
  );
}

/** Returns the box of the keys that a box of queries meets. @param {Inputs} inputs @param {Box} box @returns {Box} */
function keysOf({ heads, kvHeads, nK }, { items, heads: [first, end] }) {
  const shared = heads / kvHeads;
  return { items, heads: [Math.floor(first / shared), Math.ceil(end / shared)], rows: [0, nK] };
}

/**
 * Returns the inputs and settings that the boxes of a group have in common.
 *
 * @param {Inputs} inputs
 * @param {any} settings
 * @param {Box} box of the group
 */
function sharedOf(inputs, settings, box) {
  const { kvHeads, nK, dK, dV } = inputs;
  const keys = keysOf(inputs, box);
  const key = takeBox(inputs.key, kvHeads, nK, dK, keys);
  const value = takeBox(inputs.value, kvHeads, nK, dV, keys);
  const { parameters } = settings;
  return { inputs: { key, value }, settings: parameters ? { parameters } : {} };
}

/**
 * Returns the inputs and settings of a box, without those that its group shares.
 *
 * @param {Inputs} inputs
 * @param {any} settings
 * @param {Box} box
 * @returns {{ inputs: Inputs, settings: any }}
 */
function partOf(inputs, settings, box) {
  const { heads, nQ, nK, dQ, dK, dV, nAll = nQ } = inputs;
  const { items, heads: some, rows } = box;
  const keys = keysOf(inputs, box).heads;
  const [batch, count] = [items[1] - items[0], some[1] - some[0]];
  const own = {
    query: takeBox(inputs.query, heads, nQ, dQ, box),
    lead: [batch, count],
    batch,
    heads: count,
    kvHeads: keys[1] - keys[0],
    nQ: rows[1] - rows[0],
    ...{ nK, dQ, dK, dV, nAll },
  };
  const { scoring, mask, cosine, pairwise } = settings;
  const { sinks, spans } = scoring ?? settings;
  const shifted = spans
    .slice(items[0], items[1])
    .map((/** @type {Span} */ span) => ({ ...span, offset: span.offset + rows[0] }));
  const scores = { sinks: sinks.slice(some[0], some[1]), spans: shifted };
  const rest = { mask: maskOf(mask, inputs, box), cosine, pairwise };
  return {
    inputs: /** @type {any} */ (own),
    settings: scoring ? { ...rest, scoring: { ...scoring, ...scores } } : { ...rest, ...scores },
  };
}
