// SECURITY.md publishes what the toolchain gives that it names.
import assert from 'node:assert/strict';
import { it } from 'node:test';
import { hashRows, publishedRows } from '../../web/build/hashes.js';

it('SECURITY.md has the SHA-256 of every module (else run node web/build/hashes.js)', () => {
  const published = publishedRows();
  for (const { file, toolchain, row } of hashRows()) {
    const [other] = published.filter((line) => line.startsWith(`| \`${file}\``));
    assert.ok(other, file);
    if (other.endsWith(`| ${toolchain} |`)) assert.equal(row, other);
    else console.log(`NOT COMPARED: ${file} is made by ${toolchain} here, not as in ${other}`);
  }
  assert.equal(published.length, hashRows().length);
});
