// Pictures of the README against the drawings of the figures.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { pictures } from '../../../web/build/pictures.js';

for (const { file, svg } of pictures()) {
  test(`${file.pathname.split('/').at(-1)} in the README is the drawing of the figure (else run node web/build/pictures.js)`, () => {
    assert.equal(readFileSync(file, 'utf8'), svg);
  });
}
