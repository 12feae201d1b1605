/** Models as files: what comes back, and bytes of which nothing is trusted. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import {
  characters,
  createModel,
  generate,
  load,
  logits,
  save,
} from '../../../web/language/index.js';
import { runs } from '../runs.js';
import { testRefusals } from '../refusals.js';

const MODEL = createModel({ vocabulary: 9, context: 6, dModel: 8, heads: 2, seed: 3 });
const BYTES = save(MODEL);
const HEADER = new DataView(BYTES.buffer).getUint32(8, true);

/** Returns a file with another header. @param {(header: any) => any} change @param {Uint8Array} [bytes] */
function withHeader(change, bytes = BYTES) {
  const header = JSON.parse(new TextDecoder().decode(bytes.subarray(12, 12 + HEADER)));
  const text = new TextEncoder().encode(JSON.stringify(change(header)));
  const file = new Uint8Array(bytes.length - HEADER + text.length);
  file.set(bytes.subarray(0, 8));
  new DataView(file.buffer).setUint32(8, text.length, true);
  file.set(text, 12);
  file.set(bytes.subarray(12 + HEADER), 12 + text.length);
  return file;
}

for (const bits of /** @type {const} */ ([16, 8])) {
  test(`parameters come back from ${bits} bits within half a step of their row's largest`, () => {
    const { config, parameters } = load(save(MODEL, { bits }));
    assert.deepEqual(config, MODEL.config);
    for (const [name, { data, shape }] of Object.entries(MODEL.parameters)) {
      assert.deepEqual(parameters[name].shape, shape);
      const columns = Number(shape.at(-1));
      data.forEach((x, i) => {
        const first = i - (i % columns);
        const row = data.subarray(first, first + columns);
        const step = Math.max(...row.map(Math.abs)) / (2 ** (bits - 1) - 1);
        assert.ok(Math.abs(parameters[name].data[i] - x) <= 0.51 * step, `${name}[${i}]`);
      });
    }
  });
}

test('a file that is loaded and saved again is the same file', () => {
  for (const bits of /** @type {const} */ ([16, 8])) {
    const once = save(load(save(MODEL, { bits })), { bits });
    assert.deepEqual(save(load(once), { bits }), once);
  }
});

test('a file is small: two bytes a parameter, or one, and a factor a row', () => {
  const count = Object.values(MODEL.parameters).reduce((sum, { data }) => sum + data.length, 0);
  assert.ok(BYTES.length < 2 * count + 4 * 300 + 300);
  assert.ok(save(MODEL, { bits: 8 }).length < count + 4 * 300 + 300);
});

test('the tokenizer and a note go with the model', () => {
  const tokenizer = characters('明月光上');
  const about = { text: 'poems', seed: 3 };
  const model = load(save(MODEL, { tokenizer, about }));
  assert.deepEqual(model.about, about);
  assert.deepEqual(model.tokenizer?.encode('明光'), tokenizer.encode('明光'));
  const small = createModel({ ...MODEL.config, vocabulary: 5, seed: 1 });
  assert.equal(generate(small, '明', { tokenizer, length: 4 }).length, 5);
});

test('bytes may come as an ArrayBuffer, or at an offset', () => {
  const shifted = new Uint8Array(BYTES.length + 3);
  shifted.set(BYTES, 3);
  for (const bytes of [BYTES.slice().buffer, shifted.subarray(3)]) {
    assert.deepEqual(load(bytes).parameters, load(BYTES).parameters);
  }
  assert.ok(logits(load(BYTES), [1, 2]).data.every(Number.isFinite));
});

test('parameters that are no numbers are not saved', () => {
  const broken = createModel({ ...MODEL.config, seed: 3 });
  broken.parameters['norm.bias'].data[1] = NaN;
  assert.throws(() => save(broken), {
    name: 'DTypeError',
    message: 'save: norm.bias is NaN, expected finite numbers',
  });
});

const factorless = BYTES.slice();
new DataView(factorless.buffer).setFloat32(12 + HEADER, NaN, true);

