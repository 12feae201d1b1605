// The words of <attn-precision> in Chinese.

import { shared } from '../../kit/state/zh/words.js';
import { words as en } from '../en/words.js';

/** @type {typeof en} */
export const words = {
  ...shared,
  name: '16 位浮点格式对注意力的影响',
  fields: { ...shared.fields, format: '格式' },
  options: { ...en.options, ...shared.options },
  title: '{format}、d_k = {dK}：不缩放的分数有 {product} 溢出，权重有 {zero} 恰好变成 0{scaled}',
  spoilt: '{format}、d_k = {dK}：不缩放的分数有 {product} 溢出，每一行都有溢出',
  withScale: '；缩放后是 {scaledZero}',
  caption:
    'q、k 的元素独立服从标准差为 {entrySize} 的正态分布，先舍入到该格式；共 {queries} 个查询、{keys} 个键。' +
    '乘积用 float32 累加，与矩阵单元相同；其余结果都舍入。' +
    '虚线是常见的说法：全都出错。标记是本机数出来的；曲线按元素服从正态分布精确算出，不计舍入，指数之和只取最大的一项。',
  panels: { products: '分数', exponentials: '指数', weights: '权重' },
  expPanel: '不减最大值：指数溢出',
  zeroPanel: '减去最大值：权重为 0',
  above: '超过 {limit} 即溢出',
  below: '比最大值低 {limit} 以上',
  folk: '常见说法：全部',
  rows: '行',
  entries: '分数',
  productOverflow: 'q·k 溢出',
  expOverflow: '指数溢出',
  expOverflowRows: '有指数溢出的行',
  zeroWeights: '权重为 0',
  int8: {
    title: 'int8、d_k = {dK}：不缩放的权重偏差 {kept}，先减去键的均值则是 {off}{scaled}',
    withScale: '；缩放后是 {kept} 和 {off}',
    caption:
      'q、k 的元素独立服从标准差为 {entrySize} 的正态分布，所有的键再加上同一个向量，其元素的标准差是键的 {shared} 倍；共 {queries} 个查询、{keys} 个键。' +
      '每个查询、每个键各有自己的步长，舍入成 −127 到 127 的整数倍；整数的乘积没有误差。' +
      '偏差只算 softmax 看得到的，与 float32 相比：分数先减去每个查询的平均偏差；权重算的是落到别的键上的那一部分。',
    note: 'softmax 看不到各个键共有的部分，但 int8 的步长会因它变大。键没有共有的部分时，减去均值没有好处：缩放后权重的偏差，不减是 {kept}，减去是 {off}。',
    scores: '分数的偏差',
    exponentials: '指数的偏差',
    weights: '权重的偏差',
    atShared: '共有向量：{shared}',
    atDimension: 'd_k = {dK}',
    size: '共有向量的大小',
    centred: '减去均值',
    ofCentred: '{title}（减去均值）',
    kept: '权重的偏差',
    off: '先减去键的均值',
    keptScores: '分数的偏差',
    offScores: '分数，先减去均值',
  },
  note: 'd_k = {dK} 时，元素要大到 {size}，不缩放的分数才会在 4σ 处触及该格式的上限。',
};
