// The words of <attn-scales> in Chinese.

import { heads } from '../../common/zh/heads.js';
import { scaleWords } from '../../common/zh/scales.js';
import { words as en } from '../en/words.js';

/** @type {typeof en} */
export const words = {
  ...scaleWords,
  name: '各种缩放放在一起，再看键数增多时如何',
  fields: { ...scaleWords.fields, measure: '看每行的', across: '横轴', head: '训练好的头' },
  options: {
    ...heads,
    ...scaleWords.options,
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
    'q、k 的元素独立服从 N(0, 1)（单位方差）；各种做法用的是同一批查询和键。' +
    '圆点为本机实测，至多 {queries} 个查询；短竖线与曲线为期望值。' +
    '有效键数是 1/Σp² 对查询的平均；一行之和不是 1 时，是 (Σp)²/Σp² 的平均。' +
    '第四幅：标准差为 1 的分数乘以多大的系数，才会有一个其他键的权重不低于最高者的 1/e；' +
    '灰线是过高斯曲线上 64 个键处的几种规律。三角：attn-language 的中文模型（以 1/√d_k 训练）读它读过的唐诗，录制所得。',
  panels: {
    scales: '各种缩放',
    course: '随 n 或 dₖ 变化',
    competitors: '最高分附近的键',
    growth: '分数该怎样增长',
  },
  scalesPanel: '当前 d_k 与 n 下的各种做法',
  shareOfKeys: '有效键数 / n',
  measures: { effectiveKeys: '有效键数', maxWeight: '最大权重', trace: '雅可比矩阵的迹' },
  laws: en.laws,
  competitors: '与最高分相差不到 1 的其他键',
  competitorCurve: '与最高分之差不超过 Δ 的其他键数',
  gapAxis: 'Δ（以分数的标准差为单位）',
  growthCurve: 'σ / 恰含一个其他键的差距',
  gaussian: '高斯',
  trainedLabel: '训练后',
  trainedHead: '训练好的头，{head}',
  recorded: '录制值',
  asWide: '同样散布的高斯',
  difference: '相差',
};
