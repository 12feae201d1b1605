// The words of <attn-scale>, in both languages.

import { scaleWords } from '../common/scales.js';

/** @import { ElementFacts } from '../kit/spec.js' */

export const en = {
  ...scaleWords.en,
  name: 'Which factor, at which d_k',
  fields: { ...scaleWords.en.fields, rho: 'alignment ρ' },
  title:
    'With the factor {factor} random keys keep {entropy} of the maximum entropy at d_k = {dK}; ' +
    'one key of {keys} aligned by ρ = {rho} can expect {weight} of the weight',
  gates:
    'With {factor} random keys keep {entropy} of the maximum entropy at d_k = {dK}; ' +
    'one key aligned by ρ = {rho} can expect a gate of {weight}, the other {others} together {rest}',
  caption:
    'Entries of q and k are iid N(0, 1), as at initialisation; the aligned key is ρq + √(1 − ρ²)ε with ε like another k. ' +
    'Map: exact entropy of softmax(d_k⁻ᵅ q·k), marks: the choices at this d_k; cosine similarity counts as a dot product ' +
    'of vectors of norm √d_k. Dots: measured here, {queries} queries; lines: expectation. ' +
    'Triangles: heads of trained language models (recorded runs), by their entropy and, with the range over heads, by ' +
    'the mean ρ of their queries and keys. ' +
    'Right of ρ* = 1/√d_k the mean of q·k exceeds its deviation, and 1/d_k is the factor that keeps scores as they are.',
  panels: { map: 'map', alignment: 'one aligned key' },
  mapPanel: 'Entropy / ln n of random keys',
  freezing: 'freezing',
  weightPanel: 'Weight on the aligned key',
  rhoAxis: 'alignment ρ of query and key',
  weight: 'weight at ρ = {rho}',
  exponent: 'exponent α',
  crossing: 'ρ* = 1/√d_k',
  trained: 'Entropy / ln n of trained heads',
  trainedHeads: 'trained heads',
  trainedCorrelation: 'Mean ρ of trained heads; low and high: of single heads',
};

/** @type {typeof en} */
export const zh = {
  ...scaleWords.zh,
  name: '多大的 d_k，用多大的系数',
  fields: { ...scaleWords.zh.fields, rho: '对齐程度 ρ' },
  title:
    'd_k = {dK}、系数取 {factor} 时，随机的键保有最大熵的 {entropy}；' +
    '{keys} 个键中与查询对齐到 ρ = {rho} 的那一个，期望分得 {weight} 的权重',
  gates:
    'd_k = {dK}、用 {factor} 时，随机的键保有最大熵的 {entropy}；' +
    '与查询对齐到 ρ = {rho} 的那个键，门的期望为 {weight}，其余 {others} 个合计 {rest}',
  caption:
    'q、k 的元素独立服从 N(0, 1)，即初始化时的情形；对齐的键是 ρq + √(1 − ρ²)ε，ε 是另一个同样的随机向量。' +
    '地图是 softmax(d_k⁻ᵅ q·k) 的精确熵，标记是当前 d_k 下的各种选法，余弦相似度按范数为 √d_k 的向量的点积标出。' +
    '圆点为本机实测，共 {queries} 个查询；曲线为期望值。' +
    '三角是训练好的语言模型（录制的运行）：在地图上按各头的熵标出；在 ρ 轴上方标出各头查询与键的平均 ρ，横线是各头之间的范围。' +
    'ρ 超过 ρ* = 1/√d_k，q·k 的均值便大过标准差，这时能让分数不随 d_k 变大的系数是 1/d_k。',
  panels: { map: '熵的地图', alignment: '一个对齐的键' },
  mapPanel: '随机键的熵 / ln n',
  freezing: '冻结线',
  weightPanel: '对齐的键分得的权重',
  rhoAxis: '查询与键的对齐程度 ρ',
  weight: 'ρ = {rho} 时的权重',
  exponent: '指数 α',
  crossing: 'ρ* = 1/√d_k',
  trained: '训练好的各头的熵 / ln n',
  trainedHeads: '训练好的头',
  trainedCorrelation: '训练好的各头 ρ 的均值；low、high 为单个头',
};

export const messages = { en, zh };

/** What the manifest, the types and the reference of the element are made of. @type {ElementFacts} */
export const facts = {
  summary: {
    en: "Which factor scores may have: a map of the entropy over d_k and the factor's exponent, and the weight on a key against its alignment with the query.",
    zh: '分数该乘怎样的缩放系数：熵随 d_k 与缩放系数的指数变化的分布图，以及一个键的权重随它与查询的对齐程度的变化。',
  },
  row: 'every factor d_k^−α on one map, and the weight of an aligned key',
  attributes: {
    rho: { en: 'alignment of one key with the query', zh: '一个键与查询的对齐程度' },
    factor: { en: 'the factor looked at', zh: '所看的缩放系数' },
    keys: { en: 'how many keys a query chooses from', zh: '一个查询有多少个键可选' },
    dK: { en: 'length of queries and keys', zh: '查询和键的长度' },
    temperature: { en: 'of the factor 1/T', zh: '缩放系数 1/T 中的 T' },
    gain: { en: 'of cosine similarity', zh: '余弦相似度的增益' },
    trained: { en: 'keys in training, of YaRN', zh: '训练时的键数，供 YaRN 用' },
    measure: {
      en: 'shows the panels that attn-scales has now',
      zh: '显示现在属于 attn-scales 的分图',
    },
    across: {
      en: 'shows the panels that attn-scales has now',
      zh: '显示现在属于 attn-scales 的分图',
    },
    queries: { en: 'sample size', zh: '样本的查询数' },
    seed: { en: 'of the random numbers', zh: '随机数的种子' },
  },
};
