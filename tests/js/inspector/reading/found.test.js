// Files that people brought and that were once read wrongly, or refused in words that did not help.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { diagnose } from '../../../../web/diagnosis/diagnose.js';
import { readAttention, readSeries, toAttention } from '../../../../web/inspector/reading/index.js';

const WEIGHTS = [
  [1, 0],
  [0.5, 0.5],
];
const bytesOf = (/** @type {string} */ text) => new TextEncoder().encode(text);
const readText = (/** @type {string} */ text) => readAttention(bytesOf(text));

/** Returns the steps that are found in files of some names. @param {readonly string[]} names */
async function stepsOf(...names) {
  const text = JSON.stringify({ weights: WEIGHTS });
  const files = names.map((name) => ({ name, arrayBuffer: async () => bytesOf(text) }));
  return (await readSeries(files)).map(({ step }) => step);
}

test('files are in the order of the number after step, iter or epoch, else of the only one that differs', async () => {
  assert.deepEqual(
    await stepsOf('weights.01-0.91.json', 'weights.02-0.52.json', 'weights.03-0.31.json'),
    [1, 2, 3],
  );
  assert.deepEqual(
    await stepsOf('epoch=10-val_loss=1.11.json', 'epoch=3-val_loss=2.11.json'),
    [3, 10],
  );
  assert.deepEqual(await stepsOf('epoch=0-step=100.json', 'epoch=1-step=200.json'), [100, 200]);
  assert.deepEqual(
    await stepsOf('run2_iter_1000_loss_2.json', 'run2_iter_500_loss_3.json'),
    [500, 1000],
  );
  assert.deepEqual(
    await stepsOf('ckpt-1k.json', 'ckpt-10k.json', 'ckpt-2k.json'),
    [1000, 2000, 10000],
  );
  assert.deepEqual(await stepsOf('attn-1e3.json', 'attn-5e2.json'), [500, 1000]);
  await assert.rejects(stepsOf('2026-11-29-attn-100.json', '2026-11-28-attn-200.json'), {
    code: 'ATTN_DTYPE',
    message: /differ in 2 numbers/,
  });
  await assert.rejects(stepsOf('name.json', 'name (1).json'), { message: /has no step/ });
});

test('tokens stay as they are unless they are pieces of bytes', () => {
  const same = [
    ['un', 'café'],
    ['£100', 'is'],
    ['¡Hola', 'a'],
    ['weiß', 'a'],
    ['Malta', 'Ġorġ'],
  ];
  for (const tokens of same)
    assert.deepEqual(toAttention({ weights: WEIGHTS, tokens }).tokens, tokens);
  assert.deepEqual(toAttention({ weights: WEIGHTS, tokens: ['Ġun', 'Ã©'] }).tokens, [' un', 'é']);
  assert.deepEqual(toAttention({ weights: WEIGHTS, tokens: ['ä½ł', 'å¥½'] }).tokens, ['你', '好']);
});

test('null is left out, also beside NaN', async () => {
  assert.equal((await readText('{"weights":[[1,0],[0,1]],"tokens":null}')).tokens, undefined);
  const { weights, tokens } = await readText('{"weights":[[1,0],[NaN,1]],"tokens":null}');
  assert.deepEqual([tokens, ...(weights?.data ?? [])], [undefined, 1, 0, NaN, 1]);
});

test('text of UTF-16 is read', async () => {
  const text = Uint16Array.from([...'\uFEFF[[1,0],[0,1]]'].map((sign) => sign.charCodeAt(0)));
  assert.deepEqual((await readAttention(new Uint8Array(text.buffer))).weights?.shape, [1, 1, 2, 2]);
});

test('what is no file of attention is named with what to do', async () => {
  await assert.rejects(readText('version https://git-lfs.github.com/spec/v1'), {
    message: /git lfs pull/,
  });
  await assert.rejects(readText('<!DOCTYPE html><html>'), {
    message: /a page of HTML.*address of the file itself/,
  });
  const names = [
    'encoder.layer.0.attention.self.query.weight',
    'encoder.layer.0.attention.self.query.bias',
  ];
  const model = Object.fromEntries(names.map((name) => [name, WEIGHTS]));
  await assert.rejects(readText(JSON.stringify(model)), { message: /parameters of a model/ });
});

test('heads behind positions are named where the tokens show them', () => {
  const query = { data: new Float32Array(120), shape: [2, 5, 3, 4] };
  assert.throws(() => toAttention({ query, key: query, tokens: [...'abcde'] }), {
    message: /\[layers, n, heads, d_k\] is likely/,
  });
});

const PAIR = [
  [1, 0],
  [0, 1],
];

