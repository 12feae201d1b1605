// What <attn-gradient> says, in both languages.

/** Factors in running text. @type {Record<string, string>} */
const factors = { none: 'softmax(q·k)', sqrt: 'softmax(q·k / √d_k)', linear: 'softmax(q·k / d_k)' };

export const en = {
  name: 'Gradient through softmax against d_k',
  fields: /** @type {Record<string, string>} */ ({
    dK: 'd_k',
    keys: 'keys n',
    preset: 'logits',
    logits: 'own logits',
    queries: 'queries',
    seed: 'seed',
  }),
  options: /** @type {Record<string, string>} */ ({
    peak: '50, 1, 1, 1',
    rivals: '50, 49, 1, 1',
    even: '1, 1, 1, 1',
    unscaled: '8 scores, unscaled',
    scaled: '8 scores / √dₖ',
    own: 'own (More settings)',
  }),
  factors,
  series: /** @type {Record<string, string>} */ ({
    none: 'unscaled',
    sqrt: '/ √d_k',
    linear: '/ d_k',
  }),
  /** @param {{ dK: string, mean: string, median: string, share: string }} values */
  title: ({ dK, mean, median, share }) =>
    `At d_k = ${dK} without the scale, the median gradient of a query is ${median} but the mean ${mean}: ` +
    `a tenth of the queries hold ${share} of the energy`,
  /** @param {{ dK: string, mean: string, median: string, scaled: string }} values */
  status: ({ dK, mean, median, scaled }) =>
    `d_k = ${dK}: norm of the gradient of a query, unscaled: mean ${mean}, median ${median}; ` +
    `scaled by one over the root of d_k: median ${scaled}.`,
  /** @param {{ queries: string }} values */
  caption: ({ queries }) =>
    `Entries of q, k and of the upstream gradient ∂L/∂p are iid N(0, 1); ${queries} queries share one set of keys. ` +
    'Filled marks: means, measured here. Hollow marks: medians. Bands: 10–90 % of the queries. ' +
    'Lines: the exact mean of tr J for this n and d_k; dotted, its median if two keys shared all the weight. ' +
    'Matrices: blue raises a weight, orange lowers one; those on the diagonal raise.',
  description:
    'Four panels. Norm of the gradient of a query and trace of the softmax Jacobian against d_k, both axes ' +
    'logarithmic, with means, medians and bands for three scales; below, the Jacobian of a few logits, exact ' +
    'and as computed in single precision.',
  gradientPanel: 'Norm of ∂L/∂q (log scale)',
  tracePanel: 'Trace of the Jacobian, tr J (log scale)',
  exactPanel: 'Jacobian ∂p_i/∂z_j, exact',
  float32Panel: 'The same, as computed in float32',
  mean: 'unscaled: mean',
  median: 'unscaled: median',
  folk: 'folk: vanishes',
  dimensionAxis: 'd_k (log scale)',
  logitAxis: 'columns: logit z_j moved; rows: weight p_i',
  gradientMean: '‖∂L/∂q‖ mean',
  gradientMedian: '‖∂L/∂q‖ median',
  traceMean: 'tr J mean',
  traceMedian: 'tr J median',
  topShare: 'top tenth’s energy',
  /** @param {{ exact: string, float32: string }} values */
  note: ({ exact, float32 }) =>
    `∂p_1/∂z_1 of these logits: exactly ${exact}, in float32 ${float32}. An entry framed by dashes is 0 in float32 and not in truth.`,
  /** @param {number} i  @param {number} j */
  entry: (i, j) => `p${i} by z${j}`,
};

/** @type {typeof en} */
export const zh = {
  name: '穿过 softmax 的梯度与 d_k 的关系',
  fields: {
    dK: 'd_k',
    keys: '键数 n',
    preset: 'logits',
    logits: '自定 logits',
    queries: '查询数',
    seed: '种子',
  },
  options: {
    peak: '50, 1, 1, 1',
    rivals: '50, 49, 1, 1',
    even: '1, 1, 1, 1',
    unscaled: '8 个分数，未缩放',
    scaled: '8 个分数 / √dₖ',
    own: '自定（见更多设置）',
  },
  factors,
  series: { none: '未缩放', sqrt: '/ √d_k', linear: '/ d_k' },
  title: ({ dK, mean, median, share }) =>
    `d_k = ${dK} 且不缩放时，查询梯度的中位数只有 ${median}，均值却有 ${mean}：` +
    `十分之一的查询占去 ${share} 的能量`,
  status: ({ dK, mean, median, scaled }) =>
    `d_k = ${dK}：单个查询的梯度范数，未缩放时均值 ${mean}、中位数 ${median}；除以 d_k 的平方根后中位数 ${scaled}。`,
  caption: ({ queries }) =>
    `q、k 以及上游梯度 ∂L/∂p 的各元素独立同分布，服从 N(0, 1)；${queries} 个查询共用同一组键。` +
    '实心标记是本机实测的均值，空心标记是中位数，色带是 10–90 % 的查询。' +
    '实线是有限 n、有限 d_k 下 tr J 的精确均值；点线是假定两个键分走全部权重时的中位数。' +
    '矩阵中蓝色表示权重随之上升，橙色表示下降；对角线上都是上升。',
  description:
    '四幅图：单个查询的梯度范数、softmax 雅可比矩阵的迹随 d_k 的变化（双对数轴），画出三种缩放下的均值、' +
    '中位数与 10–90 % 色带；下方是几个 logits 的雅可比矩阵，左为精确值，右为单精度算得的值。',
  gradientPanel: '‖∂L/∂q‖（对数轴）',
  tracePanel: '雅可比矩阵的迹 tr J（对数轴）',
  exactPanel: '雅可比矩阵 ∂p_i/∂z_j，精确值',
  float32Panel: '同一矩阵，float32 算得的值',
  mean: '未缩放：均值',
  median: '未缩放：中位数',
  folk: '常说：消失',
  dimensionAxis: 'd_k（对数轴）',
  logitAxis: '列：变动的 logit z_j；行：权重 p_i',
  gradientMean: '‖∂L/∂q‖ 均值',
  gradientMedian: '‖∂L/∂q‖ 中位数',
  traceMean: 'tr J 均值',
  traceMedian: 'tr J 中位数',
  topShare: '前十分之一所占能量',
  note: ({ exact, float32 }) =>
    `这组 logits 的 ∂p_1/∂z_1：精确值 ${exact}，float32 给出 ${float32}。虚线框住的元素，在 float32 中是 0，其实不是。`,
  entry: (i, j) => `p${i} 对 z${j}`,
};
