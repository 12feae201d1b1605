// The words of <attn-gradient> in Chinese.

import { shared } from '../../kit/state/zh/words.js';
import { PRESETS } from '../presets.js';

/** @type {typeof import('../en/words.js').words} */
export const words = {
  ...shared,
  name: '穿过 softmax 的梯度与 d_k 的关系',
  fields: {
    ...shared.fields,
    gap: '分数差',
    preset: 'logits',
    logits: '自定 logits（2–8 个）',
  },
  options: {
    ...PRESETS,
    gap: '两个键',
    unscaled: '8 个分数，不缩放',
    scaled: '8 个分数 ÷ √dₖ',
    own: '自定（见更多设置）',
  },
  series: shared.curves,
  title:
    'd_k = {dK} 且不缩放时，查询梯度的中位数是 {median}，均值是 {mean}：' +
    '十分之一的查询占去梯度平方和的 {share}',
  caption:
    'q、k、∂L/∂p 的元素独立服从 N(0, 1)；{queries} 个查询，至多 16 组键。' +
    '实心标记是本机实测的均值，空心是中位数，色带是 10%–90% 的查询。' +
    'tr J = 1 − Σp²，p 为权重，说明权重还能动多少；实线是它在当前 n、d_k 下的精确均值，点线是两个键分走全部权重时的中位数；虚线是常见的说法：不缩放，梯度从 d_k = 2 ln n 起就消失。' +
    '分数差指两个键的分数（logits）之差；键不止两个时，指最大的一个与其余合起来之差。' +
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
  short: { mean: '均值', median: '中位数', folk: '常见说法' },
  gradientMean: '‖∂L/∂q‖ 均值',
  gradientMedian: '‖∂L/∂q‖ 中位数',
  traceMean: 'tr J 均值',
  traceMedian: 'tr J 中位数',
  topShare: '前 10% 占 ‖∂L/∂q‖²',
  note: 'logits {logits} 中最大的一个，∂p/∂z 的精确值是 {exact}，float32 给出 {float32}。',
};