test('the attention mask of a tokenizer is kept for one text, and refused by its name for several', async () => {
  const read = (/** @type {unknown} */ mask) =>
    readText(JSON.stringify({ query: PAIR, key: PAIR, attention_mask: mask }));
  for (const mask of [[1, 0], [[1, 0]]]) {
    const { attentionMask } = await read(mask);
    assert.deepEqual([...(attentionMask?.data ?? [])], [1, 0]);
    assert.deepEqual(attentionMask?.shape, [2]);
  }
  await assert.rejects(read(PAIR), /attentionMask is \[2, 2\], expected \[2\] or \[1, 2\]/);
  await assert.rejects(read([1, 1, 0]), /attentionMask is \[1, 3\], expected \[2\] or \[1, 2\]/);
  await assert.rejects(read([1, 2]), /attentionMask has 2 at 1, expected 0 or 1/);
  const weights = toAttention({ weights: WEIGHTS, attentionMask: [1, 0] });
  assert.deepEqual([...(weights.attentionMask?.data ?? [])], [1, 0]);
});

test('weights keep the queries and keys that made them, which have to fit', async () => {
  const read = (/** @type {object} */ beside) =>
    readText(JSON.stringify({ weights: WEIGHTS, ...beside }));
  const { weights, query, key } = await read({ q: PAIR, k: PAIR, scale: 1 });
  assert.deepEqual([weights?.shape, query?.shape, key?.shape], Array(3).fill([1, 1, 2, 2]));
  assert.equal((await read({ q: PAIR })).query, undefined);
  await assert.rejects(
    read({ q: PAIR, k: [...PAIR, [1, 1]] }),
    /weights .*expected \[1, 1, 2, 3\] of query and key/,
  );
});

test('one text of a batch is read with its tokens and masks, and the last where there are fewer', () => {
  const shape = [2, 3, 1, 2, 2]; // layers, texts, heads, n, d_k
  const query = { data: Float32Array.from({ length: 24 }, (_, i) => i), shape };
  const attentionMask = [[1, 1], [1, 0], [1, 1]]; // prettier-ignore
  const mask = { data: Uint8Array.of(1, 1, 1, 1, 1, 0, 1, 1, 1, 1, 1, 1), shape: [3, 1, 2, 2] };
  const ids = { data: Int32Array.of(1, 2, 3, 4, 5, 6), shape: [3, 2] };
  const lists = [['a', 'b'], ['c', 'd'], ['e', 'f']]; // prettier-ignore
  const given = { query, key: query, attentionMask, mask, tokens: lists, keyTokens: ids };
  const second = toAttention(given, { text: 1 });
  assert.deepEqual(second.query, {
    data: Float32Array.of(4, 5, 6, 7, 16, 17, 18, 19),
    shape: [2, 1, 2, 2],
  });
  assert.deepEqual(second.key, second.query);
  assert.deepEqual([second.tokens, second.keyTokens], [['c', 'd'], ['3', '4']]); // prettier-ignore
  assert.deepEqual(second.attentionMask?.data, Uint8Array.of(1, 0));
  assert.deepEqual(second.mask, { data: Uint8Array.of(1, 0, 1, 1), shape: [1, 1, 2, 2] });
  assert.equal(second.texts, 3);
  const ofLayers = toAttention({ ...given, mask: { data: mask.data, shape: [1, 3, 1, 2, 2] } }, { text: 1 }); // prettier-ignore
  assert.deepEqual(ofLayers.mask, second.mask);
  assert.deepEqual(toAttention(given, { text: 9 }), toAttention(given, { text: 2 }));

  // Where there is no batch, the option changes nothing.
  const single = { weights: [[1, 0], [0, 1]], tokens: ['a', 'b'] }; // prettier-ignore
  assert.deepEqual(toAttention(single, { text: 1 }), toAttention(single));
  assert.throws(() => toAttention(given), /of a batch take one text/);
  assert.throws(
    () => toAttention(given, { text: -1 }),
    /text is -1, expected a whole number from 0/,
  );
  const other = { data: new Float32Array(16), shape: [2, 2, 1, 2, 2] };
  assert.throws(
    () => toAttention({ query, key: other }, { text: 0 }),
    /key is \[2, 2, 1, 2, 2\], expected five axes with 3 texts/,
  );
});

test('all that a file tells beside weights is what diagnose takes', async () => {
  const beside = { tokens: ['a', 'b'], scale: [0.5, 0.25], loss: 2 };
  const text = JSON.stringify({ weights: [[WEIGHTS], [WEIGHTS]], ...beside });
  const found = await readText(text);
  assert.deepEqual(found.layerScales, [0.5, 0.25]);
  const all = /** @type {any} */ ({ ...found, texts: 2 });
  assert.equal(diagnose(all).length, 2);
});
