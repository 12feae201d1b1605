// The package and identity.c in Node 20 and in the newest Node.

import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { test } from 'node:test';
import { promisify } from 'node:util';
import {
  expectedBits,
  expectedIdentity,
  expectedTraining,
  MODULE,
  PROBLEMS,
  STEPS,
} from './bits-tests.js';
import { languageBits, packageBits } from './bits.js';
import { NEWEST_NODE } from './driver.js';

test('either backend gives the same bits in Node 20', async () => {
  const { simd, js } = (await packageBits(PROBLEMS.all)).hashes;
  assert.equal(Object.keys(simd).length, 8);
  assert.equal(new Set(Object.values(simd)).size, 8);
  assert.deepEqual(js, simd);
});

test('either backend trains to the same bits in Node 20', async () => {
  assert.deepEqual(await languageBits(STEPS.all), await expectedTraining(STEPS.all));
});

const noNode = NEWEST_NODE === '' && 'NOT RUN: the newest Node is not installed';
test('the newest Node gives the bits of Node 20 and gcc', { skip: noNode }, async () => {
  const script = `import * as bits from ${JSON.stringify(new URL('bits.js', import.meta.url).href)};
    const [module] = process.argv.slice(1);
    const seen = { package: await bits.packageBits(${PROBLEMS.all}), identity: await bits.identityBits(module) };
    const training = await bits.languageBits(${STEPS.all});
    console.log(JSON.stringify({ version: process.version, seen, training }));`;
  const args = ['--input-type=module', '--eval', script, MODULE];
  const { stdout } = await promisify(execFile)(NEWEST_NODE, args);
  const { version, seen, training } = JSON.parse(stdout);
  console.log(`the newest Node: ${version}`);
  const bits = expectedBits('simd', PROBLEMS.all);
  assert.deepEqual(seen, { package: bits, identity: expectedIdentity('simd') });
  assert.deepEqual(training, await expectedTraining(STEPS.all));
});
