// The words of <attn-precision>, in both languages.

import { shared } from '../kit/state/words.js';

/**
 * @import { DkScaleKey } from '../../shared/dk-scales.js'
 * @import { ElementFacts } from '../kit/spec.js'
 */

/** @type {Record<DkScaleKey, string>} */
const formulas = {
  none: 'softmax(q·k)',
  sqrt: 'softmax((q / √d_k)·k)',
  'half-sqrt': 'softmax((q / 2√d_k)·k)',
  linear: 'softmax((q / d_k)·k)',
};

const formats = { fp16: 'fp16', bf16: 'bfloat16', fp32: 'float32' };

export const en = {
  ...shared.en,
  formulas,
  name: 'What 16-bit formats do to attention',
  fields: { ...shared.en.fields, format: 'format' },
  options: { ...shared.en.options, ...formats },
  title:
    'In {format} at d_k = {dK}, {product} of the unscaled scores overflow, ' +
    'and {zero} of the weights become exactly 0{scaled}',
  spoilt:
    'In {format} at d_k = {dK}, {product} of the unscaled scores overflow, ' +
    'at least one in every row',
  withScale: '; with the scale, {scaledZero}',
  caption:
    'Entries of q and k are iid N(0, {entrySize}²), rounded to the format; {queries} queries, {keys} keys. Products are ' +
    'accumulated in float32, as matrix units do; every other result is rounded. ' +
    'Marks: counted here. Lines: exact for normal entries, without the rounding, with the largest exponential in place of the sum.',
  panels: { products: 'scores', exponentials: 'exponentials', weights: 'weights' },
  expPanel: 'Max kept: exp overflows',
  zeroPanel: 'Minus max: weight is 0',
  above: 'above {limit}',
  below: 'below max − {limit}',
  folk: 'claim: all',
  rows: 'rows',
  entries: 'scores',
  productOverflow: 'q·k overflows',
  expOverflow: 'exp overflows',
  expOverflowRows: 'rows where exp overflows',
  zeroWeights: 'weight is 0',
  note: 'Entries of size {size} would bring the unscaled scores at d_k = {dK} to the end of the format at 4σ.',
};

/** @type {typeof en} */
export const zh = {
  ...shared.zh,
  formulas,
  name: '16 位浮点格式对注意力的影响',
  fields: { ...shared.zh.fields, format: '格式' },
  options: { ...shared.zh.options, ...formats },
  title: '{format}、d_k = {dK}：不缩放的分数有 {product} 溢出，权重有 {zero} 恰好变成 0{scaled}',
  spoilt: '{format}、d_k = {dK}：不缩放的分数有 {product} 溢出，每一行都有溢出',
  withScale: '；缩放后是 {scaledZero}',
  caption:
    'q、k 的元素独立服从 N(0, {entrySize}²)，先舍入到该格式；共 {queries} 个查询、{keys} 个键。' +
    '乘积用 float32 累加，与矩阵单元相同；其余结果都舍入。' +
    '标记是本机数出来的；曲线按元素服从正态分布精确算出，不计舍入，指数之和只取最大的一项。',
  panels: { products: '分数', exponentials: '指数', weights: '权重' },
  expPanel: '不减最大值：指数溢出',
  zeroPanel: '减去最大值：权重为 0',
  above: '超过 {limit} 即溢出',
  below: '比最大值低 {limit} 以上',
  folk: '常见说法：全部',
  rows: '行',
  entries: '分数',
  productOverflow: 'q·k 溢出',
  expOverflow: '指数溢出',
  expOverflowRows: '有指数溢出的行',
  zeroWeights: '权重为 0',
  note: 'd_k = {dK} 时，元素要大到 {size}，不缩放的分数才会在 4σ 处触及该格式的上限。',
};

export const messages = { en, zh };

/** What the manifest, the types and the reference of the element are made of. @type {ElementFacts} */
export const facts = {
  summary: {
    en: 'What 16-bit formats do to attention as d_k grows: overflow, and weights lost to 0.',
    zh: 'd_k 增大时，16 位浮点格式对注意力的影响：溢出，以及变成 0 的权重。',
  },
  row: 'overflow and lost weights in fp16, bfloat16 and float32',
  attributes: {
    dK: { en: 'length of queries and keys', zh: '查询和键的长度' },
    format: {
      en: 'number format of entries, scores and softmax',
      zh: '元素、分数和 softmax 的数值格式',
    },
    entrySize: { en: 'standard deviation of the entries', zh: '元素的标准差' },
    scale: { en: 'factor of the scaled series', zh: '“缩放后”一组所乘的缩放系数' },
    keys: { en: 'how many keys a query chooses from', zh: '一个查询有多少个键可选' },
    queries: { en: 'sample size', zh: '样本的查询数' },
    seed: { en: 'of the random numbers', zh: '随机数的种子' },
  },
};
