// The words of <attn-gradient>, in both languages.

import { formulas, shared } from '../kit/state/words.js';

/** Logits to choose from. */
export const PRESETS = { peak: '50, 1, 1, 1', rivals: '50, 49, 1, 1', even: '1, 1, 1, 1' };

export const en = {
  ...shared.en,
  formulas,
  name: 'Gradient through softmax against d_k',
  fields: { ...shared.en.fields, preset: 'logits', logits: 'own logits (2–8)' },
  options: {
    ...PRESETS,
    unscaled: '8 scores, unscaled',
    scaled: '8 scores / √dₖ',
    own: 'own (More settings)',
  },
  series: {
    none: 'unscaled',
    sqrt: '/ √d_k',
    linear: '/ d_k',
  },
  title:
    'At d_k = {dK} without the scale, the median gradient of a query is {median}, the mean {mean}: ' +
    'a tenth of the queries hold {share} of the squared gradient',
  caption:
    'Entries of q, k and ∂L/∂p are iid N(0, 1); {queries} queries, up to 16 key sets. ' +
    'Filled marks: means, measured here; hollow: medians; bands: 10–90% of the queries. ' +
    'Lines: exact mean of tr J for this n and d_k; dotted: its median if two keys shared all the weight. ' +
    'Matrices: blue raises a weight, orange lowers one; in narrow cells rounded to powers of ten.',
  gradientPanel: 'Norm of ∂L/∂q',
  tracePanel: 'Trace of the Jacobian, tr J',
  exactPanel: 'Jacobian ∂p_i/∂z_j, exact',
  float32Panel: 'The same, as computed in float32',
  mean: 'unscaled: mean',
  median: 'unscaled: median',
  folk: 'claim: vanishes',
  logitAxis: 'columns: logit z_j moved; rows: weight p_i',
  gradientMean: '‖∂L/∂q‖ mean',
  gradientMedian: '‖∂L/∂q‖ median',
  traceMean: 'tr J mean',
  traceMedian: 'tr J median',
  topShare: 'top tenth of ‖∂L/∂q‖²',
  note: '∂p_1/∂z_1 of these logits: exactly {exact}, in float32 {float32}. Dashes frame what is 0 in float32 alone.',
  entry: 'p{i} by z{j}',
};

/** @type {typeof en} */
export const zh = {
  ...shared.zh,
  formulas,
  name: '穿过 softmax 的梯度与 d_k 的关系',
  fields: { ...shared.zh.fields, preset: 'logits', logits: '自定 logits（2–8 个）' },
  options: {
    ...PRESETS,
    unscaled: '8 个分数，不缩放',
    scaled: '8 个分数 / √dₖ',
    own: '自定（见更多设置）',
  },
  series: { none: '不缩放', sqrt: '/ √d_k', linear: '/ d_k' },
  title:
    'd_k = {dK} 且不缩放时，查询梯度的中位数是 {median}，均值是 {mean}：' +
    '十分之一的查询占去梯度平方和的 {share}',
  caption:
    'q、k、∂L/∂p 的元素独立服从 N(0, 1)；{queries} 个查询，至多 16 组键。' +
    '实心标记是本机实测的均值，空心是中位数，色带是 10%–90% 的查询。' +
    '实线是当前 n、d_k 下 tr J 的精确均值；点线是两个键分走全部权重时的中位数。' +
    '矩阵中蓝色表示权重上升，橙色表示下降；窄格中舍入到 10 的幂。',
  gradientPanel: '‖∂L/∂q‖',
  tracePanel: '雅可比矩阵的迹 tr J',
  exactPanel: '雅可比矩阵 ∂p_i/∂z_j，精确值',
  float32Panel: '同一矩阵，float32 算得的值',
  mean: '不缩放：均值',
  median: '不缩放：中位数',
  folk: '常见说法：消失',
  logitAxis: '列：变动的 logit z_j；行：权重 p_i',
  gradientMean: '‖∂L/∂q‖ 均值',
  gradientMedian: '‖∂L/∂q‖ 中位数',
  traceMean: 'tr J 均值',
  traceMedian: 'tr J 中位数',
  topShare: '前 10% 占 ‖∂L/∂q‖²',
  note: '这组 logits 的 ∂p_1/∂z_1：精确值 {exact}，float32 给出 {float32}。虚线框住的，只在 float32 中是 0。',
  entry: 'p{i} 对 z{j}',
};

export const messages = { en, zh };
