/** Tokenizers: every text comes back, pairs are those of a plain count, and JSON makes the same tokenizer. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { bytesOf, textOf } from '../../../web/language/utf8.js';
import { characters, createTokenizer, loadTokenizer } from '../../../web/language/index.js';
import { runs } from '../runs.js';
import { testRefusals } from '../refusals.js';

const TEXT = 'the cat sat on the mat; the hat, the bat and the rat sat on the cat. '.repeat(3);
const POEM = '床前明月光，疑是地上霜。举头望明月，低头思故乡。';

/** Any string, also with halves of surrogate pairs. */
const anyText = fc.oneof(
  fc.string({ unit: 'binary' }),
  fc.string({ unit: 'grapheme' }),
  fc.string({ unit: fc.constantFrom(...'the cat\n\t.', '明', '\ud800', '\udc00', '\u{1F600}') }),
);

test('every text comes back, whatever the tokenizer was made from', () => {
  const sizes = fc.integer({ min: 17, max: 300 });
  fc.assert(
    fc.property(anyText, anyText, sizes, (source, text, vocabulary) => {
      const tokenizer = createTokenizer(source, { vocabulary });
      assert.ok(tokenizer.pieces.length <= vocabulary);
      const tokens = tokenizer.encode(text);
      assert.ok(tokens.every((token) => token >= 0 && token < tokenizer.pieces.length));
      assert.equal(tokenizer.decode(tokens), text);
    }),
    runs(500),
  );
});

test('characters of the text come back, others are the piece for unknown ones', () => {
  const tokenizer = characters(POEM);
  assert.equal(tokenizer.decode(tokenizer.encode(POEM)), POEM);
  assert.equal(tokenizer.decode(tokenizer.encode('明日')), '明\uFFFD');
  assert.equal(tokenizer.encode('明日').length, 2);
  const few = characters(POEM, { vocabulary: 4 });
  assert.equal(few.pieces.length, 4);
  assert.ok(few.pieces.includes('明'), 'the most frequent ones');
});

test('JSON has the characters as one text, unless two would become one; a list is read, too', () => {
  const poem = characters(POEM);
  const saved = poem.toJSON();
  assert.equal(typeof saved.characters, 'string');
  const older = loadTokenizer({ ...saved, characters: [...saved.characters] });
  assert.deepEqual(older.pieces, poem.pieces);
  const halves = characters('\uD83D\uD83D\uD83D \uDE00\uDE00');
  assert.ok(Array.isArray(halves.toJSON().characters), 'halves that would be one character');
  assert.deepEqual(loadTokenizer(JSON.parse(JSON.stringify(halves))).pieces, halves.pieces);
});

test('JSON makes the same tokenizer again', () => {
  for (const tokenizer of [createTokenizer(TEXT, { vocabulary: 60 }), characters(POEM)]) {
    const again = loadTokenizer(JSON.parse(JSON.stringify(tokenizer)));
    assert.deepEqual(again.pieces, tokenizer.pieces);
    for (const text of [TEXT, POEM, 'new ✓']) {
      assert.deepEqual(again.encode(text), tokenizer.encode(text));
    }
  }
});

/** Learns pairs by counting all words again for every piece. @param {string} text @param {number} count */
function plainPieces(text, count) {
  const words = (text.match(/ ?\p{L}+| ?[^\s\p{L}]+|\s+/gu) ?? []).map((word) => [...word]);
  /** @type {string[]} */
  const pieces = [];
  while (pieces.length < count) {
    /** @type {Map<string, number>} */
    const pairs = new Map();
    for (const word of words) {
      for (let i = 0; i + 1 < word.length; i++) {
        const pair = JSON.stringify([word[i], word[i + 1]]);
        pairs.set(pair, (pairs.get(pair) ?? 0) + 1);
      }
    }
    const most = Math.max(...pairs.values());
    const best = [...pairs].filter(([, n]) => n === most).map(([pair]) => JSON.parse(pair));
    pieces.push(best.map((pair) => pair.join('')).sort()[0]);
    if (best.length > 1) break; // which of equals is first is the tokenizer's own rule
    for (const word of words) {
      for (let i = 0; i + 1 < word.length; i++) {
        if (word[i] === best[0][0] && word[i + 1] === best[0][1])
          word.splice(i, 2, word[i] + word[i + 1]);
      }
    }
  }
  return pieces;
}

test('pairs are learned in the order of their frequency', () => {
  const text = 'aaab aaab ab ab ab abc abc cd'; // without equals for a while
  const tokenizer = createTokenizer(text, { vocabulary: 40 });
  const learned = tokenizer.pieces.slice(16 + 5);
  const plain = plainPieces(text, 3);
  assert.deepEqual(learned.slice(0, plain.length - 1), plain.slice(0, -1));
  assert.equal(learned[0], 'ab');
});

test('pieces stay inside words, with the space before them', () => {
  const { pieces } = createTokenizer(TEXT, { vocabulary: 200 });
  assert.ok(pieces.includes(' the'));
  assert.ok(pieces.every((piece) => !/\S\s/.test(piece)));
});

