// The pictures of the README and of feeds against what the sources draw.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { pictures } from '../../../web/build/pictures.js';

for (const { file, svg } of pictures()) {
  test(`${file.pathname.split('/').at(-1)} in the README is the drawing of the figure (else run node web/build/pictures.js)`, () => {
    assert.equal(readFileSync(file, 'utf8'), svg);
  });
}

test('a film is a small file without scripts, which stands still where readers prefer less motion', () => {
  for (const { svg } of pictures()) {
    assert.ok(Buffer.byteLength(svg) <= 60_000, `${Buffer.byteLength(svg)} bytes`);
    assert.doesNotMatch(svg, /<script|href=|url\((?!#)/);
    assert.match(svg, /prefers-reduced-motion:reduce\)\{[^}]*animation-play-state:paused/);
  }
});
