// @slow
// What <attn-view> measures of a text too long for its weights: to the end, and only what is looked at.

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { attentionMap, diagnose, randomNormal } from '../../../web/attention/index.js';
import { spec } from '../../../web/inspector/view/element.js';
import { LongHeads } from '../../../web/inspector/heads/long.js';
import { toAttention } from '../../../web/inspector/reading/index.js';
import { viewAfter } from '../figures/view-after.js';
import { assertAllNear } from '../theory/near.js';

/**
 * @import { TestContext } from 'node:test'
 * @import { Tensor } from '../../../web/attention/index.js'
 */

/** More than 2²² weights, in 64 strips. */
const [N, D, STRIPS] = [4096, 8, 64];
const [query, key] = [1, 2].map((seed) => randomNormal([N, D], { seed }));
const options = { causal: true };
/** From query 1025 and key 513 on, a quarter of each: every pixel is the largest of 2 × 2 weights. */
const ZOOMED = { region: '1025.513.4' };

/** Returns a picture of all weights. @param {number} side  in pixels */
const mapOf = (side) =>
  attentionMap(query, key, { ...options, rows: side, columns: side, pool: 'max' }).weights.data;

/** Returns the part that the zoom shows of a picture whose pixels are 2 × 2 weights. */
function zoomedMap() {
  const side = N / 2;
  const map = mapOf(side);
  const part = new Float32Array(512 * 512);
  for (let i = 0; i < 512; i++) {
    const start = (512 + i) * side + 256;
    part.set(map.subarray(start, start + 512), i * 512);
  }
  return part;
}

/** Lets no worker start, and a strip take 70 milliseconds, so that every third is reported. @param {TestContext} t */
function slowThread(t) {
  t.mock.method(/** @type {any} */ (process), 'getBuiltinModule', () => undefined);
  const clock = { asked: 0 };
  t.mock.method(performance, 'now', () => 70 * (clock.asked += 1));
  return clock;
}

/** @param {Tensor} q @param {Tensor} k */
const textOf = (q, k) => ({ ...toAttention({ query: q, key: k }), options });

/**
 * Looks into a text as the element does: whatever is shown is wanted, again whenever more is known.
 * @param {(shown: any) => void} [onReport]
 */
function lookIntoText(onReport = () => {}) {
  let attention = textOf(query, key);
  let given = {};
  const shown = () => viewAfter(spec, attention, { width: 960, ...given });
  const want = () => {
    const { data, state } = shown();
    return long.want(data, state);
  };
  const long = new LongHeads(() => {
    onReport(shown().data);
    want();
  });
  const show = (/** @type {object} */ state) => {
    given = state;
    return want();
  };
  const replace = (/** @type {ReturnType<typeof textOf>} */ other) => {
    attention = other;
    return want();
  };
  const measureAll = () => {
    const { data, state } = shown();
    long.measureAll(data, state);
  };
  return {
    show,
    replace,
    measureAll,
    hasAll: () => long.hasAll(shown().data, shown().state),
    shown: () => shown().data,
  };
}

describe('a long text', () => {
  it('is measured to its end, and so is a zoom into it', async (t) => {
    slowThread(t);
    /** @type {(number | undefined)[]} */
    let fractions = [];
    const text = lookIntoText(({ fraction }) => fractions.push(fraction));

    await text.show({});
    const whole = text.shown();
    assertAllNear(whole.map.data, mapOf(512));
    assert.deepEqual(whole.overview[0].diagnosis, diagnose(query, key, options)[0]);
    assert.ok(fractions.length > 2 && fractions.at(-1) === undefined, String(fractions));

    fractions = [];
    await text.show(ZOOMED);
    const { map, fraction } = text.shown();
    assert.deepEqual([map.shape, fraction], [[512, 512], undefined]);
    assertAllNear(map.data, zoomedMap());
    assert.ok(fractions.length > 2 && fractions.at(-1) === undefined, String(fractions));
  });

  it('is measured no further once it is zoomed into, and again when it is shown again', async (t) => {
    const clock = slowThread(t);
    /** @type {Promise<unknown> | undefined} */
    let zooming;
    const text = lookIntoText(() => {
      zooming ??= text.show(ZOOMED);
    });
    await text.show({});
    await zooming;
    assert.ok(zooming && clock.asked < STRIPS, `${clock.asked} of ${STRIPS} strips`);
    assertAllNear(text.shown().map.data, zoomedMap());

    await text.show({});
    assertAllNear(text.shown().map.data, mapOf(512));
  });

  it('is measured no further once another comes, which waits for nothing', async (t) => {
    const clock = slowThread(t);
    /** @type {Promise<unknown> | undefined} */
    let replacing;
    const text = lookIntoText(() => {
      replacing ??= text.replace(textOf(key, query));
    });
    await text.show({});
    await replacing;
    assert.ok(clock.asked < 1.5 * STRIPS + 20, `${clock.asked} for ${STRIPS} strips`);
    const swapped = attentionMap(key, query, { ...options, rows: 512, columns: 512, pool: 'max' });
    assertAllNear(text.shown().map.data, swapped.weights.data);
  });

  it('is measured head by head once all are asked for, the shown one first, and no longer at another factor', async (t) => {
    slowThread(t);
    const heads = (/** @type {Tensor} */ { data, shape }) =>
      ({ data: Float32Array.from([...data, ...data.map((x) => 2 * x)]), shape: [2, ...shape] }); // prettier-ignore
    /** @type {(value?: unknown) => void} */
    let whole = () => {};
    const known = new Promise((resolve) => (whole = resolve));
    const text = lookIntoText(({ overview }) => {
      if (overview.every((/** @type {any} */ { diagnosis }) => diagnosis)) whole();
    });
    await text.replace(textOf(heads(query), heads(key)));
    assert.deepEqual(text.shown().overview.map((/** @type {any} */ { diagnosis }) => !diagnosis), [false, true]); // prettier-ignore
    assert.equal(text.hasAll(), false);
    text.measureAll();
    await known;
    const [, second] = text.shown().overview;
    const twice = [query, key].map(({ data, shape }) => ({ data: data.map((x) => 2 * x), shape }));
    assert.deepEqual(second.diagnosis, { ...diagnose(twice[0], twice[1], options)[0], head: 0 });
    assert.equal(second.thumb.shape[0], 24);
    assert.equal(text.hasAll(), true);
    await text.show({ factor: 2 });
    assert.equal(text.hasAll(), false);
  });

  it('is not measured where it is only passed by', async (t) => {
    const clock = slowThread(t);
    const text = lookIntoText();
    const passed = text.show(ZOOMED);
    await Promise.all([passed, text.show({ region: '1.1.16' })]);
    assert.ok(clock.asked <= 2 * (STRIPS / 16 + 2), `${clock.asked}`);
    assert.deepEqual(text.shown().map.shape, [256, 256]);
  });
});
