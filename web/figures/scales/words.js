// The words of <attn-scales>, in both languages.

import { scaleWords } from '../common/scales.js';

/** @import { ElementFacts } from '../kit/spec.js' */

export const en = {
  ...scaleWords.en,
  name: 'Every scale in use, at this d_k and as keys are added',
  fields: { ...scaleWords.en.fields, measure: 'shown of a row', across: 'grows' },
  options: {
    ...scaleWords.en.options,
    effectiveKeys: 'effective keys',
    maxWeight: 'largest weight',
    trace: 'trace of the Jacobian',
    keys: 'n',
    dK: 'dₖ',
  },
  titles: {
    keys: 'With {factor} the effective keys are {now} of {keys}, and {end} of {largest} keys (d_k = {dK})',
    dK: 'With {factor} the effective keys are {now} of {keys} at d_k = {dK}, and {end} at d_k = {largest}',
  },
  caption:
    'Entries of q and k are iid N(0, 1), as at initialisation, the same for every scale. ' +
    'Dots: measured here, up to {queries} queries; ticks and lines: expectation. ' +
    'Effective keys: the mean over queries of 1/Σp², of (Σp)²/Σp² where a row does not sum to 1.',
  panels: { scales: 'all scales', course: 'as n or dₖ grows' },
  scalesPanel: 'Every scale, at this d_k and n',
  shareOfKeys: 'Effective keys / n',
  measures: {
    effectiveKeys: 'effective keys',
    maxWeight: 'largest weight',
    trace: 'trace of the Jacobian',
  },
};

/** @type {typeof en} */
export const zh = {
  ...scaleWords.zh,
  name: '各种缩放放在一起，再看键数增多时如何',
  fields: { ...scaleWords.zh.fields, measure: '看每行的', across: '横轴' },
  options: {
    ...scaleWords.zh.options,
    effectiveKeys: '有效键数',
    maxWeight: '最大权重',
    trace: '雅可比矩阵的迹',
    keys: 'n',
    dK: 'dₖ',
  },
  titles: {
    keys: '{factor}、d_k = {dK} 时，{keys} 个键中有效的占 {now}；键增到 {largest} 个，占 {end}',
    dK: '{factor}、d_k = {dK} 时，{keys} 个键中有效的占 {now}；d_k 增到 {largest}，占 {end}',
  },
  caption:
    'q、k 的元素独立服从 N(0, 1)，即初始化时的情形；各种做法用的是同一批查询和键。' +
    '圆点为本机实测，至多 {queries} 个查询；短竖线与曲线为期望值。' +
    '有效键数是 1/Σp² 对查询的平均；一行之和不是 1 时，是 (Σp)²/Σp² 的平均。',
  panels: { scales: '各种缩放', course: '随 n 或 dₖ 变化' },
  scalesPanel: '当前 d_k 与 n 下的各种做法',
  shareOfKeys: '有效键数 / n',
  measures: { effectiveKeys: '有效键数', maxWeight: '最大权重', trace: '雅可比矩阵的迹' },
};

export const messages = { en, zh };

/** What the manifest, the types and the reference of the element are made of. @type {ElementFacts} */
export const facts = {
  summary: {
    en: 'Every scale in use, side by side for the same random queries and keys, and the chosen one as keys are added or d_k grows.',
    zh: '用同一批随机的查询和键比较各种缩放，再看选中的一种随键数或 d_k 怎样变化。',
  },
  row: 'every scale in use side by side, and the chosen one as keys are added or d_k grows',
  attributes: {
    keys: { en: 'how many keys a query chooses from', zh: '一个查询有多少个键可选' },
    factor: { en: 'the scale looked at', zh: '所看的缩放' },
    measure: { en: 'what is shown of a row of weights', zh: '看一行权重的哪个量' },
    across: { en: 'what grows: keys or d_k', zh: '横轴：键数或 d_k' },
    dK: { en: 'length of queries and keys', zh: '查询和键的长度' },
    temperature: { en: 'of the factor 1/T', zh: '缩放系数 1/T 中的 T' },
    gain: { en: 'of cosine similarity', zh: '余弦相似度的增益' },
    trained: { en: 'keys in training, of YaRN', zh: '训练时的键数，供 YaRN 用' },
    queries: { en: 'sample size', zh: '样本的查询数' },
    seed: { en: 'of the random numbers', zh: '随机数的种子' },
  },
};
