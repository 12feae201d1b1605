// What the reference says of <attn-view> in English.

import { reference as kit } from '../../../figures/kit/element/en/reference.js';

/** @satisfies {import('../../../figures/kit/spec.js').ElementReference} */
export const reference = {
  summary:
    'The attention of a model of your own, from a file, an address or properties: every head, and what stands out.',
  attributes: {
    layer: 'the layer of the large head, counted from 1',
    head: 'the large head, counted from 1',
    factor: 'multiplies the scores',
    row: 'the chosen query, counted from 1',
    column: 'the chosen key, counted from 1; 0 for that with the largest weight',
    show: 'how the large head is drawn',
    minus: 'a head to subtract, as in `2.1`: layer and head',
    example: 'what is shown until there is attention of your own',
    without: 'opens “Why this key?”: `0`, or the directions of q·k to switch off, as in `1.3`',
    region:
      'what the picture is zoomed into, as in `4097.8193.16`: the first query, the first key, and how many times larger',
    step: 'the step of a course of training whose picture is shown; without it the last',
    text: 'which text of a batch is shown, counted from 1',
    statistic: 'what the map of a course of training shows of each head',
    compare:
      'which of two recordings is shown, once a second one was brought to compare: A − B, A or B',
    grid: 'rows and columns of the image whose patches are the last keys, as in `7x7`: the weights of the chosen query are drawn over it; without it the `grid` of the file',
    src: 'the address of a file: .safetensors, .npy, .npz or JSON, with `weights`, or `query` and `key`, or all of them, or a single array',
  },
  properties: {
    weights:
      'weights [n, n], [heads, n, n] or [layers, heads, n, n], as a tensor of this package, ONNX Runtime Web, Transformers.js or TensorFlow.js, or as nested arrays',
    query: 'queries, with `key` in place of `weights`',
    key: 'keys; their heads may be fewer and divide those of `query`',
    file: 'the bytes of a file, in place of these',
    series:
      'a course of training, in place of these: of each step `{ step, query, key }`, `{ step, weights }` or `{ step, file }`, with `tokens`, `scale` and `loss` where there are any; a new array shows what it has more',
    tokens: 'names of the queries',
    keyTokens: 'names of the keys, where they are others',
    scale: 'of the scores; 1/√d_k without it',
    attentionMask:
      'that of a tokenizer for one text, [n], where there is padding: 0 counts neither as key nor as query',
    options:
      'further options of `attentionScores`, such as `causal` and `mask`, for all heads or one a head, layers being the batch',
  },
  events: { 'attn-error': 'after a file or a property could not be read; what was shown stays' },
  slots: {
    ...kit.slots,
    image:
      'the picture of the image that `grid` divides, such as an `img`, as the model saw it: the weights of the patches colour it; saved files leave it out, as does attention that a reader brings',
  },
  parts: {
    why: 'the explanation of the chosen score',
    head: 'a row of the diagnosis',
    'download-html': 'button that saves the figure with its data as one HTML file',
  },
};
