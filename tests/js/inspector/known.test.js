// What is known of an attention: computed once, for whatever shows it, and apart from that of others.

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { randomNormal } from '../../../web/attention/index.js';
import { initialState } from '../../../web/figures/kit/state/state.js';
import { knownOf } from '../../../web/inspector/heads/known.js';
import { toAttention } from '../../../web/inspector/reading/index.js';
import { compute } from '../../../web/inspector/view/data.js';
import { fields } from '../../../web/inspector/view/fields.js';
import { createMemo } from '../../../web/shared/memo.js';
import { atOnce } from '../../../web/shared/slices.js';

const given = () => {
  const [query, key] = [1, 2].map((seed) => randomNormal([1, 3, 6, 4], { seed }));
  return toAttention({ query, key });
};

/** Begins to compute as a figure of its own does. @param {any} attention @param {object} [state] */
const begin = (attention, state = {}) =>
  compute(/** @type {any} */ ({ ...initialState(fields), row: 2, ...state }), {
    coarse: false,
    still: false,
    language: 'en',
    memo: createMemo(),
    result: attention,
    loaded: /** @type {any} */ (undefined),
  });

describe('what is known of an attention', () => {
  it('is one record of it, and none of another', () => {
    const [one, other] = [given(), given()];
    assert.equal(knownOf(one), knownOf(one));
    assert.notEqual(knownOf(one), knownOf(other));
  });

  it('serves every figure and every state that asks for the same', () => {
    const attention = given();
    const first = atOnce(begin(attention));
    const second = atOnce(begin(attention, { row: 3, show: 'lines' }));
    assert.equal(second.matrix?.data, first.matrix?.data);
    assert.equal(second.histogram, first.histogram);
    assert.equal(second.overview, first.overview);
    const sharper = atOnce(begin(attention, { factor: 2 }));
    assert.notEqual(sharper.matrix?.data, first.matrix?.data);
    assert.notDeepEqual(sharper.overview, first.overview);
    assert.notEqual(atOnce(begin(given())).matrix?.data, first.matrix?.data);
  });

  it('holds the heads of a computation that was interrupted', () => {
    const attention = given();
    const steps = begin(attention);
    while (!knownOf(attention).overview?.heads[1]) steps.next();
    const [...before] = knownOf(attention).overview?.heads ?? [];
    const { overview } = atOnce(begin(attention));
    assert.equal(overview.length, 3);
    assert.deepEqual(
      before.map((head, i) => head === overview[i]),
      [true, true],
    );
  });
});
