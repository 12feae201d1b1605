// Structs and calls come from the headers: what is inserted there moves what follows, and nothing is skipped.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { Block } from '../../../web/attention/kernel/block.js';
import { callsModule, readHeaders, structsModule } from '../../../web/build/boundary.js';

const header = readFileSync(new URL('../../../c/attn.h', import.meta.url), 'utf8');

/** Imports the module of the structs of a header. @param {string} text @returns {Promise<any>} */
const structsOf = (text) =>
  import(`data:text/javascript,${encodeURIComponent(structsModule(readHeaders(text)))}`);

/** Returns the words that a struct writes. @param {any} struct @param {object} fields */
function written(struct, fields) {
  const floats = new Float32Array(struct.bytes / 4);
  const words = new Uint32Array(floats.buffer);
  struct.write(words, floats, 0, fields);
  return [...words];
}

const RESULTS = { output: new Block(64), lse: null, scores: null, capped: null, masked: null };

test('a field inserted in a header moves those after it, and callers have to give it', async () => {
  const share = '    float share;  ';
  assert.ok(header.includes(share));
  const longer = header.replace(share, `    uint32_t inserted;\n${share}`);
  const [before, after] = [await structsOf(header), await structsOf(longer)];
  const fields = { ...RESULTS, weights: new Block(128), mean: null, share: 0.5, inserted: 7 };
  const half = 0x3f000000; // the bits of .5
  assert.deepEqual(written(before.ATTN_ATTENTION_RESULTS, fields), [64, 0, 0, 0, 0, 128, 0, half]);
  assert.deepEqual(written(after.ATTN_ATTENTION_RESULTS, fields), [
    64,
    0,
    0,
    0,
    0,
    128,
    0,
    7,
    half,
  ]);
  assert.match(
    structsModule(readHeaders(longer)),
    /mean: Pointer, inserted: number, share: number/,
  );
});

test('a nested struct that grows moves what follows it', async () => {
  const text = `typedef struct { int32_t left; /* more */ uint32_t count; } attn_inner;
    typedef struct { attn_inner inner; const float *x, *y; float scale; } attn_outer;`;
  const { ATTN_OUTER } = await structsOf(text.replace('/* more */', 'float middle;'));
  const inner = { left: -1, middle: 0.5, count: 3 };
  const words = written(ATTN_OUTER, { inner, x: new Block(64), y: null, scale: -2 });
  assert.deepEqual(words, [2 ** 32 - 1, 0x3f000000, 3, 64, 0, 0xc0000000]);
});

test('an argument inserted in a header becomes one of the call', () => {
  const calls = (/** @type {string} */ list) =>
    callsModule(readHeaders(`uint32_t attn_linear_scratch(${list});`));
  assert.match(calls('uint32_t d_in'), /ScratchCalls/);
  assert.match(calls('uint32_t d_in'), /attn_linear_scratch: \[dIn: number\],/);
  assert.match(
    calls('const float *x, uint32_t d_in'),
    /attn_linear_scratch: \[x: Pointer, dIn: number\],/,
  );
});

for (const field of [
  'double x', // aligned to 8 bytes
  'float x[2]',
  'uint32_t x : 3',
  'void *x',
  'float x, *restrict y',
  'attn_mode mode',
]) {
  test(`a field \`${field}\` is an error that names it`, () => {
    const text = `typedef enum { A = 0 } attn_mode; typedef struct { float first; ${field}; } attn_x;`;
    assert.throws(
      () => readHeaders(text),
      ({ message }) => {
        assert.match(message, /^a header has `.+`, expected /);
        assert.ok(message.includes(field.split(';')[0].split(' x')[0]), message);
        return true;
      },
    );
  });
}

for (const text of [
  'float attn_x(float x);',
  'void attn_x(void);',
  'void attn_x(attn_window window);',
  'typedef union { float x; } attn_x;',
  'typedef struct { struct { float y; } x; } attn_x;',
  '#if 1\nvoid attn_x(float x);\n#endif',
  'void attn_x(float x);;\nint',
]) {
  test(`\`${text.split('\n')[0]}\` is an error`, () => {
    assert.throws(() => readHeaders(`${header}\n${text}`), /^Error: a header has `.+`, expected /);
  });
}
