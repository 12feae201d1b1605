// What <attn-saturation> says, in both languages.

/** @type {{ none: string, sqrt: string, 'half-sqrt': string, linear: string }} */
const formulas = {
  none: 'softmax(q·k)',
  sqrt: 'softmax(q·k / √d_k)',
  'half-sqrt': 'softmax(q·k / 2√d_k)',
  linear: 'softmax(q·k / d_k)',
};

/** Factors in running text; options of a select cannot hold a subscript. @type {Record<string, string>} */
const factors = { sqrt: '1/√d_k', 'half-sqrt': '1/(2√d_k)', linear: '1/d_k' };

export const en = {
  name: 'Softmax saturation against d_k',
  fields: /** @type {Record<string, string>} */ ({
    dK: 'd_k',
    keys: 'keys n',
    scale: 'scale',
    entrySize: 'size of entries',
    queries: 'queries',
    seed: 'seed',
  }),
  options: /** @type {Record<string, string>} */ ({
    sqrt: '1/√dₖ',
    none: 'none',
    'half-sqrt': '1/(2√dₖ)',
    linear: '1/dₖ',
  }),
  formulas,
  factors,
  /** @param {{ dK: string, keys: string, unscaled: string, scaled: string, factor: string }} values */
  title: ({ dK, keys, unscaled, scaled, factor }) =>
    `At d_k = ${dK}, the unscaled softmax puts ${unscaled} of its weight on one of ${keys} keys; ` +
    (factor ? `scaled by ${factor}, ${scaled}` : 'a scale of 1 changes nothing'),
  /** @param {{ dK: string, keys: string, unscaled: string, scaled: string, freezing: string }} values */
  status: ({ dK, keys, unscaled, scaled, freezing }) =>
    `d_k = ${dK}, ${keys} keys: mean largest weight ${unscaled} unscaled, ${scaled} scaled. ` +
    `Saturation begins at d_k = ${freezing}.`,
  /** @param {{ entry: string, queries: string }} values */
  caption: ({ entry, queries }) =>
    `Entries of q and k are iid N(0, ${entry}), as at initialisation; ${queries} queries share one set of keys. ` +
    'Dots: measured here, with the 10–90 % range over queries. Lines: exact for this n and d_k.',
  description:
    'Four panels. Histograms of unscaled and scaled scores with their exact density; the 16 largest ' +
    'attention weights of one query; mean largest weight and entropy divided by ln n against d_k on a ' +
    'logarithmic axis, measured dots on exact curves, with the point where saturation begins marked.',
  unscaled: 'unscaled',
  scaled: 'scaled',
  scorePanel: 'Density of the scores',
  scoreAxis: 'score of a query and a key',
  weightPanel: 'Weights of one query, the 16 largest',
  weightAxis: 'key, by rank of its weight',
  uniform: 'uniform: 1/n',
  weightCurve: 'Mean largest weight',
  entropyCurve: 'Mean entropy / ln n',
  maxWeight: 'largest weight',
  entropyRatio: 'entropy / ln n',
  scoreDeviation: 'deviation of scores σ',
  dimensionAxis: 'd_k (log scale)',
  oneHot: 'folk: one-hot',
  /** @param {string} name  @param {string} value */
  deviation: (name, value) => `${name}, σ = ${value}`,
  /** @param {string} value  @param {boolean} sized */
  freezing: (value, sized) => `saturation begins: d* = 2 ln n${sized ? ' / size⁴' : ''} = ${value}`,
};

/** @type {typeof en} */
export const zh = {
  name: 'softmax 饱和程度与 d_k 的关系',
  fields: {
    dK: 'd_k',
    keys: '键数 n',
    scale: '缩放',
    entrySize: '元素大小',
    queries: '查询数',
    seed: '种子',
  },
  options: { sqrt: '1/√dₖ', none: '不缩放', 'half-sqrt': '1/(2√dₖ)', linear: '1/dₖ' },
  formulas,
  factors,
  title: ({ dK, keys, unscaled, scaled, factor }) =>
    `d_k = ${dK} 时，未缩放的 softmax 平均把 ${unscaled} 的权重压在 ${keys} 个键中的一个上；` +
    (factor ? `乘以 ${factor} 之后是 ${scaled}` : '缩放系数取 1，两者没有差别'),
  status: ({ dK, keys, unscaled, scaled, freezing }) =>
    `d_k = ${dK}，共 ${keys} 个键：最大权重的均值，未缩放为 ${unscaled}，缩放后为 ${scaled}。从 d_k ≈ ${freezing} 起开始饱和。`,
  caption: ({ entry, queries }) =>
    `q、k 的各元素独立同分布，服从 N(0, ${entry})，即初始化时的情形；${queries} 个查询共用同一组键。` +
    '点是本机实测值，竖线为各查询的 10–90 % 范围；曲线是有限 n、有限 d_k 下的精确期望。',
  description:
    '四幅图：未缩放与缩放后分数的直方图及其精确密度；某一个查询最大的 16 个注意力权重；最大权重的均值、' +
    '熵与 ln n 之比随 d_k（对数轴）的变化，点为实测，曲线为精确期望，并标出开始饱和的位置。',
  unscaled: '未缩放',
  scaled: '缩放后',
  scorePanel: '分数的概率密度',
  scoreAxis: '一个查询与一个键的分数',
  weightPanel: '某一个查询最大的 16 个权重',
  weightAxis: '键（按权重从大到小）',
  uniform: '均匀分布：1/n',
  weightCurve: '最大权重的均值',
  entropyCurve: '熵 / ln n 的均值',
  maxWeight: '最大权重',
  entropyRatio: '熵 / ln n',
  scoreDeviation: '分数的标准差 σ',
  dimensionAxis: 'd_k（对数轴）',
  oneHot: '常说：one-hot',
  deviation: (name, value) => `${name}，σ = ${value}`,
  freezing: (value, sized) => `开始饱和：d* = 2 ln n${sized ? ' / 大小⁴' : ''} = ${value}`,
};
