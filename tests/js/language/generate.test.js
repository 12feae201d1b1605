/** Text from a model: drawn by its probabilities, the same from a seed, the likeliest at temperature 0. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { characters, createModel, generate, logits } from '../../../web/language/index.js';
import { testRefusals } from '../refusals.js';

const tokenizer = characters('abcdefg ');
const MODEL = createModel({ vocabulary: 9, context: 6, dModel: 8, seed: 3 });

test('a text is the prompt and as many tokens as asked for, beyond the context too', () => {
  const text = generate(MODEL, 'abc', { tokenizer, length: 40 });
  assert.equal([...text].length, 43);
  assert.ok(text.startsWith('abc'));
  assert.equal(generate(MODEL, 'abc', { tokenizer, length: 0 }), 'abc');
});

test('the same seed gives the same text, another one another', () => {
  const write = (/** @type {number} */ seed) =>
    generate(MODEL, 'a', { tokenizer, length: 60, seed });
  assert.equal(write(1), write(1));
  assert.notEqual(write(1), write(2));
});

test('temperature 0 takes the likeliest token after the last ones of the context', () => {
  let text = 'abcdefg';
  for (let i = 0; i < 5; i++) {
    const { data } = logits(MODEL, tokenizer.encode(text).slice(-6));
    const last = [...data.slice(-9)];
    text += tokenizer.pieces[last.indexOf(Math.max(...last))];
  }
  assert.equal(generate(MODEL, 'abcdefg', { tokenizer, length: 5, temperature: 0 }), text);
});

test('tokens come as often as their probability says', () => {
  const parameters = structuredClone(MODEL.parameters);
  for (const [name, { data }] of Object.entries(parameters)) if (name !== 'token') data.fill(0);
  parameters['norm.bias'].data.fill(1);
  parameters.token.data.fill(0);
  parameters.token.data.fill(Math.log(8) / 8, 8, 16); // the token a: 8 of 16
  const text = generate({ ...MODEL, parameters }, 'b', { tokenizer, length: 4000 });
  const share = [...text].filter((character) => character === 'a').length / 4000;
  assert.ok(Math.abs(share - 0.5) < 0.03, `${share}`);
});

testRefusals([
  [
    () => generate(MODEL, '', { tokenizer }),
    /^ShapeError: generate: prompt has no tokens, expected at least one$/,
  ],
  [
    () => generate(MODEL, /** @type {any} */ ([1]), { tokenizer }),
    /^DTypeError: generate: prompt is an array, expected a string$/,
  ],
  [
    () => generate(MODEL, 'a', /** @type {any} */ ({})),
    /^DTypeError: generate: tokenizer is undefined, expected a tokenizer/,
  ],
  [
    () =>
      generate(createModel({ vocabulary: 2, context: 4, dModel: 2, seed: 1 }), 'g', { tokenizer }),
    /^DTypeError: generate: prompt\[0\] is 7, expected an integer from 0 to 1$/,
  ],
  [
    () => generate(MODEL, 'a', { tokenizer, temperature: -1 }),
    /^DTypeError: generate: temperature is -1, expected 0, or a positive float32 number$/,
  ],
  [
    () => generate(MODEL, 'a', { tokenizer, temperature: 1e-46 }),
    /^DTypeError: generate: temperature is 1e-46, expected 0, or a positive float32 number$/,
  ],
]);
