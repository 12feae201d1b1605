// The package and identity.c in the Node on the PATH, which may be as old as 20, and in the newest.

import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { test } from 'node:test';
import { promisify } from 'node:util';
import { MODULE } from './bits-tests.js';
import { NEWEST_NODE } from './driver.js';
import { expectedBits, PROBLEMS, STEPS } from './expected-bits.js';

for (const [name, program] of [
  ['Node', 'node'],
  ['the newest Node', NEWEST_NODE],
]) {
  const skip = program === '' && `NOT RUN: ${name} is not installed`;
  test(
    `${name} gives the bits of every engine with either backend, and those of gcc`,
    { skip },
    async () => {
      const script = `import * as bits from ${JSON.stringify(new URL('bits.js', import.meta.url).href)};
      const [module] = process.argv.slice(1);
      const ofPackage = await bits.packageBits(${PROBLEMS.all});
      const identity = await bits.identityBits(module);
      const training = await bits.languageBits(${STEPS.all});
      console.log(JSON.stringify({ version: process.version, package: ofPackage, identity, training }));`;
      const args = ['--input-type=module', '--eval', script, MODULE];
      const { stdout } = await promisify(execFile)(program, args);
      const { version, ...seen } = JSON.parse(stdout);
      console.log(`${name}: ${version}`);
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
