// The state of every figure is parsed as data: any attribute, property or hash gives a state of the figure.

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { REACH } from '../../web/figures/asymmetry/plane.js';
import {
  attributeName,
  initialState,
  readHash,
  writeHash,
} from '../../web/figures/kit/state/state.js';
import { FIGURES } from '../../web/build/paths.js';
import { drawn, useBench } from '../browser/figures/bench.js';

/** @import { Fields } from '../../web/figures/kit/state/state.js' */

/** @type {Record<string, Fields>} */
const fieldsOf = {};
for (const name of FIGURES) {
  fieldsOf[name] = (await import(`../../web/figures/${name}/element.js`)).spec.fields;
}

/** Text that has troubled parsers, and numbers at the edge of the allowed range. */
const hostileText = fc.constantFrom(
  '__proto__',
  'constructor',
  'toString',
  '<img src=x onerror=alert(1)>',
  '"><script>alert(1)</script>',
  'javascript:alert(1)',
  '{{constructor.constructor("alert(1)")()}}',
  '%00',
  '%E0%A4%A',
  '\u202e',
  '\ud800',
  '1e999',
  '-1e999',
  '0x10',
  '1_000',
  '١٢',
  'NaN',
  '1,'.repeat(500),
  '9'.repeat(3000),
);
const text = fc.oneof(
  hostileText,
  fc.string({ unit: 'binary' }),
  fc.double().map(String),
  fc.integer().map(String),
);

/** @param {string} name */
const attributesOf = (name) => Object.keys(fieldsOf[name]).map(attributeName);

/** A figure, and values for its fields and for others, readable and not. */
const statements = fc.constantFrom(...FIGURES).chain((name) => {
  const key = fc.oneof(fc.constantFrom(...attributesOf(name)), text);
  return fc.record({ name: fc.constant(name), pairs: fc.array(fc.tuple(key, text)) });
});

/** Asserts that each value is one that its field accepts unchanged. @param {Fields} fields  @param {unknown} state */
function assertState(fields, state) {
  assert.deepEqual(Object.keys(/** @type {object} */ (state)), Object.keys(fields));
  for (const [key, { parse }] of Object.entries(fields)) {
    const value = /** @type {Record<string, unknown>} */ (state)[key];
    assert.ok(Object.is(parse(value), value), `${key} is ${String(value)}`);
  }
}

describe('in Node', () => {
  it('a field of any figure makes of any input one of its values, or none', () => {
    const megabytes = ['9', ' ', '<b>', '1,'].map((part) => part.repeat(2 ** 20));
    for (const name of FIGURES) {
      for (const value of megabytes) {
        for (const { parse, initial } of Object.values(fieldsOf[name])) {
          assert.ok([undefined, initial].includes(parse(value)));
        }
      }
      const anything = fc.oneof(text, fc.anything());
      const property = fc.property(anything, (value) => {
        for (const { parse } of Object.values(fieldsOf[name])) {
          const parsed = parse(value);
          if (parsed !== undefined) assert.ok(Object.is(parse(parsed), parsed));
        }
      });
      fc.assert(property, { numRuns: 1000, examples: [[{ toString: '' }]] }); // no text can be made of it
    }
  });

  it('a number out of range is clamped, in a matrix too', () => {
    const { queries, keys } = fieldsOf.asymmetry;
    for (const { parse } of [queries, keys]) {
      assert.equal(parse('1e3 -1e3 0 0 0 0'), `${REACH} ${-REACH} 0 0 0 0`);
    }
    for (const name of FIGURES) {
      for (const { kind, min, max, parse } of Object.values(fieldsOf[name])) {
        if (kind === 'number') assert.deepEqual(['-1e30', '1e30'].map(parse), [min, max]);
      }
    }
  });

  it('a hash gives a state of its figure, and names only what it could not read', () => {
    const property = fc.property(statements, text, ({ name, pairs }, tail) => {
      const query = new URLSearchParams({ attn: '1', figure: name });
      for (const [key, value] of pairs) query.append(key, value);
      const found = readHash(`#${query}${tail}`, name, fieldsOf[name]);
      if (!found) return;
      assertState(fieldsOf[name], found.state);
      const known = new Set(['attn', ...attributesOf(name)]);
      assert.deepEqual(
        found.ignored.filter((attribute) => !known.has(attribute)),
        [],
      );
    });
    fc.assert(property, { numRuns: 10_000 });
    assert.deepEqual(Object.keys(Object.prototype), []);
  });

  it('a hash that is too long or of another version gives the default state and a notice', () => {
    for (const name of FIGURES) {
      const fields = fieldsOf[name];
      const good = writeHash(name, fields, initialState(fields));
      const defaults = { state: initialState(fields), ignored: ['attn'] };
      const long = `#${good}&x=${'y'.repeat(2 ** 20)}`;
      assert.deepEqual(readHash(long, name, fields), defaults);
      assert.deepEqual(readHash(`#${good.replace('attn=1', 'attn=2')}`, name, fields), defaults);
    }
  });
});

