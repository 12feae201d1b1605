// The package in Node for 64-bit Arm, and identity.c by a compiler for it, in an emulator. It is so slow that the package
// computes the first fifth of the problems, and the C as many shapes as its translation to JavaScript does elsewhere.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { SHAPES } from '../c/identity-module.js';
import { nativeHashes } from '../c/identity-native.js';
import { expectedBits } from './expected-bits.js';
import { bitsInNode } from './in-node.js';

const { ON_ARM = '', ARM_NODE = '' } = process.env;
const emulator = ON_ARM.split(' ');
const skip =
  ON_ARM === '' && 'NOT RUN: an emulator of Arm, its compiler or libraries are not installed';

test('Node on Arm gives the bits of x86 with either backend', { skip }, async () => {
  const {
    version,
    arch,
    package: seen,
    training,
  } = await bitsInNode([...emulator, ARM_NODE], 'few');
  console.log(`Node ${version} on emulated ${arch}`);
  assert.equal(arch, 'arm64');
  const expected = await expectedBits('few');
  const js = expected.package;
  assert.deepEqual(seen, { backend: 'simd', hashes: { simd: js, js } });
  assert.deepEqual(training, Array(2).fill(expected.training)); // by either backend
});

test(`gcc for Arm gives the bits of gcc over ${SHAPES.plain} shapes a group`, { skip }, () => {
  const onArm = nativeHashes('aarch64-linux-gnu-gcc', SHAPES.plain, emulator);
  assert.deepEqual(onArm, nativeHashes('gcc', SHAPES.plain));
});
