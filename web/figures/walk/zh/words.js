// The words of <attn-walk> in Chinese.

import { shared } from '../../kit/state/zh/words.js';
import { words as en } from '../en/words.js';

/** @type {typeof en} */
export const words = {
  fields: { ...shared.fields, scale: '分数', walks: '游走次数' },
  options: en.options,
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
  deviation: shared.deviation,
  largestWeight: '最大权重的均值',
  gradientMean: '梯度的均值',
  gradientMedian: '梯度的中位数',
};
