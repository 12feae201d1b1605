// The words of <attn-saturation>, in both languages.

import { factors, formulas, shared } from '../kit/state/words.js';

/** @import { ElementFacts } from '../kit/spec.js' */

/** By the power of ln n. @type {Record<number, string>} */
const laws = { 0.5: '√ln n', 1: 'ln n', 2: 'ln² n' };

export const en = {
  ...shared.en,
  fields: { ...shared.en.fields, lower: 'fourth panel', head: 'a trained head' },
  options: {
    ...shared.en.options,
    entropy: 'entropy',
    competitors: 'keys near the top score',
    growth: 'its law, as keys are added',
    '1-1': 'layer 1, head 1',
    '1-2': 'layer 1, head 2 (on itself)',
    '2-1': 'layer 2, head 1',
    '2-2': 'layer 2, head 2',
  },
  laws,
  formulas,
  factors,
  name: 'Softmax saturation against d_k',
  title:
    'At d_k = {dK}, the unscaled softmax puts {unscaled} of its weight, on average, on one of {keys} keys; {then}',
  then: 'scaled by {factor}, {scaled}',
  same: 'a scale of 1 changes nothing',
  caption:
    'Entries of q and k are iid N(0, {entrySize}²), as at initialisation; {queries} queries, up to 16 key sets. ' +
    'Dots: measured here, with the 10–90% range over queries. Lines: exact for this n and d_k.',
  growthCaption:
    ' Fourth panel: the factor, for scores of deviation 1, at which one other key keeps 1/e of the top weight; ' +
    'grey: laws through the Gaussian at 64 keys.',
  trainedCaption:
    ' Triangles: recorded rows of the English model of attn-language, trained with 1/√d_k, on text that it has read.',
  scorePanel: 'Density of the scores',
  scoreAxis: 'score of a query and a key',
  weightPanel: 'Weights of one query, the 16 largest',
  weightAxis: 'key, by rank of its weight',
  uniform: 'uniform: 1/n',
  weightCurve: 'Mean largest weight',
  entropyCurve: 'Mean entropy / ln n',
  maxWeight: 'largest weight',
  competitors: 'others within 1 of the top score',
  competitorCurve: 'Other keys within a gap of the top score',
  gapAxis: 'gap, in scores',
  growthCurve: 'σ / gap that holds one other key',
  keysAxis: 'keys n',
  gaussian: 'Gaussian',
  trained: 'trained',
  trainedHead: 'trained: layer {layer}, head {head}',
  recorded: 'recorded',
  asWide: 'Gaussian, as wide',
  difference: 'difference',
  oneHot: 'claim: one-hot',
  freezing: 'saturation begins: d* = 2 ln n{size} = {value}',
  bySize: ' / size⁴',
};

/** @type {typeof en} */
export const zh = {
  ...shared.zh,
  fields: { ...shared.zh.fields, lower: '第四幅分图', head: '训练好的头' },
  options: {
    ...shared.zh.options,
    entropy: '熵',
    competitors: '最高分附近的键',
    growth: '键增多时的规律',
    '1-1': '第 1 层第 1 头',
    '1-2': '第 1 层第 2 头',
    '2-1': '第 2 层第 1 头',
    '2-2': '第 2 层第 2 头',
  },
  laws,
  formulas,
  factors,
  name: 'softmax 饱和程度与 d_k 的关系',
  title:
    'd_k = {dK} 时，不缩放的 softmax 平均把 {unscaled} 的权重压在 {keys} 个键中的一个上；{then}',
  then: '乘以 {factor} 之后是 {scaled}',
  same: '缩放系数取 1，两者没有差别',
  caption:
    'q、k 的元素独立服从 N(0, {entrySize}²)，如同初始化时；{queries} 个查询，至多 16 组键。' +
    '点是本机实测值，竖线为各查询的 10%–90% 范围；曲线是当前 n、d_k 下的精确期望。',
  growthCaption:
    '第四幅：标准差为 1 的分数乘以多大的系数，才会有一个其他键的权重不低于最高者的 1/e；灰线是过高斯曲线上 64 个键处的几种规律。',
  trainedCaption: '三角：attn-language 的中文模型（以 1/√d_k 训练）读它读过的唐诗，录制所得。',
  scorePanel: '分数的概率密度',
  scoreAxis: '一个查询与一个键的分数',
  weightPanel: '某一个查询最大的 16 个权重',
  weightAxis: '键（按权重从大到小）',
  uniform: '均匀分布：1/n',
  weightCurve: '最大权重的均值',
  entropyCurve: '熵 / ln n 的均值',
  maxWeight: '最大权重',
  competitors: '与最高分相差不到 1 的其他键',
  competitorCurve: '与最高分之差不超过 Δ 的其他键数',
  gapAxis: '分数之差 Δ',
  growthCurve: 'σ / 恰含一个其他键的差距',
  keysAxis: '键数 n',
  gaussian: '高斯',
  trained: '训练后',
  trainedHead: '训练好的第 {layer} 层第 {head} 头',
  recorded: '录制值',
  asWide: '同样散布的高斯',
  difference: '相差',
  oneHot: '常见说法：独热',
  freezing: '开始饱和：d* = 2 ln n{size} = {value}',
  bySize: ' / 大小⁴',
};

export const messages = { en, zh };

/** What the manifest, the types and the reference of the element are made of. @type {ElementFacts} */
export const facts = {
  summary: {
    en: 'How softmax saturates as d_k grows, with and without the scale.',
    zh: 'd_k 增大时，softmax 缩放与不缩放各如何饱和。',
  },
  row: 'scores and weights with and without the scale, and where softmax freezes: d\\* = 2 ln n',
  attributes: {
    dK: { en: 'length of queries and keys', zh: '查询和键的长度' },
    keys: { en: 'how many keys a query chooses from', zh: '一个查询有多少个键可选' },
    scale: { en: 'factor of the scaled series', zh: '“缩放后”一组所乘的缩放系数' },
    entrySize: { en: 'standard deviation of the entries', zh: '元素的标准差' },
    lower: {
      en: 'what the fourth panel shows: `entropy`; `competitors`, the keys within a gap of the top score; or `growth`, how that gap shrinks with n',
      zh: '第四幅分图画什么：`entropy`（熵）、`competitors`（最高分附近的键数）或 `growth`（这一差距怎样随 n 变小）',
    },
    head: {
      en: 'a head of a trained model beside the random scores, as layer-head; recorded rows of the model of `<attn-language>`',
      zh: '与随机分数并列的一个训练好的头（层-头），取自 `<attn-language>` 的模型的录制结果',
    },
    queries: { en: 'sample size', zh: '样本的查询数' },
    seed: { en: 'of the random numbers', zh: '随机数的种子' },
  },
};
