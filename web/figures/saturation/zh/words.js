// The words of <attn-saturation> in Chinese.

import { shared } from '../../kit/state/zh/words.js';
import { factors, formulas } from '../../kit/state/words.js';
import { words as en } from '../en/words.js';

/** @type {typeof en} */
export const words = {
  ...shared,
  fields: { ...shared.fields, lower: '第四幅分图', head: '训练好的头' },
  options: {
    ...shared.options,
    entropy: '熵',
    competitors: '最高分附近的键',
    growth: '键增多时的规律',
    '1-1': '第 1 层第 1 头',
    '1-2': '第 1 层第 2 头',
    '2-1': '第 2 层第 1 头',
    '2-2': '第 2 层第 2 头',
  },
  laws: en.laws,
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
