// The words of <attn-saturation> in Chinese.

import { startWords } from '../../common/zh/starts.js';
import { shared } from '../../kit/state/zh/words.js';

/** @type {typeof import('../en/words.js').words} */
export const words = {
  ...shared,
  fields: { ...shared.fields, start: startWords.field, mean: '元素的均值' },
  options: { ...shared.options, ...startWords.options },
  name: 'softmax 饱和程度与 d_k 的关系',
  title:
    'd_k = {dK} 时，不缩放的 softmax 平均把 {unscaled} 的权重压在 {keys} 个键中的一个上；{then}',
  then: '乘以 {factor} 之后是 {scaled}',
  same: '缩放系数取 1，两者没有差别',
  ofStart: '（{start}）',
  caption:
    'q、k 的元素独立服从 N(0, {variance}){start}；{queries} 个查询，至多 16 组键。{shifted}' +
    '点是本机实测值，竖线为各查询的 10%–90% 范围；曲线是当前 n、d_k 下的精确期望；虚线是常见的说法：一个键独占全部权重。熵 / ln n 在权重全都一样时为 1，全归一个键时为 0。',
  scorePanel: '分数的概率密度',
  scoreAxis: '一个查询与一个键的分数',
  weightPanel: '某一个查询最大的 16 个权重',
  weightAxis: '键（按权重从大到小）',
  uniform: '均匀分布：1/n',
  smallestWeight: '最小权重的均值',
  weightCurve: '最大权重的均值',
  entropyCurve: '熵 / ln n 的均值',
  maxWeight: '最大权重',
  competitors: '与最高分相差不到 1 的其他键',
  oneHot: '常见说法：独热',
  claim: '常见说法',
  freezing: '开始饱和：d* = 2 ln n{size} = {value}',
  bySize: ' / 大小⁴',
  byVariance: ' / v²',
  byMean: ' / (1 + m²)',
  shifted:
    '每个元素再加上 m = {mean} 个标准差：全部分数的标准差变为 √(1 + 2m²) 倍，同一查询的分数却只变为 √(1 + m²) 倍，因为各键共有的部分不影响权重。',
};
