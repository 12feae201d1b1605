// The words of <attn-claims>, in both languages: each claim as it is commonly written, the reason of
// the verdict, and the sentence around the numbers that decide it (`valueText` of claims.js writes
// them).

/** @typedef {'true' | 'partly' | 'false'} Verdict */

/** Of the claims, in their order. */
export const VERDICTS = /** @type {Verdict[]} */ (
  (
    'true false false partly false partly true false partly partly partly false ' +
    'true false true partly false false false false false true partly false false partly ' +
    'false partly false partly partly partly partly false false'
  ).split(' ')
);

export const en = {
  name: `${VERDICTS.length} claims about scaled attention, each with the number that decides it`,
  language: 'language',
  languages: { en: 'English', zh: 'Chinese' },
  /** @type {Record<Verdict, string>} */
  verdicts: { true: 'true', partly: 'in part', false: 'false' },
  colon: ': ',
  failed: 'The measurements stopped: ',
  measuring: 'Measuring {all:=} claims on this device.',
  measured: 'All {all:=} claims measured on this device.',
  caption:
    'Queries and keys iid N(0, 1) at d_k = 64 with 64 keys unless a line says otherwise; training by the small heads of this page. ',
  computed:
    'Every number was computed here, just now, but for those of recorded runs, which say so; times are rough.',
  built:
    'Every number was computed with this page but those of recorded runs, which say so; times need a script.',
  timed: 'a time, which a script measures in your browser',
  /** @type {[claim: string, why: string, value: string][]} */
  claims: [
    [
      'Var(q·k) = d_k, so ±3σ is ±68 at d_k = 512.',
      'With heavier tails: excess kurtosis 6/d_k.',
      '±{reach}; excess kurtosis {kurtosis:1} at d_k = 8',
    ],
    [
      'At d_k = 512 the dot product is of size 512, and about 22 after scaling.',
      '512 is its variance.',
      'typical size {unscaled}; scaled {scaled}',
    ],
    [
      'Unscaled scores overflow floating point.',
      'Not even in fp16. exp does there, from 11.09 on, if the maximum is not subtracted.',
      'fp16: {dot:%} of scores; exp of {entries:%} of them, {rows:%} of rows, {subtracted:%} once the maximum is subtracted',
    ],
    [
      'e⁵⁰ may overflow.',
      'In fp16 it does, from e¹¹·¹ on. float32 and bfloat16 reach e⁸⁸·⁷.',
      '{value:e3} in float32, {float16:=} in fp16',
    ],
    [
      'softmax([50, 1, 1, 1]) is one-hot and its Jacobian is 0.',
      'Tiny, not 0: p rounds to 1, and so 1 − p to 0.',
      '{exact:e3}; as float32 {float32:=}',
    ],
    [
      'Without scaling the gradient vanishes.',
      'That of the typical query does. The mean does not: few queries carry it.',
      'd_k = 1024: median |∂L/∂q| {median:e1}, mean {mean:2}; a tenth of the queries holds {topShare:%} of the squared gradient',
    ],
    [
      'Dividing by d_k makes attention nearly uniform.',
      'At initialisation: its entropy is about ln n − 1/(2·d_k).',
      'entropy {entropyRatio:.3} of ln n; {keys} effective keys of 64',
    ],
    [
      'Dividing by 2√d_k also ruins it.',
      'It attends to some 0.78·n keys instead of 0.37·n.',
      '{half} effective keys of 512 against {full}',
    ],
    [
      'After scaling, the inputs of softmax lie in [−3, 3].',
      'All but about three in a thousand.',
      '{share:%}',
    ],
    [
      'Additive attention costs O(n²d²).',
      'Only if every pair is projected anew. Factored it is O(ndh + n²h).',
      'operations against the dot product, n = 512: {factored:2}× factored, {pairwise:2}× per pair',
    ],
    [
      'The dot product is orders of magnitude faster.',
      'By a small factor with a vectorised tanh, by far more with a scalar one or if every pair is projected anew.',
      'time against the dot product here: {vectorised:2}× vectorised, {pairwise:2}× per pair, {scalar:2}× in plain JavaScript',
    ],
    [
      'Both need O(n² + nd) memory.',
      'Broadcast additive attention needs n²h numbers, tiled attention of either kind O(nd).',
      'n = 512, d = h = 128: {broadcast:B} broadcast, {dot:B} with all weights, {tiled:B} tiled',
    ],
    [
      'Scaling costs nothing.',
      'It is folded into the queries: n·d of some 4n²d operations.',
      'time with the scale over time without: {ratio:.2}',
    ],
    [
      'Queries and keys could be swapped.',
      'softmax(KQᵀ) is not the transpose of softmax(QKᵀ). One vector added to all keys changes nothing, to all queries it does.',
      'a weight changes by up to {difference:2}; with keys shifted {keysShifted:e1}, queries {queriesShifted:2}',
    ],
    [
      '∂L/∂Q differs from ∂L/∂K even where Q = K.',
      'One is dS·K, the other dSᵀ·Q. (And ∂L/∂W is Xᵀ·∂L/∂Q, in this order.)',
      'they differ by {difference:%} of their size',
    ],
    [
      'Training amplifies the difference between W_Q and W_K.',
      'The task decides: a symmetric relation shrinks the asymmetry, a directed one creates it.',
      '‖S − Sᵀ‖/‖S + Sᵀ‖ from {start:2} to {symmetric:2} (each token looks for its like) or {directed:2} (for a copy turned by 90°)',
    ],
    [
      'K = V cannot work.',
      'It is a conflict over capacity, which more dimensions end. In global layers of Gemma 4 keys may serve as values.',
      'recall with 2 dimensions: loss {tied} with K = V, {untied:e1} without; guessing has 1.79. Heads with d_k = 8 that learn which noun an adjective describes: {tiedHeads:=} of {heads:=} do with K = V, after {tiedSteps:0} steps, {untiedHeads:=} without, after {untiedSteps:0} (medians). A language model: loss {tiedModel:.2} with K = V, {untiedModel:.2} without (medians of three recorded runs)',
    ],
    [
      'More heads, more parameters.',
      'Not when d_k = d_model/h.',
      'd_model = 512 with 1, 8, 64 heads: {one:#}, {eight:#}, {sixtyFour:#}',
    ],
    [
      'Scaling V instead would also help.',
      'The weights do not depend on V.',
      'entropy / ln n: {values:2} with V scaled, {scores:2} with the scores',
    ],
    [
      'Use √d_model in multi-head attention.',
      'A head sums d_k products. √d_model shrinks the scores by √h more.',
      '8 heads: deviation {model} with √d_model, {perHead} with √d_k',
    ],
    [
      'Scaling acts like LayerNorm.',
      'A constant does not adapt to the variance of queries and keys.',
      'entries twice as large: deviation {before} becomes {after}',
    ],
    [
      'Mixed precision needs the scale more.',
      'Not for overflow: for lost weights and coarse rounding.',
      'fp16 weights that are exactly 0: {unscaled:%} unscaled, {scaled:%} scaled',
    ],
    [
      'With scaling, training converges better.',
      'Without it the loss ends tens of times as high where attention must stay spread, and a third higher in sharp retrieval with a tuned learning rate. Under plain gradient descent a smaller start with a smaller learning rate does exactly what the scale does.',
      'loss without and with, 300 steps: spread {averageUnscaled:2}, {averageScaled:2}; retrieval {retrieveUnscaled:2}, {retrieveScaled:2}; smaller start instead of the scale: losses differ by {twin:=}',
    ],
    [
      'After training, scores still spread by √d_k.',
      'That is the law of the start, for entries of variance 1. Training makes queries and keys agree in a few directions, d_eff of them instead of d_k, and their products spread.',
      'σ(q·k) over √d_k·σ(q)·σ(k), mean of four heads of a language model with d_k = 64: {start:.2} at the start, {end:.2} after 1,500 steps (medians of three recorded runs); d_eff {dimension:0} and {trainedDimension:0} (the first of them)',
    ],
    [
      'Without the scale a language model cannot be trained.',
      'It learns, but later: none of three runs catches up within 1,500 steps.',
      'held-out loss with 1/√d_k and without: {halfway:.2}, {unscaledHalfway:.2} after 500 steps; {end:.2}, {unscaledEnd:.2} after 1,500; medians of three recorded runs',
    ],
    [
      'Heads take on roles.',
      'In a model that reads Moby-Dick a head comes to look at the token before in each of three runs with 1/√d_k, and in none with other scales; in one that reads Tang poems heads take on roles with every scale.',
      'most weight of a head on the token before: {start:.2} at the start, {end:.2} after 1,500 steps, without the scale {unscaled:.2}; medians of three recorded runs',
    ],
    [
      'A soft cap on the scores replaces the scale.',
      'A cap of 50, that of Gemma 2, hardly bends scores of deviation 8. It is a net for the few extreme ones.',
      '{capped} effective keys of 64 with the cap alone, {none} with neither, {scaled} with 1/√d_k',
    ],
    [
      'Normalising queries and keys makes the scale needless.',
      'It makes the size of their entries irrelevant. But a factor is still needed, which models learn: vectors of length √d_k give scores of deviation √d_k, cosines of 1/√d_k.',
      '{bare} effective keys of 64 with cosines as they are, {gained} with cosines times √d_k = 8, {scaled} with 1/√d_k',
    ],
    [
      'Dividing by d_k is always wrong.',
      'At the start it is nearly uniform (claim 7). But the score of an aligned key grows like d_k, and then 8/d_k keeps its weight where 1/√d_k does not.',
      'weight of a key with ρ = 0.5 at d_k = 64: {narrow:%}; at 1,024 with 1/√d_k {root:%}, with 8/d_k {linear:%}',
    ],
    [
      'Softmax forgets in long contexts, whatever one does.',
      'Where scores are bounded and their factor is fixed, it does. With scores times s·ln n (Nakanishi 2025) it does not.',
      'a score of 3 among {keys:#} of −2 gets {plain:%}; all scores times 0.43·ln n, {scaled:%}',
    ],
    [
      'At small d_k additive attention does as well as the dot product; at large d_k it beats the unscaled one.',
      'So Vaswani et al. 2017 (3.2.1) say of translation, after Britz et al. 2017. In this toy, one head and Gaussian tokens, additive attention is ahead at d_k = 4 and 64 where attention must stay spread, and far behind at 64 where it must become sharp.',
      'loss after 300 steps, dot product and additive: spread at d_k = 4 {dotSmall:2}, {additiveSmall:e2}, at 64 {dotLarge:2}, {additiveLarge:e2}; sharp at 64 {dotSharp:2}, {additiveSharp:2}',
    ],
    [
      'Without the scale training gets stuck.',
      'Most heads do, for long and not for ever: softmax is sure of one word before anything is learned, and hardly any gradient comes back. The root is not what it takes: 1/d_k does as well here.',
      '{seeds:=} heads that learn which noun an adjective describes: with 1/√d_k all have learned by step {root:0}, with 1/d_k by step {linear:0}; without a scale {late:=} of {seeds:=} have not by step {patience:0}, and give {right:%} right answers',
    ],
    [
      'Keys say what kind of thing a word is, values which one it is.',
      'Where the task asks for that, as here: an adjective looks for a kind of noun, and the answer is one noun.',
      'share of the variance of 32 nouns that lies between their four kinds: keys {keys:%}, values {values:%}, random vectors {chance:%}; mean of three heads that learned which noun an adjective describes',
    ],
    [
      'Attention always divides by √d_k.',
      'GPT-Neo, T5 and Gemma 4 multiply by 1, Inkling by 1/d_k. T5 begins with a smaller W_Q instead; in the last two learned gains of normalised queries and keys have to do it.',
      'effective keys of 64 at the start: with 1/√d_k {root}, with T5’s smaller W_Q {smaller}; normalised with gains of 1, {normalised} with the factor 1 and {linear} with 1/d_k',
    ],
    [
      'A model would learn the factor anyway.',
      'Where it starts decides. From 0.125 and 0.0156 it changes by a factor of 1.6 at most; from 1 it comes down, but too late: a softmax that is sure of one word passes hardly any gradient to it.',
      'heads of a language model after 1,500 steps, factor and loss: from 0.125, {root:2} and {rootLoss:.2}; from 1, {one:2} and {oneLoss:.2}; from 0.0156, {linear:2} and {linearLoss:.2}; medians of three recorded runs',
    ],
  ],
};

