// The words of <attn-scales> in Chinese.

import { scaleWords } from '../../common/zh/scales.js';

/** @type {typeof import('../en/words.js').words} */
export const words = {
  ...scaleWords,
  name: '各种缩放放在一起，再看键数增多时如何',
  fields: { ...scaleWords.fields, measure: '看每行的', across: '横轴' },
  options: {
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
    'q、k 的元素独立服从 N(0, 1)，即初始化时的情形；各种做法用的是同一批查询和键。' +
    '圆点为本机实测，至多 {queries} 个查询；短竖线与曲线为期望值。' +
    '有效键数是 1/Σp² 对查询的平均；一行之和不是 1 时，是 (Σp)²/Σp² 的平均。',
  panels: { scales: '各种缩放', course: '随 n 或 dₖ 变化' },
  scalesPanel: '当前 d_k 与 n 下的各种做法',
  shareOfKeys: '有效键数 / n',
  measures: { effectiveKeys: '有效键数', maxWeight: '最大权重', trace: '雅可比矩阵的迹' },
};
