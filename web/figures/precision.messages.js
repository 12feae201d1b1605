// What <attn-precision> says, in both languages.

/** @type {{ none: string, sqrt: string, 'half-sqrt': string, linear: string }} */
const formulas = {
  none: 'softmax(q·k)',
  sqrt: 'softmax((q / √d_k)·k)',
  'half-sqrt': 'softmax((q / 2√d_k)·k)',
  linear: 'softmax((q / d_k)·k)',
};

export const en = {
  name: 'What 16-bit formats do to attention',
  fields: /** @type {Record<string, string>} */ ({
    dK: 'd_k',
    format: 'format',
    entrySize: 'size of entries',
    scale: 'scale',
    keys: 'keys n',
    queries: 'queries',
    seed: 'seed',
  }),
  options: /** @type {Record<string, string>} */ ({
    fp16: 'fp16',
    bf16: 'bfloat16',
    fp32: 'float32',
    sqrt: '1/√dₖ',
    none: 'none',
    'half-sqrt': '1/(2√dₖ)',
    linear: '1/dₖ',
  }),
  formulas,
  /** @param {{ format: string, dK: string, product: string, zero: string, scaledZero: string }} values */
  title: ({ format, dK, product, zero, scaledZero }) =>
    `In ${format} at d_k = ${dK}, ${product ? `${product} of the unscaled scores overflow` : 'no unscaled score overflows'}, ` +
    `but ${zero} of the weights become exactly 0; with the scale, ${scaledZero || 'none'}`,
  /** @param {{ format: string, dK: string, product: string, exp: string, zero: string, scaledZero: string }} values */
  status: ({ format, dK, product, exp, zero, scaledZero }) =>
    `${format}, d_k = ${dK}, unscaled: ${product || 'none'} of the scores overflow, ${exp} of the exponentials would if the ` +
    `maximum were not subtracted, ${zero} of the weights are exactly 0; scaled, ${scaledZero || 'none'}.`,
  /** @param {{ size: string, queries: string, keys: string }} values */
  caption: ({ size, queries, keys }) =>
    `Entries of q and k are iid N(0, ${size}²), rounded to the format; ${queries} queries, ${keys} keys. Products are ` +
    'accumulated in float32, as matrix units do; scores, differences, exp, sum and quotient are rounded. ' +
    'Where there is a scale, q is scaled before the product. Marks: counted here. Lines: normal theory, ' +
    'without the rounding; for large d_k the middle one is Q(limit/σ), σ the deviation of the scores.',
  description:
    'Three panels against d_k on a logarithmic axis, unscaled and scaled: share of scores that overflow; share of ' +
    'exponentials, and of rows, that overflow if the maximum is not subtracted; share of weights that are exactly 0 ' +
    'though it is subtracted.',
  unscaled: 'unscaled',
  scaled: 'scaled',
  productPanel: 'q·k overflows',
  expPanel: 'exp(score) overflows',
  zeroPanel: 'exp(score − max) is 0',
  /** @param {string} limit */
  above: (limit) => `above ${limit}`,
  /** @param {string} limit */
  below: (limit) => `below max − ${limit}`,
  folk: 'folk: overflows',
  rows: 'rows',
  entries: 'entries',
  dimensionAxis: 'd_k (log scale)',
  productOverflow: 'q·k overflows',
  expOverflow: 'exp overflows',
  expOverflowRows: 'in rows',
  zeroWeights: 'weight is 0',
  /** @param {{ size: string, dK: string }} values */
  note: ({ size, dK }) =>
    `Entries of size ${size} would bring the unscaled scores at d_k = ${dK} to the end of the format at 4σ.`,
};

/** @type {typeof en} */
export const zh = {
  name: '16 位浮点格式对注意力的影响',
  fields: {
    dK: 'd_k',
    format: '格式',
    entrySize: '元素大小',
    scale: '缩放',
    keys: '键数 n',
    queries: '查询数',
    seed: '种子',
  },
  options: {
    fp16: 'fp16',
    bf16: 'bfloat16',
    fp32: 'float32',
    sqrt: '1/√dₖ',
    none: '不缩放',
    'half-sqrt': '1/(2√dₖ)',
    linear: '1/dₖ',
  },
  formulas,
  title: ({ format, dK, product, zero, scaledZero }) =>
    `${format}、d_k = ${dK}：未缩放的分数${product ? `有 ${product} 溢出` : '一个也不溢出'}，权重却有 ${zero} 恰好变成 0；` +
    `缩放后${scaledZero ? `是 ${scaledZero}` : '一个也没有'}`,
  status: ({ format, dK, product, exp, zero, scaledZero }) =>
    `${format}，d_k = ${dK}，未缩放：分数${product ? `有 ${product} 溢出` : '没有溢出'}，若不减最大值则指数溢出 ${exp}，` +
    `恰好为 0 的权重占 ${zero}；缩放后${scaledZero ? `占 ${scaledZero}` : '没有'}。`,
  caption: ({ size, queries, keys }) =>
    `q、k 的各元素独立同分布，服从 N(0, ${size}²)，先舍入到该格式；共 ${queries} 个查询、${keys} 个键。` +
    '乘积用 float32 累加，与矩阵单元相同；分数、差、指数、和与商都逐一舍入。缩放时先缩放 q，再做点积。' +
    '标记是在本机逐个数出来的；曲线按正态分布算出，不计舍入，d_k 较大时中图就是 Q(上限/σ)，σ 为分数的标准差。',
  description:
    '三幅图，横轴为 d_k（对数轴），各画未缩放与缩放两组：溢出的分数所占比例；不减最大值时溢出的指数、' +
    '以及受影响的行所占比例；减去最大值之后仍恰好为 0 的权重所占比例。',
  unscaled: '未缩放',
  scaled: '缩放后',
  productPanel: 'q·k 溢出',
  expPanel: '不减最大值：指数溢出',
  zeroPanel: '减去最大值：权重为 0',
  above: (limit) => `超过 ${limit} 即溢出`,
  below: (limit) => `比最大值低 ${limit} 以上`,
  folk: '常说：溢出',
  rows: '行',
  entries: '元素',
  dimensionAxis: 'd_k（对数轴）',
  productOverflow: 'q·k 溢出',
  expOverflow: '指数溢出',
  expOverflowRows: '受影响的行',
  zeroWeights: '权重为 0',
  note: ({ size, dK }) =>
    `d_k = ${dK} 时，元素要大到 ${size}，未缩放的分数才会在 4σ 处触及该格式的上限。`,
};
