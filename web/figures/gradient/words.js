// The words of <attn-gradient>, in both languages.

import { formulas, shared } from '../kit/state/words.js';

/** @import { ElementFacts } from '../kit/spec.js' */

/** Logits to choose from. */
export const PRESETS = { peak: '50, 1, 1, 1', rivals: '50, 49, 1, 1', even: '1, 1, 1, 1' };

export const en = {
  ...shared.en,
  formulas,
  name: 'Gradient through softmax against d_k',
  fields: {
    ...shared.en.fields,
    gap: 'gap',
    preset: 'logits',
    logits: 'own logits (2–8)',
  },
  options: {
    ...PRESETS,
    gap: 'two keys',
    unscaled: '8 scores, unscaled',
    scaled: '8 scores / √dₖ',
    own: 'own (More settings)',
  },
  series: {
    none: 'unscaled',
    sqrt: '/ √d_k',
    linear: '/ d_k',
  },
  title:
    'At d_k = {dK} without the scale, the median gradient of a query is {median}, the mean {mean}: ' +
    'a tenth of the queries hold {share} of the squared gradient',
  caption:
    'Entries of q, k and ∂L/∂p are iid N(0, 1); {queries} queries, up to 16 key sets. ' +
    'Filled marks: means, measured here; hollow: medians; bands: 10–90% of the queries. ' +
    'Lines: exact mean of tr J for this n and d_k; dotted: its median if two keys shared all the weight. ' +
    'Gap: between the logits of two keys; with several, of the largest to all others together. ' +
    'A step: of gradient descent at rate 1, all the gradient pulling to the second key. ' +
    'Dots there: in float32, and on the axis where that gives 0.',
  gradientPanel: 'Norm of ∂L/∂q',
  tracePanel: 'Trace of the Jacobian, tr J',
  gapPanel: 'Two keys: p, slope and step',
  gapNote:
    'gap {gap}: p = {weight}, p(1 − p) = {slope}\none step moves p by {update} (float32: {update32})',
  gapAxis: 'gap between the logits of two keys',
  gapLines: { weight: 'p', slope: 'p(1 − p)', update: 'step of p' },
  mean: 'unscaled: mean',
  median: 'unscaled: median',
  folk: 'claim: vanishes',
  gradientMean: '‖∂L/∂q‖ mean',
  gradientMedian: '‖∂L/∂q‖ median',
  traceMean: 'tr J mean',
  traceMedian: 'tr J median',
  topShare: 'top tenth of ‖∂L/∂q‖²',
  note: '∂p/∂z of the largest of the logits {logits}: exactly {exact}, in float32 {float32}.',
};

/** @type {typeof en} */
export const zh = {
  ...shared.zh,
  formulas,
  name: '穿过 softmax 的梯度与 d_k 的关系',
  fields: {
    ...shared.zh.fields,
    gap: '分数差',
    preset: 'logits',
    logits: '自定 logits（2–8 个）',
  },
  options: {
    ...PRESETS,
    gap: '两个键',
    unscaled: '8 个分数，不缩放',
    scaled: '8 个分数 / √dₖ',
    own: '自定（见更多设置）',
  },
  series: { none: '不缩放', sqrt: '/ √d_k', linear: '/ d_k' },
  title:
    'd_k = {dK} 且不缩放时，查询梯度的中位数是 {median}，均值是 {mean}：' +
    '十分之一的查询占去梯度平方和的 {share}',
  caption:
    'q、k、∂L/∂p 的元素独立服从 N(0, 1)；{queries} 个查询，至多 16 组键。' +
    '实心标记是本机实测的均值，空心是中位数，色带是 10%–90% 的查询。' +
    '实线是当前 n、d_k 下 tr J 的精确均值；点线是两个键分走全部权重时的中位数。' +
    '分数差指两个键的 logits 之差；键不止两个时，指最大的一个与其余合起来之差。' +
    '“一步”指学习率为 1 的一步梯度下降，梯度全都拉向第二个键。' +
    '这里的点是 float32 算得的值，算成 0 的画在横轴上。',
  gradientPanel: '‖∂L/∂q‖',
  tracePanel: '雅可比矩阵的迹 tr J',
  gapPanel: '两个键：p、斜率、一步的变化',
  gapNote:
    '分数差 {gap}：p = {weight}，p(1 − p) = {slope}\n一步之后 p 变化 {update}，float32 算得 {update32}',
  gapAxis: '两个键的分数差',
  gapLines: { weight: 'p', slope: 'p(1 − p)', update: '一步的变化' },
  mean: '不缩放：均值',
  median: '不缩放：中位数',
  folk: '常见说法：消失',
  gradientMean: '‖∂L/∂q‖ 均值',
  gradientMedian: '‖∂L/∂q‖ 中位数',
  traceMean: 'tr J 均值',
  traceMedian: 'tr J 中位数',
  topShare: '前 10% 占 ‖∂L/∂q‖²',
  note: 'logits {logits} 中最大的一个，∂p/∂z 的精确值是 {exact}，float32 给出 {float32}。',
};

export const messages = { en, zh };

/** What the manifest, the types and the reference of the element are made of. @type {ElementFacts} */
export const facts = {
  summary: {
    en: 'How much gradient softmax lets through as d_k grows, for three scales, and what passes between two keys a gap apart.',
    zh: 'd_k 增大时，三种缩放下还有多少梯度穿过 softmax；以及两个键的分数差拉大时，还剩多少。',
  },
  row: 'the gradient that reaches a query: its median dies where its mean holds up; why: two keys, gap by gap',
  attributes: {
    dK: { en: 'length of queries and keys', zh: '查询和键的长度' },
    keys: { en: 'how many keys a query chooses from', zh: '一个查询有多少个键可选' },
    gap: {
      en: 'between the logits of two keys; used where preset is gap',
      zh: '两个键的 logits 之差，preset 为 gap 时使用',
    },
    preset: { en: 'the logits whose gap is shown', zh: '所示分数差取自哪组 logits' },
    logits: {
      en: 'two to eight numbers, used where preset is own',
      zh: '二至八个数，preset 为 own 时使用',
    },
    queries: { en: 'sample size', zh: '样本的查询数' },
    seed: { en: 'of the random numbers', zh: '随机数的种子' },
  },
};
