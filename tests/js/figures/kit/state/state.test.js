// State of a figure as data: fields that parse anything, hashes that survive anything.

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import {
  attributeName,
  choiceField,
  initialState,
  listField,
  matrixField,
  numberField,
  readHash,
  readState,
  writeHash,
} from '../../../../../web/figures/kit/state/state.js';

const fields = {
  dK: numberField({ initial: 64, min: 1, max: 512 }),
  entrySize: numberField({ initial: 1, min: 0.25, max: 3, step: 0.05 }),
  scale: choiceField({ initial: 'sqrt', options: ['sqrt', 'none'] }),
};

describe('a list field', () => {
  const field = listField({ initial: '1, 2', min: -10, max: 10, most: 3 });

  it('reads numbers between commas of either script, and clamps each', () => {
    assert.equal(field.parse('1,2'), '1, 2');
    assert.equal(field.parse(' −3， 0.5、99 '), '-3, 0.5, 10');
    assert.equal(field.parse('１，－２．５'), '1, -2.5');
  });

  it('refuses too few numbers, too many, and other text', () => {
    for (const text of ['', '1', '1,2,3,4', '1, x', '<b>, 1', '1e999x,2', null, {}]) {
      assert.equal(field.parse(text), undefined);
    }
  });
});

describe('a matrix field', () => {
  const field = matrixField({ initial: '1 2 3 4 5 6', count: 6, largest: 2.5 });

  it('reads numbers row by row, clamps each in magnitude and rounds it to a hundredth', () => {
    assert.equal(field.parse(' 1,2;  0.5\n-1.234 -0 1e-9 '), '1 2 0.5 -1.23 0 0');
    assert.equal(field.parse('1e3 -1e3 Infinity 0 0 0'), '2.5 -2.5 2.5 0 0 0');
  });

  it('refuses too few numbers, too many, gaps, other text, and text that is too long', () => {
    const long = '0 0 0 0 0 0.' + '0'.repeat(400);
    for (const text of [
      '',
      '1 2 3 4 5',
      '1 2 3 4 5 6 7',
      '1,2,3,4,5,',
      ',1,2,3,4,5',
      '1 2 3 4 5 x',
      long,
      7,
    ]) {
      assert.equal(field.parse(text), undefined);
    }
  });

  it('is empty where that is its initial text', () => {
    assert.equal(matrixField({ initial: '', count: 2, largest: 1 }).parse(' '), '');
  });
});

describe('a number field', () => {
  it('clamps to its range and snaps to its grid', () => {
    assert.equal(fields.dK.parse('1e9'), 512);
    assert.equal(fields.dK.parse(-3), 1);
    assert.equal(fields.dK.parse('12.4'), 12);
    assert.equal(fields.dK.parse(Infinity), 512);
    assert.equal(fields.entrySize.parse('0.31'), 0.3);
  });

  it('reads only numbers as numbers', () => {
    for (const rubbish of [
      '',
      ' ',
      'x',
      NaN,
      null,
      undefined,
      {},
      [],
      true,
      9n,
      Symbol('s'),
      '1'.repeat(65),
    ]) {
      assert.equal(fields.dK.parse(rubbish), undefined);
    }
  });
});

it('a choice is one of its options and nothing else', () => {
  assert.equal(fields.scale.parse('none'), 'none');
  for (const other of ['__proto__', 'constructor', 'NONE', 0, null, ['none']]) {
    assert.equal(fields.scale.parse(other), undefined);
  }
});

it('property names become attribute names', () => {
  assert.equal(attributeName('dK'), 'd-k');
  assert.equal(attributeName('entrySize'), 'entry-size');
});

it('a field that cannot be read keeps its value and is named', () => {
  const values = /** @type {Record<string, string>} */ ({ 'd-k': 'x', scale: 'none' });
  const { state, ignored } = readState(fields, (name) => values[name]);
  assert.deepEqual(state, { dK: 64, entrySize: 1, scale: 'none' });
  assert.deepEqual(ignored, ['d-k']);
});

describe('the hash', () => {
  const states = fc.record({
    dK: fc.integer({ min: 1, max: 512 }),
    entrySize: fc.integer({ min: 5, max: 60 }).map((steps) => Number((steps * 0.05).toFixed(6))),
    scale: fc.constantFrom('sqrt', 'none'),
  });

  it('brings back every state it was written from', () => {
    fc.assert(
      fc.property(states, fc.string({ maxLength: 20 }), (state, figure) => {
        const found = readHash(`#${writeHash(figure, fields, state)}`, figure, fields);
        assert.deepEqual(found, { state: { ...state }, ignored: [] });
      }),
    );
  });

  it('of another figure, or of another part of the page, has no effect', () => {
    const hash = `#${writeHash('saturation', fields, initialState(fields))}`;
    assert.equal(readHash(hash, 'saturation.2', fields), undefined);
    for (const other of ['', '#', '#section', '#attn', '#figure=saturation']) {
      assert.equal(readHash(other, 'saturation', fields), undefined);
    }
  });
});
