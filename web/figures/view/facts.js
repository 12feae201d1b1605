// Facts about <attn-view> that its manifest, types and reference are made of.

/** @import { ElementFacts } from '../kit/element/facts.js' */

/** @type {ElementFacts} */
export const facts = {
  summary: {
    en: 'The attention of a model of your own, from a file, an address or properties: every head, and what stands out.',
    zh: '用文件、地址或属性给出你自己模型的注意力：看每一个头，以及值得注意之处。',
  },
  row: 'attention of your own model: every head, and whether one is frozen, uniform or unscaled',
  assets: ['MODELS', 'LANGUAGE_KERNELS', 'EXPERIMENTS_WORKER', 'VIEW', 'EXAMPLES'],
  needs: ['MODELS'],
  attributes: {
    layer: {
      en: 'the layer of the large head, counted from 1',
      zh: '大图中的头所在的层，从 1 数起',
    },
    head: { en: 'the large head, counted from 1', zh: '大图中的头，从 1 数起' },
    factor: { en: 'multiplies the scores', zh: '分数所乘的倍数' },
    row: { en: 'the chosen query, counted from 1', zh: '所选的查询，从 1 数起' },
    column: {
      en: 'the chosen key, counted from 1; 0 for that with the largest weight',
      zh: '所选的键，从 1 数起；0 表示权重最大的键',
    },
    show: { en: 'how the large head is drawn', zh: '大图的画法' },
    minus: {
      en: 'a head to subtract, as in `2.1`: layer and head',
      zh: '要减去的头，如 `2.1`：层和头',
    },
    example: {
      en: 'what is shown until there is attention of your own',
      zh: '还没有给出自己的注意力时，显示哪一个例子',
    },
    without: {
      en: 'opens “Why this key?”: `0`, or the directions of q·k to switch off, as in `1.3`',
      zh: '打开“为什么是这个键？”：`0`，或要关掉的 q·k 方向，如 `1.3`',
    },
    region: {
      en: 'what the picture is zoomed into, as in `4097.8193.16`: the first query, the first key, and how many times larger',
      zh: '放大的部分，如 `4097.8193.16`：第一个查询、第一个键、放大倍数',
    },
    step: {
      en: 'the step of a course of training whose picture is shown; without it the last',
      zh: '训练过程中显示哪一步的图；不写则为最后一步',
    },
    statistic: {
      en: 'what the map of a course of training shows of each head',
      zh: '训练过程图显示每个头的哪一项：熵、q·k 的标准差、有效维数、最大分数、首个键的权重',
    },
    src: {
      en: 'the address of a file: .safetensors, .npy, .npz or JSON, with `weights`, or `query` and `key`, or a single array',
      zh: '文件地址：.safetensors、.npy、.npz 或 JSON，其中有 `weights`，或 `query` 和 `key`，或只有一个数组',
    },
  },
  properties: {
    weights: {
      type: 'unknown',
      en: 'weights [n, n], [heads, n, n] or [layers, heads, n, n], as a tensor of this package, ONNX Runtime Web, Transformers.js or TensorFlow.js, or as nested arrays',
      zh: '权重 [n, n]、[heads, n, n] 或 [layers, heads, n, n]：本包、ONNX Runtime Web、Transformers.js、TensorFlow.js 的张量，或嵌套数组',
    },
    query: {
      type: 'unknown',
      en: 'queries, with `key` in place of `weights`',
      zh: '查询；与 `key` 一起代替 `weights`',
    },
    key: {
      type: 'unknown',
      en: 'keys; their heads may be fewer and divide those of `query`',
      zh: '键；头数可以少于 `query`，但须能整除它',
    },
    file: {
      type: 'ArrayBuffer | ArrayBufferView | Blob | undefined',
      en: 'the bytes of a file, in place of these',
      zh: '文件的字节，可代替以上各项',
    },
    series: {
      type: 'readonly object[] | undefined',
      en: 'a course of training, in place of these: of each step `{ step, query, key }`, `{ step, weights }` or `{ step, file }`, with `tokens` and `scale` where there are any; a new array shows what it has more',
      zh: '训练过程，可代替以上各项：每步为 `{ step, query, key }`、`{ step, weights }` 或 `{ step, file }`，可带 `tokens` 和 `scale`；换上新的数组，就显示多出来的步',
    },
    tokens: { type: 'string[] | undefined', en: 'names of the queries', zh: '各查询的词元' },
    keyTokens: {
      type: 'string[] | undefined',
      en: 'names of the keys, where they are others',
      zh: '各键的词元（与查询不同时）',
    },
    scale: {
      type: 'number | undefined',
      en: 'of the scores; 1/√d_k without it',
      zh: '分数的缩放系数；不写则为 1/√d_k',
    },
    options: {
      type: 'object | undefined',
      en: 'further options of `attentionScores`, such as `causal` and `mask`, for all heads or one a head, layers being the batch',
      zh: '`attentionScores` 的其他选项，如 `causal`、`mask`；可各头共用，也可每头一份（各层相当于批次）',
    },
  },
  events: {
    'attn-error': {
      type: 'CustomEvent<{ figure: string, source?: string, code?: string, message: string }>',
      en: 'after a file or a property could not be read; what was shown stays',
      zh: '文件或属性读不出来时触发；原来的图保留不变',
    },
  },
  moreParts: {
    why: { en: 'the explanation of the chosen score', zh: '对所选分数的解释' },
    head: { en: 'a row of the diagnosis', zh: '诊断表中的一行' },
    'download-html': {
      en: 'button that saves the figure with its data as one HTML file',
      zh: '按钮：把图连同数据存为一个 HTML 文件',
    },
  },
};
