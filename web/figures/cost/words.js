// The words of <attn-cost>, in both languages.

import { shared } from '../kit/state/words.js';

/** @import { ElementFacts } from '../kit/spec.js' */

/** @typedef {'dot' | 'factored' | 'pairwise'} Method */
/** @typedef {'predicted' | 'sampled' | 'measured'} Origin  of the times */

export const en = {
  ...shared.en,
  name: 'Time of dot-product and additive attention',
  fields: {
    dK: 'd',
    hiddenSize: 'hidden size h',
    tanh: 'additive in',
  },
  options: {
    vectorised: 'WebAssembly (SIMD)',
    scalar: 'JavaScript (dot stays)',
  },
  /** @type {Record<Method, string>} */
  methods: {
    dot: 'dot product',
    factored: 'additive, factored',
    pairwise: 'additive, per pair',
  },
  /** At the ends of lines. @type {Record<Method, string>} */
  short: { dot: 'dot product', factored: 'factored', pairwise: 'per pair' },
  /** @type {Record<Method, string>} */
  formulas: {
    dot: 'q·k',
    factored: 'v·tanh(W₁q + W₂k)',
    pairwise: 'W₁q, W₂k anew for every pair',
  },
  memory: { dot: 'n × n weights', broadcast: 'broadcast', fused: 'tiled' },
  title:
    '{origin} additive attention{scalar} takes {factored} times as long as dot-product attention{at}, ' +
    '{pairwise} times if it projects every pair{at2}',
  at: ' (n\u00a0=\u00a0{keys})',
  /** @type {Record<Origin, string>} */
  origins: {
    predicted: 'By the count of operations',
    sampled: 'A quick sample here:',
    measured: 'On this device',
  },
  scalar: ' in plain JavaScript',
  caption:
    'One head, as many queries as keys, d_v = d, float32, one thread. Dots: the fastest of several samples, with a line up to the slowest. ' +
    'Lines: count of operations, each through one measured time. Memory: counted, beyond inputs and output.',
  timePanel: 'Time of one call',
  memoryPanel: 'Working memory',
  keysAxis: 'queries = keys n',
  folk: 'claim: 100×',
  note: 'Press the button to measure every size on your device.',
  measuredNote:
    'Ratios: the median of rounds in which the methods take turns; over the rounds {factored} for factored, {pairwise} for per pair. ' +
    '“Orders of magnitude” would be the dashed line or more.',
  busy: 'This device was busy: the same call took up to {spread} times as long. ',
  ratio: '× dot',
  time: 'time, n\u00a0=\u00a0{keys}',
  /** @type {Record<Origin, string>} */
  measuredAs: { predicted: 'predicted', sampled: 'sampled', measured: 'measured' },
  theoryAs: 'counted',
};

/** @type {typeof en} */
export const zh = {
  ...shared.zh,
  name: '点积注意力与加性注意力的耗时',
  fields: { dK: 'd', hiddenSize: '隐藏维度 h', tanh: '加性用' },
  options: { vectorised: 'WebAssembly（SIMD）', scalar: '普通 JavaScript（点积不变）' },
  methods: { dot: '点积', factored: '加性，先投影', pairwise: '加性，逐对投影' },
  short: { dot: '点积', factored: '先投影', pairwise: '逐对投影' },
  formulas: { ...en.formulas, pairwise: '每一对都重算 W₁q、W₂k' },
  memory: { dot: 'n × n 权重', broadcast: '广播', fused: '分块' },
  title:
    '{origin}{scalar}加性注意力耗时是点积注意力的 {factored} 倍{at}，若逐对投影则是 {pairwise} 倍{at2}',
  at: '（n\u00a0=\u00a0{keys}）',
  origins: {
    predicted: '按运算次数估计，',
    sampled: '在本机粗测：',
    measured: '在这台设备上，',
  },
  scalar: '用普通 JavaScript 写的',
  caption:
    '单头，查询数等于键数，d_v = d，float32，单线程。点是本机多次采样中最快的一次，竖线延伸到最慢的一次；' +
    '曲线按运算次数画出，各自经过一个测量值。内存按公式计数，不含输入与输出。',
  timePanel: '一次调用的耗时',
  memoryPanel: '工作内存',
  keysAxis: '查询数 = 键数 n',
  folk: '常见说法：100 倍',
  note: '点击按钮，在你的设备上逐个规模实测。',
  measuredNote:
    '倍数是各轮的中位数，每一轮里几种方法轮流计时；各轮之间，先投影为 {factored}，逐对投影为 {pairwise}。' +
    '“相差几个数量级”意味着达到或超过虚线。',
  busy: '这台设备当时很忙：同一个调用最慢时用了 {spread} 倍的时间。',
  ratio: '点积的倍数',
  time: '耗时，n\u00a0=\u00a0{keys}',
  measuredAs: { predicted: '预测', sampled: '粗测', measured: '实测' },
  theoryAs: '按运算数',
};

export const messages = { en, zh };

/** What the manifest, the types and the reference of the element are made of. @type {ElementFacts} */
export const facts = {
  summary: {
    en: "Time and memory of dot-product against additive attention, measured on the reader's device.",
    zh: '点积注意力与加性注意力的时间和内存，在读者的设备上实测。',
  },
  row: "dot-product against additive attention, timed on the reader's device, beside the flop model",
  attributes: {
    dK: { en: 'length of queries, keys and values', zh: '查询、键和值的长度' },
    hiddenSize: { en: 'hidden size of additive attention', zh: '加性注意力的隐藏维度' },
    tanh: {
      en: 'additive attention by the kernel, or in plain JavaScript',
      zh: '加性注意力由内核计算，或用普通 JavaScript',
    },
  },
};
