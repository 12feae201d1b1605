// @slow
// The numbers that figures show beside theory, without a document.

import assert from 'node:assert/strict';
import { it } from 'node:test';
import { SCALE_CHOICES, SCALES } from '../../../web/experiments/scale-list.js';
import { renderStatic, staticView } from '../../../web/figures/kit/chart/static.js';
import { START_KEYS } from '../../../web/shared/starts.js';
import { tiedRingFloor } from '../../../web/theory/relation.js';
import { assertNear } from '../theory/near.js';

/** @import { AnyFigureSpec } from '../../../web/figures/kit/spec.js' */

/** @param {string} name @returns {Promise<AnyFigureSpec>} */
const specOf = async (name) => (await import(`../../../web/figures/${name}/element.js`)).spec;

/**
 * Returns the lines of a read-out.
 * @param {string} name
 * @param {object} state
 * @returns {Promise<Record<string, { measured: number, theory: number }>>} by `series: quantity`
 */
async function linesOf(name, state) {
  const spec = await specOf(name);
  const groups = spec.readout(/** @type {any} */ (staticView(spec, { lang: 'en', ...state })));
  return Object.fromEntries(
    groups.flatMap(({ series, rows }) =>
      rows.map(({ quantity, measured, theory }) => [
        `${series.key}: ${quantity}`,
        { measured, theory },
      ]),
    ),
  );
}

/** Other starts of queries and keys than unit variance. */
const STARTED = START_KEYS.slice(1).map((start) => ({ start }));

/** States of figures, and how far from theory what they measure may be. @type {[name: string, states: object[], most: number][]} */
const NEAR = [
  ['saturation', [{}, ...STARTED], 0.05],
  // At larger scores a few queries hold up the mean.
  [
    'walk',
    [{ dK: 64 }, ...STARTED.map((start) => ({ ...start, dK: 4 }))].map((state) => ({
      ...state,
      walks: 2000,
    })),
    0.05,
  ],
  [
    'scale',
    [
      ...SCALE_CHOICES.map((factor) => ({ factor, queries: 1024 })),
      ...STARTED.map((start) => ({ ...start, factor: 'softcap', queries: 1024 })),
    ],
    0.08,
  ],
  ['scales', SCALES.map((factor) => ({ factor, queries: 1024 })), 0.08],
  ['precision', [{ queries: 1024 }], 0.05],
];

for (const [name, states, most] of NEAR) {
  it(`attn-${name} measures what theory expects`, async () => {
    for (const state of states) {
      const lines = Object.entries(await linesOf(name, state));
      const compared = lines.filter(
        ([line, { theory }]) => Number.isFinite(theory) && !line.startsWith('trained'), // no sample of that theory
      );
      assert.ok(compared.length >= 6, JSON.stringify(state));
      for (const [line, { measured, theory }] of compared) {
        // Of 256 queries without a scale, one in three has another key so close.
        assertNear(measured, theory, line.includes('others within') ? 0.25 : most);
      }
    }
  });
}

it('attn-walk expects deviations of √d_k, 1 and 1/√d_k', async () => {
  const lines = await linesOf('walk', { walks: 1 });
  for (const [series, deviation] of Object.entries({ none: 16, sqrt: 1, linear: 1 / 16 })) {
    assert.equal(lines[`${series}: σ of the scores`].theory, deviation);
  }
});

it('scores of figures at d_k = 64 begin at 8, 2.67, 4, 14.2 and 2.46 without a scale, whatever measures them', async () => {
  const expected = [8, 2.67, 4, 14.2, 2.46];
  for (const [i, start] of START_KEYS.entries()) {
    const saturation = await linesOf('saturation', { start });
    const walk = await linesOf('walk', { start, dK: 64 });
    const scale = await linesOf('scale', { start, factor: 'none' });
    for (const { theory } of [
      saturation['unscaled: σ of the scores'],
      walk['none: σ of the scores'],
      scale['none: σ of the scores'],
    ]) {
      assertNear(theory, expected[i], 0.005);
    }
  }
});

it('attn-asymmetry ends at the floor when tied, below it when not', async () => {
  for (const [relation, ring] of Object.entries({ ring3: 3, pairs: 2, ring8: 8 })) {
    const lines = await linesOf('asymmetry', { relation, dK: 8 });
    const { measured, theory } = lines['tied: loss at the end'];
    assertNear(theory, tiedRingFloor(ring), 1e-9);
    assert.ok(measured >= theory - 1e-4 && measured < theory + 0.02, `${relation}: ${measured}`);
    assert.ok(lines['untied: loss at the end'].measured < 0.02);
  }
});

it('attn-precision loses weights where nothing overflows: 56 % unscaled, none scaled', async () => {
  const lines = await linesOf('precision', { queries: 1024 });
  assert.deepEqual(lines['unscaled: q·k overflows'], { measured: 0, theory: 0 });
  assertNear(lines['unscaled: exp overflows'].measured, 0.083, 0, 0.006);
  assert.ok(lines['unscaled: rows where exp overflows'].measured > 0.98);
  assertNear(lines['unscaled: weight is 0'].measured, 0.56, 0, 0.02);
  assert.deepEqual(lines['scaled: weight is 0'], { measured: 0, theory: 0 });
  const large = await linesOf('precision', { entrySize: 64 });
  assert.ok(large['unscaled: q·k overflows'].measured > 0);
  assert.equal(large['scaled: q·k overflows'].measured, 0);
});

it('pictures and notes name what is exact, where saturation begins, and entries that overflow', async () => {
  const [saturation, gradient, precision] = await Promise.all(
    ['saturation', 'gradient', 'precision'].map(specOf),
  );
  assert.match(
    renderStatic(saturation, { keys: 512, lang: 'en' }),
    /saturation begins: .*\* = 2 ln n = 12/,
  );
  const noteOf = (
    /** @type {AnyFigureSpec} */ spec,
    /** @type {Record<string, unknown>} */ state,
  ) => spec.note?.(/** @type {any} */ (staticView(spec, state))) ?? '';
  assert.match(noteOf(gradient, { lang: 'en' }), /exactly 1\.6×10⁻²¹, in float32 0/);
  assert.match(noteOf(precision, { lang: 'zh', entrySize: 64 }), /元素要大到 45/);
});
