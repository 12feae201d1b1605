// The words of <attn-walk> in Chinese.

import { startWords } from '../../common/zh/starts.js';
import { shared } from '../../kit/state/zh/words.js';

/** @type {typeof import('../en/words.js').words} */
export const words = {
  fields: { ...shared.fields, scale: '分数', start: startWords.field, walks: '游走次数' },
  options: { ...shared.curves, ...startWords.options },
  envelopes: {
    none: '{sign}√步数{times}',
    sqrt: '{sign}√步数{times} / √d_k',
    linear: '{sign}√步数{times} / d_k',
  },
  name: '分数是一次随机游走',
  titles: {
    none: '分数是 d_k = {dK} 步的随机游走，大约偏离 √d_k{times} = {deviation}：八个键里第一名平均拿走 {weight}；除以 √d_k，拿走 {scaled}',
    sqrt: '除以 √d_k，走 d_k = {dK} 步也只偏离 {deviation}，d_k 多大都一样：八个键里第一名拿走 {weight}，传回来的梯度是 {gradient}',
    linear:
      '除以 d_k，走 d_k = {dK} 步只偏离 {deviation}，走得越久偏得越少：八个键里第一名拿走 {weight}，传回来的梯度是 {gradient}',
  },
  caption:
    '每个乘积 q_i·k_i 是向上或向下的一步；各元素相互独立，均值 0，方差 v = {variance}（{start}）。粗线：同一个查询的八个键；虚线：±√步数{times}；' +
    '钟形：{walks} 次游走的终点，曲线是精确密度。◆ ● ■ 标出换用其他缩放时同样这些键的权重。' +
    '梯度：误差信号有多少能传回某个查询，即 c·{root}·(1 − Σp²)，p 为权重，c 为缩放系数；一点是一个查询，竖条是中位数，大的标记是均值。' +
    '不缩放时，梯度相差好几个数量级，大半归了少数几个查询；÷ d_k 时，所有查询的梯度都变小。',
  walkPanel: '分数，一步一步累加',
  endPanel: '终点的密度',
  stepAxis: '步数',
  scoreAxis: '分数',
  key: '键 {key}',
  weightPanel: 'softmax 的权重',
  weightAxis: '权重',
  keyAxis: '键',
  expected: '第一名平均 {value}',
  gradientPanel: '回传到 {queries} 个查询的梯度',
  queryTable: '梯度：逐个查询',
  queryAxis: '查询',
  beyond: '◂ {count} 个更小',
  gradientAxis: 'c·{root}·(1 − Σp²)',
  mean: '均值',
  scaleAxis: 'c',
  medianTable: '梯度：各查询的中位数和范围',
  meanTable: '梯度：各查询的均值',
  deviation: shared.deviation,
  logScale: shared.logScale,
  largestWeight: '最大权重的均值',
  gradientMean: '梯度的均值',
  gradientMedian: '梯度的中位数',
  film: {
    description:
      '分数是走 d_k 步的随机游走：不缩放，扇面越张越开，八个键里一个独占权重，多数梯度消失；除以 √d_k，一切恢复原样。',
    before: '不缩放：分数偏离 √d_k，d_k = 256 时为 16',
    after: '除以 √d_k：不论 d_k 多大，分数只偏离 1',
    steps: 'd_k = 1 … 256 步随机游走',
    weights: '八个键的 softmax 权重',
    gradients: '回传到 60 个查询的梯度',
  },
};
