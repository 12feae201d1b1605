// What <attn-claims> says, in both languages: each claim as it is commonly written, a verdict, and the
// sentence around the numbers that decide it.

/** @typedef {import('./kit/language.js').Format} Format */
/** @typedef {'true' | 'partly' | 'false'} Verdict */

/**
 * @typedef {object} Claim
 * @property {string} claim as commonly written
 * @property {Verdict} verdict
 * @property {string} why one line
 * @property {(v: Record<string, number>, format: Format) => string} value what was measured
 */

/** @typedef {typeof en} Messages */

const times = (/** @type {Format} */ { significant }, /** @type {number} */ value) =>
  `${significant(value, 2)}×`;

const fold = (/** @type {Format} */ { significant }, /** @type {number} */ value) =>
  `${significant(value, 2)} 倍`;

/** 5.18×10²¹, of a number that size. */
const sextillions = (/** @type {Format} */ { significant }, /** @type {number} */ value) =>
  `${significant(value / 1e21)}×10²¹`;

export const en = {
  name: 'Twenty-three claims about scaled attention, each with the number that decides it',
  language: 'language',
  languages: /** @type {Record<string, string>} */ ({ en: 'English', zh: 'Chinese' }),
  /** @type {Record<Verdict, string>} */
  verdicts: { true: 'true', partly: 'in part', false: 'false' },
  colon: ': ',
  waiting: '…',
  failed: (/** @type {string} */ why) => `The measurements stopped: ${why}`,
  retry: 'Retry',
  status: (/** @type {number} */ done, /** @type {number} */ all) =>
    done < all
      ? `Measuring: ${done} of ${all} claims decided.`
      : `All ${all} claims measured on this device.`,
  caption:
    'Queries and keys iid N(0, 1) at d_k = 64 with 64 keys unless a line says otherwise; training by the small heads of this page. Every number was computed here, just now; times are rough.',
  /** @type {Claim[]} */
  claims: [
    {
      claim: 'Var(q·k) = d_k, so ±3σ is ±68 at d_k = 512.',
      verdict: 'true',
      why: 'Though the tails are heavier than a bell curve’s, by 6/d_k in kurtosis.',
      value: (v, f) =>
        `±${f.significant(v.reach)}; excess kurtosis ${f.significant(v.kurtosis, 2)} at d_k = 8`,
    },
    {
      claim: 'At d_k = 512 the dot product is of size 512, and about 22 after scaling.',
      verdict: 'false',
      why: '512 is its variance. Its typical size is 22.6, and 1 after scaling.',
      value: (v, f) => `${f.significant(v.unscaled)}; scaled ${f.significant(v.scaled)}`,
    },
    {
      claim: 'Unscaled scores overflow floating point.',
      verdict: 'false',
      why: 'Neither in 32 nor in 16 bits. What overflows, from 11.09 on in 16 bits, is exp without subtracting the maximum.',
      value: (v, f) =>
        `16 bits: ${f.percent(v.dot)} of scores; exp of ${f.percent(v.entries)} of them, ${f.percent(v.rows)} of rows, ${f.percent(v.subtracted)} once the maximum is subtracted`,
    },
    {
      claim: 'e⁵⁰ may overflow.',
      verdict: 'partly',
      why: 'In 16 bits it does. In 32 bits there is room up to e⁸⁸·⁷.',
      value: (v, f) =>
        `${sextillions(f, v.value)} in 32 bits, ${Number.isFinite(v.float16) ? f.plain(v.float16) : '∞'} in 16`,
    },
    {
      claim: 'softmax([50, 1, 1, 1]) is one-hot and its Jacobian is 0.',
      verdict: 'false',
      why: 'It is tiny, and rounds to 0.',
      value: (v, f) => `${f.significant(v.exact)}; as float32 ${f.plain(v.float32)}`,
    },
    {
      claim: 'Without scaling the gradient vanishes.',
      verdict: 'partly',
      why: 'That of the typical query does. The mean does not: few queries carry most of it.',
      value: (v, f) =>
        `d_k = 1024: median |∂L/∂q| ${f.significant(v.median, 2)}, mean ${f.significant(v.mean, 2)}; a tenth of the queries holds ${f.percent(v.topShare)} of the energy`,
    },
    {
      claim: 'Dividing by d_k makes attention nearly uniform.',
      verdict: 'true',
      why: 'At initialisation, where its entropy is ln n − 1/(2·d_k).',
      value: (v, f) =>
        `entropy ${f.fixed(v.entropyRatio, 3)} of ln n; ${f.significant(v.keys)} effective keys of 64`,
    },
    {
      claim: 'Dividing by 2√d_k also ruins it.',
      verdict: 'false',
      why: 'It attends to about n·e^(−1/4) keys instead of n/e: flatter, not flat.',
      value: (v, f) =>
        `${f.significant(v.half)} effective keys of 512 against ${f.significant(v.full)}`,
    },
    {
      claim: 'After scaling, the inputs of softmax lie in [−3, 3].',
      verdict: 'partly',
      why: 'All but about three in a thousand.',
      value: (v, f) => f.percent(v.share),
    },
    {
      claim: 'Additive attention costs O(n²d²).',
      verdict: 'false',
      why: 'Only if every pair is projected anew. Factored it is O(ndh + n²h).',
      value: (v, f) =>
        `operations against the dot product, n = 512: ${times(f, v.factored)} factored, ${times(f, v.pairwise)} per pair`,
    },
    {
      claim: 'The dot product is orders of magnitude faster.',
      verdict: 'partly',
      why: 'The program decides: a small factor with a vectorised tanh, far more with one tanh after another or projections for every pair.',
      value: (v, f) =>
        `time against the dot product here, roughly: ${times(f, v.vectorised)} vectorised, ${times(f, v.pairwise)} per pair, ${times(f, v.scalar)} in plain JavaScript`,
    },
    {
      claim: 'Both need O(n² + nd) memory.',
      verdict: 'false',
      why: 'Additive attention by broadcasting needs n²h numbers, tiled attention of either kind O(nd).',
      value: (v, f) =>
        `n = 512, d = h = 128: ${f.bytes(v.broadcast)} broadcast, ${f.bytes(v.dot)} with all weights, ${f.bytes(v.tiled)} tiled`,
    },
    {
      claim: 'Scaling costs nothing.',
      verdict: 'true',
      why: 'It is folded into the queries: n·d of some 4n²d operations.',
      value: (v, f) => `time with the scale over time without: ${f.fixed(v.ratio, 2)}`,
    },
    {
      claim: 'Queries and keys could be swapped.',
      verdict: 'false',
      why: 'softmax(KQᵀ) is not the transpose of softmax(QKᵀ). One vector added to all keys changes nothing, added to all queries it does.',
      value: (v, f) =>
        `a weight changes by up to ${f.significant(v.difference, 2)}; by ${f.significant(v.keysShifted, 1)} if keys are shifted, ${f.significant(v.queriesShifted, 2)} if queries are`,
    },
    {
      claim: '∂L/∂Q differs from ∂L/∂K even where Q = K.',
      verdict: 'true',
      why: 'One is dS·K, the other dSᵀ·Q. (And ∂L/∂W is Xᵀ·∂L/∂Q, not ∂L/∂Q·Xᵀ.)',
      value: (v, f) => `they differ by ${f.percent(v.difference)} of their size`,
    },
    {
      claim: 'Training amplifies the difference between W_Q and W_K.',
      verdict: 'partly',
      why: 'The task decides: a symmetric relation shrinks the asymmetry, a directed one creates it.',
      value: (v, f) =>
        `‖S − Sᵀ‖/‖S + Sᵀ‖ from ${f.significant(v.start, 2)} to ${f.significant(v.symmetric, 2)} (find the same) or ${f.significant(v.directed, 2)} (find it turned)`,
    },
    {
      claim: 'K = V cannot work.',
      verdict: 'partly',
      why: 'It is a conflict over capacity: it costs dimensions, and goes away with more of them.',
      value: (v, f) =>
        `recall with 2 dimensions: loss ${f.significant(v.tied)} with K = V, ${f.significant(v.untied, 1)} without; a guess has 1.79`,
    },
    {
      claim: 'More heads, more parameters.',
      verdict: 'false',
      why: 'Not when d_k = d_model/h.',
      value: (v, f) =>
        `d_model = 512 with 1, 8, 64 heads: ${f.count(v.one)}, ${f.count(v.eight)}, ${f.count(v.sixtyFour)}`,
    },
    {
      claim: 'Scaling V instead would also help.',
      verdict: 'false',
      why: 'The weights do not depend on V: they stay as saturated as they were.',
      value: (v, f) =>
        `entropy / ln n: ${f.significant(v.values, 2)} with V scaled, ${f.significant(v.scores, 2)} with the scores`,
    },
    {
      claim: 'Use √d_model in multi-head attention.',
      verdict: 'false',
      why: 'A head sums d_k products: √d_k. With √d_model the scores shrink by √h.',
      value: (v, f) =>
        `8 heads: deviation ${f.significant(v.model)} with √d_model, ${f.significant(v.perHead)} with √d_k`,
    },
    {
      claim: 'Scaling acts like LayerNorm.',
      verdict: 'false',
      why: 'It is a constant and does not adapt to the variance of queries and keys.',
      value: (v, f) =>
        `entries twice as large: deviation ${f.significant(v.before)} becomes ${f.significant(v.after)}`,
    },
    {
      claim: 'Mixed precision needs the scale more.',
      verdict: 'true',
      why: 'But not for overflow: for weights that are lost and for coarse rounding.',
      value: (v, f) =>
        `16-bit weights that are exactly 0: ${f.percent(v.unscaled)} unscaled, ${f.percent(v.scaled)} scaled`,
    },
    {
      claim: 'With scaling, training converges better.',
      verdict: 'partly',
      why: 'Where attention must stay spread, by tens of times at d_k = 64; for sharp retrieval with a tuned learning rate hardly. A smaller start and learning rate are exactly the same.',
      value: (v, f) =>
        `loss without and with, 300 steps: spread ${f.significant(v.averageUnscaled, 2)}, ${f.significant(v.averageScaled, 2)}; retrieval ${f.significant(v.retrieveUnscaled, 2)}, ${f.significant(v.retrieveScaled, 2)}; smaller start against scale: ${f.plain(v.twin)} apart`,
    },
  ],
};

