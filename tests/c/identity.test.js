// One source, same bits: gcc, clang, WebAssembly SIMD and its translation to JavaScript give the
// same hash of every finite result over hundreds of shapes (identity.c).
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { test } from 'node:test';

const FOLDER = 'build/identity';
const SHAPES = 300;
const MEMORY_BYTES = 1 << 22;

/** @typedef {Record<string, string>} Hashes  by name of the group */

/** @param {string} program @returns {Hashes} */
function nativeHashes(program) {
  const lines = execFileSync(`${FOLDER}/${program}`, [String(SHAPES)], { encoding: 'utf8' });
  return Object.fromEntries(
    lines
      .trim()
      .split('\n')
      .map((line) => line.split(' ').slice(0, 2)),
  );
}

/**
 * @param {any} exports  of a module, its memory among them
 * @param {number} heapBase
 * @param {string[]} names  of the groups
 * @returns {Hashes}
 */
function moduleHashes(exports, heapBase, names) {
  assert.equal(exports.identity_groups(), names.length);
  const hash = Math.ceil(heapBase / 64) * 64;
  exports.memory.grow(Math.ceil((MEMORY_BYTES + 128) / 65536));
  return Object.fromEntries(
    names.map((name, group) => {
      const done = exports.identity_hash(group, SHAPES, hash, hash + 64, MEMORY_BYTES);
      assert.equal(done, 1, `${name} was computed`);
      const [low, high] = new Uint32Array(exports.memory.buffer, hash, 2);
      return [name, [high, low].map((word) => word.toString(16).padStart(8, '0')).join('')];
    }),
  );
}

/** @param {string} file */
async function instantiate(file) {
  const { instance } = await WebAssembly.instantiate(readFileSync(`${FOLDER}/${file}`), {});
  return /** @type {any} */ (instance.exports);
}

const expected = nativeHashes('gcc');
const names = Object.keys(expected);

test(`there are hashes of ${names.length} groups of functions, all different`, () => {
  assert.ok(names.length >= 10);
  assert.equal(new Set(Object.values(expected)).size, names.length);
});

for (const program of readdirSync(FOLDER).filter((name) => name.startsWith('clang'))) {
  test(`${program} gives the bits of gcc over ${SHAPES} shapes`, () => {
    assert.deepEqual(nativeHashes(program), expected);
  });
}

test(`WebAssembly SIMD gives the bits of gcc over ${SHAPES} shapes`, async () => {
  const exports = await instantiate('identity.wasm');
  assert.deepEqual(moduleHashes(exports, exports.__heap_base.value, names), expected);
});

test(`the translation to JavaScript gives the bits of gcc over ${SHAPES} shapes`, async () => {
  const plain = await instantiate('identity-plain.wasm');
  const translated = await import(`../../${FOLDER}/identity-plain.js`);
  assert.deepEqual(moduleHashes(translated, plain.__heap_base.value, names), expected);
});
