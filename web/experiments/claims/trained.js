/**
 * Claims about a model that was really trained: a language model that reads Moby-Dick, three seeds with each
 * scale and in each variant. To train one takes minutes, so the numbers are those of the recorded runs, as the
 * medians of three seeds where nothing else is said (web/language/recorded/data/en.js, en-variants.js;
 * tests/js/language/recorded.test.js compares them).
 */

/**
 * Returns σ(q·k) over √d_k·σ_q·σ_k, the mean over heads, before training and after it, and the mean effective
 * dimension of the first seed's heads.
 */
export const trainedDeviation = () => ({
  start: 0.97,
  end: 2.63,
  dimension: 60,
  trainedDimension: 11,
});

/** Returns the loss after 1500 steps with keys as values, and with values of their own. */
export const tiedModel = () => ({ tiedModel: 4.1, untiedModel: 4.07 });

/** Returns the factor that heads have learned after 1500 steps, the median of all heads, and the loss, by the start. */
export const learnedFactor = () => ({
  root: 0.11,
  rootLoss: 4.08,
  one: 0.39,
  oneLoss: 4.26,
  linear: 0.019,
  linearLoss: 4.12,
});

/** Returns the loss on held-out text after 500 and 1500 steps, with 1/√d_k and without a scale. */
export const untrainable = () => ({
  halfway: 4.41,
  unscaledHalfway: 4.82,
  end: 4.07,
  unscaledEnd: 4.28,
});

/** Returns the weight on the token before in the head that has most of it, before training and after it. */
export const specialHeads = () => ({ start: 0.06, end: 0.21, unscaled: 0.09 });
