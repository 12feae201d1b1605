// The questions of a page as data for search engines.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { questionData } from '../../../web/site/generator/questions.js';

const page = (/** @type {string} */ answer) =>
  `<details><summary>Guess first</summary><p>No.</p></details>
<details class="question" id="question-a"><summary><b>Why √dₖ?</b> In a line.</summary>\n${answer}\n</details>`;

test('a question, its line and its answer become an entry, and other folds do not', () => {
  const { mainEntity, ...rest } = JSON.parse(
    questionData(page('<p>Because\n  of <em>it</em>.</p>')),
  );
  assert.deepEqual(rest, { '@context': 'https://schema.org', '@type': 'FAQPage' });
  assert.deepEqual(mainEntity, [
    {
      '@type': 'Question',
      name: 'Why √dₖ?',
      acceptedAnswer: { '@type': 'Answer', text: 'In a line. Because of it.' },
    },
  ]);
});

test('formulas keep their roots, indices and powers', () => {
  const formula =
    '<math><msqrt><msub><mi>d</mi><mi>k</mi></msub></msqrt><msup><mi>n</mi><mn>2</mn></msup></math>';
  const { mainEntity } = JSON.parse(questionData(page(`<p>By ${formula}.</p>`)));
  assert.equal(mainEntity[0].acceptedAnswer.text, 'In a line. By √d_k n².');
});

test('no text can end the script that holds the data', () => {
  const data = questionData(page('<p>&lt;/script> and <code>a</code></p>'));
  assert.doesNotMatch(data, /</);
  assert.equal(questionData('<p>no question</p>'), '');
});
