// The kernel as text.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { decode } from '../../../../web/attention/kernel/decode.js';
import { text as relaxed } from '../../../../web/attention/kernel/generated/relaxed.js';
import { text as simd } from '../../../../web/attention/kernel/generated/simd.js';

for (const [file, text] of Object.entries({
  'kernel.wasm': simd,
  'kernel-relaxed.wasm': relaxed,
})) {
  test(`the text of ${file} is the module that the package ships as a file`, () => {
    assert.ok(readFileSync(`build/${file}`).equals(decode(text)));
  });

  test(`the text of ${file} has nothing that a string literal escapes`, () => {
    assert.doesNotMatch(text, /["'\\\n\r\u2028\u2029]/);
  });
}
