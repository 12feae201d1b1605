// What <attn-scale> says, in both languages.

/** Choices as formulas, and in options of a select, which cannot hold a subscript. */
const formulas = {
  none: '1',
  temperature: '1/T',
  cosine: 'g·cos',
  sqrt: '1/√d_k',
  'half-sqrt': '1/(2√d_k)',
  linear: '1/d_k',
};
const options = {
  temperature: '1/T',
  cosine: 'g·cos(q, k)',
  sqrt: '1/√dₖ',
  'half-sqrt': '1/(2√dₖ)',
  linear: '1/dₖ',
};

export const en = {
  name: 'Which factor, at which d_k',
  fields: /** @type {Record<string, string>} */ ({
    rho: 'alignment ρ',
    factor: 'factor',
    keys: 'keys n',
    dK: 'd_k',
    temperature: 'temperature T',
    gain: 'gain g',
    queries: 'queries',
    seed: 'seed',
  }),
  options: /** @type {Record<string, string>} */ ({ none: 'none', ...options }),
  formulas: /** @type {Record<string, string>} */ (formulas),
  none: 'none',
  /** @param {{ factor: string, dK: string, entropy: string, rho: string, weight: string, keys: string }} values */
  title: ({ factor, dK, entropy, rho, weight, keys }) =>
    `With the factor ${factor} at d_k = ${dK}, random keys keep the entropy at ${entropy} of its maximum, ` +
    `and one key of ${keys} aligned by ρ = ${rho} gets ${weight} of the weight`,
  /** @param {{ gain: string, queries: string }} values */
  caption: ({ gain, queries }) =>
    'Entries of q and k are iid N(0, 1), as at initialisation; the aligned key is ρq + √(1 − ρ²)ε with ε like another k. ' +
    `Map: exact entropy of softmax(d_k⁻ᵅ q·k); marks: where each choice lies at this d_k. Dots: measured here, ${queries} queries. ` +
    'Lines on the right: expectation. Cosine similarity is mapped as a dot product of vectors of length √d_k; ' +
    `for a weight of .9 against orthogonal keys it needs a gain of ${gain}.`,
  description:
    'Two panels. Left a map: d_k on a logarithmic axis, exponent of the factor upwards, coloured by entropy divided by ' +
    'ln n, with the freezing line and six choices of factor. Right: weight on a key against its alignment with the query.',
  mapPanel: 'Entropy / ln n of random keys',
  mapAxis: 'd_k (log scale); upwards: α of 1/d_kᵅ',
  freezing: 'freezing',
  weightPanel: 'Weight on the aligned key',
  rhoAxis: 'alignment ρ of query and key',
  deviation: 'deviation of scores σ',
  entropyRatio: 'entropy / ln n',
  /** @param {string} rho */
  weight: (rho) => `weight at ρ = ${rho}`,
  frozen: 'frozen',
  uniform: 'uniform',
};

/** @type {typeof en} */
export const zh = {
  name: '哪个 d_k，用哪个系数',
  fields: {
    rho: '对齐程度 ρ',
    factor: '系数',
    keys: '键数 n',
    dK: 'd_k',
    temperature: '温度 T',
    gain: '增益 g',
    queries: '查询数',
    seed: '种子',
  },
  options: { none: '不缩放', ...options },
  formulas,
  none: '不缩放',
  title: ({ factor, dK, entropy, rho, weight, keys }) =>
    `系数取 ${factor}、d_k = ${dK}：面对随机的键，熵是最大值的 ${entropy}；` +
    `${keys} 个键中与查询对齐到 ρ = ${rho} 的那一个，分得 ${weight} 的权重`,
  caption: ({ gain, queries }) =>
    'q、k 的各元素独立同分布，服从 N(0, 1)，即初始化时的情形；对齐的键是 ρq + √(1 − ρ²)ε，ε 是另一个同样的随机向量。' +
    `左图是 softmax(d_k⁻ᵅ q·k) 的精确熵，标记表示各种选法在当前 d_k 所处的位置。圆点为本机实测，共 ${queries} 个查询；` +
    '右图曲线为期望值。余弦相似度按长度为 √d_k 的向量的点积标在图上；' +
    `要在其余各键都与查询正交时给出 0.9 的权重，增益须达 ${gain}。`,
  description:
    '两幅图。左图是相图：横轴为 d_k（对数轴），纵轴为系数的指数，颜色表示熵与 ln n 之比，并画出冻结线和六种系数；' +
    '右图是某个键分得的权重随它与查询的对齐程度的变化。',
  mapPanel: '随机键的熵 / ln n',
  mapAxis: '横轴 d_k（对数轴），纵轴为系数 1/d_kᵅ 中的 α',
  freezing: '冻结线',
  weightPanel: '对齐的键分得的权重',
  rhoAxis: '查询与键的对齐程度 ρ',
  deviation: '分数的标准差 σ',
  entropyRatio: '熵 / ln n',
  weight: (rho) => `ρ = ${rho} 时的权重`,
  frozen: '冻结',
  uniform: '均匀',
};
