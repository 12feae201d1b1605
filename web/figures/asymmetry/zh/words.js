// The words of <attn-asymmetry> in Chinese.

import { shared } from '../../kit/state/zh/words.js';

/** @type {typeof import('../en/words.js').words} */
export const words = {
  ...shared,
  name: '查询和键不能互换',
  fields: {
    ...shared.fields,
    dK: 'd_k（训练）',
    tie: 'Q 与 K（手动）',
    relation: '学习内容（训练）',
    vectors: '向量',
  },
  options: {
    separate: '各自独立',
    tied: '共用（Q = K）',
    ring3: '石头剪刀布',
    pairs: '两两互换',
    ring8: '八个词元首尾相接的环',
    mixed: '随意',
    ring: '键依次错开',
    aligned: '键与查询同向',
    own: '自定',
  },
  title:
    'Q = K 时学不会{relation}：训练 {steps} 步，损失为 {tied}，下限是 {floor}；分开之后降到 {untied}',
  caption:
    '手动：查询和键可以拖动，也可以用方向键移动；分数不缩放。' +
    '训练：n 个词元各有一个查询和一个键，从同一起点出发（查询 = 键，元素服从 N(0, ¼)），用学习率 0.5 的普通梯度下降训练。' +
    '点是各次训练的中位数，竖线从最小到最大；下限在 d_k ≥ 2 时是精确值。',
  plane: '手动：查询与键',
  maps: { QK: '行：查询 i\n关注键 j（列）', KQ: '行：键 i\n挑选查询 j（列）' },
  lossPanel: '训练损失（nat）',
  asymmetryPanel: '不对称程度 ‖S − Sᵀ‖ / ‖S + Sᵀ‖',
  stepAxis: '训练步数',
  tied: 'Q = K',
  untied: '分开',
  floor: '下限',
  loss: '最终损失',
  asymmetry: '不对称程度',
  rowSums: '行和',
  largestColumn: '最大的列和',
  smallestColumn: '最小的列和',
  transposed: '与 softmax(KQᵀ)ᵀ 相差',
  queryKey: '查询 i 对键 j',
  quickNote: '这只是一次短训练。点击按钮，在你的设备上训练 8 次、每次 4000 步。',
  longNote: 'Q 与 K 分开后渐行渐远，因为对 Q 的梯度是 dS·K，对 K 的梯度是 dSᵀ·Q。',
  handles: { queries: '查询 {index}，位于 {x}, {y}', keys: '键 {index}，位于 {x}, {y}' },
};
