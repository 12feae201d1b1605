// The words of <attn-scale> in Chinese.

import { scaleWords } from '../../common/zh/scales.js';
import { startWords } from '../../common/zh/starts.js';

/** @type {typeof import('../en/words.js').words} */
export const words = {
  ...scaleWords,
  name: '多大的 d_k，用多大的系数',
  fields: { ...scaleWords.fields, rho: '对齐程度 ρ', start: startWords.field },
  options: { ...scaleWords.options, ...startWords.options },
  title:
    'd_k = {dK}、系数取 {factor} 时，随机的键保有最大熵的 {entropy}；' +
    '{keys} 个键中与查询对齐到 ρ = {rho} 的那一个，期望分得 {weight} 的权重',
  gates:
    'd_k = {dK}、用 {factor} 时，随机的键保有最大熵的 {entropy}；' +
    '与查询对齐到 ρ = {rho} 的那个键，门的期望为 {weight}，其余 {others} 个合计 {rest}',
  caption:
    'q、k 的元素独立服从 N(0, {variance})（{start}）；对齐的键是 ρq + √(1 − ρ²)ε，ε 是另一个同样的随机向量。' +
    '地图是 softmax(d_k⁻ᵅ q·k) 的精确熵，点线处开始饱和，标准差为 √(2 ln n)；标记是当前 d_k 下的各种选法，余弦相似度按范数为 √d_k 的向量的点积标出。' +
    '圆点为本机实测，共 {queries} 个查询；曲线为期望值。' +
    '三角是训练好的语言模型（录制的运行）：在地图上按各头的熵标出；在 ρ 轴上方标出各头查询与键的平均 ρ，横线是各头之间的范围。' +
    'ρ 超过 ρ* = 1/√d_k，q·k 的均值便大过标准差，这时能让分数不随 d_k 变大的系数是 1/d_k。',
  panels: { map: '熵的地图', alignment: '一个对齐的键' },
  mapPanel: '随机键的熵 / ln n',
  freezing: '饱和线',
  weightPanel: '对齐的键分得的权重',
  rhoAxis: '查询与键的对齐程度 ρ',
  weight: 'ρ = {rho} 时的权重',
  exponent: '指数 α',
  crossing: 'ρ* = 1/√d_k',
  trained: '训练好的各头的熵 / ln n',
  trainedHeads: '训练好的头',
  trainedCorrelation: '训练好的各头 ρ 的均值；low、high 为单个头',
};
