/** Tokens of any kind as texts. Byte-level pieces are compared with those that GPT-2's tokenizer gives. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { toAttention } from '../../../../web/inspector/reading/index.js';
import { runs } from '../../runs.js';

/** Returns tokens as they are read. @param {any} tokens @param {number} [count] */
const read = (tokens, count = tokens.length) =>
  toAttention({ weights: { data: new Float32Array(count ** 2), shape: [count, count] }, tokens })
    .tokens;

/** Returns the byte-level pieces of bytes, by the table in the code of GPT-2. @param {Uint8Array} bytes */
function piecesOf(bytes) {
  const printed = [[33, 126], [161, 172], [174, 255]]; // prettier-ignore
  const isPrinted = (/** @type {number} */ byte) =>
    printed.some(([a, b]) => byte >= a && byte <= b);
  const others = Array.from({ length: 256 }, (_, byte) => byte).filter((byte) => !isPrinted(byte));
  return Array.from(bytes, (byte) =>
    String.fromCharCode(isPrinted(byte) ? byte : 256 + others.indexOf(byte)),
  ).join('');
}

test('the pieces of a byte-level tokenizer become their text', () => {
  assert.deepEqual(read(['ä½łå¥½', 'Ġthe', 'Ċ']), ['你好', ' the', '\n']);
  assert.deepEqual(read(['<|endoftext|>', 'The', 'Ġold', 'Ġman']), [
    '<|endoftext|>',
    'The',
    ' old',
    ' man',
  ]);
});

test('a character that is spread over pieces shows its bytes', () => {
  assert.deepEqual(read(['Ġð', 'ŁĮ', 'Ĭ', '!']), [' <0xF0>', '<0x9F><0x8C>', '<0x8A>', '!']);
});

test('a text may begin and end within a character', () => {
  const pieces = ['łå¥½', 'Ġthe', 'ä'];
  assert.deepEqual(read(pieces), ['<0xA0><0xE5><0xA5><0xBD>', ' the', '<0xE4>']);
});

test('words that only look like pieces stay as they are', () => {
  for (const words of [
    ['večer', 'dobrý'],
    ['Łódź', 'się'],
    ['naïve', 'café', 'Ärger'],
    ['▁the', '▁sea', '<0xE6>'],
    ['##ing', '[CLS]'],
    ['海', 'Ġthe'],
  ]) {
    assert.deepEqual(read(words), words);
  }
});

test('any text comes back from its pieces', () => {
  fc.assert(
    fc.property(
      fc.array(fc.string({ unit: 'grapheme', minLength: 1, maxLength: 9 }), {
        minLength: 1,
        maxLength: 9,
      }),
      (texts) => {
        const spaced = texts.map((text) => ` ${text}`);
        const pieces = spaced.map((text) => piecesOf(new TextEncoder().encode(text)));
        assert.deepEqual(read(pieces), spaced);
      },
    ),
    runs(1000),
  );
});

test('numbers, bytes and a batch of one are read as texts', () => {
  assert.deepEqual(read([101, 7592n]), ['101', '7592']);
  assert.deepEqual(read(BigInt64Array.of(101n, 7592n)), ['101', '7592']);
  assert.deepEqual(read({ data: Int32Array.of(101, 102), shape: [1, 2] }, 2), ['101', '102']);
  assert.deepEqual(read([[101, 'x']], 2), ['101', 'x']);
  assert.deepEqual(read([new TextEncoder().encode('海')]), ['海']);
});

test('tokens of keys name the last queries, as after a cache', () => {
  const { tokens, keyTokens } = toAttention({
    weights: [[[0.1, 0.2, 0.7]]],
    tokens: ['a', 'b', 'c'],
  });
  assert.deepEqual([tokens, keyTokens], [['c'], ['a', 'b', 'c']]);
  assert.throws(
    () => toAttention({ weights: [[0.1, 0.2, 0.7]], tokens: ['a', 'b'] }),
    /tokens has length 2, expected 1, one a query/,
  );
});
