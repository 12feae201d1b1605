// One source, same bits: gcc, clang, WebAssembly SIMD and its translation to JavaScript give the
// same hash of every finite result over hundreds of shapes (identity.c). The modules run in other
// engines too: tests/engines.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { moduleHashes, SHAPES } from './identity-module.js';
import { FOLDER, nativeHashes, OTHER_PROGRAMS, readModule } from './identity-native.js';

const { names, hashes } = nativeHashes('gcc', SHAPES.simd);

test(`there are hashes of ${names.length} groups of functions, all different`, () => {
  assert.ok(names.length >= 10);
  assert.equal(new Set(hashes).size, names.length);
});

for (const program of OTHER_PROGRAMS) {
  test(`${program} gives the bits of gcc over ${SHAPES.simd} shapes a group`, () => {
    assert.deepEqual(nativeHashes(program, SHAPES.simd), { names, hashes });
  });
}

test(`WebAssembly SIMD gives the bits of gcc over ${SHAPES.simd} shapes a group`, async () => {
  const { instance } = await WebAssembly.instantiate(readModule());
  assert.deepEqual(moduleHashes(instance.exports, SHAPES.simd), hashes);
});

test(`its translation to JavaScript gives the bits of gcc over ${SHAPES.plain} shapes a group`, async () => {
  const translated = await import(new URL('identity-plain.js', FOLDER).href);
  const expected = nativeHashes('gcc', SHAPES.plain).hashes;
  assert.deepEqual(moduleHashes(translated, SHAPES.plain), expected);
});