testRefusals([
  [() => load(new Uint8Array(0)), /^DTypeError: load: bytes begins with "", expected 'attn-lm1'/],
  [
    () => load(new TextEncoder().encode('{"a": 1}')),
    /^DTypeError: load: bytes begins with "{\\"a\\": 1}"/,
  ],
  [
    () => load(Uint8Array.of(...BYTES, 0)),
    /^ShapeError: load: bytes has \d+ after the header, expected \d+/,
  ],
  [
    () => load(Uint8Array.of(...BYTES.slice(0, 8), 1, 0, 0, 0, 65)),
    /^DTypeError: load: the header of bytes is no JSON/,
  ],
  [
    () => load(withHeader(() => [])),
    /^DTypeError: load: the header is an array, expected an object$/,
  ],
  [
    () => load(withHeader(() => ({ bits: 16 }))),
    /^DTypeError: load: config.vocabulary is undefined, expected a number$/,
  ],
  [
    () => load(withHeader((h) => ({ ...h, config: { ...h.config, layers: 2 ** 63 } }))),
    /^DTypeError: load: layers is 9223372036854776000, expected a positive safe integer$/,
  ],
  [
    () => load(withHeader((h) => ({ ...h, config: { ...h.config, layers: 2e9 } }))),
    /^CapacityError: load: the model has \d+ parameters/,
  ],
  [
    () => load(withHeader((h) => ({ ...h, config: { ...h.config, layers: 1e6 } }))),
    /^ShapeError: load: bytes has \d+ after the header, expected \d+/,
  ],
  [
    () => load(withHeader((h) => ({ ...h, config: { ...h.config, scale: '1' } }))),
    /^DTypeError: load: config.scale is '1', expected a number$/,
  ],
  [
    () => load(withHeader((h) => ({ ...h, bits: 4 }))),
    /^DTypeError: load: bits is 4, expected one of 16, 8$/,
  ],
  [
    () => load(withHeader((h) => ({ ...h, tokenizer: { kind: 'pairs' } }))),
    /^DTypeError: loadTokenizer: data.characters/,
  ],
  [
    () => load(factorless),
    /^DTypeError: load: a factor of token is NaN, expected a finite number of at least 0$/,
  ],
  [
    () => load(/** @type {any} */ ('attn-lm1')),
    /^DTypeError: load: bytes is 'attn-lm1', expected a Uint8Array or an ArrayBuffer$/,
  ],
]);

test('a header with __proto__ changes nothing', () => {
  const text = `{"bits":16,"config":${JSON.stringify(MODEL.config)},"__proto__":{"evil":1},"about":{"__proto__":{"evil":1}}}`;
  const head = new TextEncoder().encode(text);
  const file = new Uint8Array(12 + head.length + BYTES.length - 12 - HEADER);
  file.set(BYTES.subarray(0, 8));
  new DataView(file.buffer).setUint32(8, head.length, true);
  file.set(head, 12);
  file.set(BYTES.subarray(12 + HEADER), 12 + head.length);
  load(file);
  assert.equal(/** @type {any} */ ({}).evil, undefined);
});

/** Expects a model whose numbers are finite, or an error of the package. @param {Uint8Array} bytes */
function loadOrRefuse(bytes) {
  try {
    const { parameters } = load(bytes);
    for (const { data } of Object.values(parameters)) assert.ok(data.every(Number.isFinite));
  } catch (error) {
    const { code } = /** @type {{ code?: string }} */ (error);
    assert.match(String(code), /^ATTN_(SHAPE|DTYPE|CAPACITY)$/, String(error));
  }
}

test('any bytes give a model of finite numbers or an error that says why', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 300 }), (tail) => {
      loadOrRefuse(tail);
      loadOrRefuse(Uint8Array.of(...BYTES.subarray(0, 8), ...tail));
      loadOrRefuse(Uint8Array.of(...BYTES.subarray(0, 8), tail.length, 0, 0, 0, ...tail));
    }),
    runs(500),
  );
});

test('a file with some bytes changed gives a model of finite numbers or an error that says why', () => {
  const changes = fc.array(fc.tuple(fc.nat(BYTES.length - 1), fc.nat(255)), {
    minLength: 1,
    maxLength: 8,
  });
  const inHeader = fc.array(fc.tuple(fc.nat(12 + HEADER), fc.nat(255)), {
    minLength: 1,
    maxLength: 3,
  });
  fc.assert(
    fc.property(fc.oneof(changes, inHeader), fc.nat(BYTES.length), (list, end) => {
      const bytes = BYTES.slice();
      for (const [place, byte] of list) bytes[place] = byte;
      loadOrRefuse(bytes);
      loadOrRefuse(bytes.subarray(0, end));
    }),
    runs(500),
  );
});

test('headers of any JSON give a model or an error that says why', () => {
  const value = fc.oneof(fc.jsonValue(), fc.nat(20), fc.constantFrom(0, -1, 1e9, 2 ** 53, 1.5));
  const sizes = ['vocabulary', 'context', 'dModel', 'layers', 'heads', 'dKey', 'scale'];
  const names = [...sizes, 'queryKeyNorm', 'learnedScale', 'values'];
  fc.assert(
    fc.property(fc.constantFrom(...names), value, (name, x) => {
      loadOrRefuse(withHeader((h) => ({ ...h, config: { ...h.config, [name]: x } })));
      loadOrRefuse(withHeader((h) => ({ ...h, [name]: x, bits: x })));
      loadOrRefuse(withHeader(() => x));
    }),
    runs(300),
  );
});
