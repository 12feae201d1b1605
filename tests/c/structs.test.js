// JavaScript writes each struct where the compiler puts its fields.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { layout, readHeaders } from '../../web/build/boundary.js';
import { OTHER_PROGRAMS } from './identity-native.js';

const C = fileURLToPath(new URL('../../c/', import.meta.url));
const files = ['attn.h', 'language/language.h'];
const headers = readHeaders(files.map((file) => readFileSync(C + file, 'utf8')).join(''));
const FLAGS = '--target=wasm32 -ffreestanding -std=c11 -Werror -fsyntax-only -x c -'.split(' ');

/** Returns what a compiler reports about assertions. @param {string} compiler @param {string[]} facts */
function complaints(compiler, facts) {
  const include = ['stddef.h', ...files].map((file) => `#include <${file}>\n`).join('');
  const asserted = facts.map((fact) => `_Static_assert(${fact}, "");\n`).join('');
  const { stderr } = spawnSync(compiler, [`-I${C}`, ...FLAGS], { input: include + asserted });
  return String(stderr);
}

/** Returns a name of JavaScript as in C. @param {string} name */
const snakeCase = (name) => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

for (const compiler of OTHER_PROGRAMS) {
  for (const struct of headers.structs) {
    test(`${compiler} puts the fields of ${struct.name} where they are written`, () => {
      const { words, places } = layout(struct, headers);
      const offsets = places.map(
        ({ name, at }) => `offsetof(${struct.name}, ${snakeCase(name)}) == ${4 * at}`,
      );
      assert.equal(
        complaints(compiler, [`sizeof(${struct.name}) == ${4 * words}`, ...offsets]),
        '',
      );
      assert.match(complaints(compiler, [`sizeof(${struct.name}) == ${4 * words + 4}`]), /error/);
    });
  }
}
