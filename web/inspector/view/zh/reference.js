// What the reference says of <attn-view> in Chinese.

import { reference as kit } from '../../../figures/kit/element/zh/reference.js';

/** @type {typeof import('../en/reference.js').reference} */
export const reference = {
  summary: '用文件、地址或属性给出你自己模型的注意力：看每一个头，以及值得注意之处。',
  attributes: {
    layer: '大图中的头所在的层，从 1 数起',
    head: '大图中的头，从 1 数起',
    factor: '分数所乘的倍数',
    row: '所选的查询，从 1 数起',
    column: '所选的键，从 1 数起；0 表示权重最大的键',
    show: '大图的画法',
    minus: '要减去的头，如 `2.1`：层和头',
    example: '还没有给出自己的注意力时，显示哪一个例子',
    without: '打开“为什么是这个键？”：`0`，或要关掉的 q·k 方向，如 `1.3`',
    region: '放大的部分，如 `4097.8193.16`：第一个查询、第一个键、放大倍数',
    step: '训练过程中显示哪一步的图；不写则为最后一步',
    text: '显示批次中的第几段文本，从 1 数起',
    statistic: '训练过程图显示每个头的哪一项：熵、q·k 的标准差、有效维数、最大分数、首个键的权重',
    compare: '给出第二份注意力作对比之后，显示哪一份：A − B、A 或 B',
    grid: '图像的行数和列数，如 `7x7`，最后那些键就是它的图块，逐行排列：所选查询的权重画在图块的位置上；不写则用文件里的 `grid`',
    src: '文件地址：.safetensors、.npy、.npz 或 JSON，其中有 `weights`，或 `query` 和 `key`，或三者都有，或只有一个数组',
  },
  properties: {
    weights:
      '权重 [n, n]、[heads, n, n] 或 [layers, heads, n, n]：本包、ONNX Runtime Web、Transformers.js、TensorFlow.js 的张量，或嵌套数组',
    query: '查询；与 `key` 一起代替 `weights`',
    key: '键；头数可以少于 `query`，但须能整除它',
    file: '文件的字节，可代替以上各项',
    series:
      '训练过程，可代替以上各项：每步为 `{ step, query, key }`、`{ step, weights }` 或 `{ step, file }`，可带 `tokens`、`scale` 和 `loss`；换上新的数组，就显示多出来的步',
    tokens: '各查询的词元',
    keyTokens: '各键的词元（与查询不同时）',
    scale: '分数的缩放系数；不写则为 1/√d_k',
    attentionMask: '有填充时，分词器给出的一段文本的掩码 [n]：值为 0 的既不算键，也不算查询',
    options:
      '`attentionScores` 的其他选项，如 `causal`、`mask`；可各头共用，也可每头一份（各层相当于批次）',
  },
  events: { 'attn-error': '文件或属性读不出来时触发；原来的图保留不变' },
  slots: {
    ...kit.slots,
    image:
      '`grid` 所分的那幅图，例如一个 `img`，裁剪与模型看到的一致：图块的权重给它着色；存成的文件里没有这幅图，读者自己放进文件后也不再显示',
  },
  parts: {
    why: '对所选分数的解释',
    head: '诊断表中的一行',
    'download-html': '按钮：把图连同数据存为一个 HTML 文件',
  },
};
