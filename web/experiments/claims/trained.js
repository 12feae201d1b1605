/**
 * Claims about a model that was really trained: a language model that reads Moby-Dick, three seeds with each
 * scale. To train one takes minutes, so the numbers are those of the recorded runs, as the medians of three
 * seeds (web/language/recorded/data/en.js; tests/js/language/recorded.test.js compares them).
 */

/** Returns σ(q·k) over √d_k·σ_q·σ_k, the mean over heads, before training and after it. */
export const trainedDeviation = () => ({ start: 0.97, end: 2.63 });

/** Returns the loss on held-out text after 500 and 1500 steps, with 1/√d_k and without a scale. */
export const untrainable = () => ({
  halfway: 4.41,
  unscaledHalfway: 4.82,
  end: 4.07,
  unscaledEnd: 4.28,
});

/** Returns the weight on the token before in the head that has most of it, before training and after it. */
export const specialHeads = () => ({ start: 0.06, end: 0.21, unscaled: 0.09 });
