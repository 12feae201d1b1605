// The program that a page runs, against the definition in float64.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { randomNormal } from '../../../web/attention/index.js';
import { renderExample } from '../../../web/site/generator/example.js';

test('the program prints the smallest and the largest of eight weights, with and without the scale', async () => {
  const html = await renderExample('one-query');
  const [, printed] = /<samp>(.*?)<\/samp>/s.exec(html) ?? [];
  const expected = [32, 128, 512].flatMap((d) => {
    const query = randomNormal([d], { seed: 1 }).data;
    const keys = randomNormal([8, d], { seed: 2 }).data;
    const scores = Array.from({ length: 8 }, (_, j) =>
      query.reduce((sum, entry, i) => sum + entry * keys[j * d + i], 0),
    );
    return [1, 1 / Math.sqrt(d)].map((scale) => {
      const terms = scores.map((score) => Math.exp(scale * (score - Math.max(...scores))));
      const weights = terms.map((term) => term / terms.reduce((sum, each) => sum + each));
      return [d, scale, Math.min(...weights), Math.max(...weights)];
    });
  });
  const rows = (printed ?? '').split('\n').map((line) => line.split(' ').map(Number));
  assert.equal(rows.length, expected.length);
  for (const [i, [d, scale, smallest, largest]] of expected.entries()) {
    assert.equal(rows[i][0], d);
    assert.ok(Math.abs(rows[i][1] - scale) <= 5e-4);
    assert.ok(Math.abs(rows[i][2] / smallest - 1) < 0.06, `${rows[i][2]}, expected ${smallest}`);
    assert.ok(Math.abs(rows[i][3] - largest) < 6e-5);
  }
});
