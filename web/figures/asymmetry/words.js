// The words of <attn-asymmetry>, in both languages.

import { shared } from '../kit/state/words.js';

/** @import { ElementFacts } from '../kit/spec.js' */

export const en = {
  ...shared.en,
  name: 'Queries and keys are not interchangeable',
  fields: {
    ...shared.en.fields,
    dK: 'd_k (training)',
    tie: 'Q and K (by hand)',
    relation: 'learn (training)',
    vectors: 'vectors',
  },
  options: {
    separate: 'separate',
    tied: 'the same (Q = K)',
    ring3: 'rock–paper–scissors',
    pairs: 'swapped pairs',
    ring8: 'a directed ring of eight',
    mixed: 'mixed',
    ring: 'each key a turn ahead',
    aligned: 'each key along its query',
    own: 'own',
  },
  title:
    'With Q = K, {relation} cannot be learned: after {steps} steps the loss is {tied} (floor {floor}); with separate Q and K, {untied}',
  caption:
    'By hand: drag a query or a key, or use the arrow keys; scores are not scaled. ' +
    'By training: n tokens, each with a query and a key, plain gradient descent at rate 0.5 from the same start (queries = keys, entries N(0, ¼)). ' +
    'Dots: median over runs, lines from the smallest to the largest. The floor is exact from d_k = 2 on.',
  plane: 'By hand: queries, keys',
  maps: {
    QK: 'row: query i attends\nto key j (column)',
    KQ: 'row: key i picks\nquery j (column)',
  },
  lossPanel: 'By training: loss, nats',
  asymmetryPanel: 'Asymmetry ‖S − Sᵀ‖ / ‖S + Sᵀ‖',
  stepAxis: 'training step',
  tied: 'Q = K',
  untied: 'separate',
  floor: 'floor',
  loss: 'loss at the end',
  asymmetry: 'asymmetry',
  rowSums: 'row sums',
  largestColumn: 'largest column sum',
  smallestColumn: 'smallest column sum',
  transposed: 'apart from softmax(KQᵀ)ᵀ by',
  queryKey: 'query i to key j',
  quickNote: 'A short run. Press the button to train 8 times for 4000 steps on your device.',
  longNote: 'Separate Q and K part because the gradient by Q is dS·K and by K is dSᵀ·Q.',
  handles: { queries: 'query {index} at {x}, {y}', keys: 'key {index} at {x}, {y}' },
};

/** @type {typeof en} */
export const zh = {
  ...shared.zh,
  name: '查询和键不能互换',
  fields: {
    ...shared.zh.fields,
    dK: 'd_k（训练）',
    tie: 'Q 与 K（手动）',
    relation: '学习内容（训练）',
    vectors: '向量',
  },
  options: {
    separate: '各自独立',
    tied: '共用（Q = K）',
    ring3: '石头剪刀布',
    pairs: '两两互换',
    ring8: '八个词元首尾相接的环',
    mixed: '随意',
    ring: '键依次错开',
    aligned: '键与查询同向',
    own: '自定',
  },
  title:
    'Q = K 时学不会{relation}：训练 {steps} 步，损失为 {tied}，下限是 {floor}；分开之后降到 {untied}',
  caption:
    '手动：查询和键可以拖动，也可以用方向键移动；分数不缩放。' +
    '训练：n 个词元各有一个查询和一个键，从同一起点出发（查询 = 键，元素服从 N(0, ¼)），用学习率 0.5 的普通梯度下降训练。' +
    '点是各次训练的中位数，竖线从最小到最大；下限在 d_k ≥ 2 时是精确值。',
  plane: '手动：查询与键',
  maps: { QK: '行：查询 i\n关注键 j（列）', KQ: '行：键 i\n挑选查询 j（列）' },
  lossPanel: '训练：以奈特计的损失',
  asymmetryPanel: '不对称程度 ‖S − Sᵀ‖ / ‖S + Sᵀ‖',
  stepAxis: '训练步数',
  tied: 'Q = K',
  untied: '分开',
  floor: '下限',
  loss: '最终损失',
  asymmetry: '不对称程度',
  rowSums: '行和',
  largestColumn: '最大的列和',
  smallestColumn: '最小的列和',
  transposed: '与 softmax(KQᵀ)ᵀ 相差',
  queryKey: '查询 i 对键 j',
  quickNote: '这只是一次短训练。点击按钮，在你的设备上训练 8 次、每次 4000 步。',
  longNote: 'Q 与 K 分开后渐行渐远，因为对 Q 的梯度是 dS·K，对 K 的梯度是 dSᵀ·Q。',
  handles: { queries: '查询 {index}，位于 {x}, {y}', keys: '键 {index}，位于 {x}, {y}' },
};

export const messages = { en, zh };

/** What the manifest, the types and the reference of the element are made of. @type {ElementFacts} */
export const facts = {
  summary: {
    en: 'Queries and keys are not interchangeable: two ways to normalise, and relations that Q = K cannot learn.',
    zh: '查询与键不能互换：两种归一方向，以及 Q = K 学不会的关系。',
  },
  row: 'queries and keys are not interchangeable: softmax(QKᵀ) against softmax(KQᵀ), and what Q = K cannot learn',
  attributes: {
    dK: { en: 'length of the trained queries and keys', zh: '所训练的查询和键的长度' },
    tie: { en: 'whether the keys in the plane are the queries', zh: '平面上的键是否就是查询' },
    relation: { en: 'what is learned', zh: '所学的关系' },
    vectors: {
      en: 'choosing one sets the vectors in the plane',
      zh: '选定后，平面上的向量随之改变',
    },
    seed: { en: 'of the first run', zh: '第一次运行的种子' },
    queries: {
      en: '3 × 2 numbers, row by row, in place of those that `vectors` names',
      zh: '3 × 2 个数，逐行给出，取代 `vectors` 所指定的',
    },
    keys: {
      en: '3 × 2 numbers, row by row, in place of those that `vectors` names',
      zh: '3 × 2 个数，逐行给出，取代 `vectors` 所指定的',
    },
  },
};