/** @type {typeof en} */
export const zh = {
  name: `关于缩放注意力的 ${VERDICTS.length} 种说法，每一种都用现场算出的数字来判断`,
  language: '语言',
  languages: { en: 'English', zh: '中文' },
  verdicts: { true: '对', partly: '部分对', false: '不对' },
  colon: '：',
  failed: '测量中断：',
  measuring: '正在本机测量 {all:=} 条说法。',
  measured: '{all:=} 条说法均已在本机测量。',
  caption: '若无说明，查询和键的元素独立服从 N(0, 1)，d_k = 64，64 个键；训练用的是本页的小模型。',
  computed: '除注明取自训练记录的之外，所有数字都是刚刚在这里算出的，耗时只是粗测。',
  built: '除注明取自训练记录的之外，所有数字都在生成本页时算出；耗时要由脚本在你的浏览器里实测。',
  timed: '这是耗时，要由脚本在你的浏览器里实测',
  claims: [
    [
      'Var(q·k) = d_k，所以 d_k = 512 时 ±3σ 就是 ±68。',
      '只是尾部略厚，超额峰度为 6/d_k。',
      '±{reach}；d_k = 8 时超额峰度 {kurtosis:1}',
    ],
    [
      'd_k = 512 时点积大小约为 512，缩放后约为 22。',
      '512 是方差。',
      '典型大小 {unscaled}；缩放后 {scaled}',
    ],
    [
      '不缩放，分数会浮点溢出。',
      'fp16 也不会。会溢出的是没有减去最大值的 exp，从 11.09 起。',
      'fp16：分数溢出 {dot:%}；exp 溢出的分数 {entries:%}、行 {rows:%}，减去最大值后 {subtracted:%}',
    ],
    [
      'e⁵⁰ 可能溢出。',
      'fp16 会，从 e¹¹·¹ 起；float32 和 bfloat16 可到 e⁸⁸·⁷。',
      'float32 为 {value:e3}，fp16 为 {float16:=}',
    ],
    [
      'softmax([50, 1, 1, 1]) 是独热的，雅可比矩阵为 0。',
      '它极小但不是 0：p 舍入成了 1，1 − p 才成了 0。',
      '{exact:e3}；float32 得 {float32:=}',
    ],
    [
      '不缩放，梯度就会消失。',
      '典型的查询如此，平均值却不然：它来自少数查询。',
      'd_k = 1024：|∂L/∂q| 中位数 {median:e1}，平均 {mean:2}；一成的查询占梯度平方和的 {topShare:%}',
    ],
    [
      '除以 d_k，注意力几乎变成均匀的。',
      '初始化时如此，熵约为 ln n − 1/(2·d_k)。',
      '熵为 ln n 的 {entropyRatio:.3}；64 个键中有效键数 {keys}',
    ],
    [
      '除以 2√d_k 同样会毁掉注意力。',
      '有效键数约为 0.78·n，而不是 0.37·n。',
      '512 个键中有效键数 {half}，除以 √d_k 时 {full}',
    ],
    ['缩放之后，softmax 的输入落在 [−3, 3] 之内。', '一千个里约有三个例外。', '{share:%}'],
    [
      '加性注意力的开销是 O(n²d²)。',
      '只有逐对重算投影才是；先投影则为 O(ndh + n²h)。',
      'n = 512 时的运算次数：先投影是点积的 {factored:2} 倍，逐对投影是 {pairwise:2} 倍',
    ],
    [
      '点积快几个数量级。',
      'tanh 向量化时只差几倍；逐个调用 tanh，或逐对投影，才差得多。',
      '本机的耗时：向量化是点积的 {vectorised:2} 倍，逐对投影 {pairwise:2} 倍，普通 JavaScript {scalar:2} 倍',
    ],
    [
      '两者都要 O(n² + nd) 的内存。',
      '广播的加性注意力要存 n²h 个数；分块计算，两者都只要 O(nd)。',
      'n = 512、d = h = 128：广播 {broadcast:B}，存全部权重 {dot:B}，分块 {tiled:B}',
    ],
    [
      '缩放没有代价。',
      '它并入查询：约 4n²d 次运算中只占 n·d 次。',
      '有缩放与没有缩放的耗时之比：{ratio:.2}',
    ],
    [
      '查询和键可以互换。',
      'softmax(KQᵀ) 并不是 softmax(QKᵀ) 的转置。给所有的键加上同一个向量，什么都不变；加给查询就会变。',
      '权重最多相差 {difference:2}；平移键相差 {keysShifted:e1}，平移查询相差 {queriesShifted:2}',
    ],
    [
      '即使 Q = K，∂L/∂Q 与 ∂L/∂K 也不同。',
      '一个是 dS·K，另一个是 dSᵀ·Q。（另外，∂L/∂W 是 Xᵀ·∂L/∂Q，次序不能颠倒。）',
      '相差达自身大小的 {difference:%}',
    ],
    [
      '训练会放大 W_Q 与 W_K 的差异。',
      '由任务决定：关系对称时，不对称程度缩小；关系有方向时，才会产生不对称。',
      '‖S − Sᵀ‖/‖S + Sᵀ‖ 从 {start:2} 变为 {symmetric:2}（各找与自己相同的）或 {directed:2}（找自己转过 90° 的副本）',
    ],
    [
      'K = V 行不通。',
      '这是容量上的冲突，维度够了就没有问题。Gemma 4 的全局层就可以拿键当值用。',
      '2 维的取回任务：K = V 时损失 {tied}，分开时 {untied:e1}；随机猜测为 1.79。学着判断形容词说的是哪个名词，d_k = 8，{heads:=} 个头：K = V 时学会 {tiedHeads:=} 个，用了 {tiedSteps:0} 步；分开时学会 {untiedHeads:=} 个，用了 {untiedSteps:0} 步（中位数）。语言模型的损失：K = V 时 {tiedModel:.2}，分开时 {untiedModel:.2}（三次训练记录的中位数）',
    ],
    [
      '头越多，参数越多。',
      '只要 d_k = d_model/h 就不会。',
      'd_model = 512，1、8、64 个头：{one:#}、{eight:#}、{sixtyFour:#}',
    ],
    [
      '改为缩放 V 也有用。',
      '权重与 V 无关。',
      '熵 / ln n：缩放 V 为 {values:2}，缩放分数为 {scores:2}',
    ],
    [
      '多头注意力应当除以 √d_model。',
      '每个头只对 d_k 个乘积求和；用 √d_model，分数会再缩小为原来的 1/√h。',
      '8 个头：用 √d_model 标准差为 {model}，用 √d_k 为 {perHead}',
    ],
    [
      '缩放的作用类似 LayerNorm。',
      '常数不会随查询和键的方差调整。',
      '元素大一倍：标准差从 {before} 变为 {after}',
    ],
    [
      '混合精度更需要缩放。',
      '不是因为溢出，而是因为权重丢失、舍入粗糙。',
      'fp16 下恰好为 0 的权重：不缩放 {unscaled:%}，缩放 {scaled:%}',
    ],
    [
      '缩放让训练收敛得更好。',
      '不缩放，注意力需要分散时损失高出几十倍，需要集中且学习率调好时只高三分之一。用普通梯度下降时，改小初值，同时改小学习率，作用与缩放完全相同。',
      '300 步的损失，不缩放与缩放：分散 {averageUnscaled:2}、{averageScaled:2}；找出一个 {retrieveUnscaled:2}、{retrieveScaled:2}；用改小初值代替缩放，损失相差 {twin:=}',
    ],
    [
      '训练之后，分数的标准差还是 √d_k。',
      '这是元素方差为 1 时训练起点的规律。训练让查询和键在少数方向上对齐，方向不再是 d_k 个，而是 d_eff 个，乘积也就更分散。',
      '一个语言模型（d_k = 64）的四个头平均，σ(q·k) 与 √d_k·σ(q)·σ(k) 之比：开始时 {start:.2}，训练 1500 步之后 {end:.2}（三次训练记录的中位数）；d_eff 从 {dimension:0} 变为 {trainedDimension:0}（第一次训练）',
    ],
    [
      '不缩放，语言模型就训练不起来。',
      '学得会，只是晚：三次训练在 1500 步之内都没有追上。',
      '没读过的文字上，缩放与不缩放的损失：500 步之后 {halfway:.2}、{unscaledHalfway:.2}，1500 步之后 {end:.2}、{unscaledEnd:.2}；三次训练记录的中位数',
    ],
    [
      '不同的头会有不同的分工。',
      '读《白鲸》的模型，除以 √d_k 时三次训练都有一个头学会看前一个词元，换别的缩放都没有；读唐诗的模型，无论怎样缩放都有头学会分工。',
      '给前一个词元的权重，取最大的头：开始时 {start:.2}，1500 步之后 {end:.2}，不缩放则为 {unscaled:.2}；三次训练记录的中位数',
    ],
    [
      '有了软上限，就不必缩放。',
      'Gemma 2 的上限是 50，标准差为 8 的分数几乎碰不到它；它拦住的只是少数极端值。',
      '64 个键的有效键数：只用软上限 {capped}，两样都不用 {none}，除以 √d_k 则为 {scaled}',
    ],
    [
      '查询和键归一化之后，就不必缩放。',
      '归一化之后，元素的大小不再有影响，但系数还是少不了，模型会把它学出来：向量长度为 √d_k 时，分数的标准差是 √d_k；换成余弦，只有 1/√d_k。',
      '64 个键的有效键数：余弦不乘系数 {bare}，乘以 √d_k = 8 后 {gained}，除以 √d_k 的点积 {scaled}',
    ],
    [
      '除以 d_k 总是错的。',
      '训练开始时它近乎均匀（第 7 条）。但对齐的键的分数随 d_k 成正比增长，这时乘以 8/d_k 能保住它的权重，除以 √d_k 则不能。',
      'ρ = 0.5 的键，权重在 d_k = 64 时为 {narrow:%}；1,024 时除以 √d_k 为 {root:%}，乘以 8/d_k 为 {linear:%}',
    ],
    [
      '上下文一长，softmax 就会遗忘，怎么做都没用。',
      '分数有界、系数又固定时，的确如此。分数乘以 s·ln n（Nakanishi 2025）之后就不会了。',
      '{keys:#} 个分数，一个为 3，其余为 −2：为 3 的那个权重为 {plain:%}；分数乘以 0.43·ln n 后为 {scaled:%}',
    ],
    [
      'd_k 小时，加性与点积不相上下；d_k 大时，加性胜过不缩放的点积。',
      '这是 Vaswani 等 2017（3.2.1 节）根据 Britz 等 2017 对翻译说的。这里只是一个头、高斯词元的小实验：注意力需要分散时，d_k = 4 和 64 都是加性领先；需要集中时，d_k = 64 的加性远远落后。',
      '300 步的损失，点积与加性：分散，d_k = 4 时 {dotSmall:2}、{additiveSmall:e2}，64 时 {dotLarge:2}、{additiveLarge:e2}；集中，64 时 {dotSharp:2}、{additiveSharp:2}',
    ],
    [
      '不缩放，训练就会卡住。',
      '多数头会卡很久，但不是永远：softmax 什么都还没学到，就先认准了一个词，梯度几乎传不回来。可见缩放要有，却未必要开根号：在这里除以 d_k 一样好。',
      '{seeds:=} 个头学着判断形容词说的是哪个名词：除以 √d_k，最迟在第 {root:0} 步全都学会；除以 d_k，在第 {linear:0} 步；不缩放，到第 {patience:0} 步还有 {late:=} 个（共 {seeds:=} 个）没学会，只答对 {right:%}',
    ],
    [
      '键说的是“哪一类”，值说的是“哪一个”。',
      '任务这样要求时才如此。这里正是：形容词要找的是某一类名词，要答的是其中哪一个。',
      '32 个名词的方差，有多少落在四类之间：键 {keys:%}，值 {values:%}，随机向量 {chance:%}；三个头的平均，学的是形容词说的是哪个名词',
    ],
    [
      '注意力总要除以 √d_k。',
      'GPT-Neo、T5、Gemma 4 的系数都是 1，Inkling 的是 1/d_k。T5 改让 W_Q 的初值小一些；后两家先把查询和键归一化，余下的靠学出来的增益。',
      '训练开始时 64 个键的有效键数：除以 √d_k 为 {root}，T5 那样改小 W_Q 为 {smaller}；归一化且增益为 1，系数取 1 为 {normalised}，取 1/d_k 为 {linear}',
    ],
    [
      '不必操心系数，模型自己会学。',
      '要看从哪里开始。从 0.125、0.0156 开始，它至多变为 1.6 倍；从 1 开始，它会降，却降得太晚：softmax 已经认准了一个词，几乎没有梯度传到系数上。',
      '语言模型训练 1500 步之后，一个头的系数和损失：从 0.125 开始为 {root:2}、{rootLoss:.2}；从 1 开始为 {one:2}、{oneLoss:.2}；从 0.0156 开始为 {linear:2}、{linearLoss:.2}；三次训练记录的中位数',
    ],
  ],
};

export const messages = { en, zh };
