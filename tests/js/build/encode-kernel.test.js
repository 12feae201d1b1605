// The kernel as text (web/build/encode-kernel.js, web/attention/kernel/decode.js).
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { decode } from '../../../web/attention/kernel/decode.js';
import { text } from '../../../web/attention/kernel/generated/simd.js';
import { encode } from '../../../web/build/encode-kernel.js';

/** A section of WebAssembly. @param {number} id @param {number[]} bytes */
const section = (id, bytes) => [id, bytes.length, ...bytes];

// f(x: i32): f64 in a memory of one page, with each kind of operand that the text keeps apart.
const BODY = [
  ...[2, 0x40, 0x20, 0, 0x0d, 0], // block, local.get 0, br_if 0
  ...[0x41, 8, 0x43, 0, 0, 0x20, 0x41, 0x38, 2, 0x90, 1, 0x0b], // f32.store offset=144 of 10 at 8, end
  ...[0x41, 8, 0x2a, 2, 0x90, 1, 0xbb], // f32.load offset=144, f64.promote
  ...[0x44, 0, 0, 0, 0, 0, 0, 0xf0, 0x3f, 0xa0], // f64.const 1, add
  ...[0xfd, 12, 1, 0, 0, 0, 2, 0, 0, 0, 255, 16, 32, 40, 4, 0, 0, 0, 0xfd, 0x1b, 1], // v128.const, lane 1
  ...[0xb7, 0xa0, 0x42, 0x7f, 0xb9, 0xa0], // f64.convert_i32, add; i64.const -1, f64.convert_i64, add
  ...[0x10, 1, 0xa0], // call 1, add
];
const CALLED = [1, 2, 0x7f, 0x41, 0xe4, 0, 0x22, 1, 0x20, 1, 0x6a, 0xb7, 0x0b]; // 2 · 100, by local.tee

/**
 * That function is exported and calls the other one.
 * @param {0 | 1} place  its number
 * @param {number[]} last  content of a custom section at the end
 */
const moduleOf = (place, last) => {
  const body = BODY.with(BODY.lastIndexOf(0x10) + 1, 1 - place);
  const code = [
    [body.length + 2, 0, ...body, 0x0b],
    [CALLED.length, ...CALLED],
  ];
  return Uint8Array.of(
    ...[0, 0x61, 0x73, 0x6d, 1, 0, 0, 0],
    ...section(1, [2, 0x60, 1, 0x7f, 1, 0x7c, 0x60, 0, 1, 0x7c]),
    ...section(3, [2, place, 1 - place]),
    ...section(5, [1, 0, 1]),
    ...section(7, [2, 1, 0x66, 0, place, 1, 0x6d, 2, 0]), // f and the memory m
    ...section(10, [2, ...code[place], ...code[1 - place]]),
    ...section(0, last),
  );
};
const MODULE = moduleOf(0, [1, 0x78, 34, 39, 92, 10]); // characters that text would escape

test('a module that became text and came back computes the same', () => {
  for (const wasm of [MODULE, decode(encode(MODULE))]) {
    const { f } = /** @type {any} */ (
      new WebAssembly.Instance(new WebAssembly.Module(wasm)).exports
    );
    assert.equal(f(0), 10 + 1 + 2 - 1 + 200);
    assert.equal(f(1), 10 + 1 + 2 - 1 + 200); // the first call stored
  }
  const [custom] = WebAssembly.Module.customSections(
    new WebAssembly.Module(decode(encode(MODULE))),
    'x',
  );
  assert.deepEqual([...new Uint8Array(custom)], [34, 39, 92, 10]);
});

test('functions stand in the same order whichever they had, and call and export the same', () => {
  const other = moduleOf(1, [1, 0x78, 34, 39, 92, 10]);
  assert.notDeepEqual(other, MODULE);
  assert.equal(encode(other), encode(MODULE));
});

test('functions that have names keep their order', () => {
  const names = [4, 0x6e, 0x61, 0x6d, 0x65, 1, 4, 1, 1, 1, 0x66]; // function 1 is named f
  const { exports } = new WebAssembly.Instance(
    new WebAssembly.Module(decode(encode(moduleOf(1, names)))),
  );
  assert.equal(/** @type {Function} */ (exports.f).name, '1'); // its number
});

test('the text has nothing that a string literal escapes', () => {
  assert.doesNotMatch(encode(MODULE) + text, /['\\\n\r\u2028\u2029]/);
});

test('the kernel inside the package is the module that it ships as a file', () => {
  assert.ok(readFileSync('build/kernel.wasm').equals(decode(text)));
});