describe('in Chromium', () => {
  const bench = useBench();

  it('no attribute, property or hash of any figure throws, becomes markup or leaves the fields', async () => {
    const body = FIGURES.map((name) => `<attn-${name}></attn-${name}>`).join('');
    const tab = await bench.open(body);
    for (const name of FIGURES) {
      await tab.locator(`attn-${name}`).scrollIntoViewIfNeeded();
      await drawn(tab, `attn-${name}`);
    }
    const samples = fc.sample(statements, 200);
    const states = await tab.evaluate(async (all) => {
      const name = /^[^\s"'<>/=\0]+$/;
      for (const [turn, { name: figure, pairs }] of all.entries()) {
        const element = /** @type {HTMLElement} */ (document.querySelector(`attn-${figure}`));
        const query = new URLSearchParams({ attn: '1', figure });
        for (const [key, value] of pairs) {
          query.append(key, value.slice(0, 2000));
          const allowed = name.test(key) && !key.startsWith('on') && key !== 'style';
          if (allowed && /^[a-z]/.test(key)) element.setAttribute(key, value);
          const property = key.replace(/-([a-z])/g, (_, letter) => letter.toUpperCase());
          if (Object.hasOwn(Reflect.get(element, 'state'), property))
            Reflect.set(element, property, value);
        }
        if (turn % 4 === 0) location.hash = String(query);
        if (turn % 20 === 0) await new Promise((resolve) => setTimeout(resolve));
      }
      await new Promise((resolve) => setTimeout(resolve, 500));
      return [...document.querySelectorAll('main > :not(h1)')].map((figure) => ({
        name: figure.localName.replace('attn-', ''),
        state: Reflect.get(figure, 'state'),
        failure: String(Reflect.get(figure, 'failure')),
        foreign: figure.shadowRoot?.querySelectorAll('img, script, iframe, a, [onerror]').length,
      }));
    }, samples);
    await tab.close(); // from now on nothing is heard of it
    assert.equal(states.length, FIGURES.length);
    for (const { name, state, failure, foreign } of states) {
      assertState(fieldsOf[name], state);
      // An address that cannot be read is a failure that the figure tells.
      const isUnread = name === 'view' && state.src !== '' && /^TypeError: Failed to/.test(failure);
      const other = isUnread ? 'undefined' : failure;
      assert.deepEqual(
        { name, failure: other, foreign },
        { name, failure: 'undefined', foreign: 0 },
      );
    }
    // The policy of the page keeps attn-view from an address, which is what `src` is.
    const isRefusal = (/** @type {string} */ text) =>
      /^(Connecting to|Fetch API cannot)/.test(text);
    assert.deepEqual(
      bench.complaints.splice(0).filter((text) => !isRefusal(text)),
      [],
    );
  });
});
