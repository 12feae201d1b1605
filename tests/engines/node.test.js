// The package and identity.c in the Node that ./build.sh was called with, 20 or later, and in the newest.

import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { test } from 'node:test';
import { promisify } from 'node:util';
import { expectedBits, expectedTraining, MODULE, PROBLEMS, STEPS } from './bits-tests.js';
import { NEWEST_NODE, OLDER_NODE } from './programs.js';

for (const [name, path] of /** @type {const} */ ([
  ['an older Node', OLDER_NODE],
  ['the newest Node', NEWEST_NODE],
])) {
  const skip = path === '' && `NOT RUN: ${name} is not installed`;
  test(`${name} gives the bits of gcc, with either backend`, { skip }, async () => {
    const script = `import * as bits from ${JSON.stringify(new URL('bits.js', import.meta.url).href)};
      const [module] = process.argv.slice(1);
      const seen = { package: await bits.packageBits(${PROBLEMS.all}), identity: await bits.identityBits(module) };
      const training = await bits.languageBits(${STEPS.all});
      console.log(JSON.stringify({ version: process.version, seen, training }));`;
    const args = ['--input-type=module', '--eval', script, MODULE];
    const { stdout } = await promisify(execFile)(path, args);
    const { version, seen, training } = JSON.parse(stdout);
    console.log(`${name}: ${version}`);
    assert.equal(new Set(Object.values(seen.package.hashes.simd)).size, 8);
    assert.deepEqual(seen, expectedBits('simd'));
    assert.deepEqual(training, expectedTraining());
  });
}
