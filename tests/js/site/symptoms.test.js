// @slow
// "Training is unstable": what the tool says of recorded runs, on the page in both languages.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { describe, it } from 'node:test';
import { hintOf as hintIn } from '../../../web/diagnosis/hint.js';
import { viewOf } from '../../../web/site/generator/figures.js';
import { figure, renderSymptom } from '../../../web/site/generator/symptoms.js';
import { SYMPTOMS } from '../../../web/inspector/view/example.js';
import { LANGUAGE_KEYS } from '../../../web/shared/languages.js';

/** @import { View } from '../../../web/inspector/view/data.js' */

/** What is wrong with the heads of each run, in their order: the verdict, and a cause. */
const EXPECTED = {
  stall: ['frozen: scale', 'frozen: scale'],
  explode: ['frozen: first', 'frozen: entries'],
  nan: ['undefined: notANumber', 'undefined: notANumber'],
  alike: ['uniform: scale', 'uniform: scale'],
  first: ['frozen: first', 'frozen: self'],
};

describe('a recorded run', () => {
  for (const [name, expected] of Object.entries(EXPECTED)) {
    it(`in which ${name} is the symptom is diagnosed as such`, () => {
      const view = viewOf(figure, 'en', { example: `symptom-${name}` });
      const { overview } = /** @type {View} */ (/** @type {unknown} */ (view)).data;
      overview.forEach(({ diagnosis }, i) => {
        assert.ok(diagnosis);
        const [verdict, cause] = expected[i].split(': ');
        assert.equal(diagnosis.verdict, verdict);
        assert.ok(
          diagnosis.causes.some((each) => each === cause),
          hintIn(diagnosis),
        );
      });
    });

    it(`in which ${name} is the symptom takes less than 10 kB`, async () => {
      const file = `../../../web/language/recorded/data/symptom-${name}.js`;
      assert.ok(readFileSync(new URL(file, import.meta.url)).length < 10_000);
    });
  }
});

for (const lang of LANGUAGE_KEYS) {
  it(`has a section for each symptom, with picture, losses and sentences (${lang})`, () => {
    const page = readFileSync(
      new URL(`../../../web/site/${lang}/view.md`, import.meta.url),
      'utf8',
    );
    for (const example of SYMPTOMS) {
      const name = example.replace('symptom-', '');
      assert.match(
        page,
        new RegExp(`{#${example}}[^]*?{% symptom "${name}" %}[^]*?${example}&amp;`),
      );
      const html = renderSymptom(lang, name);
      assert.match(html, /^<figure class="symptom"><svg [^]*<\/svg><figcaption><p>.*2\.\d\d \(0\)/);
      assert.equal(html.match(/<li>/g)?.length, 2);
      assert.doesNotMatch(html, /undefined<|\{\w+\}/);
    }
  });
}
