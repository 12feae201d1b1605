// The words of <attn-walk>, in both languages.

import { shared } from '../kit/state/words.js';

/** @import { ElementFacts } from '../kit/spec.js' */

/** What scores are divided by. */
const options = { none: '÷1', sqrt: '÷√d_k', linear: '÷d_k' };
/** Each with its sign. */
const envelopes = { none: '{sign}√step', sqrt: '{sign}√step / √d_k', linear: '{sign}√step / d_k' };

export const en = {
  fields: { ...shared.en.fields, scale: 'scores', walks: 'walks' },
  options,
  envelopes,
  name: 'A score as a random walk',
  titles: {
    none: 'A score is a walk of d_k = {dK} random steps: it strays by √d_k = {deviation}, and one key of eight gets {weight}; divided by √d_k, {scaled}',
    sqrt: 'Divided by √d_k, a walk of d_k = {dK} steps strays by 1, as at every d_k: the top key of eight gets {weight}, and a gradient of {gradient} comes back',
    linear:
      'Divided by d_k, a walk of d_k = {dK} steps strays by {deviation}, less the longer it is: the top key of eight gets {weight}, and a gradient of {gradient} comes back',
  },
  caption:
    'Each product q_i·k_i is a step up or down: entries iid N(0, 1), as at initialisation. Thick: the eight keys of one query. ' +
    'Dashed: ±√step. Bell: the ends of {walks} walks, with their exact density. ◆ ● ■ mark the same keys with the other scales. ' +
    'Arrow: what of a mistake reaches the typical query, c·√d_k·(1 − Σp²), c being the scale: the median of the queries, on its 10–90% range. ' +
    'Hollow: the mean, on its exact value; without a scale a few queries hold it up. ' +
    'With ÷d_k the arrow shrinks because the keys, by which the query would move, are divided too.',
  walkPanel: 'The score, step by step',
  endPanel: 'Density of the ends',
  stepAxis: 'step',
  scoreAxis: 'score',
  key: 'key {key}',
  weightPanel: 'Softmax',
  weightAxis: 'weight',
  keyAxis: 'key',
  expected: 'mean of the top: {value}',
  gradientPanel: 'Gradient back to the typical query',
  gradientAxis: 'c·√d_k·(1 − Σp²)',
  mean: 'mean',
  scaleAxis: 'c',
  medianTable: 'Gradient, median and range of the queries',
  meanTable: 'Gradient, mean of the queries',
  deviation: shared.en.deviation,
  largestWeight: 'largest weight, mean',
  gradientMean: 'gradient, mean',
  gradientMedian: 'gradient, median',
};

/** @type {typeof en} */
export const zh = {
  fields: { ...shared.zh.fields, scale: '分数', walks: '游走次数' },
  options,
  envelopes: {
    none: '{sign}√步数',
    sqrt: '{sign}√步数 / √d_k',
    linear: '{sign}√步数 / d_k',
  },
  name: '分数是一次随机游走',
  titles: {
    none: '一个分数就是走 d_k = {dK} 步的随机游走，大约偏离 √d_k = {deviation}；八个键里，第一名就拿走 {weight} 的权重。除以 √d_k，只拿 {scaled}',
    sqrt: '除以 √d_k，走 d_k = {dK} 步也只偏离 1，d_k 多大都一样：八个键里第一名拿走 {weight}，传回来的梯度是 {gradient}',
    linear:
      '除以 d_k，走 d_k = {dK} 步只偏离 {deviation}，走得越久偏得越少：八个键里第一名拿走 {weight}，传回来的梯度是 {gradient}',
  },
  caption:
    '每个乘积 q_i·k_i 是向上或向下的一步，元素独立服从 N(0, 1)，如同初始化时。粗线：同一个查询的八个键；虚线：±√步数；' +
    '钟形：{walks} 次游走的终点，曲线是精确密度。◆ ● ■ 标出换用其他缩放时同样这些键的权重。' +
    '箭头：一次差错有多少传回典型的查询，即 c·√d_k·(1 − Σp²)，c 为缩放系数；箭头长度是各查询的中位数，底色是 10%–90% 的范围。' +
    '空心：均值，竖线是它的精确值；不缩放时，均值全靠少数查询撑着。÷d_k 时箭头变短，是因为推动查询的键也一并除小了。',
  walkPanel: '分数，一步一步累加',
  endPanel: '终点的密度',
  stepAxis: '步数',
  scoreAxis: '分数',
  key: '键 {key}',
  weightPanel: 'softmax 的权重',
  weightAxis: '权重',
  keyAxis: '键',
  expected: '第一名平均 {value}',
  gradientPanel: '传回典型查询的梯度',
  gradientAxis: 'c·√d_k·(1 − Σp²)',
  mean: '均值',
  scaleAxis: 'c',
  medianTable: '梯度：各查询的中位数和范围',
  meanTable: '梯度：各查询的均值',
  deviation: shared.zh.deviation,
  largestWeight: '最大权重的均值',
  gradientMean: '梯度的均值',
  gradientMedian: '梯度的中位数',
};

export const messages = { en, zh };

/** What the manifest, the types and the reference of the element are made of. @type {ElementFacts} */
export const facts = {
  summary: {
    en: 'A score as a random walk, the weights that softmax makes of it, and the gradient that comes back.',
    zh: '一个分数就是一次随机游走；softmax 由此得出权重，梯度再传回来。',
  },
  row: 'a score as a walk of d_k random steps: it strays by √d_k, softmax follows, the gradient fades',
  attributes: {
    dK: {
      en: 'steps of a walk: the length of queries and keys',
      zh: '游走的步数，即查询和键的长度',
    },
    scale: { en: 'what scores are divided by: 1, √d_k or d_k', zh: '分数除以什么：1、√d_k 或 d_k' },
    walks: {
      en: 'how many walks the bell counts; eight belong to each query',
      zh: '钟形统计多少次游走；每个查询有八次',
    },
    seed: { en: 'of the random numbers', zh: '随机数的种子' },
  },
};
