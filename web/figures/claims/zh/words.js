// The words of <attn-claims> in Chinese.

import { CLAIMS, numberOf } from '../../../experiments/claims.js';

/** @type {typeof import('../en/words.js').words} */
export const words = {
  name: `关于缩放注意力的 ${CLAIMS.length} 种说法，每一种都用现场算出的数字来判断`,
  language: '语言',
  verdicts: { true: '对', partly: '部分对', false: '不对' },
  failed: '测量中断：',
  measuring: '正在本机测量 {all:=} 条说法。',
  measured: '{all:=} 条说法均已在本机测量。',
  caption: '若无说明，查询和键的元素独立服从 N(0, 1)，d_k = 64，64 个键；训练用的是本页的小模型。',
  computed: '除注明取自训练记录的之外，所有数字都是刚刚在这里算出的，耗时只是粗测。',
  built: '除注明取自训练记录的之外，所有数字都在生成本页时算出；耗时要由脚本实测。',
  timed: '耗时，由脚本在你的浏览器里实测',
  claims: {
    variance: {
      claim: 'Var(q·k) = d_k，所以 d_k = 512 时 ±3σ 就是 ±68。',
      why: '只是尾部略厚，超额峰度为 6/d_k。',
      value: '±{reach}；d_k = 8 时超额峰度 {kurtosis:1}',
    },
    typicalSize: {
      claim: 'd_k = 512 时点积大小约为 512，缩放后约为 22。',
      why: '512 是方差。',
      value: '典型大小 {unscaled}；缩放后 {scaled}',
    },
    overflow: {
      claim: '不缩放，分数会浮点溢出。',
      why: '训练开始时，元素方差为 1，连 fp16 也不会溢出；会溢出的是没有减去最大值的 exp，从 11.09 起。训练之后则有可能：GPT-Neo 没有系数，它的代码注明，用 float32 算分数是“为了避免溢出”。',
      value:
        'fp16：分数溢出 {dot:%}；exp 溢出的分数 {entries:%}、行 {rows:%}，减去最大值后 {subtracted:%}',
    },
    expOfFifty: {
      claim: 'e⁵⁰ 可能溢出。',
      why: 'fp16 会，从 e^11.1 起；float32 和 bfloat16 可到 e^88.7。',
      value: 'float32 为 {value:e3}，fp16 为 {float16:=}',
    },
    oneHot: {
      claim: 'softmax([50, 1, 1, 1]) 是独热的，雅可比矩阵为 0。',
      why: '它极小但不是 0：p 舍入成了 1，1 − p 才成了 0。',
      value: '{exact:e3}；float32 得 {float32:=}',
    },
    vanishing: {
      claim: '不缩放，梯度就会消失。',
      why: '典型的查询如此，平均值却不然：它来自少数查询。',
      value:
        'd_k = 1024：|∂L/∂q| 中位数 {median:e1}，平均 {mean:2}；一成的查询占梯度平方和的 {topShare:%}',
    },
    nearlyUniform: {
      claim: '除以 d_k，注意力几乎变成均匀的。',
      why: '初始化时如此，熵约为 ln n − 1/(2·d_k)。',
      value: '熵为 ln n 的 {entropyRatio:.3}；64 个键中有效键数 {keys}',
    },
    halfScale: {
      claim: '除以 2√d_k 同样会毁掉注意力。',
      why: '有效键数约为 0.78·n，而不是 0.37·n。',
      value: '512 个键中有效键数 {half}，除以 √d_k 时 {full}',
    },
    withinThree: {
      claim: '缩放之后，softmax 的输入落在 [−3, 3] 之内。',
      why: '一千个里约有三个例外。',
      value: '{share:%}',
    },
    operations: {
      claim: '加性注意力的开销是 O(n²d²)。',
      why: '只有逐对重算投影才是；先投影则为 O(ndh + n²h)。',
      value:
        '分数与加权和的运算次数（n = 512，d_k = d_v = h = 64，一个 tanh 按 τ = 3 次算）：先投影是点积的 {factored:2} 倍，逐对投影是 {pairwise:2} 倍',
    },
    speed: {
      claim: '点积快几个数量级。',
      why: 'tanh 向量化时只差几倍；逐个调用 tanh，或逐对投影，才差得多。',
      value:
        '本机的耗时：向量化是点积的 {vectorised:2} 倍，逐对投影 {pairwise:2} 倍，普通 JavaScript {scalar:2} 倍',
    },
    memory: {
      claim: '两者都要 O(n² + nd) 的内存。',
      why: '广播的加性注意力要存 n²h 个数；分块计算，两者都只要 O(nd)。',
      value: 'n = 512、d = h = 128：广播 {broadcast:B}，存全部权重 {dot:B}，分块 {tiled:B}',
    },
    scaleCost: {
      claim: '缩放没有代价。',
      why: '它并入查询：约 4n²d 次运算中只占 n·d 次。',
      value: '有缩放与没有缩放的耗时之比：{ratio:.2}',
    },
    swapped: {
      claim: '查询和键可以互换。',
      why: 'softmax(KQᵀ) 并不是 softmax(QKᵀ) 的转置。给所有的键加上同一个向量，什么都不变；加给查询就会变。',
      value:
        '权重最多相差 {difference:2}；平移键相差 {keysShifted:e1}，平移查询相差 {queriesShifted:2}',
    },
    twoGradients: {
      claim: '即使 Q = K，∂L/∂Q 与 ∂L/∂K 也不同。',
      why: '一个是 dS·K，另一个是 dSᵀ·Q。（另外，∂L/∂W 是 Xᵀ·∂L/∂Q，次序不能颠倒。）',
      value: '相差达自身大小的 {difference:%}',
    },
    asymmetry: {
      claim: '训练会放大 W_Q 与 W_K 的差异。',
      why: '由任务决定：关系对称时，不对称程度缩小；关系有方向时，才会产生不对称。',
      value:
        '‖S − Sᵀ‖/‖S + Sᵀ‖ 从 {start:2} 变为 {symmetric:2}（各找与自己相同的）或 {directed:2}（找自己转过 90° 的副本）',
    },
    keysAsValues: {
      claim: 'K = V 行不通。',
      why: '这是容量上的冲突，维度够了就没有问题。Gemma 4 的全局层可以拿键当值用，DeepSeek V4 每一层都这样用。',
      value:
        '2 维的取回任务：K = V 时损失 {tied}，分开时 {untied:e1}；随机猜测为 1.79。学习判断形容词描述的是哪个名词，d_k = 8，{heads:=} 个头：K = V 时学会 {tiedHeads:=} 个，用了 {tiedSteps:0} 步；分开时学会 {untiedHeads:=} 个，用了 {untiedSteps:0} 步（中位数）。语言模型的损失：K = V 时 {tiedModel:.2}，分开时 {untiedModel:.2}（三次训练记录的中位数）',
    },
    heads: {
      claim: '头越多，参数越多。',
      why: '只要 d_k = d_model/h 就不会。',
      value: 'd_model = 512，1、8、64 个头：{one:#}、{eight:#}、{sixtyFour:#}',
    },
    scaledValues: {
      claim: '改为缩放 V 也有用。',
      why: '权重与 V 无关。',
      value: '熵 / ln n：缩放 V 为 {values:2}，缩放分数为 {scores:2}',
    },
    headScale: {
      claim: '多头注意力应当除以 √d_model。',
      why: '每个头只对 d_k 个乘积求和；用 √d_model，分数会再缩小为原来的 1/√h。',
      value: '8 个头：用 √d_model 标准差为 {model}，用 √d_k 为 {perHead}',
    },
    drift: {
      claim: '缩放的作用类似 LayerNorm。',
      why: '常数不会随查询和键的方差调整。',
      value: '元素大一倍：标准差从 {before} 变为 {after}',
    },
    halfPrecision: {
      claim: '混合精度更需要缩放。',
      why: '不是因为溢出，而是因为权重丢失、舍入粗糙。',
      value: 'fp16 下恰好为 0 的权重：不缩放 {unscaled:%}，缩放 {scaled:%}',
    },
    convergence: {
      claim: '缩放让训练收敛得更好。',
      why: '不缩放，注意力需要分散时损失高出几十倍，需要集中且学习率调好时只高三分之一。用普通梯度下降时，改小初值，同时改小学习率，作用与缩放完全相同。',
      value:
        '300 步的损失，不缩放与缩放：分散 {averageUnscaled:2}、{averageScaled:2}；找出一个 {retrieveUnscaled:2}、{retrieveScaled:2}；用改小初值代替缩放，损失相差 {twin:=}',
    },
    trainedDeviation: {
      claim: '训练之后，分数的标准差还是 √d_k。',
      why: '这是元素方差为 1 时训练起点的规律。训练让查询和键在少数方向上对齐，方向不再是 d_k 个，而是 d_eff 个，乘积也就更分散。',
      value:
        '一个语言模型（d_k = 64）的四个头平均，σ(q·k) 与 √d_k·σ(q)·σ(k) 之比：开始时 {start:.2}，训练 1500 步之后 {end:.2}（三次训练记录的中位数）；d_eff 从 {dimension:0} 变为 {trainedDimension:0}（第一次训练）',
    },
    untrainable: {
      claim: '不缩放，语言模型就训练不起来。',
      why: '学得会，只是晚：三次训练在 1500 步之内都没有追上。',
      value:
        '没读过的文字上，缩放与不缩放的损失：500 步之后 {halfway:.2}、{unscaledHalfway:.2}，1500 步之后 {end:.2}、{unscaledEnd:.2}；三次训练记录的中位数',
    },
    specialHeads: {
      claim: '不同的头会有不同的分工。',
      why: '读《白鲸》的模型，除以 √d_k 时三次训练都有一个头学会看前一个词元，换别的缩放都没有；读唐诗的模型，无论怎样缩放都有头学会分工。',
      value:
        '给前一个词元的权重，取最大的头：开始时 {start:.2}，1500 步之后 {end:.2}，不缩放则为 {unscaled:.2}；三次训练记录的中位数',
    },
    softcapAlone: {
      claim: '有了软上限（soft-capping），就不必缩放。',
      why: 'Gemma 2 的上限是 50，标准差为 8 的分数几乎碰不到它；它拦住的只是少数极端值。',
      value: '64 个键的有效键数：只用软上限 {capped}，两样都不用 {none}，除以 √d_k 则为 {scaled}',
    },
    normalised: {
      claim: '查询和键归一化之后，就不必缩放。',
      why: '归一化之后，元素的大小不再有影响，但系数还是少不了，模型会把它学出来：向量长度为 √d_k 时，分数的标准差是 √d_k；换成余弦，只有 1/√d_k。',
      value:
        '64 个键的有效键数：余弦不乘系数 {bare}，乘以 √d_k = 8 后 {gained}，除以 √d_k 的点积 {scaled}',
    },
    byWidth: {
      claim: '除以 d_k 总是错的。',
      why: `训练开始时它近乎均匀（第 ${numberOf('nearlyUniform')} 条）。但对齐的键，分数随 d_k 成正比增长：除以 √d_k，它最后几乎独占全部权重；乘以 8/d_k，权重大致不变。`,
      value:
        'ρ = 0.5 的键，权重在 d_k = 64 时为 {narrow:%}；1024 时除以 √d_k 为 {root:%}，乘以 8/d_k 为 {linear:%}',
    },
    atLength: {
      claim: '上下文一长，softmax 就会遗忘，怎么做都没用。',
      why: '分数有界、系数又固定时，的确如此。分数乘以 s·ln n（Nakanishi 2025）之后就不会了。',
      value:
        '{keys:#} 个分数，一个为 3，其余为 −2，为 3 的那个权重为 {plain:%}；分数乘以 0.43·ln n 后为 {scaled:%}',
    },
    additiveAgainstDot: {
      claim: 'd_k 小时，加性与点积不相上下；d_k 大时，加性胜过不缩放的点积。',
      why: '这是 Vaswani 等 2017（3.2.1 节）根据 Britz 等 2017 对翻译说的。这里只是一个头、高斯词元的小实验：注意力需要分散时，d_k = 4 和 64 都是加性领先；需要集中时，d_k = 64 的加性远远落后。',
      value:
        '300 步的损失，点积与加性：分散，d_k = 4 时 {dotSmall:2}、{additiveSmall:e2}，64 时 {dotLarge:2}、{additiveLarge:e2}；集中，64 时 {dotSharp:2}、{additiveSharp:2}',
    },
    stuck: {
      claim: '不缩放，训练就会卡住。',
      why: '多数头会卡很久，但不是永远：softmax 什么都还没学到，就先认准了一个词，梯度几乎传不回来。可见缩放要有，却未必要开根号：除以 d_k 也学得会。',
      value:
        '{seeds:=} 个头学习判断形容词描述的是哪个名词：除以 √d_k，最迟在第 {root:0} 步全都学会；除以 d_k，在第 {linear:0} 步；不缩放，到第 {patience:0} 步还有 {late:=} 个（共 {seeds:=} 个）没学会，只答对 {right:%}',
    },
    keysAndValues: {
      claim: '键说的是“哪一类”，值说的是“哪一个”。',
      why: '任务这样要求时才如此。这里正是：形容词要找的是某一类名词，要答的是其中哪一个。',
      value:
        '32 个名词的方差，有多少落在四类之间：键 {keys:%}，值 {values:%}，随机向量 {chance:%}；三个头的平均，学的是判断形容词描述的是哪个名词',
    },
    otherFactors: {
      claim: '注意力总要除以 √d_k。',
      why: 'GPT-Neo、T5、Gemma 4 的系数都是 1，Inkling 和 Granite 的是 1/d_k。T5 改让 W_Q 的初值小一些；Gemma 4 和 Inkling 先把查询和键归一化，余下的靠学出来的增益。',
      value:
        '训练开始时 64 个键的有效键数：除以 √d_k 为 {root}，T5 那样改小 W_Q 为 {smaller}；归一化且增益为 1，系数取 1 为 {normalised}，取 1/d_k 为 {linear}',
    },
    learnedFactor: {
      claim: '不必操心系数，模型自己会学。',
      why: '要看从哪里开始。从 0.125、0.0156 开始，它至多变为 1.6 倍；从 1 开始，它会降，却降得太晚：softmax 已经认准了一个词，几乎没有梯度传到系数上。',
      value:
        '语言模型训练 1500 步之后，一个头的系数和损失：从 0.125 开始为 {root:2}、{rootLoss:.2}；从 1 开始为 {one:2}、{oneLoss:.2}；从 0.0156 开始为 {linear:2}、{linearLoss:.2}；三次训练记录的中位数',
    },
    oneNumber: {
      claim: '查询和键的点积，维度是 d_k × d_k。',
      why: '点积只是一个数。QKᵀ 里，每个查询和每个键各配出一个数，与 d_k 无关。',
      value:
        '{rows:0} 个查询、{columns:0} 个键，各 64 个元素：QKᵀ 是 {rows:0} × {columns:0}，共 {numbers:0} 个数',
    },
    entrySize: {
      claim: '元素的方差为 σ² 时，Var(q·k) = d_k·σ²。',
      why: '只有 σ = 1 时才对。应当是 d_k·σ_q²·σ_k²，两者相同就是 d_k·σ⁴。',
      value: 'σ = 2、d_k = 64：方差为 {variance}，而 d_k·σ² 是 256，d_k·σ⁴ 是 1024',
    },
    inputRange: {
      claim: 'softmax 的输入必须在 0 和 1 之间。',
      why: '什么数都可以，起作用的只是数与数之差。硬压进这个范围，权重反而几乎一样大。',
      value:
        '所有分数都加上 1000，权重最多变化 {shifted:=}；压进 0 到 1，64 个键的有效键数从 {keys} 变成 {squeezed}',
    },
    meanScore: {
      claim: '缩放让分数的平均值不至于失控。',
      why: '缩不缩放，平均值都在 0 附近。缩放管住的是分数散得多开。',
      value:
        'd_k = 512：不缩放，平均 {mean:.2}，标准差 {deviation}；缩放后 {scaledMean:.2}、{scaledDeviation}',
    },
    meanWeight: {
      claim: '看权重的平均值，就知道 softmax 是不是太尖。',
      why: '平均值总是 1/n。要看的是最大权重、熵，或者 Σp²。',
      value:
        '64 个键：平均权重，不缩放 {mean:3}，缩放 {scaledMean:3}；最大权重，不缩放 {largest:%}，缩放 {scaledLargest:%}',
    },
    glorot: {
      claim: 'Xavier（Glorot）初始化给出的，就是独立、方差为 1 的元素。',
      why: '输入的方差为 1 时，方阵 W 确实如此。三个矩阵拼成一个，像 PyTorch 的 nn.MultiheadAttention 那样，方差就是 ½；每个头自己用一个 d_model × d_model/8 的矩阵，则是 16/9。',
      value: '查询元素的方差：方阵 {square:.2}，三个拼成一个 {packed:.2}，每头一个 {head:.2}',
    },
    scaleMemory: {
      claim: '缩放不占内存。',
      why: '系数在做乘法之前就并入了查询，不必另存一份缩放过的分数。',
      value: '先把查询除以 8，输出只差 {difference:=}；另存一份分数，n = 512 时要 {copy:B}',
    },
    outputSoftmax: {
      claim: '输出层的 softmax 也该缩放。',
      why: '它后面接着交叉熵，两者合起来的梯度是 p − y：只要答错了，softmax 再有把握，梯度也不会消失。',
      value:
        '64 个词，输出的标准差为 22.6，取 {wrong:=} 次答错的中位数：正确的词上梯度为 {gradient:.2}，而 softmax 本身的 tr J 只有 {trace:e1}',
    },
    patches: {
      claim: '缩放让词与图块对得更稳。',
      why: '权重确实更稳，那是因为更平了；哪个图块排第一，只看分数的次序，乘什么系数都不变。',
      value:
        '10 个词，49 个图块，d = 768，查询、键的元素大小为 1 和 ½，把查询改动一成：一个词的权重，不缩放有 {unscaled:%} 挪了地方，缩放只有 {scaled:%}；排第一的图块换了的词，两种情形都是 {led:%}',
    },
    pairByPair: {
      claim: '点积一对一对地算，还是合成一次矩阵乘法，代价一样。',
      why: '运算次数一样，读取的数却不一样：逐对算，每次乘法要读两个数；内核一次算四个查询乘八个键的一小块，32 次乘法只读 12 个数。',
      value:
        '256 个查询和键，各 64 个元素：用普通 JavaScript 逐对算，本机的耗时是一次矩阵乘法的 {ratio:2} 倍',
    },
  },
};
