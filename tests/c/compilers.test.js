// The compiler options that a C or C++ project may use.
import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { OTHER_PROGRAMS } from './identity-native.js';

const C = fileURLToPath(new URL('../../c/', import.meta.url));
const SOURCES = readdirSync(C, { recursive: true, encoding: 'utf8' })
  .filter((name) => name.endsWith('.c'))
  .map((name) => join(C, name));

for (const compiler of ['gcc', ...OTHER_PROGRAMS]) {
  for (const [flags, why] of /** @type {const} */ ([
    ['-ffast-math', /#error .*compile without -ffast-math/],
    ['-ffinite-math-only', /#error .*compile without -ffast-math/],
    // As on 32-bit x86, which not every compiler has headers for.
    ['-U__FLT_EVAL_METHOD__ -D__FLT_EVAL_METHOD__=2', /#error .*must be computed as floats/],
  ])) {
    test(`${compiler} ${flags} compiles none of the library, and says why`, () => {
      for (const source of SOURCES) {
        const { status, stderr } = spawnSync(compiler, [
          ...flags.split(' '),
          '-fsyntax-only',
          source,
        ]);
        assert.notEqual(status, 0, source);
        assert.match(String(stderr), why);
      }
    });
  }
}

for (const compiler of OTHER_PROGRAMS) {
  test(`${compiler} as it comes makes one operation of no product and sum`, () => {
    for (const source of SOURCES) {
      const made = execFileSync(compiler, ['-O2', '-S', '-emit-llvm', '-o', '-', source]);
      assert.doesNotMatch(String(made), /llvm\.fmuladd/, source);
    }
  });

  test(`a C++ program by ${compiler} calls the library`, () => {
    const folder = mkdtempSync(join(tmpdir(), 'attention-lab-'));
    try {
      const program = join(folder, 'program');
      const input = `#include "attn.h"
        int main() {
          float x[2] = {0, 0};
          return attn_softmax_forward(x, 1, 2, 1, x) != ATTN_OK || x[0] != .5f || x[1] != .5f;
        }`;
      const parts = ['-x', 'c++', '-', '-x', 'c', ...SOURCES];
      execFileSync(compiler, ['-Werror', `-I${C}`, ...parts, '-lm', '-o', program], { input });
      execFileSync(program);
    } finally {
      rmSync(folder, { recursive: true });
    }
  });
}
