// The package and identity.c in the Node on the PATH, which may be as old as 20, and in the newest.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { NEWEST_NODE } from './driver.js';
import { expectedBits } from './expected-bits.js';
import { bitsInNode } from './in-node.js';

for (const [name, program] of [
  ['Node', 'node'],
  ['the newest Node', NEWEST_NODE],
]) {
  const skip = program === '' && `NOT RUN: ${name} is not installed`;
  test(
    `${name} gives the bits of every engine with either backend, and those of gcc`,
    { skip },
    async () => {
      const { version, arch, ...seen } = await bitsInNode([program], 'all');
      console.log(`${name}: ${version} on ${arch}`);
      const expected = await expectedBits('all');
      const js = expected.package;
      const functions = Object.keys(js);
      assert.ok(functions.includes('attention') && functions.length > 30, `${functions}`);
      assert.equal(new Set(Object.values(js)).size, functions.length, 'each has bits of its own');
      assert.deepEqual(seen, {
        package: { backend: 'simd', hashes: { simd: js, js } },
        identity: expected.identity,
        training: Array(2).fill(expected.training), // by either backend
      });
    },
  );
}