test('the same text gives the same tokenizer, and common words are one token', () => {
  const [first, second] = [0, 1].map(() => createTokenizer(TEXT, { vocabulary: 80 }));
  assert.deepEqual(first.pieces, second.pieces);
  assert.equal(first.encode(' the').length, 1);
});

test('an empty text gives a tokenizer that still writes every text', () => {
  const tokenizer = createTokenizer('');
  assert.equal(tokenizer.pieces.length, 16);
  assert.equal(tokenizer.decode(tokenizer.encode('ab✓')), 'ab✓');
  assert.equal(characters('').pieces.length, 1);
  assert.deepEqual(tokenizer.encode(''), []);
});

test('a text of 400 000 characters takes less than five seconds', () => {
  const words = Array.from({ length: 3000 }, (_, i) => (i * 2654435761).toString(36));
  const text = Array.from({ length: 60000 }, (_, i) => words[(i * i) % 3000]).join(' ');
  const start = performance.now();
  const tokenizer = createTokenizer(text, { vocabulary: 1024 });
  assert.equal(tokenizer.decode(tokenizer.encode(text)), text);
  assert.ok(performance.now() - start < 5000);
});

test('a Chinese text of 40 000 characters without a space takes less than five seconds', () => {
  const text = Array.from({ length: 40000 }, (_, i) =>
    String.fromCodePoint(0x4e00 + ((i * i) % 2017)),
  ).join('');
  const start = performance.now();
  const tokenizer = createTokenizer(text, { vocabulary: 4096 });
  const tokens = tokenizer.encode(text);
  assert.ok(performance.now() - start < 5000);
  assert.equal(tokenizer.decode(tokens), text);
  assert.ok(tokens.length < text.length / 2, 'common pairs are one token');
});

test('combining marks stay with their letter', () => {
  for (const word of ['cafe\u0301', 'हिन्दी', 'שָׁלוֹם']) {
    const tokenizer = createTokenizer(`${word} `.repeat(4), { vocabulary: 60 });
    assert.equal(tokenizer.encode(word).length, 1, word);
    assert.ok(tokenizer.pieces.includes(` ${word}`), word);
  }
});

test('bytes of a character are those of UTF-8', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme', minLength: 1 }), (text) => {
      const bytes = [...text].flatMap(bytesOf);
      assert.deepEqual(bytes, [...new TextEncoder().encode(text)]);
      assert.equal(textOf(bytes.flatMap((byte) => [byte >> 4, byte & 15])), text);
    }),
    runs(200),
  );
});

test('halves of bytes in any order are text, with marks for what is none', () => {
  fc.assert(
    fc.property(fc.array(fc.integer({ min: 0, max: 15 })), (halves) => {
      assert.equal(typeof textOf(halves), 'string');
    }),
    runs(500),
  );
  assert.equal(textOf([4, 1, 15, 15, 4]), 'A\uFFFD\uFFFD');
});

testRefusals([
  [
    () => createTokenizer(/** @type {any} */ (5)),
    /^DTypeError: createTokenizer: text is 5, expected a string$/,
  ],
  [
    () => createTokenizer('a', { vocabulary: 16 }),
    /^DTypeError: .*vocabulary is 16, expected from 17 to 65536$/,
  ],
  [
    () => characters('a').decode([2]),
    /^DTypeError: decode: tokens\[0\] is 2, expected an integer from 0 to 1$/,
  ],
  [
    () => characters('a').decode(/** @type {any} */ ('a')),
    /^DTypeError: decode: tokens is 'a', expected a list of tokens$/,
  ],
  [
    () => loadTokenizer({ kind: 'words', characters: [], merges: [] }),
    /^DTypeError: loadTokenizer: data.kind is 'words'/,
  ],
  [
    () => loadTokenizer({ kind: 'pairs' }),
    /^DTypeError: loadTokenizer: data.characters is undefined/,
  ],
  [
    () => loadTokenizer({ kind: 'characters', characters: ['a', 'a'] }),
    /^DTypeError: .*has one twice/,
  ],
  [
    () => loadTokenizer({ kind: 'pairs', characters: ['a'], merges: [[16, 17]] }),
    /^DTypeError: loadTokenizer: data.merges\[0\] is an array/,
  ],
  [
    () =>
      loadTokenizer({
        kind: 'pairs',
        characters: ['a'],
        merges: Array.from({ length: 60 }, (_, i) => [16 + i, 16 + i]),
      }),
    /^DTypeError: .*pieces of a bounded length$/,
  ],
]);

test('anything in place of JSON is refused by a DTypeError', () => {
  fc.assert(
    fc.property(fc.jsonValue(), (data) => {
      try {
        loadTokenizer(data);
      } catch (error) {
        assert.equal(/** @type {Error} */ (error).name, 'DTypeError');
      }
    }),
    runs(300),
  );
});
