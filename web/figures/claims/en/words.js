// The words of <attn-claims> in English.

import { CLAIMS, numberOf } from '../../../experiments/claims.js';

/**
 * @import { ClaimKey, Verdict } from '../../../experiments/claims.js'
 *
 * @typedef {object} ClaimText
 * @property {string} claim  as it is commonly written
 * @property {string} why  the reason of the verdict
 * @property {string} value  the sentence around the numbers that decide it, which `valueText` of the element writes
 */

export const words = {
  name: `${CLAIMS.length} claims about scaled attention, each with the number that decides it`,
  language: 'language',
  /** @type {Record<Verdict, string>} */
  verdicts: { true: 'true', partly: 'in part', false: 'false' },
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
  /** @type {Record<ClaimKey, ClaimText>} */
  claims: {
    variance: {
      claim: 'Var(q·k) = d_k, so ±3σ is ±68 at d_k = 512.',
      why: 'With heavier tails: excess kurtosis 6/d_k.',
      value: '±{reach}; excess kurtosis {kurtosis:1} at d_k = 8',
    },
    typicalSize: {
      claim: 'At d_k = 512 the dot product is of size 512, and about 22 after scaling.',
      why: '512 is its variance.',
      value: 'typical size {unscaled}; scaled {scaled}',
    },
    overflow: {
      claim: 'Unscaled scores overflow floating point.',
      why: 'Not at the start, with entries of variance 1, even in fp16. exp does there, from 11.09 on, if the maximum is not subtracted. After training they may: GPT-Neo, which has no factor, computes them in float32 “to avoid overflow issues”, as its code says.',
      value:
        'fp16: {dot:%} of scores; exp of {entries:%} of them, {rows:%} of rows, {subtracted:%} once the maximum is subtracted',
    },
    expOfFifty: {
      claim: 'e⁵⁰ may overflow.',
      why: 'In fp16 it does, from e¹¹·¹ on. float32 and bfloat16 reach e⁸⁸·⁷.',
      value: '{value:e3} in float32, {float16:=} in fp16',
    },
    oneHot: {
      claim: 'softmax([50, 1, 1, 1]) is one-hot and its Jacobian is 0.',
      why: 'Tiny, not 0: p rounds to 1, and so 1 − p to 0.',
      value: '{exact:e3}; as float32 {float32:=}',
    },
    vanishing: {
      claim: 'Without scaling the gradient vanishes.',
      why: 'That of the typical query does. The mean does not: few queries carry it.',
      value:
        'd_k = 1024: median |∂L/∂q| {median:e1}, mean {mean:2}; a tenth of the queries holds {topShare:%} of the squared gradient',
    },
    nearlyUniform: {
      claim: 'Dividing by d_k makes attention nearly uniform.',
      why: 'At initialisation: its entropy is about ln n − 1/(2·d_k).',
      value: 'entropy {entropyRatio:.3} of ln n; {keys} effective keys of 64',
    },
    halfScale: {
      claim: 'Dividing by 2√d_k also ruins it.',
      why: 'It attends to some 0.78·n keys instead of 0.37·n.',
      value: '{half} effective keys of 512 against {full}',
    },
    withinThree: {
      claim: 'After scaling, the inputs of softmax lie in [−3, 3].',
      why: 'All but about three in a thousand.',
      value: '{share:%}',
    },
    operations: {
      claim: 'Additive attention costs O(n²d²).',
      why: 'Only if every pair is projected anew. Factored it is O(ndh + n²h).',
      value:
        'scores and weighted sum, counted against those of the dot product (n = 512, d_k = d_v = h = 64, τ = 3 operations for a tanh): {factored:2}× factored, {pairwise:2}× per pair',
    },
    speed: {
      claim: 'The dot product is orders of magnitude faster.',
      why: 'By a small factor with a vectorised tanh, by far more with a scalar one or if every pair is projected anew.',
      value:
        'time against the dot product here: {vectorised:2}× vectorised, {pairwise:2}× per pair, {scalar:2}× in plain JavaScript',
    },
    memory: {
      claim: 'Both need O(n² + nd) memory.',
      why: 'Broadcast additive attention needs n²h numbers, tiled attention of either kind O(nd).',
      value:
        'n = 512, d = h = 128: {broadcast:B} broadcast, {dot:B} with all weights, {tiled:B} tiled',
    },
    scaleCost: {
      claim: 'Scaling costs nothing.',
      why: 'It is folded into the queries: n·d of some 4n²d operations.',
      value: 'time with the scale over time without: {ratio:.2}',
    },
    swapped: {
      claim: 'Queries and keys could be swapped.',
      why: 'softmax(KQᵀ) is not the transpose of softmax(QKᵀ). One vector added to all keys changes nothing, to all queries it does.',
      value:
        'a weight changes by up to {difference:2}; with keys shifted {keysShifted:e1}, queries {queriesShifted:2}',
    },
    twoGradients: {
      claim: '∂L/∂Q differs from ∂L/∂K even where Q = K.',
      why: 'One is dS·K, the other dSᵀ·Q. (And ∂L/∂W is Xᵀ·∂L/∂Q, in this order.)',
      value: 'they differ by {difference:%} of their size',
    },
    asymmetry: {
      claim: 'Training amplifies the difference between W_Q and W_K.',
      why: 'The task decides: a symmetric relation shrinks the asymmetry, a directed one creates it.',
      value:
        '‖S − Sᵀ‖/‖S + Sᵀ‖ from {start:2} to {symmetric:2} (each token looks for its like) or {directed:2} (for a copy turned by 90°)',
    },
    keysAsValues: {
      claim: 'K = V cannot work.',
      why: 'It is a conflict over capacity, which more dimensions end. In global layers of Gemma 4 keys may serve as values, in DeepSeek V4 they do in every layer.',
      value:
        'recall with 2 dimensions: loss {tied} with K = V, {untied:e1} without; guessing has 1.79. Heads with d_k = 8 that learn which noun an adjective describes: {tiedHeads:=} of {heads:=} do with K = V, after {tiedSteps:0} steps, {untiedHeads:=} without, after {untiedSteps:0} (medians). A language model: loss {tiedModel:.2} with K = V, {untiedModel:.2} without (medians of three recorded runs)',
    },
    heads: {
      claim: 'More heads, more parameters.',
      why: 'Not when d_k = d_model/h.',
      value: 'd_model = 512 with 1, 8, 64 heads: {one:#}, {eight:#}, {sixtyFour:#}',
    },
    scaledValues: {
      claim: 'Scaling V instead would also help.',
      why: 'The weights do not depend on V.',
      value: 'entropy / ln n: {values:2} with V scaled, {scores:2} with the scores',
    },
    headScale: {
      claim: 'Use √d_model in multi-head attention.',
      why: 'A head sums d_k products. √d_model shrinks the scores by √h more.',
      value: '8 heads: deviation {model} with √d_model, {perHead} with √d_k',
    },
    drift: {
      claim: 'Scaling acts like LayerNorm.',
      why: 'A constant does not adapt to the variance of queries and keys.',
      value: 'entries twice as large: deviation {before} becomes {after}',
    },
    halfPrecision: {
      claim: 'Mixed precision needs the scale more.',
      why: 'Not for overflow: for lost weights and coarse rounding.',
      value: 'fp16 weights that are exactly 0: {unscaled:%} unscaled, {scaled:%} scaled',
    },
    convergence: {
      claim: 'With scaling, training converges better.',
      why: 'Without it the loss ends tens of times as high where attention must stay spread, and a third higher in sharp retrieval with a tuned learning rate. Under plain gradient descent a smaller start with a smaller learning rate does exactly what the scale does.',
      value:
        'loss without and with, 300 steps: spread {averageUnscaled:2}, {averageScaled:2}; retrieval {retrieveUnscaled:2}, {retrieveScaled:2}; smaller start instead of the scale: losses differ by {twin:=}',
    },
    trainedDeviation: {
      claim: 'After training, scores still spread by √d_k.',
      why: 'That is the law of the start, for entries of variance 1. Training makes queries and keys agree in a few directions, d_eff of them instead of d_k, and their products spread.',
      value:
        'σ(q·k) over √d_k·σ(q)·σ(k), mean of four heads of a language model with d_k = 64: {start:.2} at the start, {end:.2} after 1,500 steps (medians of three recorded runs); d_eff {dimension:0} and {trainedDimension:0} (the first of them)',
    },
    untrainable: {
      claim: 'Without the scale a language model cannot be trained.',
      why: 'It learns, but later: none of three runs catches up within 1,500 steps.',
      value:
        'held-out loss with 1/√d_k and without: {halfway:.2}, {unscaledHalfway:.2} after 500 steps; {end:.2}, {unscaledEnd:.2} after 1,500; medians of three recorded runs',
    },
    specialHeads: {
      claim: 'Heads take on roles.',
      why: 'In a model that reads Moby-Dick a head comes to look at the token before in each of three runs with 1/√d_k, and in none with other scales; in one that reads Tang poems heads take on roles with every scale.',
      value:
        'most weight of a head on the token before: {start:.2} at the start, {end:.2} after 1,500 steps, without the scale {unscaled:.2}; medians of three recorded runs',
    },
    softcapAlone: {
      claim: 'A soft cap on the scores replaces the scale.',
      why: 'A cap of 50, that of Gemma 2, hardly bends scores of deviation 8. It is a net for the few extreme ones.',
      value:
        '{capped} effective keys of 64 with the cap alone, {none} with neither, {scaled} with 1/√d_k',
    },
    normalised: {
      claim: 'Normalising queries and keys makes the scale needless.',
      why: 'It makes the size of their entries irrelevant. But a factor is still needed, which models learn: vectors of length √d_k give scores of deviation √d_k, cosines of 1/√d_k.',
      value:
        '{bare} effective keys of 64 with cosines as they are, {gained} with cosines times √d_k = 8, {scaled} with 1/√d_k',
    },
    byWidth: {
      claim: 'Dividing by d_k is always wrong.',
      why: `At the start it is nearly uniform (claim ${numberOf('nearlyUniform')}). But the score of an aligned key grows like d_k: with 1/√d_k such a key ends up with nearly all weight, with 8/d_k about with what it had.`,
      value:
        'weight of a key with ρ = 0.5 at d_k = 64: {narrow:%}; at 1,024 with 1/√d_k {root:%}, with 8/d_k {linear:%}',
    },
    atLength: {
      claim: 'Softmax forgets in long contexts, whatever one does.',
      why: 'Where scores are bounded and their factor is fixed, it does. With scores times s·ln n (Nakanishi 2025) it does not.',
      value:
        'a score of 3 among {keys:#} of −2 gets {plain:%}; all scores times 0.43·ln n, {scaled:%}',
    },
    additiveAgainstDot: {
      claim:
        'At small d_k additive attention does as well as the dot product; at large d_k it beats the unscaled one.',
      why: 'So Vaswani et al. 2017 (3.2.1) say of translation, after Britz et al. 2017. In this toy, one head and Gaussian tokens, additive attention is ahead at d_k = 4 and 64 where attention must stay spread, and far behind at 64 where it must become sharp.',
      value:
        'loss after 300 steps, dot product and additive: spread at d_k = 4 {dotSmall:2}, {additiveSmall:e2}, at 64 {dotLarge:2}, {additiveLarge:e2}; sharp at 64 {dotSharp:2}, {additiveSharp:2}',
    },
    stuck: {
      claim: 'Without the scale training gets stuck.',
      why: 'Most heads do, for long and not for ever: softmax is sure of one word before anything is learned, and hardly any gradient comes back. The root is not what it takes: with 1/d_k heads learn, too.',
      value:
        '{seeds:=} heads that learn which noun an adjective describes: with 1/√d_k all have learned by step {root:0}, with 1/d_k by step {linear:0}; without a scale {late:=} of {seeds:=} have not by step {patience:0}, and give {right:%} right answers',
    },
    keysAndValues: {
      claim: 'Keys say what kind of thing a word is, values which one it is.',
      why: 'Where the task asks for that, as here: an adjective looks for a kind of noun, and the answer is one noun.',
      value:
        'share of the variance of 32 nouns that lies between their four kinds: keys {keys:%}, values {values:%}, random vectors {chance:%}; mean of three heads that learned which noun an adjective describes',
    },
    otherFactors: {
      claim: 'Attention always divides by √d_k.',
      why: 'GPT-Neo, T5 and Gemma 4 multiply by 1, Inkling and Granite by 1/d_k. T5 begins with a smaller W_Q instead; in Gemma 4 and Inkling learned gains of normalised queries and keys have to do it.',
      value:
        'effective keys of 64 at the start: with 1/√d_k {root}, with T5’s smaller W_Q {smaller}; normalised with gains of 1, {normalised} with the factor 1 and {linear} with 1/d_k',
    },
    learnedFactor: {
      claim: 'A model would learn the factor anyway.',
      why: 'Where it starts decides. From 0.125 and 0.0156 it changes by a factor of 1.6 at most; from 1 it comes down, but too late: a softmax that is sure of one word passes hardly any gradient to it.',
      value:
        'heads of a language model after 1,500 steps, factor and loss: from 0.125, {root:2} and {rootLoss:.2}; from 1, {one:2} and {oneLoss:.2}; from 0.0156, {linear:2} and {linearLoss:.2}; medians of three recorded runs',
    },
    oneNumber: {
      claim: 'The dot product of a query and a key has the dimension d_k × d_k.',
      why: 'It is one number. QKᵀ has one for each query and each key, whatever d_k is.',
      value:
        '{rows:0} queries and {columns:0} keys of 64 entries: QKᵀ is {rows:0} × {columns:0}, {numbers:0} numbers',
    },
    entrySize: {
      claim: 'Var(q·k) = d_k·σ², if σ² is the variance of the entries.',
      why: 'Only at σ = 1. It is d_k·σ_q²·σ_k², and so d_k·σ⁴ where both are alike.',
      value: 'σ = 2, d_k = 64: variance {variance}, where d_k·σ² is 256 and d_k·σ⁴ is 1,024',
    },
    inputRange: {
      claim: 'Softmax needs its inputs between 0 and 1.',
      why: 'It takes any numbers, and only their differences count. Squeezed into that range, they leave weights nearly alike.',
      value:
        '1,000 added to all scores changes no weight by more than {shifted:=}; squeezed into 0 to 1 they leave {squeezed} effective keys of 64 instead of {keys}',
    },
    meanScore: {
      claim: 'Scaling keeps the mean of the scores in bounds.',
      why: 'The mean is about 0 with and without it. What it bounds is the spread.',
      value:
        'd_k = 512: mean {mean:.2} and deviation {deviation} unscaled, {scaledMean:.2} and {scaledDeviation} scaled',
    },
    meanWeight: {
      claim: 'The mean of the weights tells whether softmax is too sharp.',
      why: 'It is always 1/n. Look at the largest weight, the entropy or Σp².',
      value:
        '64 keys: mean weight {mean:3} unscaled, {scaledMean:3} scaled; largest weight {largest:%}, {scaledLargest:%}',
    },
    glorot: {
      claim: 'Independent entries of variance 1 are what Glorot’s (Xavier’s) initialisation gives.',
      why: 'Of inputs of variance 1 a square W makes them. Three matrices in one, as in PyTorch’s nn.MultiheadAttention, give ½, and a head’s own d_model × d_model/8 gives 16/9.',
      value:
        'variance of a query’s entries: {square:.2} square, {packed:.2} three in one, {head:.2} a head’s own',
    },
    scaleMemory: {
      claim: 'Scaling needs no memory.',
      why: 'The factor goes into the queries before the product, so that no scaled copy of the scores is stored.',
      value:
        'with queries divided by 8 beforehand outputs differ by {difference:=}; a copy of the scores would take {copy:B} at n = 512',
    },
    outputSoftmax: {
      claim: 'The softmax of the output layer should be scaled, too.',
      why: 'Cross-entropy follows it, and the gradient of both is p − y: where the answer is wrong it does not vanish, however sure softmax is.',
      value:
        'outputs of deviation 22.6 for 64 words, median of {wrong:=} wrong answers: gradient at the right word {gradient:.2}, of softmax alone tr J = {trace:e1}',
    },
    patches: {
      claim: 'Scaling aligns the words of a text and the patches of an image more stably.',
      why: 'The weights move less, since they are flatter. Which patch leads is a matter of order, which no factor changes.',
      value:
        '10 words, 49 patches, d = 768, entries of size 1 and ½, queries changed by a tenth: of a word’s weight {unscaled:%} moves unscaled, {scaled:%} scaled; another patch leads for {led:%} of the words, either way',
    },
    pairByPair: {
      claim: 'Dot products cost the same, one by one or as one matrix product.',
      why: 'The operations are the same, but not what is read: two numbers for each multiplication of a pair, 12 for 32 of them in the kernel’s tile of four queries and eight keys.',
      value:
        '256 queries and keys of 64 entries: one by one, in plain JavaScript, takes {ratio:2} times as long here',
    },
  },
};