/** @type {Messages} */
export const zh = {
  name: '关于缩放注意力的二十三种说法，每一种都用现场算出的数字来判断',
  language: '语言',
  languages: { en: 'English', zh: '中文' },
  verdicts: { true: '对', partly: '部分对', false: '不对' },
  colon: '：',
  waiting: '……',
  failed: (why) => `测量中断：${why}`,
  retry: '重试',
  status: (done, all) =>
    done < all ? `正在测量：${all} 条中已判定 ${done} 条。` : `${all} 条说法均已在本机测量。`,
  caption:
    '若无说明，查询和键的元素独立服从 N(0, 1)，d_k = 64，64 个键；训练用的是本页的小模型。所有数字都是刚刚在这里算出的，耗时只是粗测。',
  claims: [
    {
      claim: 'Var(q·k) = d_k，所以 d_k = 512 时 ±3σ 就是 ±68。',
      verdict: 'true',
      why: '只是尾部比正态略厚，超额峰度为 6/d_k。',
      value: (v, f) =>
        `±${f.significant(v.reach)}；d_k = 8 时超额峰度 ${f.significant(v.kurtosis, 2)}`,
    },
    {
      claim: 'd_k = 512 时点积大小约为 512，缩放后约为 22。',
      verdict: 'false',
      why: '512 是方差。点积的典型大小是 22.6，缩放后是 1。',
      value: (v, f) => `${f.significant(v.unscaled)}；缩放后 ${f.significant(v.scaled)}`,
    },
    {
      claim: '不缩放，分数会浮点溢出。',
      verdict: 'false',
      why: '32 位、16 位都不会。会溢出的是没有减去最大值的 exp：16 位从 11.09 起。',
      value: (v, f) =>
        `16 位：分数溢出 ${f.percent(v.dot)}；exp 溢出的元素 ${f.percent(v.entries)}、行 ${f.percent(v.rows)}，减去最大值后 ${f.percent(v.subtracted)}`,
    },
    {
      claim: 'e⁵⁰ 可能溢出。',
      verdict: 'partly',
      why: '16 位会，32 位则一直容纳到 e⁸⁸·⁷。',
      value: (v, f) =>
        `32 位为 ${sextillions(f, v.value)}，16 位为 ${Number.isFinite(v.float16) ? f.plain(v.float16) : '∞'}`,
    },
    {
      claim: 'softmax([50, 1, 1, 1]) 是独热的，雅可比矩阵为 0。',
      verdict: 'false',
      why: '它极小，只是舍入成了 0。',
      value: (v, f) => `${f.significant(v.exact)}；float32 得 ${f.plain(v.float32)}`,
    },
    {
      claim: '不缩放，梯度就会消失。',
      verdict: 'partly',
      why: '典型的查询如此，平均值却不然：少数查询承担了大部分梯度。',
      value: (v, f) =>
        `d_k = 1024：|∂L/∂q| 中位数 ${f.significant(v.median, 2)}，平均 ${f.significant(v.mean, 2)}；一成的查询占有能量的 ${f.percent(v.topShare)}`,
    },
    {
      claim: '除以 d_k，注意力几乎变成均匀的。',
      verdict: 'true',
      why: '在初始化时是这样，熵为 ln n − 1/(2·d_k)。',
      value: (v, f) =>
        `熵为 ln n 的 ${f.fixed(v.entropyRatio, 3)}；64 个键中有效键数 ${f.significant(v.keys)}`,
    },
    {
      claim: '除以 2√d_k 同样会毁掉注意力。',
      verdict: 'false',
      why: '有效键数约为 n·e^(−1/4)，而不是 n/e：平缓一些，但并不平。',
      value: (v, f) =>
        `512 个键中有效键数 ${f.significant(v.half)}，除以 √d_k 时 ${f.significant(v.full)}`,
    },
    {
      claim: '缩放之后，softmax 的输入落在 [−3, 3] 之内。',
      verdict: 'partly',
      why: '每一千个里约有三个例外。',
      value: (v, f) => f.percent(v.share),
    },
    {
      claim: '加性注意力的开销是 O(n²d²)。',
      verdict: 'false',
      why: '只有逐对重算投影才是；先投影则为 O(ndh + n²h)。',
      value: (v, f) =>
        `n = 512 时的运算次数：先投影是点积的 ${fold(f, v.factored)}，逐对投影是 ${fold(f, v.pairwise)}`,
    },
    {
      claim: '点积快几个数量级。',
      verdict: 'partly',
      why: '要看程序怎么写：tanh 向量化时只差一个不大的倍数；逐个调用 tanh，或逐对投影，才差得多。',
      value: (v, f) =>
        `本机粗测耗时：向量化为点积的 ${fold(f, v.vectorised)}，逐对投影 ${fold(f, v.pairwise)}，普通 JavaScript ${fold(f, v.scalar)}`,
    },
    {
      claim: '两者都要 O(n² + nd) 的内存。',
      verdict: 'false',
      why: '靠广播实现的加性注意力要存 n²h 个数；分块计算，两者都只要 O(nd)。',
      value: (v, f) =>
        `n = 512、d = h = 128：广播 ${f.bytes(v.broadcast)}，存全部权重 ${f.bytes(v.dot)}，分块 ${f.bytes(v.tiled)}`,
    },
    {
      claim: '缩放没有代价。',
      verdict: 'true',
      why: '它并入查询：约 4n²d 次运算中只占 n·d 次。',
      value: (v, f) => `有缩放与没有缩放的耗时之比：${f.fixed(v.ratio, 2)}`,
    },
    {
      claim: '查询和键可以互换。',
      verdict: 'false',
      why: 'softmax(KQᵀ) 并不是 softmax(QKᵀ) 的转置。给所有的键加上同一个向量，什么都不变；加给查询就会变。',
      value: (v, f) =>
        `权重最多相差 ${f.significant(v.difference, 2)}；平移键相差 ${f.significant(v.keysShifted, 1)}，平移查询相差 ${f.significant(v.queriesShifted, 2)}`,
    },
    {
      claim: '即使 Q = K，∂L/∂Q 与 ∂L/∂K 也不同。',
      verdict: 'true',
      why: '一个是 dS·K，另一个是 dSᵀ·Q。（另外，∂L/∂W 是 Xᵀ·∂L/∂Q，不是 ∂L/∂Q·Xᵀ。）',
      value: (v, f) => `相差达自身大小的 ${f.percent(v.difference)}`,
    },
    {
      claim: '训练会放大 W_Q 与 W_K 的差异。',
      verdict: 'partly',
      why: '由任务决定：关系对称，不对称就缩小；关系有方向，不对称才产生。',
      value: (v, f) =>
        `‖S − Sᵀ‖/‖S + Sᵀ‖ 从 ${f.significant(v.start, 2)} 变为 ${f.significant(v.symmetric, 2)}（找相同的）或 ${f.significant(v.directed, 2)}（找转过方向的）`,
    },
    {
      claim: 'K = V 行不通。',
      verdict: 'partly',
      why: '这是容量上的冲突：要多占维度，维度够了就没有问题。',
      value: (v, f) =>
        `2 维的回忆任务：K = V 时损失 ${f.significant(v.tied)}，分开时 ${f.significant(v.untied, 1)}；随机猜测为 1.79`,
    },
    {
      claim: '头越多，参数越多。',
      verdict: 'false',
      why: '只要 d_k = d_model/h 就不会。',
      value: (v, f) =>
        `d_model = 512，1、8、64 个头：${f.count(v.one)}、${f.count(v.eight)}、${f.count(v.sixtyFour)}`,
    },
    {
      claim: '改为缩放 V 也有用。',
      verdict: 'false',
      why: '权重与 V 无关，原来多饱和，现在还是多饱和。',
      value: (v, f) =>
        `熵 / ln n：缩放 V 为 ${f.significant(v.values, 2)}，缩放分数为 ${f.significant(v.scores, 2)}`,
    },
    {
      claim: '多头注意力应当除以 √d_model。',
      verdict: 'false',
      why: '每个头只对 d_k 个乘积求和，所以用 √d_k；用 √d_model，分数会再缩小到 1/√h。',
      value: (v, f) =>
        `8 个头：用 √d_model 标准差为 ${f.significant(v.model)}，用 √d_k 为 ${f.significant(v.perHead)}`,
    },
    {
      claim: '缩放的作用类似 LayerNorm。',
      verdict: 'false',
      why: '它是常数，不会随查询和键的方差调整。',
      value: (v, f) =>
        `元素大一倍：标准差从 ${f.significant(v.before)} 变为 ${f.significant(v.after)}`,
    },
    {
      claim: '混合精度更需要缩放。',
      verdict: 'true',
      why: '但不是因为溢出，而是因为权重丢失、舍入粗糙。',
      value: (v, f) =>
        `16 位下恰好为 0 的权重：不缩放 ${f.percent(v.unscaled)}，缩放 ${f.percent(v.scaled)}`,
    },
    {
      claim: '有缩放，训练收敛得更好。',
      verdict: 'partly',
      why: '注意力需要分散时，d_k = 64 下相差几十倍；需要集中且学习率调好时几乎没有差别。把初值和学习率改小，与缩放完全等价。',
      value: (v, f) =>
        `300 步的损失，不缩放与缩放：分散 ${f.significant(v.averageUnscaled, 2)}、${f.significant(v.averageScaled, 2)}；找出一个 ${f.significant(v.retrieveUnscaled, 2)}、${f.significant(v.retrieveScaled, 2)}；改小初值与缩放相差 ${f.plain(v.twin)}`,
    },
  ],
};

export const messages = { en, zh };
