// The bits that every engine has to give: those of the package in Node, and of gcc.

import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { createKernel } from '../../web/attention/index.js';
import * as language from '../../web/language/index.js';
import { SHAPES } from '../c/identity-module.js';
import { nativeHashes } from '../c/identity-native.js';
import { hashComputations } from '../js/attention/computations.js';
import { hashTraining } from '../js/language/computations.js';

/** The number of problems of each function; an interpreter, and a newcomer, have time for the first fifth. */
export const PROBLEMS = { all: 150, few: 30 };

/** The number of steps of a training. */
export const STEPS = { all: 40, few: 3 };

/** @param {'all' | 'few'} which */
async function compute(which) {
  const kernel = await createKernel({ backend: 'simd' });
  return {
    package: hashComputations(kernel, PROBLEMS[which]),
    training: await hashTraining(language, STEPS[which]),
    identity: which === 'all' && {
      simd: nativeHashes('gcc', SHAPES.simd).hashes,
      plain: nativeHashes('gcc', SHAPES.plain).hashes,
    },
  };
}

/** Computes the bits for several files of tests. Returns the path of a file for `EXPECTED_BITS`. */
export async function share() {
  const path = fileURLToPath(new URL('../../build/expected-bits.json', import.meta.url));
  writeFileSync(path, JSON.stringify({ all: await compute('all'), few: await compute('few') }));
  return path;
}

/**
 * Returns the bits of all problems, or of few.
 * @param {'all' | 'few'} which
 * @returns {ReturnType<typeof compute>}
 */
export const expectedBits = async (which) =>
  process.env.EXPECTED_BITS
    ? JSON.parse(readFileSync(process.env.EXPECTED_BITS, 'utf8'))[which]
    : compute(which);
